//! Checks the definitions that depend on a changed one again, in order of rank, and stops where nothing changes.
//!
//! There are two cut-offs. Types: a definition is inferred again only if the type of something that it reads changed, and
//! its readers only if its own type changed. Values: a value is forgotten only if something that it was computed from
//! changed, see [`super::values`].

use super::World;
use super::environment::{Definition, Typed};
use super::typing;
use crate::problem::Problem;
use crate::text::Name;
use indexmap::IndexMap;
use indexmap::map::Entry;
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::collections::BTreeSet;
use std::rc::Rc;

/// Maximum number of times that one definition is inferred again for one change. More than once happens only if ranks are
/// out of date.
const TURNS: u32 = 2;

/// A definition whose type or problems changed because of another definition.
pub struct Changed {
    /// Its key.
    pub key: Name,
    /// The result of inference before the change.
    pub before: Rc<Typed>,
    /// The result of inference after the change.
    pub after: Rc<Typed>,
}

impl Changed {
    /// The problems that are new after the change.
    pub fn new_problems(&self) -> impl Iterator<Item = &Problem> {
        self.after.problems.iter().filter(|p| !self.before.problems.contains(p) && !typing::is_elsewhere(p))
    }

    /// Returns `true` if anything differs. After two inferences, the second result may equal the one before both.
    pub fn is_real(&self) -> bool {
        self.before.scheme != self.after.scheme || self.before.problems != self.after.problems
    }
}

impl World {
    /// Brings everything that depends on these keys up to date. `changed_type` are the keys whose own type changed. Linear
    /// in the number of definitions that are reached. Stops early when interrupted, in a consistent but older state.
    pub fn recheck(&self, values: &[Name], changed_type: &[Name]) -> Vec<Changed> {
        self.record_change(values);
        let _checking = self.activity.begin(super::activity::Phase::Checking);
        let mut queue: BTreeSet<(u32, Name)> = BTreeSet::new();
        for key in changed_type {
            self.enqueue_users(key, &mut queue);
        }
        {
            let environment = self.state.environment.borrow();
            let rings = environment.rings();
            if values.iter().any(|key| rings.contains(key)) {
                // a cycle may be new, or broken now
                let all = rings.iter().filter_map(|key| Some((environment.get(key)?.rank, key.clone())));
                queue.extend(all);
            }
        }
        let mut turns: FxHashMap<Name, u32> = FxHashMap::default();
        let mut changed: IndexMap<Name, Changed, FxBuildHasher> = IndexMap::default();
        while let Some((_, key)) = queue.pop_first() {
            if self.interrupt.is_raised() {
                break;
            }
            let turn = turns.entry(key.clone()).or_default();
            *turn += 1;
            if *turn > TURNS {
                continue;
            }
            let is_in_ring = self.state.environment.borrow().rings().contains(&key);
            if is_in_ring && let Some((ring, found)) = self.infer_ring(&key) {
                queue.retain(|(_, queued)| !ring.contains(queued));
                for one in found {
                    if !one.before.scheme.is_same(&one.after.scheme) {
                        self.enqueue_users(&one.key, &mut queue);
                    }
                    match changed.entry(one.key.clone()) {
                        Entry::Occupied(known) => known.into_mut().after = one.after,
                        Entry::Vacant(new) => drop(new.insert(one)),
                    }
                }
                queue.retain(|(_, queued)| !ring.contains(queued));
                continue;
            }
            let Some(definition) = self.state.environment.borrow().get(&key).cloned() else { continue };
            self.activity.check();
            let after = self.infer(&definition.term);
            let before = definition.typed.clone();
            let same_type = before.scheme.is_same(&after.scheme);
            if same_type && before.problems == after.problems {
                continue;
            }
            let rank = self.state.environment.borrow().rank(&definition.uses);
            let updated = Definition { typed: after.clone(), rank, ..(*definition).clone() };
            self.state.environment.borrow_mut().update(&key, updated);
            match changed.entry(key.clone()) {
                Entry::Occupied(known) => known.into_mut().after = after,
                Entry::Vacant(new) => drop(new.insert(Changed { key: key.clone(), before, after })),
            }
            if !same_type {
                self.enqueue_users(&key, &mut queue);
            }
        }
        let again = |key: &Name| turns.get(key).is_some_and(|turn| *turn > 1);
        changed.into_values().filter(|c| !again(&c.key) || c.is_real()).collect()
    }

    /// Returns a cycle of definitions through `key`: `key` first, each definition read by the one before it. Empty if there
    /// is none. Linear in the number of definitions that it reads.
    pub fn definition_cycle(&self, key: &Name) -> Vec<Name> {
        let environment = self.state.environment.borrow();
        if environment.users(key).next().is_none() {
            return Vec::new();
        }
        let mut reader: FxHashMap<Name, Name> = FxHashMap::default();
        let mut work = vec![key.clone()];
        while let Some(here) = work.pop() {
            let Some(definition) = environment.get(&here) else { continue };
            // results are already evaluated and read nothing
            for used in definition.uses.iter().filter(|used| !used.starts_with('$')) {
                if used == key {
                    let mut ring = vec![here.clone()];
                    while let Some(before) = ring.last().and_then(|last| reader.get(last)) {
                        ring.push(before.clone());
                    }
                    ring.reverse();
                    return ring;
                }
                if !reader.contains_key(used) {
                    reader.insert(used.clone(), here.clone());
                    work.push(used.clone());
                }
            }
        }
        Vec::new()
    }

    fn enqueue_users(&self, key: &str, queue: &mut BTreeSet<(u32, Name)>) {
        let environment = self.state.environment.borrow();
        // results keep their type
        for user in environment.users(key).filter(|user| !user.starts_with('$')) {
            if let Some(definition) = environment.get(user) {
                queue.insert((definition.rank, user.clone()));
            }
        }
    }
}
