//! Caches: answers about closed parts of types, so that a shared part is worked on once.
//!
//! Keys are the addresses of nodes. Each entry holds the nodes it was made from, so that no other node can take their
//! address while the entry exists.

use super::links::Links;
use super::walk::Memo;
use crate::text::Name;
use crate::ty::{Ty, TyRef};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// Answers about single types.
pub(super) struct ByType<T>(FxHashMap<usize, (TyRef, T)>);

/// Answers about pairs of types.
pub(super) struct ByPair<T>(FxHashMap<(usize, usize), (TyRef, TyRef, T)>);

impl<T> Default for ByType<T> {
    fn default() -> Self {
        ByType(FxHashMap::default())
    }
}

impl<T> Default for ByPair<T> {
    fn default() -> Self {
        ByPair(FxHashMap::default())
    }
}

impl<T> ByType<T> {
    /// The answer about a type.
    pub fn get(&self, ty: &TyRef) -> Option<&T> {
        self.0.get(&ty.address()).map(|(_, answer)| answer)
    }

    /// Remembers an answer. Returns `true` if there was none before.
    pub fn insert(&mut self, ty: &TyRef, answer: T) -> bool {
        self.0.insert(ty.address(), (ty.clone(), answer)).is_none()
    }
}

impl<T> ByPair<T> {
    /// The answer about two types, in this order.
    pub fn get(&self, a: &TyRef, b: &TyRef) -> Option<&T> {
        self.0.get(&(a.address(), b.address())).map(|(_, _, answer)| answer)
    }

    /// Remembers an answer.
    pub fn insert(&mut self, a: &TyRef, b: &TyRef, answer: T) {
        self.0.insert((a.address(), b.address()), (a.clone(), b.clone(), answer));
    }
}

/// The caches of one inference.
#[derive(Default)]
pub(super) struct Caches {
    /// Closed types that unify.
    pub unified: ByPair<()>,
    /// The joins of closed types that caused no finding.
    pub joined: ByPair<TyRef>,
    /// The merges of closed records that caused no finding and changed no field's type.
    pub merged: ByPair<TyRef>,
    /// Closed records without differences.
    pub alike: ByPair<()>,
    /// The types that closed annotations ask for.
    pub annotations: ByType<TyRef>,
    /// Objects whose missing fields have been reported.
    pub reported: ByType<()>,
    /// The types of library paths that were looked up; `None` if the library has nothing there.
    pub library: FxHashMap<Vec<Name>, Option<TyRef>>,
    /// By scheme, the variables of each of its constraints.
    pub constrained: ByType<Arc<[FxHashSet<u32>]>>,
    /// The variables of parts of schemes.
    pub variables: ByType<Arc<FxHashSet<u32>>>,
    /// The types from which failures were removed, with the results.
    pub without_failures: Memo,
    /// Whether inference is complete, so that `links` stay valid.
    pub is_complete: bool,
    /// The links of all deferred constraints, and the number of these.
    pub links: Option<(usize, Links)>,
    /// The shared nodes of constant types.
    pub constants: Constants,
}

/// One shared node for each type that literals have.
pub(super) struct Constants {
    pub null: TyRef,
    pub bool: TyRef,
    pub number: TyRef,
    pub string: TyRef,
}

impl Default for Constants {
    fn default() -> Constants {
        let [null, bool, number, string] = [Ty::Null, Ty::Bool, Ty::Number, Ty::String].map(TyRef::from);
        Constants { null, bool, number, string }
    }
}
