//! Resources and edges.

use super::{NEWEST_WORDS, Parser};
use crate::dialect::mcl::problem::Meant;
use crate::dialect::mcl::token::Kind;
use crate::dialect::mcl::tree::{EdgeKind, Half, Key, PartValue, Resource, Setting, Spanned, Stmt};
use crate::text::{Name, Span};

impl<const N: bool> Parser<'_, N> {
    /// Parses `kind name { … }`.
    pub(super) fn resource(&mut self) -> Stmt {
        let kind = self.parts("the kind of a resource", Kind::Colon);
        if matches!(self.kind(), Kind::Equals | Kind::Eof) {
            self.unexpected(&["the name of the resource"]);
            if self.eat(Kind::Equals) {
                self.expression();
            }
            return Stmt::Hole;
        }
        let name = self.expression();
        if self.kind() != Kind::LBrace {
            let newer = !N && NEWEST_WORDS.contains(&kind.name.as_str());
            self.unexpected_as(&["`{`"], newer.then_some(Meant::Newest));
            return Stmt::Resource(Box::new(Resource { kind, name, parts: Vec::new() }));
        }
        let opening = self.open();
        let mut parts = Vec::new();
        while !matches!(self.kind(), Kind::RBrace | Kind::Eof) && !self.closes_outer(Kind::RBrace) {
            let before = self.at;
            if let Some(part) = self.part() {
                parts.push(part);
            }
            if !self.eat(Kind::Comma) {
                if self.kind() != Kind::RBrace || !self.is_reported() {
                    self.unexpected(&["`,`"]);
                }
                self.skip_to(&[Kind::Comma, Kind::RBrace]);
                self.eat(Kind::Comma);
            }
            if self.at == before {
                break;
            }
        }
        self.close(opening, Kind::RBrace, &["a parameter", "`}`"]);
        Stmt::Resource(Box::new(Resource { kind, name, parts }))
    }

    /// Parses one part of a resource, without its comma.
    fn part(&mut self) -> Option<Setting> {
        let start = self.token.start;
        let (key, key_span) = self.key()?;
        if !self.eat(Kind::Rocket) {
            self.unexpected(&["`=>`"]);
            if !matches!(self.kind(), Kind::Equals | Kind::Colon) {
                return None;
            }
            self.bump();
        }
        let is_edge = matches!(key, Key::Edge(_));
        let (condition, value) = if is_edge && self.kind() == Kind::Capital {
            (None, PartValue::Half(self.half()))
        } else {
            let first = self.expression();
            match (self.eat(Kind::Elvis), is_edge) {
                (true, true) => (Some(first), PartValue::Half(self.half())),
                (true, false) => (Some(first), PartValue::Expr(self.expression())),
                (false, true) => {
                    self.unexpected(&["`?:`"]);
                    return None;
                }
                (false, false) => (None, PartValue::Expr(first)),
            }
        };
        Some(Setting { key, key_span, condition, value, span: self.since(start) })
    }

    fn key(&mut self) -> Option<(Key, Span)> {
        let token = self.token;
        let span = self.span_of(token);
        match token.kind {
            Kind::Ident | Kind::Cursor => {
                self.bump();
                let name = if token.kind == Kind::Cursor { Name::new_static("") } else { self.name_of(token) };
                Some((Key::Field(name), span))
            }
            Kind::Capital => {
                let word = self.slice(token);
                let edge = match word {
                    "Before" => EdgeKind::Before,
                    "Depend" => EdgeKind::Depend,
                    "Notify" => EdgeKind::Notify,
                    "Listen" => EdgeKind::Listen,
                    "Meta" => {
                        self.bump();
                        if !self.eat(Kind::Colon) {
                            return Some((Key::AllMeta, span));
                        }
                        let name = self.name("the name of a meta parameter");
                        return Some((Key::Meta(name.name), span.to(name.span)));
                    }
                    _ => {
                        self.unexpected(&["a parameter", "`Meta`", "`Before`", "`Depend`", "`Notify`", "`Listen`"]);
                        return None;
                    }
                };
                self.bump();
                Some((Key::Edge(edge), span))
            }
            kind if kind.is_reserved() && self.peek(1).kind == Kind::Rocket => {
                let name = self.name("a parameter");
                Some((Key::Field(name.name), name.span))
            }
            _ => {
                self.unexpected(&["a parameter", "`Meta`", "`Before`", "`Depend`", "`Notify`", "`Listen`"]);
                None
            }
        }
    }

    /// Parses `Kind["a"] -> Kind["b"]`, and `Kind["a"].field -> Kind["b"].field`.
    pub(super) fn edge(&mut self) -> Stmt {
        let mut halves = vec![self.half()];
        if self.kind() != Kind::Arrow {
            self.unexpected(&["`->`"]);
            return Stmt::Edge(halves);
        }
        while self.eat(Kind::Arrow) {
            halves.push(self.half());
        }
        Stmt::Edge(halves)
    }

    /// Parses `Http:Server["name"]`.
    pub(super) fn half(&mut self) -> Half {
        let start = self.token.start;
        let kind = self.capitals();
        if self.kind() != Kind::LBracket {
            self.unexpected(&["`[`"]);
            return Half { kind, name: self.hole(), field: None, span: self.since(start) };
        }
        let opening = self.open();
        let name = self.expression();
        self.close(opening, Kind::RBracket, &["`]`"]);
        let field = self.eat(Kind::Dot).then(|| self.name("the name of a field"));
        Half { kind, name, field, span: self.since(start) }
    }

    /// Parses the capitalised kind of a resource. Returns it in lower case.
    fn capitals(&mut self) -> Spanned {
        let mut text = String::new();
        let mut span = self.here();
        loop {
            if self.kind() != Kind::Capital {
                self.unexpected(&["the kind of a resource, with a capital: `File`"]);
                break;
            }
            let token = self.bump();
            text.push_str(&self.slice(token).to_lowercase());
            span = span.to(self.span_of(token));
            if !self.eat(Kind::Colon) {
                break;
            }
            text.push(':');
        }
        Spanned { name: Name::from(text), span }
    }
}
