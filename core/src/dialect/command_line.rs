//! Assignments of the command line as data: `--set a.b=1` is the record `{ a = { b = 1 } }` at the places of the option's
//! text.
//!
//! An index (`a[0].b=1`) becomes a field named `[0]`. The function that merges lists takes a record of such fields as
//! changes of single elements.

use super::data;
use super::data::build::Build;
use crate::dialect::{Language, Program, Stop};
use crate::meta::Priority;
use crate::problem::Severity;
use crate::problem::data::DataProblem;
use crate::term::{Import, ImportKind, Node};
use crate::text::path::{Assigned, FieldPath, Step, assignment};
use crate::text::{Name, SourceId, Span};
use std::sync::Arc;

/// The languages of the options, which are in no table: no file is written in them.
const OPTION: Language = Language { is_programs: false, ..Language::announced("", &[]) };

/// `--set`: a value that is a JSON literal is read as one, any other is a string.
pub static SET: Language = Language {
    name: "set",
    program: Some(|source, text, names| read(source, text, names.stop(), Reading::Literal)),
    ..OPTION
};

/// `--set-string`
pub static SET_STRING: Language = Language {
    name: "set-string",
    program: Some(|source, text, names| read(source, text, names.stop(), Reading::Text)),
    ..OPTION
};

/// `--set-json`
pub static SET_JSON: Language = Language {
    name: "set-json",
    program: Some(|source, text, names| read(source, text, names.stop(), Reading::Json)),
    ..OPTION
};

/// `--set-file`
pub static SET_FILE: Language = Language {
    name: "set-file",
    program: Some(|source, text, names| read(source, text, names.stop(), Reading::File)),
    ..OPTION
};

/// The way in which the text after the `=` is read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reading {
    Literal,
    Text,
    Json,
    File,
}

/// Reads an assignment. Total: an error leaves a hole.
fn read(source: SourceId, text: &str, stop: Stop<'_>, reading: Reading) -> Program {
    let mut build = Build::new(source);
    let Assigned { path, path_range, value } = match assignment(text) {
        Ok(found) => found,
        Err(error) => {
            let end = error.at + text.get(error.at..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
            let span = build.span(error.at, end);
            build.error(DataProblem::Assignment(Name::from(error.to_string())), span);
            let hole = build.hole(span);
            return build.finish(hole);
        }
    };
    let written = text.get(value.clone()).unwrap_or("");
    let mut program = match reading {
        Reading::Literal => literal(source, text, value.start, stop),
        Reading::Json => json(source, &blanked(text, value.start), stop),
        Reading::Text => single(build, Node::Str(Name::new(written)), value.start, value.end),
        Reading::File => {
            let import = Import { path: Name::new(written), kind: ImportKind::Text };
            single(build, Node::Import(Box::new(import)), value.start, value.end)
        }
    };
    let names = names(&path);
    let name_span = Span::new(source, path_range.start, path_range.end);
    let whole = Span::new(source, 0, text.len());
    let term = Arc::unwrap_or_clone(program.term);
    program.term = Arc::new(term.nested(&names, name_span, whole, Priority::Normal));
    program
}

/// Returns the field names of a path. An index is a name in brackets.
pub fn names(path: &FieldPath) -> Vec<Name> {
    let name = |step: &Step| match step {
        Step::Field(name) => name.clone(),
        Step::Index(index) => Name::from(format!("[{index}]")),
    };
    path.steps.iter().map(name).collect()
}

fn single(mut build: Build, node: Node, start: usize, end: usize) -> Program {
    let span = build.span(start, end);
    let root = build.node(node, span);
    build.finish(root)
}

/// Replaces the text before the value by spaces, so that positions stay the same.
fn blanked(text: &str, at: usize) -> String {
    [&" ".repeat(at), text.get(at..).unwrap_or("")].concat()
}

/// Reads a value as `--set-json` does.
pub fn json(source: SourceId, text: &str, stop: Stop<'_>) -> Program {
    data::json(source, text, stop)
}

/// Reads the rest of a text as `--set` does: a JSON literal, or else a string. A string that begins like a list or an
/// object is a warning.
pub fn literal(source: SourceId, text: &str, at: usize, stop: Stop<'_>) -> Program {
    let written = text.get(at..).unwrap_or("");
    let first = written.trim_start().chars().next();
    let like_json = match first {
        Some('{' | '[' | '"' | '-') => true,
        Some(c) => c.is_ascii_digit() || matches!(written.trim(), "true" | "false" | "null"),
        None => false,
    };
    if like_json {
        let program = json(source, &blanked(text, at), stop);
        if program.problems.is_empty() {
            return program;
        }
    }
    let mut build = Build::new(source);
    if matches!(first, Some('{' | '[')) {
        let span = build.span(at, text.len());
        build.problem(DataProblem::ReadAsText, Severity::Warning, span);
    }
    single(build, Node::Str(Name::new(written)), at, text.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::FieldName;

    /// Writes the assigned value with the path in front of it.
    fn shown(reading: Reading, text: &str) -> String {
        let program = read(SourceId(0), text, Stop::NEVER, reading);
        if let Some(problem) = program.problems.iter().find(|problem| problem.severity == Severity::Error) {
            return String::from(problem.code());
        }
        let (mut path, mut node) = (String::new(), program.term.root);
        loop {
            node = match program.term.node(node) {
                Node::Record(record) if record.fields.len() == 1 => {
                    let FieldName::Static(name) = &record.fields[0].name else { panic!("{text}") };
                    path.push_str(&format!("{name}/"));
                    record.fields[0].body.expect("a value")
                }
                other => return format!("{path} {other:?} {}", program.problems.len()),
            }
        }
    }

    #[test]
    fn a_value_is_a_json_literal_or_a_string() {
        for (text, expected) in [
            ("a.b=1", "a/b/ Number(Int(1)) 0"),
            ("a=true", "a/ Bool(true) 0"),
            ("a=null", "a/ Null 0"),
            ("a=yes", "a/ Str(\"yes\") 0"),
            ("a=007", "a/ Str(\"007\") 0"),
            ("a=1.2.3", "a/ Str(\"1.2.3\") 0"),
            ("a=\"1\"", "a/ Str(\"1\") 0"),
            ("a=", "a/ Str(\"\") 0"),
            ("a=x=y", "a/ Str(\"x=y\") 0"),
            ("a={b}", "a/ Str(\"{b}\") 1"),
            ("a[0].b=x", "a/[0]/b/ Str(\"x\") 0"),
            ("a", "data/assignment"),
            ("a..b=1", "data/assignment"),
        ] {
            assert_eq!(shown(Reading::Literal, text), expected, "{text}");
        }
        assert_eq!(shown(Reading::Text, "a=1"), "a/ Str(\"1\") 0");
        assert_eq!(shown(Reading::Json, "a=x"), "data/syntax");
        assert!(shown(Reading::Json, "a=[1]").starts_with("a/ Array"));
    }
}
