//! Evaluating all anew: what a question traces is made for the question, whatever was computed before.

use super::{Definition, World};
use crate::term::Term;
use crate::text::Name;
use crate::value::trace::Origin;
use crate::value::{Machine, Revision, Thunk};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// What was made for a question.
pub type Fresh = FxHashMap<Key, Thunk>;

/// Something that a session evaluates once.
#[derive(PartialEq, Eq, Hash, Debug)]
pub enum Key {
    /// A definition, by its key; the moment, if that is not the present.
    Definition(Option<Revision>, Name),
    /// A file or what stands in for one, by its address.
    File(usize),
}

impl World {
    /// The value of something, unforced, as it is made for the question under way. `None`: there is none.
    pub fn fresh_value(
        &self,
        machine: &mut Machine,
        key: Key,
        (term, born): (&Arc<Term>, Revision),
        origin: impl FnOnce() -> Origin,
    ) -> Option<Thunk> {
        if let Some(known) = self.fresh.borrow().as_ref()?.get(&key) {
            return Some(known.clone());
        }
        let thunk = match key {
            Key::Definition(..) => machine.thunk_of(term, born),
            Key::File(_) => machine.imported_of(term, born),
        };
        machine.name_thunk(&thunk, origin);
        if let Some(all) = &mut *self.fresh.borrow_mut() {
            all.insert(key, thunk.clone());
        }
        Some(thunk)
    }

    /// The value of a definition as it is made for the question under way: a result's as it was when that came about. `None`:
    /// there is none.
    pub fn fresh_definition(&self, machine: &mut Machine, key: &Name, definition: &Definition) -> Option<Thunk> {
        let then = definition.kept.as_ref().map(|kept| kept.born);
        let made = (&definition.term, then.unwrap_or_else(|| self.now()));
        self.fresh_value(machine, Key::Definition(then, key.clone()), made, || Origin::Definition(key.clone()))
    }
}
