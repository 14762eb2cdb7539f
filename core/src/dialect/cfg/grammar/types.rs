//! Syntax that only types have: `forall`, enum rows, dictionaries.

use super::Parser;
use crate::dialect::cfg::problem::CfgProblem;
use crate::dialect::cfg::token::Kind;
use crate::dialect::cfg::tree::{EnumRow, Expr, Id, Spanned};
use crate::text::Name;

impl Parser<'_> {
    /// Parses `forall a b. T`.
    pub(super) fn forall(&mut self) -> Id {
        let start = self.bump().start;
        let mut vars = Vec::new();
        while self.kind().is_name() {
            let token = self.bump();
            vars.push(Spanned { name: self.name_of(token), span: self.span_of(token) });
        }
        if vars.is_empty() {
            self.unexpected(&["a type variable"]);
        }
        let body = if self.eat(Kind::Dot) {
            self.ty()
        } else {
            self.unexpected(&["a type variable", "`.`"]);
            self.hole()
        };
        let span = self.since(start);
        self.tree.add(Expr::Forall(vars.into(), body), span)
    }

    /// Parses `[| 'A, 'B T; r |]`.
    pub(super) fn enum_type(&mut self) -> Id {
        let opening = self.open();
        let mut rows = Vec::new();
        let mut tail = None;
        while !matches!(self.kind(), Kind::EnumClose | Kind::Eof) && !self.closes_outer(Kind::EnumClose) {
            let before = self.at;
            match self.kind() {
                Kind::Tag | Kind::TagStrOpen => {
                    if let Some(tag) = self.tag_name() {
                        let ty = self.kind().starts_atom().then(|| self.atom());
                        rows.push(EnumRow { tag, ty });
                    }
                }
                Kind::Semicolon => tail = self.row_tail(),
                _ => self.unexpected(&["an enum tag", "`|]`"]),
            }
            if self.kind() != Kind::Semicolon && !self.separated(before, Kind::EnumClose, &["`,`", "`;`", "`|]`"]) {
                break;
            }
        }
        self.close(opening, Kind::EnumClose, &["`,`", "`|]`"]);
        let span = self.since(opening.start);
        self.tree.add(Expr::EnumType(rows.into(), tail.map(Box::new)), span)
    }

    /// Parses `; r` or `; Dyn`.
    pub(super) fn row_tail(&mut self) -> Option<Spanned> {
        let semicolon = self.at;
        self.bump();
        if self.kind().opens_string() && self.has_no_reports() {
            // `{ "a" = 1; "b" = 2 }`
            let (found, expected) = (Some(Name::new_static(";")), vec![Name::new_static("`,`")]);
            let before = self.line_before();
            self.report_at(semicolon, CfgProblem::Unexpected { found, expected, before, comma_after: None });
            self.take_for_reported(self.at);
            return None;
        }
        if !self.kind().is_name() && self.kind() != Kind::Dyn {
            self.unexpected(&["a row variable"]);
            return None;
        }
        let token = self.bump();
        Some(Spanned { name: self.name_of(token), span: self.span_of(token) })
    }

    /// Parses a dictionary type or a record.
    pub(super) fn braces(&mut self) -> Id {
        if self.peek(1).kind != Kind::Underscore || !matches!(self.peek(2).kind, Kind::Colon | Kind::Pipe) {
            return self.record();
        }
        let opening = self.open();
        self.bump();
        let contract = self.bump().kind == Kind::Pipe;
        let item = self.ty();
        self.close(opening, Kind::RBrace, &["`}`"]);
        let span = self.since(opening.start);
        self.tree.add(Expr::Dict(item, contract), span)
    }
}
