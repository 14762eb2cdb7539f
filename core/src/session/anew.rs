//! Evaluating all anew: what a question traces is made for the question, whatever was computed before.

use super::world::World;
use super::{Definition, Session};
use crate::term::Term;
use crate::text::Name;
use crate::value::trace::{Origin, Reads};
use crate::value::{Machine, Thunk};
use rustc_hash::FxHashMap;
use std::rc::Rc;
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

/// A name that means something else than it did.
pub(crate) struct Version {
    /// The name.
    pub name: Name,
    /// What it means now. `None`: nothing.
    pub now: Option<Rc<Definition>>,
    /// What it meant, and the value that it had.
    pub before: Option<(Rc<Definition>, Thunk)>,
}

impl Session {
    /// Evaluates with everything made anew, and says who read whom.
    pub(crate) fn trace_reads<T>(&mut self, work: impl FnOnce(&mut Session) -> T) -> (T, Reads) {
        self.world.anew.replace(Some(Anew::default()));
        self.machine.start_tracing();
        let out = work(self);
        let reads = self.machine.stop_tracing();
        self.world.anew.replace(None);
        (out, reads)
    }

    /// The value of a definition as it is made for the question under way.
    pub(crate) fn definition_anew(&mut self, name: &str) -> Option<Thunk> {
        let world = self.world.clone();
        let key = world.key(name)?;
        let definition = world.definition(&key)?;
        world.anew(&mut self.machine, Key::Definition(key.clone()), &definition.term, || Origin::Definition(key))
    }

    /// The names that mean something else than after a cell: what each means now, and what it meant then, as it was then,
    /// with its value, of which at most so many thunks were forced. Of what is older than is remembered: than the oldest.
    pub(crate) fn versions(&mut self, cell: u32, most: usize) -> Vec<Version> {
        let now = self.world.environment.borrow().clone();
        let old = self.at_cell(cell, |session| {
            let names = now.differing(&session.world.environment.borrow());
            let old = |name: Name| {
                let before = session.definition(&name).zip(session.value_of(&name));
                if let Some((_, value)) = &before {
                    session.machine.force_all(value, most);
                }
                (name, before)
            };
            names.into_iter().map(old).collect::<Vec<_>>()
        });
        let version = |(name, before): (Name, _)| Version { now: now.get(&name).cloned(), name, before };
        old.unwrap_or_default().into_iter().map(version).collect()
    }

    /// The definitions that read a definition, directly or not.
    pub(crate) fn users_of(&self, name: &str) -> Vec<Name> {
        let environment = self.world.environment.borrow();
        let mut out: Vec<Name> = Vec::new();
        let mut seen: rustc_hash::FxHashSet<Name> = [Name::new(name)].into_iter().collect();
        let mut next = Name::new(name);
        let mut at = 0;
        loop {
            for user in environment.users(&next).filter(|user| super::is_written(user)) {
                if seen.insert(user.clone()) {
                    out.push(user.clone());
                }
            }
            match out.get(at) {
                Some(user) => next = user.clone(),
                None => return out,
            }
            at += 1;
        }
    }

    /// The value of a program, unforced; of jsonnet's that is a function its call.
    pub(crate) fn program_value(&mut self, term: &Arc<Term>) -> Thunk {
        let dialect = self.dialect();
        self.root(term, dialect, &mut Vec::new())
    }

    /// Where a span begins: `file:line:column`.
    pub(crate) fn located(&self, span: crate::text::Span) -> String {
        self.world.sources.borrow().locate(span)
    }
}
