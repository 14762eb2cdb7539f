//! The standard library of Jsonnet: the reference's answers to thousands of calls, both values and error messages.
//!
//! A script in `tests/oracles/jsonnet-std/` writes the calls and answers there.

use cfg_core::dialect::Dialect;
use cfg_core::loader::NoLoader;
use cfg_core::problem::Severity;
use cfg_core::session::{Action, Format, Input, Request, Session};
use cfg_tests::binary::root;
use std::fs;
use std::thread;

const STACK: usize = 256 << 20;

/// Calls whose answers differ by design. Either the text is not valid YAML but the reference accepts it, or it is and
/// the reference does not support it.
const BY_DESIGN: &[&str] = &[
    r#"std.parseYaml("a: @x\u000a")"#,
    r#"std.parseYaml("a: `x\u000a")"#,
    r#"std.parseYaml("a: %x\u000a")"#,
    r#"std.parseYaml("a: - b\u000a")"#,
    r#"std.parseYaml("a: ? b\u000a")"#,
    r#"std.parseYaml("a: *unknown\u000a")"#,
    r#"std.parseYaml("{,}")"#,
    r#"std.parseYaml("]")"#,
    r#"std.parseYaml("}")"#,
    r#"std.parseYaml(",")"#,
    r#"std.parseYaml("{\"a\":\u000a{\"b\":\u000a!}}")"#,
];

/// Reports whether two answers agree. Messages about invalid YAML may differ.
fn agrees(ours: &str, theirs: &str) -> bool {
    const YAML: &str = "! YAML error: ";
    ours == theirs || ours.starts_with(YAML) && theirs.starts_with(YAML)
}

/// Returns our answer: `= ` and a text, or `! ` and a message.
fn answer(session: &mut Session, question: &str) -> String {
    let outcome = session.run(Request {
        inputs: vec![Input::Text { name: "question".into(), text: format!("std.toString([{question}])").into_bytes() }],
        dialect: Some(Dialect::JSONNET),
        action: Action::Eval { at: None, format: Format::Text },
        import_paths: Vec::new(),
        contracts: Vec::new(),
        overrides: Vec::new(),
        jsonnet: Default::default(),
    });
    if outcome.exit == 0 {
        return format!("= {}", outcome.output.text().trim_end_matches('\n'));
    }
    let errors = outcome.reports.iter().filter(|(severity, _)| *severity == Severity::Error);
    let report = errors.map(|(_, report)| report.text()).next().unwrap_or_default();
    let first = report.lines().next().unwrap_or_default();
    let message = first.strip_prefix("error: ").unwrap_or(first);
    format!("! {}", message.rsplit_once(" [").map_or(message, |(message, _)| message))
}

fn agree(family: &'static str) {
    let path = root().join(format!("tests/oracles/jsonnet-std/{family}.txt"));
    let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let work = move || {
        let lines: Vec<&str> = text.lines().collect();
        let mut differ = Vec::new();
        for pair in lines.chunks(2) {
            let [question, theirs] = pair else { panic!("a question without an answer: {pair:?}") };
            let ours = answer(&mut Session::new(Box::new(NoLoader)), question);
            if !agrees(&ours, theirs) && !BY_DESIGN.contains(question) {
                differ.push(format!("{question}\n  reference: {theirs}\n  ours:      {ours}"));
            }
        }
        (lines.len() / 2, differ)
    };
    let (count, differ) = thread::Builder::new().stack_size(STACK).spawn(work).expect("thread").join().expect("replay");
    let show = std::env::var("SHOW").ok().and_then(|n| n.parse().ok()).unwrap_or(20);
    let text = differ.iter().take(show).cloned().collect::<Vec<_>>().join("\n\n");
    assert!(differ.is_empty(), "{family}: {} of {count} differ\n\n{text}", differ.len());
}

#[test]
fn math() {
    agree("math");
}

#[test]
fn types() {
    agree("types");
}

#[test]
fn strings() {
    agree("strings");
}

#[test]
fn arrays() {
    agree("arrays");
}

#[test]
fn sets() {
    agree("sets");
}

#[test]
fn objects() {
    agree("objects");
}

#[test]
fn manifest() {
    agree("manifest");
}

#[test]
fn format() {
    agree("format");
}

#[test]
fn parse() {
    agree("parse");
}

#[test]
fn calls() {
    agree("calls");
}
