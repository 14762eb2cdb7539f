//! Live variables: ena's union-find with levels, rigid variables, the reason of each binding, and watchers.

use super::why::{Reason, ReasonId};
use crate::text::Name;
use crate::ty::{Kind, Live, Ty, TyRef};
use ena::unify::{InPlaceUnificationTable, NoError, UnifyKey, UnifyValue};
use rustc_hash::FxHashMap;

/// A key of the table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Vid(pub u32);

/// What the table knows of a variable.
#[derive(Clone, Debug)]
pub(super) enum Slot {
    /// Nothing yet.
    Free {
        /// The nesting of generalisations it belongs to.
        level: u32,
        /// What it stands for.
        kind: Kind,
        /// The name of the `forall`-bound variable that it stands for while a `: T` is checked.
        rigid: Option<Name>,
    },
    /// A type; a row variable is bound to a record or enum that holds the rest of the row.
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
            (Slot::Free { level: l, kind, rigid: r }, Slot::Free { level: m, kind: other, rigid: s }) => {
                // a row is more than a type
                let kind = if *kind == Kind::Type { *other } else { *kind };
                Slot::Free { level: *l.min(m), kind, rigid: r.clone().or_else(|| s.clone()) }
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
    watchers: FxHashMap<Vid, Vec<u32>>,
    woken: Vec<u32>,
}

impl Table {
    pub fn fresh(&mut self, kind: Kind, level: u32) -> Live {
        let id = self.vars.new_key(Slot::Free { level, kind, rigid: None }).0;
        Live { id, level }
    }

    pub fn rigid(&mut self, kind: Kind, level: u32, name: Name) -> Live {
        let id = self.vars.new_key(Slot::Free { level, kind, rigid: Some(name) }).0;
        Live { id, level }
    }

    pub fn probe(&mut self, v: Live) -> Slot {
        self.vars.probe_value(Vid(v.id))
    }

    pub fn root(&mut self, v: Live) -> Vid {
        self.vars.find(Vid(v.id))
    }

    pub fn reason(&self, id: ReasonId) -> &Reason {
        &self.reasons[id.0 as usize]
    }

    pub fn add_reason(&mut self, reason: Reason) -> ReasonId {
        self.reasons.push(reason);
        ReasonId(self.reasons.len() as u32 - 1)
    }

    /// What a value said of a variable is no longer certain.
    pub fn doubt(&mut self, id: ReasonId) {
        if let Some(reason) = self.reasons.get_mut(id.0 as usize)
            && reason.given
        {
            reason.certain = false;
        }
    }

    /// Makes two free variables one; the lower level and rigidity hold.
    pub fn union(&mut self, a: Live, b: Live) {
        let (ra, rb) = (self.root(a), self.root(b));
        if ra == rb {
            return;
        }
        self.vars.union(ra, rb);
        let mut waiting = self.watchers.remove(&ra).unwrap_or_default();
        let others = self.watchers.remove(&rb).unwrap_or_default();
        // A variable that nobody waits for teaches nothing. Waking for it would have a constraint that makes a fresh row
        // tail each time it is looked at wake itself for ever.
        let news = !waiting.is_empty() && !others.is_empty();
        waiting.extend(others);
        if !waiting.is_empty() {
            if news {
                self.woken.extend(&waiting);
            }
            let root = self.vars.find(ra);
            self.watchers.insert(root, waiting);
        }
    }

    /// Binds a free variable. The caller has looked for cycles.
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
        if let Slot::Free { level: old, kind, rigid } = self.probe(v)
            && old > level
        {
            self.vars.union_value(Vid(v.id), Slot::Free { level, kind, rigid });
        }
    }

    /// Says what a free variable stands for.
    pub fn set_kind(&mut self, v: Live, kind: Kind) {
        if let Slot::Free { level, rigid, .. } = self.probe(v) {
            // unifying values keeps the kind of the old one
            let fresh = self.vars.new_key(Slot::Free { level, kind, rigid });
            self.vars.union(fresh, Vid(v.id));
        }
    }

    /// Has a constraint looked at again when the variable learns something.
    pub fn watch(&mut self, v: Live, constraint: u32) {
        let root = self.root(v);
        let list = self.watchers.entry(root).or_default();
        if !list.contains(&constraint) {
            list.push(constraint);
        }
    }

    /// Whether there is a constraint that has something to look at.
    pub fn is_woken(&self) -> bool {
        !self.woken.is_empty()
    }

    /// A constraint that has something to look at.
    pub fn next_woken(&mut self) -> Option<u32> {
        self.woken.pop()
    }

    /// The type as far as its head is known: bound variables and failures looked through.
    pub fn head(&mut self, ty: &TyRef) -> TyRef {
        self.head_with(ty).0
    }

    /// The head, and the reason of the last binding that was looked through.
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
