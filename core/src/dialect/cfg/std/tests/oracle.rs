//! What Nickel answered, against what this library answers.

use super::show::show;
use super::{evaluate, machine};
use crate::value::machine::Budget;

macro_rules! answers {
    ($name:literal) => {
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/oracles/std/answers/", $name, ".txt"))
    };
}

/// Intended differences: a question, our answer, the reason.
const DIFFERENCES: &[(&str, &str, &str)] = &[];

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
