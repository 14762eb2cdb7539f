//! Objects.

use super::Parser;
use crate::dialect::jsonnet::problem::{JsonnetProblem, Mistake, NamePlace, NotInComprehension};
use crate::dialect::jsonnet::token::Kind;
use crate::dialect::jsonnet::tree::{Expr, Field, FieldName, Id, Object};
use crate::dialect::parser::TokenKind;
use crate::meta::Visibility;
use crate::text::{Name, Span};

/// The comments above a definition.
type Doc = Option<(Name, Span)>;

impl Parser<'_> {
    /// Parses `{ … }`.
    pub(super) fn object(&mut self) -> Id {
        let opening = self.open();
        let mut object = Object::default();
        while self.kind() != Kind::RBrace && self.kind() != Kind::Eof && !self.closes_outer(Kind::RBrace) {
            let before = self.at;
            // `for: 1` is a field whose name needs quotes
            if self.kind() == Kind::For && !self.peek(1).kind.is_colon() {
                object.clauses = self.comprehension(&object);
                if self.kind() == Kind::Comma && self.peek(1).kind.starts_member() && !self.is_reported() {
                    self.bump();
                    let here = self.here();
                    self.fault(here, JsonnetProblem::Comprehension(NotInComprehension::FieldAfter));
                    self.skip_to(&[Kind::RBrace]);
                }
                break;
            }
            self.member(&mut object);
            if self.kind() == Kind::For && self.at != before {
                continue;
            }
            if !self.separated(before, Kind::RBrace, Kind::starts_member, &["`,`", "`}`"]) {
                break;
            }
        }
        self.close(opening, Kind::RBrace, &["`,`", "`}`"]);
        let span = self.since(opening.start);
        self.tree.add(Expr::Object(Box::new(object)), span)
    }

    /// Parses the clauses after the only field of an object.
    fn comprehension(&mut self, object: &Object) -> Vec<crate::dialect::jsonnet::tree::Clause> {
        let here = self.here();
        let mut fault = |span: Span, what| self.fault(span, JsonnetProblem::Comprehension(what));
        match object.fields.as_slice() {
            [field] => {
                if matches!(field.name, FieldName::Static(_)) {
                    fault(field.name_span, NotInComprehension::Static);
                } else if field.visibility != Visibility::Inherit {
                    fault(field.span, NotInComprehension::Hidden);
                }
            }
            [] => fault(here, NotInComprehension::NoField),
            [_, second, ..] => fault(second.span, NotInComprehension::Fields),
        }
        if !object.asserts.is_empty() {
            fault(here, NotInComprehension::Asserts);
        }
        self.clauses()
    }

    fn member(&mut self, object: &mut Object) {
        let start = self.token.start;
        match self.kind() {
            // `local: 1` is a field whose name needs quotes
            Kind::Local if !self.peek(1).kind.is_colon() => {
                self.bump();
                // unlike in an expression, only one binding: `,` ends it
                object.locals.push(self.binding());
            }
            Kind::Assert if !self.peek(1).kind.is_colon() => {
                self.bump();
                object.asserts.push(self.asserted());
            }
            kind if kind.starts_member() || kind.is_reserved() || kind == Kind::Number => self.field(start, object),
            _ => {
                let mistake = match (self.kind(), self.peek(1).kind) {
                    (Kind::Dot, Kind::Dot) => Some(Mistake::Spread),
                    (Kind::LParen, _) => Some(Mistake::Brackets),
                    _ => None,
                };
                self.unexpected_as(&["a field", "`}`"], mistake);
                self.skip_to(&[Kind::Comma, Kind::RBrace]);
            }
        }
    }

    fn field(&mut self, start: u32, object: &mut Object) {
        let doc = self.doc();
        let Some((name, name_span)) = self.field_name() else {
            self.skip_to(&[Kind::Comma, Kind::RBrace]);
            return;
        };
        let params = (self.kind() == Kind::LParen).then(|| (self.token.start, self.parameters()));
        let (visibility, plus) = match self.kind() {
            Kind::Colon => (Visibility::Inherit, false),
            Kind::Colon2 => (Visibility::Hidden, false),
            Kind::Colon3 => (Visibility::Forced, false),
            Kind::PlusColon => (Visibility::Inherit, true),
            Kind::PlusColon2 => (Visibility::Hidden, true),
            Kind::PlusColon3 => (Visibility::Forced, true),
            _ => {
                self.no_colon((start, doc), name, name_span, object);
                return;
            }
        };
        if let (true, Some(_), FieldName::Static(name)) = (plus, &params, &name) {
            self.fault(name_span, JsonnetProblem::PlusMethod(name.clone()));
        }
        self.bump();
        let mut value = self.field_value();
        if let Some((start, params)) = params {
            let span = self.since(start);
            value = self.tree.add(Expr::Function(params.into(), value), span);
        }
        let span = self.since(start);
        object.fields.push(Field { name, name_span, visibility, plus, value, doc, span });
    }

    fn field_value(&mut self) -> Id {
        if self.kind().starts_term() || self.slice(self.token) == "`" {
            return self.term();
        }
        self.unexpected(&["an expression"]);
        let skip = self.kind() == Kind::Error || (self.kind().is_reserved() && self.kind() != Kind::For);
        let hole = self.hole();
        if skip {
            self.bump();
        }
        hole
    }

    /// Handles a field name without a colon after it: `a = 1`, `a 1`, `a.b: 1`.
    fn no_colon(&mut self, (start, doc): (u32, Doc), name: FieldName, name_span: Span, object: &mut Object) {
        let mistake = match self.kind() {
            Kind::Equals => Some(Mistake::ColonForEquals),
            Kind::Dot if self.peek(1).kind == Kind::Ident => Some(Mistake::NestedField),
            Kind::Plus if self.peek(1).kind.is_colon() => Some(Mistake::PlusColon),
            Kind::Plus if self.peek(1).kind == Kind::Equals => Some(Mistake::PlusEquals),
            Kind::LBracket if self.peek(1).kind == Kind::Number => Some(Mistake::ElementField),
            Kind::Minus | Kind::Slash | Kind::Error => Some(Mistake::QuotedField),
            Kind::Comma | Kind::RBrace if matches!(name, FieldName::Static(_)) => Some(Mistake::FieldValue),
            // `name 'x'`
            kind if (kind.is_string()
                || matches!(kind, Kind::Number | Kind::LBrace | Kind::True | Kind::False | Kind::Null))
                && !self.peek(1).kind.is_colon()
                && !self.gap().contains('\n') =>
            {
                Some(Mistake::MissingColon)
            }
            _ => None,
        };
        self.unexpected_as(&["`:`", "`::`", "`+:`"], mistake);
        let mut value = None;
        match mistake {
            Some(Mistake::ColonForEquals) => {
                self.bump();
                value = Some(self.field_value());
            }
            Some(Mistake::PlusColon) => {
                self.bump();
                self.bump();
                value = Some(self.field_value());
            }
            Some(Mistake::MissingColon) => value = Some(self.term()),
            Some(_) => self.skip_to(&[Kind::Comma, Kind::RBrace]),
            None if matches!(self.kind(), Kind::Comma | Kind::RBrace | Kind::Eof) => {}
            None if self.kind().starts_term() => value = Some(self.term()),
            None => self.skip_to(&[Kind::Comma, Kind::RBrace]),
        }
        let value = value.unwrap_or_else(|| self.hole());
        let span = self.since(start);
        object.fields.push(Field { name, name_span, visibility: Visibility::Inherit, plus: false, value, doc, span });
    }

    fn field_name(&mut self) -> Option<(FieldName, Span)> {
        match self.kind() {
            Kind::LBracket => {
                let opening = self.open();
                let name = self.term();
                self.close(opening, Kind::RBracket, &["`]`"]);
                Some((FieldName::Computed(name), self.since(opening.start)))
            }
            kind if kind.is_string() => {
                let text = self.string();
                Some((FieldName::Static(text.name), text.span))
            }
            Kind::Cursor => {
                let token = self.bump();
                let span = self.span_of(token);
                let cursor = self.tree.add(Expr::Cursor, span);
                Some((FieldName::Computed(cursor), span))
            }
            Kind::Number => {
                let here = self.span_of(self.token);
                self.unexpected_as(&["a field name"], Some(Mistake::QuotedName));
                let token = self.bump();
                Some((FieldName::Static(self.name_of(token)), here))
            }
            _ => {
                let name = self.name(NamePlace::Field, "a field name");
                if name.name.is_empty() {
                    return None;
                }
                Some((FieldName::Static(name.name), name.span))
            }
        }
    }
}
