//! What a notebook asks beyond a prompt: cells with the notebook's numbers, cells that are run again, expressions that leave
//! no trace.
//!
//! A cell that is run again takes a new number; its definitions stand in the place of those of its runs before. Where it
//! reads its own name, that is what stood before it: what a cell defined whose *slot* is lower. A cell's slot is the number of
//! its first run, and its later runs keep it; so a cell never reads itself, nor what was written upon it.

use super::Session;
use super::commands::{Effect, expression};
use super::event::Event;
use crate::dialect::Dialect;
use crate::state::environment::{Definition, is_written};
use crate::state::journal::Rerun;
use crate::styled::{Role, Styled};
use crate::text::{Name, SourceId};
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};
use std::rc::Rc;

/// The number of the first cell that no notebook keeps: such cells are cells of the session all the same, and no number names
/// two.
pub const UNKEPT: u32 = 1 << 30;

/// What cells are forgotten by: no command that somebody can type.
pub(super) const FORGET: &str = ":forget";

/// What is asked of the cell under way, and what it does.
#[derive(Default)]
pub(super) struct Running {
    /// The run that it is a part of.
    again: Rerun,
    /// Whether it is the last part of the run, and whether it could be read.
    ends: bool,
    kept: bool,
    /// The newest run of which an earlier part could be read, by where it began.
    began: Option<u32>,
    slot: u32,
    /// Whether what it shows is left out.
    pub only_binds: bool,
    reads: Reads,
}

impl Running {
    /// Whether the cell's result is the last one that somebody asked for.
    pub fn is_asked(&self) -> bool {
        !self.again.refresh
    }

    /// The cell could be read: it is kept, whatever comes of it.
    pub fn kept(&mut self) {
        self.kept = true;
    }

    /// A definition that reads its predecessor under a key, or none.
    pub fn binds(&mut self, name: &Name, predecessor: Option<Name>) {
        if predecessor.is_some() && is_written(name) {
            self.reads.predecessors.push(name.clone());
        }
    }

    /// An expression that reads keys.
    pub fn shows(&mut self, uses: &[Name]) {
        self.reads.shown.extend(uses.iter().cloned());
    }
}

/// What a cell read: what it showed was computed from these.
#[derive(Clone, Default, Debug)]
pub struct Reads {
    /// Keys.
    shown: Vec<Name>,
    /// Names that it defined from what stood before it.
    predecessors: Vec<Name>,
    slot: u32,
}

impl Reads {
    /// Adds what another part of the same cell read.
    pub fn join(&mut self, other: Reads) {
        self.slot = other.slot;
        self.shown.extend(other.shown);
        self.predecessors.extend(other.predecessors);
    }

    /// Whether the cell defined something from what stood before it.
    pub fn builds_on(&self) -> bool {
        !self.predecessors.is_empty()
    }
}

impl Session {
    /// Begins a run of a notebook's cell whose earlier runs took these numbers.
    pub fn rerun(&self, earlier: &[u32]) -> Rerun {
        Rerun { earlier: earlier.to_vec(), from: self.world.state.environment.borrow().last_id(), refresh: false }
    }

    /// Begins a run of a cell that nobody asked for: something that it read is another now. It may take the number of its last
    /// run once more; what has read that result reads the new one.
    pub fn rerun_unasked(&self, earlier: &[u32]) -> Rerun {
        Rerun { refresh: true, ..self.rerun(earlier) }
    }

    /// Runs one input of a cell, and says what it read. `ends`: no other of this run follows; then what the runs before bound
    /// and this one did not is unbound.
    pub fn submit_again(&mut self, text: &str, again: &Rerun, ends: bool) -> (Vec<Event>, Reads) {
        self.begin_part(again.clone(), ends);
        let events = self.submit(text);
        let mut reads = self.end_part();
        if self.is_question(text) {
            reads.shown.extend(self.names_in(text));
        }
        (events, reads)
    }

