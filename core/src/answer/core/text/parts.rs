//! Patterns and types of the core language.

use super::Printer;
use crate::styled::Role;
use crate::term::{FieldMark, PatId, PatKind, Rest, RowTail, TyVarId, TypeForm};
use crate::text::Name;

impl Printer<'_> {
    pub(super) fn pattern(&mut self, id: PatId, slots: &[Name]) {
        let term = self.term;
        let slot = |slot: u32| slots.get(slot as usize).cloned().unwrap_or_else(|| Name::new_static("_"));
        crate::deep::deeper(|| match &term.pat(id).kind {
            PatKind::Any => self.op("_"),
            PatKind::Bind(s) => self.name(&slot(*s)),
            PatKind::As(s, inner) => {
                self.name(&slot(*s));
                self.op(" @ ");
                self.pattern(*inner, slots);
            }
            PatKind::Const(node) => self.node(*node),
            PatKind::Tag(tag) => self.out.text(Role::Tag, format!("'{tag}")),
            PatKind::Variant(tag, inner) => {
                self.out.text(Role::Tag, format!("'{tag} "));
                self.pattern(*inner, slots);
            }
            PatKind::Record(fields, rest) => {
                self.op("{ ");
                for (at, field) in fields.iter().enumerate() {
                    if at > 0 {
                        self.op(", ");
                    }
                    self.name(&field.name);
                    self.annots(&field.annots);
                    if let Some(default) = field.default {
                        self.op(" ? ");
                        self.node(default);
                    }
                    self.op(" = ");
                    self.pattern(field.pat, slots);
                }
                self.rest(*rest, slots, !fields.is_empty());
                self.op(" }");
            }
            PatKind::Array(items, rest) => {
                self.op("[");
                for (at, item) in items.iter().enumerate() {
                    if at > 0 {
                        self.op(", ");
                    }
                    self.pattern(*item, slots);
                }
                self.rest(*rest, slots, !items.is_empty());
                self.op("]");
            }
            PatKind::Or(all) => {
                for (at, pat) in all.iter().enumerate() {
                    if at > 0 {
                        self.word(" or ");
                    }
                    self.pattern(*pat, slots);
                }
            }
        });
    }

    fn rest(&mut self, rest: Rest, slots: &[Name], after: bool) {
        let text = match rest {
            Rest::Closed => return,
            Rest::Open => String::from(".."),
            Rest::Bind(slot) => format!("..{}", slots.get(slot as usize).map_or("_", |name| name.as_str())),
        };
        self.op(if after { ", " } else { "" });
        self.op(&text);
    }

    pub(super) fn form(&mut self, form: &TypeForm) {
        match form {
            TypeForm::Dyn => self.out.text(Role::Type, "Dyn"),
            TypeForm::Number => self.out.text(Role::Type, "Number"),
            TypeForm::String => self.out.text(Role::Type, "String"),
            TypeForm::Bool => self.out.text(Role::Type, "Bool"),
            TypeForm::Wildcard => self.out.text(Role::Type, "_"),
            TypeForm::Int => self.out.text(Role::Type, "int"),
            TypeForm::Float => self.out.text(Role::Type, "float"),
            TypeForm::Map(key, value) => {
                self.out.text(Role::Type, "map");
                self.op("{");
                self.node(*key);
                self.op(": ");
                self.node(*value);
                self.op("}");
            }
            TypeForm::Struct(fields) => {
                self.out.text(Role::Type, "struct");
                self.op("{");
                for (i, (name, _, ty)) in fields.iter().enumerate() {
                    self.op(if i > 0 { "; " } else { "" });
                    self.out.text(Role::Name, format!("{name} "));
                    self.node(*ty);
                }
                self.op("}");
            }
            TypeForm::Func(params, result) => {
                self.out.text(Role::Type, "func");
                self.op("(");
                for (i, ty) in params.iter().enumerate() {
                    self.op(if i > 0 { ", " } else { "" });
                    self.node(*ty);
                }
                self.op(") ");
                self.node(*result);
            }
            TypeForm::Array(inner) => {
                self.out.text(Role::Type, "Array ");
                self.node(*inner);
            }
            TypeForm::Fun(a, b) => {
                self.op("(");
                self.node(*a);
                self.op(" -> ");
                self.node(*b);
                self.op(")");
            }
            TypeForm::Dict { item, contract } => {
                self.op(if *contract { "{ _ | " } else { "{ _ : " });
                self.node(*item);
                self.op(" }");
            }
            TypeForm::Record { fields, marks, tail } => {
                self.op("{ ");
                for (at, (name, _, ty)) in fields.iter().enumerate() {
                    if at > 0 {
                        self.op(", ");
                    }
                    self.name(name);
                    self.op(match marks.iter().find(|(n, _)| n == name) {
                        Some((_, FieldMark::Optional)) => "? : ",
                        Some((_, FieldMark::Declared)) => "! : ",
                        None => " : ",
                    });
                    self.node(*ty);
                }
                self.tail(*tail);
                self.op(" }");
            }
            TypeForm::Enum { tags, tail } => {
                self.op("[| ");
                for (at, (tag, _, ty)) in tags.iter().enumerate() {
                    if at > 0 {
                        self.op(", ");
                    }
                    self.out.text(Role::Tag, format!("'{tag}"));
                    if let Some(ty) = ty {
                        self.op(" ");
                        self.node(*ty);
                    }
                }
                self.tail(*tail);
                self.op(" |]");
            }
            TypeForm::Forall(vars, inner) => {
                self.word("forall");
                for var in vars {
                    self.op(" ");
                    self.variable(*var);
                }
                self.op(". ");
                self.node(*inner);
            }
            TypeForm::Var(var) => self.variable(*var),
        }
    }

    fn variable(&mut self, var: TyVarId) {
        let name = self.term.ty_vars.get(var.0 as usize).map_or("_", |(name, _)| name.as_str());
        self.out.text(Role::Type, name);
    }

    fn tail(&mut self, tail: RowTail) {
        match tail {
            RowTail::Closed => {}
            RowTail::Dyn => self.op(" ; Dyn"),
            RowTail::Var(var) => {
                self.op(" ; ");
                self.variable(var);
            }
        }
    }
}
