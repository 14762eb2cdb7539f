//! Finds the literals of a term by their places. Reports need them, because types know only the places of expressions.

use crate::term::{FieldName, Node, NodeId, Term};
use crate::text::{Name, Span};
use rustc_hash::{FxHashMap, FxHashSet};

/// The literals of a term by their places. If several begin and end together, the first one counts.
pub(super) struct LiteralPlaces {
    /// The bodies of the functions.
    bodies: FxHashMap<Span, NodeId>,
    /// The names of the fields, by the place of the record and by that of the value.
    fields: FxHashMap<(Span, Name), Span>,
    /// The literals that no evaluation makes a type.
    values: FxHashSet<Span>,
}

impl LiteralPlaces {
    /// Looks at all nodes. O(term).
    pub fn of(term: &Term) -> LiteralPlaces {
        let (mut bodies, mut fields) = (FxHashMap::default(), FxHashMap::default());
        let mut values = FxHashSet::default();
        for (node, number) in term.nodes.iter().zip(0..) {
            let place = term.span(NodeId(number));
            match node {
                Node::Lambda(lambda) => {
                    bodies.entry(place).or_insert(lambda.body);
                }
                Node::Record(literal) => {
                    for field in &literal.fields {
                        let FieldName::Static(name) = &field.name else { continue };
                        for key in [Some(place), field.body.map(|body| term.span(body))].into_iter().flatten() {
                            fields.entry((key, name.clone())).or_insert(field.name_span);
                        }
                    }
                }
                Node::Str(_) | Node::Number(_) | Node::Bool(_) | Node::Null | Node::Array(_) => {
                    values.insert(place);
                }
                _ => {}
            }
        }
        LiteralPlaces { bodies, fields, values }
    }

    /// Returns the body of the function literal at a place.
    pub fn body(&self, place: Span) -> Option<NodeId> {
        self.bodies.get(&place).copied()
    }

    /// Returns the name of a field of the record literal at a place, or of the field whose value is at that place.
    pub fn name_of_field(&self, place: Span, name: &Name) -> Option<Span> {
        self.fields.get(&(place, name.clone())).copied()
    }

    /// Whether the expression at a place is a literal that no evaluation makes a type.
    pub fn is_value(&self, place: Span) -> bool {
        self.values.contains(&place)
    }
}
