//! Shared nodes of types, and what each node caches.

use super::equality::equal;
use super::{Field, Need, Presence, Row, Scheme, Tail, Ty};
use std::cell::{Cell, RefCell};
use std::fmt;
use std::mem::ManuallyDrop;
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

/// Depth of nested drops from which types are queued. A level takes some kilobytes of the stack.
const MAX_DROP_DEPTH: u32 = 8;

thread_local! {
    /// The current depth of nested drops on this thread.
    static DROP_DEPTH: Cell<u32> = const { Cell::new(0) };
    /// The types that the outermost drop still has to drop. It is empty between drops. It has no destructor, so a thread that ends can
    /// use it too.
    static QUEUE: RefCell<ManuallyDrop<Vec<Ty>>> = const { RefCell::new(ManuallyDrop::new(Vec::new())) };
}

impl Drop for Node {
    /// Drops a type of any depth in O(1) stack: a stack that grows could be refused, and a drop cannot report that.
    fn drop(&mut self) {
        if matches!(
            self.ty,
            Ty::Null | Ty::Bool | Ty::Number | Ty::Int | Ty::Float | Ty::String | Ty::Var(_) | Ty::Live(_)
        ) {
            return;
        }
        let ty = std::mem::replace(&mut self.ty, Ty::Bottom);
        let depth = DROP_DEPTH.get();
        if depth >= MAX_DROP_DEPTH {
            return QUEUE.with_borrow_mut(|queue| queue.push(ty));
        }
        DROP_DEPTH.set(depth + 1);
        drop(ty);
        if depth == 0 {
            while let Some(ty) = QUEUE.with_borrow_mut(|queue| queue.pop()) {
                drop(ty);
            }
            QUEUE.with_borrow_mut(|queue| drop(std::mem::take(&mut **queue)));
        }
        DROP_DEPTH.set(depth);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Name;

    /// Returns a type that is nested through arrays, functions, records and unions.
    fn nested(depth: usize) -> TyRef {
        (0..depth).fold(TyRef::from(Ty::Number), |inner, level| {
            TyRef::from(match level % 4 {
                0 => Ty::Array(inner),
                1 => Ty::Map(TyRef::from(Ty::String), inner),
                2 => {
                    let mut row = Row::new(Tail::Dict(TyRef::from(Ty::Array(TyRef::from(Ty::Bool)))));
                    row.insert(Name::new_static("a"), Field::given(inner, None));
                    Ty::Record(row)
                }
                _ => Ty::Union(vec![inner.clone(), TyRef::from(Ty::Array(inner))]),
            })
        })
    }

    #[test]
    fn deep_types_are_dropped_in_little_stack() {
        let run = || {
            let deep = nested(200_000);
            let inner = std::iter::successors(Some(deep.clone()), |ty| match &**ty {
                Ty::Union(all) => all.first().cloned(),
                Ty::Map(_, value) => Some(value.clone()),
                Ty::Array(item) => Some(item.clone()),
                Ty::Record(row) => row.get("a").map(|field| field.ty.clone()),
                _ => None,
            });
            let last = inner.last();
            drop(deep);
            assert_eq!(last.map(|last| last.holders()), Some(1));
            assert_eq!(DROP_DEPTH.get(), 0);
        };
        let thread = std::thread::Builder::new().stack_size(128 << 10).spawn(run);
        assert!(thread.is_ok_and(|thread| thread.join().is_ok()));
    }
}
