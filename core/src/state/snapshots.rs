//! Revisions, the change log of names, and snapshots of earlier revisions.
//!
//! Evaluation is lazy: a result contains functions and fields that are still unevaluated, and the names that they read may
//! be redefined before they are evaluated. Therefore each evaluated program records the [`Revision`] in which it was made,
//! and its names have the definitions of that revision. If a definition has not changed since, which is the usual case,
//! the current value is shared. Otherwise the value is computed from the snapshot of that revision.
//!
//! The revision number increases with each definition, undo or reload. The value of a name changes only if its
//! definition, or a definition that it reads directly or indirectly, changes. A definition belongs to the revision of
//! its last change ([`World::last_change`]), no matter when it is evaluated. Its value therefore does not depend on
//! which input needs it first.
//!
//! Snapshots are kept for the newest results, up to the number of the setting `history`, and for older results that are still bound.
//! Unevaluated parts of all other results use the oldest snapshot that is kept.

use super::environment::{Environment, is_predecessor};
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

/// Number of entries that the change log may have beyond twice the number of bound names.
const MAX_EXTRA_CHANGES: usize = 1024;

/// Maximum number of names that are visited to find the last change of a name, unless the exact change is needed.
const MAX_VISITED: usize = 64;

/// The change log of names. A clone costs O(1).
#[derive(Clone, Default)]
struct ChangeLog {
    /// The current revision.
    now: Revision,
    /// The revision of the last change to an input, for example a file.
    inputs_changed: Revision,
    /// No name counts as changed before this revision.
    floor: Revision,
    /// The revision in which each name was last defined or removed, if that is after the floor.
    names: HashTrieMap<Name, Revision>,
}

/// The revisions of a session.
#[derive(Default)]
pub(crate) struct Revisions {
    changes: RefCell<ChangeLog>,
    /// The revision in which a name, or anything that it reads, last changed. Complete: if a name is in this map, so is
    /// everything that it reads. Revisions are numbers here, as [`Environment::summed`] needs them.
    last_changes: RefCell<FxHashMap<Name, u64>>,
    /// Names whose last change is unknown and too expensive to compute, in the current revision.
    too_costly: RefCell<FxHashSet<Name>>,
    /// The snapshots in which results were computed.
    snapshots: RefCell<BTreeMap<Revision, Rc<Snapshot>>>,
    /// Number of snapshots after the last removal of old ones.
    after_removal: Cell<usize>,
}

/// The session in an earlier revision. Its persistent parts are shared with the current state.
pub(crate) struct Snapshot {
    changes: ChangeLog,
    pub environment: Environment,
    /// The inputs of that revision. `None` if they are still the session's inputs.
    inputs: RefCell<Option<Inputs>>,
    /// The earliest revision with those inputs.
    inputs_since: Revision,
    values: RefCell<Values>,
    definition_hashes: RefCell<DefinitionHashes>,
}

/// Hashes of the definitions of names, including everything that they read. Equal definitions have equal hashes.
#[derive(Default)]
struct DefinitionHashes {
    /// The revision for which `current` was computed.
    at: Revision,
    current: FxHashMap<Name, u64>,
    in_snapshot: FxHashMap<Name, u64>,
}

