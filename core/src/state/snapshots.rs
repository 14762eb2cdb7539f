//! What names meant when something was made.
//!
//! What is evaluated is evaluated late: a result holds functions and fields that nobody asked for yet, and what they read may
//! be defined again before somebody does. So every program that is evaluated carries the moment it was made in
//! ([`Revision`]), and a name that it reads means what it meant then. Where that is what it means now, which is nearly always,
//! the value is shared; else it is computed in the world as it was, of which a result keeps a snapshot.
//!
//! Moments are counted by changes: while nothing is defined again, undone or read again, it is one moment. What a name means
//! is another thing only if it, or something that it reads, directly or not, was changed. A definition counts as made when it
//! last was ([`World::last_change`]), whenever it is evaluated: so that is no matter of who asks first.
//!
//! Snapshots are kept of the newest results, as many as there are results (`history`), and of those that are read. What is
//! left of an older one, and nobody asked for, means what names meant at the oldest that is kept.

use super::environment::Environment;
use super::session_state::Inputs;
use super::values::{Cached, Values};
use super::{Definition, World};
use crate::text::{Name, SourceId};
use crate::value::{Machine, Revision, Thunk};
use rpds::HashTrieMap;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Of how many names it is known when they changed before those that are bound no more are forgotten.
const ROOM: usize = 1024;

/// How many names are looked at to find out since when one has meant what it means.
const SOON: usize = 64;

/// When names changed. A clone is O(1).
#[derive(Clone, Default)]
struct Changes {
    /// The moment.
    now: Revision,
    /// When anything that is read from outside, a file say, changed last.
    outside: Revision,
    /// Everything counts as changed at least then.
    floor: Revision,
    /// When each name was given another meaning, or lost it, as far as that was after the floor.
    names: HashTrieMap<Name, Revision>,
}

/// The moments of a session.
#[derive(Default)]
pub(crate) struct Revisions {
    changes: RefCell<Changes>,
    /// When a name changed last, or anything that it reads: of some names, and of all that these read.
    last: RefCell<FxHashMap<Name, u64>>,
    /// Names that read many others of which it is not known, as of now.
    far: RefCell<FxHashSet<Name>>,
    /// The snapshots that results came about in.
    snapshots: RefCell<BTreeMap<Revision, Rc<Snapshot>>>,
    /// How many were left when some were forgotten last.
    left: Cell<usize>,
}

/// The world as it was. What is persistent in it is shared with what it is.
pub(crate) struct Snapshot {
    changes: Changes,
    pub environment: Environment,
    /// The inputs of that time, once they have changed. `None`: they are those of the session.
    inputs: RefCell<Option<Inputs>>,
    /// The revision in which its inputs became what they were.
    inputs_since: Revision,
    values: RefCell<Values>,
    meanings: RefCell<Meanings>,
}

/// Numbers of what names meant, with all that they read: two that mean the same have the same one.
#[derive(Default)]
struct Meanings {
    /// When it was now.
    at: Revision,
    now: FxHashMap<Name, u64>,
    then: FxHashMap<Name, u64>,
}

