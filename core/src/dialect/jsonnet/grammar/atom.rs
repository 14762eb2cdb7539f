//! Atoms and their suffixes: fields, indices, slices, calls, extensions. Also arrays and comprehensions.

use super::Parser;
use crate::dialect::jsonnet::problem::{JsonnetProblem, Mistake, NamePlace};
use crate::dialect::jsonnet::token::Kind;
use crate::dialect::jsonnet::tree::{Arguments, Clause, Expr, Id, Parameter, Spanned};
use crate::dialect::parser::{Token, TokenKind, expected_names};
use crate::text::{Name, Span};

impl Parser<'_> {
    /// Parses an atom and its suffixes.
    pub(super) fn postfix(&mut self) -> Id {
        let start = self.token.start;
        let mut left = self.atom();
        loop {
            let expr = match self.kind() {
                Kind::Dot => {
                    self.bump();
                    self.dot(left)
                }
                Kind::LBracket => self.index(left),
                Kind::LParen => {
                    let args = self.arguments();
                    Expr::Apply(left, Box::new(args))
                }
                Kind::LBrace if self.begins_branch() => return left,
                Kind::LBrace => {
                    let is_below = self.gap().contains('\n');
                    let object = self.object();
                    Expr::Extend(left, object, is_below)
                }
                _ => return left,
            };
            let span = self.since(start);
            left = self.tree.add(expr, span);
        }
    }

    /// Parses the name of a field, after the dot.
    fn dot(&mut self, base: Id) -> Expr {
        if self.kind() == Kind::Cursor {
            return Expr::Index(base, self.cursor());
        }
        Expr::Dot(base, Box::new(self.name(NamePlace::Read, "a field name")))
    }

    fn cursor(&mut self) -> Id {
        let at = self.bump();
        let span = self.span_of(at);
        self.tree.add(Expr::Cursor, span)
    }

    /// Parses `[i]` or `[a:b:c]`.
    fn index(&mut self, base: Id) -> Expr {
        let opening = self.open();
        let mut parts = [None, None, None];
        let mut part = 0;
        let mut colons = 0;
        loop {
            match self.kind() {
                Kind::Colon if colons < 2 => {
                    self.bump();
                    (colons, part) = (colons + 1, part + 1);
                }
                Kind::Colon2 if colons == 0 => {
                    self.bump();
                    (colons, part) = (2, 2);
                }
                kind if kind.starts_term() && parts[part].is_none() => parts[part] = Some(self.term()),
                _ => break,
            }
        }
        if colons == 0 && parts[0].is_none() {
            self.unexpected(&["an index"]);
            parts[0] = Some(self.hole());
        }
        self.close(opening, Kind::RBracket, &["`]`"]);
        match parts {
            [Some(index), None, None] if colons == 0 => Expr::Index(base, index),
            parts => Expr::Slice(base, Box::new(parts)),
        }
    }

    /// Parses `(a, x=b) tailstrict`.
    fn arguments(&mut self) -> Arguments {
        let opening = self.open();
        let mut items = Vec::new();
        let mut named = false;
        while self.kind() != Kind::RParen && self.kind() != Kind::Eof && !self.closes_outer(Kind::RParen) {
            let before = self.at;
            if self.kind() == Kind::Comma {
                self.unexpected(&["an argument", "`)`"]);
                self.bump();
                continue;
            }
            if let Some(value) = self.arrow_function() {
                items.push((None, value));
                if !self.separated(before, Kind::RParen, Kind::starts_term, &["`,`", "`)`"]) {
                    break;
                }
                continue;
            }
            let name = match (self.kind(), self.peek(1).kind) {
                (Kind::Ident, Kind::Equals) => {
                    let token = self.bump();
                    self.bump();
                    Some(Spanned { name: self.name_of(token), span: self.span_of(token) })
                }
                _ => None,
            };
            let value = self.term();
            if name.is_none() && named {
                let span = self.tree.span(value);
                self.fault(span, JsonnetProblem::PositionalAfterNamed);
            }
            named |= name.is_some();
            items.push((name, value));
            if !self.separated(before, Kind::RParen, Kind::starts_term, &["`,`", "`)`"]) {
                break;
            }
        }
        self.close(opening, Kind::RParen, &["`,`", "`)`"]);
        let tailstrict = self.eat(Kind::Tailstrict);
        Arguments { items, tailstrict }
    }

    /// Parses `x => e`, a function in other languages, as an argument. Reports it.
    fn arrow_function(&mut self) -> Option<Id> {
        let [arrow, head] = [1, 2].map(|ahead| self.peek(ahead));
        let is_arrow = arrow.kind == Kind::Equals && head.kind == Kind::Greater && arrow.end == head.start;
        if self.kind() != Kind::Ident || !is_arrow {
            return None;
        }
        let token = self.bump();
        let name = Spanned { name: self.name_of(token), span: self.span_of(token) };
        self.unexpected_as(&["`,`", "`)`"], Some(Mistake::Function));
        self.bump();
        self.bump();
        let body = self.term();
        let span = self.since(token.start);
        Some(self.tree.add(Expr::Function(vec![Parameter { name, default: None }].into(), body), span))
    }

    pub(super) fn atom(&mut self) -> Id {
        let token = self.token;
        let leaf = match token.kind {
            Kind::Number if let Some(date) = self.date() => return date,
            Kind::Ident | Kind::Result => Expr::Name(self.name_of(token)),
            Kind::Number => Expr::Number(self.number(token)),
            kind if kind.is_string() => {
                let text = self.string();
                return self.tree.add(Expr::Str(text.name), text.span);
            }
            Kind::LBrace => return self.object(),
            Kind::LParen => {
                let opening = self.open();
                let inner = self.term();
                self.close(opening, Kind::RParen, &["`)`"]);
                let span = self.since(opening.start);
                return self.tree.add(Expr::Paren(inner), span);
            }
            Kind::Error if self.slice(self.token) == "`" => return self.backquoted(),
            Kind::LBracket => return self.array(),
            Kind::Null => Expr::Null,
            Kind::True => Expr::Bool(true),
            Kind::False => Expr::Bool(false),
            Kind::SelfWord => Expr::This,
            Kind::Dollar => Expr::Dollar,
            Kind::Super => return self.super_read(),
            Kind::Cursor => Expr::Cursor,
            _ => return self.missing(&[Kind::In, Kind::Then, Kind::Else, Kind::For]),
        };
        self.bump();
        let span = self.span_of(token);
        self.tree.add(leaf, span)
    }

    /// Parses `super.x` or `super[e]`.
    fn super_read(&mut self) -> Id {
        let word = self.bump();
        let expr = match self.kind() {
            Kind::Dot => {
                self.bump();
                if self.kind() == Kind::Cursor {
                    Expr::SuperIndex(self.cursor())
                } else {
                    Expr::SuperDot(Box::new(self.name(NamePlace::Read, "a field name")))
                }
            }
            Kind::LBracket => {
                let opening = self.open();
                let index = self.term();
                self.close(opening, Kind::RBracket, &["`]`"]);
                Expr::SuperIndex(index)
            }
            _ => {
                let span = self.span_of(word);
                self.fault(span, JsonnetProblem::BareSuper);
                Expr::Hole
            }
        };
        let span = self.since(word.start);
        self.tree.add(expr, span)
    }

    /// Reports a string of another language, in backquotes, as a whole: its text may look like a comment.
    fn backquoted(&mut self) -> Id {
        let start = self.token.start;
        let rest = self.text.get(start as usize + 1..).and_then(|rest| rest.lines().next()).unwrap_or_default();
        let Some((text, _)) = rest.split_once('`') else {
            self.unexpected(&["an expression"]);
            self.bump();
            return self.hole();
        };
        let end = start + text.len() as u32 + 2;
        let mistake = if text.contains("${") { Mistake::Template } else { Mistake::Quotes };
        // a message that repeats it could not be masked, if it is a secret: backquotes in backquotes have no end
        let found = Some(Name::new_static("`…`"));
        let expected = expected_names(&["an expression"]);
        if !self.is_reported() {
            let what = JsonnetProblem::Unexpected { found, expected, mistake: Some(mistake) };
            self.fault(Span { source: self.source, start, end }, what);
        }
        while !self.is_at_end() && self.token.start < end {
            self.bump();
        }
        self.take_for_reported(self.at);
        self.hole()
    }

    /// Reports that an array is not closed before a `;`.
    fn unclosed_array(&mut self, opening: Token<Kind>, items: Vec<Id>) -> Id {
        let span = self.span_of(opening);
        self.unclosed_inside("bracket `[`", span);
        self.abandon(opening);
        let span = self.since(opening.start);
        self.tree.add(Expr::Array(items.into()), span)
    }

    fn array(&mut self) -> Id {
        let opening = self.open();
        let mut items = Vec::new();
        let mut clauses = Vec::new();
        while self.kind() != Kind::RBracket && self.kind() != Kind::Eof && !self.closes_outer(Kind::RBracket) {
            let before = self.at;
            if self.kind() == Kind::Semicolon && !self.closes_later(Kind::RBracket) {
                return self.unclosed_array(opening, items);
            }
            if self.kind() == Kind::Comma {
                self.unexpected(&["an expression", "`]`"]);
                self.bump();
                continue;
            }
            items.push(self.term());
            if items.len() == 1 {
                if self.kind() == Kind::Comma && self.peek(1).kind == Kind::For {
                    self.bump();
                }
                if self.kind() == Kind::For {
                    clauses = self.clauses();
                    break;
                }
            }
            if items.len() == 1 && self.kind() == Kind::If && self.for_follows() {
                self.unexpected_as(&["`for`"], Some(Mistake::ForFirst));
                self.skip_to(&[Kind::RBracket]);
                break;
            }
            if !self.separated(before, Kind::RBracket, Kind::starts_term, &["`,`", "`]`"]) {
                break;
            }
        }
        if !clauses.is_empty() && matches!(self.slice(self.token), "where" | "when" | "unless") {
            self.unexpected_as(&["`for`", "`if`", "`]`"], Some(Mistake::Condition));
            self.skip_to(&[Kind::RBracket]);
        }
        let expected: &[&str] = if clauses.is_empty() { &["`,`", "`]`"] } else { &["`for`", "`if`", "`]`"] };
        self.close(opening, Kind::RBracket, expected);
        let span = self.since(opening.start);
        let expr = match items.first() {
            Some(body) if !clauses.is_empty() => Expr::ArrayComp(*body, clauses.into()),
            _ => Expr::Array(items.into()),
        };
        self.tree.add(expr, span)
    }

    /// Returns `true` if a `for` precedes the end of the brackets: `[x if c for x in xs]`. Looks ahead a limited
    /// distance.
    fn for_follows(&self) -> bool {
        let mut inner = 0u32;
        for token in self.tokens.iter().skip(self.at).take(200) {
            match token.kind {
                Kind::For if inner == 0 => return true,
                kind if kind.opens().is_some() => inner += 1,
                kind if kind.closes().is_some() => match inner.checked_sub(1) {
                    Some(left) => inner = left,
                    None => return false,
                },
                _ => {}
            }
        }
        false
    }

    /// Parses `for x in xs if c …`.
    pub(super) fn clauses(&mut self) -> Vec<Clause> {
        let mut clauses = Vec::new();
        loop {
            if self.eat(Kind::For) {
                let name = self.name(NamePlace::Variable, "a name");
                if !self.eat(Kind::In) {
                    self.unexpected(&["`in`"]);
                }
                let items = self.term();
                clauses.push(Clause::For(name, items));
            } else if self.eat(Kind::If) {
                clauses.push(Clause::If(self.term()));
                if self.kind() == Kind::Equals {
                    self.unexpected_as(&["`for`", "`if`"], Some(Mistake::TwoEquals));
                    self.bump();
                    self.term();
                }
            } else {
                return clauses;
            }
        }
    }
}
