//! The values of scalars (YAML 1.2.2, section 10.3).

use super::tag;
use crate::problem::data::DataProblem;
use crate::term::{Node, Number, NumberError};
use crate::text::Name;
use saphyr_parser::ScalarStyle;
use std::ops::Range;

/// Returns the value of a scalar (YAML 1.2.2, section 10.3). A tag of the core schema decides the type of a quoted scalar too:
/// `!!int "7"` is 7. The content of a scalar with a local tag is a string.
pub(super) fn value(text: &str, style: ScalarStyle, tag: Option<&tag::Tag>) -> Result<Node, DataProblem> {
    let string = || Node::Str(Name::new(text));
    let core = match tag {
        None if style != ScalarStyle::Plain => return Ok(string()),
        None => return plain(text),
        Some(tag::Tag::Core(core)) => core,
        Some(tag::Tag::None | tag::Tag::Local(_)) => return Ok(string()),
    };
    let mismatch = || DataProblem::TagMismatch(Name::from(format!("!!{core}")));
    match core.as_str() {
        "str" => Ok(string()),
        "null" if matches!(text, "" | "~" | "null" | "Null" | "NULL") => Ok(Node::Null),
        "bool" | "int" | "float" => match plain(text)? {
            node @ Node::Bool(_) if core == "bool" => Ok(node),
            Node::Number(number) if core == "float" || (core == "int" && number.is_integer()) => {
                Ok(Node::Number(number))
            }
            _ => Err(mismatch()),
        },
        "null" => Err(mismatch()),
        other => Err(DataProblem::Tag(Name::from(format!("!!{other}")))),
    }
}

/// Returns the warning about a number that begins with `0`: `0400` is 400 in YAML 1.2, and 256 in YAML 1.1.
pub(super) fn leading_zero(text: &str) -> Option<DataProblem> {
    let signless = text.strip_prefix(['+', '-']).unwrap_or(text);
    let digits = signless.strip_prefix('0').filter(|rest| rest.bytes().all(|b| b.is_ascii_digit()))?;
    let value = digits.trim_start_matches('0');
    let octal = u64::from_str_radix(digits, 8).ok();
    // a single digit is the same in both
    let differs = value.len() > 1 || octal.is_none() && !value.is_empty();
    let sign = if text.starts_with('-') { "-" } else { "" };
    differs.then(|| DataProblem::LeadingZero {
        written: Name::new(text),
        value: Name::from(format!("{sign}{value}")),
        octal: octal.filter(|_| sign.is_empty()),
    })
}

/// Returns the value of a plain scalar without a tag.
fn plain(text: &str) -> Result<Node, DataProblem> {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return Ok(Node::Null),
        "true" | "True" | "TRUE" => return Ok(Node::Bool(true)),
        "false" | "False" | "FALSE" => return Ok(Node::Bool(false)),
        _ => {}
    }
    let signless = text.strip_prefix(['+', '-']).unwrap_or(text);
    if matches!(signless, ".inf" | ".Inf" | ".INF") || matches!(text, ".nan" | ".NaN" | ".NAN") {
        return Err(DataProblem::NotFinite);
    }
    let string = Ok(Node::Str(Name::new(text)));
    let based = signless.starts_with("0x") || signless.starts_with("0o") || signless.starts_with("0b");
    if based {
        // binary and octal numbers: unsigned and at most 64 bits
        return match Number::parse(text) {
            Ok(Number::Int(number)) if signless == text && !text.starts_with("0b") => {
                Ok(Node::Number(Number::Int(number)))
            }
            _ => string,
        };
    }
    if !signless.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        return string;
    }
    match Number::parse(text) {
        Ok(number) => Ok(Node::Number(number)),
        Err(NumberError::TooLarge) => Err(DataProblem::TooLarge),
        Err(_) => string,
    }
}

/// Returns the length of the first line of a text if all of its lines look like keys with values, without the space after the colon.
pub(super) fn keys(text: &str) -> Option<usize> {
    let is_key = |line: &str| {
        line.trim().split_once(':').is_some_and(|(key, value)| {
            key.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
                && key.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'))
                && value.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '"' | '\'' | '[' | '{'))
        })
    };
    let first = text.lines().next()?;
    text.lines().filter(|line| !line.trim().is_empty()).all(is_key).then(|| first.trim_end().len())
}

/// Returns the second line of an item of two lines, one word each, that begins with a dash: `- a`, ` -b`, and ` - b`, which is indented
/// too far.
pub(super) fn dash(text: &str, scalar: Range<usize>) -> Option<Range<usize>> {
    let (first, second) = text.get(scalar.clone())?.split_once('\n')?;
    let line = second.trim();
    let item = line.strip_prefix("- ").map(str::trim_start).or_else(|| line.strip_prefix('-')).unwrap_or_default();
    let is_item = item.starts_with(char::is_alphabetic);
    let start = scalar.end - second.trim_start().len();
    (is_item && !item.contains(char::is_whitespace) && !first.trim().contains(char::is_whitespace))
        .then_some(start..start + line.len())
}
