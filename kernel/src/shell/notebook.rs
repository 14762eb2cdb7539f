//! The cells of a notebook, identified by the ids that the front end sends (`cellId`). Records what each cell read and
//! showed, so that cells whose output would now differ can be reported or, if the user wants, run again.
//!
//! A cell may be stale if a definition it read has changed; definitions are compared by hashes of their texts and of
//! what they read in turn ([`Session::fingerprints`]). To find out which of those cells are stale, they are run once more
//! under a deadline and undone ([`Session::try_out`]). This has no side effects because the language is pure.

use super::deadline::Deadline;
use super::live::LiveOutput;
use super::panel::CellsState;
use super::run::{CellOutput, CellRun, run};
use crate::request::Messenger;
use crate::wire::Object;
use cfg_core::notebook::{CellReads, PageWidths};
use cfg_core::{Role, Session, Styled};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::time::Duration;

/// Maximum time for the search for stale cells after each cell. Cells that were not checked by then count as stale.
const MAX_SEARCH_TIME: Duration = Duration::from_millis(200);
/// Number of remembered inputs of a cell above which the older half, except the first, is forgotten.
const MAX_INPUT_NUMBERS: usize = 64;
/// Maximum number of deleted cells that can be restored.
const MAX_DELETED: usize = 64;

/// The treatment of stale cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reactive {
    /// They are listed.
    Off,
    /// They are listed, and their outputs are marked.
    Lazy,
    /// They are run again, and their outputs are replaced.
    On,
}

impl Reactive {
    /// Returns the session's setting.
    pub fn of(session: &Session) -> Reactive {
        match session.option("reactive").as_deref() {
            Some("on") => Reactive::On,
            Some("lazy") => Reactive::Lazy,
            _ => Reactive::Off,
        }
    }
}

/// The cells, in the order of their first runs.
#[derive(Default)]
pub struct Notebook {
    cells: Vec<Cell>,
    /// The newest deleted cells, which a front end may restore.
    deleted: Vec<DeletedCell>,
    /// The number in the newest display id.
    last_display: u64,
    /// The mode when a cell ran last.
    last_mode: Option<Reactive>,
    /// Whether stale cells have been listed, after which the hint about `:set reactive` is left out.
    hint_shown: bool,
}

/// A deleted cell, its index, and whether all names that it bound had its definitions.
struct DeletedCell {
    at: usize,
    cell: Cell,
    is_current: bool,
}

/// A deleted cell that was restored.
pub enum Restored {
    /// It ran again.
    Ran(Box<CellRun>),
    /// It did not, because it does more than define and show things. Holds the number of its last run.
    NotRun(u32),
}

/// A cell and its last run.
struct Cell {
    id: String,
    code: String,
    /// The numbers of its inputs, over all its runs.
    input_numbers: Vec<u32>,
    /// The number of its last run.
    run_number: u32,
    reads: CellReads,
    /// The types of what it bound, as they are shown.
    types: String,
    /// The hash of what it read.
    fingerprint: u64,
    /// The hash of what it reads for which it was found to be stale.
    stale_hash: Option<u64>,
    /// Its outputs and their display ids.
    shown: Vec<ShownResult>,
    /// Whether it may be run again without a request.
    is_pure: bool,
    /// The input to which it sent an event, if the cell is a single `:feed`.
    fed: Option<String>,
    errors: Vec<String>,
    /// The width of its errors and warnings, in columns.
    columns: Option<usize>,
}

struct ShownResult {
    display: Option<String>,
    data: Value,
}

impl Cell {
    /// Returns whether a run has the same outputs and errors as the last one.
    fn has_output_of(&self, run: &CellRun) -> bool {
        let errors = run.errors.iter().map(Styled::text);
        self.shown.iter().map(|s| &s.data).eq(run.outputs.iter().filter_map(CellOutput::data))
            && self.errors.iter().cloned().eq(errors)
    }
}

impl Notebook {
    /// Returns the input numbers of a cell's earlier runs; empty for a new cell.
    pub fn input_numbers(&self, id: &str) -> &[u32] {
        self.cells.iter().find(|cell| cell.id == id).map_or(&[], |cell| &cell.input_numbers)
    }

    /// Returns the inputs of the cells, and which of them are known to be stale.
    pub fn state(&self) -> CellsState {
        let numbered =
            |cell: &Cell| cell.input_numbers.iter().map(|number| (*number, cell.id.clone())).collect::<Vec<_>>();
        let stale = self.cells.iter().filter(|cell| cell.stale_hash.is_some());
        CellsState {
            numbers: self.cells.iter().flat_map(numbered).collect(),
            stale: stale.flat_map(|cell| cell.input_numbers.iter().copied()).collect(),
        }
    }

