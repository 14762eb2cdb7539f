//! Finds the cause of a syntax error in JSON: what was written, and what was probably meant.

use crate::problem::data::{DataMistake, DataProblem};
use crate::text::Name;
use std::ops::Range;

/// The kind of place of an error.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// A value.
    Value,
    /// A key of an object.
    Key,
    /// The `:` after a key.
    Colon,
    /// After an element of an array.
    Element,
    /// After a field of an object.
    Member,
    /// After the whole value.
    End,
}

impl Place {
    /// Describes what is expected at the place.
    pub(super) fn expected(self) -> &'static str {
        match self {
            Place::Value => "a value",
            Place::Key => "a key in double quotes",
            Place::Colon => "`:`",
            Place::Element => "`,` or `]`",
            Place::Member => "`,` or `}`",
            Place::End => "the end of the file",
        }
    }
}

/// Returns the problem and its place for an unexpected token. `O(blanks before it)`.
pub(super) fn diagnosed(text: &str, token: Range<usize>, place: Place, shown: Name) -> (DataProblem, Range<usize>) {
    let (found, expected) = (Some(shown), place.expected());
    let unexpected = |mistake| (DataProblem::Unexpected { found: found.clone(), expected, mistake }, token.clone());
    let own = |mistake, range: Range<usize>| (DataProblem::Mistake(mistake), range);
    let (Some(before), Some(rest)) = (text.get(..token.start), text.get(token.start..)) else {
        return unexpected(None);
    };
    let blanks = before.trim_end_matches([' ', '\t', '\r', '\n']);
    let last = blanks.chars().next_back();
    let adjacent = blanks.len() == before.len();
    let word = text.get(token.clone()).unwrap_or_default();
    let line_start = before.is_empty() || before.ends_with('\n');
    if line_start && ["<<<<<<<", "=======", ">>>>>>>"].iter().any(|marker| rest.starts_with(marker)) {
        return own(DataMistake::ConflictMarker, token.start..token.start + 7);
    }
    let opened = usize::from(adjacent && last == Some('{'));
    let whole = text.get(token.start - opened..).unwrap_or_default();
    if whole.starts_with("{{") || whole.starts_with("{%") {
        let line = whole.find('\n').map_or(whole, |end| &whole[..end]);
        let end = line.find("}}").or_else(|| line.find("%}")).map_or(line.len(), |end| end + 2);
        return own(DataMistake::Template, token.start - opened..token.start - opened + end);
    }
    if rest.starts_with("//") || rest.starts_with("/*") || rest.starts_with('#') {
        let line = rest.find('\n').map_or(rest, |end| &rest[..end]);
        let length = line.find("*/").map_or(line.trim_end().len(), |end| end + 2);
        return own(DataMistake::Comment(None), token.start..token.start + length);
    }
    if rest.starts_with(['\u{201c}', '\u{201d}', '\u{2018}', '\u{2019}', '`']) {
        return unexpected(Some(DataMistake::OtherQuotes));
    }
    if rest.starts_with('\u{a0}') {
        return own(DataMistake::Blank, token);
    }
    if rest.starts_with('\'') {
        return unexpected(Some(DataMistake::SingleQuotes));
    }
    let comma = blanks.len().saturating_sub(1)..blanks.len();
    let closes = rest.starts_with([']', '}']);
    match place {
        Place::Value | Place::Key if closes && last == Some(',') => own(DataMistake::TrailingComma, comma),
        Place::Value if last == Some(':') && (closes || rest.starts_with(',')) => {
            own(DataMistake::NoValue(':'), token.clone())
        }
        Place::Value | Place::Key if rest.starts_with(',') => own(DataMistake::ExtraComma, token.clone()),
        Place::Value if rest.starts_with([':', '=']) => unexpected(Some(DataMistake::Sign(':'))),
        Place::Value if closes => own(DataMistake::Unopened, token.clone()),
        Place::Value if blanks.is_empty() && text.get(token.end..).is_some_and(|t| t.trim_start().starts_with(':')) => {
            own(DataMistake::NoBraces, token.clone())
        }
        Place::Value => value(word, token.clone(), unexpected),
        Place::Key if rest.starts_with(':') => own(DataMistake::NoKey(':'), token.clone()),
        Place::Key if closes => own(DataMistake::WrongClosing('}'), token.clone()),
        Place::Key if rest.starts_with("...") => own(DataMistake::Expression, token.clone()),
        // `1,5`
        Place::Key
            if word.bytes().all(|b| b.is_ascii_digit())
                && last == Some(',')
                && adjacent
                && blanks.trim_end_matches(',').ends_with(|c: char| c.is_ascii_digit()) =>
        {
            (
                DataProblem::Unexpected {
                    found: Some(Name::new_static(",")),
                    expected: "a number with a point",
                    mistake: Some(DataMistake::DecimalComma),
                },
                comma,
            )
        }
        Place::Key => own(DataMistake::UnquotedKey, token.clone()),
        Place::Colon if rest.starts_with(['=', ',', ';', '-']) => unexpected(Some(DataMistake::Sign(':'))),
        Place::Colon => unexpected(Some(DataMistake::MissingSign(':'))),
        Place::Element | Place::Member => after(word, token.clone(), (last, adjacent), unexpected),
        Place::End => end(word, token.clone(), last, unexpected),
    }
}

