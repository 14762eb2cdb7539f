//! A session saved as a file: its inputs, each after a line with its number, so that `$3` keeps its meaning.
//!
//! ```text
//! # cfg session: `:load` enters these inputs again
//! #[]
//! :load "app.cfg"
//! #[3]
//! port = 80
//! ```
//!
//! The marker is `#[`, with more `#` in front if a line of an input begins with it. If the session's language was not the
//! standard one, the marker names it: `#[4 NAME]`.
//!
//! For a notebook's cell that was run again, the marker lists the earlier runs: `#[7 again 3 5]`. It ends with `...` if the
//! next input belongs to the same run, and with `left` if the run was not completed. `refresh` replaces `again` for an
//! automatic run. `#[forget 3 5]` deletes cells.

use super::Session;
use super::commands::Effect;
use super::event::Event;
use super::notebook::{FORGET, Running};
use crate::dialect::{Dialect, Languages};
use crate::problem::Problem;
use crate::problem::session::{SessionKind, SessionProblem};
use crate::state::journal::{JournalEntry, Rerun};
use crate::text::MASK;
use crate::text::Name;
use rustc_hash::FxHashMap;
use std::path::Path;

/// The first line.
const HEADER: &str = "# cfg session: `:load` enters these inputs again";

/// A session as a text for `:load`.
pub(super) struct Saved {
    pub text: String,
    /// Number of options that are set in it.
    pub settings: usize,
    /// Number of inputs.
    pub inputs: usize,
    /// Number of inputs with secrets, which are not in the text.
    pub masked: usize,
}

/// Returns `true` if a text is a saved session.
pub(super) fn is_session(text: &str) -> bool {
    text.lines().next() == Some(HEADER)
}

impl Session {
    /// Returns the session as a text that loads to the same state, and what is in it.
    pub(super) fn saved(&self) -> Saved {
        let (inputs, _) = self.inputs_so_far();
        let begins = |mark: &str| inputs.iter().any(|input| input.text.lines().any(|line| line.starts_with(mark)));
        let mut mark = String::from("#[");
        while begins(&mark) {
            mark.insert(0, '#');
        }
        let mut out = format!("{HEADER}\n");
        let (mut count, mut masked) = (0, 0);
        // the other options are inputs of the session
        let settings = self.settings().commands();
        for command in &settings {
            out.push_str(&format!("{mark}]\n{command}\n"));
        }
        // when the saved session is loaded, it reads each file as it is at that time, so reloads are left out
        let mut inputs = inputs.iter().filter(|input| input.number.is_some() || !is_reload(&input.text)).peekable();
        while let Some(input) = inputs.next() {
            count += 1;
            let number = input.number.map(|number| number.to_string()).unwrap_or_default();
            let run = run_of(input, inputs.peek().map(|next| &***next));
            let spoken = if input.dialect == self.languages().standard() { "" } else { input.dialect.name() };
            let words = [&number, spoken, &run].into_iter().filter(|word| !word.is_empty());
            out.push_str(&format!("{mark}{}]\n", words.collect::<Vec<_>>().join(" ")));
            if is_forget(input) {
                continue;
            }
            // a string, so that the text can be read again
            let shown = self.masked_input_in(input.dialect, &input.text);
            masked += usize::from(*shown != *input.text);
            out.push_str(&shown.replace(MASK, &format!("\"{MASK}\"")));
            out.push('\n');
        }
        let mut options: Vec<&str> = settings.iter().filter_map(|command| command.split(' ').nth(1)).collect();
        options.dedup();
        Saved { text: out, settings: options.len(), inputs: count, masked }
    }

    /// Runs an input of a language as if it was typed, in place of the current input.
    pub(super) fn enter(&mut self, dialect: Dialect, text: &str) -> Vec<Event> {
        let (touched, before, number) = (self.touched(), self.snapshot(), self.next_number());
        let (number, events) = match super::is_command(text) {
            true => (None, self.command(dialect, text)),
            false => (Some(number), self.cell(dialect, text)),
        };
        if !self.world.interrupt.is_raised() && before.differs(self) {
            self.journal_replayed(dialect, number, text, touched);
        }
        events
    }

    /// Returns `true` while a saved session is loaded. Each of its inputs has its own language.
    pub(super) fn is_loading(&self) -> bool {
        !self.loading.is_empty()
    }

    /// Runs the inputs of a saved session, without showing values.
    pub(super) fn enter_saved(&mut self, dialect: Dialect, path: &Path, text: &str) -> Vec<Event> {
        if self.loading.iter().any(|file| file == path) {
            let what = SessionKind::ImportCycle { files: vec![Name::from(path.to_string_lossy())] };
            return vec![self.diagnostic(dialect, &Problem::error(SessionProblem { span: None, what }))];
        }
        self.loading.push(path.to_path_buf());
        let events = self.in_run(Running::default(), |session| session.enter_all(text));
        self.loading.pop();
        events
    }

