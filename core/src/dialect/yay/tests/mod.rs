//! Tests of the language: programs with their results.

mod cells;
mod demand;
mod depth;
mod faults;
mod graph;
mod included;
mod lines;
mod meaning;
mod messages;
mod nodes;
mod surprises;
mod types;
mod values;

use crate::dialect::show::show;
use crate::dialect::{Dialect, StdNames};
use crate::loader::InMemory;
use crate::session::{Action, Format, Input, Request, Session};
use crate::text::SourceId;

/// Prints the lowered program compactly, after its problems.
fn lowered(text: &str) -> String {
    let program = super::program(SourceId(0), text, &StdNames);
    let problems: String = program.problems.iter().map(|p| format!("<{}> ", p.code())).collect();
    problems + &show(&program.term)
}

/// Runs an action on `main.yay` among some files. Returns its output, or else its diagnostics.
fn ran(files: &[(&str, &str)], action: Action) -> String {
    ran_on(files, &["main.yay"], action)
}

/// Runs an action on all these files, in order.
fn merged(files: &[(&str, &str)], action: Action) -> String {
    let inputs: Vec<&str> = files.iter().map(|(name, _)| *name).collect();
    ran_on(files, &inputs, action)
}

fn ran_on(files: &[(&str, &str)], inputs: &[&str], action: Action) -> String {
    let mut session = Session::new(Box::new(files.iter().copied().collect::<InMemory>()));
    let outcome = session.run(Request {
        inputs: inputs.iter().map(|file| Input::File((*file).into())).collect(),
        dialect: None,
        import_paths: Vec::new(),
        contracts: Vec::new(),
        overrides: Vec::new(),
        layering: Default::default(),
        options: Default::default(),
        action,
    });
    let output = outcome.output.text();
    if output.is_empty() {
        outcome.reports.iter().map(|(_, report)| report.text()).collect::<Vec<_>>().join("\n")
    } else {
        output
    }
}

/// Evaluates a document to JSON on one line. Of an error, only the first line.
fn json(text: &str) -> String {
    json_of(&[("main.yay", text)])
}

fn json_of(files: &[(&str, &str)]) -> String {
    let out = ran(files, Action::Eval { at: None, format: Format::Json });
    if out.starts_with("error") {
        return String::from(out.lines().next().unwrap_or(""));
    }
    let value: serde_json::Value = serde_json::from_str(&out).unwrap_or_else(|_| panic!("{out}"));
    value.to_string()
}

/// The type of a document, in the notation of the language.
fn type_of(text: &str) -> String {
    ran(&[("main.yay", text)], Action::Type { at: None, pretty: false })
}

/// The language.
const YAY: Dialect = Dialect::YAY;
