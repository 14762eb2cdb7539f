//! The cells of a notebook, identified by the ids that the front end sends (`cellId`). Records what each cell read and
//! showed, so that cells whose output would now differ can be reported or, if the user wants, run again.
//!
//! A cell may be stale if a definition it read has changed; definitions are compared by hashes of their texts and of
//! what they read in turn ([`Session::prints`]). To find out which of those cells are stale, they are run once more
//! under a deadline and undone ([`Session::try_out`]). This has no side effects because the language is pure.

use super::deadline::Deadline;
use super::live::LiveOutput;
use super::panel::CellsState;
use super::run::{CellOutput, CellRun, run};
use crate::request::Messenger;
use crate::wire::Object;
use cfg_core::notebook::CellReads;
use cfg_core::{Role, Session, Styled};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::time::Duration;

/// Maximum time for the search for stale cells after each cell. Cells that were not checked by then count as stale.
const PATIENCE: Duration = Duration::from_millis(200);
/// Maximum number of runs remembered per cell, besides the first.
const RUNS: usize = 64;

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
    displays: u64,
    /// The mode when a cell ran last.
    mode: Option<Reactive>,
    /// Whether the hint about `:set reactive` has been shown.
    hint_shown: bool,
}

/// A cell and its last run.
struct Cell {
    id: String,
    code: String,
    /// The numbers of its inputs, over all its runs.
    numbers: Vec<u32>,
    /// The number of its last run.
    number: u32,
    reads: CellReads,
    /// The types of what it bound, as they are shown.
    types: String,
    /// The hash of what it read.
    print: u64,
    /// The hash for which it was found to be stale.
    stale: Option<u64>,
    /// Its outputs and their display ids.
    shown: Vec<ShownResult>,
    /// Whether it may be run again without a request.
    is_pure: bool,
    /// The input that it sent an event of, if it did nothing else.
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
    /// Reports whether a run has the same output as the last one.
    fn shows(&self, ran: &CellRun) -> bool {
        let errors = ran.errors.iter().map(Styled::text);
        self.shown.iter().map(|s| &s.data).eq(ran.outputs.iter().filter_map(CellOutput::data))
            && self.errors.iter().cloned().eq(errors)
    }
}

impl Notebook {
    /// Returns the numbers of a cell's earlier runs; empty for a new cell.
    pub fn runs(&self, id: &str) -> &[u32] {
        self.cells.iter().find(|cell| cell.id == id).map_or(&[], |cell| &cell.numbers)
    }

    /// Returns the inputs of the cells, and which of them are known to be stale.
    pub fn state(&self) -> CellsState {
        let of = |cell: &Cell| cell.numbers.iter().map(|number| (*number, cell.id.clone())).collect::<Vec<_>>();
        let stale = self.cells.iter().filter(|cell| cell.stale.is_some());
        CellsState {
            numbers: self.cells.iter().flat_map(of).collect(),
            stale: stale.flat_map(|cell| cell.numbers.iter().copied()).collect(),
        }
    }

    /// Removes deleted cells; returns the numbers of their runs.
    pub fn delete(&mut self, ids: &[&str]) -> Vec<u32> {
        let (deleted, left) =
            std::mem::take(&mut self.cells).into_iter().partition(|cell| ids.contains(&cell.id.as_str()));
        self.cells = left;
        deleted.into_iter().flat_map(|cell: Cell| cell.numbers).collect()
    }

    /// Removes all cells.
    pub fn clear(&mut self) {
        self.cells.clear();
    }

    /// Returns a new display id.
    pub fn display_id(&mut self, messenger: &Messenger) -> String {
        self.displays += 1;
        format!("cfg-{}-{}", messenger.wire.session(), self.displays)
    }

    /// Records a run of a cell that the front end requested. `displays` holds the display ids of its outputs, if any.
    pub fn ran(&mut self, session: &Session, id: &str, code: &str, number: u32, ran: &CellRun, displays: &[String]) {
        let print = session.prints(&[&ran.reads]).first().copied().unwrap_or(0);
        let data = ran.outputs.iter().filter_map(CellOutput::data).cloned();
        let shown = data.enumerate().map(|(at, data)| ShownResult { display: displays.get(at).cloned(), data });
        let numbers = ran.inputs.iter().map(|input| input.number);
        let at = self.cells.iter().position(|cell| cell.id == id);
        let mut earlier = at.and_then(|at| self.cells.get_mut(at)).map(|cell| std::mem::take(&mut cell.numbers));
        let all = earlier.get_or_insert_default();
        // keep the first one, which gives the cell's position
        if all.len() > RUNS {
            all.drain(1..all.len() / 2);
        }
        all.extend(numbers);
        let cell = Cell {
            id: String::from(id),
            code: String::from(code),
            numbers: earlier.unwrap_or_default(),
            number,
            reads: ran.reads.clone(),
            types: joined(&session.types_of(&ran.reads).unwrap_or_default()).text(),
            print,
            stale: None,
            shown: shown.collect(),
            is_pure: ran.is_pure,
            fed: fed(ran),
            errors: ran.errors.iter().map(Styled::text).collect(),
            columns: ran.columns,
        };
        match at.and_then(|at| self.cells.get_mut(at)) {
            Some(slot) => *slot = cell,
            None => self.cells.push(cell),
        }
    }

