//! Types written as text: the signatures of library functions and the fields of resources.

use crate::term::build::Builder;
use crate::term::{FieldMark, Node, NodeId, RowTail, Term, TyVarId, TypeForm};
use crate::text::{Name, Span};
use std::collections::BTreeMap;

/// Parses a signature to a term that quantifies its variables (`?1`).
pub fn signature(text: &str) -> Term {
    let span = Span::new(crate::dialect::library::SOURCE, 0, 0);
    let mut builder = Builder::with_rules(&crate::term::rules::GRAPHS);
    let mut vars: Vec<Name> = Vec::new();
    for part in text.split('?').skip(1) {
        let digits: String = part.chars().take_while(char::is_ascii_digit).collect();
        let name = Name::from(format!("?{digits}"));
        if !digits.is_empty() && !vars.contains(&name) {
            vars.push(name);
        }
    }
    let ids: Vec<TyVarId> = builder.open_forall(vars.into_iter().map(|name| (name, span)));
    let mut root = form(&mut builder, text, span);
    if !ids.is_empty() {
        builder.close_forall(ids.len());
        root = builder.push(Node::Type(Box::new(TypeForm::Forall(ids, root))), span);
    }
    builder.finish(root)
}

/// Returns `true` for a text that is a type as a table of kinds may have it.
pub fn is_type(text: &str) -> bool {
    let mut builder = Builder::with_rules(&crate::term::rules::GRAPHS);
    let span = Span::new(crate::dialect::library::SOURCE, 0, 0);
    let mut parser = Parser { builder: &mut builder, rest: text.trim(), span, depth: 0, is_wrong: false };
    parser.ty();
    !parser.is_wrong && parser.rest.trim().is_empty()
}

/// Parses a type. `any`, `variant` and text that cannot be parsed stand for any type.
pub fn form(builder: &mut Builder, text: &str, span: Span) -> NodeId {
    let mut parser = Parser { builder, rest: text.trim(), span, depth: 0, is_wrong: false };
    parser.ty()
}

/// Makes the type of structs in which each of these fields is optional.
pub fn any_of(builder: &mut Builder, fields: &BTreeMap<Name, Name>, span: Span) -> NodeId {
    let typed: Vec<(Name, Span, NodeId)> =
        fields.iter().map(|(name, ty)| (name.clone(), span, form(builder, ty, span))).collect();
    let marks = fields.keys().map(|name| (name.clone(), FieldMark::Optional)).collect();
    let form = TypeForm::Record { fields: typed, marks, tail: RowTail::Closed };
    builder.push(Node::Type(Box::new(form)), span)
}

struct Parser<'b, 't> {
    builder: &'b mut Builder,
    rest: &'t str,
    span: Span,
    depth: u32,
    /// Whether a part was not a type.
    is_wrong: bool,
}

impl<'t> Parser<'_, 't> {
    fn eat(&mut self, text: &str) -> bool {
        self.rest = self.rest.trim_start();
        match self.rest.strip_prefix(text) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    /// Consumes a required text.
    fn need(&mut self, text: &str) {
        if !self.eat(text) {
            self.is_wrong = true;
        }
    }

    fn word(&mut self) -> &'t str {
        self.rest = self.rest.trim_start();
        let end = self.rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        word
    }

    fn push(&mut self, form: TypeForm) -> NodeId {
        self.builder.push(Node::Type(Box::new(form)), self.span)
    }

    fn ty(&mut self) -> NodeId {
        self.depth += 1;
        if self.depth > 200 {
            self.is_wrong = true;
            return self.push(TypeForm::Wildcard);
        }
        let node = self.ty_here();
        self.depth -= 1;
        node
    }

    fn ty_here(&mut self) -> NodeId {
        if self.eat("[]") {
            let item = self.ty();
            return self.push(TypeForm::Array(item));
        }
        if self.eat("?") {
            let name = Name::from(format!("?{}", self.word()));
            let var = self.builder.ty_var(&name);
            return self.push(var.map_or(TypeForm::Wildcard, TypeForm::Var));
        }
        let form = match self.word() {
            "bool" => TypeForm::Bool,
            "str" => TypeForm::String,
            "int" | "int8" | "int16" | "int32" | "int64" | "uint8" | "uint16" | "uint32" | "uint64" => TypeForm::Int,
            "float" => TypeForm::Float,
            "map" if self.eat("{") => {
                let key = self.ty();
                self.need(":");
                let value = self.ty();
                self.need("}");
                TypeForm::Map(key, value)
            }
            "struct" if self.eat("{") => {
                let mut fields = Vec::new();
                while !self.eat("}") {
                    let name = Name::new(self.word());
                    let ty = self.ty();
                    fields.push((name, self.span, ty));
                    if !self.eat(";") && !self.rest.trim_start().starts_with('}') {
                        self.is_wrong = true;
                        break;
                    }
                }
                TypeForm::Struct(fields)
            }
            "func" if self.eat("(") => {
                let mut params = Vec::new();
                while !self.eat(")") {
                    params.push(self.parameter());
                    if !self.eat(",") && !self.rest.trim_start().starts_with(')') {
                        self.is_wrong = true;
                        break;
                    }
                }
                let result = self.ty();
                TypeForm::Func(params, result)
            }
            "any" | "variant" | "struct" => TypeForm::Wildcard,
            _ => {
                self.is_wrong = true;
                TypeForm::Wildcard
            }
        };
        self.push(form)
    }

    /// Parses `int` or `name int`.
    fn parameter(&mut self) -> NodeId {
        let before = self.rest;
        let word = self.word();
        let named = !word.is_empty()
            && !matches!(word, "bool" | "str" | "int" | "float" | "map" | "struct" | "func" | "any" | "variant")
            && !self.rest.trim_start().starts_with([',', ')']);
        if !named {
            self.rest = before;
        }
        self.ty()
    }
}
