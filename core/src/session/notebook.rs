//! The session as a notebook uses it: cells with the notebook's numbers, cells that are run again, expressions without side
//! effects.
//!
//! A cell that is run again takes a new number, and its definitions replace those of its earlier runs. If it defines a name
//! from itself (`x = x + 1`), it reads the definition from before it: the newest one made by a cell with a lower *slot*. A
//! cell's slot is the number of its first run, and later runs keep it. So a cell never reads itself or anything built on it.
//! Before anything else of the cell reads a name that only an earlier run of it defined, directly or through other
//! definitions, that definition is forgotten ([`Session::forget_own`]): the newest one of another cell is current again. So
//! a second run gives what the first one gave.

use super::Session;
use super::commands::{Effect, expression};
use super::event::Event;
use crate::dialect::{CellItem, Dialect, Names};
use crate::state::environment::{Definition, is_written};
use crate::state::external::Target;
use crate::state::external_readers::may_read;
use crate::state::journal::Rerun;
use crate::styled::{Role, Styled};
use crate::term::Term;
use crate::term::rules::is_file_library;
use crate::text::{Name, SourceId};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::hash::{Hash, Hasher};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::rc::Rc;
use std::sync::Arc;

/// The first cell number outside of notebooks. Cells with such numbers are ordinary cells of the session, and every number
/// is used once.
pub const UNKEPT: u32 = 1 << 30;

/// The journal entry for deleted cells. Users cannot type this command.
pub(super) const FORGET: &str = ":forget";

/// The page on which the answers of a run are shown.
#[derive(Clone, Copy, Debug, Default)]
pub struct PageWidths {
    /// The width of answers, in columns. `None` if the page wraps answers itself, as a notebook does.
    pub answers: Option<usize>,
    /// The width of errors and warnings, and of texts such as help if it is narrow, in columns, on a page that wraps answers
    /// itself. `None` if it is not known.
    pub reports: Option<usize>,
}

impl PageWidths {
    /// Returns the page with widths that answers can be laid out for.
    fn clamped(self) -> PageWidths {
        let clamped = |columns: Option<usize>| columns.map(|columns| columns.clamp(20, 10_000));
        PageWidths { answers: clamped(self.answers), reports: clamped(self.reports) }
    }
}

/// The request for the current cell, and what the cell has done so far.
#[derive(Default)]
pub(super) struct Running {
    /// The run that it belongs to.
    again: Rerun,
    /// Whether it is the last part of the run, and whether it parsed.
    ends: bool,
    kept: bool,
    /// The newest run of which an earlier part parsed, identified by its start.
    began: Option<u32>,
    slot: u32,
    /// The page of the run. `None` for an input that belongs to no cell, whose answers are laid out for the terminal.
    pub page: Option<PageWidths>,
    /// Whether results are not shown.
    pub only_binds: bool,
    reads: CellReads,
}

impl Running {
    /// Returns `true` if the user asked for the run, so that its result becomes the last result.
    pub fn is_asked(&self) -> bool {
        !self.again.refresh
    }

    /// Records that the cell parsed. It is then kept, whatever else happens.
    pub fn kept(&mut self) {
        self.kept = true;
    }

    /// Records a definition, with the key of the predecessor that it reads.
    pub fn binds(&mut self, name: &Name, predecessor: Option<Name>) {
        if predecessor.is_some() && is_written(name) {
            self.reads.predecessors.push(name.clone());
        }
    }

    /// Records that the name was bound, and its type shown in a language.
    pub fn shows_type(&mut self, name: &Name, dialect: Dialect) {
        self.reads.bound.push((name.clone(), dialect));
    }

    /// Records the keys that an expression reads.
    pub fn shows(&mut self, uses: &[Name]) {
        self.reads.shown.extend(uses.iter().cloned());
    }
}

/// The inputs of a cell: its output was computed from these.
#[derive(Clone, Default, Debug)]
pub struct CellReads {
    /// The keys that its expressions read.
    shown: Vec<Name>,
    /// The names that it defined from their predecessors.
    predecessors: Vec<Name>,
    /// The names that it bound, each with the language of its type.
    bound: Vec<(Name, Dialect)>,
    slot: u32,
}

