//! Object literals and comprehensions.

use super::{EnclosingObject, Lower};
use crate::dialect::jsonnet::problem::{DuplicateKind, JsonnetProblem};
use crate::dialect::jsonnet::tree::{Binding, Expr, FieldName, Object};
use crate::dialect::parser::Focus;
use crate::meta::Visibility;
use crate::term::{self, FieldDef, FieldMeta, Node, NodeId, RecordLit};
use crate::text::{Name, Span};
use rustc_hash::FxHashMap;

impl<'a> Lower<'a> {
    /// Lowers an object literal or comprehension. `base` is the object that it extends in `e { … }`.
    pub(super) fn object(&mut self, object: &'a Object, base: Option<NodeId>, span: Span) -> NodeId {
        if object.clauses.is_empty() {
            return self.literal(object, base, span);
        }
        self.comprehension(&object.clauses, true, span, |lower| lower.literal(object, base, span))
    }

    fn literal(&mut self, object: &'a Object, base: Option<NodeId>, span: Span) -> NodeId {
        let tree = self.tree;
        // computed names are outside the frame
        let mut names = Vec::with_capacity(object.fields.len());
        let mut seen: FxHashMap<&Name, Span> = FxHashMap::default();
        for field in &object.fields {
            names.push(match &field.name {
                FieldName::Static(name) => {
                    if let Some(first) = seen.insert(name, field.name_span) {
                        let what = DuplicateKind::Field;
                        self.problem(field.name_span, JsonnetProblem::Duplicate { name: name.clone(), what, first });
                    }
                    term::FieldName::Static(name.clone())
                }
                FieldName::Computed(id) => {
                    let node = self.expr(*id);
                    if matches!(tree.expr(*id), Expr::Cursor) {
                        self.focus = Some(Focus::FieldName(base));
                    }
                    term::FieldName::Computed(node)
                }
            });
        }
        self.state.objects.push(EnclosingObject { depth: self.builder.depth() + 1, object, base });
        self.builder.open();
        self.builder.anonymous_slot();
        let count = object.fields.len() as u32;
        for (index, field) in object.fields.iter().enumerate() {
            match &field.name {
                FieldName::Static(name) => self.builder.declare_field(name.clone(), index as u32),
                FieldName::Computed(_) => self.builder.reserve(index as u32),
            }
        }
        let slots = self.declare(&object.locals, count);
        let mut fields = Vec::with_capacity(object.fields.len());
        for (index, (field, name)) in object.fields.iter().zip(names).enumerate() {
            self.builder.enter(Some(index as u32));
            let body = Some(self.expr(field.value));
            let meta = FieldMeta { visibility: field.visibility, doc: field.doc.clone(), ..FieldMeta::NONE }.into();
            let (name_span, span, plus) = (field.name_span, field.span, field.plus);
            fields.push(FieldDef { name, name_span, span, body, included: false, plus, meta });
        }
        let locals = self.bodies(&object.locals, slots, count);
        let mut asserts = Vec::with_capacity(object.asserts.len());
        for assert in &object.asserts {
            let condition = self.expr(assert.condition);
            asserts.push((condition, assert.message.map(|m| self.expr(m))));
        }
        let (_, groups) = self.builder.close();
        self.state.objects.pop();
        let literal = RecordLit { extra: None, fields, open: false, locals, asserts, groups };
        self.push(Node::Record(Box::new(literal)), span)
    }

    /// Lowers `{ a: a, b: b }`, whose values are the variables of the bindings.
    pub(super) fn gather(&mut self, bindings: &[Binding], span: Span) -> NodeId {
        self.builder.open();
        self.builder.anonymous_slot();
        (0..bindings.len() as u32).for_each(|i| self.builder.reserve(i));
        let mut fields = Vec::with_capacity(bindings.len());
        for binding in bindings {
            let (name, at) = (&binding.name.name, binding.name.span);
            let body = Some(self.builder.variable(name, at));
            let meta = FieldMeta { visibility: Visibility::Inherit, ..FieldMeta::NONE }.into();
            let name = term::FieldName::Static(name.clone());
            fields.push(FieldDef { name, name_span: at, span: at, body, included: false, plus: false, meta });
        }
        let (_, groups) = self.builder.close();
        let literal = RecordLit { extra: None, fields, open: false, locals: Vec::new(), asserts: Vec::new(), groups };
        self.push(Node::Record(Box::new(literal)), span)
    }
}
