//! Resources and edges.

use super::{NEWEST_WORDS, Parser};
use crate::dialect::mcl::problem::{MclProblem, Meant};
use crate::dialect::mcl::token::Kind;
use crate::dialect::mcl::tree::{EdgeKind, Expr, Half, Key, PartValue, Resource, Setting, Spanned, Stmt};
use crate::text::{Name, Span, near};

/// Maximum number of tokens of an edge that are looked at.
const LONGEST_NAME: usize = 40;

/// Returns the edge that a word of another language means, and the words that were probably meant.
fn edge_meant(word: &str) -> (Option<EdgeKind>, Vec<Name>) {
    const EDGES: [(&str, EdgeKind); 4] = [
        ("Before", EdgeKind::Before),
        ("Depend", EdgeKind::Depend),
        ("Notify", EdgeKind::Notify),
        ("Listen", EdgeKind::Listen),
    ];
    let name = match word.to_ascii_lowercase().as_str() {
        "require" | "requires" | "after" | "depends" | "depends_on" | "dependson" => Some("Depend"),
        "subscribe" => Some("Listen"),
        _ => None,
    };
    let near = match name {
        Some(name) => vec![Name::new_static(name)],
        None => near(word, EDGES.map(|(name, _)| name)),
    };
    let edge = near.first().and_then(|first| EDGES.iter().find(|(name, _)| name == first));
    (edge.map(|(_, edge)| *edge), near)
}

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
        if self.kind() == Kind::LBrace && self.peek(1).kind == Kind::Str && self.peek(2).kind == Kind::Colon {
            self.unexpected_as(&["the name of the resource"], Some(Meant::NameFirst));
            self.skip_to_statement();
            return Stmt::Hole;
        }
        let name = if self.bare_name() { self.hole() } else { self.expression() };
        if self.kind() != Kind::LBrace && matches!(self.tree.expr(name), Expr::Paren(_)) && !self.is_reported() {
            self.fault(kind.span, MclProblem::NoInclude(kind.name));
            self.take_for_reported(self.at);
            return Stmt::Hole;
        }
        if self.kind() != Kind::LBrace {
            let newer = !N && NEWEST_WORDS.contains(&kind.name.as_str());
            let bare = self.kind() == Kind::Ident && self.peek(1).kind == Kind::Rocket;
            let edge = self.kind() == Kind::Str && matches!(self.tree.expr(name), Expr::Field(..));
            let meant = newer.then_some(Meant::Newest).or_else(|| bare.then_some(Meant::Fields));
            let meant = meant.or_else(|| edge.then_some(Meant::EdgeOf));
            self.unexpected_as(&["`{`"], meant);
            return Stmt::Resource(Box::new(Resource { kind, name, parts: Vec::new() }));
        }
        let opening = self.open();
        let mut parts = Vec::new();
        while !matches!(self.kind(), Kind::RBrace | Kind::Eof) && !self.closes_outer(Kind::RBrace) {
            let before = self.at;
            if self.is_next_statement() {
                let next = self.here();
                self.not_closed(opening, next);
                return Stmt::Resource(Box::new(Resource { kind, name, parts }));
            }
            if let Some(part) = self.part() {
                parts.push(part);
            }
            if !self.eat(Kind::Comma) {
                let last = self.tokens.get(self.at.wrapping_sub(1)).map(|token| token.kind);
                let next = matches!(self.kind(), Kind::Ident | Kind::Capital)
                    && matches!(self.peek(1).kind, Kind::Rocket | Kind::Colon);
                let is_empty = last.is_none_or(|kind| matches!(kind, Kind::LBrace | Kind::Comma | Kind::Rocket));
                if (next || self.kind() == Kind::RBrace) && !is_empty {
                    self.missing_part_comma("}");
                    if next && self.at > before {
                        continue;
                    }
                } else if self.kind() != Kind::RBrace || !self.is_reported() {
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
        let (mut key, key_span) = self.key()?;
        if !self.eat(Kind::Rocket) {
            self.unexpected(&["`=>`"]);
            if !matches!(self.kind(), Kind::Equals | Kind::Colon) {
                return None;
            }
            self.bump();
        }
        if let Key::Field(word) = &key
            && self.is_half()
        {
            // `before => Svc["a"]`
            let (edge, near) = edge_meant(word);
            self.fault(key_span, MclProblem::NotAnEdge { word: word.clone(), near });
            let half = self.half();
            key = Key::Edge(edge?);
            return Some(Setting {
                key,
                key_span,
                condition: None,
                value: PartValue::Half(half),
                span: self.since(start),
            });
        }
        let is_edge = matches!(key, Key::Edge(_));
        if is_edge {
            let word = self.text.get(key_span.start as usize..key_span.end as usize).map(Name::new).unwrap_or_default();
            if self.report_end(word) {
                return None;
            }
        }
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
                    _ if self.peek(1).kind == Kind::Rocket => {
                        let (edge, near) = edge_meant(word);
                        let word = self.name_of(token);
                        self.fault(span, MclProblem::NotAnEdge { word, near });
                        self.bump();
                        return Some((Key::Edge(edge.unwrap_or(EdgeKind::Before)), span));
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
        self.check_small_edge();
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

    /// Returns `true` if the next tokens begin the end of an edge: `Svc["a"]`, `Http:Server["a"]`.
    pub(super) fn is_half(&self) -> bool {
        let mut ahead = 0;
        while self.peek(ahead).kind == Kind::Capital && self.peek(ahead + 1).kind == Kind::Colon {
            ahead += 2;
        }
        self.peek(ahead).kind == Kind::Capital && self.peek(ahead + 1).kind == Kind::LBracket
    }

    /// Returns `true` if a statement that begins with a small letter is an edge: `svc["a"] -> …`.
    pub(super) fn is_small_edge(&self) -> bool {
        let mut ahead = 0;
        while self.peek(ahead).kind == Kind::Ident && self.peek(ahead + 1).kind == Kind::Colon {
            ahead += 2;
        }
        if self.peek(ahead).kind != Kind::Ident || self.peek(ahead + 1).kind != Kind::LBracket {
            return false;
        }
        let close =
            (2..LONGEST_NAME).find(|more| matches!(self.peek(ahead + more).kind, Kind::RBracket | Kind::LBrace));
        close.is_some_and(|close| {
            self.peek(ahead + close).kind == Kind::RBracket
                && matches!(self.peek(ahead + close + 1).kind, Kind::Arrow | Kind::Dot)
        })
    }

    /// Reports the first kind without a capital in the edge that begins here.
    fn check_small_edge(&mut self) {
        let line = self.text.get(self.token.start as usize..).and_then(|rest| rest.lines().next()).unwrap_or("").trim();
        let mut inside = 0u32;
        let mut small = None;
        for ahead in 0..LONGEST_NAME {
            let token = self.peek(ahead);
            match token.kind {
                Kind::LBracket => inside += 1,
                Kind::RBracket => inside = inside.saturating_sub(1),
                Kind::Capital | Kind::Colon | Kind::Arrow => {}
                // without an arrow before it, it begins the next statement
                Kind::Ident if inside == 0 => {
                    if ahead > 0 && self.peek(ahead - 1).kind != Kind::Arrow {
                        return;
                    }
                    if self.peek(ahead + 1).kind == Kind::LBracket || self.peek(ahead + 1).kind == Kind::Colon {
                        small = Some(token);
                        break;
                    }
                    return;
                }
                _ if inside > 0 => {}
                _ => return,
            }
        }
        let Some(small) = small else { return };
        // the line with a capital for each kind
        let mut out = String::new();
        let (mut quoted, mut begins) = (false, true);
        for c in line.chars() {
            quoted ^= c == '"';
            match begins && !quoted && c.is_ascii_lowercase() {
                true => out.push(c.to_ascii_uppercase()),
                false => out.push(c),
            }
            begins = !quoted && matches!(c, ' ' | '>' | ':');
        }
        self.fault(self.span_of(small), MclProblem::SmallEdge(Name::from(out)));
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
            let is_small = self.kind() == Kind::Ident && matches!(self.peek(1).kind, Kind::LBracket | Kind::Colon);
            if self.kind() != Kind::Capital && !is_small {
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
