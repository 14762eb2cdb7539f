//! Finds the text of a field in a file.

use crate::term::{FieldDef, FieldName, Node, NodeId, Prim, RecordLit, Term};
use crate::text::Span;
use crate::text::path::Step;

/// Returns the content of a file: below the anchors of a data file.
pub(super) fn content(term: &Term) -> NodeId {
    match term.node(term.root) {
        Node::Let(anchors) => anchors.body,
        _ => term.root,
    }
}

/// Follows an alias to its anchor, and a tag to its value.
pub(super) fn followed(term: &Term, mut node: NodeId) -> NodeId {
    // an anchor may contain itself
    for _ in 0..64 {
        node = match (term.node(node), term.node(term.root)) {
            (Node::Local { slot, .. }, Node::Let(anchors)) => match anchors.bindings.get(*slot as usize) {
                Some(binding) => binding.body,
                None => return node,
            },
            (Node::Variant(_, argument), _) => *argument,
            _ => return node,
        };
    }
    node
}

/// Returns the definition of a field, the last one if there are several.
pub(super) fn field<'t>(record: &'t RecordLit, name: &str) -> Option<&'t FieldDef> {
    record.fields.iter().rev().find(|field| matches!(&field.name, FieldName::Static(own) if own == name))
}

/// Returns the node with a span, the outermost one if there are several.
pub(super) fn node_at(term: &Term, span: Span) -> Option<NodeId> {
    term.spans.iter().rposition(|own| *own == span).map(|id| NodeId(id as u32))
}

/// Returns the value of a field of a merge key in YAML, which is written in the mapping that is merged.
fn written(term: &Term, node: NodeId) -> NodeId {
    let Node::Project(record, name) = term.node(node) else { return node };
    match term.node(followed(term, *record)) {
        Node::Record(record) => field(record, name).and_then(|field| field.body).unwrap_or(node),
        _ => node,
    }
}

/// Returns the node of the value at a path below a node. If the path ends before, returns the deepest node on it and the
/// number of steps to that node.
pub(super) fn find(term: &Term, mut node: NodeId, path: &[Step]) -> Result<NodeId, (NodeId, usize)> {
    for (depth, step) in path.iter().enumerate() {
        let inner = followed(term, node);
        let next = match (step, term.node(inner)) {
            (Step::Field(name), Node::Record(record)) => {
                let body = field(record, name).and_then(|field| field.body);
                // the field of a merge key is written elsewhere
                body.filter(|body| !matches!(term.node(*body), Node::Project(..)))
            }
            (Step::Index(i), Node::Array(items)) => items.get(*i).copied(),
            _ => None,
        };
        node = next.ok_or((inner, depth))?;
    }
    Ok(node)
}

/// Returns whether the node with a span is data: a literal, or an array or record of literals.
pub(super) fn is_literal(term: &Term, span: Span) -> bool {
    let found = node_at(term, span).map(|node| written(term, node));
    let mut work: Vec<NodeId> = found.into_iter().collect();
    let is_some = !work.is_empty();
    while let Some(node) = work.pop() {
        match term.node(node) {
            Node::Null | Node::Bool(_) | Node::Number(_) | Node::Str(_) | Node::Tag(_) => {}
            // an alias is replaced by the value
            Node::Local { .. } if matches!(term.node(term.root), Node::Let(_)) => {}
            Node::Array(items) => work.extend(items.iter()),
            Node::Prim(Prim::Neg, operand) => work.extend(operand.iter()),
            Node::Variant(_, argument) => work.push(*argument),
            Node::Record(record) => work.extend(record.fields.iter().filter_map(|field| field.body)),
            _ => return false,
        }
    }
    is_some
}
