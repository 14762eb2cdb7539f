//! Which deferred constraints hold a variable, as a graph over the parts of their types. Parts that constraints share are visited
//! once, so that n constraints of which each extends the row of the one before cost O(n log n).

use super::Infer;
use super::table::{Slot, Vid};
use super::walk;
use crate::ty::{Fields, Live, Ty, TyRef};
use rustc_hash::FxHashMap;

/// The constraints that hold each variable.
#[derive(Default)]
pub(super) struct Links {
    /// The parts that hold each part.
    holders: Vec<Vec<u32>>,
    /// The constraint of a part, if the part is one.
    constraints: Vec<Option<usize>>,
    /// Whether the constraints that hold a part were returned.
    returned: Vec<bool>,
    /// The parts of which they were.
    visited: Vec<u32>,
    types: FxHashMap<usize, u32>,
    maps: FxHashMap<usize, u32>,
    variables: FxHashMap<Vid, u32>,
    /// The types that a variable is bound to, so that no other type can take their address.
    held: Vec<TyRef>,
    /// The parts that have not been visited, with those that hold them.
    remaining: Vec<(Part, u32)>,
}

/// A part of a constraint.
enum Part {
    Type(TyRef),
    Map(Fields),
}

impl Links {
    fn part(&mut self, constraint: Option<usize>) -> u32 {
        self.holders.push(Vec::new());
        self.constraints.push(constraint);
        self.returned.push(false);
        self.holders.len() as u32 - 1
    }

    fn hold(&mut self, part: u32, holder: u32) {
        if let Some(holders) = self.holders.get_mut(part as usize) {
            holders.push(holder);
        }
    }

    /// Adds a constraint with the parts in which variables count. Leaves out parts whose marks of live variables are at most `floor`.
    pub fn add(&mut self, infer: &mut Infer<'_>, index: usize, parts: &[&TyRef], floor: u32) {
        let constraint = self.part(Some(index));
        self.remaining.extend(parts.iter().map(|part| (Part::Type((*part).clone()), constraint)));
        while let Some((part, holder)) = self.remaining.pop() {
            match part {
                Part::Type(ty) => self.visit_type(infer, ty, holder, floor),
                Part::Map(map) => self.visit_map(&map, holder, floor),
            }
        }
    }

    fn visit_type(&mut self, infer: &mut Infer<'_>, ty: TyRef, holder: u32, floor: u32) {
        if ty.marks().live <= floor {
            return;
        }
        if let Some(known) = self.types.get(&ty.address()) {
            return self.hold(*known, holder);
        }
        let this = self.part(None);
        self.types.insert(ty.address(), this);
        self.hold(this, holder);
        let mut live = Vec::new();
        match &*ty {
            Ty::Record(row) => {
                self.remaining.push((Part::Map(row.map().clone()), this));
                let remaining = &mut self.remaining;
                let mut child = |c: &TyRef| remaining.push((Part::Type(c.clone()), this));
                walk::tail_children(row.tail(), &mut child, &mut |v| live.push(v));
            }
            other => {
                let remaining = &mut self.remaining;
                let mut child = |c: &TyRef| remaining.push((Part::Type(c.clone()), this));
                walk::children(other, &mut child, &mut |v| live.push(v));
            }
        }
        live.into_iter().for_each(|v| self.visit_variable(infer, v, this));
        self.held.push(ty);
    }

    fn visit_variable(&mut self, infer: &mut Infer<'_>, v: Live, holder: u32) {
        match infer.table.probe(v) {
            Slot::Bound(inner, _) => self.remaining.push((Part::Type(inner), holder)),
            Slot::Free { .. } => {
                let root = infer.table.root(v);
                let known = self.variables.get(&root).copied();
                let variable = known.unwrap_or_else(|| self.part(None));
                self.variables.insert(root, variable);
                self.hold(variable, holder);
            }
        }
    }

    fn visit_map(&mut self, map: &Fields, holder: u32, floor: u32) {
        if map.marks().live <= floor {
            return;
        }
        let (Some(address), Some((left, (_, field), right))) = (map.address(), map.root()) else { return };
        if let Some(known) = self.maps.get(&address) {
            return self.hold(*known, holder);
        }
        // the row that has the map is in a type that is held
        let this = self.part(None);
        self.maps.insert(address, this);
        self.hold(this, holder);
        let remaining = &mut self.remaining;
        walk::field_children(field, &mut |c| remaining.push((Part::Type(c.clone()), this)));
        remaining.push((Part::Map(left.clone()), this));
        remaining.push((Part::Map(right.clone()), this));
    }

    /// Returns the constraints that hold a variable and were not returned before, by index. O(parts that hold it), each part once.
    pub fn take(&mut self, variable: Vid) -> Vec<usize> {
        let mut found = Vec::new();
        let mut work: Vec<u32> = self.variables.get(&variable).copied().into_iter().collect();
        while let Some(part) = work.pop() {
            match self.returned.get_mut(part as usize) {
                Some(returned) if !*returned => *returned = true,
                _ => continue,
            }
            self.visited.push(part);
            found.extend(self.constraints.get(part as usize).copied().flatten());
            work.extend(self.holders.get(part as usize).into_iter().flatten());
        }
        found.sort_unstable();
        found
    }

    /// Forgets which constraints were returned. O(parts visited since the last time).
    pub fn forget_returned(&mut self) {
        for part in self.visited.drain(..) {
            if let Some(returned) = self.returned.get_mut(part as usize) {
                *returned = false;
            }
        }
    }
}
