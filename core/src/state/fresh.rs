//! Fresh evaluation: a question that traces evaluates everything again, without the caches.

use super::external::Target;
use super::files::File;
use super::{Definition, Workspace, World};
use crate::term::Term;
use crate::text::Name;
use crate::value::trace::{Id, Origin, Reads};
use crate::value::{Machine, Revision, Thunk};
use rustc_hash::FxHashMap;
use std::rc::Rc;
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

/// A fresh evaluation that continues after events, each of which gives an external variable its next value.
pub struct LiveEvaluation {
    reads: Reads,
    values: Fresh,
    /// The files that were read when it began. They are kept, because values are known by the addresses of their files.
    files: Vec<Rc<File>>,
}

impl LiveEvaluation {
    /// Creates an evaluation in which nothing is evaluated yet.
    pub(crate) fn new() -> LiveEvaluation {
        LiveEvaluation { reads: Reads::live(), values: Fresh::default(), files: Vec::new() }
    }

    /// Records that an external variable is about to get another value.
    pub(crate) fn will_change(&mut self, world: &World, name: &str) {
        if let Some(Ok(file)) = world.external_file(Target::Variable, name) {
            self.values.remove(&Key::File(Rc::as_ptr(&file) as usize));
        }
    }

    /// Marks everything that may depend on an external variable. Returns the nodes. O(those that may depend).
    pub(crate) fn mark(&mut self, name: &str) -> Vec<Id> {
        self.reads.mark(name)
    }

    /// The reads so far.
    pub(crate) fn reads(&self) -> &Reads {
        &self.reads
    }

    /// Frees what the evaluation of these values no longer needs, if much has been added.
    pub(crate) fn tidy(&mut self, roots: &[Thunk]) {
        self.reads.tidy(roots);
    }
}

impl Workspace {
    /// Runs `work` as a part of an evaluation that continues after events.
    pub(crate) fn continue_live<T>(&mut self, live: &mut LiveEvaluation, work: impl FnOnce(&mut Workspace) -> T) -> T {
        if live.files.is_empty() {
            live.files = self.world.state.inputs.files.borrow().values().cloned().collect();
        }
        self.world.fresh.replace(Some(std::mem::take(&mut live.values)));
        self.machine.resume_tracing(std::mem::take(&mut live.reads));
        let out = work(self);
        live.reads = self.machine.stop_tracing();
        live.values = self.world.fresh.replace(None).unwrap_or_default();
        out
    }
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