    /// The next input is a part of a run.
    pub(super) fn begin_part(&mut self, again: Rerun, ends: bool) {
        let number = self.next_number();
        let slot = again.earlier.first().map_or(number, |first| self.slot(*first));
        Rc::make_mut(&mut self.world.state.slots.borrow_mut()).insert(number, slot);
        self.running = Running { again, ends, slot, began: self.running.began, ..Running::default() };
    }

    /// The part is over. What it read.
    pub(super) fn end_part(&mut self) -> Reads {
        let Running { again, kept, began, slot, mut reads, .. } = std::mem::take(&mut self.running);
        self.running.began = if kept { Some(again.from) } else { began };
        reads.slot = slot;
        reads
    }

    /// The run that the input under way is a part of, if that is another than the first of its cell, and whether it ends
    /// with it.
    pub(super) fn part(&self) -> Option<(Rerun, bool)> {
        let Running { again, ends, .. } = &self.running;
        (!again.earlier.is_empty() || again.refresh).then(|| (again.clone(), *ends))
    }

    /// Binds what an input binds and sets what it sets, and shows nothing: another session has run it.
    pub fn define(&mut self, text: &str) -> Vec<Event> {
        self.running.only_binds = true;
        let events = self.submit(text);
        self.running.only_binds = false;
        events
    }

    /// Unbinds what cells bound that are no more. A name that something stood before is that again.
    pub fn forget_cells(&mut self, cells: &[u32]) -> Vec<Event> {
        self.begin();
        self.running = Running { again: Rerun { earlier: cells.to_vec(), ..Rerun::default() }, ..Running::default() };
        let events = self.recorded(FORGET, |session| session.unbind_cells(cells, u32::MAX));
        self.running = Running::default();
        events
    }

    /// Unbinds what only the runs before have bound, if this was the last part of a run.
    pub(super) fn unbind_left(&mut self) -> Vec<Event> {
        let Running { again: Rerun { earlier, from, .. }, ends, kept, began, .. } = &self.running;
        match *ends && (*kept || *began == Some(*from)) && !self.world.interrupt.is_raised() {
            true => self.unbind_cells(&earlier.clone(), *from),
            false => Vec::new(),
        }
    }

    /// Unbinds what is bound and was bound by these cells, by definitions up to an id.
    pub(super) fn unbind_cells(&mut self, cells: &[u32], up_to: u32) -> Vec<Event> {
        if cells.is_empty() {
            return Vec::new();
        }
        let gone: Vec<(Name, u32)> = {
            let environment = self.world.state.environment.borrow();
            let ours = |d: &Definition| cells.contains(&d.cell) && d.id <= up_to;
            let ours = environment.iter().filter(|(key, d)| is_written(key) && ours(d));
            ours.map(|(key, d)| (key.clone(), d.cell)).collect()
        };
        let mut events = Vec::new();
        let mut keys = Vec::new();
        for (key, cell) in gone {
            let before = self.predecessor_of(&key, self.slot(cell), cells);
            self.time.touch(&key);
            self.world.replaced(&key, None);
            let mut environment = self.world.state.environment.borrow_mut();
            match before {
                Some(before) => {
                    let id = environment.fresh();
                    let again = environment.define(Definition { id, ..(*before).clone() });
                    drop(environment);
                    events.push(Event::Bound(self.bound(&key, &again.typed)));
                }
                None => {
                    environment.remove(&key);
                    drop(environment);
                    let mut line = Styled::of(Role::Name, key.as_str());
                    line.plain(" is not bound any more");
                    events.push(Event::Answer(line));
                }
            }
            keys.push(key);
        }
        events.extend(self.recheck(&keys, &keys));
        events
    }

    /// What a definition in the cell under way reads by its own name.
    pub(super) fn predecessor(&self, key: &Name) -> Option<Rc<Definition>> {
        let newest = self.world.definition(key)?;
        let Rerun { earlier, from, .. } = &self.running.again;
        match earlier.is_empty() || newest.id > *from {
            true => Some(newest),
            false => self.predecessor_of(key, self.running.slot, earlier),
        }
    }

