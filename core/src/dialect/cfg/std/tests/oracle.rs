//! Compares Nickel's answers with those of this library.

use super::show::show;
use super::{evaluate, machine};
use crate::value::machine::Budget;
use std::collections::BTreeMap;

macro_rules! answers {
    ($name:literal) => {
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/oracles/std/answers/", $name, ".txt"))
    };
}

/// The files of questions and answers, in alternating lines.
pub const ANSWERS: &[&str] = &[
    answers!("array"),
    answers!("record"),
    answers!("string"),
    answers!("number"),
    answers!("enum"),
    answers!("function"),
    answers!("top"),
    answers!("contract"),
    answers!("package"),
];

/// Intended differences: a question, our answer and the reason.
pub const DIFFERENCES: &[(&str, &str, &str)] = &[
    ("std.record.apply_on \"a\" (fun a b => a) { a = 1 } null", "fails", "both must be records, used or not"),
    ("std.string.join 1 []", "fails", "the separator must be a string, used or not"),
    ("std.string.join 1 [\"a\"]", "fails", "the separator must be a string, used or not"),
    ("\"a\" | std.contract.unstable.RangeStep", "fails", "a step is a number"),
    ("null | std.contract.unstable.RangeStep", "fails", "a step is a number"),
    ("std.typeof std.string.BoolLiteral", "'CustomContract", "made with `custom`, so that it can stand in `any_of`"),
    (
        "std.cast std.string.BoolLiteral |> std.enum.to_tag_and_arg |> (fun x => x.tag)",
        "\"CustomContract\"",
        "made with `custom`, so that it can stand in `any_of`",
    ),
    ("std.deep_seq { a | optional } 2", "2", "an optional field without a definition is as if absent"),
    ("std.deserialize 'Json \"1e400\"", "1e400", "numbers are exact"),
    (
        "std.deserialize 'Json \"{\\\"a\\\": 1, \\\"a\\\": 2}\"",
        "fails",
        "a key that stands twice is a conflict, in data as in programs",
    ),
    ("std.deserialize 'Toml \"a = 1979-05-27\"", "{\"a\" = \"1979-05-27\"}", "a date is its text"),
    (
        "(1 | std.contract.unstable.DependentFun Number (fun x => Dyn)) |> std.typeof",
        "fails",
        "checked to be a function at once",
    ),
    (
        "{ major = 1, minor = 2, patch = 3 } | std.package.ExactSemverReq",
        EXACT,
        "Nickel names a field that is not there",
    ),
    (
        "{ major = 1, minor = 2, patch = 3, pre = \"a\" } | std.package.ExactSemverReq",
        EXACT_PRE,
        "Nickel names a field that is not there",
    ),
    (
        "('Github { org = \"a\", name = \"b\" }) | std.package.PackageId",
        "('Github {\"name\" = \"b\", \"org\" = \"a\"})",
        "what the contract returns it also accepts",
    ),
    ("std.string.is_match \"(\" |> std.typeof", "'Function", "the expression is compiled when it is first used"),
    ("std.string.find \"(\" |> std.typeof", "'Function", "the expression is compiled when it is first used"),
    ("std.string.find_all \"(\" |> std.typeof", "'Function", "the expression is compiled when it is first used"),
];
const EXACT: &str = r#"{"major" = 1, "minor" = 2, "patch" = 3}"#;
const EXACT_PRE: &str = r#"{"major" = 1, "minor" = 2, "patch" = 3, "pre" = "a"}"#;

