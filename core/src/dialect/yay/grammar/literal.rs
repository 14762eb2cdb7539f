//! Names, numbers, strings, lists and dictionaries in expressions.

use super::Parser;
use crate::dialect::yay::problem::YayProblem;
use crate::dialect::yay::token::{Kind, Token};
use crate::dialect::yay::tree::{Expr, Id};
use crate::number::Number;
use crate::problem::syntax::SyntaxKind;
use crate::text::{Name, Span};
use crate::value::eval::converting::of_text;
use num_bigint::BigInt;

impl Parser<'_> {
    /// Parses an operand without its suffixes.
    pub(super) fn atom(&mut self) -> Id {
        let token = self.token;
        let start = token.start;
        let expr = match self.kind() {
            Kind::Cursor => {
                self.bump();
                Expr::Cursor
            }
            Kind::Ident if self.is_prefixed() => {
                let raw = self.slice(token).contains(['r', 'R']);
                self.bump();
                self.string(raw)
            }
            Kind::Ident | Kind::Result => {
                self.bump();
                Expr::Name(self.name_of(token))
            }
            Kind::Number => {
                self.bump();
                Expr::Number(self.number(token))
            }
            Kind::Double | Kind::Single => self.string(false),
            Kind::LParen => {
                let open = self.open();
                let expr = if self.kind() == Kind::RParen {
                    Expr::List(Box::new([]))
                } else {
                    let inner = self.expressions();
                    match self.kind() {
                        Kind::For => Expr::Paren(self.comprehension(inner)),
                        _ => Expr::Paren(inner),
                    }
                };
                self.close_inside(open, Kind::RParen, &["an operator", "`)`"]);
                expr
            }
            Kind::LBracket => {
                let open = self.open();
                let expr = self.list();
                self.close_inside(open, Kind::RBracket, &["`,`", "`]`"]);
                expr
            }
            Kind::LBrace => {
                let open = self.open();
                let expr = self.braces();
                self.close(open, Kind::RBrace, &["`,`", "`}`"]);
                expr
            }
            Kind::Error if self.slice(token).starts_with(['"', '\'']) => {
                let close = if self.slice(token).starts_with('"') { "\"" } else { "'" };
                let span = self.span_of(token);
                let problem = YayProblem::Open { what: "string", close, end: Span { start: span.end, ..span } };
                self.fault(Span { end: span.start + 1, ..span }, problem);
                self.bump();
                self.take_for_reported(self.at);
                return self.hole();
            }
            _ => {
                self.unexpected(&["an expression"]);
                let stops =
                    matches!(self.kind(), Kind::Newline | Kind::Indent | Kind::Dedent | Kind::Close | Kind::Colon);
                if !stops && !self.is_at_end() && crate::dialect::parser::TokenKind::closes(self.kind()).is_none() {
                    self.bump();
                }
                return self.hole();
            }
        };
        let span = self.since(start);
        self.tree.add(expr, span)
    }

    fn list(&mut self) -> Expr {
        let mut items = Vec::new();
        while !matches!(self.kind(), Kind::RBracket | Kind::Eof) {
            let before = self.at;
            let item = self.term();
            if self.kind() == Kind::For && items.is_empty() {
                let clauses = self.clauses();
                return Expr::ListComp(item, clauses.into());
            }
            items.push(item);
            if !self.eat(Kind::Comma) || self.at == before {
                break;
            }
        }
        Expr::List(items.into())
    }

    /// Parses the inside of `{a: b}`, `{k: e for x in xs}` or `{a, b}`, which is a list.
    fn braces(&mut self) -> Expr {
        let (mut pairs, mut items) = (Vec::new(), Vec::new());
        while !matches!(self.kind(), Kind::RBrace | Kind::Eof) {
            let before = self.at;
            let key = self.term();
            if self.eat(Kind::Colon) {
                let value = self.term();
                if self.kind() == Kind::For && pairs.is_empty() {
                    let clauses = self.clauses();
                    return Expr::DictComp(Box::new((key, value)), clauses.into());
                }
                pairs.push((key, value));
            } else if self.kind() == Kind::For && items.is_empty() {
                let clauses = self.clauses();
                return Expr::ListComp(key, clauses.into());
            } else {
                items.push(key);
            }
            if !self.eat(Kind::Comma) || self.at == before {
                break;
            }
        }
        if !items.is_empty() && !pairs.is_empty() {
            self.unexpected(&["`:`"]);
        }
        if items.is_empty() { Expr::Dict(pairs.into()) } else { Expr::List(items.into()) }
    }

    fn number(&mut self, token: Token) -> Number {
        let text = self.slice(token);
        let radix = |digits: &str, base| BigInt::parse_bytes(digits.as_bytes(), base).map(Number::integer);
        let found = match text.get(..2).map(str::to_ascii_lowercase).as_deref() {
            Some("0x") => radix(&text[2..], 16),
            Some("0o") => radix(&text[2..], 8),
            Some("0b") => radix(&text[2..], 2),
            _ => of_text(text),
        };
        found.unwrap_or_else(|| {
            let span = self.span_of(token);
            self.fault(span, SyntaxKind::NumberTooLarge);
            Number::ZERO
        })
    }

    /// Returns `true` if the next token is the prefix of a string: `u"…"`, `r"…"`.
    fn is_prefixed(&self) -> bool {
        let next = self.peek(1);
        let prefix = matches!(self.slice(self.token), "u" | "U" | "r" | "R" | "ur" | "uR" | "Ur" | "UR");
        prefix && next.kind.is_string() && next.start == self.token.end
    }

    fn string(&mut self, raw: bool) -> Expr {
        let token = self.bump();
        let text = self.slice(token);
        let quote = text.get(..1).unwrap_or("\"");
        let triple = quote.repeat(3);
        let fence = if text.len() >= 6 && text.starts_with(triple.as_str()) { 3 } else { 1 };
        let inner = text.get(fence..text.len().saturating_sub(fence).max(fence)).unwrap_or("");
        Expr::Str(if raw || !inner.contains('\\') { Name::new(inner) } else { Name::from(unescaped(inner)) })
    }
}

/// Replaces the escapes of a string. Unknown escapes stay as they are written.
fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let Some(c) = rest.chars().next() else {
            out.push('\\');
            break;
        };
        let code = |digits: usize| {
            let hex = rest.get(1..1 + digits)?;
            char::from_u32(u32::from_str_radix(hex, 16).ok()?)
        };
        let (found, length) = match c {
            'n' => (Some('\n'), 1),
            't' => (Some('\t'), 1),
            'r' => (Some('\r'), 1),
            'a' => (Some('\u{7}'), 1),
            'b' => (Some('\u{8}'), 1),
            'f' => (Some('\u{c}'), 1),
            'v' => (Some('\u{b}'), 1),
            '\\' | '\'' | '"' => (Some(c), 1),
            '\n' => (None, 1),
            'x' => (code(2), 3),
            'u' => (code(4), 5),
            'U' => (code(8), 9),
            '0'..='7' => {
                let digits = rest.bytes().take(3).take_while(|b| (b'0'..=b'7').contains(b)).count();
                (u32::from_str_radix(&rest[..digits], 8).ok().and_then(char::from_u32), digits)
            }
            _ => (None, 0),
        };
        match found {
            Some(c) => out.push(c),
            None if c == '\n' => {}
            None => {
                out.push('\\');
                continue;
            }
        }
        rest = rest.get(length..).unwrap_or("");
    }
    out.push_str(rest);
    out
}