    /// The newest definition of a name in a cell of a lower slot that is none of these cells. O(definitions of the name).
    fn predecessor_of(&self, key: &Name, slot: u32, cells: &[u32]) -> Option<Rc<Definition>> {
        let environment = self.world.state.environment.borrow();
        let before = |d: &&Rc<Definition>| self.slot(d.cell) < slot && !cells.contains(&d.cell);
        environment.replaced(key).chain(environment.get(key)).filter(before).max_by_key(|d| d.id).cloned()
    }

    /// What `it` is in the cell under way: the last result; in a run that nobody asked for, the last one before the cell's own.
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

    /// The bound names that a text holds.
    fn names_in(&self, text: &str) -> Vec<Name> {
        let words = text.split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '\'' | '$')));
        words.filter_map(|word| self.world.key(word)).collect()
    }

    /// A number for what each cell read, as it is now: while it stays the same, the cell would show the same again. Linear in
    /// what is read and the texts it is written in.
    pub fn prints(&self, all: &[&Reads]) -> Vec<u64> {
        let mut prints = Prints { session: self, known: FxHashMap::default(), texts: FxHashMap::default() };
        all.iter().map(|reads| prints.of(reads)).collect()
    }
}

/// Definitions as numbers: by their texts, and what they read.
struct Prints<'a> {
    session: &'a Session,
    known: FxHashMap<Name, u64>,
    texts: FxHashMap<SourceId, u64>,
}

impl Prints<'_> {
    fn of(&mut self, reads: &Reads) -> u64 {
        let mut hasher = FxHasher::default();
        for key in &reads.shown {
            self.key(key).hash(&mut hasher);
        }
        for name in &reads.predecessors {
            let read = self.session.predecessor_of(name, reads.slot, &[]);
            let print = read.map(|definition| {
                for used in definition.uses.iter() {
                    self.key(used);
                }
                self.definition(&definition)
            });
            print.hash(&mut hasher);
        }
        hasher.finish()
    }

    /// The number of a key. Does not recurse; of keys that read each other the last one counts as unknown.
    fn key(&mut self, key: &Name) -> u64 {
        let mut work = vec![(key.clone(), false)];
        while let Some((key, ready)) = work.pop() {
            let Some(definition) = self.session.world.definition(&key) else {
                self.known.insert(key, 0);
                continue;
            };
            if ready {
                let print = self.definition(&definition);
                self.known.insert(key, print);
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
            // one that reads a file is another one when the file was read again
            definition.id.hash(&mut hasher);
        }
        for used in definition.uses.iter() {
            self.known.get(used).hash(&mut hasher);
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
    /// The next cell takes this number. One that was taken before should not be given again: `$n` and the definitions
    /// that read `it` name results by it.
    pub fn set_next_number(&mut self, number: u32) {
        self.world.state.next.set(number);
    }

    /// The value of an expression, and what is to be said of it. It takes no number, binds nothing, and `it` stays what it
    /// was.
    pub fn evaluate(&mut self, text: &str) -> Vec<Event> {
        self.begin();
        let term = match expression(self, text) {
            Ok(term) => term,
            Err(problems) => return problems,
        };
        let typed = self.world.infer(&term);
        let thunk = self.machine.thunk(&term);
        let (mut events, mut traced) = (Vec::new(), Vec::new());
        let datum = self.datum(&thunk, &mut traced);
        self.typed_beside(&typed, &datum, &mut events);
        events.append(&mut traced);
        self.show(self.next_number(), &datum, &typed, &mut events);
        self.machine.tidy();
        self.world.forget_texts(self.settings().history, |needed| self.remembered_texts(needed));
        events
    }

    /// Whether an input is a command with this effect. A command of the user's own has none.
    fn has_effect(&self, text: &str, effect: Effect) -> bool {
        let word = text.trim_start().strip_prefix(':').unwrap_or("");
        let end = word.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))).unwrap_or(word.len());
        let Some(word) = word.get(..end) else { return false };
        !self.aliases().contains_key(word) && super::commands::find(word).is_ok_and(|command| command.effect == effect)
    }

    /// Whether an input is a query, which can be run again without being asked for: it changes nothing, in the session or
    /// outside, and has the same answer as long as the names in it mean the same.
    pub fn is_question(&self, text: &str) -> bool {
        self.has_effect(text, Effect::Query)
    }

    /// Whether an input forgets all definitions.
    pub fn is_reset(&self, text: &str) -> bool {
        self.has_effect(text, Effect::Reset)
    }

    /// The language that the first line of a cell names (`%%jsonnet`), and the cell with that line made blank. `None`: there
    /// is no such line, or no such language.
    pub fn language_line(&self, text: &str) -> Option<(Dialect, String)> {
        super::magic(text)?;
        self.spoken(text).ok()
    }

    /// The language of a cell: what its `%%` line names, else the one that is spoken.
    pub fn language_of(&self, text: &str) -> Dialect {
        self.language(text)
    }
}

