//! What was computed of definitions.
//!
//! Values belong to the state that is current and are no part of a snapshot: a thunk that two states shared could be forced
//! in one and be seen in the other, where it means something else. So a change, an undo or a redo forgets the values that
//! may be others now, and keeps the rest. That is decided by who reads whom: a definition that reads nothing that changed,
//! directly or not, has the value that it had. What is forgotten here may live on in a result: [`super::past`].

use super::World;
use super::environment::Definition;
use crate::text::Name;
use crate::value::{Epoch, Machine, Thunk};
use rustc_hash::FxHashMap;

/// The values of the definitions that somebody asked for, by key, and since when each is what it is.
pub type Values = FxHashMap<Name, (Thunk, Epoch)>;

impl World {
    /// The value of a definition, unforced if nobody saw it yet.
    pub fn value(&self, machine: &mut Machine, key: &Name, definition: &Definition) -> Thunk {
        if let Some(kept) = &definition.kept {
            return kept.thunk.clone();
        }
        if let Some((known, _)) = self.values.borrow().get(key) {
            return known.clone();
        }
        // what it reads is the same since then
        let made = self.last_change(key);
        let thunk = machine.thunk_of(&definition.term, made);
        self.values.borrow_mut().insert(key.clone(), (thunk.clone(), made));
        thunk
    }

    /// The value of a definition, if it was made already, for a program that was made at a moment. `None` also if it was another
    /// one then.
    pub fn value_at(&self, key: &Name, born: Epoch) -> Option<Thunk> {
        self.values.borrow().get(key).filter(|(_, made)| *made <= born).map(|(known, _)| known.clone())
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
}
