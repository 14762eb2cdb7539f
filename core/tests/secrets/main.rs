//! No output contains a secret: a marker is planted in every position of a program, and looked for in every output of
//! every command, in every format.

mod files;
mod layers;

use cfg_core::{Action, DiffLayout, Drawing, Event, Format, InMemory, Input, Loader, Medium, Request, Session, Watch};
use std::path::{Path, PathBuf};

/// The contents of the secrets: a text, a number, an enum tag.
const MARKERS: [&str; 3] = ["hunter2", "918273645", "Kzqx"];

/// The places where a secret was seen.
#[derive(Default)]
struct Leaks(Vec<String>);

impl Leaks {
    fn look(&mut self, at: impl Fn() -> String, output: &str) {
        for marker in MARKERS {
            if let Some(found) = output.find(marker) {
                let around = |c: &(usize, char)| c.0 + 150 > found && c.0 < found + 50;
                let part: String = output.char_indices().filter(around).map(|(_, c)| c).collect();
                self.0.push(format!("{}\n    …{}…", at(), part.replace('\n', "\n    ")));
            }
        }
    }

    fn none(self) {
        assert!(self.0.is_empty(), "{} leaks:\n{}", self.0.len(), self.0[..self.0.len().min(60)].join("\n"));
    }
}

/// Inputs that plant secrets. The names `a`, `b` and `t` are bound by each of them.
const CELLS: &[&[&str]] = &[
    // literals
    &["a = { p | secret = \"hunter2\", n = 1 }", "b = a.p", "t = [a.p, { q = a.p }]"],
    &["a = { p | secret | String | default = \"hunter2\" }", "b = { x = a.p ++ \"!\" }", "t = \"<%{a.p}>\""],
    &["a = { p | secret | Number = 918273645 }", "b = a.p + 1 - 1", "t = { q = a.p * 1, r = [a.p] }"],
    &["a = { p | secret = 'Kzqx }", "b = a.p", "t = match { 'Other => 1, x => { got = x } } a.p"],
    &["a = { p | secret = 'Kzqx \"hunter2\" }", "b = match { y => { got = y } } a.p", "t = a & { z = 1 }"],
    &[
        "a = { p | secret = { user = \"hunter2\", n = 918273645 } }",
        "b = a.p.user",
        "t = let { user, .. } = a.p in { u = user }",
    ],
    &[
        "a = { p | secret = [\"hunter2\", 918273645] }",
        "b = std.array.first a.p",
        "t = std.array.map (fun x => { v = x }) a.p",
    ],
    &[
        "a = { p | secret = m%\"\n  hunter2\n  hunter2 %{\"x\"}\n\"% }",
        "b = std.string.uppercase a.p |> std.string.lowercase",
        "t = std.serialize 'Json { q = a.p }",
    ],
    &["a = { x.y.p | secret = \"hunter2\" }", "b = a.x.y.p", "t = a & { x.y.q = 1 }"],
    &["a = { \"odd name\" | secret = \"hunter2\" }", "b = a.\"odd name\"", "t = std.record.values a"],
    &["a = { \"%{\"p\"}\" | secret = \"hunter2\" }", "b = a.p", "t = std.record.map (fun k v => v) a"],
    // layers, in every order
    &["a = { p | secret } & { p = \"hunter2\" }", "b = a.p", "t = a & { q = a.p }"],
    &["l = { p = \"hunter2\" } & { p | secret }", "a = l & { p | force = \"hunter2 too\" }", "b = a.p", "t = a"],
    &["S = { p | secret | String, .. }", "a | S = { p = \"hunter2\" }", "b = a.p", "t = ({ p = \"hunter2\" } | S).p"],
    &[
        "a = { p | secret | merge (fun x => x.lower ++ x.higher) = \"hunter2\" } & { p = \"hunter2\" }",
        "b = a.p",
        "t = a",
    ],
    &["a = { p | secret | when (on) = \"hunter2\", on = true }", "b = a.p", "t = a"],
    // what is computed
    &[
        "a = { p | secret = \"hunter2\", long = std.string.length p, has = p == \"h\" }",
        "b = std.string.characters a.p",
        "t = std.string.split \"\" a.p",
    ],
    &["a = { p | secret = \"hunter2\" }", "b = (fun r => { out = r.p, all = r }) a", "t = std.record.insert a.p 1 {}"],
    &["a = { p | secret = \"hunter2\" }", "b = { \"%{a.p}\" = 1 }", "t = { k = a.p, o = { \"%{k}\" = k } }"],
    &[
        "a = { p | secret = \"hunter2\" }",
        "let f = fun x => x in b = f a.p",
        "t = let rec go = fun n => if n == 0 then a.p else go (n - 1) in go 9",
    ],
    // errors
    &["a = { p | secret = \"hunter2\" }", "b = a & { p = \"hunter2 other\" }", "t = a.p + 1"],
    &["a = { p | secret | Number = \"hunter2\" }", "b = a.p", "t = a"],
    &[
        "a = { p | secret | std.contract.from_validator (fun x => 'Error { message = \"bad %{x}\" }) = \"hunter2\" }",
        "b = a.p",
        "t = [a]",
    ],
    &["a = { p | secret = \"hunter2\" }", "b = std.fail_with \"no %{a.p}\"", "t = std.string.to_number a.p"],
    &["a = { p | secret = \"hunter2\" }", "b = {}.\"%{a.p}\"", "t = match { \"x\" => 1 } a.p"],
    &["a = { p | secret = \"hunter2\" }", "b = std.trace a.p 1", "t = std.trace \"got %{a.p}\" a.p"],
    &["a = { p | secret = 'Kzqx } & { p | [| 'A, 'B |] }", "b = a.p", "t : [| 'A |] = a.p"],
    &["a = { p | secret : Number = \"hunter2\" }", "b = 1", "t = 2"],
    &["a = { p | secret = \"hunter2\" \"x\" }", "a = { p | secret = \"hunter2\", q = nope }", "b = 1", "t = 2"],
    &["a = { p | secret = \"hunter2\", p = \"hunter2 again\" }", "b = a.p", "t = a"],
    // other languages
    &[
        "%%jsonnet\nlocal a = local s = import 's.cfg'; { out: s.p, both: 'x' + s.p, n: std.length(s.p) }",
        "%%jsonnet\nlocal b = [a.out, std.manifestJson(a)]",
        "t = a.both",
    ],
    &[
        "%%jsonnet\nlocal a = (import 's.cfg') { q: self.p, r: super.p }",
        "%%jsonnet\nlocal b = a { p: 'hunter2' }",
        "%%jsonnet\nlocal t = error a.p",
    ],
    &["%%yay\na: {{ 1 }}", "a = (import \"s.yay\") & { p | secret }", "b = a.url", "t = a"],
    &["a = (import \"s.yaml\") & { p | secret }", "b = a.p", "t = a & { p = \"hunter2\" }"],
    &["a = (import \"s.json\") & { p | secret }", "b = a.p", "t = a & (import \"s.toml\")"],
    &["%%mcl\n$s = import(\"s.cfg\")", "a = import \"s.cfg\"", "b = a.p", "t = a"],
    // resources
    &[
        "a = import \"s.cfg\"",
        "%%mcl\n$b = $a->p",
        "%%mcl\nfile \"/x\" {\n\tcontent => $a->p,\n}\nfile \"/${b}\" {\n\tcontent => \"got ${b}\",\n}\ntest $b {}\n",
        "t = [a, b]",
    ],
    // syntax errors
    &[
        "a ,= { p | secret = \"hunter2\" }",
        "a = { n = 1, c {\" p | secret = \"hunter2\" }",
        "b = [{ p = \"hunter2",
        "t = 1",
    ],
    &[
        "a = import \"s.cfg\"",
        "%%jsonnet\nlocal b = { p: 'hunter2' 'x' }",
        "%%yay\nt: [1\np: hunter2 }\n",
        "b ) { p = 918273645 }",
    ],
];