/// The mistake of a word in place of a value.
fn value(
    word: &str,
    token: Range<usize>,
    unexpected: impl Fn(Option<DataMistake>) -> (DataProblem, Range<usize>),
) -> (DataProblem, Range<usize>) {
    match word {
        "True" | "TRUE" | "False" | "FALSE" => unexpected(Some(DataMistake::LowerCase)),
        "None" | "nil" | "undefined" | "Null" | "NULL" => unexpected(Some(DataMistake::Null)),
        "NaN" | "Infinity" | "inf" | "nan" => unexpected(Some(DataMistake::NotFinite)),
        _ if word.starts_with('.') => unexpected(Some(DataMistake::Point)),
        _ if word.starts_with('+') => unexpected(Some(DataMistake::PlusSign)),
        "const" | "let" | "var" | "local" | "return" | "export" | "module.exports" => {
            (DataProblem::Mistake(DataMistake::Expression), token)
        }
        _ if word.contains(['(', '$']) => (DataProblem::Mistake(DataMistake::Expression), token),
        _ => (DataProblem::Mistake(DataMistake::Unquoted), token),
    }
}

/// The mistake of a token after an element or a field.
fn after(
    word: &str,
    token: Range<usize>,
    (last, adjacent): (Option<char>, bool),
    unexpected: impl Fn(Option<DataMistake>) -> (DataProblem, Range<usize>),
) -> (DataProblem, Range<usize>) {
    match word.chars().next() {
        Some(';') => unexpected(Some(DataMistake::MissingComma)),
        Some(c) if last == Some('"') && adjacent && (c.is_alphanumeric() || c == '"') => {
            (DataProblem::Mistake(DataMistake::AfterString), token)
        }
        Some('+' | '-' | '*' | '/' | '%') if word.len() == 1 => (DataProblem::Mistake(DataMistake::Expression), token),
        // a bracket of the other kind is open
        Some(']') => (DataProblem::Mistake(DataMistake::WrongClosing('}')), token),
        Some('}') => (DataProblem::Mistake(DataMistake::WrongClosing(']')), token),
        Some(':') => unexpected(None),
        _ => unexpected(Some(DataMistake::MissingComma)),
    }
}

/// The mistake of a token after the value of the file.
fn end(
    word: &str,
    token: Range<usize>,
    last: Option<char>,
    unexpected: impl Fn(Option<DataMistake>) -> (DataProblem, Range<usize>),
) -> (DataProblem, Range<usize>) {
    let own = |mistake| (DataProblem::Mistake(mistake), token.clone());
    match word.chars().next() {
        Some(':' | '=') => own(DataMistake::NoBraces),
        Some(']' | '}') => own(DataMistake::Unopened),
        Some(';') => unexpected(Some(DataMistake::ExtraSign)),
        Some('+' | '-' | '*' | '/' | '(') => own(DataMistake::Expression),
        Some(',') if last != Some(',') => unexpected(Some(DataMistake::ExtraSign)),
        _ => own(DataMistake::SeveralValues),
    }
}

/// Returns the mistake in a text that begins like a number.
pub(super) fn number(text: &str) -> DataMistake {
    let digits = text.trim_start_matches('-');
    let hex = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X"));
    let underscores = digits.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'_' | b'.'));
    match hex.is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_hexdigit())) || underscores && digits.contains('_') {
        true => DataMistake::Notation,
        false => DataMistake::NumberText,
    }
}

/// Returns the problem of a text that begins like a number.
pub(super) fn wrong_number(mistake: DataMistake, text: &str) -> DataProblem {
    match mistake {
        DataMistake::LeadingZero | DataMistake::NumberText => DataProblem::Mistake(mistake),
        _ => {
            let shown = text.char_indices().nth(20).map_or(text, |(end, _)| &text[..end]);
            DataProblem::Unexpected { found: Some(Name::new(shown)), expected: "a number", mistake: Some(mistake) }
        }
    }
}

/// Returns whether a string that is open at a line end was meant to end with its line: no further quote follows, or the
/// next line begins with a key or a closing bracket. `O(lines up to the next quote)`.
pub(super) fn ends_with_line(rest: &str) -> bool {
    let next = rest.trim_start();
    let Some(inside) = next.strip_prefix('"') else { return next.starts_with(['}', ']']) || !rest.contains('"') };
    let line = inside.find('\n').map_or(inside, |end| &inside[..end]);
    line.find('"').is_some_and(|end| line.get(end + 1..).is_some_and(|after| after.trim_start().starts_with(':')))
}

/// Returns the length of another sign in place of the `:` after a key: `=`, `=>`, `->`, or a `,` that no key follows.
pub(super) fn other_sign(rest: &str) -> Option<usize> {
    let signs = ["=>", "->", "=", ";"].into_iter().find(|sign| rest.starts_with(sign)).map(str::len);
    let comma = rest.strip_prefix(',').is_some_and(|after| !after.trim_start().starts_with(['"', '}', ']', ',']));
    signs.or(comma.then_some(1))
}
