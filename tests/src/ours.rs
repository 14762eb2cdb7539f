//! Runs programs with `cfg` in this process, and compares the results with Nickel's.

use crate::nickel::Answer;
use cfg_core::{Action, Dialect, Format, InMemory, Input, NoLoader, Outcome, Request, Session, Severity};
use serde_json::Value;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The result of a program.
#[derive(Clone, PartialEq, Debug)]
pub enum Ours {
    /// The value as JSON, in output order.
    Value(Value),
    /// The first report.
    Failure(String),
    /// A defect: a panic, or output that is not JSON.
    Broken(String),
}

/// Runs `action` on a program in a new session.
pub fn run(program: &str, action: Action) -> Outcome {
    run_as(Dialect::CFG, program, action)
}

/// Runs `action` on a program of a language in a new session.
pub fn run_as(dialect: Dialect, program: &str, action: Action) -> Outcome {
    let text = program.as_bytes().to_vec();
    let mut session = Session::new(Box::new(NoLoader));
    session.run(Request {
        dialect: Some(dialect),
        ..Request::new(vec![Input::Text { name: "program".into(), text }], action)
    })
}

/// Runs `action` on a program that imports files, each with its name, in a new session.
pub fn run_beside(files: &[(&str, &str)], program: &str, action: Action) -> Outcome {
    let loader: InMemory = files.iter().map(|(name, text)| (*name, *text)).collect();
    let input = Input::Text { name: "program".into(), text: program.as_bytes().to_vec() };
    let request = Request { dialect: Some(Dialect::CFG), ..Request::new(vec![input], action) };
    Session::new(Box::new(loader)).run(request)
}

/// The first report of an error, or of anything.
pub fn first_report(outcome: &Outcome) -> String {
    let error = outcome.reports.iter().find(|(severity, _)| *severity == Severity::Error);
    error.or(outcome.reports.first()).map(|(_, report)| report.text()).unwrap_or_default()
}

/// Evaluates a program to JSON.
pub fn eval(program: &str) -> Ours {
    eval_beside(&[], program)
}

/// Evaluates a program that imports files to JSON.
pub fn eval_beside(files: &[(&str, &str)], program: &str) -> Ours {
    let action = Action::Eval { at: None, format: Format::Json };
    let run = catch_unwind(AssertUnwindSafe(|| run_beside(files, program, action)));
    match run {
        Err(_) => Ours::Broken("panic".into()),
        Ok(outcome) if outcome.exit == 0 => match serde_json::from_str(&outcome.output.text()) {
            Ok(value) => Ours::Value(value),
            Err(error) => Ours::Broken(format!("{error}: {}", outcome.output.text())),
        },
        Ok(outcome) => Ours::Failure(first_report(&outcome)),
    }
}

/// Returns the type errors of a program, as in `cfg check`; `None` if there are none.
pub fn type_error(program: &str) -> Option<String> {
    match catch_unwind(AssertUnwindSafe(|| run(program, Action::Check(cfg_core::CheckOptions::default())))) {
        Err(_) => Some("panic".into()),
        Ok(outcome) => outcome
            .reports
            .iter()
            .filter(|(severity, _)| *severity == Severity::Error)
            .map(|(_, report)| report.text())
            .find(|report| report.contains("[types/")),
    }
}

/// The result of comparing two answers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The same value, or failures of the same class.
    Agree,
    /// They differ as documented in `docs/nickel.md`, by the rule with this name.
    ByDesign(&'static str),
    /// They differ.
    Differ,
}

/// The code of a report, as in `error: no field "a" [value/missing-field]`.
pub fn code(report: &str) -> &str {
    let header = report.lines().next().unwrap_or_default();
    let code = header.rsplit_once('[').and_then(|(_, code)| code.strip_suffix(']'));
    code.filter(|code| code.contains('/') && !code.contains(' ')).unwrap_or_default()
}

/// The class of our failure in the words of [`crate::nickel::class`], or its code.
pub fn class(report: &str) -> &str {
    let code = code(report);
    match code {
        "value/contract" => "contract",
        "value/merge-conflict" => "merge",
        "value/missing-definition" => "missing definition",
        "value/missing-field" => "missing field",
        "value/infinite-recursion" => "cycle",
        "value/no-match" => "unmatched",
        "value/type" | "value/not-a-function" => "dynamic type",
        "scope/unbound" | "value/unbound" => "unbound",
        "export/no-form" => "not data",
        _ => match code.split_once('/') {
            Some(("types", _)) => "static type",
            Some(("syntax", _)) => "syntax",
            Some(("import", _)) => "import",
            _ => code,
        },
    }
}

/// Compares Nickel's answer to a program with ours.
pub fn verdict(nickel: &Answer, ours: &Ours) -> Verdict {
    match (nickel, ours) {
        (Answer::Value(theirs), Ours::Value(ours)) if same(theirs, ours) => Verdict::Agree,
        (Answer::Failure(theirs), Ours::Failure(report)) if theirs == class(report) => Verdict::Agree,
        _ => match by_design(nickel, ours) {
            Some(rule) => Verdict::ByDesign(rule),
            None => Verdict::Differ,
        },
    }
}

/// Compares JSON values: fields in the same order, numbers by value.
fn same(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(a), Value::Number(b)) => a == b || a.as_f64() == b.as_f64(),
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|((k, a), (l, b))| k == l && same(a, b))
        }
        _ => left == right,
    }
}

/// Returns the rule of `docs/nickel.md` by which the answers may differ.
fn by_design(nickel: &Answer, ours: &Ours) -> Option<&'static str> {
    match (nickel, ours) {
        // Nickel's type checker rejects merges and some values of type `Dyn`, which ours can type.
        (Answer::Failure(class), Ours::Value(_)) if class == "static type" => Some("typed-more"),
        // Nickel reads all imports before it evaluates; cfg reads only those that are needed.
        (Answer::Failure(class), Ours::Value(_)) if class == "import" => Some("lazy-import"),
        // Nickel's library checks arguments by contracts, and merged arrays too.
        (Answer::Failure(theirs), Ours::Failure(report)) if theirs == "contract" => match class(report) {
            "value/undefined" | "dynamic type" => Some("library-contracts"),
            "merge" => Some("array-merges"),
            _ => None,
        },
        _ => None,
    }
}