#[cfg(test)]
mod tests {
    use crate::loader::NoLoader;
    use crate::session::{Event, Session};

    fn values(events: &[Event]) -> Vec<String> {
        let value = |event: &Event| match event {
            Event::Value { number, value, .. } => Some(format!("{number}: {}", value.text())),
            _ => None,
        };
        events.iter().filter_map(value).collect()
    }

    #[test]
    fn an_expression_beside_the_cells_leaves_no_trace() {
        let mut session = Session::new(Box::new(NoLoader));
        assert_eq!(values(&session.submit("let x = 20\nx + 1")), ["1: 21"]);
        assert_eq!(values(&session.evaluate("x * 2")), ["2: 40"]);
        assert!(matches!(session.evaluate("nothing").as_slice(), [Event::Diagnostic { .. }]));
        assert_eq!(values(&session.submit("it")), ["2: 21"]);
    }

    /// Runs cells by name, as a notebook does, and says what a name is then.
    struct Notebook {
        session: Session,
        runs: Vec<(&'static str, Vec<u32>)>,
    }

    impl Notebook {
        fn new() -> Notebook {
            Notebook { session: Session::new(Box::new(NoLoader)), runs: Vec::new() }
        }

        fn run(&mut self, cell: &'static str, text: &str) -> super::Reads {
            let number = self.session.next_number();
            let at = self.runs.iter().position(|(name, _)| *name == cell).unwrap_or_else(|| {
                self.runs.push((cell, Vec::new()));
                self.runs.len() - 1
            });
            let again = self.session.rerun(&self.runs[at].1);
            let (first, rest) = text.split_once("\n;\n").unwrap_or(("", text));
            if !first.is_empty() {
                self.session.submit_again(first, &again, false);
                self.runs[at].1.push(number);
            }
            let number = self.session.next_number();
            let (events, reads) = self.session.submit_again(rest, &again, true);
            assert!(
                !events
                    .iter()
                    .any(|e| matches!(e, Event::Diagnostic { severity: crate::problem::Severity::Error, .. }))
            );
            self.runs[at].1.push(number);
            reads
        }

        fn value(&mut self, text: &str) -> String {
            let events = self.session.evaluate(text);
            let value = events.iter().find_map(|e| match e {
                Event::Value { value, .. } => Some(value.text()),
                _ => None,
            });
            value.unwrap_or_else(|| String::from("none"))
        }
    }

