//! The bindings and fields from which secret fields take their values: in `let s = "x" in { p | secret = s, q = s }` the text of `s` is the
//! secret, so that `q` is one too. The aliases of YAML are such variables.

use super::{Binding, FieldDef, FieldMeta, FieldName, Node, NodeId, PatKind, Term};
use crate::text::Name;
use rustc_hash::FxHashSet;

/// The origin of the value of a secret field.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) enum Origin {
    /// A binding of a `let`, or a local of a record, by its index in that node.
    Binding(NodeId, usize),
    /// The fields of a name in a record that is bound to a variable.
    Field(NodeId, Name),
}

/// A frame, with the node that opens it, and the one around it.
struct Frame {
    opener: NodeId,
    outer: Option<usize>,
}

/// The frames of a term, as far as it was walked through.
#[derive(Default)]
struct Frames(Vec<Frame>);

impl Frames {
    fn open(&mut self, opener: NodeId, outer: Option<usize>, count: u32) -> Option<usize> {
        (0..count).fold(outer, |outer, _| {
            self.0.push(Frame { opener, outer });
            Some(self.0.len() - 1)
        })
    }

    /// Returns the frame `up` frames outwards.
    fn outwards(&self, from: Option<usize>, up: u32) -> Option<(usize, &Frame)> {
        let mut at = from?;
        for _ in 0..up {
            at = self.0.get(at)?.outer?;
        }
        self.0.get(at).map(|frame| (at, frame))
    }
}

impl Term {
    /// Returns what the fields that are marked as secret, or whose name is, take their values from. `O(term)`, without secrets `O(fields)`.
    pub(super) fn origins(&self, is_secret: &dyn Fn(&Name) -> bool) -> Vec<Origin> {
        let is_marked = |meta: &FieldMeta, name: &FieldName| {
            meta.secret || matches!(name, FieldName::Static(name) if is_secret(name))
        };
        if !self.defined_fields().any(|field| is_marked(&field.meta, &field.name)) {
            return Vec::new();
        }
        let mut frames = Frames::default();
        let mut found = FxHashSet::default();
        let mut work = vec![(self.root, None)];
        while let Some((id, frame)) = work.pop() {
            if let Node::Record(record) = self.node(id) {
                let inner = frames.open(id, frame, 1);
                let marked = record.fields.iter().filter(|field| is_marked(&field.meta, &field.name));
                marked.filter_map(|field| field.body).for_each(|body| self.follow(body, inner, &frames, &mut found));
            }
            self.children_in_frames(id, &mut |child, count| work.push((child, frames.open(id, frame, count))));
        }
        found.into_iter().collect()
    }

    /// Notes what a value is taken from: a variable, the variable that this one is bound to, and so on, or a field of one.
    fn follow(&self, value: NodeId, frame: Option<usize>, frames: &Frames, found: &mut FxHashSet<Origin>) {
        let (mut value, mut frame) = (value, frame);
        while let Some((binding, index, inner)) = self.bound(value, frame, frames) {
            if !found.insert(Origin::Binding(binding, index)) {
                return;
            }
            let Some(body) = self.binding(binding, index).map(|binding| binding.body) else { return };
            (value, frame) = (body, inner);
        }
        if let Node::Project(of, name) = self.node(value)
            && let Some((binding, index, _)) = self.bound(*of, frame, frames)
            && let Some(record) = self.binding(binding, index).map(|binding| binding.body)
        {
            found.insert(Origin::Field(record, name.clone()));
        }
    }

    /// Returns what a variable is bound to: the node with the binding, its index there, and the frame of its value.
    fn bound(&self, variable: NodeId, frame: Option<usize>, frames: &Frames) -> Option<(NodeId, usize, Option<usize>)> {
        let Node::Local { up, slot } = *self.node(variable) else { return None };
        let (at, found) = frames.outwards(frame, up)?;
        let (bindings, inner) = match self.node(found.opener) {
            Node::Let(l) if !l.recursive => (&l.bindings, found.outer),
            Node::Let(l) => (&l.bindings, Some(at)),
            Node::Record(lit) => (&lit.locals, Some(at)),
            _ => return None,
        };
        let is_it = |binding: &Binding| matches!(self.pat(binding.pat).kind, PatKind::Bind(own) if own == slot);
        // most are in the order of their slots
        let ordered = Some(slot as usize).filter(|index| bindings.get(*index).is_some_and(is_it));
        let index = ordered.or_else(|| bindings.iter().position(is_it))?;
        Some((found.opener, index, inner))
    }

    fn binding(&self, node: NodeId, index: usize) -> Option<&Binding> {
        match self.node(node) {
            Node::Let(l) => l.bindings.get(index),
            Node::Record(lit) => lit.locals.get(index),
            _ => None,
        }
    }

    /// Returns the values of an origin.
    pub(super) fn values_of(&self, origin: &Origin) -> Vec<NodeId> {
        match origin {
            Origin::Binding(node, index) => {
                self.binding(*node, *index).map(|binding| binding.body).into_iter().collect()
            }
            Origin::Field(node, name) => {
                let Node::Record(lit) = self.node(*node) else { return Vec::new() };
                let fields = lit.fields.iter().filter(|field| is_of(field, name));
                fields.filter_map(|field| field.body).collect()
            }
        }
    }

    /// Marks what secret fields take their values from.
    pub(super) fn mark_origins(&mut self, origins: &[Origin]) {
        for origin in origins {
            let (Origin::Binding(node, _) | Origin::Field(node, _)) = origin;
            let Some(node) = self.nodes.get_mut(node.0 as usize) else { continue };
            match (origin, node) {
                (Origin::Binding(_, index), Node::Let(l)) => mark(l.bindings.get_mut(*index)),
                (Origin::Binding(_, index), Node::Record(lit)) => mark(lit.locals.get_mut(*index)),
                (Origin::Field(_, name), Node::Record(lit)) => {
                    for field in lit.fields.iter_mut().filter(|field| is_of(field, name)) {
                        field.meta = FieldMeta { secret: true, ..FieldMeta::clone(&field.meta) }.into();
                    }
                }
                _ => {}
            }
        }
    }
}

fn mark(binding: Option<&mut Binding>) {
    if let Some(binding) = binding {
        binding.secret = true;
    }
}

fn is_of(field: &FieldDef, name: &Name) -> bool {
    matches!(&field.name, FieldName::Static(own) if own == name)
}