fn files() -> InMemory {
    [
        ("s.cfg", "{ p | secret = \"hunter2\", n = 1 }"),
        ("s.yay", "p: hunter2\nurl: http://{{ p }}@h\nlist:\n  - {{ p }}\n"),
        ("s.yaml", "p: hunter2\nother: 'x'\n"),
        ("s.json", "{ \"p\": \"hunter2\", \"x\": 1 }"),
        ("s.toml", "p = \"hunter2\"\n"),
        ("marks.cfg", "{ p | secret, .. }"),
        ("clash.cfg", "{ p | Number, .. }"),
        ("late.yaml", "p: hunter2-late\n"),
        ("s.jsonnet", "{ p: 'hunter2', url: 'http://' + self.p }"),
    ]
    .into_iter()
    .collect()
}

/// The arguments that each command is tried with.
const ARGUMENTS: &[&str] = &[
    "",
    "a",
    "b",
    "t",
    "a.p",
    "b.out",
    "t.q",
    "a, b",
    "a b",
    "1",
    "2",
    "$1",
    "--used-by a.p",
    "--types a",
    "--functions a",
    "--functions { p | secret = \"hunter2\" }",
    "a & { p = \"x\" }",
    "a & { p | force = \"x\" }",
    "{ p | secret = \"hunter2\" }",
    "{ p | secret = 'Kzqx }",
    "[a.p]",
    "out.saved",
];

