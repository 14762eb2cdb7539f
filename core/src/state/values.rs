//! What was computed of definitions.
//!
//! Values belong to the state that is current and are no part of a snapshot: a thunk that two states shared could be forced
//! in one and be seen in the other, where it means something else. So a change, an undo or a redo forgets the values that
//! may be others now, and keeps the rest. That is decided by who reads whom: a definition that reads nothing that changed,
//! directly or not, has the value that it had. What is forgotten here may live on in a result: [`super::snapshots`].

use super::World;
use super::environment::Definition;
use crate::text::Name;
use crate::value::{Machine, Revision, Thunk};
use rustc_hash::FxHashMap;

/// The values of the definitions that somebody asked for, by key.
pub type Values = FxHashMap<Name, Cached>;

/// A value, and when what it is computed from was what it is: what of it nobody forced yet is no other in between.
pub struct Cached {
    /// The value.
    pub thunk: Thunk,
    /// From when on; its program counts as made then.
    pub since: Revision,
    /// Until when at least.
    pub until: Revision,
}

impl World {
    /// The value of a definition, unforced if nobody saw it yet.
    pub fn value(&self, machine: &mut Machine, key: &Name, definition: &Definition) -> Thunk {
        self.value_for(machine, key, definition, self.now())
    }

    /// The value of a definition that has been what it is since a moment, for a program that was made then.
    pub fn value_for(&self, machine: &mut Machine, key: &Name, definition: &Definition, born: Revision) -> Thunk {
        if let Some(kept) = &definition.kept {
            return kept.thunk.clone();
        }
        if let Some(known) = self.value_at(key, born) {
            return known;
        }
        let until = self.now();
        let since = if born >= until { self.unchanged_since(key) } else { self.last_change(key) };
        let thunk = machine.thunk_of(&definition.term, since);
        self.values.borrow_mut().insert(key.clone(), Cached { thunk: thunk.clone(), since, until });
        thunk
    }

    /// The value of a definition, if it was made already, for a program that was made at a moment. `None` also if it is not known
    /// to have been the same then.
    pub fn value_at(&self, key: &Name, born: Revision) -> Option<Thunk> {
        let now = self.now();
        let (since, until) = self.values.borrow().get(key).map(|made| (made.since, made.until))?;
        if since > born {
            return None;
        }
        let unchanged = until >= now || self.last_change(key) <= since;
        let mut values = self.values.borrow_mut();
        if !unchanged {
            let changed = values.remove(key);
            // dropping a value may look here
            drop(values);
            drop(changed);
            return None;
        }
        let made = values.get_mut(key)?;
        made.until = now;
        Some(made.thunk.clone())
    }

    /// A key gets another definition; the value it had goes to the key that its definition is reachable under from now on.
    pub fn replaced(&self, key: &Name, kept: Option<&Name>) {
        let mut values = self.values.borrow_mut();
        if let (Some(old), Some(kept)) = (values.remove(key), kept) {
            values.insert(kept.clone(), old);
        }
    }

    /// Forgets the values of these keys themselves, and of the predecessors that they read.
    pub fn forget(&self, keys: &[Name]) {
        let environment = self.state.environment.borrow();
        let mut values = self.values.borrow_mut();
        for key in keys {
            values.remove(key);
            let read = environment.get(key).into_iter().flat_map(|definition| definition.uses.iter());
            for predecessor in read.filter(|used| used.contains('@')) {
                values.remove(predecessor);
            }
        }
    }
}