/// A number whose sums tell which numbers were added up (SplitMix64).
fn scattered(id: u32) -> u64 {
    let z = (u64::from(id) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

impl Snapshot {
    /// The moment.
    pub fn revision(&self) -> Revision {
        self.changes.now
    }

    /// The texts that its definitions and files are written in.
    pub fn sources(&self, to: &mut impl Extend<SourceId>) {
        to.extend(self.environment.sources());
        if let Some(inputs) = &*self.inputs.borrow() {
            to.extend(inputs.files.borrow().values().map(|file| file.source));
            to.extend(inputs.externals.borrow().iter().filter_map(|given| given.source()));
        }
    }

    /// What it meant by a name.
    pub fn definition(&self, name: &str) -> Option<(Name, Rc<Definition>)> {
        let key = match name {
            "it" if self.environment.get(name).is_none() => self.environment.it.clone()?,
            _ => Name::new(name),
        };
        let definition = self.environment.get(&key)?.clone();
        Some((key, definition))
    }
}

/// What is put back after something was done in another world.
pub(crate) struct Caches {
    values: Values,
    changes: Changes,
    last: FxHashMap<Name, u64>,
}

impl World {
    /// The moment that it is.
    pub fn now(&self) -> Revision {
        self.revisions.changes.borrow().now
    }

    /// These names mean something else from now on, or nothing. What was computed from them is forgotten. O(what was computed
    /// or asked of their readers).
    pub(crate) fn change(&self, keys: &[Name]) {
        if keys.is_empty() {
            return;
        }
        let bound = self.state.environment.borrow().len();
        self.step(|changes, now| {
            let environment = self.state.environment.borrow();
            for key in keys {
                changes.names.insert_mut(key.clone(), now);
                // what it was before is reached by another key from now on
                let uses = environment.get(key).into_iter().flat_map(|definition| definition.uses.iter());
                for older in uses.filter(|used| used.contains('@')) {
                    if changes.names.get(older).is_none() {
                        changes.names.insert_mut(older.clone(), now);
                    }
                }
            }
        });
        let mut changes = self.revisions.changes.borrow_mut();
        if changes.names.size() > 2 * bound + ROOM {
            changes.floor = changes.now;
            changes.names = HashTrieMap::default();
            drop(changes);
            self.revisions.last.borrow_mut().clear();
            self.values.take();
            return;
        }
        drop(changes);
        self.forget_readers(keys);
    }

    /// Everything may mean something else from now on: nothing that was computed is used any more.
    pub(crate) fn change_all(&self) {
        self.step(|changes, now| {
            changes.floor = now;
            changes.outside = now;
            changes.names = HashTrieMap::default();
        });
        self.revisions.last.borrow_mut().clear();
        self.file_libraries.borrow_mut().retain(|(_, _, then), _| then.is_some());
        self.values.take();
    }

    /// What is read from outside may be about to change: snapshots that are remembered keep what it is now.
    pub(crate) fn inputs_will_change(&self) {
        let changed = self.revisions.changes.borrow().outside;
        for (_, then) in self.revisions.snapshots.borrow().range(changed..) {
            then.inputs.replace(Some(self.state.inputs.clone()));
        }
    }

    /// What is read from outside has changed.
    pub(crate) fn inputs_changed(&self) {
        self.file_libraries.borrow_mut().retain(|(_, _, then), _| then.is_some());
        self.step(|changes, now| {
            changes.outside = now;
            self.state.inputs.since.set(now);
        });
    }

    fn step(&self, at: impl FnOnce(&mut Changes, Revision)) {
        self.revisions.far.take();
        let mut changes = self.revisions.changes.borrow_mut();
        changes.now.0 += 1;
        let now = changes.now;
        at(&mut changes, now);
    }

    /// Forgets of who reads these names, directly or not, what was computed and when it changed.
    fn forget_readers(&self, keys: &[Name]) {
        let mut last = self.revisions.last.borrow_mut();
        let mut values = self.values.borrow_mut();
        let mut forgotten = Vec::new();
        for key in keys {
            last.remove(key);
            forgotten.extend(values.remove(key));
        }
        if last.is_empty() && values.is_empty() {
            return;
        }
        let environment = self.state.environment.borrow();
        let mut work: Vec<Name> = keys.to_vec();
        while let Some(key) = work.pop() {
            let Some(users) = environment.user_set(&key) else { continue };
            let known = |user: &&Name| last.contains_key(*user) || values.contains_key(*user);
            let read: Vec<Name> = match users.size() > values.len() + last.len() {
                true => {
                    let all = values.keys().chain(last.keys().filter(|key| !values.contains_key(*key)));
                    all.filter(|user| users.contains(*user)).cloned().collect()
                }
                false => users.iter().filter(known).cloned().collect(),
            };
            for user in &read {
                last.remove(user);
                forgotten.extend(values.remove(user));
            }
            work.extend(read);
        }
        // dropping a value may look here
        drop((values, last));
    }

    /// When a name was given another meaning last, or anything that it reads, directly or not; a name that means nothing
    /// counts as changed just now. O(1) once it is known; before that linear in what it reads of which it is not.
    pub(crate) fn last_change(&self, key: &Name) -> Revision {
        self.last_change_within(key, usize::MAX).unwrap_or_else(|| self.now())
    }

    /// A moment since when a name has meant what it means, and so has everything that it reads: when that changed last, where
    /// it is found out soon. Amortized O(1).
    pub(crate) fn unchanged_since(&self, key: &Name) -> Revision {
        let is_far = self.revisions.far.borrow().contains(key);
        let found = if is_far { None } else { self.last_change_within(key, SOON) };
        found.unwrap_or_else(|| self.now())
    }

    fn last_change_within(&self, key: &Name, most: usize) -> Option<Revision> {
        let environment = self.state.environment.borrow();
        let changes = self.revisions.changes.borrow();
        let own = |name: &Name, definition: Option<&Definition>| match definition {
            Some(_) => u64::from(changes.names.get(name).map_or(changes.floor, |at| (*at).max(changes.floor)).0),
            None => u64::from(changes.now.0),
        };
        match environment.summed(key, &mut self.revisions.last.borrow_mut(), own, u64::max, most) {
            Ok(at) => Some(Revision(at as u32)),
            Err(more) => {
                self.revisions.far.borrow_mut().extend(more);
                None
            }
        }
    }

    /// When anything that is read from outside changed last.
    pub(crate) fn last_change_of_inputs(&self) -> Revision {
        self.revisions.changes.borrow().outside
    }

    /// Whether a name meant in a world that was what it means now, and so did everything that it reads.
    pub(crate) fn is_same_in(&self, then: &Snapshot, key: &Name) -> bool {
        let mut meanings = then.meanings.borrow_mut();
        let now = self.now();
        if meanings.at != now {
            *meanings = Meanings { at: now, ..Meanings::default() };
        }
        let own = |_: &Name, definition: Option<&Definition>| definition.map_or(0, |d| scattered(d.id));
        let is = self.state.environment.borrow().summed(key, &mut meanings.now, own, u64::wrapping_add, usize::MAX);
        is == then.environment.summed(key, &mut meanings.then, own, u64::wrapping_add, usize::MAX)
    }

    /// The world that something was made in, where what is read from outside is another by now.
    pub(crate) fn snapshot_of_inputs(&self, born: Revision) -> Option<Rc<Snapshot>> {
        let outside = self.revisions.changes.borrow().outside;
        if born >= outside {
            return None;
        }
        self.snapshot_at(born)
            .filter(|then| then.revision() < outside && then.inputs_since != self.state.inputs.since.get())
    }

    /// Does something with what was outside in a world that was in the place of what is.
    pub(crate) fn with_inputs_of<T>(&self, then: &Snapshot, work: impl FnOnce() -> T) -> T {
        self.exchange_inputs(then);
        let out = work();
        self.exchange_inputs(then);
        out
    }

    /// The world that something was made in, or the oldest after that: what it reads was the same then.
    pub(crate) fn snapshot_at(&self, born: Revision) -> Option<Rc<Snapshot>> {
        self.revisions.snapshots.borrow().range(born..).next().map(|(_, then)| then.clone())
    }

    /// Remembers the world as it is, and so many, or a few more, of those before it; with them those of all results that are
    /// bound. Amortized O(log snapshots).
    pub(crate) fn take_snapshot(&self, most: usize) {
        let changes = self.revisions.changes.borrow().clone();
        let now = changes.now;
        let then = Snapshot {
            changes,
            environment: self.state.environment.borrow().clone(),
            inputs: RefCell::default(),
            inputs_since: self.state.inputs.since.get(),
            values: RefCell::default(),
            meanings: RefCell::default(),
        };
        let mut snapshots = self.revisions.snapshots.borrow_mut();
        snapshots.insert(now, Rc::new(then));
        let few = most.max(self.revisions.left.get());
        if snapshots.len() > few + few / 4 {
            // an older result is bound as long as a definition reads it
            let environment = self.state.environment.borrow();
            let results = environment.from("$").take_while(|(key, _)| key.starts_with('$'));
            let bound: FxHashSet<Revision> =
                results.filter_map(|(_, d)| d.kept.as_ref()).map(|kept| kept.born).collect();
            let forgotten = snapshots.len() - most;
            let oldest: Vec<Revision> = snapshots.keys().take(forgotten).copied().collect();
            for epoch in oldest.iter().filter(|epoch| !bound.contains(epoch)) {
                snapshots.remove(epoch);
            }
            self.revisions.left.set(snapshots.len());
        }
    }

    /// The texts that snapshots which are remembered need.
    pub(crate) fn snapshot_sources(&self, to: &mut impl Extend<SourceId>) {
        let snapshots = self.revisions.snapshots.borrow();
        // between two of them nothing goes but what the older has, as far as nothing from outside changed
        let mut before: Option<bool> = None;
        for then in snapshots.values() {
            let own = then.inputs.borrow().is_some();
            if before.is_none() || own {
                then.sources(to);
            }
            before = Some(own);
        }
    }

    /// The value that a definition had in a world that was.
    pub(crate) fn value_in(
        &self,
        machine: &mut Machine,
        then: &Snapshot,
        key: &Name,
        definition: &Definition,
    ) -> Thunk {
        if let Some(kept) = &definition.kept {
            return kept.thunk.clone();
        }
        if let Some(known) = then.values.borrow().get(key) {
            return known.thunk.clone();
        }
        let (since, until) = (then.revision(), then.revision());
        let thunk = machine.thunk_of(&definition.term, since);
        then.values.borrow_mut().insert(key.clone(), Cached { thunk: thunk.clone(), since, until });
        thunk
    }

    /// Does something in a world that was, as if it were now.
    pub(crate) fn in_snapshot<T>(&self, then: &Snapshot, work: impl FnOnce() -> T) -> T {
        let environment = self.state.environment.replace(then.environment.clone());
        let changes = self.revisions.changes.replace(then.changes.clone());
        let last = self.revisions.last.take();
        self.values.swap(&then.values);
        let out = self.with_inputs_of(then, work);
        self.values.swap(&then.values);
        self.revisions.last.replace(last);
        self.revisions.changes.replace(changes);
        self.state.environment.replace(environment);
        out
    }

    /// Puts what is outside in the place of a world's, and its in theirs.
    fn exchange_inputs(&self, then: &Snapshot) {
        if let Some(inputs) = &*then.inputs.borrow() {
            self.state.inputs.swap(inputs);
        }
    }

    /// Takes what was computed, to be put back: a world comes that goes without a trace.
    pub(crate) fn take_caches(&self) -> Caches {
        let changes = self.revisions.changes.borrow().clone();
        self.revisions.changes.borrow_mut().now.0 += 1;
        Caches { values: self.values.take(), changes, last: self.revisions.last.take() }
    }

    /// Puts back what was computed: everything is as it was.
    pub(crate) fn restore_caches(&self, aside: Caches) {
        let Caches { values, changes, last } = aside;
        // what came about meanwhile did not
        drop(self.revisions.snapshots.borrow_mut().split_off(&Revision(changes.now.0 + 1)));
        let now = self.now();
        self.revisions.changes.replace(Changes { now, ..changes });
        self.revisions.last.replace(last);
        self.values.replace(values);
    }
}
