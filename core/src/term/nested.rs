//! A value under a path: `1` and `a.b` give `{ a = { b = 1 } }`.

use super::{FieldDef, FieldMeta, FieldName, Groups, Node, NodeId, RecordLit, Term};
use crate::meta::{Priority, Ranked};
use crate::text::{Name, Span};

impl Term {
    /// Wraps the term in records, one for each name. The innermost field has the priority. `name_span` is the place of
    /// the path, and `whole` that of the definition.
    pub(crate) fn nested(mut self, names: &[Name], name_span: Span, whole: Span, priority: Priority) -> Term {
        for (i, name) in names.iter().enumerate().rev() {
            let priority = if i + 1 == names.len() { priority.clone() } else { Priority::Normal };
            let field = FieldDef {
                name: FieldName::Static(name.clone()),
                name_span,
                span: whole,
                body: Some(self.root),
                included: false,
                plus: false,
                meta: FieldMeta { priority: Ranked { priority, span: None }, ..FieldMeta::NONE }.into(),
            };
            let record = RecordLit {
                extra: None,
                fields: vec![field],
                open: false,
                locals: Vec::new(),
                asserts: Vec::new(),
                groups: Groups::in_order(1),
            };
            self.root = NodeId(self.nodes.len() as u32);
            self.nodes.push(Node::Record(Box::new(record)));
            self.spans.push(whole);
        }
        self
    }
}
