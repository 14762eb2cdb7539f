//! Finds the literals of a term by their places. Reports need them, because types know only the places of expressions.

use crate::term::{FieldName, Lambda, Node, NodeId, PatKind, Term};
use crate::text::{Name, Span};
use rustc_hash::{FxHashMap, FxHashSet};

/// The literals of a term by their places. If several begin and end together, the first one counts.
pub(super) struct LiteralPlaces {
    /// The bodies of the functions.
    bodies: FxHashMap<Span, NodeId>,
    /// The places of the bodies.
    results: FxHashSet<Span>,
    /// The names of the fields, by the place of the record and by that of the value.
    fields: FxHashMap<(Span, Name), Span>,
    /// The literals that no evaluation makes a type.
    values: FxHashSet<Span>,
    /// The array literals.
    arrays: FxHashMap<Span, NodeId>,
    /// The conditional expressions.
    choices: FxHashMap<Span, NodeId>,
    /// The reads of fields.
    reads: FxHashSet<Span>,
    /// The functions of `local`s and of `let`s by name; `None` if several have the name.
    locals: FxHashMap<Name, Option<NodeId>>,
    /// The functions of fields, likewise.
    methods: FxHashMap<Name, Option<NodeId>>,
}

impl LiteralPlaces {
    /// Looks at all nodes. O(term).
    pub fn of(term: &Term) -> LiteralPlaces {
        let (mut bodies, mut fields) = (FxHashMap::default(), FxHashMap::default());
        let (mut values, mut arrays, mut reads) = (FxHashSet::default(), FxHashMap::default(), FxHashSet::default());
        let (mut locals, mut methods) = (FxHashMap::default(), FxHashMap::default());
        let (mut results, mut choices) = (FxHashSet::default(), FxHashMap::default());
        let is_function = |body: NodeId| matches!(term.node(body), Node::Lambda(_));
        for (node, number) in term.nodes.iter().zip(0..) {
            let place = term.span(NodeId(number));
            match node {
                Node::Lambda(lambda) => {
                    bodies.entry(place).or_insert(lambda.body);
                    results.insert(term.span(lambda.body));
                }
                Node::Record(literal) => {
                    for field in &literal.fields {
                        let FieldName::Static(name) = &field.name else { continue };
                        if let Some(body) = field.body.filter(|body| is_function(*body)) {
                            only(&mut methods, name, body);
                        }
                        for key in [Some(place), field.body.map(|body| term.span(body))].into_iter().flatten() {
                            fields.entry((key, name.clone())).or_insert(field.name_span);
                        }
                    }
                }
                Node::Let(binding) => {
                    for one in &binding.bindings {
                        if let PatKind::Bind(slot) = term.pat(one.pat).kind
                            && let Some(name) = binding.slots.get(slot as usize)
                            && is_function(one.body)
                        {
                            only(&mut locals, name, one.body);
                        }
                    }
                }
                Node::Str(_) | Node::Number(_) | Node::Bool(_) | Node::Null => {
                    values.insert(place);
                }
                Node::If(_) => {
                    choices.entry(place).or_insert(NodeId(number));
                }
                Node::Project(..) => {
                    reads.insert(place);
                }
                Node::Array(_) => {
                    values.insert(place);
                    arrays.entry(place).or_insert(NodeId(number));
                }
                _ => {}
            }
        }
        LiteralPlaces { bodies, results, fields, values, arrays, choices, reads, locals, methods }
    }

    /// Returns the body of the function literal at a place.
    pub fn body(&self, place: Span) -> Option<NodeId> {
        self.bodies.get(&place).copied()
    }

    /// Whether the expression at a place is the body of a function literal.
    pub fn is_result(&self, place: Span) -> bool {
        self.results.contains(&place)
    }

    /// Returns the name of a field of the record literal at a place, or of the field whose value is at that place.
    pub fn name_of_field(&self, place: Span, name: &Name) -> Option<Span> {
        self.fields.get(&(place, name.clone())).copied()
    }

    /// Whether the expression at a place is a literal that no evaluation makes a type.
    pub fn is_value(&self, place: Span) -> bool {
        self.values.contains(&place)
    }

    /// Whether the expression at a place reads a field.
    pub fn is_read(&self, place: Span) -> bool {
        self.reads.contains(&place)
    }

    /// Returns the array literal at a place.
    pub fn array(&self, place: Span) -> Option<NodeId> {
        self.arrays.get(&place).copied()
    }

    /// Returns the conditional expression at a place.
    pub fn choice(&self, place: Span) -> Option<NodeId> {
        self.choices.get(&place).copied()
    }

    /// Returns the function of the only local with a name that is one.
    pub fn local<'t>(&self, term: &'t Term, name: &Name) -> Option<&'t Lambda> {
        lambda(term, *self.locals.get(name)?)
    }

    /// Returns the function of the only field with a name that is one.
    pub fn method<'t>(&self, term: &'t Term, name: &Name) -> Option<&'t Lambda> {
        lambda(term, *self.methods.get(name)?)
    }
}

/// Remembers a function by its name, unless another one has the name.
fn only(all: &mut FxHashMap<Name, Option<NodeId>>, name: &Name, body: NodeId) {
    all.entry(name.clone()).and_modify(|known| *known = None).or_insert(Some(body));
}

fn lambda(term: &Term, node: Option<NodeId>) -> Option<&Lambda> {
    match term.node(node?) {
        Node::Lambda(lambda) => Some(lambda),
        _ => None,
    }
}
