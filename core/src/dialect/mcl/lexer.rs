//! The lexer: total on any text.

use super::token::{Kind, Token};
use crate::dialect::{Stop, parser};
use logos::Logos;

/// The tokens of a text.
pub type Lexed = parser::Lexed<Kind>;

/// Splits a text into tokens, or its beginning if the lexer is stopped. `O(length)`. Reads at most the first 4 GiB.
pub fn lex(text: &str, stop: Stop<'_>) -> Lexed {
    let mut out = Lexed::with_room(text.len());
    let mut lexer = Kind::lexer(text);
    while !stop.is_asked() {
        let Some(found) = lexer.next() else { break };
        let kind = found.unwrap_or(Kind::Error);
        let span = lexer.span();
        let mut end = span.end;
        if kind == Kind::Error {
            out.error(span.start, span.end);
            continue;
        }
        if kind == Kind::Str {
            let rest = text.get(end..).unwrap_or("");
            let length = quoted(rest);
            if length.is_none() {
                out.unclosed = Some(Token::new(kind, span.start, span.end));
            }
            let length = length.unwrap_or(rest.len());
            lexer.bump(length);
            end += length;
        }
        let token = Token::new(kind, span.start, end);
        if kind == Kind::Comment {
            out.comments.push(token);
        } else {
            out.tokens.push(token);
        }
    }
    out.end(text)
}

/// Returns the number of bytes to the end of a string, its closing quote included.
fn quoted(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = 0;
    loop {
        at += bytes.get(at..)?.iter().position(|b| *b == b'"' || *b == b'\\')?;
        match bytes.get(at) {
            Some(b'\\') => at += 2,
            _ => return Some(at + 1),
        }
    }
}
