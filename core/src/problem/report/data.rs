//! The messages of problems in data files.

use super::{Label, Report};
use crate::problem::data::DataProblem;
use crate::text::Span;

pub(super) fn write(problem: &DataProblem, span: Span, report: &mut Report) {
    let mut label = String::new();
    let mut second = None;
    report.message = match problem {
        DataProblem::Unexpected { found, expected } => {
            label = format!("expected {expected}");
            match found {
                Some(found) => format!("unexpected `{found}`"),
                None => String::from("unexpected end of the file"),
            }
        }
        DataProblem::Unclosed(what) => {
            label = String::from("opened here");
            format!("unclosed {what}")
        }
        DataProblem::Escape(text) => format!("invalid escape `{text}` in a string"),
        DataProblem::Control(c) => {
            report.helps.push(format!("write it as `\\u{:04x}`", u32::from(*c)));
            format!("unescaped control character U+{:04X} in a string", u32::from(*c))
        }
        DataProblem::Malformed(why) => {
            label = String::from(*why);
            String::from("malformed number")
        }
        DataProblem::TooLarge => String::from("the number is too large to keep"),
        DataProblem::NotFinite => String::from("numbers cannot be infinite or NaN"),
        DataProblem::Duplicate { name, first } => {
            label = String::from("again here");
            second = Some(Label { span: *first, text: String::from("first here") });
            format!("duplicate key `{name}`")
        }
        DataProblem::KeyNotText => {
            label = String::from("a key must be a scalar");
            String::from("keys must be text")
        }
        DataProblem::Tag(tag) => format!("unknown tag `{tag}`"),
        DataProblem::TagMismatch(tag) => format!("the value does not match its tag `{tag}`"),
        DataProblem::Anchor => String::from("no anchor of this name before the alias"),
        DataProblem::Aliases => {
            report.notes.push(String::from("aliases that contain aliases multiply"));
            String::from("the aliases expand to too many values")
        }
        DataProblem::MergeKey => {
            label = String::from("expected an alias of a mapping, or a sequence of such aliases");
            String::from("`<<` is an ordinary key here: its value is not a mapping")
        }
        DataProblem::Reader { format, message } => format!("{format}: {message}"),
        DataProblem::Assignment(why) => {
            report.helps.push(String::from("an assignment is `path=value`: `a.b=1`, `a[0].\"b c\"=text`"));
            format!("not an assignment: {why}")
        }
        DataProblem::ReadAsText => {
            label = String::from("not JSON");
            report.helps.push(String::from("`--set-json` reads only JSON, `--set-string` takes any text as it is"));
            String::from("the value is read as a string")
        }
        DataProblem::SchemaReference(reference) => {
            label = String::from("what it refers to is not checked");
            report.helps.push(String::from("only references within the file are followed: `#/$defs/…`"));
            format!("no schema `{reference}` in this file")
        }
        DataProblem::TooMany => String::from("too many errors; the rest of the file was not read"),
    };
    report.labels.push(Label { span, text: label });
    report.labels.extend(second);
}
