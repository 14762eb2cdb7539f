//! Results that are older than what they were computed from. A result keeps the value it was seen with; who reads one that
//! would be another now is told so.
//!
//! What nobody saw of a result, such as a definition that lost, is computed when somebody asks where it comes from: then names
//! mean what they meant when the result came about, or the answer would be part old and part new.

use super::Session;
use super::event::Event;
use crate::problem::session::{Session as Met, SessionKind};
use crate::problem::{Problem, Severity};
use crate::term::{Node, Term};
use crate::text::{Name, SourceId};
use crate::world::environment::{Environment, is_written};
use crate::world::files::Files;
use crate::world::given::Given;
use rustc_hash::FxHashSet;
use std::path::PathBuf;
use std::rc::Rc;

/// What evaluation read when a result came about. A clone of what is persistent: O(1) but for what is given.
#[derive(Clone)]
pub(super) struct Then {
    environment: Environment,
    files: Files,
    given: Vec<Rc<Given>>,
    folders: Vec<PathBuf>,
}

impl Then {
    /// The texts that its definitions are written in.
    pub fn sources(&self) -> impl Iterator<Item = SourceId> {
        self.environment.sources()
    }
}

impl Session {
    /// Remembers what a result was computed from. O(log results).
    pub(super) fn came_about(&mut self, result: &Name) {
        let environment = self.world.environment.borrow().clone();
        let Some(id) = environment.get(result).map(|definition| definition.id) else { return };
        let files = self.world.files.borrow().clone();
        let (given, folders) = (self.world.given.borrow().clone(), self.world.import_paths.borrow().clone());
        let results = &mut self.time.results;
        results.insert(id, Then { environment, files, given, folders });
        while results.len() > self.settings.history {
            results.pop_first();
        }
    }

    /// Does something with names as they were when a result came about, if one that it read is another by now and that is
    /// remembered. Linear in what the result reads, and in what is computed again of it.
    pub(crate) fn as_it_came_about<T>(&mut self, result: &str, work: impl FnOnce(&mut Session) -> T) -> T {
        let result = Name::new(result);
        let then = {
            let environment = self.world.environment.borrow();
            let id = environment.get(&result).filter(|_| result.starts_with('$')).map(|definition| definition.id);
            let then = id.and_then(|id| self.time.results.get(&id));
            then.filter(|_| !newer(&environment, &result).is_empty()).cloned()
        };
        let Some(then) = then else { return work(self) };
        let (now, values) = (self.exchange(then), self.world.values.take());
        let out = work(self);
        self.exchange(now);
        self.world.values.replace(values);
        out
    }

    fn exchange(&self, with: Then) -> Then {
        Then {
            environment: self.world.environment.replace(with.environment),
            files: self.world.files.replace(with.files),
            given: self.world.given.replace(with.given),
            folders: self.world.import_paths.replace(with.folders),
        }
    }

    /// Says of each result that a term reads what has been defined again since. Linear in what the results read.
    pub(super) fn stale(&self, term: &Term, events: &mut Vec<Event>) {
        for (key, _) in term.globals.iter().filter(|(key, _)| key.starts_with('$')) {
            let changed = newer(&self.world.environment.borrow(), key);
            if changed.is_empty() {
                continue;
            }
            let is_use = |node: &&Node| matches!(node, Node::Global(name) if name == key);
            let at = term.nodes.iter().position(|node| is_use(&node));
            let span = at.and_then(|at| term.spans.get(at)).copied();
            let what = SessionKind::Stale { result: key.clone(), changed };
            events.push(self.diagnostic(&Problem { severity: Severity::Note, ..Problem::warning(Met { span, what }) }));
        }
    }
}

/// The names that a result was computed from, directly or not, and that mean something newer, in order.
fn newer(environment: &Environment, result: &Name) -> Vec<Name> {
    let Some(made) = environment.get(result).map(|result| result.id) else { return Vec::new() };
    let mut seen: FxHashSet<Name> = FxHashSet::default();
    let mut work = vec![result.clone()];
    let mut out = Vec::new();
    while let Some(key) = work.pop() {
        let Some(definition) = environment.get(&key) else { continue };
        if definition.id > made && is_written(&key) {
            out.push(key);
            continue;
        }
        work.extend(definition.uses.iter().filter(|used| seen.insert((*used).clone())).cloned());
    }
    out.sort();
    out
}
