//! What a contract states of a value when it stands in a `: T`: the value has its own definitions by then, and what the
//! contract has as a default says nothing of them.

use super::Infer;
use super::walk::{self, Rewrite};
use crate::meta::Priority;
use crate::text::Span;
use crate::ty::{DynReason, Field, Tail, Ty, TyRef};
use rustc_hash::FxHashMap;
use std::cmp::Ordering;

struct Stated {
    at: Span,
    changed: bool,
    memo: FxHashMap<usize, (TyRef, TyRef)>,
}

impl Stated {
    /// The field without a default that only stands in for other definitions.
    fn field(&self, f: &Field) -> Option<Field> {
        let stack = f.stack.as_ref()?;
        let top = stack.layers.first()?;
        if top.priority.rank(&Priority::Normal) != Ordering::Less {
            return None;
        }
        let ty = match stack.contracts.first() {
            Some(contract) => contract.ty.clone(),
            None => Ty::Dyn(DynReason::Contract(self.at)).into(),
        };
        Some(Field { ty, stack: None, ..f.clone() })
    }
}

impl Rewrite for Stated {
    fn skip(&self, ty: &TyRef) -> bool {
        matches!(**ty, Ty::Null | Ty::Bool | Ty::Number | Ty::String | Ty::Live(_) | Ty::Dyn(_) | Ty::Library(_))
    }

    fn ty(&mut self, ty: &TyRef) -> TyRef {
        if self.skip(ty) {
            return ty.clone();
        }
        if let Some((_, done)) = self.memo.get(&ty.address()) {
            return done.clone();
        }
        let done = super::deep(|| match &**ty {
            Ty::Record(row) if row.fields().any(|(_, f)| self.field(f).is_some()) => {
                self.changed = true;
                let mut out = row.clone();
                for (name, f) in row.fields() {
                    if let Some(stated) = self.field(f) {
                        out.insert(name.clone(), stated);
                    }
                }
                walk::rebuild(&Ty::Record(out).into(), self)
            }
            _ => walk::rebuild(ty, self),
        });
        self.memo.insert(ty.address(), (ty.clone(), done.clone()));
        done
    }

    fn tail(&mut self, tail: &Tail) -> (Option<TyRef>, Tail) {
        match tail {
            Tail::Dict(t) => (None, Tail::Dict(self.ty(t))),
            _ => (None, tail.clone()),
        }
    }
}

impl Infer<'_> {
    /// The type that a `: T` asks for. O(parts of the annotation), shared parts once, a contract that is named again O(1).
    pub(super) fn stated(&mut self, wanted: &TyRef, at: Span) -> TyRef {
        if let Some(known) = self.caches.annotations.get(wanted) {
            return known.clone();
        }
        let mut stated = Stated { at, changed: false, memo: FxHashMap::default() };
        let new = stated.ty(wanted);
        let new = if stated.changed { new } else { wanted.clone() };
        if wanted.marks().live == 0 {
            self.caches.annotations.insert(wanted, new.clone());
        }
        new
    }
}
