//! Updates the siblings that read a field when a merge changes its type. Compares definitions, and orders unions.

use crate::infer::Infer;
use crate::infer::walk::{self, Memo, Rewrite};
use crate::text::{Name, Span};
use crate::ty::{DynReason, Field, Row, Sibling, Tail, Ty, TyRef};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Replaces the types of siblings by their current ones.
struct Retype<'i, 'a> {
    infer: &'i mut Infer<'a>,
    /// The fields of the record, by definition.
    fields: FxHashMap<Span, Field>,
    memo: Memo,
}

impl Rewrite for Retype<'_, '_> {
    fn skip(&self, ty: &TyRef) -> bool {
        !ty.marks().sibling
    }

    fn ty(&mut self, ty: &TyRef) -> TyRef {
        if self.skip(ty) {
            return ty.clone();
        }
        if matches!(&**ty, Ty::Sibling(s, _) if s.joined) {
            return self.joined(ty);
        }
        if let Ty::Sibling(s, old) = &**ty {
            let at = self.infer.merges.current(s.at, |at| self.fields.contains_key(at));
            let Some(field) = self.fields.get(&at).cloned() else {
                return Ty::Sibling(s.clone(), self.ty(old)).into();
            };
            let part = self.infer.part(&field.ty, &s.path, s.at);
            let at = field.at.unwrap_or(s.at);
            if at == s.at && (part.marks().forall || s.path.contains(&Sibling::CALL) && !part.is_closed()) {
                // the use of the same polymorphic definition
                return Ty::Sibling(s.clone(), self.ty(old)).into();
            }
            let part = self.infer.instantiate(&part);
            return Ty::Sibling(Arc::new(Sibling { at, path: s.path.clone(), joined: false }), part).into();
        }
        walk::rebuild_once(ty, self, |retype| &mut retype.memo)
    }
}

impl Retype<'_, '_> {
    /// Adds the current types of all siblings at the head of a joined type.
    fn joined(&mut self, ty: &TyRef) -> TyRef {
        let mut siblings = Vec::new();
        let mut inner = ty;
        while let Ty::Sibling(s, next) = &**inner
            && s.joined
        {
            siblings.push(s);
            inner = next;
        }
        let mut joined = self.ty(inner);
        let mut current = Vec::with_capacity(siblings.len());
        for s in siblings {
            let known = self.infer.merges.current(s.at, |at| self.fields.contains_key(at));
            let Some(field) = self.fields.get(&known).cloned() else {
                current.push(s.clone());
                continue;
            };
            let part = self.infer.part(&field.ty, &s.path, s.at);
            let at = field.at.unwrap_or(s.at);
            joined = self.infer.widen(&joined, &part, s.at, at == s.at);
            current.push(Arc::new(Sibling { at, path: s.path.clone(), joined: true }));
        }
        current.into_iter().rev().fold(joined, |ty, s| Ty::Sibling(s, ty).into())
    }
}

impl Infer<'_> {
    /// Updates the types of fields that read other fields of the row, using the current types of the fields read. O(fields).
    pub(in crate::infer) fn retype(&mut self, row: &Row) -> Row {
        let mut row = row.clone();
        if row.fields().all(|(_, f)| !f.ty.marks().sibling) {
            return row;
        }
        // a reader may have readers itself: repeats while types change, up to a limit
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
            let mut retype = Retype { infer: self, fields, memo: Memo::default() };
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

    /// Returns the part of a type at the end of a path; unknown if there is none.
    fn part(&mut self, ty: &TyRef, path: &[Name], at: Span) -> TyRef {
        let mut here = self.without_failures(ty);
        for name in path {
            let head = self.open_head(&here);
            let head = self.instantiate(&head);
            here = match &*head {
                Ty::Fun(_, result) if *name == Sibling::CALL => match &*self.table.head(result) {
                    Ty::Live(_) => return Ty::Dyn(DynReason::Computed(at)).into(),
                    _ => result.clone(),
                },
                Ty::Record(row) => match self.open_row(row).get(name) {
                    Some(f) => f.ty.clone(),
                    None => return Ty::Dyn(DynReason::Computed(at)).into(),
                },
                _ => return Ty::Dyn(DynReason::Computed(at)).into(),
            };
        }
        self.without_failures(&here)
    }

    /// Records the labels that readers of one side's definitions missed and that the other side has, at any depth.
    pub(super) fn supply_labels(&mut self, a: &Field, b: &Field) {
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

    /// Collects the differences where one value overrides another: scalars of other types, labels added or removed.
    pub(super) fn differences(&mut self, now: &TyRef, was: &TyRef, path: &mut Vec<Name>, out: &mut Vec<Difference>) {
        let (n, w) = (self.table.head(now), self.table.head(was));
        match (&*n, &*w) {
            _ if n.same(&w) => {}
            (Ty::Dyn(_), Ty::Dyn(_)) | (Ty::Bottom, _) | (_, Ty::Bottom) => {}
            (Ty::Forall(_), _) | (_, Ty::Forall(_)) => {
                let (n, w) = (self.instantiate(&n), self.instantiate(&w));
                crate::infer::deep(|| self.differences(&n, &w, path, out));
            }
            // an unknown type may be any other one
            (Ty::Live(_) | Ty::Dyn(_) | Ty::Union(_), _) | (_, Ty::Live(_) | Ty::Dyn(_) | Ty::Union(_)) => {
                out.push(Difference { path: path.clone(), types: None });
            }
            // shared parts without differences are compared once
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

/// A difference between a stronger definition and a weaker one.
pub(super) struct Difference {
    /// The path to it.
    pub path: Vec<Name>,
    /// The types of the stronger and the weaker definition; `None` if a label was added or removed.
    pub types: Option<(TyRef, TyRef)>,
}

/// The rank of a type among the members of a union, alphabetical by how the type is printed.
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

/// Makes a union, with its members in order.
pub(in crate::infer) fn union(mut members: Vec<TyRef>) -> TyRef {
    members.sort_by_key(|t| rank(t));
    Ty::Union(members).into()
}