/// Returns the names of all commands, as `:help` lists them.
fn commands() -> Vec<String> {
    let help = Session::new(Box::new(InMemory::default())).submit(":help all").iter().map(text).collect::<String>();
    let lines = help.lines().filter_map(|line| line.strip_prefix("  :")?.split_whitespace().next().map(String::from));
    let found: Vec<String> = lines.filter(|name| name != "quit" && name != "examples" && name != "help").collect();
    assert!(found.len() > 25, "{found:?}");
    found
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
    let rich = event.rich().map(|rich| format!("{} {} {:?}", rich.html, rich.json, rich.svg)).unwrap_or_default();
    format!("{shown}\n{rich}")
}

#[test]
fn no_command_of_a_session_shows_a_secret() {
    let mut leaks = Leaks::default();
    let commands = commands();
    for cells in CELLS {
        let files = files();
        let mut session = Session::new(Box::new(files.clone()));
        let output = std::rc::Rc::new(std::cell::RefCell::new(String::new()));
        let to = output.clone();
        session.set_output(std::rc::Rc::new(move |line| to.borrow_mut().push_str(line)));
        for rich in [true, false] {
            session.set_rich(rich);
            for cell in cells.iter() {
                for event in session.submit(cell) {
                    leaks.look(|| cell.to_string(), &text(&event));
                }
            }
            for shown in ["a", "b", "t", "a.p"] {
                for event in session.submit(shown) {
                    leaks.look(|| format!("{cells:?} {shown}"), &text(&event));
                }
                for event in session.evaluate(shown) {
                    leaks.look(|| format!("{cells:?} evaluate {shown}"), &text(&event));
                }
                for typed in [format!("{shown}."), format!(":explain {shown}."), String::from("match { '")] {
                    for candidate in session.complete(&typed, typed.len()) {
                        leaks.look(|| format!("{cells:?} completing {typed}"), &format!("{candidate:?}"));
                    }
                    leaks.look(|| format!("{cells:?} hint"), &format!("{:?}", session.hint(&typed, typed.len())));
                }
            }
        }
        for command in &commands {
            // these two forget the definitions
            if command == "undo" || command == "reset" {
                continue;
            }
            for argument in ARGUMENTS {
                let input = format!(":{command} {argument}");
                for event in session.submit(&input) {
                    leaks.look(|| format!("{cells:?} {input}"), &text(&event));
                }
                if command == "set" || command == "def" || command == "dialect" {
                    break;
                }
            }
        }
        for input in
            [":save out", ":history", ":undo", ":redo", ":undo 3", ":history", ":history a", ":reset", ":history"]
        {
            for event in session.submit(input) {
                leaks.look(|| format!("{cells:?} {input}"), &text(&event));
            }
        }
        if let Ok(saved) = files.read(Path::new("out")) {
            leaks.look(|| format!("{cells:?} saved"), &String::from_utf8_lossy(&saved));
        }
        leaks.look(|| format!("{cells:?} printed"), &output.borrow());
        for (name, report) in session.problems() {
            leaks.look(|| format!("{cells:?} problems of {name}"), &report.text());
        }
    }
    leaks.none();
}

fn actions(at: &str) -> Vec<Action> {
    let some = || Some(String::from(at));
    let mut out = vec![
        Action::Check(cfg_core::CheckOptions { strict: true, ..cfg_core::CheckOptions::default() }),
        Action::Type { at: None, pretty: true },
        Action::Type { at: some(), pretty: false },
        Action::Query { path: at.into(), json: true },
        Action::Query { path: at.into(), json: false },
        Action::Deps { path: at.into(), used_by: true, json: true },
        Action::Deps { path: at.into(), used_by: false, json: false },
    ];
    for format in [Format::Json, Format::Yaml, Format::Toml, Format::Text] {
        out.push(Action::Eval { at: None, format });
        out.push(Action::Eval { at: some(), format });
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
            for explain in [None, Some(medium)] {
                out.push(Action::Merge { at: None, layers, format: Format::Json, explain });
                out.push(Action::Merge { at: some(), layers, format: Format::Yaml, explain });
            }
        }
    }
    out
}

