//! Sources of input: a terminal with full support, a terminal with little, or a stream that is not a terminal.

mod dumb;
mod growing;
mod marks;
mod plain;
mod rich;
mod script;
mod unfinished;

pub use dumb::Dumb;
pub use growing::GrowingInput;
pub use plain::Plain;
pub use rich::Rich;
pub use script::Script;

use crate::engine::Engine;
use crate::host::{Ask, Host};
use crate::paint::Paint;
use cfg_core::{Candidate, Completeness};
use nu_ansi_term::Style;
use std::io;
use std::ops::Range;
use std::time::{Duration, Instant};

/// The command that shows folded output. The prompt handles it, because the session knows nothing about the screen.
pub const MORE: &str = ":more";

/// Maximum time that typing waits for an answer before the session is interrupted.
const PATIENCE: Duration = Duration::from_millis(100);
/// Maximum time that completion waits for an answer. It is longer, because the user asked for it with a key.
const COMPLETION_PATIENCE: Duration = Duration::from_millis(500);
/// Maximum time between two lines of a paste.
const PAUSE: Duration = Duration::from_millis(50);
/// The number of lines without a pause from which they are a paste.
const PASTED_LINES: usize = 3;

/// A handle on the session's thread.
pub type Sessions = Host<Box<dyn Engine>>;

/// The result of reading a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Line {
    /// An input, complete according to the parser unless the source ended.
    Input(String),
    /// The line was cancelled (Ctrl-C); reading can go on.
    Cancelled,
    /// Ctrl-C on an empty line; reading can go on.
    Interrupted,
    /// A line that cannot be read, and the reason; reading can go on.
    Broken(String),
    /// The end of the source.
    End,
}

/// The appearance and behaviour of a source of lines; the session's options decide it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LineOptions {
    /// The colours.
    pub paint: Paint,
    /// Whether the key bindings are vi's.
    pub vi: bool,
}

/// Prints text above the prompt while a line is edited, and sets the cell that the prompt names if one is given.
#[cfg_attr(not(feature = "attach"), allow(dead_code))]
pub type Announce = Box<dyn FnMut(String, Option<String>) + Send>;

/// A source of inputs.
pub trait LineSource {
    /// Waits for an input. Prints the prompt of a cell (`cfg[3]`) if the source has prompts.
    fn read(&mut self, cell: &str) -> io::Result<Line>;
    /// Changes the look, at once if possible, otherwise from the next prompt on.
    fn set_options(&mut self, options: LineOptions);
    /// Returns a function that prints above the prompt. `None` if the source has no prompt, or cannot.
    #[cfg_attr(not(feature = "attach"), allow(dead_code))]
    fn announcer(&mut self) -> Option<Announce> {
        None
    }
    /// Reports whether single keys can be read between two inputs.
    fn has_keys(&self) -> bool {
        false
    }
}

/// Returns the prompt of a cell.
pub fn prompt(cell: &str) -> String {
    format!("{cell}> ")
}

/// Returns the prompt of continuation lines, as wide as the first prompt.
pub fn continuation(cell: &str) -> String {
    format!("{:>width$} ", "…", width = prompt(cell).len() - 1)
}

/// Reports whether the parser needs more lines. If the session does not answer, the input is taken as it is.
fn incomplete(sessions: &impl Ask<Box<dyn Engine>>, text: &str) -> bool {
    let text = crate::foreign_commands::without_prompts(text).into_owned();
    matches!(sessions.ask(move |engine| engine.completeness(&text)), Ok(Completeness::Incomplete { .. }))
}

/// Recognizes a paste without brackets: lines that arrive faster than anyone types. A terminal sends the lines of such a
/// paste like typed ones, and an editor that draws a long input again for each of its lines takes quadratic time.
#[derive(Default)]
struct Pasting {
    /// The number of lines that arrived without a pause.
    lines: usize,
    /// The time of the last one.
    last: Option<Instant>,
}

impl Pasting {
    /// Records the end of a line. Returns whether it belongs to a paste.
    fn line(&mut self) -> bool {
        let now = Instant::now();
        let follows = self.last.is_some_and(|last| now.duration_since(last) < PAUSE);
        self.lines = if follows { self.lines + 1 } else { 0 };
        self.last = Some(now);
        self.lines >= PASTED_LINES
    }
}

/// Removes the first complete input from what was typed ahead. `None` if there is none yet.
fn first_whole(sessions: &Sessions, typed: &mut String) -> Option<String> {
    let mut growing = GrowingInput::default();
    let mut start = 0;
    let is_end = |end: &usize| {
        let (text, line) = (typed.get(..*end).unwrap_or(""), typed.get(start..*end).unwrap_or(""));
        start = end + 1;
        !growing.needs_more(sessions, text, line)
    };
    let end = typed.match_indices('\n').map(|(at, _)| at).find(is_end)?;
    let rest = typed.split_off(end + 1);
    let mut input = std::mem::replace(typed, rest);
    input.pop();
    Some(input)
}

/// Returns whether an input may contain a secret. `true` if the session does not answer.
fn is_private(sessions: &Sessions, text: &str) -> bool {
    let text = text.to_string();
    sessions.ask(move |engine| engine.is_private(&text)).unwrap_or(true)
}

/// Returns the completions at the cursor; `interrupt_slow` interrupts a session that takes too long.
fn candidates(sessions: &Sessions, interrupt_slow: &dyn Fn(), line: &str, cursor: usize) -> Vec<Candidate> {
    let text = line.to_string();
    let ask = sessions.ask_within(COMPLETION_PATIENCE, interrupt_slow, move |engine| engine.complete(&text, cursor));
    let mut found = ask.unwrap_or_default();
    found.retain(|candidate| line.get(candidate.range.clone()).is_some());
    if let Some(typed) = line.get(..cursor)
        && typed.len() > 1
        && MORE.starts_with(typed)
    {
        let doc = Some("show the folded output in full".into());
        found.push(Candidate { range: 0..cursor, text: MORE.into(), kind: "command", ty: None, doc });
    }
    found
}

/// Splits the line into pieces, each with its style; one unstyled piece if there are no colours. If there is a cursor,
/// the bracket at the cursor and its partner are marked, and so are certain errors. `labels` are the ranges of folded
/// text, which is not highlighted.
fn tokens<'a>(
    sessions: &Sessions,
    interrupt_slow: &dyn Fn(),
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
    // folded text can contain anything
    let certain = cursor.filter(|_| labels.is_empty() && crate::foreign_commands::translate(line, |_| false).is_none());
    let ask = move |engine: &mut Box<dyn Engine>| {
        (engine.highlight(&text), certain.and_then(|cursor| engine.mistake(&text, cursor)))
    };
    let (roles, mistake) = sessions.ask_within(PATIENCE, interrupt_slow, ask).unwrap_or_default();
    let brackets = cursor.map(|cursor| marks::brackets(line, &roles, cursor)).unwrap_or_default();
    marks::pieces(paint, line, &roles, labels, &brackets, mistake)
}
