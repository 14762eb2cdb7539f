//! Equality of shared structures. Each pair of parts is compared once, however often it occurs.

use super::{Constraint, Contract, Field, Layer, Row, Scheme, Stack, Tail, Ty, TyRef};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// Whether two types are equal, spans aside. O(pairs of distinct parts), without recursion.
pub(super) fn equal(a: &TyRef, b: &TyRef) -> bool {
    Pairs { remaining: vec![(a, b)], places: false }.equal()
}

impl Scheme {
    /// Whether two schemes are equal, and the failures in them too are at the same places, so that a reader of either gets the
    /// same problems. O(pairs of distinct parts), without recursion.
    pub fn is_same(&self, other: &Scheme) -> bool {
        let mut pairs = Pairs { remaining: Vec::new(), places: true };
        std::ptr::eq(self, other) || pairs.schemes(self, other) && pairs.equal()
    }
}

/// The pairs of parts that remain to be compared.
struct Pairs<'t> {
    remaining: Vec<(&'t TyRef, &'t TyRef)>,
    /// Whether the spans of failures must be equal too.
    places: bool,
}

impl<'t> Pairs<'t> {
    fn equal(mut self) -> bool {
        let mut seen = FxHashSet::default();
        while let Some((a, b)) = self.remaining.pop() {
            if a.same(b) {
                continue;
            }
            if a.marks() != b.marks() {
                return false;
            }
            // a part with a single holder cannot be met twice
            let shared = a.holders() > 1 || b.holders() > 1;
            if shared && !seen.insert((a.address(), b.address())) {
                continue;
            }
            if !self.types(a, b) {
                return false;
            }
        }
        true
    }

    /// Compares two nodes, and adds their parts to the pairs that remain.
    fn types(&mut self, a: &'t Ty, b: &'t Ty) -> bool {
        match (a, b) {
            (Ty::Array(s), Ty::Array(t)) | (Ty::Error(s), Ty::Error(t)) | (Ty::Contract(s), Ty::Contract(t)) => {
                self.later(s, t)
            }
            (Ty::Fails(f, s), Ty::Fails(g, t)) => f == g && (!self.places || f.span == g.span) && self.later(s, t),
            (Ty::Sibling(p, s), Ty::Sibling(q, t)) => p == q && self.later(s, t),
            (Ty::Map(k, s), Ty::Map(l, t)) => self.later(k, l) && self.later(s, t),
            (Ty::Fun(ps, s), Ty::Fun(qs, t)) => {
                let params = self.all(ps, qs, |pairs, p, q| {
                    (&p.name, p.optional, &p.demand) == (&q.name, q.optional, &q.demand) && pairs.later(&p.ty, &q.ty)
                });
                params && self.later(s, t)
            }
            (Ty::Union(ss), Ty::Union(ts)) => self.all(ss, ts, Pairs::later),
            (Ty::Enum(ss, tail), Ty::Enum(ts, end)) => {
                ss.len() == ts.len()
                    && ss.iter().zip(ts).all(|((m, s), (n, t))| m == n && self.option(s.as_ref(), t.as_ref()))
                    && self.tails(tail, end)
            }
            (Ty::Record(r), Ty::Record(s)) => self.rows(r, s),
            (Ty::Forall(s), Ty::Forall(t)) => Arc::ptr_eq(s, t) || self.schemes(s, t),
            // types without parts
            _ => a == b,
        }
    }

    fn later(&mut self, a: &'t TyRef, b: &'t TyRef) -> bool {
        self.remaining.push((a, b));
        true
    }

    fn all<T>(&mut self, a: &'t [T], b: &'t [T], mut equal: impl FnMut(&mut Self, &'t T, &'t T) -> bool) -> bool {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| equal(self, a, b))
    }

    fn option(&mut self, a: Option<&'t TyRef>, b: Option<&'t TyRef>) -> bool {
        match (a, b) {
            (Some(a), Some(b)) => self.later(a, b),
            (None, None) => true,
            _ => false,
        }
    }

    fn tails(&mut self, a: &'t Tail, b: &'t Tail) -> bool {
        match (a, b) {
            (Tail::Dict(s), Tail::Dict(t)) => self.later(s, t),
            _ => a == b,
        }
    }

    fn rows(&mut self, a: &'t Row, b: &'t Row) -> bool {
        (a.marks(), a.open, a.len(), &a.order) == (b.marks(), b.open, b.len(), &b.order)
            && a.unshared_pairs(b, |_| true).all(|(_, f, g)| f.zip(g).is_some_and(|(f, g)| self.fields(f, g)))
            && self.tails(a.tail(), b.tail())
    }

    fn fields(&mut self, a: &'t Field, b: &'t Field) -> bool {
        let stacks = match (&a.stack, &b.stack) {
            (Some(s), Some(t)) => Arc::ptr_eq(s, t) || self.stacks(s, t),
            (None, None) => true,
            _ => false,
        };
        stacks && (a.presence, a.need, a.hidden) == (b.presence, b.need, b.hidden) && self.later(&a.ty, &b.ty)
    }

    fn stacks(&mut self, a: &'t Stack, b: &'t Stack) -> bool {
        let contract = |pairs: &mut Self, a: &'t Contract, b: &'t Contract| pairs.later(&a.ty, &b.ty);
        let layer = |pairs: &mut Self, a: &'t Layer, b: &'t Layer| {
            a.priority == b.priority && a.certain == b.certain && pairs.later(&a.ty, &b.ty)
        };
        (a.definitions, a.optional) == (b.definitions, b.optional)
            && self.all(&a.contracts, &b.contracts, contract)
            && self.all(&a.layers, &b.layers, layer)
            && self.option(a.merger.as_ref(), b.merger.as_ref())
            && self.option(a.bare.as_ref(), b.bare.as_ref())
    }

    fn schemes(&mut self, a: &'t Scheme, b: &'t Scheme) -> bool {
        let constraint = |pairs: &mut Self, a: &'t Constraint, b: &'t Constraint| {
            std::mem::discriminant(a) == std::mem::discriminant(b)
                && a.instances() == b.instances()
                && a.formatted() == b.formatted()
                && a.parts().into_iter().zip(b.parts()).all(|(a, b)| pairs.later(a, b))
        };
        let shown = match (&a.shown, &b.shown) {
            (Some(s), Some(t)) => self.schemes(s, t),
            (None, None) => true,
            _ => false,
        };
        shown && a.vars == b.vars && self.all(&a.constraints, &b.constraints, constraint) && self.later(&a.ty, &b.ty)
    }
}
