//! Expressions.

use super::Parser;
use crate::dialect::mcl::problem::{MclProblem, Meant};
use crate::dialect::mcl::token::Kind;
use crate::dialect::mcl::tree::{Expr, Id, Spanned};
use crate::term::Prim;
use crate::text::Name;

/// Returns a binary operator and its precedence. A higher one binds more tightly.
fn infix(kind: Kind) -> Option<(Prim, u8)> {
    Some(match kind {
        Kind::And => (Prim::And, 1),
        Kind::Or => (Prim::Or, 1),
        Kind::EqEq => (Prim::Eq, COMPARISON),
        Kind::NotEq => (Prim::Ne, COMPARISON),
        Kind::Less => (Prim::Lt, COMPARISON),
        Kind::LessEq => (Prim::Le, COMPARISON),
        Kind::Greater => (Prim::Gt, COMPARISON),
        Kind::GreaterEq => (Prim::Ge, COMPARISON),
        Kind::Plus => (Prim::Add, 3),
        Kind::Minus => (Prim::Sub, 3),
        Kind::Star => (Prim::Mul, 4),
        Kind::Slash => (Prim::Div, 4),
        Kind::In => (Prim::In, 9),
        _ => return None,
    })
}

const COMPARISON: u8 = 2;
const FIELD: u8 = 6;
const DEFAULT: u8 = 7;
const INDEX: u8 = 8;

