//! Cached values of definitions.
//!
//! Values are not part of a snapshot. If two states shared a thunk, one could force it and the other would see a value that
//! is wrong there. A change, undo or redo therefore forgets the values that it may affect and keeps the rest: a definition
//! that reads nothing that changed, directly or indirectly, keeps its value. A result may still hold a value that is
//! forgotten here, see [`super::snapshots`].

use super::World;
use super::environment::Definition;
use super::environment::is_predecessor;
use crate::text::Name;
use crate::value::{Machine, Revision, Thunk};
use rustc_hash::FxHashMap;

/// The cached values of definitions, by key.
pub type Values = FxHashMap<Name, Cached>;

/// A value and the revisions for which it is valid. Thunks that are still unforced are valid for the same range.
pub struct Cached {
    /// The value.
    pub thunk: Thunk,
    /// The first revision, which is also the revision of its program.
    pub since: Revision,
    /// The last revision for which it is known to be valid.
    pub until: Revision,
}

impl World {
    /// Returns the value of a definition. It may still be unforced.
    pub fn value(&self, machine: &mut Machine, key: &Name, definition: &Definition) -> Thunk {
        self.value_for(machine, key, definition, self.now())
    }

    /// Returns the value of a definition for a program made in revision `born`. The definition must be unchanged since.
    pub fn value_for(&self, machine: &mut Machine, key: &Name, definition: &Definition, revision: Revision) -> Thunk {
        if let Some(kept) = &definition.kept {
            return kept.thunk.clone();
        }
        if let Some(known) = self.value_at(key, revision) {
            return known;
        }
        let until = self.now();
        let since = if revision >= until { self.unchanged_since(key) } else { self.last_change(key) };
        let thunk = machine.thunk_of(&definition.term, since);
        self.values.borrow_mut().insert(key.clone(), Cached { thunk: thunk.clone(), since, until });
        thunk
    }

    /// Returns the cached value of a definition for a program made in revision `born`. `None` if it is not known to have
    /// been the same then.
    pub fn value_at(&self, key: &Name, revision: Revision) -> Option<Thunk> {
        let now = self.now();
        let (since, until) = self.values.borrow().get(key).map(|made| (made.since, made.until))?;
        if since > revision {
            return None;
        }
        let unchanged = until >= now || self.last_change(key) <= since;
        let mut values = self.values.borrow_mut();
        if !unchanged {
            let changed = values.remove(key);
            // dropping a value may borrow these again
            drop(values);
            drop(changed);
            return None;
        }
        let made = values.get_mut(key)?;
        made.until = now;
        Some(made.thunk.clone())
    }

    /// Handles the redefinition of a key: its value moves to the key of the predecessor, if that is still read.
    pub fn replaced(&self, key: &Name, kept: Option<&Name>) {
        let mut values = self.values.borrow_mut();
        if let (Some(old), Some(kept)) = (values.remove(key), kept) {
            values.insert(kept.clone(), old);
        }
    }

    /// Forgets the values of these keys and of the predecessors that they read.
    pub fn forget(&self, keys: &[Name]) {
        let environment = self.state.environment.borrow();
        let mut values = self.values.borrow_mut();
        for key in keys {
            values.remove(key);
            let read = environment.get(key).into_iter().flat_map(|definition| definition.uses.iter());
            for predecessor in read.filter(|used| is_predecessor(used)) {
                values.remove(predecessor);
            }
        }
    }
}