fn ask(inputs: &[&str], action: &Action, reveal: bool) -> String {
    let inputs = inputs.iter().map(|input| match input.strip_prefix("-e ") {
        Some(text) => Input::Text { name: String::from("main.cfg"), text: text.as_bytes().to_vec() },
        None => Input::File(PathBuf::from(input)),
    });
    let mut request = Request::new(inputs.collect(), action.clone());
    request.options.reveal = reveal;
    let outcome = Session::new(Box::new(files())).run(request);
    let reports: Vec<String> = outcome.reports.iter().map(|(_, report)| report.text()).collect();
    format!("{}\n{}\n{:?}", outcome.output.text(), reports.join("\n"), outcome.files)
}

#[test]
fn no_request_of_the_command_line_shows_a_secret() {
    let mut leaks = Leaks::default();
    let merged: &[&[&str]] = &[
        &["s.cfg", "clash.cfg"],
        &["marks.cfg", "s.yaml"],
        &["s.yaml", "marks.cfg"],
        &["s.yaml", "late.yaml", "marks.cfg"],
        &["late.yaml", "marks.cfg", "s.json", "s.toml"],
        &["s.yay", "marks.cfg"],
        &["s.jsonnet", "marks.cfg"],
        &["s.json", "clash.cfg", "marks.cfg"],
        &["s.toml", "marks.cfg", "clash.cfg"],
        &["-e { p | secret | String | default = \"hunter2\" } & { p | Number }"],
        &["-e { p | secret = \"hunter2\" } & { p = 'Kzqx } & { q = p }"],
        &["-e let a = { p | secret = \"hunter2\" } in { q = a.p, r = \"%{a.p}\", p = a.p, a = a }"],
        &["-e { p | secret = \"hunter2\", q = nope.r }"],
        &["-e { p | secret = \"hunter2\" q = 1 }"],
        &["-e { p | secret = \"hunter2\", a = 1 + \"x\" }"],
        &["-e { p | secret = \"hunter2"],
        &["-e { p | secret = 918273645, q = p + 1, r = p - 1 }"],
        &["-e ({ p | secret = \"hunter2\", q = 1 }).p"],
        &["-e (import \"s.jsonnet\") & { p | secret }"],
        &["-e (import \"s.yay\") & (import \"marks.cfg\")"],
    ];
    for inputs in merged {
        for at in ["p", "q", "url", "a.p"] {
            for action in actions(at) {
                let merges = matches!(action, Action::Merge { .. } | Action::Steps { .. } | Action::Check { .. });
                if inputs.len() > 1 && !merges {
                    continue;
                }
                leaks.look(|| format!("{inputs:?} {action:?}"), &ask(inputs, &action, false));
            }
        }
    }
    leaks.none();
}

/// Programs with a secret, and the files that are merged with each.
const MUTATED: &[(&str, &str, &[&str])] = &[
    ("m.cfg", "{ x = \"y\", a = { p | secret | String = \"hunter2\", q = p }, b = a.p & 1 }", &[]),
    ("m.cfg", "{\n  a = {\n    p | secret = [\"hunter2\", 918273645],\n    q = 1,\n  },\n}\n", &[]),
    ("m.cfg", "{ a.p | secret = { u = 'Kzqx \"hunter2\" }, b = \"%{a.p.u}\" }", &[]),
    ("m.cfg", "{ p | secret = m%\"\n  hunter2\n\"%, b = 1 }", &[]),
    ("m.yaml", "a: 1\np: hunter2\nb: [1, 2]\n", &["marks.cfg"]),
    ("m.yaml", "b:\n  p: |\n    918273645\n    hunter2\nc: \"d\"\n", &["marks.cfg"]),
    ("m.json", "{ \"p\": [\"hunter2\", 918273645], \"q\": { \"p\": \"hunter2\" } }", &["marks.cfg"]),
    ("m.toml", "q = 1\np = \"hunter2\"\n[b]\np = 918273645\n", &["marks.cfg"]),
    ("m.jsonnet", "{ p: 'hunter2', q: { p:: 'Kzqx' + 1, n: $.p } }", &["marks.cfg"]),
];

