//! Faults on purpose, as SQLite tests them: the n-th read of a file fails, memory is refused at the n-th question, and work is interrupted at
//! the n-th check, for every n. The input that a fault broke is submitted again; then all is as in a session without the fault.

use cfg_core::{
    Action, CheckOptions, DiffLayout, Drawing, Event, Format, Input, Interrupt, Loader, Medium, Memory, Outcome,
    Request, Session,
};
use std::cell::Cell;
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// Files, the index of the read that fails, and that of the question at which memory is refused. 0 stands for none.
#[derive(Clone, Default)]
struct Faulty {
    reads: Rc<Cell<usize>>,
    questions: Rc<Cell<usize>>,
}

const FILES: &[(&str, &str)] = &[
    (
        "base.cfg",
        "{ host | String | default = \"localhost\", port | Number | default = 80, url = \"%{host}:%{std.to_string port}\" }",
    ),
    ("team.cfg", "(import \"base.cfg\") & { port = 8080, more = import \"data.yaml\" }"),
    ("data.yaml", "replicas: 3\nlabels:\n  app: web\n  tier: front\n"),
    ("lib.libsonnet", "{ name(x):: 'n-' + x, all: [self.name(i) for i in ['a', 'b']], text: importstr 'data.yaml' }"),
    ("main.yay", "include \"data.yaml\"\ncount: {{ replicas + 1 }}\n"),
    ("module.mcl", "$greeting = \"hello\"\nfunc twice($x) {\n\t$x + $x\n}\n"),
];

impl Loader for Faulty {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        if comes(&self.reads) {
            return Err(io::Error::other("the disk failed"));
        }
        let found = FILES.iter().find(|(name, _)| Path::new(name) == path);
        found.map(|(_, text)| text.as_bytes().to_vec()).ok_or_else(|| io::ErrorKind::NotFound.into())
    }
    fn canonical(&self, path: &Path) -> io::Result<PathBuf> {
        let exists = FILES.iter().any(|(name, _)| Path::new(name) == path);
        if exists { Ok(path.to_path_buf()) } else { Err(io::ErrorKind::NotFound.into()) }
    }
    fn env(&self, _: &str) -> Option<String> {
        None
    }
    fn list(&self, _: &Path) -> Vec<String> {
        Vec::new()
    }
    fn stamp(&self, _: &Path) -> Option<u64> {
        None
    }
    fn write(&self, _: &Path, _: &[u8]) -> io::Result<()> {
        Ok(())
    }
    fn memory(&self) -> Option<Memory> {
        let total = 8 << 30;
        Some(Memory { left: if comes(&self.questions) { 0 } else { total }, total, refuses: false })
    }
}

/// Counts down. Returns `true` when the counter reaches 0.
fn comes(counter: &Cell<usize>) -> bool {
    let left = counter.get();
    counter.set(left.saturating_sub(1));
    left == 1
}

/// A kind of fault.
#[derive(Clone, Copy, Debug)]
enum Fault {
    Read,
    Memory,
    Interrupt,
}

/// The inputs of a session. Each works without a fault.
const SESSIONS: &[&[&str]] = &[
    &[
        "team = import \"team.cfg\"",
        "team",
        "prod = team & { host = \"example.org\" }",
        "prod",
        ":explain prod.url",
        ":undo",
        ":redo",
        "prod.url",
    ],
    &[
        "xs = std.array.range 0 3000",
        "std.array.length (std.array.map (fun x => [x, x]) xs)",
        "std.array.fold_left (fun a b => a + b) 0 xs",
        ":steps { a | default = 1 } & { a = 2 }",
    ],
    &[
        "s = std.string.join \",\" (std.array.map std.to_string (std.array.range 0 2000))",
        "std.string.length s",
        ":type s",
        "f = fun x => x & { n = x.m + 1 }",
        "f { m = 1 }",
    ],
    &[
        "%%jsonnet\nlocal lib = import 'lib.libsonnet'; lib.all",
        "%%jsonnet\nlocal x = (import 'lib.libsonnet') + { name(y):: y + '!' };",
        "%%jsonnet\nx.all",
        ":deps x.all",
        "%%jsonnet\nstd.length(std.makeArray(3000, function(i) i))",
    ],
    &[
        "%%yay\na: 1\nb: {{ a + 1 }}\nif b == 2:\n  c:\n    - 1\n    - 2\n",
        "%%yay\nextend c:\n  - {{ b }}\n",
        "c",
        ":explain c",
        "(import \"main.yay\").count",
    ],
    &[
        "%%mcl\nimport \"module.mcl\" as m\n$x = m.twice(3)\nprint \"p\" {\n\tmsg => $m.greeting,\n}\n",
        "%%mcl\n$y = [1, 2, 3,]\n",
        ":graph",
        ":type x",
    ],
    &[
        "big = import \"data.yaml\"",
        ":load team.cfg",
        ":env",
        ":diff 0 1",
        ":reload",
        ":why big.replicas",
        "big.labels & { tier | force = \"back\" }",
    ],
];

