//! Expressions.

use super::Parser;
use crate::dialect::mcl::problem::{MclProblem, Meant};
use crate::dialect::mcl::report::short;
use crate::dialect::mcl::token::Kind;
use crate::dialect::mcl::tree::{Expr, Id, Spanned};
use crate::dialect::parser::expected_names;
use crate::term::Prim;
use crate::text::Name;

/// Returns a binary operator and its precedence. A higher one binds more tightly.
fn infix(kind: Kind, newest: bool) -> Option<(Prim, u8)> {
    Some(match kind {
        Kind::Except if newest => (Prim::Else, EXCEPT),
        Kind::Or => (Prim::Or, 2),
        Kind::And if newest => (Prim::And, 3),
        Kind::And => (Prim::And, 2),
        Kind::In if newest => (Prim::In, COMPARISON),
        Kind::EqEq => (Prim::Eq, COMPARISON),
        Kind::NotEq => (Prim::Ne, COMPARISON),
        Kind::Less => (Prim::Lt, COMPARISON),
        Kind::LessEq => (Prim::Le, COMPARISON),
        Kind::Greater => (Prim::Gt, COMPARISON),
        Kind::GreaterEq => (Prim::Ge, COMPARISON),
        Kind::Plus => (Prim::Add, 5),
        Kind::Minus => (Prim::Sub, 5),
        Kind::Star => (Prim::Mul, 6),
        Kind::Slash => (Prim::Div, 6),
        Kind::In => (Prim::In, 10),
        _ => return None,
    })
}

const EXCEPT: u8 = 1;
const COMPARISON: u8 = 4;
const FIELD: u8 = 7;
const DEFAULT: u8 = 8;
const INDEX: u8 = 9;

/// The layout of the elements of a list, a map, a struct, a call or a function.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Layout {
    /// In any way, with a comma after each element.
    Any,
    /// On one line, without a comma after the last.
    Line,
    /// Each on lines of its own, with a comma after each.
    Lines,
}

/// Returns a closing bracket, for messages.
fn closing(kind: Kind) -> &'static str {
    match kind {
        Kind::RParen => "`)`",
        Kind::RBracket => "`]`",
        _ => "`}`",
    }
}