    #[test]
    fn a_cell_run_again_reads_what_stood_before_it_and_never_itself() {
        let mut notebook = Notebook::new();
        notebook.run("a", "x = { n = 1 }");
        notebook.run("b", "x = x & { b = 1 }");
        assert_eq!(notebook.value("x"), "{ b = 1, n = 1 }");
        // itself again: nothing is added twice
        notebook.run("b", "x = x & { b = 2 }");
        assert_eq!(notebook.value("x"), "{ b = 2, n = 1 }");
        // the one before: it is the newest now, and is not built on what was built on it
        notebook.run("a", "x = { n = 3 }");
        assert_eq!(notebook.value("x"), "{ n = 3 }");
        notebook.run("b", "x = x & { b = 2 }");
        assert_eq!(notebook.value("x"), "{ b = 2, n = 3 }");
        notebook.run("c", "x = x & { c = 1 }");
        notebook.run("a", "x = { n = 4 }");
        notebook.run("b", "x = x & { b = 2 }");
        notebook.run("c", "x = x & { c = 1 }");
        assert_eq!(notebook.value("x"), "{ b = 2, c = 1, n = 4 }");
        // several inputs of one run read each other
        notebook.run("d", "x = x & { d = 1 }\n;\nx = x & { e = 1 }");
        notebook.run("d", "x = x & { d = 2 }\n;\nx = x & { e = 2 }\nx = x & { f = 1 }");
        assert_eq!(notebook.value("x"), "{ b = 2, c = 1, d = 2, e = 2, f = 1, n = 4 }");
    }

    #[test]
    fn what_a_cell_binds_no_more_is_what_it_was_before() {
        let mut notebook = Notebook::new();
        notebook.run("a", "x = 1");
        notebook.run("b", "x = 2\ny = x");
        assert_eq!((notebook.value("x"), notebook.value("y")), ("2".into(), "2".into()));
        notebook.run("b", "z = x");
        assert_eq!(
            (notebook.value("x"), notebook.value("y"), notebook.value("z")),
            ("1".into(), "none".into(), "1".into())
        );
        let runs = notebook.runs[0].1.clone();
        notebook.session.forget_cells(&runs);
        assert_eq!(notebook.value("x"), "none");
        notebook.session.submit(":undo");
        assert_eq!(notebook.value("z"), "1");
    }

    #[test]
    fn prints_tell_what_was_read_from_what_was_not() {
        let mut notebook = Notebook::new();
        notebook.run("a", "let x = 1\nlet other = 1");
        notebook.run("b", "let y = x + 1");
        let reads = [
            notebook.run("c", "y"),
            notebook.run("d", "other"),
            notebook.run("e", "x = x + 1"),
            notebook.run("f", ":type y"),
        ];
        let prints = |notebook: &Notebook| notebook.session.prints(&reads.iter().collect::<Vec<_>>());
        let before = prints(&notebook);
        notebook.run("b", "let y = x + 2");
        let after = prints(&notebook);
        let changed: Vec<bool> = before.iter().zip(&after).map(|(a, b)| a != b).collect();
        assert_eq!(changed, [true, false, false, true]);
        notebook.run("b", "let y = x + 1");
        assert_eq!(prints(&notebook), before);
    }

    #[test]
    fn what_is_tried_out_leaves_no_trace() {
        let mut session = Session::new(Box::new(NoLoader));
        session.submit("let x = { a = 1 }");
        session.submit("x");
        let seen = session.try_out(|session| {
            session.submit("let x = 7");
            session.submit(":set type off");
            session.submit("%%jsonnet\nlocal z = 1");
            values(&session.submit("x"))
        });
        assert_eq!(seen, ["5: 7"]);
        assert_eq!(values(&session.submit("it & x")), ["3: { a = 1 }"]);
        assert_eq!(session.option("type").as_deref(), Some("on"));
        assert!(session.evaluate("z").iter().all(|e| matches!(e, Event::Diagnostic { .. })));
    }

    #[test]
    fn cells_have_the_numbers_of_the_notebook() {
        let mut session = Session::new(Box::new(NoLoader));
        session.set_next_number(7);
        assert_eq!(values(&session.submit("1")), ["7: 1"]);
        assert_eq!(values(&session.submit("$7 + 1")), ["8: 2"]);
    }
}
