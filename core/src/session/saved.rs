//! A session as a file: the inputs that made it, each behind a line with its number, so that `$3` is what it was.
//!
//! ```text
//! # cfg session: `:load` enters these inputs again
//! #[]
//! :load "app.cfg"
//! #[3]
//! %%jsonnet
//! local port = 80
//! ```
//!
//! The mark is `#[` unless a line of an input begins so; then it has as many `#` more as it takes.

use super::Session;
use super::event::Event;
use crate::dialect::Dialect;
use crate::problem::Problem;
use crate::problem::session::{Session as Met, SessionKind};
use crate::text::Name;
use std::path::Path;

/// The first line.
const HEADER: &str = "# cfg session: `:load` enters these inputs again";

/// Whether a text is a session's.
pub(super) fn is_session(text: &str) -> bool {
    text.lines().next() == Some(HEADER)
}

impl Session {
    /// The session as a text that loads to the same state, and how many inputs it holds.
    pub(super) fn saved(&self) -> (String, usize) {
        let (inputs, _) = self.inputs_so_far();
        let begins = |mark: &str| inputs.iter().any(|input| input.text.lines().any(|line| line.starts_with(mark)));
        let mut mark = String::from("#[");
        while begins(&mark) {
            mark.insert(0, '#');
        }
        let mut out = format!("{HEADER}\n");
        let mut count = 0;
        // a file is loaded as it is now
        for input in inputs.iter().filter(|input| input.number.is_some() || !is_reload(&input.text)) {
            count += 1;
            let number = input.number.map(|number| number.to_string()).unwrap_or_default();
            out.push_str(&format!("{mark}{number}]\n"));
            if input.number.is_some() && input.dialect != Dialect::Cfg && super::magic(&input.text).is_none() {
                out.push_str(&format!("%%{}\n", input.dialect.name()));
            }
            out.push_str(&input.text);
            out.push('\n');
        }
        (out, count)
    }

    /// Enters an input of a language as if it was typed. The input under way stands for it.
    pub(super) fn enter(&mut self, dialect: Dialect, text: &str) -> Vec<Event> {
        let spoken = self.world.dialect.replace(dialect);
        let (touched, before, number) = (self.touched(), self.snapshot(), self.next);
        let (number, events) = match super::is_command(text) {
            true => (None, self.command(text)),
            false => (Some(number), self.cell(text)),
        };
        if !self.world.interrupt.is_raised() && before.differs(self) {
            self.journal_replayed(number, text, touched);
        }
        self.world.dialect.set(spoken);
        events
    }

    /// Enters the inputs of a saved session again. Values are not shown: nobody asked.
    pub(super) fn enter_saved(&mut self, path: &Path, text: &str) -> Vec<Event> {
        if self.entering.iter().any(|file| file == path) {
            let what = SessionKind::ImportCycle { files: vec![Name::from(path.to_string_lossy())] };
            return vec![self.diagnostic(&Problem::error(Met { span: None, what }))];
        }
        self.entering.push(path.to_path_buf());
        let spoken = self.world.dialect.replace(Dialect::Cfg);
        let entering = self.world.entering.replace(true);
        let mut events = Vec::new();
        for (number, text) in parts(text) {
            let touched = self.touched();
            let before = self.snapshot();
            let came = match number {
                Some(number) => {
                    self.next = self.next.max(number);
                    self.cell(text)
                }
                None => self.command(text),
            };
            let number = number.map(|_| self.next.saturating_sub(1));
            events.extend(came.into_iter().filter(|event| !matches!(event, Event::Value { .. } | Event::Output(_))));
            if self.world.interrupt.is_raised() {
                break;
            }
            if before.differs(self) {
                self.journal_replayed(number, text, touched);
            }
        }
        self.world.dialect.set(spoken);
        self.world.entering.set(entering);
        self.entering.pop();
        events
    }
}

fn is_reload(text: &str) -> bool {
    super::commands::meant(text).is_some_and(|command| command.name == "reload")
}

/// The inputs of a saved session with their numbers.
fn parts(text: &str) -> Vec<(Option<u32>, &str)> {
    let body = text.get(HEADER.len()..).unwrap_or("").trim_start_matches('\n');
    let Some(hashes) = body.find('[') else { return Vec::new() };
    let mark = &body[..=hashes];
    let mut out: Vec<(Option<u32>, &str)> = Vec::new();
    let (mut at, mut begun) = (0, None);
    for line in body.split_inclusive('\n') {
        if let Some(number) = line.trim_end().strip_prefix(mark).and_then(|rest| rest.strip_suffix(']')) {
            if let Some((number, from)) = begun {
                out.push((number, body[from..at].trim_end_matches('\n')));
            }
            begun = Some((number.parse().ok(), at + line.len()));
        }
        at += line.len();
    }
    out.extend(begun.map(|(number, from)| (number, body[from..].trim_end_matches('\n'))));
    out
}
