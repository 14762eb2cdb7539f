//! The type that is expected at a place of a program. It comes from inference, from a comparison, from a merge with the
//! surrounding record, or from the function that is called.

use crate::answer::holes::Open;
use crate::dialect::CellItem;
use crate::dialect::Dialect;
use crate::infer::{Inferred, Options, TypedNodes};
use crate::state::{Workspace, record_fields};
use crate::term::{Annot, FieldName, Node, NodeId, Prim, Term};
use crate::text::Name;
use crate::ty::{Scheme, Ty};
use std::ops::Range;
use std::sync::Arc;

/// The placeholder for the place: a hole, which no definition binds.
const HERE: &str = "_here_";

/// A place of a program, with the types that say what is expected there.
pub struct Place {
    term: Arc<Term>,
    inferred: Inferred,
    /// The hole, or the record that has it as a field.
    at: NodeId,
    expectations: Expectations,
}

/// The nodes whose types say what is expected at a place, the most certain first.
#[derive(Default)]
struct Expectations {
    all: Vec<Expectation>,
    /// The fields that lead from the outermost node to the place, the innermost first.
    path: Vec<Name>,
}

/// A node whose type has the expected type as a part.
struct Expectation {
    node: NodeId,
    /// The index of the argument that is expected, if the node is a function.
    argument: Option<usize>,
    /// The number of fields of the path that lead from the type to the expected one.
    depth: usize,
}

impl Place {
    /// Finds the place at these bytes of an input, which may be incomplete. `None` if no expression or field can be
    /// there. Nothing is evaluated. O(the input's inference).
    pub fn of(session: &Workspace, dialect: Dialect, text: &str, range: Range<usize>) -> Option<Place> {
        let text = [text.get(..range.start)?, " ", HERE, " ", text.get(range.end..)?].concat();
        let source = session.add_input("<input>", &text, dialect);
        let cell = dialect.cell(source, &text, &Open(session.names()));
        let terms = cell.items.into_iter().map(|item| match item {
            CellItem::Bind { term, .. } | CellItem::Expr(term) => term,
        });
        let (term, at, is_field) = terms.into_iter().find_map(|term| {
            let (at, is_field) = place_in(&term)?;
            Some((term, at, is_field))
        })?;
        let expectations = Expectations::of(&term, at, is_field);
        let nodes: Vec<NodeId> = expectations.all.iter().map(|expectation| expectation.node).collect();
        let options = Options { nodes: TypedNodes::Of(&nodes), ..Options::default() };
        let inferred = session.inferred(&term, options);
        Some(Place { term, inferred, at, expectations })
    }

    /// Returns the types that are expected, the most certain first.
    pub fn types(&self) -> Vec<Scheme> {
        let Expectations { all, path } = &self.expectations;
        let expected = |expectation: &Expectation| {
            let scheme = Scheme::clone(self.inferred.type_of(expectation.node)?);
            let scheme = match expectation.argument {
                Some(index) => argument(scheme, index)?,
                None => scheme,
            };
            follow(scheme, path.get(..expectation.depth)?)
        };
        all.iter().filter_map(expected).collect()
    }

    /// Returns the fields that the record around the place already has.
    pub fn defined(&self) -> Vec<Name> {
        let Node::Record(record) = self.term.node(self.at) else { return Vec::new() };
        let names = record.fields.iter().filter_map(|field| match &field.name {
            FieldName::Static(name) => Some(name.clone()),
            FieldName::Computed(_) => None,
        });
        names.filter(|name| name != HERE).collect()
    }
}

