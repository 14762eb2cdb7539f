//! What a merge that changes a field's type does to the siblings that read the field, and the order of unions.

use crate::infer::Infer;
use crate::infer::walk::{self, Rewrite};
use crate::text::{Name, Span};
use crate::ty::{DynReason, Field, Row, Sibling, Tail, Ty, TyRef};
use rustc_hash::FxHashMap;
use std::sync::Arc;

struct Retype<'i, 'a> {
    infer: &'i mut Infer<'a>,
    /// The fields whose definitions were read, by definition.
    fields: FxHashMap<Span, Field>,
    memo: FxHashMap<usize, (TyRef, TyRef)>,
}

impl Rewrite for Retype<'_, '_> {
    fn skip(&self, ty: &TyRef) -> bool {
        !ty.marks().sibling
    }

    fn ty(&mut self, ty: &TyRef) -> TyRef {
        if self.skip(ty) {
            return ty.clone();
        }
        if let Ty::Sibling(s, old) = &**ty {
            let at = self.infer.merges.current(s.at, |at| self.fields.contains_key(at));
            let Some(field) = self.fields.get(&at).cloned() else {
                return Ty::Sibling(s.clone(), self.ty(old)).into();
            };
            let part = self.infer.part(&field.ty, &s.path, s.at);
            let at = field.at.unwrap_or(s.at);
            return Ty::Sibling(Arc::new(Sibling { at, path: s.path.clone() }), part).into();
        }
        if let Some((_, done)) = self.memo.get(&ty.address()) {
            return done.clone();
        }
        let done = crate::infer::deep(|| walk::rebuild(ty, self));
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
    /// Gives the fields of a row that read other fields of it the types that those have now. O(fields).
    pub(in crate::infer) fn retype(&mut self, row: &Row) -> Row {
        let mut row = row.clone();
        if row.fields().all(|(_, f)| !f.ty.marks().sibling) {
            return row;
        }
        // a reader may be read itself: as often as types go on changing, within reason
        for _ in 0..8 {
            let mut fields = FxHashMap::default();
            for (_, f) in row.fields() {
                fields.extend(f.at.map(|at| (at, f.clone())));
                for layer in f.stack.iter().flat_map(|s| &s.layers) {
                    fields.extend(layer.at.map(|at| (at, f.clone())));
                }
            }
            let readers: Vec<(Name, Field)> =
                row.fields().filter(|(_, f)| f.ty.marks().sibling).map(|(n, f)| (n.clone(), f.clone())).collect();
            let mut retype = Retype { infer: self, fields, memo: FxHashMap::default() };
            let mut changed = false;
            for (name, f) in readers {
                let new = walk::field(&f, &mut retype);
                changed |= new.ty != f.ty;
                row.insert(name, new);
            }
            if !changed {
                break;
            }
        }
        row
    }

    /// A part of a type by the fields that lead to it.
    fn part(&mut self, ty: &TyRef, path: &[Name], at: Span) -> TyRef {
        let mut here = self.without_failures(ty);
        for name in path {
            let head = self.open_head(&here);
            here = match &*head {
                Ty::Record(row) => match self.open_row(row).get(name) {
                    Some(f) => f.ty.clone(),
                    None => return Ty::Dyn(DynReason::Computed(at)).into(),
                },
                _ => return Ty::Dyn(DynReason::Computed(at)).into(),
            };
        }
        self.without_failures(&here)
    }

    /// Notes which labels that readers of one side's definitions missed the other side has, at whatever depth.
    pub(in crate::infer) fn bring(&mut self, a: &Field, b: &Field) {
        for (mine, other) in [(a, b), (b, a)] {
            let layers = mine.stack.iter().flat_map(|s| &s.layers).filter_map(|l| l.at);
            let all: Vec<Span> = layers.chain(mine.at).flat_map(|at| self.merges.origins(at)).collect();
            for at in all {
                for name in self.merges.missing(at) {
                    let contracts = other.stack.iter().flat_map(|s| &s.contracts).map(|c| c.ty.clone());
                    let types = contracts.chain([other.ty.clone()]).collect();
                    if self.has_label(types, &name) {
                        self.merges.supply(at, name);
                    }
                }
            }
        }
    }

    /// Whether a record in one of these types has, or may have, a field of this name.
    fn has_label(&mut self, mut work: Vec<TyRef>, name: &Name) -> bool {
        let mut seen = rustc_hash::FxHashSet::default();
        let mut held = Vec::new();
        while let Some(ty) = work.pop() {
            let head = self.open_head(&ty);
            match &*head {
                Ty::Record(row) if seen.insert(head.address()) => {
                    let row = self.open_row(row);
                    if row.get(name).is_some() || !matches!(row.tail(), Tail::Closed) {
                        return true;
                    }
                    work.extend(row.fields().map(|(_, f)| f.ty.clone()));
                }
                Ty::Live(_) | Ty::Dyn(_) => return true,
                _ => {}
            }
            held.push(head);
        }
        false
    }

    /// Notes what differs where one value takes the place of another: scalars of other types, labels that came or went.
    pub(in crate::infer) fn differences(
        &mut self,
        now: &TyRef,
        was: &TyRef,
        path: &mut Vec<Name>,
        out: &mut Vec<Difference>,
    ) {
        let (n, w) = (self.table.head(now), self.table.head(was));
        match (&*n, &*w) {
            _ if n.same(&w) => {}
            (Ty::Dyn(_), Ty::Dyn(_)) | (Ty::Bottom, _) | (_, Ty::Bottom) => {}
            // what is not known may be anything: whoever read the one does not know the other
            (Ty::Live(_) | Ty::Dyn(_) | Ty::Union(_) | Ty::Forall(_), _)
            | (_, Ty::Live(_) | Ty::Dyn(_) | Ty::Union(_) | Ty::Forall(_)) => {
                out.push(Difference { path: path.clone(), types: None });
            }
            // shared parts without a difference are compared once
            (Ty::Record(_), Ty::Record(_)) if self.caches.alike.get(&n, &w).is_some() => {}
            (Ty::Record(a), Ty::Record(b)) => crate::infer::deep(|| {
                let before = out.len();
                let (a, b) = (self.open_row(a), self.open_row(b));
                for (name, f) in b.fields() {
                    path.push(name.clone());
                    match a.get(name) {
                        Some(g) => self.differences(&g.ty, &f.ty, path, out),
                        None => out.push(Difference { path: path.clone(), types: None }),
                    }
                    path.pop();
                }
                for (name, _) in a.fields().filter(|(name, _)| b.get(name).is_none()) {
                    path.push(name.clone());
                    out.push(Difference { path: path.clone(), types: None });
                    path.pop();
                }
                if out.len() == before && n.is_closed() && w.is_closed() && (n.holders() > 2 || w.holders() > 2) {
                    self.caches.alike.insert(&n, &w, ());
                }
            }),
            (Ty::Array(a), Ty::Array(b)) => {
                let mut inside = Vec::new();
                crate::infer::deep(|| self.differences(a, b, &mut Vec::new(), &mut inside));
                if !inside.is_empty() {
                    out.push(Difference { path: path.clone(), types: None });
                }
            }
            (Ty::Fun(..), Ty::Fun(..)) | (Ty::Enum(..), Ty::Enum(..)) | (Ty::Contract(_), Ty::Contract(_)) => {
                if n != w {
                    out.push(Difference { path: path.clone(), types: None });
                }
            }
            (a, b) if std::mem::discriminant(a) == std::mem::discriminant(b) => {}
            _ => out.push(Difference { path: path.clone(), types: Some((n, w)) }),
        }
    }
}

/// Where a stronger definition is not like the weaker one.
pub(in crate::infer) struct Difference {
    pub path: Vec<Name>,
    /// The stronger one's type and the weaker one's; nothing where a label came or went.
    pub types: Option<(TyRef, TyRef)>,
}

/// The place of a type among the members of a union: alphabetical by what is printed first.
pub(in crate::infer) fn rank(ty: &Ty) -> u8 {
    match ty {
        Ty::Array(_) => 0,
        Ty::Bool => 1,
        Ty::Contract(_) => 2,
        Ty::Dyn(_) => 3,
        Ty::Error(_) => 4,
        Ty::Float => 5,
        Ty::Fun(..) => 6,
        Ty::Int => 7,
        Ty::Map(..) => 8,
        Ty::Null => 9,
        Ty::Number => 10,
        Ty::String => 11,
        Ty::Enum(..) => 12,
        Ty::Record(_) => 13,
        _ => 14,
    }
}

/// A union, in its one order.
pub(in crate::infer) fn union(mut members: Vec<TyRef>) -> TyRef {
    members.sort_by_key(|t| rank(t));
    Ty::Union(members).into()
}
