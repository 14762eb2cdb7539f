//! Records.

use super::Parser;
use crate::dialect::cfg::token::Kind;
use crate::dialect::cfg::tree::{Expr, Field, Id, PathPart, Record, Spanned};
use crate::term::FieldMark;

impl Parser<'_> {
    /// Parses `{ … }`.
    pub(super) fn record(&mut self) -> Id {
        let condition = std::mem::replace(&mut self.state.condition, false);
        let opening = self.open();
        let mut record = Record::default();
        // several of them are one mistake
        let mut has_semicolons = false;
        while !matches!(self.kind(), Kind::RBrace | Kind::Eof) && !self.closes_outer(Kind::RBrace) {
            let before = self.at;
            if self.unclosed_before_comma(opening) {
                let span = self.since(opening.start);
                return self.tree.add(Expr::Record(Box::new(record)), span);
            }
            match self.kind() {
                Kind::Ellipsis => {
                    self.bump();
                    record.open = true;
                }
                // `{ a = 1; b = 2 }`
                Kind::Semicolon if self.field_after_semicolon() || self.peek(1).kind == Kind::RBrace => {
                    if !has_semicolons {
                        self.unexpected(&["`,`"]);
                    }
                    has_semicolons = true;
                    self.bump();
                    continue;
                }
                Kind::Semicolon => record.tail = self.row_tail(),
                Kind::Include if self.peek(1).kind.is_field_name() || self.peek(1).kind == Kind::LBracket => {
                    self.include(&mut record.fields);
                }
                _ if self.foreign_definition() => {}
                _ if self.starts_field() => {
                    let field = self.field();
                    record.fields.push(field);
                }
                _ if condition && self.is_after(Kind::LBrace) && !self.is_at_end() => self.braces_of_branch(),
                _ => self.unexpected(&["a field name", "`}`"]),
            }
            if self.eat(Kind::Comma) || matches!(self.kind(), Kind::RBrace | Kind::Semicolon | Kind::Eof) {
                if self.at == before {
                    break;
                }
                continue;
            }
            self.comprehension();
            self.unexpected(&["`,`", "`}`"]);
            if self.starts_field() && self.at > before {
                // only the comma is missing
                continue;
            }
            self.skip_to(&[Kind::Comma, Kind::RBrace]);
            self.eat(Kind::Comma);
            if self.at == before {
                break;
            }
        }
        self.close(opening, Kind::RBrace, &["`,`", "`}`"]);
        let span = self.since(opening.start);
        self.tree.add(Expr::Record(Box::new(record)), span)
    }

    fn starts_field(&self) -> bool {
        let kind = self.kind();
        kind.is_field_name()
            || kind.opens_string()
            || kind == Kind::Cursor
            // a reserved word that was meant as a name
            || (kind.is_reserved()
                && matches!(self.peek(1).kind, Kind::Equals | Kind::Pipe | Kind::Colon | Kind::Comma | Kind::Dot))
    }

    fn field_after_semicolon(&self) -> bool {
        self.peek(1).kind.is_field_name()
            && matches!(self.peek(2).kind, Kind::Equals | Kind::Colon | Kind::Pipe | Kind::Dot | Kind::Comma)
    }

    fn field(&mut self) -> Field {
        let start = self.token.start;
        let mut path = vec![self.path_part()];
        while self.eat(Kind::Dot) {
            path.push(self.path_part());
        }
        let mark = self.mark(&path);
        let metas = self.metas();
        let value = self.eat(Kind::Equals).then(|| self.term());
        Field { path, mark, include: false, metas, value, span: self.since(start) }
    }

    /// Parses the mark of `a? : T` or `a! : T` in a record type.
    fn mark(&mut self, path: &[PathPart]) -> Option<FieldMark> {
        let mark = match self.kind() {
            Kind::Question => FieldMark::Optional,
            Kind::Bang => FieldMark::Declared,
            _ => return None,
        };
        if self.peek(1).kind != Kind::Colon || !matches!(path, [PathPart::Name(_)]) {
            return None;
        }
        self.bump();
        Some(mark)
    }

    fn path_part(&mut self) -> PathPart {
        if self.kind().opens_string() {
            let id = self.string();
            return match self.tree.expr(id) {
                Expr::Str(text) => PathPart::Name(Spanned { name: text.clone(), span: self.tree.span(id) }),
                _ => PathPart::Dynamic(id),
            };
        }
        if self.kind() == Kind::Cursor {
            let token = self.bump();
            let span = self.span_of(token);
            return PathPart::Dynamic(self.tree.add(Expr::Cursor, span));
        }
        if !self.kind().is_field_name() {
            self.unexpected(&["a field name"]);
            if !self.kind().is_reserved() {
                let hole = self.hole();
                return PathPart::Dynamic(hole);
            }
        }
        let token = self.bump();
        PathPart::Name(Spanned { name: self.name_of(token), span: self.span_of(token) })
    }

    /// Parses `include a` or `include [a, b]`.
    fn include(&mut self, fields: &mut Vec<Field>) {
        let start = self.bump().start;
        if self.kind() != Kind::LBracket {
            let path = vec![self.path_part()];
            let metas = self.metas();
            fields.push(Field { path, mark: None, include: true, metas, value: None, span: self.since(start) });
            return;
        }
        let opening = self.open();
        while self.kind().is_field_name() {
            let start = self.token.start;
            let path = vec![self.path_part()];
            fields.push(Field {
                path,
                mark: None,
                include: true,
                metas: Vec::new(),
                value: None,
                span: self.since(start),
            });
            if !self.eat(Kind::Comma) {
                break;
            }
        }
        self.close(opening, Kind::RBracket, &["a name", "`,`", "`]`"]);
    }
}
