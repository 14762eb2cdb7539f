//! Names and strings as cfg writes them.

use std::borrow::Cow;

/// The words that cannot be a field or variable without quotes.
const RESERVED: [&str; 24] = [
    "Array", "Bool", "Dyn", "Number", "String", "_", "as", "else", "false", "forall", "fun", "if", "import", "in",
    "include", "let", "match", "null", "or", "rec", "then", "true", "default", "force",
];
/// Of those, the ones that are only reserved in some places and may stand as a field's name.
const CONTEXTUAL: [&str; 6] = ["as", "default", "force", "include", "or", "rec"];

/// Whether a text has the shape of an identifier: `_*[a-zA-Z][_a-zA-Z0-9-']*`.
fn is_word(text: &str) -> bool {
    let mut rest = text.trim_start_matches('_').chars();
    rest.next().is_some_and(|c| c.is_ascii_alphabetic())
        && rest.all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '\''))
}

/// Whether a text is an identifier and no reserved word.
pub fn is_identifier(text: &str) -> bool {
    is_word(text) && (CONTEXTUAL.contains(&text) || !RESERVED.contains(&text))
}

/// A field's name where it is defined or selected: quoted if it must be.
pub fn field(name: &str) -> Cow<'_, str> {
    if is_identifier(name) { Cow::Borrowed(name) } else { Cow::Owned(string(name)) }
}

/// An enum tag: `'Tag`, `'"odd tag"`. Behind the quote no word is reserved: `'Number`, `'if`.
pub fn tag(name: &str) -> String {
    if is_word(name) { format!("'{name}") } else { format!("'{}", string(name)) }
}

/// A string literal on one line.
pub fn string(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '%' if chars.peek() == Some(&'{') => out.push_str("\\%"),
            c if c.is_control() => out.push_str(&format!("\\u{{{:x}}}", c as u32)),
            c => out.push(c),
        }
    }
    out.push('"');
    out
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