impl<const N: bool> Parser<'_, N> {
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
            // a line end ends the expression
            if self.is_new_line() {
                return left;
            }
            let expr = match self.kind() {
                Kind::LParen if N && matches!(self.tree.expr(left), Expr::Func(_) | Expr::CallValue(..)) => {
                    Expr::CallValue(left, self.arguments().into())
                }
                Kind::Arrow if FIELD >= min && self.peek(1).kind != Kind::Capital => {
                    self.bump();
                    if self.kind() == Kind::Cursor {
                        let place = self.bump();
                        let span = self.span_of(place);
                        Expr::Field(left, Box::new(Spanned { name: Name::new_static(""), span }), None)
                    } else {
                        let name = self.name("the name of a field");
                        let default = self.default_value();
                        Expr::Field(left, Box::new(name), default)
                    }
                }
                Kind::LBracket if INDEX >= min && !self.new_item() => {
                    let opening = self.open();
                    let index = self.expression();
                    self.close(opening, Kind::RBracket, &["`]`"]);
                    let default = self.default_value();
                    Expr::Index(left, index, default)
                }
                kind => {
                    let Some((op, level)) = infix(kind, N).filter(|(_, level)| *level >= min) else { return left };
                    if level == COMPARISON && std::mem::replace(&mut compared, true) && !self.is_reported() {
                        let span = self.span_of(self.token);
                        self.fault(span, MclProblem::Chained(self.name_of(self.token)));
                    }
                    self.bump();
                    let right = self.infix(level + 1);
                    match self.tree.expr(left) {
                        // a field that the struct does not have
                        Expr::Field(of, name, None) if op == Prim::Else => Expr::Field(*of, name.clone(), Some(right)),
                        _ => Expr::Binary(op, left, right),
                    }
                }
            };
            let span = self.since(start);
            left = self.tree.add(expr, span);
        }
    }

    /// Parses `|| e` after a lookup.
    fn default_value(&mut self) -> Option<Id> {
        (!N && self.eat(Kind::Default)).then(|| self.infix(DEFAULT + 1))
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
                if self.is_new_line() || !self.eat(Kind::Else) {
                    let before = self.at.saturating_sub(1);
                    let closed = self.tokens.get(before).is_some_and(|token| token.kind == Kind::RBrace);
                    match closed && self.slice(self.token) != "elif" && !self.is_reported() {
                        true => {
                            self.report_at(before, MclProblem::NoElse);
                            self.take_for_reported(self.at);
                        }
                        false => self.unexpected(&["`else`"]),
                    }
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
            Kind::Str => {
                let string = self.string();
                match self.after_string() {
                    Some(Meant::Join) => {
                        let right = self.infix(FIELD);
                        Expr::Binary(Prim::Add, string, right)
                    }
                    Some(_) => {
                        self.bump();
                        self.arguments();
                        Expr::Hole
                    }
                    None => return string,
                }
            }
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
                let name = match self.foreign_name(false) {
                    Some(name) => name,
                    None => self.parts("the name of a variable", Kind::Dot),
                };
                if name.name.is_empty() {
                    Expr::Hole
                } else if self.kind() == Kind::LParen && !self.new_item() && !self.is_new_line() {
                    Expr::CallVariable(Box::new(name), self.arguments().into())
                } else {
                    Expr::Variable(Box::new(name))
                }
            }
            Kind::Result => {
                let token = self.bump();
                Expr::Variable(Box::new(Spanned { name: self.name_of(token), span: self.span_of(token) }))
            }
            Kind::Ident if self.slice(self.token) == "return" && self.peek(1).kind != Kind::LParen => {
                self.unexpected_as(&["an expression"], Some(Meant::Return));
                self.bump();
                return self.infix(0);
            }
            Kind::Ident | Kind::Capital if self.null() => Expr::Hole,
            Kind::Capital if let Some(value) = self.capital_boolean() => Expr::Bool(value),
            Kind::Ident if self.string_prefix() => return self.string(),
            Kind::Ident => {
                let name = self.parts("the name of a function", Kind::Dot);
                if self.kind() == Kind::LParen {
                    Expr::Call(Box::new(name), self.arguments().into())
                } else if matches!(self.kind(), Kind::Comma | Kind::RBrace | Kind::RBracket | Kind::RParen)
                    && !self.is_reported()
                {
                    // a bare word: `state => installed,`
                    let found = Some(Name::from(short(&name.name)));
                    let expected = expected_names(&["a value"]);
                    let what = MclProblem::Unexpected { found, expected, meant: Some(Meant::Variable) };
                    self.report_at(self.at.saturating_sub(1), what);
                    self.take_for_reported(self.at);
                    Expr::Hole
                } else {
                    let meant = match self.kind() {
                        Kind::LBracket => Meant::EdgeOf,
                        Kind::Rocket => Meant::MapKey,
                        _ => Meant::Variable,
                    };
                    self.unexpected_as(&["`(`"], Some(meant));
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
                    let negates = self.slice(self.token) == "!";
                    self.bump();
                    if negates {
                        return self.infix(FIELD);
                    }
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
        let layout = self.layout();
        let mut args = Vec::new();
        let mut named = false;
        while !matches!(self.kind(), Kind::RParen | Kind::Eof) && !self.closes_outer(Kind::RParen) {
            let before = self.at;
            let is_named = self.argument_name(!named);
            let arg = self.expression();
            named |= is_named;
            args.push(if is_named { self.hole() } else { arg });
            if !self.argument_end(Kind::RParen, layout, &["an expression"])
                || self.at == before
                || self.is_next_statement()
            {
                break;
            }
        }
        self.close_elements(opening, Kind::RParen, &["`,`", "`)`"]);
        args
    }

    /// Returns how the elements after an opening bracket are laid out.
    pub(super) fn layout(&self) -> Layout {
        match (N, self.is_new_line()) {
            (false, _) => Layout::Any,
            (true, true) => Layout::Lines,
            (true, false) => Layout::Line,
        }
    }

    /// Consumes the comma between arguments or parameters. Returns `false` after the last one. `expected`: what follows a comma.
    pub(super) fn argument_end(&mut self, close: Kind, layout: Layout, expected: &[&'static str]) -> bool {
        if layout == Layout::Any {
            let more = self.eat(Kind::Comma);
            if more && self.kind() == close {
                self.unexpected(expected);
            }
            return more;
        }
        let before = self.at;
        self.kind() != close && self.element_end(close, before, layout) || {
            if self.kind() == close {
                self.missing_comma(layout);
            }
            false
        }
    }

    /// Reports a missing comma before the closing bracket of elements on lines of their own.
    fn missing_comma(&mut self, layout: Layout) {
        if layout == Layout::Lines {
            self.unexpected_as(&["`,`"], Some(Meant::CommaOfLines));
        }
    }

    /// Consumes the comma after an element. Returns `false` if the list must end.
    fn element_end(&mut self, close: Kind, before: usize, layout: Layout) -> bool {
        if layout != Layout::Any && self.kind() == close {
            self.missing_comma(layout);
            return false;
        }
        if layout == Layout::Line && self.kind() == Kind::Comma && self.peek(1).kind == close {
            // `[1, 2,]`
            self.unexpected_as(&[closing(close)], Some(Meant::CommaOfLine));
            self.bump();
            return false;
        }
        if self.eat(Kind::Comma) {
            let ends_line = self.is_new_line();
            if layout == Layout::Line && ends_line && !self.is_at_end() {
                self.unexpected_as(&["an element on this line"], Some(Meant::Lines));
            } else if layout == Layout::Lines && !ends_line && !self.is_at_end() {
                self.unexpected_as(&["a new line"], Some(Meant::Lines));
            }
            return true;
        }
        if self.kind() == close {
            self.missing_part_comma(if close == Kind::RBrace { "}" } else { "]" });
            return false;
        }
        if self.is_at_end() || self.closes_outer(close) || self.is_next_statement() {
            return false;
        }
        let made = close == Kind::RBracket && self.kind() == Kind::Ident && self.slice(self.token) == "for";
        self.unexpected_as(&["`,`"], made.then_some(Meant::Comprehension));
        self.skip_to(&[Kind::Comma, close]);
        self.eat(Kind::Comma);
        self.at != before
    }

    fn list(&mut self) -> Expr {
        let opening = self.open();
        let layout = self.layout();
        let mut items = Vec::new();
        while !matches!(self.kind(), Kind::RBracket | Kind::Eof) && !self.closes_outer(Kind::RBracket) {
            let before = self.at;
            items.push(self.expression());
            if !self.element_end(Kind::RBracket, before, layout) || self.is_next_statement() {
                break;
            }
        }
        self.close_elements(opening, Kind::RBracket, &["an expression", "`]`"]);
        Expr::List(items.into())
    }

    fn map_literal(&mut self) -> Expr {
        let opening = self.open();
        let layout = self.layout();
        let mut entries = Vec::new();
        let mut bare = false;
        while !matches!(self.kind(), Kind::RBrace | Kind::Eof) && !self.closes_outer(Kind::RBrace) {
            let before = self.at;
            let key = self.map_key(&mut bare);
            let value = self.expression();
            entries.push((key, value));
            if !self.element_end(Kind::RBrace, before, layout) || self.is_next_statement() {
                break;
            }
        }
        self.close_elements(opening, Kind::RBrace, &["an expression", "`}`"]);
        Expr::Map(entries.into())
    }

    /// Parses the key of a map, and the `=>` after it. Reports the first one of a map that is written in another way: `bare` says
    /// whether there was one.
    fn map_key(&mut self, bare: &mut bool) -> Id {
        let next = self.peek(1).kind;
        let is_word = self.kind() == Kind::Ident && matches!(next, Kind::Colon | Kind::Equals)
            || *bare && self.kind() == Kind::Ident && next == Kind::Rocket;
        let key = match is_word {
            true => {
                self.bump();
                self.hole()
            }
            false => {
                *bare |= self.kind() == Kind::Ident && next == Kind::Rocket;
                self.expression()
            }
        };
        if self.eat(Kind::Rocket) {
            return key;
        }
        let other = matches!(self.kind(), Kind::Colon | Kind::Equals);
        if !(other && std::mem::replace(bare, true)) {
            self.unexpected_as(&["`=>`"], other.then_some(Meant::MapArrow));
        }
        if other {
            self.bump();
        }
        key
    }

    fn struct_literal(&mut self) -> Expr {
        if self.kind() != Kind::LBrace {
            self.unexpected(&["`{`"]);
            return Expr::Hole;
        }
        let opening = self.open();
        let layout = self.layout();
        let mut fields = Vec::new();
        while !matches!(self.kind(), Kind::RBrace | Kind::Eof) && !self.closes_outer(Kind::RBrace) {
            let before = self.at;
            let name = self.name("the name of a field");
            if !self.eat(Kind::Rocket) {
                self.unexpected(&["`=>`"]);
            }
            let value = self.expression();
            fields.push((name, value));
            if !self.element_end(Kind::RBrace, before, layout) || self.is_next_statement() {
                break;
            }
        }
        self.close_elements(opening, Kind::RBrace, &["the name of a field", "`}`"]);
        Expr::Struct(fields.into())
    }
}