    /// Removes deleted cells; returns their input numbers. The newest ones can be restored.
    pub fn delete(&mut self, session: &Session, ids: &[&str]) -> Vec<u32> {
        let mut numbers = Vec::new();
        for id in ids {
            let Some(at) = self.cells.iter().position(|cell| cell.id == *id) else { continue };
            let cell = self.cells.remove(at);
            numbers.extend(&cell.input_numbers);
            let is_current = session.types_of(&cell.reads).is_some();
            self.deleted.push(DeletedCell { at, cell, is_current });
        }
        let excess = self.deleted.len().saturating_sub(MAX_DELETED);
        self.deleted.drain(..excess);
        numbers
    }

    /// Restores a deleted cell. If its definitions were current, runs it again, so that they are back; but only if it does
    /// nothing else than define and show things. `None` if it was not deleted, or if there is nothing to do.
    pub fn restore(&mut self, session: &mut Session, live: &LiveOutput, id: &str) -> Option<Restored> {
        let at = self.deleted.iter().rposition(|deleted| deleted.cell.id == id)?;
        let DeletedCell { at, mut cell, is_current } = self.deleted.remove(at);
        let restored = match cell.is_pure {
            true if !is_current => None,
            true => {
                let parent = live.follow(None);
                let ran = rerun(session, live, &cell);
                live.follow(parent);
                cell.reads = ran.reads.clone();
                cell.fingerprint = fingerprint_of(session, &ran.reads);
                if !cell.has_output_of(&ran) {
                    replace_outputs(&mut cell, &ran, live);
                }
                Some(Restored::Ran(Box::new(ran)))
            }
            false => Some(Restored::NotRun(cell.run_number)),
        };
        self.cells.insert(at.min(self.cells.len()), cell);
        restored
    }

    /// Removes all cells.
    pub fn clear(&mut self) {
        self.cells.clear();
        self.deleted.clear();
    }

    /// Returns a new display id.
    pub fn display_id(&mut self, messenger: &Messenger) -> String {
        self.last_display += 1;
        format!("cfg-{}-{}", messenger.wire.session(), self.last_display)
    }

    /// Records a run of a cell that the front end requested. `displays` holds the display ids of its outputs, if any.
    pub fn record_run(
        &mut self,
        session: &Session,
        id: &str,
        code: &str,
        number: u32,
        run: &CellRun,
        displays: &[String],
    ) {
        let fingerprint = fingerprint_of(session, &run.reads);
        let data = run.outputs.iter().filter_map(CellOutput::data).cloned();
        let shown = data.enumerate().map(|(at, data)| ShownResult { display: displays.get(at).cloned(), data });
        // a later cell has the number of a command that is not the first input
        let numbered = run.inputs.iter().filter(|input| input.is_numbered).map(|input| input.number);
        let numbers = std::iter::once(number).chain(numbered.filter(|own| *own != number));
        let at = self.cells.iter().position(|cell| cell.id == id);
        let mut earlier = at.and_then(|at| self.cells.get_mut(at)).map(|cell| std::mem::take(&mut cell.input_numbers));
        let all = earlier.get_or_insert_default();
        // keep the first one, which gives the cell's position
        if all.len() > MAX_INPUT_NUMBERS {
            all.drain(1..all.len() / 2);
        }
        all.extend(numbers);
        let cell = Cell {
            id: String::from(id),
            code: String::from(code),
            input_numbers: earlier.unwrap_or_default(),
            run_number: number,
            reads: run.reads.clone(),
            types: joined(&session.types_of(&run.reads).unwrap_or_default()).text(),
            fingerprint,
            stale_hash: None,
            shown: shown.collect(),
            is_pure: run.is_pure,
            fed: fed(run),
            errors: run.errors.iter().map(Styled::text).collect(),
            columns: run.columns,
        };
        match at.and_then(|at| self.cells.get_mut(at)) {
            Some(slot) => *slot = cell,
            None => self.cells.push(cell),
        }
    }

