//! Strings and numbers.

use super::Parser;
use crate::dialect::jsonnet::lexer::{BlockText, block_text};
use crate::dialect::jsonnet::problem::JsonnetProblem;
use crate::dialect::jsonnet::token::{Kind, Token};
use crate::dialect::jsonnet::tree::{Expr, Id, Spanned};
use crate::text::{Name, Span};

impl Parser<'_> {
    /// Parses a string of any kind.
    pub(super) fn string(&mut self) -> Spanned {
        let token = self.bump();
        let span = self.span_of(token);
        let text = self.slice(token);
        let name = match token.kind {
            Kind::Double => self.unescaped(token, text.strip_suffix('"').filter(|t| !t.is_empty()).unwrap_or(text)),
            Kind::Single => self.unescaped(token, text.strip_suffix('\'').filter(|t| !t.is_empty()).unwrap_or(text)),
            Kind::VerbatimDouble => verbatim(text, '"', "\"\""),
            Kind::VerbatimSingle => verbatim(text, '\'', "''"),
            _ => self.block(token, text),
        };
        Spanned { name, span }
    }

    /// Replaces the escapes in the text of a string, which includes its opening quote.
    fn unescaped(&mut self, token: Token, text: &str) -> Name {
        let Some(text) = text.get(1..) else { return Name::new_static("") };
        let Some(first) = text.find('\\') else { return Name::new(text) };
        let mut out = String::with_capacity(text.len());
        out.push_str(&text[..first]);
        let mut at = first;
        while let Some(rest) = text.get(at..).filter(|r| !r.is_empty()) {
            let plain = rest.find('\\').unwrap_or(rest.len());
            if plain > 0 {
                out.push_str(&rest[..plain]);
                at += plain;
                continue;
            }
            let (c, length) = escape(rest);
            match c {
                Some(c) => out.push(c),
                // at the end of the input, the report of the unclosed string is enough
                None if length > 1 => {
                    let start = token.start + 1 + at as u32;
                    let span = Span { source: self.source, start, end: start + length as u32 };
                    self.fault(span, JsonnetProblem::Escape(Name::new(&rest[..length])));
                }
                None => {}
            }
            at += length;
        }
        Name::new(out)
    }

    fn block(&mut self, token: Token, text: &str) -> Name {
        let chomp = text.starts_with("|||-");
        let opening = if chomp { 4 } else { 3 };
        let at = |start: usize, end: usize| Span {
            source: self.source,
            start: token.start + start as u32,
            end: token.start + end as u32,
        };
        let (span, what) = match block_text(text.get(opening..).unwrap_or(""), chomp) {
            BlockText::Text(text) => return Name::new(text),
            BlockText::NoNewLine => (at(0, opening), JsonnetProblem::BlockNewLine),
            BlockText::NotIndented => (at(0, opening), JsonnetProblem::BlockNotIndented),
            BlockText::Outdented { line, expected, found } => {
                let start = opening + line;
                let end = text[start..].find('\n').map_or(text.len(), |n| start + n);
                let closed = text.get(end..).is_some_and(|rest| rest.contains("|||"));
                let line = text[start..end].trim_start_matches([' ', '\t']);
                let bars = line.len() - line.trim_start_matches('|').len();
                if bars > 0 {
                    // `||` closes the block, and what follows it on the line is not parsed
                    let begins = end - line.len();
                    (at(begins, begins + bars), JsonnetProblem::BlockBars(at(0, opening)))
                } else {
                    (
                        at(start, end),
                        JsonnetProblem::BlockOutdented { opening: at(0, opening), closed, expected, found },
                    )
                }
            }
            BlockText::Open => return Name::new_static(""),
        };
        if let JsonnetProblem::BlockBars(_) = what {
            self.take_for_reported(self.at);
        }
        self.fault(span, what);
        Name::new_static("")
    }

    /// Parses a date without quotes, `2024-01-01T00:00`, and reports it. `None` if the next tokens are an expression, such as
    /// `2024-10-12`.
    pub(super) fn date(&mut self) -> Option<Id> {
        let start = self.token.start as usize;
        let length = date(self.text.get(start..)?)?;
        let text = self.text.get(start..start + length)?;
        while (self.token.start as usize) < start + length && !self.is_at_end() {
            self.bump();
        }
        let span = Span { source: self.source, start: start as u32, end: (start + length) as u32 };
        self.fault(span, JsonnetProblem::Date(Name::new(text)));
        Some(self.tree.add(Expr::Hole, span))
    }

    /// Returns the value of a number token. It is infinite if the number is too large.
    pub(super) fn number(&mut self, token: Token) -> f64 {
        let text = self.slice(token);
        let digits =
            |part: &str| !part.is_empty() && !part.starts_with('_') && !part.ends_with('_') && !part.contains("__");
        let whole = text.split(['.', 'e', 'E']).next().unwrap_or("");
        let parts = text.split(['.', 'e', 'E', '+', '-']).filter(|p| !p.is_empty()).all(digits);
        let zero = whole.len() > 1 && whole.starts_with('0');
        let cut = self.cut_short(token);
        if !parts || zero || cut.is_some() {
            let end = cut.unwrap_or(token.end);
            let span = Span { source: self.source, start: token.start, end };
            let written = self.text.get(token.start as usize..end as usize).unwrap_or("");
            self.fault(span, JsonnetProblem::Number(Name::new(written)));
            self.take_for_reported(self.at + usize::from(cut.is_some()));
        }
        match text.contains('_') {
            true => text.replace('_', "").parse().unwrap_or(0.0),
            false => text.parse().unwrap_or(0.0),
        }
    }

    /// Returns the end of a malformed number: `1.`, `1e`, `1x`.
    fn cut_short(&self, token: Token) -> Option<u32> {
        let next = self.peek(1);
        if next.start != token.end {
            return None;
        }
        match next.kind {
            Kind::Dot if !self.slice(token).contains(['.', 'e', 'E']) => Some(next.end),
            Kind::Ident => Some(next.end),
            _ => None,
        }
    }
}

