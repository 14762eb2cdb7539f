//! Undo and redo. The session keeps one snapshot for each input that changed something. Undo restores a snapshot, which
//! contains everything that can change.
//!
//! Values are not part of it; [`crate::state::values`] says why, and which of them are kept.

use super::commands::Effect;
use super::event::Event;
use super::{Session, cells};
use crate::answer::diff::Version;
use crate::dialect::Dialect;
use crate::state::environment::Environment;
use crate::state::journal::{Journal, JournalEntry};
use crate::state::session_state::SessionState;
use crate::text::{Name, SourceId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::rc::Rc;
use std::sync::Arc;

/// Returns `true` if an input sets an option that `:reset` keeps.
fn sets(entry: &JournalEntry) -> bool {
    entry.number.is_none() && super::commands::effect(&entry.text) == Some(Effect::Configure)
}

/// The number of new journal entries after which obsolete ones are removed.
const ROOM: usize = 1000;

/// A copy of a session's state, for a later comparison.
pub(super) struct SavedState(SessionState);

impl SavedState {
    /// Returns `true` if the session has changed since.
    pub fn differs(&self, session: &Session) -> bool {
        !self.0.is_same(&session.world.state)
    }
}

/// A step from one state to the next.
struct UndoStep {
    entry: Rc<JournalEntry>,
    /// The state at its other end: the one before it, or the one after it if the step is undone.
    other: SessionState,
    /// The keys whose definitions differ between the two states. `None` if unknown.
    touched: Option<Vec<Name>>,
    /// Whether the input defined nothing: it only showed values. `:undo` and `:redo` do not count such inputs.
    look: bool,
    /// Whether such an input was made after an undo, so that the undone inputs can still be redone. It has no place among
    /// them, so the next undo or redo removes it for good.
    aside: bool,
}

/// The inputs that one `:undo` or `:redo` crossed.
#[derive(Default)]
pub(super) struct Moved {
    /// The inputs that changed something, with the names that they had bound, in the order in which they were crossed.
    pub inputs: Vec<(Rc<JournalEntry>, Vec<Name>)>,
    /// The number of inputs between them that defined nothing.
    pub looks: usize,
    /// The number of inputs that defined nothing and that a redo removed, because they were made after the undo.
    pub removed: usize,
}

impl Moved {
    fn crossed(&mut self, step: &UndoStep) {
        match step.look {
            true => self.looks += 1,
            false => self.inputs.push((step.entry.clone(), step.entry.bound_names())),
        }
    }
}

/// The undo and redo stacks.
#[derive(Default)]
pub(super) struct Time {
    done: VecDeque<UndoStep>,
    undone: Vec<UndoStep>,
    /// The length of the journal after it was last pruned.
    pruned: usize,
    /// The names bound by the current input.
    touched: Vec<Name>,
    /// Whether the current input was an undo or redo.
    moved: bool,
    /// Whether the current input wrote the journal itself.
    written: bool,
    /// Whether the current input found files that were missing before, so that more than the names it binds may have
    /// changed.
    pub(super) reread: bool,
    /// The input that the current user-defined command expanded to, with its number if it is a cell.
    expansion: Option<(Option<u32>, String)>,
}

impl Time {
    /// Records that the current input redefines a key.
    pub fn touch(&mut self, key: &Name) {
        self.touched.push(key.clone());
    }

    /// Records the input that the current user-defined command expanded to.
    pub fn set_expansion(&mut self, number: Option<u32>, text: &str) {
        self.expansion = Some((number, String::from(text)));
    }
}

impl Session {
    /// Runs an input and keeps the state before it for undo. An interrupted input is undone.
    pub(super) fn recorded(&mut self, text: &str, run: impl FnOnce(&mut Session) -> Vec<Event>) -> Vec<Event> {
        let before = self.world.state.clone();
        let (number, dialect) = (self.next_number(), self.dialect());
        self.time.touched.clear();
        (self.time.moved, self.time.written, self.time.reread) = (false, false, false);
        self.time.expansion = None;
        let mut events = self.change(run, |_| Vec::new());
        let touched = std::mem::take(&mut self.time.touched);
        if self.time.moved {
            return events;
        }
        let is_cell = !super::is_command(text);
        let only_names = is_cell && !self.time.reread;
        let keys = only_names.then_some(touched.as_slice());
        let same = before.is_same(&self.world.state);
        if self.world.interrupt.is_raised() {
            if !same {
                let made = self.world.state.environment.borrow().clone();
                self.restore(before, keys);
                self.abandon(made);
            }
            // report the interrupt, whatever was running
            if !events.iter().any(cells::is_stopped) {
                events.push(self.diagnostic(dialect, &self.world.interrupt.problem(None)));
            }
            return events;
        }
        if same {
            return events;
        }
        // the journal records the expansion, so that a saved session does not depend on user-defined commands
        let (number, text) = match self.time.expansion.take() {
            Some((number, text)) => (number, Arc::from(text)),
            None => (is_cell.then_some(number), Arc::from(text)),
        };
        let entry = Rc::new(JournalEntry { number, text, dialect, names: touched.clone(), part: self.part() });
        if !self.time.written {
            self.journal(entry.clone());
        }
        let look = entry.number.is_some() && touched.is_empty() && !self.time.reread;
        let aside = look && !self.time.undone.is_empty();
        if !aside {
            self.time.undone.clear();
            self.time.done.iter_mut().rev().take_while(|step| step.aside).for_each(|step| step.aside = false);
        }
        let touched = only_names.then_some(touched);
        self.time.done.push_back(UndoStep { entry, other: before, touched, look, aside });
        while self.time.done.len() > self.settings().history {
            self.time.done.pop_front();
        }
        events
    }

    /// Schedules an environment that is no longer needed for dropping in slices. O(1) now.
    fn abandon(&mut self, environment: Environment) {
        let mut environment = Some(environment);
        let definitions = move || environment.take().map(Environment::into_definitions);
        self.workspace.machine.discard_later(std::iter::from_fn(definitions).flatten());
    }

    /// Undoes the newest `count` inputs that changed something, and the later ones that defined nothing. O(log definitions)
    /// per input, plus the cached values that depend on the names that they had bound.
    pub(super) fn undo(&mut self, count: usize) -> Moved {
        self.time.moved = true;
        let mut moved = Moved::default();
        while moved.inputs.len() < count && self.time.done.iter().rev().any(|step| !step.look) {
            while let Some(step) = self.time.done.pop_back() {
                let step = self.cross(step);
                moved.crossed(&step);
                let look = step.look;
                if !step.aside {
                    self.time.undone.push(step);
                }
                if !look {
                    break;
                }
            }
        }
        moved
    }

    /// Redoes the oldest `count` undone inputs that changed something, and the inputs after each that defined nothing.
    pub(super) fn redo(&mut self, count: usize) -> Moved {
        self.time.moved = true;
        let mut moved = Moved::default();
        if self.time.undone.is_empty() {
            return moved;
        }
        // the undone inputs continue the state to which the undo led
        while let Some(step) = self.time.done.pop_back_if(|step| step.aside) {
            self.cross(step);
            moved.removed += 1;
        }
        let is_due = |moved: &Moved, step: &UndoStep| step.look || moved.inputs.len() < count;
        while let Some(step) = self.time.undone.pop_if(|step| is_due(&moved, step)) {
            let step = self.cross(step);
            moved.crossed(&step);
            self.time.done.push_back(step);
        }
        moved
    }

    /// Forgets everything except the options.
    pub(super) fn reset(&mut self) {
        // options stay, and with them the inputs that set them
        let journal = self.world.state.journal.borrow().iter().filter(|entry| sets(entry)).cloned().collect();
        let empty = self.world.state.emptied(journal);
        self.restore(empty, None);
        self.world.record_inputs_change();
        // external values may be read from files
        self.world.forget_externals();
        self.time.written = true;
    }

    /// Returns how many inputs can be undone and redone, those that defined nothing included.
    pub fn undoable(&self) -> (usize, usize) {
        (self.time.done.len(), self.time.undone.len())
    }

    /// Returns the inputs that produced this state, oldest first, and the undone ones, in the order of redo.
    pub(super) fn inputs_so_far(&self) -> (Vec<Rc<JournalEntry>>, Vec<Rc<JournalEntry>>) {
        let undone = self.time.undone.iter().rev().map(|step| step.entry.clone());
        (self.world.state.journal.borrow().iter().cloned().collect(), undone.collect())
    }

    /// Returns whether an input that was undone bound a name.
    pub(super) fn is_undone(&self, name: &str) -> bool {
        self.time.undone.iter().any(|step| step.entry.bound_names().iter().any(|bound| bound == name))
    }

    /// Adds an input of a saved session to the journal.
    pub(super) fn journal_replayed(&mut self, dialect: Dialect, number: Option<u32>, text: &str, names: usize) {
        let names = self.time.touched.get(names..).unwrap_or_default().to_vec();
        self.journal(Rc::new(JournalEntry { number, text: text.into(), dialect, names, part: self.part() }));
        self.time.written = true;
    }

    /// Returns the current state, for a later comparison.
    pub(super) fn snapshot(&self) -> SavedState {
        SavedState(self.world.state.clone())
    }

    /// The number of keys that the current input has redefined so far.
    pub(super) fn touched(&self) -> usize {
        self.time.touched.len()
    }

    /// Returns the state after a cell; `None` if it is the current one. If the cell is too old, returns the oldest state.
    fn state_after(&self, cell: u32) -> Option<SessionState> {
        let until = |step: &UndoStep| step.entry.number.is_some_and(|number| number <= cell);
        let next = self.time.done.iter().rposition(until).map_or(0, |last| last + 1);
        Some(self.time.done.get(next)?.other.clone())
    }

    /// Returns the names whose definition differs from that in another state, with both versions. The other version has its
    /// value, for which at most `most` thunks are forced.
    fn versions(&mut self, other: SessionState, most: usize) -> Vec<Version> {
        let now = self.world.state.environment.borrow().clone();
        let old = self.in_state(Some(other), |session| {
            let names = now.changed_names(&session.world.state.environment.borrow());
            let going = session.world.interrupt.clone();
            let old = |name: Name| {
                let before = session.workspace.definition(&name).zip(session.workspace.value_of(&name));
                if let Some((_, value)) = &before {
                    session.workspace.machine.force_all(value, most);
                }
                (name, before)
            };
            names.into_iter().take_while(|_| !going.is_raised()).map(old).collect::<Vec<_>>()
        });
        let version = |(name, before): (Name, _)| Version { now: now.get(&name).cloned(), name, before };
        old.into_iter().map(version).collect()
    }

    /// Calls a function with the names whose definitions differ between two cells, in the state after the second one; in
    /// the current state without it. At most `most` thunks are forced for each old value.
    pub(crate) fn versions_between<T>(
        &mut self,
        cell: u32,
        until: Option<u32>,
        most: usize,
        work: impl Fn(&mut Session, Vec<Version>) -> T,
    ) -> T {
        // the steps between the states are those of the current one
        let (old, new) = (self.state_after(cell), until.and_then(|until| self.state_after(until)));
        let answer = |session: &mut Session| {
            let versions = old.map(|old| session.versions(old, most)).unwrap_or_default();
            work(session, versions)
        };
        match new {
            Some(new) => self.in_state(Some(new), answer),
            None => answer(self),
        }
    }

    /// Collects the texts that snapshots need.
    pub(super) fn remembered_texts(&self, needed: &mut FxHashSet<SourceId>) {
        let steps = || self.time.done.iter().chain(&self.time.undone);
        self.world.snapshot_sources(needed);
        // between two cells, only texts that the older state has can disappear
        for state in [self.time.done.front(), self.time.undone.first()].into_iter().flatten().map(|step| &step.other) {
            needed.extend(state.environment.borrow().sources());
        }
        for step in steps() {
            needed.extend(step.other.newest.borrow().iter().map(|term| term.span(term.root).source));
            // without other changes, the table of files is shared
            if step.touched.is_none() {
                needed.extend(step.other.inputs.files.borrow().values().map(|file| file.source));
                needed.extend(step.other.inputs.externals.borrow().iter().filter_map(|external| external.source()));
                // a command may forget any definition
                needed.extend(step.other.environment.borrow().sources());
            }
        }
    }

    /// Runs `work`, then restores everything.
    pub fn try_out<T>(&mut self, work: impl FnOnce(&mut Session) -> T) -> T {
        self.in_state(None, work)
    }

    /// Runs `work` in another state, or in the current one, then restores everything. No other function changes the state of a
    /// session for a time.
    fn in_state<T>(&mut self, other: Option<SessionState>, work: impl FnOnce(&mut Session) -> T) -> T {
        let before = self.world.state.clone();
        let (time, caches) = (std::mem::take(&mut self.time), self.world.take_caches());
        if let Some(other) = other {
            self.restore(other, None);
        }
        // also if the system refuses the stack, which the caller may report
        let out = catch_unwind(AssertUnwindSafe(|| work(self)));
        self.restore(before.clone(), None);
        self.world.state.replace(before);
        self.world.restore_caches(caches);
        self.time = time;
        out.unwrap_or_else(|panic| resume_unwind(panic))
    }

    /// Restores the state at the other end of a step. Returns the step in the opposite direction.
    fn cross(&mut self, mut step: UndoStep) -> UndoStep {
        let now = self.world.state.clone();
        let there = std::mem::replace(&mut step.other, now);
        self.restore(there, step.touched.as_deref());
        step
    }

    /// Restores a state. `keys` are the names whose definitions differ; `None` if they are unknown.
    fn restore(&mut self, snapshot: SessionState, keys: Option<&[Name]>) {
        match keys {
            Some(keys) => {
                self.world.record_change(keys);
                self.world.forget(keys);
            }
            None => {
                self.world.before_inputs_change();
                self.world.record_inputs_change();
                self.world.record_change_of_all();
            }
        }
        self.world.state.go_to(snapshot, keys.is_none());
        if keys.is_none() {
            // files may have been evaluated with other inputs in between
            self.world.forget_values_of_files();
        }
        self.why.answer = None;
    }

    /// Adds an input to the journal and sometimes removes obsolete ones. Commands are never removed. A cell is kept if the
    /// environment has one of its definitions, if it was the first to bind a name that is still bound (so that names keep
    /// their order), or if a result was computed from it.
    fn journal(&mut self, entry: Rc<JournalEntry>) {
        let world = self.world.clone();
        let mut journal = world.state.journal.borrow_mut();
        journal.push_back_mut(entry);
        if journal.len() < self.time.pruned * 2 + ROOM {
            return;
        }
        let environment = world.state.environment.borrow();
        let needed: FxHashSet<u32> = environment.iter().map(|(_, definition)| definition.cell).collect();
        let mut first: FxHashMap<&Name, usize> = FxHashMap::default();
        for (at, entry) in journal.iter().enumerate() {
            for name in entry.names.iter().filter(|name| environment.get(name).is_some()) {
                first.entry(name).or_insert(at);
            }
        }
        let mut kept_at: FxHashSet<usize> = first.into_values().collect();
        kept_at.extend(read_by_results(&environment, &journal));
        let kept = journal
            .iter()
            .enumerate()
            .filter(|(at, entry)| kept_at.contains(at) || entry.number.is_none_or(|number| needed.contains(&number)));
        let kept: Journal = kept.map(|(_, entry)| entry.clone()).collect();
        self.time.pruned = kept.len();
        *journal = kept;
    }
}

/// Returns the indices of the inputs that bound what kept results read, directly or indirectly, at the time of the result.
/// Linear in the definitions and in the journal.
fn read_by_results(environment: &Environment, journal: &Journal) -> Vec<usize> {
    let mut reads: FxHashMap<u32, Vec<&Name>> = FxHashMap::default();
    let mut results: FxHashSet<u32> = FxHashSet::default();
    for (key, definition) in environment.iter() {
        reads.entry(definition.cell).or_default().extend(definition.uses.iter());
        if key.starts_with('$') {
            results.insert(definition.cell);
        }
    }
    for definition in environment.all_replaced() {
        reads.entry(definition.cell).or_default().extend(definition.uses.iter());
    }
    let mut wanted: FxHashSet<&str> = FxHashSet::default();
    let mut out = Vec::new();
    let entries: Vec<&Rc<JournalEntry>> = journal.iter().collect();
    for (at, entry) in entries.into_iter().enumerate().rev() {
        let binds = entry.names.iter().filter(|name| wanted.remove(name.as_str())).count() > 0;
        let Some(number) = entry.number else { continue };
        if binds {
            out.push(at);
        }
        if binds || results.contains(&number) {
            // a predecessor was bound earlier, under the same name
            let read = reads.get(&number).into_iter().flatten();
            wanted.extend(read.map(|used| used.split('@').next().unwrap_or(used)));
        }
    }
    out
}