    /// Runs the other cells again or marks them after the cell `ran_id` has run, as the mode says, and lists those
    /// that are stale.
    pub fn update_others(
        &mut self,
        session: &mut Session,
        live: &LiveOutput,
        deadline: &Deadline,
        ran_id: &str,
    ) -> UpdateResult {
        let mode = Reactive::of(session);
        if self.last_mode.replace(mode) != Some(mode) {
            // what was only listed in another mode is now marked or run again
            self.cells.iter_mut().for_each(|cell| cell.stale_hash = None);
        }
        let number = self.cells.iter().find(|cell| cell.id == ran_id).map(|cell| cell.run_number);
        self.unmark_fresh(session, live);
        let mut interrupted = false;
        let stale = match mode {
            Reactive::On => {
                let stale;
                (stale, interrupted) = self.refresh(session, live, ran_id);
                if interrupted {
                    self.mark(&stale, live, number);
                }
                self.refresh_events(live, ran_id);
                stale
            }
            _ => {
                let stale = self.find_newly_stale(session, live, deadline, ran_id);
                if mode == Reactive::Lazy {
                    self.mark(&stale, live, number);
                }
                stale
            }
        };
        let mut lines: Vec<Styled> = Vec::new();
        if mode != Reactive::Off {
            self.refresh_types(session, live, ran_id);
            lines.extend(self.bound_twice(ran_id));
        }
        lines.extend(self.stale_line(&stale, mode));
        UpdateResult { text: Some(joined(&lines)).filter(|text| !text.is_empty()), interrupted }
    }

    /// Returns a line that lists stale cells; `None` if there are none. The first such line has a hint.
    fn stale_line(&mut self, stale: &[usize], mode: Reactive) -> Option<Styled> {
        if stale.is_empty() {
            return None;
        }
        let mut line = Styled::of(Role::Warning, "stale");
        line.plain(": ");
        let names: Vec<String> =
            stale.iter().filter_map(|at| self.cells.get(*at)).map(|cell| format!("[{}]", cell.run_number)).collect();
        line.plain(names.join(", "));
        let read = if names.len() == 1 { "it read" } else { "they read" };
        let more = match (mode, std::mem::replace(&mut self.hint_shown, true)) {
            (Reactive::Off, false) => "; `:set reactive on` runs such cells again",
            _ => "",
        };
        line.push(Role::Dim, format!("  (something {read} has changed{more})"));
        Some(line)
    }

    /// Returns warnings about names that a cell and another one both bind.
    fn bound_twice(&self, ran_id: &str) -> Vec<Styled> {
        let Some(cell) = self.cells.iter().find(|cell| cell.id == ran_id) else { return Vec::new() };
        let mut warnings = Vec::new();
        for name in cell.reads.new_names() {
            let also = |other: &&Cell| other.id != ran_id && other.reads.new_names().any(|other| other == name);
            if let Some(other) = self.cells.iter().find(also) {
                let mut line = Styled::of(Role::Warning, "warning");
                line.plain(format!(
                    ": [{}] and [{}] both define `{name}`; the newer run counts",
                    other.run_number, cell.run_number
                ));
                line.push(Role::Dim, "  (delete one, or rename what it defines)");
                warnings.push(line);
            }
        }
        warnings
    }

    /// If the cell is a `:feed`, replaces the outputs of the other `:feed` cells of the same input by its output.
    fn refresh_events(&mut self, live: &LiveOutput, ran_id: &str) {
        let Some(cell) = self.cells.iter().find(|cell| cell.id == ran_id) else { return };
        let (Some(fed), Some(ShownResult { data, .. })) = (cell.fed.clone(), cell.shown.last()) else { return };
        let data = data.clone();
        for cell in self.cells.iter_mut().filter(|cell| cell.id != ran_id && cell.fed.as_ref() == Some(&fed)) {
            if let Some(ShownResult { display: Some(id), data: old }) = cell.shown.last_mut() {
                old.clone_from(&data);
                update(live, id, &data);
            }
        }
    }

    /// Replaces the types of definitions that changed because of the cell.
    fn refresh_types(&mut self, session: &Session, live: &LiveOutput, ran_id: &str) {
        for cell in self.cells.iter_mut().filter(|cell| cell.id != ran_id) {
            let Some(types) = session.types_of(&cell.reads) else { continue };
            let types = joined(&types);
            let old = std::mem::replace(&mut cell.types, types.text());
            if old == cell.types {
                continue;
            }
            let is_old = |shown: &&mut ShownResult| shown.data.get("text/plain").and_then(Value::as_str) == Some(&old);
            if let Some(shown) = cell.shown.iter_mut().find(is_old) {
                shown.data = crate::display::bundle(&types);
                if let Some(id) = &shown.display {
                    update(live, id, &shown.data);
                }
            }
        }
    }

    /// Returns the current hashes of what the cells read.
    fn fingerprints(&self, session: &Session) -> Vec<u64> {
        session.fingerprints(&self.cells.iter().map(|cell| &cell.reads).collect::<Vec<_>>())
    }

