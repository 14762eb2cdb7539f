//! Stale results. A result keeps its value when its inputs change; an input that reads a stale result gets a note.
//! Its unevaluated parts are also computed from the old definitions, see [`crate::state::snapshots`].

use super::Session;
use super::event::Event;
use crate::answer::shared::projection;
use crate::dialect::Dialect;
use crate::problem::session::{SessionKind, SessionProblem};
use crate::problem::{Problem, Severity};
use crate::state::changes::ChangedInputs;
use crate::term::{Node, Term};

impl Session {
    /// Takes the snapshot of a new result. O(log results).
    pub(super) fn keep_snapshot(&mut self) {
        self.world.take_snapshot(self.settings().history);
    }

    /// Runs `work` in the snapshot of a result if the term is a path into a stale result, otherwise in the current state.
    pub(super) fn in_snapshot_of<T>(&mut self, term: &Term, work: impl FnOnce(&mut Session) -> T) -> T {
        let world = self.world.clone();
        let snapshot = match term.node(projection::of_term(term).0) {
            Node::Global(name) if !world.since(name).is_nothing() => world.definition(name),
            _ => None,
        };
        let snapshot = snapshot.and_then(|result| world.snapshot_at(result.kept.as_ref()?.revision));
        match snapshot {
            Some(snapshot) => world.in_snapshot(&snapshot, || work(self)),
            None => work(self),
        }
    }

    /// Notes, for each result that a term reads, which of the result's inputs have changed. Linear in the inputs of the
    /// results.
    pub(crate) fn stale(&self, dialect: Dialect, term: &Term) -> Vec<Event> {
        let mut events = Vec::new();
        for (key, _) in term.globals.iter().filter(|(key, _)| key.starts_with('$')) {
            let since = self.world.since(key);
            if since.is_nothing() {
                continue;
            }
            let is_use = |node: &&Node| matches!(node, Node::Global(name) if name == key);
            let at = term.nodes.iter().position(|node| is_use(&node));
            let span = at.and_then(|at| term.spans.get(at)).copied();
            let ChangedInputs { names, files, variables } = since;
            let what = SessionKind::Stale { result: key.clone(), names, files, variables };
            events.push(self.diagnostic(
                dialect,
                &Problem { severity: Severity::Note, ..Problem::warning(SessionProblem { span, what }) },
            ));
        }
        events
    }
}
