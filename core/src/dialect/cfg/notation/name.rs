//! Names and strings in the syntax of cfg.

use crate::dialect::notation::quoted;
use crate::value::manifest::is_yaml_tag;
use std::borrow::Cow;

/// The words that need quotes as a field or a variable.
const RESERVED: [&str; 24] = [
    "Array", "Bool", "Dyn", "Number", "String", "_", "as", "else", "false", "forall", "fun", "if", "import", "in",
    "include", "let", "match", "null", "or", "rec", "then", "true", "default", "force",
];
/// The reserved words that may be the name of a field, because they are reserved only in some places.
const CONTEXTUAL: [&str; 6] = ["as", "default", "force", "include", "or", "rec"];

/// Returns `true` if a text has the form of an identifier: `_*[a-zA-Z][_a-zA-Z0-9-']*`.
fn is_word(text: &str) -> bool {
    let mut rest = text.trim_start_matches('_').chars();
    rest.next().is_some_and(|c| c.is_ascii_alphabetic())
        && rest.all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '\''))
}

/// Returns `true` if a text is an identifier and not a reserved word.
pub fn is_identifier(text: &str) -> bool {
    is_word(text) && (CONTEXTUAL.contains(&text) || !RESERVED.contains(&text))
}

/// Returns the name of a field for its definition or access, quoted if necessary.
pub fn field(name: &str) -> Cow<'_, str> {
    if is_identifier(name) { Cow::Borrowed(name) } else { Cow::Owned(string(name)) }
}

/// Returns an enum tag: `'Tag`, `'"odd tag"`. No word is reserved after the quote: `'Number`, `'if`.
pub fn tag(name: &str) -> String {
    if is_word(name) { format!("'{name}") } else { format!("'{}", string(name)) }
}

/// Returns an enum tag in an answer about data: a tag of YAML is written as in YAML, `!Ref`.
pub fn tag_of_data(name: &str) -> String {
    if is_yaml_tag(name) { String::from(name) } else { tag(name) }
}

/// Returns a string literal on one line.
pub fn string(text: &str) -> String {
    quoted(text, |c, next, out| match c {
        '%' if next == Some('{') => {
            out.push_str("\\%");
            true
        }
        c if c.is_control() => {
            out.push_str(&format!("\\u{{{:x}}}", c as u32));
            true
        }
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_needs_quotes_has_them() {
        for (name, shown) in [
            ("a", "a"),
            ("a-b'", "a-b'"),
            ("__x1", "__x1"),
            ("", "\"\""),
            ("1a", "\"1a\""),
            ("_", "\"_\""),
            ("a b", "\"a b\""),
            ("if", "\"if\""),
            ("é", "\"é\""),
            ("default", "default"),
        ] {
            assert_eq!(field(name), shown);
        }
        assert_eq!(tag("odd tag"), "'\"odd tag\"");
        assert_eq!(tag("Number"), "'Number");
    }

    #[test]
    fn a_string_reads_back_as_itself() {
        assert_eq!(string("a\"\\\n\t\u{1b}%{x} 5% {"), r#""a\"\\\n\t\u{1b}\%{x} 5% {""#);
    }
}
