//! Names and strings in the syntax of jsonnet.

use crate::dialect::notation::{control, quoted};
use std::borrow::Cow;

/// The words that need quotes as a field or a variable.
const RESERVED: [&str; 18] = [
    "assert",
    "else",
    "error",
    "false",
    "for",
    "function",
    "if",
    "import",
    "importbin",
    "importstr",
    "in",
    "local",
    "null",
    "self",
    "super",
    "tailstrict",
    "then",
    "true",
];

/// Returns `true` if a text is an identifier and not a reserved word.
pub fn is_identifier(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && chars.all(|c| c.is_ascii_alphanumeric() || c == '_')
        && !RESERVED.contains(&text)
}

/// Returns the name of a field for its definition, quoted if necessary.
pub fn field(name: &str) -> Cow<'_, str> {
    if is_identifier(name) { Cow::Borrowed(name) } else { Cow::Owned(string(name)) }
}

/// Returns a string literal on one line.
pub fn string(text: &str) -> String {
    quoted(text, |c, _, out| {
        match c {
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            _ => return control(c, out),
        }
        true
    })
}