    /// Removes the stale marks of cells whose reads have the same fingerprint again as at their last run.
    fn unmark_fresh(&mut self, session: &Session, live: &LiveOutput) {
        let fingerprints = self.fingerprints(session);
        for (cell, fingerprint) in self.cells.iter_mut().zip(fingerprints) {
            if cell.fingerprint == fingerprint
                && cell.stale_hash.take().is_some()
                && let Some(ShownResult { display: Some(id), data }) = cell.shown.last()
            {
                update(live, id, data);
            }
        }
    }

    /// Returns the cells that have newly become stale. Cells whose output would be the same keep it and count as run
    /// with what they read now.
    fn find_newly_stale(
        &mut self,
        session: &mut Session,
        live: &LiveOutput,
        deadline: &Deadline,
        ran_id: &str,
    ) -> Vec<usize> {
        let fingerprints = self.fingerprints(session);
        let is_newly_changed = |(cell, fingerprint): (&Cell, &u64)| {
            cell.fingerprint != *fingerprint && cell.stale_hash != Some(*fingerprint) && cell.id != ran_id
        };
        if !self.cells.iter().zip(&fingerprints).any(is_newly_changed) {
            return Vec::new();
        }
        let (mut differ, mut same) = (BTreeSet::new(), BTreeSet::new());
        let _deadline_guard = deadline.within(MAX_SEARCH_TIME);
        let parent = live.follow(None);
        session.try_out(|session| {
            while let Some(at) = self.next_changed(session, ran_id, |at| differ.contains(&at) || same.contains(&at)) {
                let Some(cell) = self.cells.get(at) else { break };
                let run = cell.is_pure.then(|| rerun(session, live, cell));
                let unchanged = run.is_some_and(|run| cell.has_output_of(&run));
                match unchanged && !cell.reads.builds_on() {
                    true => same.insert(at),
                    false => differ.insert(at),
                };
            }
        });
        live.follow(parent);
        for at in same {
            if let (Some(cell), Some(fingerprint)) = (self.cells.get_mut(at), fingerprints.get(at)) {
                cell.fingerprint = *fingerprint;
                cell.stale_hash = None;
            }
        }
        let mut newly_stale = Vec::new();
        for at in differ {
            if let (Some(cell), Some(fingerprint)) = (self.cells.get_mut(at), fingerprints.get(at))
                && cell.stale_hash.replace(*fingerprint).is_none()
            {
                newly_stale.push(at);
            }
        }
        newly_stale
    }

    /// Runs the cells again that read something that has changed, and replaces their outputs. Returns the cells that
    /// become stale because they cannot be run again, or because of an interrupt, and whether there was one.
    fn refresh(&mut self, session: &mut Session, live: &LiveOutput, ran_id: &str) -> (Vec<usize>, bool) {
        let mut done: BTreeSet<usize> = BTreeSet::new();
        let mut still_stale = Vec::new();
        let mut interrupted = false;
        while let Some(at) = self.next_changed(session, ran_id, |at| done.contains(&at)) {
            done.insert(at);
            // a cell that was found to be stale stays stale until what it reads changes again
            let fingerprint = self.fingerprints(session).get(at).copied();
            if self.cells.get(at).is_some_and(|cell| cell.stale_hash.is_some() && cell.stale_hash == fingerprint) {
                continue;
            }
            if interrupted {
                still_stale.push(at);
                continue;
            }
            let Some(cell) = self.cells.get(at) else { break };
            let updatable = cell.shown.iter().all(|s| s.display.is_some()) && cell.errors.is_empty();
            if !cell.is_pure || !updatable {
                still_stale.push(at);
                continue;
            }
            let parent = live.follow(None);
            let ran = rerun(session, live, cell);
            live.follow(parent);
            if ran.errors.iter().any(super::execute::is_interrupt) {
                still_stale.push(at);
                interrupted = true;
                continue;
            }
            let same = cell.has_output_of(&ran);
            let fingerprint = fingerprint_of(session, &ran.reads);
            let Some(cell) = self.cells.get_mut(at) else { break };
            (cell.fingerprint, cell.stale_hash, cell.reads) = (fingerprint, None, ran.reads.clone());
            if same {
                continue;
            }
            replace_outputs(cell, &ran, live);
        }
        let fingerprints = self.fingerprints(session);
        for at in &still_stale {
            if let (Some(cell), Some(fingerprint)) = (self.cells.get_mut(*at), fingerprints.get(*at)) {
                cell.stale_hash = Some(*fingerprint);
            }
        }
        (still_stale, interrupted)
    }