impl CellReads {
    /// Adds the reads of another part of the same cell.
    pub fn join(&mut self, other: CellReads) {
        self.slot = other.slot;
        self.shown.extend(other.shown);
        self.predecessors.extend(other.predecessors);
        self.bound.extend(other.bound);
    }

    /// Returns the names that the cell bound, except those that it defined from their predecessors.
    pub fn new_names(&self) -> impl Iterator<Item = &str> {
        self.bound.iter().map(|(name, _)| name).filter(|name| !self.predecessors.contains(name)).map(Name::as_str)
    }

    /// Returns `true` if the cell defined something from its predecessor.
    pub fn builds_on(&self) -> bool {
        !self.predecessors.is_empty()
    }
}

impl Session {
    /// Begins a run of a notebook's cell whose earlier runs had these numbers.
    pub fn rerun(&self, earlier: &[u32]) -> Rerun {
        Rerun { earlier: earlier.to_vec(), from: self.world.state.environment.borrow().last_id(), refresh: false }
    }

    /// Returns the names that a cell bound with their types now, as lines. `None` if another cell has bound one of them
    /// since. O(names).
    pub fn types_of(&self, reads: &CellReads) -> Option<Vec<Styled>> {
        let line = |(name, dialect): &(Name, Dialect)| {
            let definition = self.world.definition(name).filter(|d| self.slot(d.cell) == reads.slot)?;
            Some(self.name_and_type(*dialect, name, &definition.typed))
        };
        self.query(|_| reads.bound.iter().map(line).collect())
    }

    /// Begins an automatic run of a cell, because something that it reads has changed. It may reuse the number of its last
    /// run; what reads that result then reads the new one.
    pub fn rerun_unasked(&self, earlier: &[u32]) -> Rerun {
        Rerun { refresh: true, ..self.rerun(earlier) }
    }

    /// Runs one input of a cell and returns its events, laid out for a page, and what it read. `ends` is `true` for the last
    /// input of the run. Names that earlier runs bound, but this one did not, are then unbound.
    pub fn submit_again(&mut self, text: &str, again: &Rerun, page: PageWidths, ends: bool) -> (Vec<Event>, CellReads) {
        self.begin_part(again.clone(), ends);
        self.running.page = Some(page.clamped());
        let is_question = self.is_question(text);
        let own = if is_question { self.own_earlier(self.names_in(text)) } else { Vec::new() };
        let events = match own.is_empty() {
            true => self.submit(text),
            // a question changes nothing, so what it forgets comes back
            false => self.try_out(|session| {
                session.forget(&own);
                session.submit(text)
            }),
        };
        let mut reads = self.end_part();
        if is_question {
            reads.shown.extend(self.names_in(text));
            let rules = self.language_of(text).rules();
            if rules.functions_are_inputs {
                reads.shown.push(Name::new_static(rules.library));
            }
        }
        (events, reads)
    }

    /// Marks the next input as a part of a run.
    pub(super) fn begin_part(&mut self, again: Rerun, ends: bool) {
        let number = self.next_number();
        let slot = again.earlier.first().map_or(number, |first| self.slot(*first));
        Rc::make_mut(&mut self.world.state.slots.borrow_mut()).insert(number, slot);
        self.running = Running { again, ends, slot, began: self.running.began, ..Running::default() };
    }

    /// Ends the part. Returns what it read.
    pub(super) fn end_part(&mut self) -> CellReads {
        let Running { again, kept, began, slot, mut reads, .. } = std::mem::take(&mut self.running);
        self.running.began = if kept { Some(again.from) } else { began };
        reads.slot = slot;
        reads
    }

    /// Returns the run that the current input belongs to, and whether the input ends it. `None` for the first run of a cell.
    pub(super) fn part(&self) -> Option<(Rerun, bool)> {
        let Running { again, ends, .. } = &self.running;
        (!again.earlier.is_empty() || again.refresh).then(|| (again.clone(), *ends))
    }

