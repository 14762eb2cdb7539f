//! Siblings below a join: a branch or an element that was read from a sibling still depends on it. If a merge gives the sibling
//! another type, the joined type gets this type too.

use super::Infer;
use super::table::Slot;
use super::why::{UnifyReason, Why};
use crate::text::{Name, Span};
use crate::ty::{DynReason, Sibling, Tail, Ty, TyRef, VariableKind};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// The siblings from which parts of a joined value were read, each once.
#[derive(Default)]
pub(super) struct JoinedSiblings {
    all: Vec<Arc<Sibling>>,
    known: FxHashSet<(Span, Vec<Name>)>,
}

impl JoinedSiblings {
    fn add(&mut self, sibling: &Arc<Sibling>) {
        if self.known.insert((sibling.at, sibling.path.clone())) {
            self.all.push(sibling.clone());
        }
    }

    /// Returns a joined type with the siblings that it depends on.
    pub fn around(self, joined: TyRef) -> TyRef {
        self.all.into_iter().fold(joined, |ty, sibling| {
            let sibling =
                if sibling.joined { sibling } else { Arc::new(Sibling { joined: true, ..(*sibling).clone() }) };
            Ty::Sibling(sibling, ty).into()
        })
    }
}

impl Infer<'_> {
    /// Moves the siblings at the head of a type to `siblings`, before the type is joined with others. Returns the type inside.
    pub(super) fn take_siblings(&mut self, ty: &TyRef, siblings: &mut JoinedSiblings) -> TyRef {
        if self.rules().extends() {
            return ty.clone();
        }
        let mut at = ty.clone();
        let mut inner = None;
        loop {
            at = match &*at {
                Ty::Sibling(sibling, next) => {
                    siblings.add(sibling);
                    inner = Some(next.clone());
                    next.clone()
                }
                Ty::Fails(_, next) => next.clone(),
                Ty::Live(v) => match self.table.probe(*v) {
                    Slot::Bound(next, _) => next,
                    Slot::Free { .. } => break,
                },
                _ => break,
            }
        }
        inner.unwrap_or_else(|| ty.clone())
    }

    /// Adds the current type of a sibling to a type that was joined from it and others. Binds no variables: what depends on one becomes
    /// `Dyn`, or remains if `same`, which says that the definition of the sibling is the one that was read.
    pub(super) fn widen(&mut self, joined: &TyRef, part: &TyRef, at: Span, same: bool) -> TyRef {
        let (x, y) = (self.table.head(joined), self.table.head(part));
        if x.same(&y) || x == y {
            return joined.clone();
        }
        match (&*x, &*y) {
            (_, Ty::Bottom) | (Ty::Dyn(_), _) => x,
            (Ty::Bottom, _) | (_, Ty::Dyn(_)) => y,
            (Ty::Forall(_), _) | (_, Ty::Forall(_)) => {
                let (x, y) = (self.instantiate(&x), self.instantiate(&y));
                super::deep(|| self.widen(&x, &y, at, same))
            }
            (Ty::Array(a), Ty::Array(b)) => Ty::Array(super::deep(|| self.widen(a, b, at, same))).into(),
            (Ty::Enum(s, tail), Ty::Enum(more, rest)) => {
                let (mut tags, tail) = self.open_tags(s, tail);
                let (more, rest) = self.open_tags(more, rest);
                for (name, arg) in more {
                    let arg = match (tags.get(&name), arg) {
                        (Some(Some(before)), Some(arg)) => {
                            let before = before.clone();
                            Some(super::deep(|| self.widen(&before, &arg, at, same)))
                        }
                        (_, arg) => arg,
                    };
                    tags.insert(name, arg);
                }
                // the old tail may be that of a guess of this type, which lacks the new tags
                let tail = match (tail, rest) {
                    (_, rest @ Tail::Dyn(_)) => rest,
                    (Tail::Live(_), _) => Tail::Live(self.fresh_tail(VariableKind::Tags)),
                    (tail, _) => tail,
                };
                Ty::Enum(tags, tail).into()
            }
            _ if x.is_closed() && y.is_closed() => {
                self.join_quietly(&x, &y, &UnifyReason::new(at, Why::Merge).unsure())
            }
            _ if same => joined.clone(),
            _ => Ty::Dyn(DynReason::Computed(at)).into(),
        }
    }
}