/// A well-distributed hash of an id, so that a sum of hashes identifies the ids that were added (SplitMix64).
fn hash_id(id: u32) -> u64 {
    let z = (u64::from(id) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

impl Snapshot {
    /// The revision in which the snapshot was taken.
    pub fn revision(&self) -> Revision {
        self.changes.now
    }

    /// Adds the sources that its definitions and files are written in.
    pub fn sources(&self, to: &mut impl Extend<SourceId>) {
        to.extend(self.environment.sources());
        if let Some(inputs) = &*self.inputs.borrow() {
            to.extend(inputs.files.borrow().values().map(|file| file.source));
            to.extend(inputs.externals.borrow().iter().filter_map(|external| external.source()));
        }
    }

    /// Returns the key and the definition that a name had in this snapshot.
    pub fn definition(&self, name: &str) -> Option<(Name, Rc<Definition>)> {
        let key = match name {
            "it" if self.environment.get(name).is_none() => self.environment.it.clone()?,
            _ => Name::new(name),
        };
        let definition = self.environment.get(&key)?.clone();
        Some((key, definition))
    }
}

/// The cached values and the change log that [`World::restore_caches`] puts back.
pub(crate) struct SavedCaches {
    values: Values,
    changes: ChangeLog,
    last_changes: FxHashMap<Name, u64>,
}

impl World {
    /// The current revision.
    pub fn now(&self) -> Revision {
        self.revisions.changes.borrow().now
    }

    /// Records that these names were redefined or removed, and forgets everything that was computed from them. O(cached
    /// values of their readers).
    pub(crate) fn record_change(&self, keys: &[Name]) {
        if keys.is_empty() {
            return;
        }
        let bound = self.state.environment.borrow().len();
        self.advance(|changes, now| {
            let environment = self.state.environment.borrow();
            for key in keys {
                changes.names.insert_mut(key.clone(), now);
                // the definition that this one replaces now has another key
                let uses = environment.get(key).into_iter().flat_map(|definition| definition.uses.iter());
                for older in uses.filter(|used| is_predecessor(used)) {
                    if changes.names.get(older).is_none() {
                        changes.names.insert_mut(older.clone(), now);
                    }
                }
            }
        });
        let mut changes = self.revisions.changes.borrow_mut();
        if changes.names.size() > 2 * bound + MAX_EXTRA_CHANGES {
            changes.floor = changes.now;
            changes.names = HashTrieMap::default();
            drop(changes);
            self.revisions.last_changes.borrow_mut().clear();
            self.values.take();
            return;
        }
        drop(changes);
        self.forget_readers(keys);
    }

    /// Records that everything may have changed, and drops all cached values.
    pub(crate) fn record_change_of_all(&self) {
        self.advance(|changes, now| {
            changes.floor = now;
            changes.inputs_changed = now;
            changes.names = HashTrieMap::default();
        });
        self.revisions.last_changes.borrow_mut().clear();
        self.file_libraries.borrow_mut().retain(|(_, _, revision), _| revision.is_some());
        self.values.take();
    }

    /// Prepares for a change of inputs: the snapshots that use the current inputs get a copy of them.
    pub(crate) fn before_inputs_change(&self) {
        let changed = self.revisions.changes.borrow().inputs_changed;
        for (_, snapshot) in self.revisions.snapshots.borrow().range(changed..) {
            snapshot.inputs.replace(Some(self.state.inputs.clone()));
        }
    }

    /// Records that the inputs have changed.
    pub(crate) fn record_inputs_change(&self) {
        self.file_libraries.borrow_mut().retain(|(_, _, revision), _| revision.is_some());
        self.advance(|changes, now| {
            changes.inputs_changed = now;
            self.state.inputs.since.set(now);
        });
    }

    /// Begins a new revision, in which `record` records changes.
    fn advance(&self, record: impl FnOnce(&mut ChangeLog, Revision)) {
        self.revisions.too_costly.take();
        let mut changes = self.revisions.changes.borrow_mut();
        changes.now.0 += 1;
        let now = changes.now;
        record(&mut changes, now);
    }

    /// Forgets the cached values and last changes of everything that reads these names, directly or indirectly.
    fn forget_readers(&self, keys: &[Name]) {
        let mut last_changes = self.revisions.last_changes.borrow_mut();
        let mut values = self.values.borrow_mut();
        let mut forgotten = Vec::new();
        for key in keys {
            last_changes.remove(key);
            forgotten.extend(values.remove(key));
        }
        if last_changes.is_empty() && values.is_empty() {
            return;
        }
        let environment = self.state.environment.borrow();
        let mut work: Vec<Name> = keys.to_vec();
        while let Some(key) = work.pop() {
            let Some(users) = environment.user_set(&key) else { continue };
            let known = |user: &&Name| last_changes.contains_key(*user) || values.contains_key(*user);
            let readers: Vec<Name> = match users.size() > values.len() + last_changes.len() {
                true => {
                    let all = values.keys().chain(last_changes.keys().filter(|key| !values.contains_key(*key)));
                    all.filter(|user| users.contains(*user)).cloned().collect()
                }
                false => users.iter().filter(known).cloned().collect(),
            };
            for user in &readers {
                last_changes.remove(user);
                forgotten.extend(values.remove(user));
            }
            work.extend(readers);
        }
        // dropping a value may borrow these again
        drop((values, last_changes));
    }

    /// Returns the revision in which a name, or anything that it reads directly or indirectly, last changed. An unbound name
    /// counts as changed in the current revision. O(1) if cached, otherwise linear in the names read whose last change is
    /// not cached.
    pub(crate) fn last_change(&self, key: &Name) -> Revision {
        self.last_change_within(key, usize::MAX).unwrap_or_else(|| self.now())
    }

    /// Returns a revision since which the name and everything that it reads are unchanged. It is the exact last change if
    /// that is cheap to find, otherwise the current revision. Amortized O(1).
    pub(crate) fn unchanged_since(&self, key: &Name) -> Revision {
        let is_too_costly = self.revisions.too_costly.borrow().contains(key);
        let found = if is_too_costly { None } else { self.last_change_within(key, MAX_VISITED) };
        found.unwrap_or_else(|| self.now())
    }

    /// Like [`World::last_change`], but visits at most `limit` names; otherwise returns `None` and remembers that the
    /// name is too costly.
    fn last_change_within(&self, key: &Name, limit: usize) -> Option<Revision> {
        let environment = self.state.environment.borrow();
        let changes = self.revisions.changes.borrow();
        let own_change = |name: &Name, definition: Option<&Definition>| match definition {
            Some(_) => u64::from(changes.names.get(name).map_or(changes.floor, |at| (*at).max(changes.floor)).0),
            None => u64::from(changes.now.0),
        };
        match environment.summed(key, &mut self.revisions.last_changes.borrow_mut(), own_change, u64::max, limit) {
            Ok(at) => Some(Revision(at as u32)),
            Err(more) => {
                self.revisions.too_costly.borrow_mut().extend(more);
                None
            }
        }
    }

    /// Returns the revision of the last change to an input.
    pub(crate) fn last_change_of_inputs(&self) -> Revision {
        self.revisions.changes.borrow().inputs_changed
    }

    /// Returns `true` if a name, and everything that it reads, means the same in a snapshot and now.
    pub(crate) fn is_same_in(&self, snapshot: &Snapshot, key: &Name) -> bool {
        let mut hashes = snapshot.definition_hashes.borrow_mut();
        let now = self.now();
        if hashes.at != now {
            *hashes = DefinitionHashes { at: now, ..DefinitionHashes::default() };
        }
        let hash = |_: &Name, definition: Option<&Definition>| definition.map_or(0, |d| hash_id(d.id));
        let current =
            self.state.environment.borrow().summed(key, &mut hashes.current, hash, u64::wrapping_add, usize::MAX);
        current == snapshot.environment.summed(key, &mut hashes.in_snapshot, hash, u64::wrapping_add, usize::MAX)
    }

    /// Returns the snapshot of a revision if the inputs have changed since then.
    pub(crate) fn snapshot_of_inputs(&self, revision: Revision) -> Option<Rc<Snapshot>> {
        let changed = self.revisions.changes.borrow().inputs_changed;
        if revision >= changed {
            return None;
        }
        self.snapshot_at(revision)
            .filter(|snapshot| snapshot.revision() < changed && snapshot.inputs_since != self.state.inputs.since.get())
    }

    /// Runs `work` with the inputs of a snapshot.
    pub(crate) fn with_inputs_of<T>(&self, snapshot: &Snapshot, work: impl FnOnce() -> T) -> T {
        self.exchange_inputs(snapshot);
        let out = work();
        self.exchange_inputs(snapshot);
        out
    }

    /// Returns the snapshot of a revision. If there is none, returns the oldest later one, whose names have the same
    /// definitions.
    pub(crate) fn snapshot_at(&self, revision: Revision) -> Option<Rc<Snapshot>> {
        self.revisions.snapshots.borrow().range(revision..).next().map(|(_, snapshot)| snapshot.clone())
    }

    /// Takes a snapshot of the current state. Keeps about `most` earlier snapshots, and in addition those of all results
    /// that are bound. Amortized O(log snapshots).
    pub(crate) fn take_snapshot(&self, most: usize) {
        let changes = self.revisions.changes.borrow().clone();
        let now = changes.now;
        let snapshot = Snapshot {
            changes,
            environment: self.state.environment.borrow().clone(),
            inputs: RefCell::default(),
            inputs_since: self.state.inputs.since.get(),
            values: RefCell::default(),
            definition_hashes: RefCell::default(),
        };
        let mut snapshots = self.revisions.snapshots.borrow_mut();
        snapshots.insert(now, Rc::new(snapshot));
        // old snapshots are removed only when there are 25 % more than expected, so that the cost is amortized
        let expected = most.max(self.revisions.after_removal.get());
        if snapshots.len() > expected + expected / 4 {
            // an older result stays bound while a definition reads it
            let environment = self.state.environment.borrow();
            let results = environment.from("$").take_while(|(key, _)| key.starts_with('$'));
            let bound: FxHashSet<Revision> =
                results.filter_map(|(_, d)| d.kept.as_ref()).map(|kept| kept.revision).collect();
            let excess = snapshots.len() - most;
            let oldest: Vec<Revision> = snapshots.keys().take(excess).copied().collect();
            for revision in oldest.iter().filter(|revision| !bound.contains(revision)) {
                snapshots.remove(revision);
            }
            self.revisions.after_removal.set(snapshots.len());
        }
    }

    /// Adds the sources that the kept snapshots need.
    pub(crate) fn snapshot_sources(&self, to: &mut impl Extend<SourceId>) {
        let snapshots = self.revisions.snapshots.borrow();
        // as long as inputs do not change, the first snapshot has all sources of later ones that the current state
        // has lost
        let mut is_first = true;
        for snapshot in snapshots.values() {
            if is_first || snapshot.inputs.borrow().is_some() {
                snapshot.sources(to);
            }
            is_first = false;
        }
    }

    /// Returns the value of a definition in a snapshot.
    pub(crate) fn value_in(
        &self,
        machine: &mut Machine,
        snapshot: &Snapshot,
        key: &Name,
        definition: &Definition,
    ) -> Thunk {
        if let Some(kept) = &definition.kept {
            return kept.thunk.clone();
        }
        if let Some(cached) = snapshot.values.borrow().get(key) {
            return cached.thunk.clone();
        }
        let revision = snapshot.revision();
        let thunk = machine.thunk_of(&definition.term, revision);
        let cached = Cached { thunk: thunk.clone(), since: revision, until: revision };
        snapshot.values.borrow_mut().insert(key.clone(), cached);
        thunk
    }

    /// Runs `work` as if a snapshot were the current state.
    pub(crate) fn in_snapshot<T>(&self, snapshot: &Snapshot, work: impl FnOnce() -> T) -> T {
        let environment = self.state.environment.replace(snapshot.environment.clone());
        let changes = self.revisions.changes.replace(snapshot.changes.clone());
        let last_changes = self.revisions.last_changes.take();
        self.values.swap(&snapshot.values);
        let out = self.with_inputs_of(snapshot, work);
        self.values.swap(&snapshot.values);
        self.revisions.last_changes.replace(last_changes);
        self.revisions.changes.replace(changes);
        self.state.environment.replace(environment);
        out
    }

    /// Swaps the session's inputs with those of a snapshot.
    fn exchange_inputs(&self, snapshot: &Snapshot) {
        if let Some(inputs) = &*snapshot.inputs.borrow() {
            self.state.inputs.swap(inputs);
        }
    }

    /// Takes all cached values and begins a new revision, for temporary changes. [`World::restore_caches`] puts the
    /// values back.
    pub(crate) fn take_caches(&self) -> SavedCaches {
        let changes = self.revisions.changes.borrow().clone();
        self.revisions.changes.borrow_mut().now.0 += 1;
        SavedCaches { values: self.values.take(), changes, last_changes: self.revisions.last_changes.take() }
    }

    /// Puts back what [`World::take_caches`] took. Removes the snapshots that were taken in between, and keeps the
    /// number of the current revision, so that no number is used twice.
    pub(crate) fn restore_caches(&self, caches: SavedCaches) {
        let SavedCaches { values, changes, last_changes } = caches;
        // remove the snapshots that were taken in between
        drop(self.revisions.snapshots.borrow_mut().split_off(&Revision(changes.now.0 + 1)));
        let now = self.now();
        self.revisions.changes.replace(ChangeLog { now, ..changes });
        self.revisions.last_changes.replace(last_changes);
        self.values.replace(values);
    }
}
