//! Fresh evaluation: a question that traces evaluates everything again, without the caches.

use super::{Definition, World};
use crate::term::Term;
use crate::text::Name;
use crate::value::trace::Origin;
use crate::value::{Machine, Revision, Thunk};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The values that a question has made.
pub type Fresh = FxHashMap<Key, Thunk>;

/// Something that a session evaluates at most once.
#[derive(PartialEq, Eq, Hash, Debug)]
pub enum Key {
    /// A definition, by key, with its revision if that is not the current one.
    Definition(Option<Revision>, Name),
    /// A file or external value, by the address of its entry.
    File(usize),
}

impl World {
    /// Returns the fresh value of a term, unforced. `None` if no fresh evaluation is running.
    pub fn fresh_value(
        &self,
        machine: &mut Machine,
        key: Key,
        (term, revision): (&Arc<Term>, Revision),
        origin: impl FnOnce() -> Origin,
    ) -> Option<Thunk> {
        if let Some(known) = self.fresh.borrow().as_ref()?.get(&key) {
            return Some(known.clone());
        }
        let thunk = match key {
            Key::Definition(..) => machine.thunk_of(term, revision),
            Key::File(_) => machine.imported_of(term, revision),
        };
        machine.name_thunk(&thunk, origin);
        if let Some(all) = &mut *self.fresh.borrow_mut() {
            all.insert(key, thunk.clone());
        }
        Some(thunk)
    }

    /// Returns the fresh value of a definition. A result is evaluated as in its own revision. `None` if no fresh evaluation
    /// is running.
    pub fn fresh_definition(&self, machine: &mut Machine, key: &Name, definition: &Definition) -> Option<Thunk> {
        let revision = definition.kept.as_ref().map(|kept| kept.revision);
        let made = (&definition.term, revision.unwrap_or_else(|| self.now()));
        self.fresh_value(machine, Key::Definition(revision, key.clone()), made, || Origin::Definition(key.clone()))
    }
}
