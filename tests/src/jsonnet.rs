//! Evaluates Jsonnet programs in this process and compares the results with those of the reference
//! (`tests/oracles/jsonnet/`).

use cfg_core::dialect::Dialect;
use cfg_core::loader::InMemory;
use cfg_core::problem::Severity;
use cfg_core::session::{Action, Format, Input, Outcome, Request, Session};
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
    /// The first line of the message, without the reference's prefix, and whether the text was refused before
    /// evaluation.
    Failure(String, bool),
}

impl Answer {
    /// Parses a stored answer of the reference: `[value]` or `[null, message]`.
    pub fn kept(value: &serde_json::Value, message: &serde_json::Value) -> Answer {
        if let Some(value) = value.as_str() {
            return Answer::Value(value.into());
        }
        let message = message.as_str().unwrap_or_default();
        match (message.strip_prefix("RUNTIME ERROR: "), message.strip_prefix("STATIC ERROR: ")) {
            (Some(message), _) => Answer::Failure(message.into(), false),
            (_, Some(message)) => Answer::Failure(message.into(), true),
            _ => Answer::Failure(message.into(), false),
        }
    }

    /// Reports whether this answer of the reference and ours agree. If the text was refused before evaluation,
    /// messages may differ.
    pub fn agrees(&self, ours: &Answer) -> bool {
        match (self, ours) {
            (Answer::Failure(_, true), Answer::Failure(..)) => true,
            // our message names the cycle
            (Answer::Failure(theirs, false), Answer::Failure(ours, _)) if theirs == "max stack frames exceeded." => {
                ours.starts_with("infinite recursion")
            }
            // a report escapes control characters
            (Answer::Failure(theirs, false), Answer::Failure(ours, _)) => {
                let odd = |c: char| c.is_control();
                *ours
                    == theirs.chars().map(|c| if odd(c) { char::REPLACEMENT_CHARACTER } else { c }).collect::<String>()
            }
            (theirs, ours) => theirs == ours,
        }
    }
}

fn run(program: &Program, action: Action) -> Outcome {
    let mut session = Session::new(Box::new(program.files.clone().into_iter().collect::<InMemory>()));
    session.run(Request {
        inputs: vec![Input::Text { name: "snippet".into(), text: program.text.clone().into_bytes() }],
        dialect: Some(Dialect::JSONNET),
        import_paths: Vec::new(),
        contracts: Vec::new(),
        overrides: Vec::new(),
        jsonnet: Default::default(),
        action,
    })
}

fn first_error(outcome: &Outcome) -> Option<String> {
    let report = outcome.reports.iter().find(|(severity, _)| *severity == Severity::Error)?.1.text();
    let line = report.lines().next().unwrap_or_default();
    let line = line.strip_prefix("error: ").unwrap_or(line);
    let message = match line.rsplit_once(" [") {
        Some((message, code)) if code.ends_with(']') && code.contains('/') && !code.contains(' ') => message,
        _ => line,
    };
    Some(message.into())
}

/// Evaluates a program. Needs a large stack.
pub fn eval(program: &Program) -> Answer {
    let outcome = run(program, Action::Eval { at: None, format: Format::Json });
    if outcome.exit == 0 {
        return Answer::Value(outcome.output.text());
    }
    Answer::Failure(first_error(&outcome).unwrap_or_default(), false)
}

/// Returns the report of a program's first type error. A program that evaluates must have none.
pub fn type_error(program: &Program) -> Option<String> {
    let outcome = run(program, Action::Check { strict: false, silence: Vec::new() });
    let is_error = |(severity, _): &&(Severity, _)| *severity == Severity::Error;
    (outcome.exit != 0).then(|| outcome.reports.iter().find(is_error).map(|r| r.1.text()).unwrap_or_default())
}