/// Inputs that make values so large that they ask for memory first.
const LARGE: &[&[&str]] = &[
    &[
        "%%jsonnet\nlocal s = std.repeat('ab', 1000000);",
        "%%jsonnet\nstd.length(s)",
        "%%jsonnet\nstd.length(s + 'c' + s)",
        "%%jsonnet\nstd.length(std.asciiUpper(s))",
        "%%jsonnet\nstd.length(std.strReplace(s, 'a', 'c'))",
        "%%jsonnet\nstd.length(std.join(s, ['x', 'y', 'z']))",
        "%%jsonnet\nstd.length(std.base64(s))",
        "%%jsonnet\nstd.length('%s-%s' % [s, s])",
        "%%jsonnet\nstd.length(std.manifestJson({ a: s }))",
        "%%jsonnet\nstd.length(std.range(0, 3000000))",
    ],
    &[
        "s = std.string.join \"\" (std.array.replicate 1000 (std.string.join \"\" (std.array.replicate 1000 \"ab\")))",
        "std.string.length s",
        "std.string.length \"%{s}-%{s}\"",
        "std.string.length (s ++ s)",
        "std.string.length (std.serialize 'Json { v = s })",
        "x = std.array.replicate 2000000 1",
        "std.array.length (x @ x)",
    ],
];

/// Requests of the command line. Each works without a fault.
fn requests() -> Vec<Request> {
    let of = |names: &[&str], action| {
        Request::new(names.iter().map(|name| Input::File(PathBuf::from(name))).collect(), action)
    };
    let eval = |format| Action::Eval { at: None, format };
    let path = || String::from("more.labels");
    let steps = Action::Steps { at: None, all: false, most: None, layers: false, types: false, medium: Medium::Text };
    let merge = |explain| Action::Merge { at: None, layers: true, format: Format::Yaml, explain };
    vec![
        of(&["team.cfg"], Action::Check(CheckOptions::default())),
        of(&["team.cfg", "main.yay", "lib.libsonnet"], Action::Check(CheckOptions::default())),
        of(&["team.cfg"], eval(Format::Json)),
        of(&["team.cfg"], eval(Format::Yaml)),
        of(&["main.yay"], eval(Format::Toml)),
        of(&["data.yaml"], eval(Format::Json)),
        of(&["team.cfg"], Action::Type { at: None, pretty: true }),
        of(&["team.cfg"], Action::Query { path: path(), json: true }),
        of(&["team.cfg"], Action::Explain { path: path(), medium: Medium::Text }),
        of(&["team.cfg"], Action::Why { path: Some(path()), step: None, medium: Medium::Text }),
        of(&["team.cfg"], Action::Deps { path: String::from("url"), used_by: false, json: false }),
        of(&["team.cfg"], Action::Graph { at: None, functions: false, drawing: Drawing::default() }),
        of(&["team.cfg"], steps),
        of(&["data.yaml", "team.cfg"], merge(None)),
        of(&["data.yaml", "team.cfg"], merge(Some(Medium::Text))),
        of(&["data.yaml", "team.cfg"], Action::Diff { left: 1, at: None, layout: DiffLayout::default() }),
        of(&["data.yaml"], Action::Fmt { check: true }),
    ]
}

/// All that an outcome shows.
fn outcome(outcome: &Outcome) -> String {
    let reports: String = outcome.reports.iter().map(|(_, report)| format!("{}\n", report.text())).collect();
    format!("{}\n{}{reports}", outcome.exit, outcome.output.text())
}

/// A session with its switches.
struct Faulted {
    session: Session,
    loader: Faulty,
    stop: Interrupt,
}

impl Faulted {
    fn new() -> Faulted {
        let loader = Faulty::default();
        let session = Session::new(Box::new(loader.clone()));
        let stop = session.interrupt_handle();
        Faulted { session, loader, stop }
    }

    /// Orders a fault at its n-th occasion from now. 0 orders none. Returns `true` if an earlier order was not met.
    fn order(&self, fault: Fault, n: usize) -> bool {
        match fault {
            Fault::Read => self.loader.reads.replace(n) > 0,
            Fault::Memory => self.loader.questions.replace(n) > 0,
            Fault::Interrupt => self.stop.raise_after(n),
        }
    }

    fn answer(&mut self, input: &str) -> String {
        let text: String = self.session.submit(input).into_iter().map(shown).collect();
        // an input that is submitted again says what is different since the fault
        let is_news = |line: &&str| line.starts_with("there now: ") || line.starts_with("changed: ");
        text.lines().filter(|line| !is_news(line)).map(|line| format!("{line}\n")).collect()
    }
}

