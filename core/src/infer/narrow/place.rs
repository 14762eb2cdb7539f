//! Places: the variables and fields that a program can test.

use super::NESTING;
use super::facts::Facts;
use crate::infer::Infer;
use crate::term::NodeId;
use crate::term::{Binding, Node, PatKind};
use crate::text::Name;

/// The root of a place.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Root {
    Slot(u32),
    Sibling(Name),
}

/// A variable or a sibling, or a field of one.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Place {
    pub frame: usize,
    pub root: Root,
    pub path: Vec<Name>,
}

/// The facts about a name that a `let` binds, besides its type.
#[derive(Default)]
pub(in crate::infer) struct Alias {
    /// The place that it is another name of.
    place: Option<Place>,
    /// The place whose type it is, as returned by `std.typeof`.
    pub(super) tested: Option<Place>,
    /// The facts that it states as a condition.
    pub(super) facts: Facts,
    /// Whether it is a literal of which more is known than its type.
    pub literal: bool,
}

impl Infer<'_> {
    /// Returns the place that an expression denotes.
    pub(super) fn place(&self, mut id: NodeId) -> Option<Place> {
        let mut path = Vec::new();
        let (up, root) = loop {
            match self.term.node(id) {
                Node::Project(target, name) if let Some(frame) = self.object_of(*target) => {
                    path.reverse();
                    return Some(Place { frame, root: Root::Sibling(name.clone()), path });
                }
                Node::Project(target, name) if path.len() < NESTING => {
                    path.push(name.clone());
                    id = *target;
                }
                Node::Local { up, slot } => break (*up, Root::Slot(*slot)),
                Node::Member { up, name } => break (*up, Root::Sibling(name.clone())),
                _ => return None,
            }
        };
        path.reverse();
        let frame = self.scopes.at(up)?;
        if let Root::Slot(slot) = root
            && let Some(place) = self.alias_of(frame, slot).and_then(|alias| alias.place.as_ref())
        {
            let path = place.path.iter().cloned().chain(path).collect();
            return Some(Place { path, ..place.clone() });
        }
        Some(Place { frame, root, path })
    }

    pub(super) fn alias_of(&self, frame: usize, slot: u32) -> Option<&Alias> {
        self.scopes.plain_variable(frame, slot)?.alias.as_deref()
    }

    /// Returns the facts about the name of a binding, whose body has been inferred.
    pub(in crate::infer) fn alias(&self, binding: &Binding) -> Option<Alias> {
        let plain = binding.annots.is_empty() && binding.push.is_none();
        if !plain || !matches!(self.term.pat(binding.pat).kind, PatKind::Bind(_)) {
            return None;
        }
        let body = binding.body;
        Some(match self.term.node(body) {
            Node::Local { .. } | Node::Member { .. } | Node::Project(..) => {
                let literal = self.literals.contains(self.term.span(body));
                Alias { place: self.place(body), facts: self.facts(body), literal, ..Alias::default() }
            }
            Node::Array(_) | Node::Tag(_) | Node::Variant(..) => {
                Alias { literal: self.literals.contains(self.term.span(body)), ..Alias::default() }
            }
            Node::Apply(_) | Node::Prim(..) => {
                Alias { tested: self.typeof_of(body), facts: self.facts(body), ..Alias::default() }
            }
            _ => return None,
        })
    }
}