/// Returns the length of the date that a text begins with, in bytes. `None` if there is none, or if it is an expression.
fn date(text: &str) -> Option<usize> {
    let shape = text.as_bytes().get(..10)?;
    let is_date =
        shape.iter().zip(b"0000-00-00").all(|(c, like)| if *like == b'0' { c.is_ascii_digit() } else { c == like });
    let rest = text.get(10..).filter(|_| is_date)?;
    let is_clock =
        |time: &&str| matches!(time.as_bytes(), [a, b, b':', ..] if a.is_ascii_digit() && b.is_ascii_digit());
    let time = rest.strip_prefix(['T', ' ']).filter(is_clock);
    let length = match time {
        Some(time) => {
            let sign = |c: char| c.is_ascii_digit() || matches!(c, ':' | '.' | '+' | '-' | 'Z');
            let time = time.find(|c| !sign(c)).and_then(|end| time.get(..end)).unwrap_or(time);
            11 + time.trim_end_matches([':', '.', '+', '-']).len()
        }
        None => 10,
    };
    let ends = !text.get(length..)?.starts_with(|c: char| c.is_alphanumeric() || c == '_');
    let has_zeros = shape.get(5) == Some(&b'0') || shape.get(8) == Some(&b'0');
    (ends && (has_zeros || time.is_some())).then_some(length)
}

fn verbatim(text: &str, quote: char, doubled: &str) -> Name {
    let text = text.get(2..).unwrap_or("");
    let text = text.strip_suffix(quote).unwrap_or(text);
    match text.contains(quote) {
        true => Name::new(text.replace(doubled, &doubled[..1])),
        false => Name::new(text),
    }
}

/// Returns the character of the escape sequence at the beginning of a text, and the length of the sequence in bytes.
fn escape(text: &str) -> (Option<char>, usize) {
    let Some(c) = text.get(1..).and_then(|t| t.chars().next()) else { return (None, 1) };
    let simple = match c {
        '"' | '\'' | '\\' | '/' => c,
        'b' => '\u{8}',
        'f' => '\u{c}',
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        'u' => return unicode(text),
        _ => return (None, 1 + c.len_utf8()),
    };
    (Some(simple), 2)
}

/// Decodes `\u1234`, or two of them that form a surrogate pair.
fn unicode(text: &str) -> (Option<char>, usize) {
    let unit = |at: usize| {
        let digits = text.get(at..at + 4).filter(|d| d.bytes().all(|b| b.is_ascii_hexdigit()))?;
        u32::from_str_radix(digits, 16).ok()
    };
    let Some(first) = unit(2) else {
        let digits = text.bytes().skip(2).take(4).take_while(u8::is_ascii_hexdigit).count();
        return (None, 2 + digits);
    };
    if let Some(c) = char::from_u32(first) {
        return (Some(c), 6);
    }
    let second = text.get(6..8).filter(|t| *t == "\\u").and_then(|_| unit(8));
    match (first, second) {
        (0xD800..0xDC00, Some(low @ 0xDC00..0xE000)) => {
            (char::from_u32(0x10000 + ((first - 0xD800) << 10) + (low - 0xDC00)), 12)
        }
        _ => (None, 6),
    }
}
