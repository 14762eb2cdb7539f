//! Splits a template into text and actions, and actions into tokens.

use super::super::super::go_strconv;
use super::ParseError;

/// Maximum number of characters of the template that a message quotes.
const MAX_QUOTED: usize = 10;

/// A token, and whether a space precedes it.
#[derive(Clone)]
pub(super) struct SpacedToken {
    pub(super) token: Token,
    pub(super) after_space: bool,
}

/// Text between actions, or the tokens of an action.
pub(super) enum Piece {
    Text(String),
    Action { tokens: Vec<SpacedToken>, line: usize },
}

/// A token of an action.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Token {
    Name(String),
    /// `.a`
    Field(String),
    /// `.`
    Dot,
    Variable(String),
    Literal(String),
    Number(Number),
    /// `:=`
    Declare,
    /// `|`, `,`, `(`, `)` or `=`.
    Sign(char),
}

/// A number literal.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Number {
    Int(i64),
    Float(f64),
}

fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\r' | '\n')
}

/// Splits a text into pieces.
///
/// # Errors
///
/// A comment, an action or a literal has no end, or an action contains what is not a token.
pub(super) fn pieces(text: &str) -> Result<Vec<Piece>, ParseError> {
    let mut out = Vec::new();
    let mut position = 0;
    let mut trims = false;
    let mut line = 1;
    let mut counted_to = 0;
    while let Some(open) = text[position..].find("{{").map(|at| position + at) {
        line += text[counted_to..open].matches('\n').count();
        counted_to = open;
        let fail = |message: &str| ParseError { line, message: String::from(message) };
        let mut start = open + 2;
        let trims_left = text[start..].starts_with('-') && text[start + 1..].starts_with(is_space);
        if trims_left {
            start += 2;
        }
        let before = &text[position..open];
        let before = if trims { before.trim_start_matches(is_space) } else { before };
        let before = if trims_left { before.trim_end_matches(is_space) } else { before };
        if !before.is_empty() {
            out.push(Piece::Text(String::from(before)));
        }
        let (trims_right, after) = if text[start..].starts_with("/*") {
            let end = text[start..]
                .find("*/")
                .map(|at| start + at + 2)
                .ok_or_else(|| fail("expected `*/` at the end of a comment"))?;
            closing(text, end).ok_or_else(|| fail("expected `}}` after a comment"))?
        } else {
            let (tokens, end) = tokens(text, start).map_err(|message| ParseError { line, message })?;
            out.push(Piece::Action { tokens, line });
            closing(text, end).ok_or_else(|| fail("expected `}}` at the end of an action"))?
        };
        trims = trims_right;
        position = after;
    }
    let last = &text[position..];
    let last = if trims { last.trim_start_matches(is_space) } else { last };
    if !last.is_empty() {
        out.push(Piece::Text(String::from(last)));
    }
    Ok(out)
}

/// Reads the end of an action, `}}` or ` -}}`. Returns whether it trims the text after it, and the offset of that
/// text. `None` if the action does not end at `at`.
fn closing(text: &str, at: usize) -> Option<(bool, usize)> {
    let rest = &text[at..];
    let trimmed = rest.trim_start_matches(is_space);
    let spaces = rest.len() - trimmed.len();
    if trimmed.starts_with("-}}") && spaces > 0 {
        return Some((true, at + spaces + 3));
    }
    trimmed.starts_with("}}").then_some((false, at + spaces + 2))
}

