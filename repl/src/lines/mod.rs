//! Where inputs come from: a terminal that can do everything, one that can do little, or no terminal.

mod dumb;
mod marks;
mod plain;
mod rich;
mod script;

pub use dumb::Dumb;
pub use plain::Plain;
pub use rich::Rich;
pub use script::Script;

use crate::engine::Engine;
use crate::host::Host;
use crate::paint::Paint;
use cfg_core::session::{Candidate, Completeness};
use nu_ansi_term::Style;
use std::io;
use std::ops::Range;
use std::time::Duration;

/// The command that shows what was folded. It is the prompt's own: the session knows no screen.
pub const MORE: &str = ":more";

/// How long typing may wait for an answer before the session is hurried.
const PATIENCE: Duration = Duration::from_millis(100);
/// Completion is asked for by a key, so it may take so long.
const COMPLETION_PATIENCE: Duration = Duration::from_millis(500);

/// The session's thread, as the prompt asks it.
pub type Sessions = Host<Box<dyn Engine>>;

/// What a source of lines came back with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Line {
    /// An input, whole by the parser's word unless the source ended.
    Input(String),
    /// The line was given up (Ctrl-C); the next one follows.
    Cancelled,
    /// A line that cannot be read, and why; the next one follows.
    Broken(String),
    /// There is no more.
    End,
}

/// How a source of lines looks and behaves; the session's options decide.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Look {
    /// The colours.
    pub paint: Paint,
    /// Whether the keys are vi's.
    pub vi: bool,
}

/// A source of inputs.
pub trait LineSource {
    /// Waits for an input, behind the prompt of a cell (`cfg[3]`) where there is a prompt.
    fn read(&mut self, cell: &str) -> io::Result<Line>;
    /// Takes another look; at once where it can, else from the next prompt on.
    fn look(&mut self, look: Look);
    /// Whether single keys can be read between two inputs.
    fn has_keys(&self) -> bool {
        false
    }
}

/// The prompt of a cell.
pub fn prompt(cell: &str) -> String {
    format!("{cell}> ")
}

/// What stands before the further lines of an input, as wide as the prompt.
pub fn continuation(cell: &str) -> String {
    format!("{:>width$} ", "…", width = prompt(cell).len() - 1)
}

/// Whether the parser wants more lines. A session that does not answer gets the input as it is.
fn incomplete(sessions: &Sessions, text: &str) -> bool {
    let text = crate::habits::without_prompts(text).into_owned();
    matches!(sessions.ask(move |engine| engine.completeness(&text)), Ok(Completeness::Incomplete { .. }))
}

/// Takes the first whole input off what was typed ahead; `None`: it holds none yet.
fn first_whole(sessions: &Sessions, typed: &mut String) -> Option<String> {
    let ends: Vec<usize> = typed.match_indices('\n').map(|(at, _)| at).collect();
    let end = ends.into_iter().find(|end| typed.get(..*end).is_some_and(|text| !incomplete(sessions, text)))?;
    let rest = typed.split_off(end + 1);
    let mut input = std::mem::replace(typed, rest);
    input.pop();
    Some(input)
}

/// The ways to go on at the cursor; `hurry` stops a session that takes too long to find them.
fn candidates(sessions: &Sessions, hurry: &dyn Fn(), line: &str, cursor: usize) -> Vec<Candidate> {
    let text = line.to_string();
    let ask = sessions.ask_within(COMPLETION_PATIENCE, hurry, move |engine| engine.complete(&text, cursor));
    let mut found = ask.unwrap_or_default();
    found.retain(|candidate| line.get(candidate.range.clone()).is_some());
    if let Some(typed) = line.get(..cursor)
        && typed.len() > 1
        && MORE.starts_with(typed)
    {
        let doc = Some("what was folded, whole".into());
        found.push(Candidate { range: 0..cursor, text: MORE.into(), kind: "command", ty: None, doc });
    }
    found
}

/// The line in pieces, each with its style; one plain piece where there are no colours. With a cursor, the bracket it
/// stands at and its partner are marked, and what is wrong whatever is typed. `labels` stand for texts: they are none.
fn tokens<'a>(
    sessions: &Sessions,
    hurry: &dyn Fn(),
    paint: Paint,
    line: &'a str,
    cursor: Option<usize>,
    labels: &[Range<usize>],
) -> Vec<(Style, &'a str)> {
    if !paint.colour || line.is_empty() {
        return vec![(Style::new(), line)];
    }
    let mut text = line.to_string();
    for label in labels {
        text.replace_range(label.clone(), &" ".repeat(label.len()));
    }
    // what is folded stands for anything
    let certain = cursor.filter(|_| labels.is_empty() && crate::habits::meant(line, |_| false).is_none());
    let ask = move |engine: &mut Box<dyn Engine>| {
        (engine.highlight(&text), certain.and_then(|cursor| engine.mistake(&text, cursor)))
    };
    let (roles, mistake) = sessions.ask_within(PATIENCE, hurry, ask).unwrap_or_default();
    let brackets = cursor.map(|cursor| marks::brackets(line, &roles, cursor)).unwrap_or_default();
    marks::pieces(paint, line, &roles, labels, &brackets, mistake)
}
