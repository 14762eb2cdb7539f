//! Evaluating all anew: what a question traces is made for the question, whatever was computed before.

use super::World;
use crate::term::Term;
use crate::text::Name;
use crate::value::trace::Origin;
use crate::value::{Machine, Thunk};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// What was made for a question.
pub type Anew = FxHashMap<Key, Thunk>;

/// Something that a session evaluates once.
#[derive(PartialEq, Eq, Hash, Debug)]
pub enum Key {
    /// A definition, by its key.
    Definition(Name),
    /// A file or what stands in for one, by its address.
    File(usize),
}

impl World {
    /// The value of something, unforced, as it is made for the question under way. `None`: there is none.
    pub fn anew(
        &self,
        machine: &mut Machine,
        key: Key,
        term: &Arc<Term>,
        origin: impl FnOnce() -> Origin,
    ) -> Option<Thunk> {
        if let Some(known) = self.anew.borrow().as_ref()?.get(&key) {
            return Some(known.clone());
        }
        let thunk = match key {
            Key::Definition(_) => machine.thunk(term),
            Key::File(_) => machine.imported(term),
        };
        machine.name_thunk(&thunk, origin);
        if let Some(all) = &mut *self.anew.borrow_mut() {
            all.insert(key, thunk.clone());
        }
        Some(thunk)
    }
}