    /// Updates the other cells after a cell ran, or finds out which are stale.
    pub fn look(
        &mut self,
        session: &mut Session,
        live: &LiveOutput,
        deadline: &Deadline,
        except: &str,
    ) -> UpdateResult {
        let mode = Reactive::of(session);
        if self.mode.replace(mode) != Some(mode) {
            // what was only listed in another mode is now marked or run again
            self.cells.iter_mut().for_each(|cell| cell.stale = None);
        }
        let number = self.cells.iter().find(|cell| cell.id == except).map(|cell| cell.number);
        self.fresh_again(session, live);
        let mut interrupted = false;
        let stale = match mode {
            Reactive::On => {
                let stale;
                (stale, interrupted) = self.refresh(session, live, except);
                if interrupted {
                    self.mark(&stale, live, number);
                }
                stale
            }
            _ => {
                let stale = self.try_out(session, live, deadline, except);
                if mode == Reactive::Lazy {
                    self.mark(&stale, live, number);
                }
                stale
            }
        };
        if mode == Reactive::On {
            self.refresh_events(live, except);
        }
        if mode != Reactive::Off {
            self.refresh_types(session, live, except);
        }
        let mut lines: Vec<Styled> = Vec::new();
        if mode != Reactive::Off {
            lines.extend(self.bound_twice(except));
        }
        lines.extend(self.listed(&stale, mode));
        UpdateResult { line: Some(joined(&lines)).filter(|line| !line.is_empty()), interrupted }
    }

