//! Undo and redo. A session's past is a row of snapshots, one for each input that changed something; undoing one is putting
//! its snapshot in the place of what is, and exact by construction: whatever can change is in it.
//!
//! Values are no part of it: [`crate::state::values`] says why, and what of them is kept.

use super::commands::Effect;
use super::event::Event;
use super::{Session, cells};
use crate::answer::diff::Version;
use crate::state::environment::Environment;
use crate::state::interrupted;
use crate::state::journal::{Entry, Journal};
use crate::state::session_state::SessionState;
use crate::text::{Name, SourceId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::Arc;

/// Whether an input sets something that an empty session keeps.
fn sets(entry: &Entry) -> bool {
    entry.number.is_none() && super::commands::effect(&entry.text) == Some(Effect::Configure)
}

/// How many inputs are entered before those that nothing is left of are looked for.
const ROOM: usize = 1000;

/// What was at one moment.
pub(super) struct Snapshot(SessionState);

impl Snapshot {
    /// Whether something is another way by now.
    pub fn differs(&self, session: &Session) -> bool {
        !self.0.is_same(&session.world.state)
    }
}

/// A step from one state to the next.
struct Step {
    entry: Rc<Entry>,
    /// The state at its other end: before it while it is done, behind it while it is undone.
    other: SessionState,
    /// The keys whose definitions differ between the two; `None`: any may.
    touched: Option<Vec<Name>>,
}

/// A session's past, and what was undone of it.
#[derive(Default)]
pub(super) struct Time {
    done: VecDeque<Step>,
    undone: Vec<Step>,
    /// How long the journal was after it was last pruned.
    pruned: usize,
    /// What the input under way bound.
    touched: Vec<Name>,
    /// Whether the input under way moved in time.
    moved: bool,
    /// Whether the input under way wrote the journal itself.
    written: bool,
    /// Whether the input under way found files that were not there before: more changes than the names it binds.
    pub(super) reread: bool,
    /// What the input under way stands for, where that is a command of the user's own; with its number, if it is a cell.
    stands_for: Option<(Option<u32>, String)>,
}

impl Time {
    /// The input under way gives a key another definition.
    pub fn touch(&mut self, key: &Name) {
        self.touched.push(key.clone());
    }

    /// The input under way, a command of the user's own, stands for this one.
    pub fn stands_for(&mut self, number: Option<u32>, text: &str) {
        self.stands_for = Some((number, String::from(text)));
    }
}

impl Session {
    /// Runs an input and remembers what was before it. What was interrupted leaves everything as it was.
    pub(super) fn recorded(&mut self, text: &str, run: impl FnOnce(&mut Session) -> Vec<Event>) -> Vec<Event> {
        let before = self.world.state.clone();
        let (number, dialect) = (self.next_number(), self.dialect());
        self.time.touched.clear();
        (self.time.moved, self.time.written, self.time.reread) = (false, false, false);
        self.time.stands_for = None;
        let mut events = run(self);
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
            // whatever was under way when it came, reading too: who stops something is told so
            if !events.iter().any(cells::is_interrupted) {
                events.push(self.diagnostic(&interrupted()));
            }
            return events;
        }
        if same {
            return events;
        }
        // a saved session must not depend on what a command means by then
        let (number, text) = match self.time.stands_for.take() {
            Some((number, text)) => (number, Arc::from(text)),
            None => (is_cell.then_some(number), Arc::from(text)),
        };
        let entry = Rc::new(Entry { number, text, dialect, names: touched.clone(), part: self.part() });
        if !self.time.written {
            self.journal(entry.clone());
        }
        self.time.undone.clear();
        self.time.done.push_back(Step { entry, other: before, touched: only_names.then_some(touched) });
        while self.time.done.len() > self.settings().history {
            self.time.done.pop_front();
        }
        events
    }

    /// Has what nobody will see any more taken apart by and by. O(1) now.
    fn abandon(&mut self, environment: Environment) {
        let mut environment = Some(environment);
        let definitions = move || environment.take().map(Environment::into_definitions);
        self.machine.discard_later(std::iter::from_fn(definitions).flatten());
    }

    /// Goes back before the newest so many inputs that changed something; what was undone, the newest first, with what it
    /// had bound. O(log definitions) each, and what was computed from what they bound.
    pub(super) fn undo(&mut self, count: usize) -> Vec<(Rc<Entry>, Vec<Name>)> {
        self.time.moved = true;
        let mut out = Vec::new();
        while out.len() < count
            && let Some(step) = self.time.done.pop_back()
        {
            let step = self.cross(step);
            out.push((step.entry.clone(), step.entry.bound()));
            self.time.undone.push(step);
        }
        out
    }

    /// Does again what was undone, the oldest first.
    pub(super) fn redo(&mut self, count: usize) -> Vec<(Rc<Entry>, Vec<Name>)> {
        self.time.moved = true;
        let mut out = Vec::new();
        while out.len() < count
            && let Some(step) = self.time.undone.pop()
        {
            let step = self.cross(step);
            out.push((step.entry.clone(), step.entry.bound()));
            self.time.done.push_back(step);
        }
        out
    }

    /// Forgets everything but the options.
    pub(super) fn reset(&mut self) {
        // options stay, and with them the inputs that set them
        let journal = self.world.state.journal.borrow().iter().filter(|entry| sets(entry)).cloned().collect();
        let empty = self.world.state.emptied(journal);
        self.restore(empty, None);
        self.world.inputs_changed();
        // what is given to programs may stand in files
        self.world.forget_externals();
        self.time.written = true;
    }

    /// How many inputs can be undone, and how many done again.
    pub fn undoable(&self) -> (usize, usize) {
        (self.time.done.len(), self.time.undone.len())
    }

    /// The inputs that made this state, the oldest first, and those that were undone, the next one first.
    pub(super) fn inputs_so_far(&self) -> (Vec<Rc<Entry>>, Vec<Rc<Entry>>) {
        let undone = self.time.undone.iter().rev().map(|step| step.entry.clone());
        (self.world.state.journal.borrow().iter().cloned().collect(), undone.collect())
    }

    /// Enters an input that a file of inputs holds.
    pub(super) fn journal_replayed(&mut self, number: Option<u32>, text: &str, names: usize) {
        let names = self.time.touched.get(names..).unwrap_or_default().to_vec();
        self.journal(Rc::new(Entry { number, text: text.into(), dialect: self.dialect(), names, part: self.part() }));
        self.time.written = true;
    }

    /// What is now, to be compared with what will be.
    pub(super) fn snapshot(&self) -> Snapshot {
        Snapshot(self.world.state.clone())
    }

    /// How many keys the input under way has touched.
    pub(super) fn touched(&self) -> usize {
        self.time.touched.len()
    }

    /// Runs something in the state after a cell, or the oldest that is remembered, and comes back. `None`: nothing changed
    /// since.
    pub(super) fn at_cell<T>(&mut self, cell: u32, work: impl FnOnce(&mut Session) -> T) -> Option<T> {
        let until = |step: &Step| step.entry.number.is_some_and(|number| number <= cell);
        let next = self.time.done.iter().rposition(until).map_or(0, |last| last + 1);
        let then = self.time.done.get(next)?.other.clone();
        let (now, aside) = (self.world.state.clone(), self.world.take_caches());
        self.restore(then, None);
        let out = work(self);
        self.restore(now, None);
        self.world.restore_caches(aside);
        Some(out)
    }

    /// The names that mean something else than after a cell: what each means now, and what it meant then, as it was then,
    /// with its value, of which at most so many thunks were forced. Of what is older than is remembered: than the oldest.
    pub(crate) fn versions(&mut self, cell: u32, most: usize) -> Vec<Version> {
        let now = self.world.state.environment.borrow().clone();
        let old = self.at_cell(cell, |session| {
            let names = now.differing(&session.world.state.environment.borrow());
            let going = session.world.interrupt.clone();
            let old = |name: Name| {
                let before = session.definition(&name).zip(session.value_of(&name));
                if let Some((_, value)) = &before {
                    session.machine.force_all(value, most);
                }
                (name, before)
            };
            names.into_iter().take_while(|_| !going.is_raised()).map(old).collect::<Vec<_>>()
        });
        let version = |(name, before): (Name, _)| Version { now: now.get(&name).cloned(), name, before };
        old.unwrap_or_default().into_iter().map(version).collect()
    }

    /// The texts that some snapshot needs.
    pub(super) fn remembered_texts(&self, needed: &mut FxHashSet<SourceId>) {
        let steps = || self.time.done.iter().chain(&self.time.undone);
        self.world.snapshot_sources(needed);
        // between two cells nothing goes but what the older has
        for state in [self.time.done.front(), self.time.undone.first()].into_iter().flatten().map(|step| &step.other) {
            needed.extend(state.environment.borrow().sources());
        }
        for step in steps() {
            needed.extend(step.other.newest.borrow().iter().map(|term| term.span(term.root).source));
            // a table that nobody changed is the same one
            if step.touched.is_none() {
                needed.extend(step.other.inputs.files.borrow().values().map(|file| file.source));
                needed.extend(step.other.inputs.externals.borrow().iter().filter_map(|given| given.source()));
                // and a command may forget anything
                needed.extend(step.other.environment.borrow().sources());
            }
        }
    }

    /// Runs something, and is then as before, whatever it was.
    pub fn try_out<T>(&mut self, work: impl FnOnce(&mut Session) -> T) -> T {
        let before = self.world.state.clone();
        let (time, aside) = (std::mem::take(&mut self.time), self.world.take_caches());
        let out = work(self);
        self.restore(before.clone(), None);
        self.world.state.replace(before);
        self.world.restore_caches(aside);
        self.time = time;
        out
    }

    /// Goes to the other end of a step.
    fn cross(&mut self, mut step: Step) -> Step {
        let now = self.world.state.clone();
        let there = std::mem::replace(&mut step.other, now);
        self.restore(there, step.touched.as_deref());
        step
    }

    /// Goes to a snapshot. `keys`: the names whose definitions differ; `None` if that is not known.
    fn restore(&mut self, snapshot: SessionState, keys: Option<&[Name]>) {
        match keys {
            Some(keys) => {
                self.world.change(keys);
                self.world.forget(keys);
            }
            None => {
                self.world.inputs_will_change();
                self.world.inputs_changed();
                self.world.change_all();
            }
        }
        self.world.state.go_to(snapshot, keys.is_none());
        if keys.is_none() {
            // they may have been computed from other inputs in between
            self.world.forget_values_of_files();
        }
        self.told = None;
    }

    /// Enters an input. Those that nothing is left of are dropped now and then: of cells stay those whose definitions are
    /// read or kept, the first that bound each name that is bound, so that the names of later ones are, and what a result
    /// was computed from, as it was then.
    fn journal(&mut self, entry: Rc<Entry>) {
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

/// The inputs that bound what the kept results read, directly or not, each as it was when the result came about. Linear in
/// the definitions that are remembered and in the journal.
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
    let entries: Vec<&Rc<Entry>> = journal.iter().collect();
    for (at, entry) in entries.into_iter().enumerate().rev() {
        let binds = entry.names.iter().filter(|name| wanted.remove(name.as_str())).count() > 0;
        let Some(number) = entry.number else { continue };
        if binds {
            out.push(at);
        }
        if binds || results.contains(&number) {
            // a predecessor is bound earlier by the same name
            let read = reads.get(&number).into_iter().flatten();
            wanted.extend(read.map(|used| used.split('@').next().unwrap_or(used)));
        }
    }
    out
}