    /// Runs the inputs of a saved session, each in its own language.
    fn enter_all(&mut self, text: &str) -> Vec<Event> {
        let mut events = Vec::new();
        // maps cell numbers of the file to those of this session
        let mut numbers: FxHashMap<u32, u32> = FxHashMap::default();
        let mut run: Option<Rerun> = None;
        for SavedInput { number, dialect, run: of_run, text } in parts(self.languages(), text) {
            let touched = self.touched();
            let before = self.snapshot();
            let (next, known) = (self.next_number(), |number: &u32| numbers.get(number).copied().unwrap_or(*number));
            let refreshed = of_run.as_ref().filter(|of_run| of_run.refresh).and(number);
            if let Some(number) = number {
                self.set_next_number(refreshed.map_or(next.max(number), |number| known(&number)));
            }
            let goes_on = of_run.as_ref().is_some_and(|of_run| of_run.end == End::GoesOn);
            if let Some(of_run) = &of_run {
                let earlier: Vec<u32> = of_run.earlier.iter().map(known).collect();
                let begun = || Rerun { refresh: of_run.refresh, ..self.rerun(&earlier) };
                let again = run.take().unwrap_or_else(begun);
                run = goes_on.then(|| again.clone());
                self.begin_part(again, of_run.end == End::Ends);
            }
            let own = self.next_number();
            let mut made = match (number, &of_run) {
                (Some(_), _) => self.cell(dialect, text),
                (None, Some(of_run)) if of_run.forget => {
                    let earlier: Vec<u32> = of_run.earlier.iter().map(known).collect();
                    self.unbind_cells(dialect, &earlier, u32::MAX)
                }
                (None, _) => self.command(dialect, text),
            };
            if of_run.as_ref().is_some_and(|of_run| !of_run.forget) {
                made.extend(self.unbind_left(dialect));
            }
            numbers.extend(number.map(|number| (number, own)));
            let number = number.map(|_| own);
            if refreshed.is_some() {
                self.set_next_number(next);
            }
            events.extend(made.into_iter().filter(|event| !matches!(event, Event::Value { .. } | Event::Output(_))));
            if self.world.interrupt.is_raised() {
                break;
            }
            if before.differs(self) {
                let text = if of_run.as_ref().is_some_and(|of_run| of_run.forget) { FORGET } else { text };
                self.journal_replayed(dialect, number, text, touched);
            }
            self.end_part();
        }
        events
    }
}

fn is_reload(text: &str) -> bool {
    super::commands::effect(text) == Some(Effect::Reload)
}

fn is_forget(input: &JournalEntry) -> bool {
    input.number.is_none() && &*input.text == FORGET
}

/// Returns the words about an input's run. `next` may belong to the same run.
fn run_of(input: &JournalEntry, next: Option<&JournalEntry>) -> String {
    let Some((again, ends)) = &input.part else { return String::new() };
    let goes_on = next.and_then(|next| next.part.as_ref()).is_some_and(|(next, _)| next == again);
    let word = match again.refresh {
        _ if is_forget(input) => "forget",
        true => "refresh",
        false => "again",
    };
    let end = match (goes_on, ends) {
        _ if is_forget(input) => None,
        (true, _) => Some("..."),
        (false, true) => None,
        (false, false) => Some("left"),
    };
    let earlier = again.earlier.iter().map(ToString::to_string);
    let words: Vec<String> = std::iter::once(word.into()).chain(earlier).chain(end.map(String::from)).collect();
    words.join(" ")
}

/// An input of a saved session.
struct SavedInput<'t> {
    /// The cell's number. `None` for a command.
    number: Option<u32>,
    /// The session's language.
    dialect: Dialect,
    run: Option<SavedRun>,
    text: &'t str,
}

/// The run that an input belongs to.
struct SavedRun {
    earlier: Vec<u32>,
    refresh: bool,
    forget: bool,
    end: End,
}

#[derive(PartialEq)]
enum End {
    Ends,
    /// The next input belongs to it too.
    GoesOn,
    Left,
}

/// Parses a marker: `7 NAME again 3 5`.
fn mark(languages: Languages, words: &str) -> (Option<u32>, Dialect, Option<SavedRun>) {
    let mut words = words.split_whitespace().peekable();
    let number = words.peek().and_then(|word| word.parse().ok());
    if number.is_some() {
        words.next();
    }
    let dialect = words.peek().and_then(|word| languages.named(word));
    if dialect.is_some() {
        words.next();
    }
    let dialect = dialect.unwrap_or(languages.standard());
    let Some(kind) = words.next() else { return (number, dialect, None) };
    let mut run =
        SavedRun { earlier: Vec::new(), refresh: kind == "refresh", forget: kind == "forget", end: End::Ends };
    for word in words {
        match (word, word.parse()) {
            ("...", _) => run.end = End::GoesOn,
            ("left", _) => run.end = End::Left,
            (_, Ok(number)) => run.earlier.push(number),
            (_, Err(_)) => {}
        }
    }
    (number, dialect, Some(run))
}

/// Splits a saved session into its inputs.
fn parts(languages: Languages, text: &str) -> Vec<SavedInput<'_>> {
    let body = text.get(HEADER.len()..).unwrap_or("").trim_start_matches('\n');
    let Some(hashes) = body.find('[') else { return Vec::new() };
    let sign = &body[..=hashes];
    let mut out: Vec<SavedInput<'_>> = Vec::new();
    let (mut at, mut begun) = (0, None);
    let mut part = |begun: Option<(&str, usize)>, end: usize| {
        let Some((words, from)) = begun else { return };
        let (number, dialect, run) = mark(languages, words);
        out.push(SavedInput { number, dialect, run, text: body[from..end].trim_end_matches('\n') });
    };
    for line in body.split_inclusive('\n') {
        if let Some(words) = line.trim_end().strip_prefix(sign).and_then(|rest| rest.strip_suffix(']')) {
            part(begun, at);
            begun = Some((words, at + line.len()));
        }
        at += line.len();
    }
    part(begun, body.len());
    out
}
