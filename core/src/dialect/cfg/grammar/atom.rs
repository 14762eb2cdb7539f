//! Parses atoms, which are expressions that need no parentheses as arguments; field accesses after an atom; and the arms of `match`.

use super::{Parser, expr::section};
use crate::dialect::cfg::token::Kind;
use crate::dialect::cfg::tree::{Arm, Expr, Id, Spanned};
use crate::dialect::parser::TokenKind;
use crate::text::Name;

impl Parser<'_> {
    /// Parses an atom and its field accesses.
    pub(super) fn atom(&mut self) -> Id {
        let start = self.token.start;
        let mut atom = self.simple_atom();
        while self.kind() == Kind::Dot {
            self.bump();
            let expr = if self.kind().opens_string() {
                let name = self.string();
                match self.tree.expr(name) {
                    Expr::Str(text) => {
                        let name = Spanned { name: text.clone(), span: self.tree.span(name) };
                        Expr::Dot(atom, Box::new(name))
                    }
                    _ => Expr::DotDynamic(atom, name),
                }
            } else if self.kind() == Kind::Cursor {
                let at = self.bump();
                let span = self.span_of(at);
                let cursor = self.tree.add(Expr::Cursor, span);
                Expr::DotDynamic(atom, cursor)
            } else {
                Expr::Dot(atom, Box::new(self.field_name()))
            };
            let span = self.since(start);
            atom = self.tree.add(expr, span);
        }
        atom
    }

    /// Parses the name of a field after a dot. Returns an empty name if there is none.
    fn field_name(&mut self) -> Spanned {
        if self.kind().is_field_name() {
            let token = self.bump();
            return Spanned { name: self.name_of(token), span: self.span_of(token) };
        }
        self.unexpected(&["a field name"]);
        let span = self.here().at_start();
        if self.kind().is_reserved() && span.start == self.last_end() {
            self.bump();
        }
        Spanned { name: Name::new_static(""), span }
    }

    fn simple_atom(&mut self) -> Id {
        let token = self.token;
        let leaf = match token.kind {
            Kind::Ident | Kind::Or | Kind::As | Kind::Include | Kind::Result => Expr::Name(self.name_of(token)),
            Kind::Decimal | Kind::Hex | Kind::Octal | Kind::Binary => Expr::Number(self.number()),
            Kind::StrOpen | Kind::MultiOpen | Kind::SymbolicOpen => return self.string(),
            Kind::LBrace => return self.braces(),
            Kind::LParen => return self.parentheses(),
            Kind::LBracket => return self.array(),
            Kind::EnumOpen => return self.enum_type(),
            Kind::Tag => Expr::Tag(Name::new(self.slice(token).get(1..).unwrap_or(""))),
            Kind::TagStrOpen => {
                let text = self.static_string();
                return self.tree.add(Expr::Tag(text.name), text.span);
            }
            Kind::Null => Expr::Null,
            Kind::True => Expr::Bool(true),
            Kind::False => Expr::Bool(false),
            Kind::Dyn => Expr::Dyn,
            Kind::NumberType => Expr::NumberType,
            Kind::StringType => Expr::StringType,
            Kind::BoolType => Expr::BoolType,
            Kind::Underscore => Expr::Wildcard,
            Kind::Cursor => Expr::Cursor,
            _ => return self.missing(&[Kind::In, Kind::Then, Kind::Else]),
        };
        self.bump();
        if matches!(leaf, Expr::Number(_)) {
            self.number_suffix(token);
        }
        let span = self.since(token.start);
        self.tree.add(leaf, span)
    }

    fn parentheses(&mut self) -> Id {
        let opening = self.token;
        if let Some(op) = section(self.peek(1).kind)
            && self.peek(2).kind == Kind::RParen
        {
            self.bump();
            self.bump();
            self.bump();
            let span = self.since(opening.start);
            return self.tree.add(Expr::Operator(op), span);
        }
        self.open();
        let inner = self.term();
        self.close(opening, Kind::RParen, &["`)`"]);
        let span = self.since(opening.start);
        self.tree.add(Expr::Paren(inner), span)
    }

    fn array(&mut self) -> Id {
        let opening = self.open();
        let mut items = Vec::new();
        while self.kind() != Kind::RBracket && self.kind() != Kind::Eof && !self.closes_outer(Kind::RBracket) {
            let before = self.at;
            if self.kind() == Kind::Comma {
                self.unexpected(&["an expression", "`]`"]);
            } else {
                items.push(self.term());
            }
            if self.eat(Kind::Comma) || matches!(self.kind(), Kind::RBracket | Kind::Eof) {
                continue;
            }
            self.comprehension();
            self.unexpected(&["`,`", "`]`"]);
            if !self.kind().starts_term() || self.at == before {
                self.skip_to(&[Kind::Comma, Kind::RBracket]);
                self.eat(Kind::Comma);
            }
            if self.at == before {
                break;
            }
        }
        self.close(opening, Kind::RBracket, &["`,`", "`]`"]);
        let span = self.since(opening.start);
        self.tree.add(Expr::Array(items.into()), span)
    }

    /// Parses `match { … }`.
    pub(super) fn match_arms(&mut self) -> Id {
        let start = self.bump().start;
        if self.kind() != Kind::LBrace {
            self.unexpected(&["`{`"]);
            // the program says `match x { … }`: skip `x`
            if self.kind().starts_atom() {
                self.atom();
            }
            if self.kind() != Kind::LBrace {
                let span = self.since(start);
                return self.tree.add(Expr::Hole, span);
            }
        }
        let opening = self.open();
        let mut arms = Vec::new();
        while self.kind() != Kind::RBrace && self.kind() != Kind::Eof && !self.closes_outer(Kind::RBrace) {
            let before = self.at;
            arms.push(self.arm());
            if !self.separated(before, Kind::RBrace, &["`,` between arms", "`}`"]) {
                break;
            }
        }
        self.close(opening, Kind::RBrace, &["`,`", "`}`"]);
        let span = self.since(start);
        self.tree.add(Expr::Match(arms.into()), span)
    }

    fn arm(&mut self) -> Arm {
        let pattern = self.pattern();
        let guard = self.eat(Kind::If).then(|| self.term());
        let body = if self.eat(Kind::FatArrow) {
            self.term()
        } else {
            self.unexpected(&["`=>`"]);
            self.hole()
        };
        Arm { pattern, guard, body }
    }

    /// Parses `'Tag` or `'"quoted"`. Reports a problem and returns `None` if there is no tag.
    pub(super) fn tag_name(&mut self) -> Option<Spanned> {
        match self.kind() {
            Kind::Tag => {
                let token = self.bump();
                let name = Name::new(self.slice(token).get(1..).unwrap_or(""));
                Some(Spanned { name, span: self.span_of(token) })
            }
            Kind::TagStrOpen => Some(self.static_string()),
            _ => {
                self.unexpected(&["an enum tag"]);
                None
            }
        }
    }
}
