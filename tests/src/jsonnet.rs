//! Evaluates Jsonnet programs in this process and compares the results with those of the reference
//! (`tests/oracles/jsonnet/`).

use cfg_core::{Action, Dialect, Format, InMemory, Input, Outcome, Request, Session, Severity};
use std::collections::BTreeMap;

/// A program and the files that it imports, by name.
#[derive(Clone, Debug)]
pub struct Program {
    /// The program's text.
    pub text: String,
    /// The imported files.
    pub files: BTreeMap<String, String>,
}

/// The result of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// The printed value.
    Value(String),
    /// The first line of the message, without what the reference puts before it, and the class of the failure.
    Failure(String, Class),
}

/// Classes of failures.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Class {
    /// The program fails while it is evaluated.
    Evaluated,
    /// Refused unevaluated: the text does not parse.
    Syntax,
    /// Refused unevaluated: a field or a name is defined twice.
    Duplicate,
    /// Refused unevaluated: nothing binds a name.
    Unbound,
    /// Refused unevaluated: `self`, `super` or `$` outside an object.
    OutsideObject,
}

impl Class {
    /// The class of a message of the reference after `STATIC ERROR: `, which has a position before the words.
    fn of_static(message: &str) -> Class {
        let words = message.split_once(": ").map_or(message, |(_, words)| words.trim_start());
        let starts = |words_of: &[&str]| words_of.iter().any(|start| words.starts_with(start));
        if starts(&["duplicate field", "duplicate local var", "duplicate function parameter"]) {
            Class::Duplicate
        } else if starts(&["Unknown variable"]) {
            Class::Unbound
        } else if starts(&["Can't use self", "Can't use super", "No top-level object"]) {
            Class::OutsideObject
        } else {
            Class::Syntax
        }
    }

    /// The class of one of our reports, by its code.
    fn of_code(code: &str) -> Class {
        match code {
            "scope/duplicate" => Class::Duplicate,
            "scope/unbound" => Class::Unbound,
            "scope/outside-object" => Class::OutsideObject,
            _ if code.starts_with("syntax/") => Class::Syntax,
            _ => Class::Evaluated,
        }
    }
}

impl Answer {
    /// The reference's answer as it is kept: `[value]` or `[null, message]`.
    ///
    /// # Errors
    /// Returns the pair if it is neither.
    pub fn kept(value: &serde_json::Value, message: Option<&serde_json::Value>) -> Result<Answer, String> {
        let (message, wrong) = match (value, message.and_then(|message| message.as_str())) {
            (serde_json::Value::String(value), None) => return Ok(Answer::Value(value.clone())),
            (serde_json::Value::Null, Some(message)) => (message, format!("no answer: {message:?}")),
            _ => return Err(format!("no answer: {value} {message:?}")),
        };
        match (message.strip_prefix("RUNTIME ERROR: "), message.strip_prefix("STATIC ERROR: ")) {
            (Some(message), _) => Ok(Answer::Failure(message.into(), Class::Evaluated)),
            (_, Some(message)) => Ok(Answer::Failure(message.into(), Class::of_static(message))),
            _ => Err(wrong),
        }
    }

    /// Whether this, the reference's answer, and ours are the same. What is refused unevaluated is compared by class: the
    /// words are ours.
    pub fn agrees(&self, ours: &Answer) -> bool {
        match (self, ours) {
            (Answer::Failure(theirs, Class::Evaluated), Answer::Failure(ours, Class::Evaluated)) => {
                // ours names the circle
                if theirs == "max stack frames exceeded." {
                    return ours.starts_with("infinite recursion");
                }
                // a report shows what is no text as such
                let odd = |c: char| c.is_control();
                *ours
                    == theirs.chars().map(|c| if odd(c) { char::REPLACEMENT_CHARACTER } else { c }).collect::<String>()
            }
            (Answer::Failure(_, theirs), Answer::Failure(_, ours)) => theirs == ours,
            (theirs, ours) => theirs == ours,
        }
    }
}

fn run(program: &Program, action: Action) -> Outcome {
    let mut session = Session::new(Box::new(program.files.clone().into_iter().collect::<InMemory>()));
    session.run(Request {
        dialect: Some(Dialect::JSONNET),
        ..Request::new(vec![Input::Text { name: "snippet".into(), text: program.text.clone().into_bytes() }], action)
    })
}

/// The message and the code of the first error.
fn first_error(outcome: &Outcome) -> Option<(String, String)> {
    let report = outcome.reports.iter().find(|(severity, _)| *severity == Severity::Error)?.1.text();
    let line = report.lines().next().unwrap_or_default();
    let line = line.strip_prefix("error: ").unwrap_or(line);
    let code = crate::ours::code(&report);
    let message = line.strip_suffix(&format!(" [{code}]")).unwrap_or(line);
    Some((message.into(), code.into()))
}

/// Evaluates a program. Needs a large stack.
pub fn eval(program: &Program) -> Answer {
    let outcome = run(program, Action::Eval { at: None, format: Format::Json });
    if outcome.exit == 0 {
        return Answer::Value(outcome.output.text());
    }
    let (message, code) = first_error(&outcome).unwrap_or_default();
    Answer::Failure(message, Class::of_code(&code))
}

/// Returns the reports of a check of a program: whether each is an error, and its text.
pub fn check(program: &Program) -> Vec<(bool, String)> {
    let outcome = run(program, Action::Check(cfg_core::CheckOptions::default()));
    outcome.reports.iter().map(|(severity, report)| (*severity == Severity::Error, report.text())).collect()
}

/// Returns the report of a program's first type error. A program that evaluates must have none.
pub fn type_error(program: &Program) -> Option<String> {
    let outcome = run(program, Action::Check(cfg_core::CheckOptions::default()));
    let is_error = |(severity, _): &&(Severity, _)| *severity == Severity::Error;
    (outcome.exit != 0).then(|| outcome.reports.iter().find(is_error).map(|r| r.1.text()).unwrap_or_default())
}