fn shown(event: Event) -> String {
    match event {
        Event::Value { value, ty, .. } => format!("{} : {}\n", value.text(), ty.text()),
        Event::Bound(text) | Event::Answer(text) | Event::View { text, .. } => format!("{}\n", text.text()),
        Event::Diagnostic { report, .. } => format!("{}\n", report.text()),
        Event::Steps { pages, footer, .. } => format!("{}\n", Event::text(&pages, &footer).text()),
        Event::Output(_) | Event::Quit => String::new(),
    }
}

/// Returns `true` if an answer says which fault occurred.
fn is_reported(fault: Fault, answer: &str) -> bool {
    answer.contains(match fault {
        Fault::Read => "the disk failed",
        Fault::Memory => "[value/limit]",
        Fault::Interrupt => "[value/interrupted]",
    })
}

/// All that a session knows of its names.
fn state(faulted: &mut Faulted) -> Vec<String> {
    let names = ["team", "prod", "xs", "s", "f", "x", "a", "b", "c", "y", "big"];
    let mut all = vec![faulted.answer(":env")];
    all.extend(names.iter().map(|name| faulted.answer(&format!(":query {name}"))));
    all.extend(faulted.session.problems().into_iter().map(|(name, text)| format!("{name}: {}", text.text())));
    all
}

/// The occasions at which a fault comes: all of the first, then fewer and fewer.
fn occasions() -> impl Iterator<Item = usize> {
    std::iter::successors(Some(1), |n: &usize| Some(n + 1 + n / 15))
}

/// Runs each session with one fault at a time. Returns the number of faults that changed an answer.
fn every(fault: Fault, sessions: &[&[&str]]) -> usize {
    let mut broken = 0;
    for inputs in sessions {
        let mut whole = Faulted::new();
        let expected: Vec<String> = inputs.iter().map(|input| whole.answer(input)).collect();
        for (input, answer) in inputs.iter().zip(&expected) {
            assert!(!answer.contains("error:"), "{input}: {answer}");
        }
        let expected_state = state(&mut whole);
        for (at, input) in inputs.iter().enumerate() {
            for n in occasions() {
                let mut ours = Faulted::new();
                inputs[..at].iter().for_each(|earlier| drop(ours.answer(earlier)));
                let number = ours.session.next_number();
                ours.order(fault, n);
                let came = ours.answer(input);
                if ours.order(fault, 0) {
                    break;
                }
                if came != expected[at] {
                    broken += 1;
                    // a definition does not report a file that another file imports: values that need it do
                    let reported = is_reported(fault, &came) || state(&mut ours).iter().any(|a| is_reported(fault, a));
                    assert!(reported, "{fault:?} {n} of {input}:\n{came}");
                    ours.session.set_next_number(number);
                    assert_eq!(ours.answer(input), expected[at], "again after {fault:?} {n} of {input}");
                }
                for later in at + 1..inputs.len() {
                    assert_eq!(ours.answer(inputs[later]), expected[later], "after {fault:?} {n} of {input}");
                }
                assert_eq!(state(&mut ours), expected_state, "after {fault:?} {n} of {input}");
            }
        }
    }
    broken
}

#[test]
fn a_session_survives_a_read_that_fails() {
    assert!(every(Fault::Read, SESSIONS) >= 12);
}

#[test]
fn a_session_survives_memory_that_is_refused() {
    assert!(every(Fault::Memory, LARGE) >= 15);
}

#[test]
fn a_session_survives_an_interrupt_at_every_check() {
    assert!(every(Fault::Interrupt, SESSIONS) >= 500);
}

/// Runs each request with one fault at a time, in a session of its own, and then again without it. Returns the number of faults that
/// changed an outcome.
fn every_request(fault: Fault) -> usize {
    let mut broken = 0;
    for request in requests() {
        let expected = outcome(&Faulted::new().session.run(request.clone()));
        assert!(!expected.contains("error"), "{expected}");
        for n in occasions() {
            let mut ours = Faulted::new();
            ours.order(fault, n);
            let came = outcome(&ours.session.run(request.clone()));
            if ours.order(fault, 0) {
                break;
            }
            if came != expected {
                broken += 1;
                // an answer may not need the file, or may only show that a part fails
                let is_right = match fault {
                    Fault::Read => true,
                    Fault::Memory | Fault::Interrupt => is_reported(fault, &came) && !came.starts_with('0'),
                };
                assert!(is_right, "{fault:?} {n}: {came}");
            }
            let again = outcome(&ours.session.run(request.clone()));
            assert_eq!(again, expected, "again after {fault:?} {n}");
        }
    }
    broken
}

#[test]
fn a_request_survives_a_read_that_fails() {
    assert!(every_request(Fault::Read) >= 17);
}

#[test]
fn a_request_survives_memory_that_is_refused() {
    every_request(Fault::Memory);
}

#[test]
fn a_request_survives_an_interrupt_at_every_check() {
    assert!(every_request(Fault::Interrupt) >= 100);
}
