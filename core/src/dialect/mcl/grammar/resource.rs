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
        if self.kind() == Kind::LBracket && self.is_small_edge() {
            self.unexpected_as(&["the name of the resource"], Some(Meant::SmallEdge));
            self.skip_to_statement();
            return Stmt::Hole;
        }
        let is_call = self.kind() == Kind::LParen && self.gap().is_empty();
        let name = self.expression();
        if self.kind() != Kind::LBrace && is_call {
            self.unexpected_as(&["`{`"], Some(Meant::CallStatement));
            return Stmt::Hole;
        }
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
                    let ends = matches!(self.kind(), Kind::RBrace | Kind::Ident | Kind::Capital);
                    let is_new_line = ends && self.gap().contains('\n');
                    self.unexpected_as(&["`,`"], is_new_line.then_some(Meant::CommaOfField));
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

    /// Whether the brackets at the place are those of an edge, whose kind has no capital: `pkg["a"] -> …`.
    fn is_small_edge(&self) -> bool {
        let mut ahead = 1;
        while !matches!(self.peek(ahead).kind, Kind::RBracket | Kind::LBracket | Kind::LBrace | Kind::Eof) {
            ahead += 1;
        }
        self.peek(ahead).kind == Kind::RBracket && self.peek(ahead + 1).kind == Kind::Arrow
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
        } else if self.is_small_key(&key) {
            self.unexpected_as(&["an expression"], Some(Meant::SmallKey));
            self.half();
            return None;
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

    /// Whether the place is the value of an edge whose key has no capital: `before => Svc["a"]`.
    fn is_small_key(&self, key: &Key) -> bool {
        let Key::Field(name) = key else { return false };
        self.kind() == Kind::Capital && matches!(name.as_str(), "before" | "depend" | "notify" | "listen")
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