    /// Runs inputs that do not belong to the current run: those of a loaded session, of another shell, or of deleted cells.
    pub(super) fn in_run<T>(&mut self, running: Running, work: impl FnOnce(&mut Session) -> T) -> T {
        let page = running.page.or(self.running.page);
        let outer = std::mem::replace(&mut self.running, Running { page, ..running });
        let out = catch_unwind(AssertUnwindSafe(|| work(self)));
        self.running = outer;
        out.unwrap_or_else(|panic| resume_unwind(panic))
    }

    /// Binds what an input defines and applies its settings, without showing anything, because another session has run it.
    pub fn define(&mut self, text: &str) -> Vec<Event> {
        let running = Running { only_binds: true, began: self.running.began, ..Running::default() };
        self.in_run(running, |session| session.submit(text))
    }

    /// Unbinds the definitions of deleted cells. Earlier definitions of their names become current again. The events are laid
    /// out for a page.
    pub fn forget_cells(&mut self, cells: &[u32], page: PageWidths) -> Vec<Event> {
        self.begin();
        let again = Rerun { earlier: cells.to_vec(), ..Rerun::default() };
        let running = Running { again, page: Some(page.clamped()), ..Running::default() };
        let dialect = self.dialect();
        self.in_run(running, |session| {
            session.recorded(FORGET, |session| session.unbind_cells(dialect, cells, u32::MAX))
        })
    }

    /// After the last part of a run, unbinds names that only earlier runs of the cell bound.
    pub(super) fn unbind_left(&mut self, dialect: Dialect) -> Vec<Event> {
        let Running { again: Rerun { earlier, from, .. }, ends, kept, began, .. } = &self.running;
        match *ends && (*kept || *began == Some(*from)) && !self.world.interrupt.is_raised() {
            true => self.unbind_cells(dialect, &earlier.clone(), *from),
            false => Vec::new(),
        }
    }

    /// Unbinds the current definitions that were made by these cells and whose id is at most `up_to`.
    pub(super) fn unbind_cells(&mut self, dialect: Dialect, cells: &[u32], up_to: u32) -> Vec<Event> {
        if cells.is_empty() {
            return Vec::new();
        }
        let removed: Vec<(Name, u32)> = {
            let environment = self.world.state.environment.borrow();
            let ours = |d: &Definition| cells.contains(&d.cell) && d.id <= up_to;
            let ours = environment.iter().filter(|(key, d)| is_written(key) && ours(d));
            ours.map(|(key, d)| (key.clone(), d.cell)).collect()
        };
        let mut events = Vec::new();
        let mut keys = Vec::new();
        for (key, cell) in removed {
            let before = self.predecessor_of(&key, self.slot(cell), cells);
            match self.replace(&key, before) {
                Some(again) => events.push(Event::Bound(self.name_and_type(dialect, &key, &again.typed))),
                None => {
                    let mut line = Styled::of(Role::Name, key.as_str());
                    line.plain(" is no longer bound");
                    events.push(Event::Answer(line));
                }
            }
            keys.push(key);
        }
        events.extend(self.recheck(dialect, &keys, &keys));
        events
    }

    /// Returns the definition that a definition in the current cell reads by its own name.
    pub(super) fn predecessor(&self, key: &Name) -> Option<Rc<Definition>> {
        let newest = self.world.definition(key)?;
        let Rerun { earlier, from, .. } = &self.running.again;
        match earlier.is_empty() || newest.id > *from && !self.is_restored(&newest) {
            true => Some(newest),
            false => self.predecessor_of(key, self.running.slot, earlier),
        }
    }

    /// Returns `true` if a definition is a copy of an older one that became current again.
    fn is_restored(&self, definition: &Definition) -> bool {
        let environment = self.world.state.environment.borrow();
        environment.replaced(&definition.name).any(|older| Arc::ptr_eq(&older.term, &definition.term))
    }

