//! The messages of problems in data files.

use super::{Label, Report};
use crate::problem::data::Data;
use crate::text::Span;

pub(super) fn write(problem: &Data, span: Span, report: &mut Report) {
    let mut label = String::new();
    let mut second = None;
    report.message = match problem {
        Data::Unexpected { found, expected } => {
            label = format!("expected {expected}");
            match found {
                Some(found) => format!("unexpected `{found}`"),
                None => String::from("unexpected end of the file"),
            }
        }
        Data::Unclosed(what) => {
            label = String::from("opened here");
            format!("unclosed {what}")
        }
        Data::Escape(text) => format!("invalid escape `{text}` in a string"),
        Data::Control(c) => {
            report.helps.push(format!("write it as `\\u{:04x}`", u32::from(*c)));
            format!("unescaped control character U+{:04X} in a string", u32::from(*c))
        }
        Data::Malformed(why) => {
            label = String::from(*why);
            String::from("malformed number")
        }
        Data::TooLarge => String::from("the number is too large to keep"),
        Data::NotFinite => String::from("numbers cannot be infinite or NaN"),
        Data::Duplicate { name, first } => {
            label = String::from("again here");
            second = Some(Label { span: *first, text: String::from("first here") });
            format!("the key `{name}` stands twice")
        }
        Data::KeyNotText => {
            label = String::from("a key must be a scalar");
            String::from("keys of a record are text")
        }
        Data::Tag(tag) => format!("unknown tag `{tag}`"),
        Data::TagMismatch(tag) => format!("the value is not what its tag `{tag}` says"),
        Data::Anchor => String::from("no anchor of this name stands before the alias"),
        Data::Aliases => {
            report.notes.push(String::from("aliases that hold aliases multiply"));
            String::from("the aliases stand for too many values")
        }
        Data::MergeKey => {
            label = String::from("neither an alias of a mapping, nor a sequence of such");
            String::from("`<<` is an ordinary key here: what stands behind it is no mapping")
        }
        Data::Reader { format, message } => format!("{format}: {message}"),
        Data::TooMany => String::from("too many errors; the rest of the file was not read"),
    };
    report.labels.push(Label { span, text: label });
    report.labels.extend(second);
}