/// Replays a file with a given number of questions. `failures` lists the codes of our failures, each with its number of
/// questions. Nickel's answers do not say why it fails.
#[track_caller]
fn agrees(answers: &str, questions: usize, failures: &[(&str, usize)]) {
    let lines: Vec<&str> = answers.lines().collect();
    assert_eq!(lines.len(), 2 * questions, "questions and answers");
    let (mut wrong, mut codes) = (Vec::new(), BTreeMap::<String, usize>::new());
    for pair in lines.chunks(2) {
        let [question, answer] = pair else { panic!("a question without an answer: {pair:?}") };
        let nickel = answer.strip_prefix("=> ").unwrap_or_else(|| panic!("no answer: {answer}"));
        let difference = DIFFERENCES.iter().find(|(q, ..)| q == question);
        let wanted = difference.map_or(nickel, |(_, ours, _)| ours);
        if difference.is_some() && wanted == nickel {
            wrong.push(format!("{question}\n  is no difference: Nickel answers {nickel}"));
        }
        let mut machine = machine();
        let thunk = evaluate(&mut machine, question);
        let datum = machine.datum(&thunk, Budget::ALL);
        let (ours, why) = match show(&datum) {
            Ok(text) => (text, String::new()),
            Err(problem) => (String::from("fails"), problem),
        };
        if ours != wanted {
            wrong.push(format!("{question}\n  wanted {wanted}\n  found  {ours}    {why}"));
        } else if ours == "fails" {
            *codes.entry(why.split(' ').next().unwrap_or_default().into()).or_default() += 1;
        }
    }
    assert!(wrong.is_empty(), "{} of {questions} differ:\n{}", wrong.len(), wrong.join("\n"));
    assert_eq!(codes, failures.iter().map(|(code, count)| (code.to_string(), *count)).collect());
}

/// Every difference is about a question that is asked, and is listed once.
#[test]
fn every_difference_is_asked() {
    for (at, (question, ..)) in DIFFERENCES.iter().enumerate() {
        let asked = ANSWERS.iter().flat_map(|answers| answers.lines().step_by(2)).filter(|asked| asked == question);
        assert_eq!(asked.count(), 1, "{question}");
        assert!(DIFFERENCES[..at].iter().all(|(other, ..)| other != question), "{question} is listed twice");
    }
}

#[test]
fn arrays_as_nickel() {
    agrees(
        answers!("array"),
        837,
        &[
            ("value/contract", 8),
            ("value/failed", 18),
            ("value/incomparable", 3),
            ("value/infinite-recursion", 4),
            ("value/no-match", 1),
            ("value/not-a-function", 1),
            ("value/type", 186),
            ("value/undefined", 154),
        ],
    );
}

#[test]
fn records_as_nickel() {
    agrees(
        answers!("record"),
        787,
        &[
            ("value/contract", 13),
            ("value/failed", 20),
            ("value/merge-conflict", 4),
            ("value/missing-definition", 22),
            ("value/not-a-function", 1),
            ("value/type", 181),
            ("value/undefined", 108),
        ],
    );
}

#[test]
fn strings_as_nickel() {
    agrees(answers!("string"), 1494, &[("value/contract", 99), ("value/type", 176), ("value/undefined", 211)]);
}

#[test]
fn numbers_as_nickel() {
    agrees(answers!("number"), 617, &[("value/contract", 43), ("value/type", 110), ("value/undefined", 48)]);
}

#[test]
fn enums_as_nickel() {
    agrees(answers!("enum"), 107, &[("value/contract", 24), ("value/type", 16), ("value/undefined", 3)]);
}

#[test]
fn functions_as_nickel() {
    agrees(answers!("function"), 28, &[("value/failed", 1), ("value/not-a-function", 4), ("value/type", 1)]);
}

#[test]
fn the_top_level_as_nickel() {
    agrees(
        answers!("top"),
        412,
        &[
            ("value/contract", 4),
            ("value/failed", 11),
            ("value/missing-definition", 5),
            ("value/type", 33),
            ("value/undefined", 29),
        ],
    );
}

#[test]
fn contracts_as_nickel() {
    agrees(answers!("contract"), 863, &[("value/contract", 569), ("value/missing-definition", 9), ("value/type", 25)]);
}

#[test]
fn packages_as_nickel() {
    agrees(answers!("package"), 156, &[("value/contract", 106), ("value/missing-definition", 7)]);
}
