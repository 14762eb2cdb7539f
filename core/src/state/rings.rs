//! Definitions that read each other in a cycle. Their types are inferred together, without earlier results, so that
//! they depend only on the definitions and the names that these read, not on the order in which the user entered them.

use super::World;
use super::environment::{Definition, Environment, Typed};
use super::recheck::Changed;
use crate::text::Name;
use crate::ty::{DynReason, Scheme, Ty};
use rustc_hash::FxHashSet;
use std::rc::Rc;
use std::sync::Arc;

/// The number of times that each definition of a cycle is inferred. Types may grow each time.
const TURNS: usize = 2;

impl Environment {
    /// Returns the cycle that contains `key`: all definitions that read it and that it reads, directly or indirectly,
    /// including itself, in order of entry. Empty if there is none. Linear in the number of definitions that it reads and that read it.
    fn ring(&self, key: &Name) -> Vec<Name> {
        if self.users(key).next().is_none() {
            return Vec::new();
        }
        let read = reached(key, |name, to| to.extend(self.get(name).into_iter().flat_map(|d| d.uses.iter().cloned())));
        if !read.contains(key) {
            return Vec::new();
        }
        let reading = reached(key, |name, to| to.extend(self.users(name).filter(|user| read.contains(*user)).cloned()));
        let place = |name: &Name| self.get(name).map(|d| (d.cell, d.span.map(|span| span.start)));
        let mut ring: Vec<Name> = reading.into_iter().filter(|name| self.get(name).is_some()).collect();
        ring.sort_by_key(|name| (place(name), name.clone()));
        ring
    }
}

/// Returns the names that can be reached from a name in one or more steps.
fn reached(from: &Name, next: impl Fn(&Name, &mut Vec<Name>)) -> FxHashSet<Name> {
    let mut seen: FxHashSet<Name> = FxHashSet::default();
    let (mut work, mut found) = (vec![from.clone()], Vec::new());
    while let Some(name) = work.pop() {
        next(&name, &mut found);
        work.extend(found.drain(..).filter(|name| seen.insert(name.clone())));
    }
    seen
}

impl World {
    /// Records the cycle, if any, that a new definition closes.
    pub fn note_ring(&self, key: &Name) {
        let ring = self.state.environment.borrow().ring(key);
        let mut environment = self.state.environment.borrow_mut();
        ring.into_iter().for_each(|name| environment.add_to_rings(name));
    }

    /// Infers the cycle that contains `key`. Returns its members and the changes. `None` if the definition is not part of a
    /// cycle any more.
    pub(crate) fn infer_ring(&self, key: &Name) -> Option<(Vec<Name>, Vec<Changed>)> {
        let ring = self.state.environment.borrow().ring(key);
        if ring.is_empty() {
            self.state.environment.borrow_mut().remove_from_rings(key);
            return None;
        }
        let known = |name: &Name| self.state.environment.borrow().get(name).cloned();
        let definitions: Vec<Rc<Definition>> = ring.iter().filter_map(known).collect();
        // above everything that the cycle reads
        let others: Vec<Name> =
            definitions.iter().flat_map(|d| d.uses.iter()).filter(|used| !ring.contains(used)).cloned().collect();
        let rank = self.state.environment.borrow().rank(&others);
        let enter = |name: &Name, definition: &Definition, typed: Rc<Typed>| {
            let mut environment = self.state.environment.borrow_mut();
            environment.add_to_rings(name.clone());
            environment.update(name, Definition { typed, rank, ..definition.clone() });
        };
        for (name, definition) in ring.iter().zip(&definitions) {
            let span = definition.span.unwrap_or_else(|| definition.term.span(definition.term.root));
            let scheme = Arc::new(Scheme::mono(Ty::Dyn(DynReason::Cycle(span)).into()));
            enter(name, definition, Rc::new(Typed { scheme, problems: Vec::new(), suspected: Vec::new() }));
        }
        for _ in 0..TURNS {
            for (name, definition) in ring.iter().zip(&definitions) {
                if self.interrupt.is_raised() {
                    break;
                }
                self.activity.check();
                enter(name, definition, self.infer(&definition.term));
            }
        }
        let change = |(name, definition): (&Name, &Rc<Definition>)| {
            let (before, after) = (definition.typed.clone(), self.typed(name)?);
            Some(Changed { key: name.clone(), before, after })
        };
        let changed = ring.iter().zip(&definitions).filter_map(change).filter(Changed::is_real).collect();
        Some((ring, changed))
    }
}
