//! What one record says of one of its fields, as a comparison of records needs it: the metadata of the final field and where
//! its strongest definition stands. Nothing but guards is evaluated.

use super::record::{Field, Record};
use super::stack::{Definition, combine};
use super::{Fault, Machine};
use crate::term::{Node, NodeId, Term};
use crate::text::{Name, Span};

/// What a record says of a field.
#[derive(Clone)]
pub struct Outline {
    /// Value, priority, flags.
    pub field: Field,
    /// Where the contracts and types are written, each place once.
    pub checks: Vec<Span>,
    /// The merge functions.
    pub merge: Vec<Span>,
    /// Where its strongest definition stands; where it is declared, if it has none.
    pub span: Option<Span>,
    /// Whether the uppermost definition adds to what stands below (`+:`).
    pub plus: bool,
    /// Whether the uppermost definition reads what stands below by `super`.
    pub on_super: bool,
}

impl Machine {
    /// What a record says of a field; `None` where it has none. O(definitions of the field + text of the strongest).
    pub fn outline(&mut self, record: &Record, name: &str) -> Result<Option<Outline>, Fault> {
        let Some(index) = record.index_of(name) else { return Ok(None) };
        let Some(metadata) = self.metadata(record, name)? else { return Ok(None) };
        let priority = metadata.field.priority.clone();
        let mut checks = metadata.contracts;
        checks.extend(metadata.types);
        let mut out =
            Outline { field: metadata.field, checks, merge: metadata.merge, span: None, plus: false, on_super: false };
        let chain = record.is_chain();
        let mut declared = None;
        for (def, definition) in self.live(record, index)? {
            declared = declared.or(definition.name_span());
            if !definition.is_defined() {
                continue;
            }
            // Of a chain the uppermost counts, of a set the first of the highest priority.
            // `default rec` and `force rec` stand on what it is a part of
            let own = match &definition {
                Definition::Written { field, .. } => field.meta.push,
                _ => None,
            };
            let push = own.map(|own| combine(def.push, own)).or(def.push);
            let strength = self.known_priority(&definition, &definition.priority(), push);
            let strongest = chain || (out.span.is_none() && strength == priority);
            if strongest {
                out.span = definition.body_span().or(definition.name_span());
            }
            if let Definition::Written { literal, field, .. } = &definition {
                out.plus = field.plus;
                out.on_super = field.body.is_some_and(|body| reads_super(&literal.unit.term, body));
            }
        }
        out.span = out.span.or(declared);
        Ok(Some(out))
    }

    /// The names of fields that the definitions of a field mention. O(text of the definitions).
    pub fn mentions(&mut self, record: &Record, name: &str) -> Result<Vec<Name>, Fault> {
        let mut names = Vec::new();
        let Some(index) = record.index_of(name) else { return Ok(names) };
        for (_, definition) in self.live(record, index)? {
            let Definition::Written { literal, field, .. } = &definition else { continue };
            let Some(body) = field.body else { continue };
            for node in inside(&literal.unit.term, body) {
                match literal.unit.node(node) {
                    Node::Member { name, .. } | Node::Project(_, name) if !names.contains(name) => {
                        names.push(name.clone());
                    }
                    _ => {}
                }
            }
        }
        Ok(names)
    }
}

fn reads_super(term: &Term, body: NodeId) -> bool {
    inside(term, body).any(|node| matches!(term.node(node), Node::Super { .. }))
}

/// The nodes of an expression, the outermost first: children stand right before their parents.
fn inside(term: &Term, body: NodeId) -> impl Iterator<Item = NodeId> + '_ {
    let whole = term.span(body);
    let within = move |node: &NodeId| {
        let span = term.span(*node);
        whole.source == span.source && whole.start <= span.start && span.end <= whole.end
    };
    (0..=body.0).rev().map(NodeId).take_while(within)
}
