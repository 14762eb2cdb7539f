//! Resolves Yay documents in this process and compares the results with those of the released program
//! (`tests/oracles/yay/`).

use cfg_core::{Action, Dialect, Format, InMemory, Input, Outcome, Request, Session, Severity};
use serde_json::Value;
use std::collections::BTreeMap;

/// A document and the files that it includes, by name.
#[derive(Clone, Debug)]
pub struct Document {
    /// The text of the document.
    pub text: String,
    /// The included files.
    pub files: BTreeMap<String, String>,
}

/// The result of a document.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// The value as JSON. The released program writes `NaN` and `Infinity` too.
    Value(String),
    /// The class of the failure.
    Failure(Class),
}

/// Classes of failures.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Class {
    /// The text does not parse.
    Syntax,
    /// A value has the wrong type.
    Type,
    /// A name, a key, an index or a case does not exist.
    Missing,
    /// An included file does not exist.
    File,
    /// A division by zero.
    Zero,
    /// A value depends on itself.
    Cycle,
    /// A guard has another value in the final graph.
    Paradox,
    /// Another failure, which the released program does not have.
    Other,
}

impl Class {
    /// Returns the class with a name in the answers file.
    fn named(name: &str) -> Option<Class> {
        Some(match name {
            "syntax" => Class::Syntax,
            "type" => Class::Type,
            "missing" => Class::Missing,
            "file" => Class::File,
            "zero" => Class::Zero,
            "cycle" => Class::Cycle,
            "paradox" => Class::Paradox,
            _ => return None,
        })
    }

    /// Returns the class of one of our reports, by its code.
    fn of_code(code: &str) -> Class {
        match code {
            "value/type" => Class::Type,
            "value/missing-field" => Class::Missing,
            "import/not-found" => Class::File,
            "value/undefined" => Class::Zero,
            "value/infinite-recursion" => Class::Cycle,
            "value/paradox" => Class::Paradox,
            _ if code.starts_with("syntax/") => Class::Syntax,
            _ => Class::Other,
        }
    }
}

impl Answer {
    /// Reads an answer of the released program: `[value]` or `[null, class]`.
    ///
    /// # Errors
    /// Returns the pair if it is neither.
    pub fn kept(value: &Value, class: Option<&Value>) -> Result<Answer, String> {
        match (value, class.and_then(Value::as_str).and_then(Class::named)) {
            (Value::String(value), None) => Ok(Answer::Value(value.clone())),
            (Value::Null, Some(class)) => Ok(Answer::Failure(class)),
            _ => Err(format!("no answer: {value} {class:?}")),
        }
    }

    /// Checks whether this, the released program's answer, and ours are the same. Numbers are compared by value: JSON
    /// does not distinguish `2` and `2.0`.
    pub fn agrees(&self, ours: &Answer) -> bool {
        match (self, ours) {
            (Answer::Value(theirs), Answer::Value(ours)) => {
                let read = |text: &str| serde_json::from_str(text).ok();
                read(theirs).zip(read(ours)).is_some_and(|(theirs, ours)| equal(&theirs, &ours))
            }
            (theirs, ours) => theirs == ours,
        }
    }
}

/// Compares two values. The order of keys does not count: `cfg` writes them sorted.
fn equal(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a == b || a.as_f64() == b.as_f64(),
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| equal(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| equal(a, b)))
        }
        (a, b) => a == b,
    }
}

fn run(document: &Document, action: Action) -> Outcome {
    let mut session = Session::new(Box::new(document.files.clone().into_iter().collect::<InMemory>()));
    let text = document.text.clone().into_bytes();
    let inputs = vec![Input::Text { name: "main.yay".into(), text }];
    session.run(Request { dialect: Some(Dialect::YAY), ..Request::new(inputs, action) })
}

/// Resolves a document. Returns the answer, and the report of the first error.
pub fn resolve(document: &Document) -> (Answer, Option<String>) {
    let outcome = run(document, Action::Eval { at: None, format: Format::Json });
    if outcome.exit == 0 {
        let output = outcome.output.text();
        let value = serde_json::from_str::<Value>(&output).map(|value| value.to_string());
        return (Answer::Value(value.unwrap_or(output)), None);
    }
    let report = first_error(&outcome);
    (Answer::Failure(Class::of_code(crate::ours::code(&report))), Some(report))
}

fn first_error(outcome: &Outcome) -> String {
    let error = outcome.reports.iter().find(|(severity, _)| *severity == Severity::Error);
    error.map(|(_, report)| report.text()).unwrap_or_default()
}

/// Returns all reports about a document's types, as in `cfg check`.
pub fn type_reports(document: &Document) -> Vec<String> {
    let outcome = run(document, Action::Check(cfg_core::CheckOptions::default()));
    outcome.reports.iter().map(|(_, report)| report.text()).collect()
}

/// Returns the report of a document's first type error, as in `cfg check`.
pub fn type_error(document: &Document) -> Option<String> {
    let outcome = run(document, Action::Check(cfg_core::CheckOptions::default()));
    (outcome.exit != 0).then(|| first_error(&outcome))
}
