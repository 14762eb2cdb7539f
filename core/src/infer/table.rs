//! The table of live variables: a union-find (ena) with levels, rigid variables, the reason for each binding, and the deferred
//! constraints that watch each variable.

use super::why::{Reason, ReasonId};
use crate::text::Name;
use crate::ty::{Live, Ty, TyRef, VariableKind};
use ena::unify::{InPlaceUnificationTable, NoError, UnifyKey, UnifyValue};
use rustc_hash::FxHashMap;

/// The key of a variable in the table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Vid(pub u32);

/// The state of a variable.
#[derive(Clone, Debug)]
pub(super) enum Slot {
    /// Not bound.
    Free {
        /// The nesting depth of the definition that can generalise it.
        level: u32,
        /// The kind of thing that it stands for.
        kind: VariableKind,
        /// The name of the `forall`-bound variable that it stands for while a `: T` is checked.
        rigid: Option<Name>,
        /// Whether the callers of a function choose it: the type of a parameter, or a part of one.
        chosen: bool,
    },
    /// Bound to a type. A row variable is bound to a record or an enum with the rest of the row.
    Bound(TyRef, ReasonId),
}

impl UnifyKey for Vid {
    type Value = Slot;
    fn index(&self) -> u32 {
        self.0
    }
    fn from_index(u: u32) -> Vid {
        Vid(u)
    }
    fn tag() -> &'static str {
        "Vid"
    }
}

impl UnifyValue for Slot {
    type Error = NoError;
    fn unify_values(a: &Slot, b: &Slot) -> Result<Slot, NoError> {
        Ok(match (a, b) {
            (
                Slot::Free { level: l, kind, rigid: r, chosen: c },
                Slot::Free { level: m, kind: other, rigid: s, chosen: d },
            ) => {
                // a row is more specific than a type
                let kind = if *kind == VariableKind::Type { *other } else { *kind };
                Slot::Free { level: *l.min(m), kind, rigid: r.clone().or_else(|| s.clone()), chosen: *c || *d }
            }
            (Slot::Free { .. }, bound) | (bound, _) => bound.clone(),
        })
    }
}

/// The variables of one inference.
#[derive(Default)]
pub(super) struct Table {
    vars: InPlaceUnificationTable<Vid>,
    reasons: Vec<Reason>,
    /// The deferred constraints to try again when a variable is bound, by index.
    watchers: FxHashMap<Vid, Vec<u32>>,
    /// The constraints to try again now.
    woken: Vec<u32>,
    /// The types that replace those of bindings that turned out to be wrong.
    replaced: FxHashMap<u32, TyRef>,
}

impl Table {
    /// The number of variables: the next one gets this number.
    pub fn len(&self) -> u32 {
        self.vars.len() as u32
    }

    /// Makes a free variable.
    pub fn fresh(&mut self, kind: VariableKind, level: u32) -> Live {
        let id = self.vars.new_key(Slot::Free { level, kind, rigid: None, chosen: false }).0;
        Live { id, level }
    }

    /// Makes a rigid variable, which stands for a `forall`-bound one and cannot be bound.
    pub fn rigid(&mut self, kind: VariableKind, level: u32, name: Name) -> Live {
        let id = self.vars.new_key(Slot::Free { level, kind, rigid: Some(name), chosen: false }).0;
        Live { id, level }
    }

    /// Returns the state of a variable.
    pub fn probe(&mut self, v: Live) -> Slot {
        match self.vars.probe_value(Vid(v.id)) {
            Slot::Bound(_, by) if let Some(ty) = self.replaced.get(&by.0) => Slot::Bound(ty.clone(), by),
            slot => slot,
        }
    }

    /// Replaces the type of a binding.
    pub fn replace(&mut self, by: ReasonId, ty: TyRef) {
        self.replaced.insert(by.0, ty);
    }

    /// Records that callers choose a free variable.
    pub fn choose(&mut self, v: Live) {
        if let Slot::Free { level, kind, rigid, chosen: false } = self.probe(v) {
            self.vars.union_value(Vid(v.id), Slot::Free { level, kind, rigid, chosen: true });
        }
    }

    /// Whether callers choose a free variable.
    pub fn is_chosen(&mut self, v: Live) -> bool {
        matches!(self.probe(v), Slot::Free { rigid: None, chosen: true, .. })
    }