    /// Returns the index of the first cell whose reads have changed, other than the cell `ran_id` and those that are
    /// `done`.
    fn next_changed(&self, session: &Session, ran_id: &str, done: impl Fn(usize) -> bool) -> Option<usize> {
        let fingerprints = self.fingerprints(session);
        let mut all = self.cells.iter().zip(&fingerprints).enumerate();
        all.find(|(at, (cell, fingerprint))| cell.fingerprint != **fingerprint && cell.id != ran_id && !done(*at))
            .map(|(at, _)| at)
    }

    /// Marks the outputs of stale cells.
    fn mark(&self, stale: &[usize], live: &LiveOutput, by: Option<u32>) {
        for cell in stale.iter().filter_map(|at| self.cells.get(*at)) {
            let Some(ShownResult { display: Some(id), data }) = cell.shown.last() else { continue };
            let why = match by {
                Some(by) => format!("stale: something it read changed in [{by}]"),
                None => String::from("stale: something it read has changed"),
            };
            let mut data = data.clone();
            if let Some(Value::String(text)) = data.get_mut("text/plain") {
                text.push_str(&format!("\n{why}"));
            }
            if let Some(Value::String(html)) = data.get_mut("text/html") {
                // our own text, which contains no HTML special characters
                html.push_str(&format!("<p><em>{why}</em></p>"));
            }
            update(live, id, &data);
        }
    }
}

/// The result of [`Notebook::update_others`].
pub struct UpdateResult {
    /// A text that lists stale cells and warnings, if there are any.
    pub text: Option<Styled>,
    /// Whether the user interrupted the update.
    pub interrupted: bool,
}

/// Returns the input to which a cell sent an event, if the cell is a single `:feed NAME VALUE`.
fn fed(ran: &CellRun) -> Option<String> {
    let [input] = ran.inputs.as_slice() else { return None };
    let mut words = input.text.split_whitespace();
    (words.next() == Some(":feed")).then(|| words.next().map(String::from))?
}

/// Joins texts with line ends.
fn joined(lines: &[Styled]) -> Styled {
    let mut out = Styled::new();
    for (n, line) in lines.iter().enumerate() {
        if n > 0 {
            out.plain("\n");
        }
        out.append(line);
    }
    out
}

/// Returns the fingerprint of what a cell reads.
fn fingerprint_of(session: &Session, reads: &CellReads) -> u64 {
    // one fingerprint for each argument
    session.fingerprints(&[reads]).first().copied().unwrap_or(0)
}

/// Runs a cell without a request, under the number of its last run, and for the page on which it is shown: another client, such as an
/// attached prompt, may have caused it. Restores the number of the session's next cell.
fn rerun(session: &mut Session, live: &LiveOutput, cell: &Cell) -> CellRun {
    let next = session.next_number();
    session.set_next_number(cell.run_number.max(1));
    let inputs = session.rerun_unasked(&cell.input_numbers);
    let ran = run(session, live, &cell.code, &inputs, PageWidths { answers: None, reports: cell.columns });
    session.set_next_number(next);
    ran
}

/// Replaces a cell's outputs by those of a new run.
fn replace_outputs(cell: &mut Cell, ran: &CellRun, live: &LiveOutput) {
    let mut new: Vec<Value> = ran.outputs.iter().filter_map(CellOutput::data).cloned().collect();
    new.extend(ran.errors.iter().map(crate::display::error_in_place));
    // if there are more outputs than displays, the last display shows the texts of all remaining outputs
    let displays = cell.shown.len().max(1);
    if new.len() > displays {
        let rest = new.split_off(displays - 1);
        let text: Vec<&str> = rest.iter().filter_map(|data| data.get("text/plain")?.as_str()).collect();
        new.push(json!({ "text/plain": text.join("\n") }));
    }
    for (at, shown) in cell.shown.iter_mut().enumerate() {
        let data = new.get(at).cloned().unwrap_or_else(|| json!({ "text/plain": "" }));
        let old = std::mem::replace(&mut shown.data, data);
        if let Some(id) = &shown.display
            && old != shown.data
        {
            update(live, id, &shown.data);
        }
    }
    // so that the cell is run again when the cause of the error is fixed
    cell.errors.clear();
}

fn update(live: &LiveOutput, id: &str, data: &Value) {
    live.publish("update_display_data", &json!({ "data": data, "metadata": {}, "transient": { "display_id": id } }));
}

/// Returns the cell id in a request's metadata.
pub fn cell_id(metadata: &Object) -> Option<&str> {
    metadata.get("cellId").and_then(Value::as_str).filter(|id| !id.is_empty())
}

/// Returns the cells that were deleted since the last request.
pub fn deleted(metadata: &Object) -> Vec<&str> {
    metadata.get("deletedCells").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect()
}
