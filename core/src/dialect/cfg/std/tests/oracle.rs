//! Compares Nickel's answers with those of this library.

use super::show::show;
use super::{evaluate, machine};
use crate::value::machine::Budget;

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

fn agrees(answers: &str) {
    let mut wrong = Vec::new();
    let (mut total, mut lines) = (0, answers.lines());
    while let (Some(question), Some(answer)) = (lines.next(), lines.next()) {
        total += 1;
        let nickel = answer.strip_prefix("=> ").unwrap_or(answer);
        let wanted = DIFFERENCES.iter().find(|(q, ..)| *q == question).map_or(nickel, |(_, ours, _)| ours);
        let mut machine = machine();
        let thunk = evaluate(&mut machine, question);
        let datum = machine.datum(&thunk, Budget::ALL);
        let (ours, why) = match show(&datum) {
            Ok(text) => (text, String::new()),
            Err(problem) => (String::from("fails"), format!("    ({problem})")),
        };
        if ours != wanted {
            wrong.push(format!("{question}\n  wanted {wanted}\n  found  {ours}{why}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {total} differ:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn arrays_as_nickel() {
    agrees(answers!("array"));
}

#[test]
fn records_as_nickel() {
    agrees(answers!("record"));
}

#[test]
fn strings_as_nickel() {
    agrees(answers!("string"));
}

#[test]
fn numbers_as_nickel() {
    agrees(answers!("number"));
}

#[test]
fn enums_as_nickel() {
    agrees(answers!("enum"));
}

#[test]
fn functions_as_nickel() {
    agrees(answers!("function"));
}

#[test]
fn the_top_level_as_nickel() {
    agrees(answers!("top"));
}

#[test]
fn contracts_as_nickel() {
    agrees(answers!("contract"));
}

#[test]
fn packages_as_nickel() {
    agrees(answers!("package"));
}