/// Reads the tokens of an action. The first one counts as preceded by a space. Returns them and the offset of the
/// action's end.
fn tokens(text: &str, start: usize) -> Result<(Vec<SpacedToken>, usize), String> {
    let mut out = Vec::new();
    let mut at = start;
    loop {
        let rest = &text[at..];
        if closing(text, at).is_some() {
            return Ok((out, at));
        }
        let Some(first) = rest.chars().next() else {
            return Err(String::from("expected `}}` at the end of an action"));
        };
        if is_space(first) {
            at += 1;
            continue;
        }
        let after_space = text[start..at].ends_with(is_space) || at == start;
        let word = |from: usize| {
            let is_inside = |c: char| c.is_alphanumeric() || c == '_';
            rest[from..].find(|c: char| !is_inside(c)).map_or(rest.len(), |end| from + end)
        };
        let (token, length) = match first {
            '"' | '`' | '\'' => {
                let (length, value) =
                    go_strconv::literal(rest).ok_or("a literal has no closing quote, or an unknown escape")?;
                match (first, value.chars().next()) {
                    ('\'', Some(c)) => (Token::Number(Number::Int(i64::from(u32::from(c)))), length),
                    _ => (Token::Literal(value), length),
                }
            }
            '$' => (Token::Variable(String::from(&rest[1..word(1)])), word(1)),
            '.' if rest[1..].starts_with(|c: char| c.is_alphabetic() || c == '_') => {
                (Token::Field(String::from(&rest[1..word(1)])), word(1))
            }
            '.' if !rest[1..].starts_with(|c: char| c.is_ascii_digit()) => (Token::Dot, 1),
            ':' if rest.starts_with(":=") => (Token::Declare, 2),
            '|' | ',' | '(' | ')' | '=' => (Token::Sign(first), 1),
            '+' | '-' | '.' | '0'..='9' => {
                let (number, length) = number(rest).ok_or_else(|| format!("invalid number `{}`", beginning(rest)))?;
                (Token::Number(number), length)
            }
            c if c.is_alphabetic() || c == '_' => (Token::Name(String::from(&rest[..word(0)])), word(0)),
            c => return Err(format!("unexpected character `{c}`")),
        };
        out.push(SpacedToken { token, after_space });
        at += length;
    }
}

/// Returns the beginning of a text, for a message.
fn beginning(text: &str) -> String {
    text.chars().take(MAX_QUOTED).take_while(|c| !c.is_whitespace()).collect()
}

/// Reads a number literal of Go. Returns it with its length in bytes. `None` if it is not a number, or out of range.
fn number(text: &str) -> Option<(Number, usize)> {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let sign = text.len() - unsigned.len();
    let mut end = 0;
    for (at, c) in unsigned.char_indices() {
        let is_exponent_sign =
            matches!(c, '+' | '-') && unsigned[..at].ends_with(['e', 'E']) && !unsigned.starts_with("0x");
        if !(c.is_ascii_alphanumeric() || matches!(c, '.' | '_') || is_exponent_sign) {
            break;
        }
        end = at + 1;
    }
    let digits = unsigned[..end].replace('_', "");
    let negative = text.starts_with('-');
    let parse_radix = |prefixes: [&str; 2], radix| {
        let digits = digits.strip_prefix(prefixes[0]).or_else(|| digits.strip_prefix(prefixes[1]))?;
        i64::from_str_radix(digits, radix).ok()
    };
    let whole = parse_radix(["0x", "0X"], 16)
        .or_else(|| parse_radix(["0b", "0B"], 2))
        .or_else(|| parse_radix(["0o", "0O"], 8))
        .or_else(|| {
            let is_octal = digits.len() > 1 && digits.starts_with('0');
            let is_number = digits.bytes().all(|b| b.is_ascii_digit());
            i64::from_str_radix(&digits, if is_octal { 8 } else { 10 }).ok().filter(|_| is_number)
        });
    let number = match whole {
        Some(i) => Number::Int(if negative { i.checked_neg()? } else { i }),
        None => {
            let is_float = digits.starts_with(|c: char| c.is_ascii_digit() || c == '.');
            let value: f64 = digits.parse().ok().filter(|value: &f64| is_float && value.is_finite())?;
            Number::Float(if negative { -value } else { value })
        }
    };
    Some((number, sign + end))
}
