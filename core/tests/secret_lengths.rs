//! No output depends on the content or on the length of a secret. Each program is run with a short secret and with a long
//! one; all outputs must be equal, byte for byte, and must not contain four characters in a row of the long one.

use cfg_core::{Action, DiffLayout, Drawing, Event, Format, InMemory, Input, Loader, Medium, Request, Session};
use cfg_core::{SetKind, SetOption};
use std::path::{Path, PathBuf};

/// The contents of the secrets: a text (`§S`), a number (`§N`), an enum tag (`§T`).
#[derive(Clone, Copy)]
struct Secret([&'static str; 3]);

const SHORT: Secret = Secret(["vB8kQ", "73", "Jm7W"]);
const LONG: Secret = Secret([
    "qZ7wXj9vKp2mRt5yHs8dGf4bNc6lTq3xWqZ1pLm0aYw4kBz8nVj2qJf6",
    "918273645546372819",
    "KzqxWvutjYpoHgfeqZwBbKkYyDdFfGg",
]);

impl Secret {
    fn fill(self, template: &str) -> String {
        let [text, number, tag] = self.0;
        template.replace("§S", text).replace("§N", number).replace("§T", tag)
    }

    fn files(self, files: &[(&str, &str)]) -> InMemory {
        let filled: Vec<(&str, String)> = files.iter().map(|(name, text)| (*name, self.fill(text))).collect();
        filled.iter().map(|(name, text)| (*name, text.as_str())).collect()
    }
}

/// The outputs of a program, each with what was asked.
type Outputs = Vec<(String, String)>;

/// Compares the outputs with the two secrets.
#[derive(Default)]
struct Leaks {
    found: Vec<String>,
    compared: usize,
}

impl Leaks {
    fn compare(&mut self, what: &str, run: impl Fn(Secret) -> Outputs) {
        let (short, long) = (run(SHORT), run(LONG));
        if short.len() != long.len() {
            self.found.push(format!("{what}: {} outputs, and {}", short.len(), long.len()));
        }
        for ((at, short), (_, long)) in short.iter().zip(&long) {
            self.compared += 1;
            if let Some((a, b)) = differing_line(short, long) {
                self.found.push(format!("{what}\n  {at}\n    {a}\n    {b}"));
            } else if let Some(line) = long.lines().find(|line| has_part(line)) {
                self.found.push(format!("{what}\n  {at}\n    {}", around(line, part(line).unwrap_or(0))));
            }
        }
    }

    fn none(self) {
        let shown = self.found[..self.found.len().min(40)].join("\n");
        assert!(self.found.is_empty(), "{} of {} outputs:\n{shown}", self.found.len(), self.compared);
    }
}

/// Returns where a line contains four characters in a row of the long secret, in upper or lower case.
fn part(line: &str) -> Option<usize> {
    let line = line.to_ascii_lowercase();
    LONG.0.iter().flat_map(|secret| secret.as_bytes().windows(4)).find_map(|window| {
        let window = std::str::from_utf8(window).unwrap_or_default().to_ascii_lowercase();
        line.find(&window)
    })
}

fn has_part(line: &str) -> bool {
    part(line).is_some()
}

fn around(line: &str, at: usize) -> String {
    let near = |(index, _): &(usize, char)| index + 60 > at && *index < at + 100;
    line.char_indices().filter(near).map(|(_, c)| c).collect()
}

fn differing_line(short: &str, long: &str) -> Option<(String, String)> {
    if short == long {
        return None;
    }
    let pair = short.lines().zip(long.lines()).find(|(a, b)| a != b);
    let (a, b) = pair.unwrap_or(("(fewer lines)", "(more lines)"));
    let at = a.char_indices().zip(b.chars()).find(|((_, a), b)| a != b).map_or(0, |((at, _), _)| at);
    Some((around(a, at), around(b, at)))
}

fn text(event: &Event) -> String {
    let shown = match event {
        Event::Value { value, ty, .. } => format!("{}{}", value.text(), ty.text()),
        Event::Bound(text) | Event::Answer(text) | Event::View { text, .. } => text.text(),
        Event::Steps { pages, footer, .. } => Event::text(pages, footer).text(),
        Event::Diagnostic { report, .. } => report.text(),
        Event::Output(text) => text.clone(),
        Event::Quit => String::new(),
    };
    let rich = event
        .rich()
        .map(|rich| format!("{}\n{:#}\n{}", rich.html, rich.json, rich.svg.clone().unwrap_or_default()))
        .unwrap_or_default();
    format!("{shown}\n{rich}")
}

/// Inputs that bind `a`, `b` and `t`, with secrets in every position.
const CELLS: &[&[&str]] = &[
    &["a = { p | secret = \"§S\", n = 1 }", "b = a.p", "t = [a.p, { q = a.p }]"],
    &[
        "a = { n = 1, p | secret | String | default = \"§S\", m = n + 1 }",
        "b = { x = a.p ++ \"!\" }",
        "t = \"<%{a.p}>\"",
    ],
    &["a = { p | secret | Number = §N, m = 1 }", "b = a.p + 1", "t = { q = a.p * 1, r = [a.p] }"],
    &["a = { p | secret = '§T, m = 1 }", "b = a.p", "t = match { 'Other => 1, x => { got = x } } a.p"],
    // messages cut types at 120 columns
    &[
        "a = { p | secret = '§T, m = 1 }",
        "b = if a.m > 0 then a.p else if a.m > 1 then 'AlphaBetaGammaDeltaEpsilonZetaEtaTheta else 'LambdaMyNyXiOmikronPiRhoSigmaTauYpsilonPhiChi",
        "t = b + 1",
    ],
    &["a = { p | secret = '§T \"§S\" }", "b = match { y => { got = y } } a.p", "t = a & { z = 1 }"],
    &["a = { p | secret = { user = \"§S\", n = §N } }", "b = a.p.user", "t = let { user, .. } = a.p in { u = user }"],
    &[
        "a = { p | secret = [\"§S\", §N, '§T], m = 2 }",
        "b = std.array.first a.p",
        "t = std.array.map (fun x => { v = x }) a.p",
    ],
    &[
        "a = { p | secret = m%\"\n  §S\n\"%, m = 1 }",
        "b = std.string.uppercase a.p",
        "t = std.serialize 'Json { q = a.p }",
    ],
    &["a = { \"odd name\" | secret = \"§S\", x.y.p | secret = \"§S\" }", "b = a.x.y.p", "t = std.record.values a"],
    // layers and overrides
    &["a = { p | secret } & { p = \"§S\" }", "b = a.p", "t = a & { q = a.p }"],
    &["a = { p | secret | default = \"§S\" } & { p = \"§S§S\", n = p } & { p | force = \"§S\" }", "b = a.p", "t = a"],
    &["a = { p | secret | merge (fun x => x.lower ++ x.higher) = \"§S\" } & { p = \"§S\" }", "b = a.p", "t = a"],
    &["a = { p | secret | when (on) = \"§S\", on = true }", "b = a.p", "t = a"],
    &["a = { p = \"old\", q = p } & { p | secret | force = \"§S\" }", "b = a & { p | priority 3 = \"x\" }", "t = a.q"],
    // what is computed
    &[
        "a = { p | secret = \"§S\", long = std.string.length p }",
        "b = std.string.characters a.p",
        "t = std.string.split \"Z\" a.p",
    ],
    &["a = { p | secret = \"§S\" }", "b = { \"%{a.p}\" = 1 }", "t = { k = a.p, o = { \"%{k}\" = k }, q = 1 }"],
    &["a = { p | secret = \"§S\" }", "b = std.record.from_array [{ field = a.p, value = 1 }]", "t = { s = b }"],
    &[
        "f = fun x => { url = \"http://%{x}@h\" }",
        "a = { p | secret = \"§S\", r = f p, n = 1 }",
        "b = f a.p",
        "t = a.r",
    ],
    &[
        "a = { p | secret = \"§S\", d = { url = \"https://user:%{p}@host:8080/path\", l = [p] }, n = d.url }",
        "b = a.d",
        "t = a.n",
    ],
    // errors beside and in secrets
    &["a = { p | secret = \"§S\", e = 1 + \"x\" }", "b = a & { p = \"other\" }", "t = a.p + 1"],
    &["a = { p | secret | Number = \"§S\", e = p }", "b = a.p", "t = a"],
    &[
        "a = { p | secret | std.contract.from_validator (fun x => 'Error { message = \"bad %{x}\" }) = \"§S\" }",
        "b = a.p",
        "t = [a]",
    ],
    &["a = { p | secret = \"§S\" }", "b = std.fail_with \"no %{a.p}\"", "t = std.string.to_number a.p"],
    &["a = { p | secret = \"§S\" }", "b = {}.\"%{a.p}\"", "t = match { \"x\" => 1 } a.p"],
    &["a = { p | secret = \"§S\" }", "b = std.trace a.p 1", "t = std.trace \"got %{a.p}\" a.p"],
    &["a = { p | secret = '§T } & { p | [| 'A, 'B |] }", "b = a.p", "t : [| 'A |] = a.p"],
    &["a = { p | secret : Number = \"§S\", q = nope }", "b = 1", "t = 2"],
    &["a = { p | secret = \"§S\" \"x\", q = 1 }", "a = { p | secret = \"§S\", q = nope }", "b = 1", "t = 2"],
    &["a = { p | secret = \"§S\", p = \"§S again\" }", "b = a.p", "t = a"],
    &["a = { p | secret = \"§S\", q | optional, r = q }", "b = a.r", "t = a & { q = p }"],
    // other languages
    &[
        "%%jsonnet\nlocal a = local s = import 's.cfg'; { out: s.p, both: 'x' + s.p, n: std.length(s.p) }",
        "%%jsonnet\nlocal b = [a.out, std.manifestJson(a)]",
        "t = a.both",
    ],
    &[
        "%%jsonnet\nlocal a = (import 's.cfg') { q: self.p, r: super.p }",
        "%%jsonnet\nlocal b = a { p: '§S' }",
        "%%jsonnet\nlocal t = error a.p",
    ],
    &["%%yay\na: {{ 1 }}", "a = (import \"s.yay\") & { p | secret }", "b = a.url", "t = a"],
    &["a = (import \"s.yaml\") & { p | secret }", "b = a.p", "t = a & { p = \"§S\" }"],
    &[
        "a = import \"s.cfg\"",
        "%%mcl\n$b = $a->p",
        "%%mcl\nfile \"/x\" {\n\tcontent => $a->p,\n}\nfile \"/${b}\" {\n\tcontent => \"got ${b}\",\n}\n",
        "t = [a, b]",
    ],
];

/// The files that the inputs import.
const FILES: &[(&str, &str)] = &[
    ("s.cfg", "{ p | secret = \"§S\", n = 1 }"),
    ("s.yay", "p: §S\nurl: http://{{ p }}@h\nlist:\n  - {{ p }}\n"),
    ("s.yaml", "{p: §S, other: 'x'}\n"),
    ("more.yaml", "p: §S§S\nq: 1\n"),
    ("s.json", "{ \"p\": \"§S\", \"x\": 1 }"),
    ("s.toml", "p = \"§S\"\n"),
    ("s.env", "P=§S\nQ=1\n"),
    ("marks.cfg", "{ p | secret, .. }"),
    ("clash.cfg", "{ p | Number, .. }"),
    ("s.jsonnet", "{ p: '§S', url: 'http://' + self.p }"),
    ("secret.txt", "§S"),
    ("stack.toml", "layers = [\"s.yaml\", \"more.yaml\", \"marks.cfg\"]\n[set]\np = \"§S\"\n"),
];

/// The arguments that each command is tried with.
const ARGUMENTS: &[&str] = &[
    "",
    "a",
    "b",
    "t",
    "a.p",
    "t.q",
    "a, b",
    "a b",
    "1",
    "2",
    "--used-by a.p",
    "--types a",
    "--functions a",
    "a & { p = \"x\" }",
    "a & { p | secret | force = \"§S\" }",
    "{ p | secret = \"§S\", q = p, r = \"<%{p}>\", e = 1 + \"x\" }",
    "[a.p]",
];

fn commands() -> Vec<String> {
    let help = Session::new(Box::new(InMemory::default())).submit(":help all").iter().map(text).collect::<String>();
    let lines = help.lines().filter_map(|line| line.strip_prefix("  :")?.split_whitespace().next().map(String::from));
    // these end or forget the session, print help, or measure time
    let left_out = ["quit", "reset", "undo", "examples", "help", "time"];
    let found: Vec<String> = lines.filter(|name| !left_out.contains(&name.as_str())).collect();
    assert!(found.len() > 25, "{found:?}");
    found
}

/// Returns the outputs of a session on a narrow page, on which texts are wrapped and cut.
fn session(secret: Secret, cells: &[&str], commands: &[String]) -> Outputs {
    let files = secret.files(FILES);
    let mut session = Session::new(Box::new(files.clone()));
    session.set_rich(true);
    session.set_width(60);
    let printed = std::rc::Rc::new(std::cell::RefCell::new(String::new()));
    let to = printed.clone();
    session.set_output(std::rc::Rc::new(move |line| to.borrow_mut().push_str(line)));
    let mut out: Outputs = Vec::new();
    let submit = |session: &mut Session, input: &str, out: &mut Outputs| {
        let shown = session.submit(&secret.fill(input)).iter().map(text).collect::<Vec<_>>().join("\n");
        out.push((String::from(input), shown));
    };
    for cell in cells {
        submit(&mut session, cell, &mut out);
    }
    for shown in ["a", "b", "t", "a.p"] {
        submit(&mut session, shown, &mut out);
        for typed in [format!("{shown}."), format!(":explain {shown}.")] {
            let candidates = session.complete(&typed, typed.len());
            out.push((typed.clone(), format!("{candidates:?} {:?}", session.hint(&typed, typed.len()))));
        }
    }
    for command in commands {
        for argument in ARGUMENTS {
            submit(&mut session, &format!(":{command} {argument}"), &mut out);
            if matches!(command.as_str(), "set" | "def" | "dialect") {
                break;
            }
        }
    }
    for input in [":save out", ":history", ":undo", ":redo", ":undo 3", ":history a"] {
        submit(&mut session, input, &mut out);
    }
    let saved = files.read(Path::new("out")).unwrap_or_default();
    out.push((String::from("saved"), String::from_utf8_lossy(&saved).into_owned()));
    out.push((String::from("printed"), printed.borrow().clone()));
    for (name, report) in session.problems() {
        out.push((format!("problems of {name}"), report.text()));
    }
    out
}

#[test]
fn no_answer_of_a_session_depends_on_a_secret() {
    let mut leaks = Leaks::default();
    let commands = commands();
    for cells in CELLS {
        leaks.compare(&format!("{cells:?}"), |secret| session(secret, cells, &commands));
    }
    assert!(leaks.compared > 15_000, "{}", leaks.compared);
    leaks.none();
}

fn actions(at: &str) -> Vec<Action> {
    let some = || Some(String::from(at));
    let options = cfg_core::CheckOptions { strict: true, ..cfg_core::CheckOptions::default() };
    let mut out = vec![
        Action::Check(options.clone()),
        Action::CheckLayers(options),
        Action::Type { at: None, pretty: true },
        Action::Type { at: some(), pretty: false },
        Action::Query { path: at.into(), json: true },
        Action::Query { path: at.into(), json: false },
        Action::Deps { path: at.into(), used_by: true, json: true },
        Action::Deps { path: at.into(), used_by: false, json: false },
    ];
    let formats = [Format::Json, Format::Yaml, Format::Toml, Format::Text, Format::Properties, Format::Dotenv];
    for format in formats {
        out.push(Action::Eval { at: None, format });
        out.push(Action::Eval { at: some(), format });
        out.push(Action::Merge { at: None, layers: true, format, explain: None });
    }
    for drawing in [Drawing::Text, Drawing::Dot, Drawing::Mermaid, Drawing::Svg, Drawing::Json] {
        for functions in [true, false] {
            out.push(Action::Graph { at: None, drawing, functions });
            out.push(Action::Graph { at: some(), drawing, functions });
        }
    }
    for medium in [Medium::Text, Medium::Json, Medium::Html] {
        out.push(Action::Explain { path: at.into(), medium });
        out.push(Action::Why { path: some(), step: None, medium });
        out.push(Action::Why { path: None, step: Some(1), medium });
        for layers in [true, false] {
            for types in [true, false] {
                out.push(Action::Steps { at: None, all: true, most: None, layers, types, medium });
            }
            out.push(Action::Merge { at: None, layers, format: Format::Json, explain: Some(medium) });
            out.push(Action::Merge { at: some(), layers, format: Format::Yaml, explain: Some(medium) });
        }
    }
    out
}

/// Makes a request for inputs: `-e TEXT`, `@FILE` for a stack, `--set TEXT`, `--env PREFIX`, or a file.
fn request(inputs: &[&str], action: &Action) -> Request {
    let mut request = Request::new(Vec::new(), action.clone());
    for input in inputs {
        if let Some(text) = input.strip_prefix("-e ") {
            let text = text.as_bytes().to_vec();
            request.inputs.push(Input::Text { name: String::from("main.cfg"), text });
        } else if let Some(text) = input.strip_prefix("--set ") {
            request.layering.sets.push(SetOption { kind: SetKind::Literal, text: String::from(text) });
        } else if let Some(text) = input.strip_prefix("--set-string ") {
            request.layering.sets.push(SetOption { kind: SetKind::Text, text: String::from(text) });
        } else if let Some(text) = input.strip_prefix("--set-file ") {
            request.layering.sets.push(SetOption { kind: SetKind::File, text: String::from(text) });
        } else if let Some(prefix) = input.strip_prefix("--env ") {
            request.layering.env.push(String::from(prefix));
        } else if let Some(path) = input.strip_prefix('@') {
            request.inputs.push(Input::Stack(PathBuf::from(path)));
        } else {
            request.inputs.push(Input::File(PathBuf::from(input)));
        }
    }
    request
}

fn ask(secret: Secret, inputs: &[&str], action: &Action, files: &[(&str, &str)]) -> String {
    let filled: Vec<String> = inputs.iter().map(|input| secret.fill(input)).collect();
    let inputs: Vec<&str> = filled.iter().map(String::as_str).collect();
    let outcome = Session::new(Box::new(Environment(secret.files(files), secret))).run(request(&inputs, action));
    let reports: Vec<String> = outcome.reports.iter().map(|(_, report)| report.text()).collect();
    format!("{}\n{}\n{:?} {}", outcome.output.text(), reports.join("\n"), outcome.files, outcome.exit)
}

/// Files in memory, and an environment with a secret.
struct Environment(InMemory, Secret);

impl Loader for Environment {
    fn read(&self, path: &Path) -> std::io::Result<Vec<u8>> {
        self.0.read(path)
    }
    fn canonical(&self, path: &Path) -> std::io::Result<PathBuf> {
        self.0.canonical(path)
    }
    fn env(&self, name: &str) -> Option<String> {
        (name == "APP_P").then(|| self.1.fill("§S"))
    }
    fn vars(&self) -> Vec<(String, String)> {
        vec![(String::from("APP_P"), self.1.fill("§S")), (String::from("APP_N"), String::from("1"))]
    }
    fn list(&self, folder: &Path) -> Vec<String> {
        self.0.list(folder)
    }
    fn stamp(&self, path: &Path) -> Option<u64> {
        self.0.stamp(path)
    }
}

/// The inputs of requests.
const INPUTS: &[&[&str]] = &[
    &["s.cfg", "clash.cfg"],
    &["marks.cfg", "s.yaml"],
    &["s.yaml", "more.yaml", "marks.cfg"],
    &["s.yaml", "more.yaml", "marks.cfg", "clash.cfg"],
    &["more.yaml", "marks.cfg", "s.json", "s.toml"],
    &["s.env", "marks.cfg"],
    &["s.yay", "marks.cfg"],
    &["s.jsonnet", "marks.cfg"],
    &["marks.cfg", "--set p=§S"],
    &["s.yaml", "marks.cfg", "--set p=§S", "--set q=1"],
    &["s.yaml", "marks.cfg", "--set-string p=§S", "clash.cfg"],
    &["s.yaml", "marks.cfg", "--set-file p=secret.txt"],
    &["s.yaml", "marks.cfg", "--env APP_"],
    &["@stack.toml"],
    &["@stack.toml", "clash.cfg"],
    &["-e { p | secret | String | default = \"§S\" } & { p | Number, q = 1 }"],
    &["-e { p | secret = \"§S\" } & { p = '§T } & { q = p }"],
    &["-e let a = { p | secret = \"§S\" } in { q = a.p, r = \"%{a.p}\", p = a.p, a = a }"],
    &["-e { p | secret = \"§S\", q = nope.r }"],
    &["-e { p | secret = \"§S\" q = 1 }"],
    &["-e { p | secret = \"§S\", q = 1 + \"x\" }"],
    &["-e { p | secret = \"§S, q = 1"],
    &["-e { p | secret = §N, q = p + 1, r = p - 1, s = 1 }"],
    &["-e { p | secret = \"§S\", q = \"http://%{p}@h/\", a.p = q ++ \"/x\", url = [a.p] }"],
    &["-e { p | secret = \"§S\", q = std.fail_with p, url = std.string.length p }"],
    &["-e (import \"s.jsonnet\") & { p | secret, q = 1 }"],
    &["-e { p | secret = import \"s.json\", q = p.x, url = p.p }"],
    &["-e { p | secret = \"§S\", q = { \"%{p}\" = p } }"],
];

#[test]
fn no_request_depends_on_a_secret() {
    let mut leaks = Leaks::default();
    for inputs in INPUTS {
        for at in ["p", "q", "url", "a.p"] {
            let actions = actions(at).into_iter().filter(|action| {
                let merges = matches!(
                    action,
                    Action::Merge { .. } | Action::Steps { .. } | Action::Check(_) | Action::CheckLayers(_)
                );
                inputs.len() == 1 || merges
            });
            for action in actions {
                let what = format!("{inputs:?}");
                leaks.compare(&what, |secret| vec![(format!("{action:?}"), ask(secret, inputs, &action, FILES))]);
            }
        }
    }
    assert!(leaks.compared > 3_000, "{}", leaks.compared);
    leaks.none();
}

#[test]
fn no_difference_depends_on_a_secret() {
    let mut leaks = Leaks::default();
    let sides: &[&[&str]] = &[
        &["s.cfg"],
        &["-e { p | secret = §N, n = 2 }"],
        &["-e { p | secret = '§T \"§S\" }"],
        &["-e { p | secret = [\"§S\", §N] }"],
        &["-e { p | secret = { u = \"§S\", q = '§T } }"],
        &["-e { p | secret = { u = \"§S too\" }, q = p.u, r = \"a long text with %{p.u} inside of it, and more\" }"],
        &["-e let a = { p | secret = \"§S\" } in { q = a.p, r = \"%{a.p}\", p = a.p, a = a }"],
        &["-e { p | secret = \"§S\", a = 1 + \"x\" }"],
        &["-e { p | secret = \"§S\" q = 1 }"],
        &["-e { p = \"plain\", n = 1, q = \"\" }"],
        &["-e 1"],
        &["s.yaml", "marks.cfg"],
        &["s.yaml", "more.yaml", "marks.cfg"],
        &["s.json", "clash.cfg", "marks.cfg"],
        &["s.jsonnet", "marks.cfg"],
    ];
    for before in sides {
        for after in sides {
            let inputs = [*before, *after].concat();
            for layout in [DiffLayout::Text, DiffLayout::Json, DiffLayout::SideBySide] {
                for at in [None, Some("p"), Some("q")] {
                    let action = Action::Diff { left: before.len(), at: at.map(String::from), layout };
                    let what = format!("{before:?} {after:?}");
                    leaks.compare(&what, |secret| vec![(format!("{action:?}"), ask(secret, &inputs, &action, FILES))]);
                }
            }
        }
    }
    leaks.none();
}
