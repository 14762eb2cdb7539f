//! Names and strings in the syntax of mcl.

use crate::dialect::notation::quoted;
use std::borrow::Cow;

/// Returns `true` if a text is a name of the language.
pub fn is_identifier(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|c| c.is_ascii_lowercase())
        && chars.all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
        && !text.ends_with('_')
}

/// Returns the name of a field.
pub fn field(name: &str) -> Cow<'_, str> {
    if is_identifier(name) { Cow::Borrowed(name) } else { Cow::Owned(string(name)) }
}

/// Returns a string literal on one line.
pub fn string(text: &str) -> String {
    quoted(text, |c, next, out| {
        let escape = match c {
            '\u{7}' => "\\a",
            '\u{8}' => "\\b",
            '\u{c}' => "\\f",
            '\u{b}' => "\\v",
            // a dollar sign that no brace follows is text
            '$' if next == Some('{') => "\\$",
            _ => return false,
        };
        out.push_str(escape);
        true
    })
}
