//! What was computed of definitions.
//!
//! Values belong to the state that is current and are no part of a snapshot: a thunk that two states shared could be forced
//! in one and be seen in the other, where it means something else. So a change, an undo or a redo forgets the values that
//! may be others now, and keeps the rest. That is decided by who reads whom: a definition that reads nothing that changed,
//! directly or not, has the value that it had.

use super::World;
use super::environment::Definition;
use crate::text::Name;
use crate::value::{Machine, Thunk};
use rustc_hash::FxHashMap;

/// The values of the definitions that somebody asked for, by key.
pub type Values = FxHashMap<Name, Thunk>;

impl World {
    /// The value of a definition, unforced if nobody saw it yet.
    pub fn value(&self, machine: &mut Machine, key: &Name, definition: &Definition) -> Thunk {
        if let Some(kept) = &definition.kept {
            return kept.clone();
        }
        if let Some(known) = self.values.borrow().get(key) {
            return known.clone();
        }
        let thunk = machine.thunk(&definition.term);
        self.values.borrow_mut().insert(key.clone(), thunk.clone());
        thunk
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
        let environment = self.environment.borrow();
        let mut values = self.values.borrow_mut();
        for key in keys {
            values.remove(key);
            let read = environment.get(key).into_iter().flat_map(|definition| definition.uses.iter());
            for predecessor in read.filter(|used| used.contains('@')) {
                values.remove(predecessor);
            }
        }
    }

    /// Forgets every value that was computed from one of the keys, directly or not. One that is not forced was seen by
    /// nobody: it stays, and what reads it did not see through it. O(readers, or values where these are fewer).
    pub fn forget_values(&self, keys: &[Name]) {
        if self.values.borrow().is_empty() {
            return;
        }
        let environment = self.environment.borrow();
        let mut values = self.values.borrow_mut();
        let mut forgotten = Vec::new();
        let mut work: Vec<Name> = keys.to_vec();
        while let Some(key) = work.pop() {
            let Some(users) = environment.user_set(&key) else { continue };
            let forced = |user: &&Name| values.get(*user).is_some_and(Thunk::is_forced);
            let seen: Vec<Name> = match users.size() > values.len() {
                true => values.keys().filter(|user| users.contains(*user)).filter(forced).cloned().collect(),
                false => users.iter().filter(forced).cloned().collect(),
            };
            forgotten.extend(seen.iter().filter_map(|user| values.remove(user)));
            work.extend(seen);
        }
        // dropping a value may look here
        drop(values);
    }
}