    /// Returns a line that lists stale cells.
    fn listed(&mut self, stale: &[usize], mode: Reactive) -> Option<Styled> {
        if stale.is_empty() {
            return None;
        }
        let mut line = Styled::of(Role::Warning, "stale");
        line.plain(": ");
        let names: Vec<String> =
            stale.iter().filter_map(|at| self.cells.get(*at)).map(|cell| format!("[{}]", cell.number)).collect();
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
    fn bound_twice(&self, id: &str) -> Vec<Styled> {
        let Some(cell) = self.cells.iter().find(|cell| cell.id == id) else { return Vec::new() };
        let mut warnings = Vec::new();
        for name in cell.reads.new_names() {
            let also = |other: &&Cell| other.id != id && other.reads.new_names().any(|other| other == name);
            if let Some(other) = self.cells.iter().find(also) {
                let mut line = Styled::of(Role::Warning, "warning");
                line.plain(format!(
                    ": [{}] and [{}] both define `{name}`; the newer run counts",
                    other.number, cell.number
                ));
                line.push(Role::Dim, "  (delete one, or rename what it defines)");
                warnings.push(line);
            }
        }
        warnings
    }

    /// Replaces the tables of earlier events of an input by the table of the event that a cell has sent.
    fn refresh_events(&mut self, live: &LiveOutput, by: &str) {
        let Some(cell) = self.cells.iter().find(|cell| cell.id == by) else { return };
        let (Some(fed), Some(ShownResult { data, .. })) = (cell.fed.clone(), cell.shown.last()) else { return };
        let data = data.clone();
        for cell in self.cells.iter_mut().filter(|cell| cell.id != by && cell.fed.as_ref() == Some(&fed)) {
            if let Some(ShownResult { display: Some(id), data: old }) = cell.shown.last_mut() {
                old.clone_from(&data);
                update(live, id, &data);
            }
        }
    }

    /// Replaces the types of definitions that changed because of the cell.
    fn refresh_types(&mut self, session: &Session, live: &LiveOutput, except: &str) {
        for cell in self.cells.iter_mut().filter(|cell| cell.id != except) {
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
    fn prints(&self, session: &Session) -> Vec<u64> {
        session.prints(&self.cells.iter().map(|cell| &cell.reads).collect::<Vec<_>>())
    }

    /// Removes the stale marks of cells for which everything that they read is again as it was at their last run.
    fn fresh_again(&mut self, session: &Session, live: &LiveOutput) {
        let prints = self.prints(session);
        for (cell, print) in self.cells.iter_mut().zip(prints) {
            if cell.print == print
                && cell.stale.take().is_some()
                && let Some(ShownResult { display: Some(id), data }) = cell.shown.last()
            {
                update(live, id, data);
            }
        }
    }

    /// Returns the cells that have newly become stale. Cells whose output would be the same are silently brought up to
    /// date.
    fn try_out(&mut self, session: &mut Session, live: &LiveOutput, deadline: &Deadline, except: &str) -> Vec<usize> {
        let prints = self.prints(session);
        let is_news =
            |(cell, print): (&Cell, &u64)| cell.print != *print && cell.stale != Some(*print) && cell.id != except;
        if !self.cells.iter().zip(&prints).any(is_news) {
            return Vec::new();
        }
        let (mut differ, mut same) = (BTreeSet::new(), BTreeSet::new());
        let _until = deadline.within(PATIENCE);
        let parent = live.follow(None);
        session.try_out(|session| {
            while let Some(at) = self.next(session, except, |at| differ.contains(&at) || same.contains(&at)) {
                let Some(cell) = self.cells.get(at) else { break };
                let ran = cell.is_pure.then(|| again(session, live, cell));
                let unchanged = ran.is_some_and(|ran| cell.shows(&ran));
                match unchanged && !cell.reads.builds_on() {
                    true => same.insert(at),
                    false => differ.insert(at),
                };
            }
        });
        live.follow(parent);
        for at in same {
            if let (Some(cell), Some(print)) = (self.cells.get_mut(at), prints.get(at)) {
                cell.print = *print;
                cell.stale = None;
            }
        }
        let mut news = Vec::new();
        for at in differ {
            if let (Some(cell), Some(print)) = (self.cells.get_mut(at), prints.get(at))
                && cell.stale.replace(*print).is_none()
            {
                news.push(at);
            }
        }
        news
    }

    /// Runs the cells again that read something that has changed, and replaces their outputs. Returns the cells that
    /// become stale because they cannot be run again, or because of an interrupt, and whether there was one.
    fn refresh(&mut self, session: &mut Session, live: &LiveOutput, except: &str) -> (Vec<usize>, bool) {
        let mut done: BTreeSet<usize> = BTreeSet::new();
        let mut left = Vec::new();
        let mut interrupted = false;
        while let Some(at) = self.next(session, except, |at| done.contains(&at)) {
            done.insert(at);
            // a cell that was found to be stale stays stale until what it reads changes again
            let print = self.prints(session).get(at).copied();
            if self.cells.get(at).is_some_and(|cell| cell.stale.is_some() && cell.stale == print) {
                continue;
            }
            if interrupted {
                left.push(at);
                continue;
            }
            let Some(cell) = self.cells.get(at) else { break };
            let updatable = cell.shown.iter().all(|s| s.display.is_some()) && cell.errors.is_empty();
            if !cell.is_pure || !updatable {
                left.push(at);
                continue;
            }
            let parent = live.follow(None);
            let ran = again(session, live, cell);
            live.follow(parent);
            if ran.errors.iter().any(super::execute::is_interrupt) {
                left.push(at);
                interrupted = true;
                continue;
            }
            let same = cell.shows(&ran);
            let print = session.prints(&[&ran.reads]).first().copied().unwrap_or(0);
            let Some(cell) = self.cells.get_mut(at) else { break };
            (cell.print, cell.stale, cell.reads) = (print, None, ran.reads.clone());
            if same {
                continue;
            }
            replace(cell, &ran, live);
        }
        let prints = self.prints(session);
        for at in &left {
            if let (Some(cell), Some(print)) = (self.cells.get_mut(*at), prints.get(*at)) {
                cell.stale = Some(*print);
            }
        }
        (left, interrupted)
    }

    /// Returns the first cell that read something that has changed.
    fn next(&self, session: &Session, except: &str, done: impl Fn(usize) -> bool) -> Option<usize> {
        let prints = self.prints(session);
        let mut all = self.cells.iter().zip(&prints).enumerate();
        all.find(|(at, (cell, print))| cell.print != **print && cell.id != except && !done(*at)).map(|(at, _)| at)
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

/// The result of [`Notebook::look`].
pub struct UpdateResult {
    /// A text that lists stale cells and warnings, if there are any.
    pub line: Option<Styled>,
    /// Whether the user interrupted it.
    pub interrupted: bool,
}

/// Returns the input of which a cell sent an event, if the cell is one `:feed NAME VALUE`.
fn fed(ran: &CellRun) -> Option<String> {
    let [input] = ran.inputs.as_slice() else { return None };
    let mut words = input.text.split_whitespace();
    (words.next() == Some(":feed")).then(|| words.next().map(String::from))?
}

/// Joins lines.
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

/// Runs a cell without a request, with the numbers of its last run, and for the page on which it is shown: another client,
/// such as an attached prompt, may have caused it.
fn again(session: &mut Session, live: &LiveOutput, cell: &Cell) -> CellRun {
    let next = session.next_number();
    let (page, reports) = (session.set_width(None), session.set_report_width(cell.columns));
    session.set_next_number(cell.number.max(1));
    let again = session.rerun_unasked(&cell.numbers);
    let ran = run(session, live, &cell.code, &again);
    session.set_next_number(next);
    session.set_width(page);
    session.set_report_width(reports);
    ran
}

/// Replaces a cell's outputs by those of a new run.
fn replace(cell: &mut Cell, ran: &CellRun, live: &LiveOutput) {
    let mut new: Vec<Value> = ran.outputs.iter().filter_map(CellOutput::data).cloned().collect();
    new.extend(ran.errors.iter().map(crate::display::error_in_place));
    // if there are more outputs than before, the last place shows the texts of all that are left
    let places = cell.shown.len().max(1);
    if new.len() > places {
        let rest = new.split_off(places - 1);
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
