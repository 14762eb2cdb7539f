//! The outline of a field for the comparison of records: the metadata of the final field, and the place of its
//! strongest definition. Evaluates only guards.

use super::record::{Field, Record};
use super::stack::{LayerDefinition, combine};
use super::{Fault, Machine};
use crate::term::{Node, NodeId, Term};
use crate::text::{Name, Span};

/// The outline of a field in one record.
#[derive(Clone)]
pub struct Outline {
    /// Value, priority and flags.
    pub field: Field,
    /// The spans of contracts and types, without duplicates.
    pub checks: Vec<Span>,
    /// The spans of merge functions.
    pub merge: Vec<Span>,
    /// The span of the strongest definition, or of a declaration if there is none.
    pub span: Option<Span>,
    /// Whether the uppermost definition adds to the value below it (`+:`).
    pub plus: bool,
    /// Whether the uppermost definition reads `super`.
    pub on_super: bool,
}

impl Machine {
    /// Returns the outline of a field; `None` if it does not exist. O(definitions of the field + text of the
    /// strongest).
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
        for (def, definition) in self.active_definitions(record, index)? {
            declared = declared.or(definition.name_span());
            if !definition.is_defined() {
                continue;
            }
            // In a chain the uppermost definition counts, in a set the first with the highest priority. `default rec`
            // and `force rec` of the enclosing record apply too.
            let own = match &definition {
                LayerDefinition::Written { field, .. } => field.meta.push,
                _ => None,
            };
            let push = own.map(|own| combine(def.push, own)).or(def.push);
            let strength = self.known_priority(&definition, &definition.priority(), push);
            let strongest = chain || (out.span.is_none() && strength == priority);
            if strongest {
                out.span = definition.body_span().or(definition.name_span());
            }
            if let LayerDefinition::Written { literal, field, .. } = &definition {
                out.plus = field.plus;
                out.on_super = field.body.is_some_and(|body| reads_super(&literal.unit.term, body));
            }
        }
        out.span = out.span.or(declared);
        Ok(Some(out))
    }

    /// Returns the names of fields that the definitions of a field mention. O(text of the definitions).
    pub fn mentions(&mut self, record: &Record, name: &str) -> Result<Vec<Name>, Fault> {
        let mut names = Vec::new();
        let Some(index) = record.index_of(name) else { return Ok(names) };
        for (_, definition) in self.active_definitions(record, index)? {
            let LayerDefinition::Written { literal, field, .. } = &definition else { continue };
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

/// Returns the nodes of an expression, the outermost first. Children precede their parents in the arena.
fn inside(term: &Term, body: NodeId) -> impl Iterator<Item = NodeId> + '_ {
    let whole = term.span(body);
    let within = move |node: &NodeId| {
        let span = term.span(*node);
        whole.source == span.source && whole.start <= span.start && span.end <= whole.end
    };
    (0..=body.0).rev().map(NodeId).take_while(within)
}