    /// Returns the names that an input of a cell that is run again would read only from earlier runs of the cell: no other
    /// cell defines them, or the input defines them from their predecessors, and they have none.
    pub(super) fn without_predecessors(&self, items: &[CellItem]) -> Vec<Name> {
        if self.running.again.earlier.is_empty() {
            return Vec::new();
        }
        let mut names: Vec<Name> = Vec::new();
        for item in items {
            let (own_name, recursive, term) = match item {
                CellItem::Bind { name, recursive, term, .. } => (Some(name), *recursive, term),
                CellItem::Expr(term) => (None, false, term),
            };
            for (used, _) in term.globals.iter() {
                let is_unbound = match own_name == Some(used) {
                    true => !recursive && self.world.is_defined(used) && self.predecessor(used).is_none(),
                    false => self.is_own_earlier(used) && self.newest_of_others(used).is_none(),
                };
                if is_unbound && !names.contains(used) {
                    names.push(used.clone());
                }
            }
        }
        names
    }

    /// Returns `true` if the current definition of a name was made by an earlier run of the current cell.
    fn is_own_earlier(&self, key: &Name) -> bool {
        let Rerun { earlier, from, .. } = &self.running.again;
        is_written(key) && self.world.definition(key).is_some_and(|d| d.id <= *from && earlier.contains(&d.cell))
    }

    /// Returns the names whose current definitions were made by earlier runs of the current cell, among these keys and those
    /// that their definitions read. O(definitions read).
    fn own_earlier(&self, keys: Vec<Name>) -> Vec<Name> {
        if self.running.again.earlier.is_empty() {
            return Vec::new();
        }
        let mut seen: FxHashSet<Name> = keys.iter().cloned().collect();
        let (mut work, mut own) = (keys, Vec::new());
        while let Some(key) = work.pop() {
            let Some(definition) = self.world.definition(&key) else { continue };
            work.extend(definition.uses.iter().filter(|used| seen.insert((*used).clone())).cloned());
            if self.is_own_earlier(&key) {
                own.push(key);
            }
        }
        own.sort();
        own
    }

    /// Forgets the definitions by earlier runs of the current cell that a definition of `name`, or an expression, reads. What
    /// reads `name` itself reads its predecessor.
    pub(super) fn forget_own(&mut self, name: Option<&Name>, term: &Term) {
        let reads = term.globals.iter().map(|(used, _)| used).filter(|used| name != Some(*used));
        let mut own = self.own_earlier(reads.cloned().collect());
        own.retain(|own| name != Some(own));
        self.forget(&own);
    }

    /// Makes the newest definitions of names by other cells current, or unbinds the names. Shows nothing.
    fn forget(&mut self, names: &[Name]) {
        if names.is_empty() {
            return;
        }
        for key in names {
            let before = self.newest_of_others(key);
            self.replace(key, before);
        }
        names.iter().for_each(|key| self.world.note_ring(key));
        let changed = self.world.recheck(names, names);
        self.workspace.machine.discard(changed);
    }

    /// Replaces the definition of a name by a copy of an older one. `None` unbinds the name.
    fn replace(&mut self, key: &Name, by: Option<Rc<Definition>>) -> Option<Rc<Definition>> {
        self.time.touch(key);
        self.world.replaced(key, None);
        let mut environment = self.world.state.environment.borrow_mut();
        match by {
            Some(by) => {
                let id = environment.fresh();
                Some(environment.define(Definition { id, ..(*by).clone() }))
            }
            None => {
                environment.remove(key);
                None
            }
        }
    }

    /// Returns the newest definition of a name that is not from the current cell. O(definitions of the name).
    fn newest_of_others(&self, key: &Name) -> Option<Rc<Definition>> {
        let environment = self.world.state.environment.borrow();
        let Running { again: Rerun { earlier, .. }, slot, .. } = &self.running;
        let other = |d: &&Rc<Definition>| self.slot(d.cell) != *slot && !earlier.contains(&d.cell);
        environment.replaced(key).chain(environment.get(key)).filter(other).max_by_key(|d| d.id).cloned()
    }

