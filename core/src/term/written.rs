//! The fields of a term's record that its text shows.

use super::{FieldName, Import, Node, NodeId, Term};
use crate::text::{Name, Span};
use rustc_hash::FxHashSet;

impl Term {
    /// Returns the names of the fields of the record that the term makes, as far as its text shows them, in source order. Hidden
    /// fields are among them. `O(fields)`.
    pub fn written_fields(&self) -> Vec<Name> {
        let mut names = Vec::new();
        for part in self.composed() {
            if let Node::Record(literal) = self.node(part) {
                names.extend(literal.fields.iter().filter_map(|field| match &field.name {
                    FieldName::Static(name) => Some(name.clone()),
                    FieldName::Computed(_) => None,
                }));
            }
        }
        names
    }

    /// Returns the names of one or two characters of the term's fields and variables. `O(term)`.
    pub fn short_names(&self) -> FxHashSet<Name> {
        let mut out = FxHashSet::default();
        let mut add = |name: &Name| {
            if name.len() <= 2 {
                out.insert(name.clone());
            }
        };
        for node in &self.nodes {
            match node {
                Node::Record(record) => record.fields.iter().for_each(|field| {
                    if let FieldName::Static(name) = &field.name {
                        add(name);
                    }
                }),
                Node::Lambda(lambda) => lambda.slots.iter().for_each(&mut add),
                Node::Let(binding) => binding.slots.iter().for_each(&mut add),
                Node::Project(_, name) | Node::Global(name) => add(name),
                _ => {}
            }
        }
        out
    }

    /// Returns the files whose records are layers of the record that the term makes, with the places of the imports.
    pub fn composed_imports(&self) -> Vec<(Import, Span)> {
        let imports = self.composed().into_iter().filter_map(|part| match self.node(part) {
            Node::Import(import) => Some(((**import).clone(), self.span(part))),
            _ => None,
        });
        imports.collect()
    }

    /// Returns the parts of which the term's record is composed, in source order.
    fn composed(&self) -> Vec<NodeId> {
        let (mut parts, mut work) = (Vec::new(), vec![self.root]);
        while let Some(id) = work.pop() {
            match self.node(id) {
                Node::Inherit(layers) => work.extend(layers.iter().rev()),
                Node::Merge(layers) => work.extend(layers.iter().rev()),
                Node::Let(bound) => work.push(bound.body),
                _ => parts.push(id),
            }
        }
        parts
    }
}
