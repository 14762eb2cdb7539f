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

/// The values of the definitions that somebody asked for, by key, and when each was made.
pub type Values = FxHashMap<Name, (Thunk, Epoch)>;

impl World {
    /// The value of a definition, unforced if nobody saw it yet.
    pub fn value(&self, machine: &mut Machine, key: &Name, definition: &Definition) -> Thunk {
        if let Some(kept) = &definition.kept {
            return kept.thunk.clone();
        }
        if let Some(known) = self.value_now(key) {
            return known;
        }
        let thunk = machine.thunk(&definition.term);
        self.values.borrow_mut().insert(key.clone(), (thunk.clone(), self.now()));
        thunk
    }

    /// The value of a definition, if it was made already and is what it would be if it were made now.
    pub fn value_now(&self, key: &Name) -> Option<Thunk> {
        self.value_since(key, self.now())
    }

    /// The value of a definition, if it was made already, and a definition that was made at a moment reads it. What of a value
    /// nobody forced yet means what it meant when it was made: no change may be in between.
    pub fn value_since(&self, key: &Name, born: Epoch) -> Option<Thunk> {
        let (thunk, made) = self.values.borrow().get(key).cloned()?;
        self.is_unchanged(key, made.min(born)).then_some(thunk)
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