    /// Returns the newest definition of a name made by a cell with a lower slot, except by the given cells. O(definitions of
    /// the name).
    fn predecessor_of(&self, key: &Name, slot: u32, cells: &[u32]) -> Option<Rc<Definition>> {
        let environment = self.world.state.environment.borrow();
        let before = |d: &&Rc<Definition>| self.slot(d.cell) < slot && !cells.contains(&d.cell);
        environment.replaced(key).chain(environment.get(key)).filter(before).max_by_key(|d| d.id).cloned()
    }

    /// Returns the key of `it` in the current cell: the last result. In an automatic run, the last result before the cell's
    /// own.
    pub(super) fn it_for(&self, number: u32) -> Option<Name> {
        let environment = self.world.state.environment.borrow();
        let it = environment.it.clone();
        if self.running.is_asked() || !it.as_ref().is_some_and(|it| it.starts_with('$')) {
            return it;
        }
        let before = (1..number).rev().take(self.settings().history).map(|n| Name::from(format!("${n}")));
        before.into_iter().find(|key| environment.get(key).is_some()).or(it)
    }

    fn slot(&self, cell: u32) -> u32 {
        self.world.state.slots.borrow().get(&cell).copied().unwrap_or(cell)
    }

    /// Returns the bound names that occur in a text.
    fn names_in(&self, text: &str) -> Vec<Name> {
        let words = text.split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '\'' | '$')));
        let key = |word: &str| {
            // the keys of mcl: variables are kept without their sign, functions and classes with their kind
            let plain = word.trim_start_matches('$');
            let others = ["", "func ", "class ", "namespace "].map(|kind| format!("{kind}{plain}"));
            self.world.key(word).or_else(|| others.iter().find_map(|key| self.world.key(key)))
        };
        words.filter(|word| !word.is_empty()).filter_map(key).collect()
    }

    /// Returns a fingerprint of the definitions that each cell read. While it stays the same, running the cell again gives the
    /// same output. Linear in the number of these definitions and the length of their texts.
    pub fn fingerprints(&self, all: &[&CellReads]) -> Vec<u64> {
        let mut fingerprints = Fingerprints { session: self, known: FxHashMap::default(), texts: FxHashMap::default() };
        all.iter().map(|reads| fingerprints.of(reads)).collect()
    }
}

/// Computes fingerprints of definitions from their texts and from what they read.
struct Fingerprints<'a> {
    session: &'a Session,
    known: FxHashMap<Name, u64>,
    texts: FxHashMap<SourceId, u64>,
}

