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
        let mut kind = found.unwrap_or(Kind::Error);
        let span = lexer.span();
        let mut end = span.end;
        let rest = text.get(end..).unwrap_or("");
        let closed = match kind {
            Kind::Comment => Some(0),
            Kind::Block => rest.find("*/").map(|at| at + 2),
            Kind::Double => quoted(rest, b'"'),
            Kind::Single => quoted(rest, b'\''),
            Kind::VerbatimDouble => verbatim(rest, b'"'),
            Kind::VerbatimSingle => verbatim(rest, b'\''),
            Kind::TextBlock => match block(rest) {
                Block::Closed(length) => Some(length),
                Block::Open => None,
                // the parser scans the block again, and reports it
                Block::Broken(length) => Some(length),
            },
            Kind::Error => {
                out.error(span.start, span.end);
                continue;
            }
            _ => Some(0),
        };
        match closed {
            Some(0) => {}
            Some(length) => {
                lexer.bump(length);
                end += length;
            }
            None => {
                out.unclosed = Some(Token::new(kind, span.start, span.end));
                lexer.bump(rest.len());
                end += rest.len();
            }
        }
        if kind == Kind::Block {
            kind = Kind::Comment;
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

/// Returns the number of bytes to the end of a string with escapes.
fn quoted(text: &str, quote: u8) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = 0;
    loop {
        at += bytes.get(at..)?.iter().position(|b| *b == quote || *b == b'\\')?;
        match bytes.get(at) {
            Some(b'\\') => {
                // the escaped character may have several bytes: the others are not ASCII, so they cannot end the string
                at += 2;
            }
            _ => return Some(at + 1),
        }
    }
}

/// Returns the number of bytes to the end of a verbatim string. A doubled quote in it represents one quote.
fn verbatim(text: &str, quote: u8) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = 0;
    loop {
        at += bytes.get(at..)?.iter().position(|b| *b == quote)?;
        if bytes.get(at + 1) != Some(&quote) {
            return Some(at + 1);
        }
        at += 2;
    }
}

/// The end of a text block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Block {
    /// The block is closed. Holds its length in bytes, including the final `|||`.
    Closed(usize),
    /// The text ends inside the block.
    Open,
    /// The block is malformed: text follows its `|||`, its first line is not indented, or a line has less indentation
    /// and is not the closing `|||`. Holds the length in bytes up to its presumed end.
    Broken(usize),
}

/// The text of a text block, or the reason why it is malformed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BlockText {
    /// The text without its indentation.
    Text(String),
    /// Text follows the opening `|||` on its line.
    NoNewLine,
    /// The first line is not indented.
    NotIndented,
    /// A line has less indentation than the first, and is not the closing `|||`.
    Outdented {
        /// The offset of the line from the end of the opening `|||`.
        line: usize,
        /// The number of spaces before the first line.
        expected: u32,
        /// The number of spaces before this line.
        found: u32,
    },
    /// The text ends inside the block.
    Open,
}

/// Finds the end of a text block whose opening is just before `text`.
fn block(text: &str) -> Block {
    let (what, length) = scan_block(text, None);
    match what {
        BlockEnd::Closed => Block::Closed(length),
        BlockEnd::Open => Block::Open,
        BlockEnd::NoNewLine | BlockEnd::NotIndented => {
            // the block is presumed to end at a later `|||`, or else at the end of this line
            let line = text.find('\n').unwrap_or(text.len());
            Block::Broken(match text.find("|||") {
                Some(at) => at + 3,
                None => line,
            })
        }
        BlockEnd::Outdented { line, .. } => Block::Broken(closing(text, line).unwrap_or_else(|| {
            // without one, the malformed line is part of the block, so that it can be reported
            text[line..].find('\n').map_or(text.len(), |end| line + end)
        })),
    }
}

enum BlockEnd {
    Closed,
    Open,
    NoNewLine,
    NotIndented,
    Outdented { line: usize, expected: u32, found: u32 },
}

/// Returns the end of the closing `|||`: the first one at the beginning of a line from `at` on.
fn closing(text: &str, at: usize) -> Option<usize> {
    let mut start = at;
    for line in text.get(at..)?.split_inclusive('\n') {
        let blank = line.len() - line.trim_start_matches([' ', '\t']).len();
        if line[blank..].starts_with("|||") {
            return Some(start + blank + 3);
        }
        start += line.len();
    }
    None
}

/// Returns the text of a block, given the text after its opening `|||`. `chomp` is `true` for `|||-`.
pub fn block_text(body: &str, chomp: bool) -> BlockText {
    let mut text = String::with_capacity(body.len());
    match scan_block(body, Some(&mut text)).0 {
        BlockEnd::Closed => {
            if chomp && text.ends_with('\n') {
                text.pop();
            }
            BlockText::Text(text)
        }
        BlockEnd::Open => BlockText::Open,
        BlockEnd::NoNewLine => BlockText::NoNewLine,
        BlockEnd::NotIndented => BlockText::NotIndented,
        BlockEnd::Outdented { line, expected, found } => BlockText::Outdented { line, expected, found },
    }
}

/// Reads a text block and appends its lines to `out`. Returns how it ends and its length in bytes.
fn scan_block(text: &str, mut out: Option<&mut String>) -> (BlockEnd, usize) {
    let blank = |c: char| matches!(c, ' ' | '\t' | '\r');
    let mut add = |line: &str| {
        if let Some(out) = out.as_deref_mut() {
            out.push_str(line);
        }
    };
    let line_end = |at: usize| text[at..].find('\n').map(|i| at + i + 1);
    let Some(mut at) = line_end(0) else {
        return (if text.trim_matches(blank).is_empty() { BlockEnd::Open } else { BlockEnd::NoNewLine }, text.len());
    };
    if !text[..at - 1].trim_matches(blank).is_empty() {
        return (BlockEnd::NoNewLine, at);
    }
    // blank lines before the first indented line
    while text[at..].starts_with('\n') {
        add("\n");
        at += 1;
    }
    let indent = &text[at..];
    let indent = &indent[..indent.len() - indent.trim_start_matches([' ', '\t']).len()];
    if indent.is_empty() {
        return (if at == text.len() { BlockEnd::Open } else { BlockEnd::NotIndented }, at);
    }
    loop {
        let line = &text[at..];
        if let Some(line) = line.strip_prefix(indent) {
            let Some(end) = line_end(at) else { return (BlockEnd::Open, text.len()) };
            add(&line[..end - at - indent.len()]);
            at = end;
        } else if line.starts_with('\n') {
            add("\n");
            at += 1;
        } else {
            let rest = line.trim_start_matches([' ', '\t']);
            return match rest {
                _ if rest.starts_with("|||") => (BlockEnd::Closed, text.len() - rest.len() + 3),
                "" | "|" | "||" => (BlockEnd::Open, text.len()),
                _ => {
                    let (expected, found) = (indent.len() as u32, (line.len() - rest.len()) as u32);
                    (BlockEnd::Outdented { line: at, expected, found }, at)
                }
            };
        }
    }
}
