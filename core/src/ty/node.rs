//! Shared nodes of types, and what each node caches.

use super::equality::equal;
use super::{Field, Need, Presence, Row, Scheme, Tail, Ty};
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

/// A shared type. Cloning is O(1).
#[derive(Clone)]
pub struct TyRef(Arc<Node>);

struct Node {
    marks: Marks,
    ty: Ty,
}

/// Facts about a node and everything below it. They are upper bounds; zero or `false` means that there is nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Marks {
    /// One more than the highest level of a live variable.
    pub live: u32,
    /// One more than the greatest number of schemes that a generic variable goes outwards.
    pub free: u32,
    /// Whether there is a [`Ty::Fails`].
    pub fails: bool,
    /// Whether there is a [`Ty::Forall`].
    pub forall: bool,
    /// Whether there is a [`Ty::Sibling`].
    pub sibling: bool,
    /// Whether there is a [`Ty::Library`].
    pub library: bool,
    /// Whether there is an object that reads a field which it lacks.
    pub needs: bool,
}

impl Marks {
    /// Returns the marks of two parts together.
    pub fn and(self, other: Marks) -> Marks {
        Marks {
            live: self.live.max(other.live),
            free: self.free.max(other.free),
            fails: self.fails || other.fails,
            forall: self.forall || other.forall,
            sibling: self.sibling || other.sibling,
            library: self.library || other.library,
            needs: self.needs || other.needs,
        }
    }

    pub(super) fn of_tail(tail: &Tail) -> Marks {
        match tail {
            Tail::Closed | Tail::Dyn(_) => Marks::default(),
            Tail::Var(g) => Marks { free: g.up + 1, ..Marks::default() },
            Tail::Live(v) => Marks { live: v.level + 1, ..Marks::default() },
            Tail::Dict(t) => t.marks(),
        }
    }

    fn of(ty: &Ty) -> Marks {
        let all = |ts: &[TyRef]| ts.iter().fold(Marks::default(), |m, t| m.and(t.marks()));
        match ty {
            Ty::Null | Ty::Bool | Ty::Number | Ty::Int | Ty::Float | Ty::String | Ty::Dyn(_) | Ty::Bottom => {
                Marks::default()
            }
            Ty::Var(g) => Marks { free: g.up + 1, ..Marks::default() },
            Ty::Live(v) => Marks { live: v.level + 1, ..Marks::default() },
            Ty::Library(_) => Marks { library: true, ..Marks::default() },
            Ty::Enum(tags, tail) => tags.values().flatten().fold(Marks::of_tail(tail), |m, t| m.and(t.marks())),
            Ty::Array(t) | Ty::Error(t) | Ty::Contract(t) => t.marks(),
            Ty::Fails(_, t) => Marks { fails: true, ..t.marks() },
            Ty::Sibling(_, t) => Marks { sibling: true, ..t.marks() },
            Ty::Map(k, v) => k.marks().and(v.marks()),
            Ty::Fun(params, result) => params.iter().fold(result.marks(), |m, p| m.and(p.ty.marks())),
            Ty::Record(row) => row.marks(),
            Ty::Union(ts) => all(ts),
            Ty::Forall(scheme) => Marks { forall: true, ..Marks::of_scheme(scheme) },
        }
    }

    fn of_scheme(scheme: &Scheme) -> Marks {
        let mut marks = scheme.ty.marks();
        for c in &scheme.constraints {
            marks = c.parts().into_iter().fold(marks, |m, t| m.and(t.marks()));
        }
        Marks { free: marks.free.saturating_sub(1), ..marks }
    }

    pub(super) fn of_field(field: &Field) -> Marks {
        let mut marks = field.ty.marks();
        if let Some(below) = field.inheritance.as_ref().and_then(|l| l.below.as_ref()) {
            marks = marks.and(below.marks());
        }
        marks.needs |= field.presence == Presence::No && field.need != Need::None;
        for part in field.inheritance.iter().flat_map(|l| &l.missing_parts) {
            marks = Marks { needs: true, ..marks.and(part.ty.marks()) };
        }
        if let Some(stack) = &field.stack {
            for c in &stack.contracts {
                marks = marks.and(c.ty.marks());
            }
            for l in &stack.layers {
                marks = marks.and(l.ty.marks());
            }
            for t in stack.merger.iter().chain(&stack.bare) {
                marks = marks.and(t.marks());
            }
        }
        marks
    }
}

impl TyRef {
    /// Makes a node. O(children), of records O(1).
    pub fn new(ty: Ty) -> TyRef {
        TyRef(Arc::new(Node { marks: Marks::of(&ty), ty }))
    }

    /// The marks of this node.
    pub fn marks(&self) -> Marks {
        self.0.marks
    }

    /// Whether it has no free variables.
    pub fn is_closed(&self) -> bool {
        self.0.marks.live == 0 && self.0.marks.free == 0
    }

    /// Whether both are the same node.
    pub fn same(&self, other: &TyRef) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// The address of the node, as a key for caches that hold the node.
    pub fn address(&self) -> usize {
        Arc::as_ptr(&self.0) as usize
    }

    /// The number of references to the node, this one included.
    pub(crate) fn holders(&self) -> usize {
        Arc::strong_count(&self.0)
    }

    /// The row of a record.
    pub fn row(&self) -> Option<&Row> {
        match &**self {
            Ty::Record(row) => Some(row),
            _ => None,
        }
    }
}

impl From<Ty> for TyRef {
    fn from(ty: Ty) -> TyRef {
        TyRef::new(ty)
    }
}

impl Deref for TyRef {
    type Target = Ty;
    fn deref(&self) -> &Ty {
        &self.0.ty
    }
}

impl PartialEq for TyRef {
    fn eq(&self, other: &TyRef) -> bool {
        self.same(other) || equal(self, other)
    }
}

impl fmt::Debug for TyRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        crate::deep::deeper(|| self.0.ty.fmt(f))
    }
}

impl Drop for Node {
    /// Drops a type of any depth without overflowing the stack.
    fn drop(&mut self) {
        if matches!(
            self.ty,
            Ty::Null | Ty::Bool | Ty::Number | Ty::Int | Ty::Float | Ty::String | Ty::Var(_) | Ty::Live(_)
        ) {
            return;
        }
        let ty = std::mem::replace(&mut self.ty, Ty::Bottom);
        crate::deep::deeper(|| drop(ty));
    }
}