impl Expectations {
    /// Goes from a place outwards, as far as the surroundings say what is expected at the place. O(nodes).
    fn of(term: &Term, at: NodeId, is_field: bool) -> Expectations {
        let around = parents(term);
        let mut found = Expectations::default();
        if !is_field {
            found.add([at]);
        }
        let mut here = at;
        while let Some(parent) = around.get(here.0 as usize).copied().flatten() {
            match term.node(parent) {
                Node::Prim(Prim::Eq | Prim::Ne, ids) | Node::Merge(ids) => {
                    found.add(ids.iter().copied().filter(|id| *id != here));
                }
                Node::Inherit(ids) => found.add(ids.iter().copied().filter(|id| *id != here)),
                Node::Record(record) => {
                    let field = record.fields.iter().find(|f| f.body == Some(here));
                    let Some(FieldName::Static(name)) = field.map(|f| &f.name) else { break };
                    found.add(field.into_iter().flat_map(|f| types_of(&f.meta.annots)));
                    found.path.push(name.clone());
                }
                Node::Annot(inner, annots) if *inner == here => found.add(types_of(annots)),
                Node::Let(block) => {
                    let binding = block.bindings.iter().find(|b| b.body == here);
                    found.add(binding.into_iter().flat_map(|b| types_of(&b.annots)));
                    if block.body != here {
                        break;
                    }
                }
                Node::If(ids) if ids.first() != Some(&here) => {}
                Node::Apply(apply) => {
                    let argument = apply.args.iter().position(|(_, arg)| *arg == here);
                    let depth = found.path.len();
                    let function = argument.map(|_| Expectation { node: apply.func, argument, depth });
                    found.all.extend(function);
                    break;
                }
                _ => break,
            }
            here = parent;
        }
        found
    }

    fn add(&mut self, nodes: impl IntoIterator<Item = NodeId>) {
        let depth = self.path.len();
        self.all.extend(nodes.into_iter().map(|node| Expectation { node, argument: None, depth }));
    }
}

/// Returns the type expressions of annotations.
fn types_of(annots: &[Annot]) -> impl Iterator<Item = NodeId> {
    annots.iter().map(|annot| annot.ty)
}

/// Returns the parent of each node.
fn parents(term: &Term) -> Vec<Option<NodeId>> {
    let mut around = vec![None; term.nodes.len()];
    for index in 0..term.nodes.len() {
        let id = NodeId(index as u32);
        for child in term.children(id) {
            if let Some(slot) = around.get_mut(child.0 as usize) {
                *slot = Some(id);
            }
        }
    }
    around
}

/// Finds the hole in a term. If the hole is the name of a field, returns the record and `true`.
fn place_in(term: &Term) -> Option<(NodeId, bool)> {
    term.nodes.iter().enumerate().find_map(|(index, node)| {
        let id = NodeId(index as u32);
        match node {
            Node::Global(name) if name == HERE => Some((id, false)),
            Node::Record(record) => {
                let named = |name: &FieldName| matches!(name, FieldName::Static(name) if name == HERE);
                record.fields.iter().any(|field| named(&field.name)).then_some((id, true))
            }
            _ => None,
        }
    })
}

/// Returns the type at the end of a path of fields, the innermost first.
fn follow(scheme: Scheme, path: &[Name]) -> Option<Scheme> {
    let mut here = plain(scheme);
    for name in path.iter().rev() {
        here = plain(record_fields(&here).into_iter().find(|(field, _)| field == name)?.1);
    }
    Some(here)
}

/// Simplifies a type for display; a contract is replaced by the type that it accepts.
fn plain(scheme: Scheme) -> Scheme {
    let mut scheme = match &scheme.shown {
        Some(shown) => Scheme::clone(shown),
        None => scheme,
    };
    while let Ty::Contract(inner) | Ty::Fails(_, inner) | Ty::Sibling(_, inner) = &*scheme.ty.clone() {
        scheme.ty = inner.clone();
    }
    scheme
}

/// Returns the type that a function requires of an argument, counted from 0.
fn argument(function: Scheme, mut index: usize) -> Option<Scheme> {
    let mut here = plain(function);
    loop {
        here = match &*here.ty.clone() {
            Ty::Forall(inner) => plain(Scheme::clone(inner)),
            Ty::Fun(params, _) if index < params.len() => {
                return params.get(index).map(|param| plain(Scheme { ty: param.ty.clone(), ..here.clone() }));
            }
            Ty::Fun(params, result) => {
                index -= params.len();
                plain(Scheme { ty: result.clone(), ..here.clone() })
            }
            _ => return None,
        };
    }
}
