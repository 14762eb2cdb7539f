//! Patterns.

use super::Parser;
use crate::dialect::cfg::token::Kind;
use crate::dialect::cfg::tree::{Expr, FieldPattern, PId, Pattern, Rest, Spanned};
use crate::term::Number;

impl Parser<'_> {
    /// Parses any pattern: with an alias, alternatives and variants.
    pub(super) fn pattern(&mut self) -> PId {
        self.deeper(|p| p.pattern_here(true), Self::any)
    }

    /// Parses a parameter of a function, or the argument of a variant. Alternatives and variants need parentheses.
    pub(super) fn parameter(&mut self) -> PId {
        self.deeper(|p| p.pattern_here(false), Self::any)
    }

    fn any(&mut self) -> PId {
        let span = self.here().at_start();
        self.tree.add_pattern(Pattern::Any, span)
    }

    fn pattern_here(&mut self, whole: bool) -> PId {
        let start = self.token.start;
        if self.kind().is_name() && self.peek(1).kind == Kind::At {
            let token = self.bump();
            let alias = Spanned { name: self.name_of(token), span: self.span_of(token) };
            self.bump();
            let inner = self.deeper(|p| p.pattern_here(whole), Self::any);
            let span = self.since(start);
            return self.tree.add_pattern(Pattern::As(alias, inner), span);
        }
        let first = self.single_pattern(whole);
        if !whole || !self.at_or() {
            return first;
        }
        let mut alternatives = vec![first];
        while self.at_or() {
            self.bump();
            let named = self.kind().is_name() && self.peek(1).kind == Kind::At;
            alternatives.push(if named { self.parameter() } else { self.single_pattern(true) });
        }
        let span = self.since(start);
        self.tree.add_pattern(Pattern::Or(alternatives.into()), span)
    }

    /// Returns `true` at an `or` that is followed by an alternative. Elsewhere `or` is a name.
    fn at_or(&self) -> bool {
        self.kind() == Kind::Or && self.peek(1).kind.starts_pattern()
    }

    /// Parses a pattern without alias and alternatives.
    fn single_pattern(&mut self, whole: bool) -> PId {
        let start = self.token.start;
        let pattern = match self.kind() {
            Kind::Underscore => {
                self.bump();
                Pattern::Any
            }
            Kind::Cursor => {
                self.bump();
                Pattern::Any
            }
            Kind::Null | Kind::True | Kind::False => {
                let token = self.bump();
                let span = self.span_of(token);
                let expr = match token.kind {
                    Kind::Null => Expr::Null,
                    kind => Expr::Bool(kind == Kind::True),
                };
                Pattern::Const(self.tree.add(expr, span))
            }
            Kind::Minus | Kind::Decimal | Kind::Hex | Kind::Octal | Kind::Binary => {
                let number = self.signed_number();
                let span = self.since(start);
                Pattern::Const(self.tree.add(Expr::Number(number), span))
            }
            Kind::StrOpen => {
                let text = self.static_string();
                Pattern::Const(self.tree.add(Expr::Str(text.name), text.span))
            }
            Kind::Tag | Kind::TagStrOpen => match self.tag_name() {
                Some(tag) if whole && self.kind().starts_pattern() && !self.at_or() => {
                    let inner = self.parameter();
                    Pattern::Variant(tag.name, inner)
                }
                Some(tag) => Pattern::Tag(tag.name),
                None => Pattern::Any,
            },
            Kind::LBrace => return self.record_pattern(),
            Kind::LBracket => return self.array_pattern(),
            Kind::LParen => {
                let opening = self.open();
                let inner = self.pattern();
                self.close(opening, Kind::RParen, &["`)`"]);
                return inner;
            }
            kind if kind.is_name() => {
                let token = self.bump();
                Pattern::Bind(self.name_of(token))
            }
            _ => {
                self.unexpected(&["a pattern"]);
                return self.any();
            }
        };
        let span = self.since(start);
        self.tree.add_pattern(pattern, span)
    }

    /// Parses `1` or `-1`. Returns zero if there is no number.
    pub(super) fn signed_number(&mut self) -> Number {
        let negative = self.eat(Kind::Minus);
        if !matches!(self.kind(), Kind::Decimal | Kind::Hex | Kind::Octal | Kind::Binary) {
            self.unexpected(&["a number"]);
            return Number::ZERO;
        }
        let number = self.number();
        self.bump();
        if negative { number.neg() } else { number }
    }

    fn rest(&mut self) -> Rest {
        self.bump();
        if !self.kind().is_name() {
            return Rest::Open;
        }
        let token = self.bump();
        Rest::Bind(Spanned { name: self.name_of(token), span: self.span_of(token) })
    }

    fn record_pattern(&mut self) -> PId {
        let opening = self.open();
        let mut fields = Vec::new();
        let mut rest = Rest::Closed;
        while !matches!(self.kind(), Kind::RBrace | Kind::Eof) && !self.closes_outer(Kind::RBrace) {
            let before = self.at;
            match self.kind() {
                Kind::Ellipsis => rest = self.rest(),
                kind if kind.is_field_name() || kind == Kind::StrOpen => fields.push(self.field_pattern()),
                Kind::Cursor => drop(self.bump()),
                _ => self.unexpected(&["a field name", "`..`", "`}`"]),
            }
            if !self.separated(before, Kind::RBrace, &["`,`", "`}`"]) {
                break;
            }
        }
        self.close(opening, Kind::RBrace, &["`,`", "`}`"]);
        let span = self.since(opening.start);
        self.tree.add_pattern(Pattern::Record(fields.into(), rest), span)
    }

    fn field_pattern(&mut self) -> FieldPattern {
        let token = self.token;
        let name = if token.kind == Kind::StrOpen {
            self.static_string()
        } else {
            self.bump();
            Spanned { name: self.name_of(token), span: self.span_of(token) }
        };
        let mut metas = self.metas();
        let default = self.eat(Kind::Question).then(|| self.term());
        if metas.is_empty() {
            metas = self.metas();
        }
        let pattern = if self.eat(Kind::Equals) {
            self.pattern()
        } else if token.kind.is_name() {
            self.tree.add_pattern(Pattern::Bind(name.name.clone()), name.span)
        } else {
            self.unexpected(&["`=`"]);
            self.any()
        };
        FieldPattern { name, metas, default, pattern }
    }

    fn array_pattern(&mut self) -> PId {
        let opening = self.open();
        let mut items = Vec::new();
        let mut rest = Rest::Closed;
        while !matches!(self.kind(), Kind::RBracket | Kind::Eof) && !self.closes_outer(Kind::RBracket) {
            let before = self.at;
            match self.kind() {
                Kind::Ellipsis => rest = self.rest(),
                _ => items.push(self.pattern()),
            }
            if !self.separated(before, Kind::RBracket, &["`,`", "`]`"]) {
                break;
            }
        }
        self.close(opening, Kind::RBracket, &["`,`", "`]`"]);
        let span = self.since(opening.start);
        self.tree.add_pattern(Pattern::Array(items.into(), rest), span)
    }
}