impl Parser<'_> {
    /// Parses any expression.
    pub(super) fn expression(&mut self) -> Id {
        self.infix(0)
    }

    /// Parses an expression whose operators have at least the precedence `min`.
    fn infix(&mut self, min: u8) -> Id {
        self.deeper(|p| p.infix_here(min), Self::hole)
    }

    fn infix_here(&mut self, min: u8) -> Id {
        let start = self.token.start;
        let mut left = self.prefix();
        let mut compared = false;
        loop {
            let expr = match self.kind() {
                Kind::Arrow if FIELD >= min && self.peek(1).kind != Kind::Capital => {
                    self.bump();
                    if self.kind() == Kind::Cursor {
                        let place = self.bump();
                        let span = self.span_of(place);
                        Expr::Field(left, Box::new(Spanned { name: Name::new_static(""), span }), None)
                    } else {
                        let name = self.name("the name of a field");
                        let default = self.eat(Kind::Default).then(|| self.infix(DEFAULT + 1));
                        Expr::Field(left, Box::new(name), default)
                    }
                }
                Kind::LBracket if INDEX >= min && !self.new_item() => {
                    let opening = self.open();
                    let index = self.expression();
                    self.close(opening, Kind::RBracket, &["`]`"]);
                    let default = self.eat(Kind::Default).then(|| self.infix(DEFAULT + 1));
                    Expr::Index(left, index, default)
                }
                kind => {
                    let Some((op, level)) = infix(kind).filter(|(_, level)| *level >= min) else { return left };
                    if level == COMPARISON && std::mem::replace(&mut compared, true) && !self.is_reported() {
                        let span = self.span_of(self.token);
                        self.fault(span, MclProblem::Chained(self.name_of(self.token)));
                    }
                    self.bump();
                    let right = self.infix(level + 1);
                    Expr::Binary(op, left, right)
                }
            };
            let span = self.since(start);
            left = self.tree.add(expr, span);
        }
    }

    fn prefix(&mut self) -> Id {
        let start = self.token.start;
        let expr = match self.kind() {
            Kind::Not => {
                self.bump();
                let operand = self.infix(FIELD);
                Expr::Not(operand)
            }
            Kind::If => {
                self.bump();
                let condition = self.expression();
                let then = self.braced();
                if !self.eat(Kind::Else) {
                    self.unexpected(&["`else`"]);
                    let hole = self.hole();
                    Expr::If(Box::new([condition, then, hole]))
                } else {
                    let otherwise = self.braced();
                    Expr::If(Box::new([condition, then, otherwise]))
                }
            }
            Kind::Func => {
                self.bump();
                let func = self.func_rest();
                Expr::Func(Box::new(func))
            }
            Kind::Struct => {
                self.bump();
                self.struct_literal()
            }
            Kind::Minus => {
                self.bump();
                match self.kind() {
                    Kind::Int | Kind::Float => self.number(true),
                    _ => {
                        self.unexpected_as(&["a number"], Some(Meant::Negate));
                        self.infix(FIELD);
                        Expr::Hole
                    }
                }
            }
            Kind::Int | Kind::Float => self.number(false),
            Kind::Str => return self.string(),
            Kind::True => {
                self.bump();
                Expr::Bool(true)
            }
            Kind::False => {
                self.bump();
                Expr::Bool(false)
            }
            Kind::Dollar => {
                self.bump();
                if self.kind() == Kind::Cursor {
                    let token = self.bump();
                    let span = self.span_of(token);
                    return self.tree.add(Expr::Cursor, span);
                }
                let name = self.parts("the name of a variable", Kind::Dot);
                if name.name.is_empty() {
                    Expr::Hole
                } else if self.kind() == Kind::LParen && !self.new_item() {
                    Expr::CallVariable(Box::new(name), self.arguments().into())
                } else {
                    Expr::Variable(Box::new(name))
                }
            }
            Kind::Result => {
                let token = self.bump();
                Expr::Variable(Box::new(Spanned { name: self.name_of(token), span: self.span_of(token) }))
            }
            Kind::Ident => {
                let name = self.parts("the name of a function", Kind::Dot);
                if self.kind() == Kind::LParen {
                    Expr::Call(Box::new(name), self.arguments().into())
                } else {
                    self.unexpected_as(&["`(`"], Some(Meant::Variable));
                    Expr::Hole
                }
            }
            Kind::Cursor => {
                let token = self.bump();
                let span = self.span_of(token);
                return self.tree.add(Expr::Cursor, span);
            }
            Kind::LParen => {
                let opening = self.open();
                let inner = self.expression();
                self.close(opening, Kind::RParen, &["`)`"]);
                Expr::Paren(inner)
            }
            Kind::LBracket => self.list(),
            Kind::LBrace => self.map_literal(),
            _ => {
                self.unexpected(&["an expression"]);
                let hole = self.hole();
                if self.kind() == Kind::Error {
                    self.bump();
                }
                return hole;
            }
        };
        let span = self.since(start);
        self.tree.add(expr, span)
    }

    fn number(&mut self, negative: bool) -> Expr {
        let token = self.bump();
        let text = self.slice(token);
        let text = if negative { format!("-{text}") } else { String::from(text) };
        if token.kind == Kind::Float {
            return match text.parse::<f64>() {
                Ok(value) if value.is_finite() => Expr::Float(value),
                _ => self.bad_number(token, text),
            };
        }
        match text.parse::<i64>() {
            Ok(value) => Expr::Int(value),
            Err(_) => self.bad_number(token, text),
        }
    }

    fn bad_number(&mut self, token: crate::dialect::mcl::token::Token, text: String) -> Expr {
        let span = self.span_of(token);
        self.fault(span, MclProblem::Number(Name::from(text)));
        Expr::Hole
    }

    /// Parses `(a, b)`.
    pub(super) fn arguments(&mut self) -> Vec<Id> {
        let opening = self.open();
        let mut args = Vec::new();
        while !matches!(self.kind(), Kind::RParen | Kind::Eof) && !self.closes_outer(Kind::RParen) {
            let before = self.at;
            args.push(self.expression());
            if !self.eat(Kind::Comma) {
                break;
            }
            if self.kind() == Kind::RParen {
                self.unexpected(&["an expression"]);
            }
            if self.at == before {
                break;
            }
        }
        self.close(opening, Kind::RParen, &["`,`", "`)`"]);
        args
    }

    /// Consumes the comma after an element. Returns `false` if the list must end.
    fn element_end(&mut self, close: Kind, before: usize) -> bool {
        if self.eat(Kind::Comma) {
            return true;
        }
        if self.kind() == close {
            self.unexpected_as(&["`,`"], Some(Meant::Comma));
            return false;
        }
        if self.is_at_end() || self.closes_outer(close) {
            return false;
        }
        self.unexpected(&["`,`"]);
        self.skip_to(&[Kind::Comma, close]);
        self.eat(Kind::Comma);
        self.at != before
    }

    fn list(&mut self) -> Expr {
        let opening = self.open();
        let mut items = Vec::new();
        while !matches!(self.kind(), Kind::RBracket | Kind::Eof) && !self.closes_outer(Kind::RBracket) {
            let before = self.at;
            items.push(self.expression());
            if !self.element_end(Kind::RBracket, before) {
                break;
            }
        }
        self.close(opening, Kind::RBracket, &["an expression", "`]`"]);
        Expr::List(items.into())
    }

    fn map_literal(&mut self) -> Expr {
        let opening = self.open();
        let mut entries = Vec::new();
        while !matches!(self.kind(), Kind::RBrace | Kind::Eof) && !self.closes_outer(Kind::RBrace) {
            let before = self.at;
            let key = self.expression();
            if !self.eat(Kind::Rocket) {
                self.unexpected(&["`=>`"]);
            }
            let value = self.expression();
            entries.push((key, value));
            if !self.element_end(Kind::RBrace, before) {
                break;
            }
        }
        self.close(opening, Kind::RBrace, &["an expression", "`}`"]);
        Expr::Map(entries.into())
    }

    fn struct_literal(&mut self) -> Expr {
        if self.kind() != Kind::LBrace {
            self.unexpected(&["`{`"]);
            return Expr::Hole;
        }
        let opening = self.open();
        let mut fields = Vec::new();
        while !matches!(self.kind(), Kind::RBrace | Kind::Eof) && !self.closes_outer(Kind::RBrace) {
            let before = self.at;
            let name = self.name("the name of a field");
            if !self.eat(Kind::Rocket) {
                self.unexpected(&["`=>`"]);
            }
            let value = self.expression();
            fields.push((name, value));
            if !self.element_end(Kind::RBrace, before) {
                break;
            }
        }
        self.close(opening, Kind::RBrace, &["the name of a field", "`}`"]);
        Expr::Struct(fields.into())
    }
}
