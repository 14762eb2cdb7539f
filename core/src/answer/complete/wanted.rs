//! The type that is expected at a place of a program. It comes from inference, from a comparison, from a merge with the
//! surrounding record, or from the function that is called.

use crate::answer::holes::Open;
use crate::dialect::CellItem;
use crate::dialect::Dialect;
use crate::infer::{Inferred, Options};
use crate::state::{Workspace, record_fields};
use crate::term::{Annot, FieldName, Node, NodeId, Prim, Term};
use crate::text::Name;
use crate::ty::{Scheme, Ty};
use std::ops::Range;
use std::sync::Arc;

/// The placeholder for the place: a hole, which no definition binds.
const HERE: &str = "_here_";

/// A place of a program, with the types of everything around it.
pub struct Place {
    term: Arc<Term>,
    inferred: Inferred,
    /// The parent of each node.
    around: Vec<Option<NodeId>>,
    /// The hole, or the record that has it as a field.
    at: NodeId,
    is_field: bool,
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
        let inferred = session.inferred(&term, Options { nodes: true, ..Options::default() });
        let mut around = vec![None; term.nodes.len()];
        for index in 0..term.nodes.len() {
            let id = NodeId(index as u32);
            for child in term.children(id) {
                if let Some(slot) = around.get_mut(child.0 as usize) {
                    *slot = Some(id);
                }
            }
        }
        Some(Place { term, inferred, around, at, is_field })
    }

    /// Returns the types that are expected, the most certain first.
    pub fn types(&self) -> Vec<Scheme> {
        let mut found: Vec<Scheme> = Vec::new();
        // the fields that lead from the inspected node to the place, the innermost first
        let mut path: Vec<Name> = Vec::new();
        let mut here = self.at;
        if !self.is_field {
            found.extend(self.inferred.type_of(here).map(|ty| Scheme::clone(ty)));
        }
        while let Some(parent) = self.around.get(here.0 as usize).copied().flatten() {
            let mut siblings: Vec<Scheme> = Vec::new();
            let typed = |node: NodeId| self.inferred.type_of(node).map(|ty| Scheme::clone(ty));
            match self.term.node(parent) {
                Node::Prim(Prim::Eq | Prim::Ne, ids) | Node::Merge(ids) => {
                    siblings.extend(ids.iter().filter(|id| **id != here).filter_map(|id| typed(*id)));
                }
                Node::Inherit(ids) => siblings.extend(ids.iter().filter(|id| **id != here).filter_map(|id| typed(*id))),
                Node::Record(record) => {
                    let field = record.fields.iter().find(|f| f.body == Some(here));
                    let Some(FieldName::Static(name)) = field.map(|f| &f.name) else { break };
                    siblings.extend(field.into_iter().flat_map(|f| self.annotated(&f.meta.annots)));
                    found.extend(siblings.drain(..).filter_map(|scheme| follow(scheme, &path)));
                    path.push(name.clone());
                }
                Node::Annot(inner, annots) if *inner == here => siblings.extend(self.annotated(annots)),
                Node::Let(block) => {
                    let binding = block.bindings.iter().find(|b| b.body == here);
                    siblings.extend(binding.into_iter().flat_map(|b| self.annotated(&b.annots)));
                    found.extend(siblings.drain(..).filter_map(|scheme| follow(scheme, &path)));
                    if block.body != here {
                        break;
                    }
                }
                Node::If(ids) if ids.first() != Some(&here) => {}
                Node::Apply(apply) => {
                    let index = apply.args.iter().position(|(_, arg)| *arg == here);
                    let wanted = index.zip(typed(apply.func)).and_then(|(index, f)| argument(f, index));
                    found.extend(wanted.and_then(|scheme| follow(scheme, &path)));
                    break;
                }
                _ => break,
            }
            found.extend(siblings.into_iter().filter_map(|scheme| follow(scheme, &path)));
            here = parent;
        }
        found
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

    /// Returns the types that annotations require.
    fn annotated(&self, annots: &[Annot]) -> Vec<Scheme> {
        annots.iter().filter_map(|annot| self.inferred.type_of(annot.ty)).map(|ty| Scheme::clone(ty)).collect()
    }
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