impl Fingerprints<'_> {
    fn of(&mut self, reads: &CellReads) -> u64 {
        let mut hasher = FxHasher::default();
        for key in &reads.shown {
            self.key(key).hash(&mut hasher);
        }
        for name in &reads.predecessors {
            let read = self.session.predecessor_of(name, reads.slot, &[]);
            let fingerprint = read.map(|definition| {
                for used in definition.uses.iter() {
                    self.key(used);
                }
                self.definition(&definition)
            });
            fingerprint.hash(&mut hasher);
        }
        hasher.finish()
    }

    /// Returns the fingerprint of a key. Not recursive; in a cycle, the last key counts as unknown.
    fn key(&mut self, key: &Name) -> u64 {
        let mut work = vec![(key.clone(), false)];
        while let Some((key, ready)) = work.pop() {
            if is_file_library(&key) {
                // an expression of a cell that uses the library may read every external variable
                let fingerprint = self.externals(|_| true);
                self.known.insert(key, fingerprint);
                continue;
            }
            let Some(definition) = self.session.world.definition(&key) else {
                self.known.insert(key, 0);
                continue;
            };
            if ready {
                let fingerprint = self.definition(&definition);
                self.known.insert(key, fingerprint);
            } else if !self.known.contains_key(&key) {
                self.known.insert(key.clone(), 1);
                work.push((key, true));
                work.extend(definition.uses.iter().map(|used| (used.clone(), false)));
            }
        }
        self.known.get(key).copied().unwrap_or(0)
    }

    fn definition(&mut self, definition: &Definition) -> u64 {
        let mut hasher = FxHasher::default();
        let span = definition.term.span(definition.term.root);
        definition.name.hash(&mut hasher);
        (span.start, span.end, self.text(span.source)).hash(&mut hasher);
        if definition.imports() {
            // a definition that imports files changes whenever a file is read again
            definition.id.hash(&mut hasher);
        }
        for used in definition.uses.iter().filter(|used| !is_file_library(used)) {
            self.known.get(used).hash(&mut hasher);
        }
        if definition.uses.iter().any(|used| is_file_library(used)) {
            self.externals(|name| may_read(&definition.term, name)).hash(&mut hasher);
        }
        hasher.finish()
    }

    /// Returns the fingerprint of the external variables that something reads. O(variables).
    fn externals(&mut self, is_read: impl Fn(&str) -> bool) -> u64 {
        let mut hasher = FxHasher::default();
        let all = self.session.world.external_variables();
        let mut all: Vec<_> = all.iter().filter(|external| is_read(external.name())).collect();
        all.sort_by_key(|external| external.name().clone());
        for external in all {
            external.name().hash(&mut hasher);
            external.text().hash(&mut hasher);
            if external.is_file() {
                let file = self.session.world.external_file(Target::Variable, external.name());
                file.and_then(Result::ok).map(|file| self.text(file.source)).hash(&mut hasher);
            }
        }
        hasher.finish()
    }

    fn text(&mut self, source: SourceId) -> u64 {
        let sources = self.session.world.sources.borrow();
        *self.texts.entry(source).or_insert_with(|| {
            let mut hasher = FxHasher::default();
            sources.get(source).map(|source| &source.text).hash(&mut hasher);
            hasher.finish()
        })
    }
}

impl Session {
    /// Sets the number of the next cell. Numbers should not be reused, because `$n` and definitions that read `it` refer to
    /// results by number.
    pub fn set_next_number(&mut self, number: u32) {
        self.world.state.next.set(number);
    }

    pub(super) fn evaluate_here(&mut self, text: &str) -> Vec<Event> {
        self.begin();
        let term = match expression(self, text) {
            Ok(term) => term,
            Err(problems) => return problems,
        };
        let typed = self.world.infer(&term);
        let thunk = self.workspace.machine.thunk(&term);
        let (mut events, mut traced) = (Vec::new(), Vec::new());
        let datum = self.datum(&thunk, &mut traced);
        let dialect = self.dialect();
        self.typed_beside(dialect, &typed, &datum, &mut events);
        events.append(&mut traced);
        self.show(dialect, self.next_number(), &datum, &typed, &mut events);
        let events = self.mask_events(events);
        self.workspace.machine.collect_if_needed();
        self.world.forget_texts(self.settings().history, |needed| self.remembered_texts(needed));
        events
    }

    /// Returns `true` if an input is a built-in command with this effect.
    fn has_effect(&self, text: &str, effect: Effect) -> bool {
        let word = super::commands::word(text).unwrap_or_default();
        !self.aliases().contains_key(&text[word]) && super::commands::effect(text) == Some(effect)
    }

    /// Returns `true` if an input is a query. A query changes nothing, and its answer stays the same while its names keep
    /// their meaning, so it can be run again automatically.
    pub fn is_question(&self, text: &str) -> bool {
        self.has_effect(text, Effect::Query)
    }

    /// Returns `true` if an input forgets all definitions.
    pub fn is_reset(&self, text: &str) -> bool {
        self.has_effect(text, Effect::Reset)
    }

    /// Returns the language that the first line of a cell names (`%%NAME`), and the cell with that line replaced by
    /// spaces. `None` if there is no such line or no such language.
    pub fn language_line(&self, text: &str) -> Option<(Dialect, String)> {
        super::language_line_range(text)?;
        self.split_language_line(self.dialect(), text).ok()
    }

    /// Returns the language of a cell: that of its `%%` line, or the session's.
    pub fn language_of(&self, text: &str) -> Dialect {
        self.language(text)
    }
}

#[cfg(test)]
mod tests;
