//! Record contracts as types in `: T`. The value has its own definitions, so the defaults in the contract do not count.

use super::Infer;
use super::walk::{self, Memo, Rewrite};
use crate::meta::Priority;
use crate::text::Span;
use crate::ty::{DynReason, Field, Ty, TyRef};
use std::cmp::Ordering;

struct Stated {
    at: Span,
    changed: bool,
    memo: Memo,
}

impl Stated {
    /// Returns a field without its default; `None` if it has none.
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
        walk::once(
            ty,
            self,
            |stated| &mut stated.memo,
            |stated| match &**ty {
                Ty::Record(row) if row.fields().any(|(_, f)| stated.field(f).is_some()) => {
                    stated.changed = true;
                    let mut out = row.clone();
                    for (name, f) in row.fields() {
                        if let Some(field) = stated.field(f) {
                            out.insert(name.clone(), field);
                        }
                    }
                    walk::rebuild(&Ty::Record(out).into(), stated)
                }
                _ => walk::rebuild(ty, stated),
            },
        )
    }
}

impl Infer<'_> {
    /// Returns the type that a `: T` requires. O(distinct parts of the annotation); O(1) for a closed type that was seen before.
    pub(super) fn stated(&mut self, wanted: &TyRef, at: Span) -> TyRef {
        if let Some(known) = self.caches.annotations.get(wanted) {
            return known.clone();
        }
        let mut stated = Stated { at, changed: false, memo: Memo::default() };
        let new = stated.ty(wanted);
        let new = if stated.changed { new } else { wanted.clone() };
        if wanted.marks().live == 0 {
            self.caches.annotations.insert(wanted, new.clone());
        }
        new
    }
}