/// Inserts each of some characters at each place of programs, and looks for the secrets in every report.
#[test]
fn no_report_of_a_text_with_one_character_too_many_shows_a_secret() {
    let mut leaks = Leaks::default();
    let mut broken = 0;
    for (name, program, others) in MUTATED {
        for at in (0..=program.len()).filter(|at| program.is_char_boundary(*at)) {
            for (kind, stray) in ["\"", "}", ",", "%", "\n", "[", ":"].into_iter().enumerate() {
                let text = format!("{}{stray}{}", &program[..at], &program[at..]);
                // a content that was split is another word
                if MARKERS.iter().any(|marker| program.contains(marker) && !text.contains(marker)) {
                    continue;
                }
                let action = match (others.len(), (at + kind) % 3) {
                    (0, 0) => Action::Type { at: None, pretty: false },
                    (0, 1) => Action::Explain { path: String::from("a.p"), medium: Medium::Text },
                    (0, _) => {
                        Action::Check(cfg_core::CheckOptions { strict: true, ..cfg_core::CheckOptions::default() })
                    }
                    _ => Action::Merge { at: None, layers: true, format: Format::Json, explain: None },
                };
                let mut files = vec![(*name, text.as_str())];
                files.extend(others.iter().map(|other| (*other, "{ p | secret, .. }")));
                let inputs = files.iter().map(|(name, _)| Input::File(PathBuf::from(name))).collect();
                let loader: InMemory = files.iter().copied().collect();
                let outcome = Session::new(Box::new(loader)).run(Request::new(inputs, action.clone()));
                let reports: Vec<String> = outcome.reports.iter().map(|(_, report)| report.text()).collect();
                // without a syntax error it is a program in which something else is secret
                if !reports.iter().any(|report| report.contains("[syntax/") || report.contains("[data/")) {
                    continue;
                }
                broken += 1;
                let shown = format!("{}{}", outcome.output.text(), reports.join("\n"));
                leaks.look(|| format!("{text:?} {action:?}"), &shown);
            }
        }
    }
    assert!(broken > 1000, "{broken}");
    leaks.none();
}

/// Files in memory whose stamps change with their contents.
struct Stamped(InMemory);

impl Loader for Stamped {
    fn read(&self, path: &Path) -> std::io::Result<Vec<u8>> {
        self.0.read(path)
    }
    fn canonical(&self, path: &Path) -> std::io::Result<PathBuf> {
        self.0.canonical(path)
    }
    fn env(&self, name: &str) -> Option<String> {
        self.0.env(name)
    }
    fn list(&self, folder: &Path) -> Vec<String> {
        self.0.list(folder)
    }
    fn stamp(&self, path: &Path) -> Option<u64> {
        let text = self.0.read(path).ok()?;
        Some(text.iter().fold(7, |sum: u64, byte| sum.wrapping_mul(31).wrapping_add(u64::from(*byte))))
    }
    fn write(&self, path: &Path, bytes: &[u8]) -> std::io::Result<()> {
        self.0.write(path, bytes)
    }
}

#[test]
fn secrets_are_shown_on_request() {
    let eval = Action::Eval { at: None, format: Format::Json };
    let program = "-e { p | secret = \"hunter2\", q = p }";
    assert!(ask(&[program], &eval, true).contains("\"p\": \"hunter2\",\n  \"q\": \"hunter2\""));
    let explain = Action::Explain { path: String::from("p"), medium: Medium::Text };
    assert!(ask(&[program], &explain, true).contains("p = \"hunter2\""));
    assert!(ask(&[program], &eval, false).contains("\"p\": \"<secret>\",\n  \"q\": \"<secret>\""));
}

#[test]
fn what_reads_no_secret_is_shown() {
    let mut session = Session::new(Box::new(InMemory::default()));
    session
        .submit("a = { p | secret = \"hunter2\", b = 1, c = p ++ \"y\", d = [b, p], e = { f = \"public\", g = c } }");
    let shown = session.submit("a").iter().map(text).collect::<String>();
    for part in ["b = 1", "\"public\""] {
        assert!(shown.contains(part), "{shown}");
    }
    let shown = session.submit("{ n = std.record.fields a, m = a.b + 1, o = (fun r => r.e.f) a, q = a.d }");
    let shown = shown.iter().map(text).collect::<String>();
    assert!(shown.contains("\"public\"") && shown.contains('2'), "{shown}");
}