    /// Returns the representative of all variables that were unified with this one.
    pub fn root(&mut self, v: Live) -> Vid {
        self.vars.find(Vid(v.id))
    }

    /// Returns the reason for a binding.
    pub fn reason(&self, id: ReasonId) -> &Reason {
        &self.reasons[id.0 as usize]
    }

    /// Adds the reason for a binding.
    pub fn add_reason(&mut self, reason: Reason) -> ReasonId {
        self.reasons.push(reason);
        ReasonId(self.reasons.len() as u32 - 1)
    }

    /// Makes a binding uncertain if it came from a value and not from a use.
    pub fn doubt(&mut self, id: ReasonId) {
        if let Some(reason) = self.reasons.get_mut(id.0 as usize)
            && reason.given
        {
            reason.certain = false;
        }
    }

    /// Unifies two free variables. The result has the lower level, and is rigid if one of them is.
    pub fn union(&mut self, a: Live, b: Live) {
        let (ra, rb) = (self.root(a), self.root(b));
        if ra == rb {
            return;
        }
        self.vars.union(ra, rb);
        let mut waiting = self.watchers.remove(&ra).unwrap_or_default();
        let others = self.watchers.remove(&rb).unwrap_or_default();
        // Unifying with a variable that no constraint watches changes nothing for the constraints. Waking constraints for it would not
        // end: some make a new row tail each time they are tried.
        let both_watched = !waiting.is_empty() && !others.is_empty();
        waiting.extend(others);
        if !waiting.is_empty() {
            if both_watched {
                self.woken.extend(&waiting);
            }
            let root = self.vars.find(ra);
            self.watchers.insert(root, waiting);
        }
    }

    /// Binds a free variable. The caller has checked for cycles.
    pub fn bind(&mut self, v: Live, ty: TyRef, reason: ReasonId) {
        let root = self.root(v);
        self.vars.union_value(root, Slot::Bound(ty, reason));
        if let Some(waiting) = self.watchers.remove(&root) {
            self.woken.extend(waiting);
        }
    }

    /// The level of a variable; 0 if it is bound.
    pub fn level(&mut self, v: Vid) -> u32 {
        match self.vars.probe_value(v) {
            Slot::Free { level, .. } => level,
            Slot::Bound(..) => 0,
        }
    }

    /// Lowers a free variable's level.
    pub fn lower(&mut self, v: Live, level: u32) {
        if let Slot::Free { level: old, kind, rigid, chosen } = self.probe(v)
            && old > level
        {
            self.vars.union_value(Vid(v.id), Slot::Free { level, kind, rigid, chosen });
        }
    }

    /// Sets the kind of a free variable.
    pub fn set_kind(&mut self, v: Live, kind: VariableKind) {
        if let Slot::Free { level, rigid, chosen, .. } = self.probe(v) {
            // `unify_values` would keep the old kind of a row
            let fresh = self.vars.new_key(Slot::Free { level, kind, rigid, chosen });
            self.vars.union(fresh, Vid(v.id));
        }
    }

    /// Makes a constraint wait for a variable: it is tried again when the variable is bound.
    pub fn watch(&mut self, v: Live, constraint: u32) {
        let root = self.root(v);
        let list = self.watchers.entry(root).or_default();
        if !list.contains(&constraint) {
            list.push(constraint);
        }
    }

    /// Whether there are constraints to try again.
    pub fn is_woken(&self) -> bool {
        !self.woken.is_empty()
    }

    /// Takes the next constraint to try again.
    pub fn next_woken(&mut self) -> Option<u32> {
        self.woken.pop()
    }

    /// Returns the type with bound variables, failures and siblings at its head resolved.
    pub fn head(&mut self, ty: &TyRef) -> TyRef {
        self.head_with(ty).0
    }

    /// Like [`Table::head`], with the reason for the last binding that was followed.
    pub fn head_with(&mut self, ty: &TyRef) -> (TyRef, Option<ReasonId>) {
        let mut at = ty.clone();
        let mut why = None;
        loop {
            at = match &*at {
                Ty::Fails(_, inner) | Ty::Sibling(_, inner) => inner.clone(),
                Ty::Live(v) => match self.probe(*v) {
                    Slot::Bound(inner, reason) => {
                        why = Some(reason);
                        inner
                    }
                    Slot::Free { .. } => return (at, why),
                },
                _ => return (at, why),
            }
        }
    }
}
