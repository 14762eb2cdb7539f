//! Results that are older than what they were computed from. A result keeps the value it was seen with; who reads one that
//! would be another now is told so. What nobody asked for of it yet is computed from what it was too: [`crate::world::past`].

use super::Session;
use super::event::Event;
use crate::problem::session::{Session as Met, SessionKind};
use crate::problem::{Problem, Severity};
use crate::term::{Node, Term};
use crate::text::Name;
use crate::world::environment::{Environment, is_written};
use rustc_hash::FxHashSet;

impl Session {
    /// Remembers the world that a result comes about in. O(log results).
    pub(super) fn came_about(&mut self) {
        self.world.remember(self.settings.history);
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
