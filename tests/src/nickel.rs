//! Nickel's answers to programs: a value as JSON, or the class of a failure.

use crate::binary::{Ran, run_command};
use crate::generate::{Topic, program};
use serde_json::Value;
use std::collections::HashSet;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// An answer to a program.
#[derive(Clone, PartialEq, Debug)]
pub enum Answer {
    /// The exported value.
    Value(Value),
    /// The class of the failure, from [`class`].
    Failure(String),
}

/// A program with Nickel's answer: one line of a collection.
#[derive(Clone, PartialEq, Debug)]
pub struct Entry {
    /// The program.
    pub program: String,
    /// The answer.
    pub answer: Answer,
}

impl Entry {
    /// Returns the entry as one line of JSON.
    pub fn to_line(&self) -> String {
        let answer = match &self.answer {
            Answer::Value(value) => serde_json::json!({ "value": value }),
            Answer::Failure(class) => serde_json::json!({ "failure": class }),
        };
        serde_json::json!([self.program, answer]).to_string()
    }

    /// Parses a line that [`Entry::to_line`] wrote.
    pub fn of_line(line: &str) -> Option<Entry> {
        let Value::Array(mut parts) = serde_json::from_str(line).ok()? else { return None };
        let Value::Object(mut answer) = parts.pop()? else { return None };
        let Value::String(program) = parts.pop()? else { return None };
        let answer = match (answer.remove("value"), answer.remove("failure")) {
            (Some(value), _) => Answer::Value(value),
            (_, Some(Value::String(class))) => Answer::Failure(class),
            _ => return None,
        };
        Some(Entry { program, answer })
    }
}

/// Longer programs are left out: the collections are to stay small.
const LONGEST: usize = 700;

/// The program of a seed that may be asked, if it is not too long.
pub fn question(topic: Topic, seed: u64) -> Option<String> {
    Some(program(topic, seed)).filter(|text| text.len() <= LONGEST)
}

/// The programs of a collection. With `[a, b]` in `seeds`: of the seeds `first`, `first + 2`, … (`a` of them), then of
/// `first + 1`, `first + 3`, … (`b` of them), each program once.
pub fn questions(topic: Topic, first: u64, seeds: &[u64]) -> Vec<String> {
    let step = seeds.len() as u64;
    let all = (0..).zip(seeds).flat_map(|(worker, count)| (0..*count).map(move |n| first + worker + n * step));
    let mut seen = HashSet::new();
    all.filter_map(|seed| question(topic, seed)).filter(|text| seen.insert(text.clone())).collect()
}

/// Asks `nickel export`; `None` where it is not installed or does not answer within ten seconds.
pub fn ask(program: &str, file: &Path) -> Option<Answer> {
    std::fs::write(file, program).ok()?;
    let mut command = Command::new("nickel");
    command.args(["export", "--format", "json"]).arg(file).env("NO_COLOR", "1");
    let ran = run_command(command, "", Duration::from_secs(10)).ok()?;
    answer(&ran)
}

fn answer(ran: &Ran) -> Option<Answer> {
    match ran.code? {
        0 => Some(Answer::Value(serde_json::from_str(&ran.out).ok()?)),
        _ => Some(Answer::Failure(class(&ran.err))),
    }
}

/// Returns the class of a failure, from the beginning of Nickel's report.
pub fn class(report: &str) -> String {
    let message = report.lines().find_map(|line| line.trim().strip_prefix("error: ")).unwrap_or("");
    let known = [
        ("dynamic type error", "dynamic type"),
        ("type error", "static type"),
        ("incompatible", "static type"),
        ("expected type", "static type"),
        ("contract broken", "contract"),
        ("merge", "merge"),
        ("missing definition", "missing definition"),
        ("missing value", "missing definition"),
        ("missing field", "missing field"),
        ("infinite recursion", "cycle"),
        ("unbound identifier", "unbound"),
        ("unmatched pattern", "unmatched"),
        ("destructuring failed", "unmatched"),
        ("not a function", "dynamic type"),
        ("import of", "import"),
        ("unexpected token", "syntax"),
        ("unexpected end of file", "syntax"),
        ("non serializable", "not data"),
        ("not enough arguments", "arguments"),
        ("division by zero", "arithmetic"),
    ];
    match known.iter().find(|(words, _)| message.contains(words)) {
        Some((_, class)) => class.to_string(),
        None => message.chars().take(60).collect(),
    }
}
