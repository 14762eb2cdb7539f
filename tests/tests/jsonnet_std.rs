//! The standard library of Jsonnet: the answers of the reference to thousands of calls, both values and error messages.
//!
//! A script in `tests/oracles/jsonnet-std/` writes the calls and answers there.

use cfg_core::{Action, Dialect, Format, Input, NoLoader, Request, Session, Severity};
use cfg_tests::differences::{self, Difference};
use cfg_tests::kept;
use std::thread;

const STACK: usize = 256 << 20;

/// Returns the answer of cfg: `= ` and a text, or `! ` and a message.
fn answer(session: &mut Session, question: &str) -> String {
    let outcome = session.run(Request {
        dialect: Some(Dialect::JSONNET),
        ..Request::new(
            vec![Input::Text { name: "question".into(), text: format!("std.toString([{question}])").into_bytes() }],
            Action::Eval { at: None, format: Format::Text },
        )
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

/// Compares two answers. Two YAML errors agree, because each reader has its own wording.
fn agrees(ours: &str, theirs: &str) -> bool {
    const YAML: &str = "! YAML error: ";
    ours == theirs || ours.starts_with(YAML) && theirs.starts_with(YAML)
}

/// Checks a file of `questions` questions. `not_yaml` of them have different answers by design: either the text is not
/// YAML and the reference accepts it, or it is YAML and the reference does not support it.
fn agree(family: &'static str, questions: usize, not_yaml: usize) {
    let (text, count) = kept::answers("jsonnet-std", &format!("{family}.txt"));
    let work = move || {
        let lines: Vec<&str> = text.lines().collect();
        let mut differ = Vec::new();
        for pair in lines.chunks(2) {
            let [question, theirs] = pair else { panic!("a question without an answer: {pair:?}") };
            let ours = answer(&mut Session::new(Box::new(NoLoader)), question);
            if !agrees(&ours, theirs) {
                differ.push(Difference { question: question.to_string(), theirs: theirs.to_string(), ours });
            }
        }
        (lines.len() / 2, differ)
    };
    let (asked, differ) = thread::Builder::new().stack_size(STACK).spawn(work).expect("thread").join().expect("replay");
    assert_eq!((asked, count), (questions, questions), "questions of {family}");
    let rules = [("not YAML", not_yaml)];
    let rules = if not_yaml > 0 { &rules[..] } else { &[] };
    let allows = |rule: &str, differ: &Difference| rule == "not YAML" && differ.question.starts_with("std.parseYaml(");
    differences::compare(&format!("jsonnet-std-{family}"), rules, allows, differ).unwrap_or_else(|e| panic!("{e}"));
}

#[test]
fn math() {
    agree("math", 1039, 0);
}

#[test]
fn types() {
    agree("types", 807, 0);
}

#[test]
fn strings() {
    agree("strings", 1490, 0);
}

#[test]
fn arrays() {
    agree("arrays", 1117, 0);
}

#[test]
fn sets() {
    agree("sets", 388, 0);
}

#[test]
fn objects() {
    agree("objects", 550, 0);
}

#[test]
fn manifest() {
    agree("manifest", 438, 0);
}

#[test]
fn format() {
    agree("format", 1000, 0);
}

#[test]
fn parse() {
    agree("parse", 372, 11);
}

#[test]
fn calls() {
    agree("calls", 326, 0);
}
