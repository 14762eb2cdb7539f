//! Reads lines from a terminal with full support, with reedline. The session highlights, completes, hints, and decides
//! when an input is complete.

use super::{Announce, Line, LineOptions, LineSource, Pasting, Sessions};
use crate::history::InputHistory;
use crate::paint::Paint;
use cfg_core::{Candidate, Completeness, Role, Styled, wrap};
use crossterm::event;
use reedline::{
    Completer, CompletionResult, CursorConfig, EditCommand, ExternalPrinter, Highlighter, Reedline, ReedlineMenu,
    Signal, Span, StyledText, Suggestion, ValidationResult, Validator,
};
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

mod folded_history;
mod hint;
mod keys;
mod last_drawn;
mod menu;
mod outside_editor;
mod pastes;
mod prompt;

use hint::Hint;
use keys::{Keys, KeysAhead};
use last_drawn::LastDrawn;
use menu::CompletionMenu;
use pastes::Pastes;
use prompt::Ps;

/// Maximum indentation, in columns, so that some of the line stays visible.
const MOST_INDENT: usize = 40;
/// Maximum number of announcements that wait to be printed; more are dropped.
#[cfg_attr(not(feature = "attach"), allow(dead_code))]
const ANNOUNCEMENTS: usize = 4096;
/// Interval at which announcements are looked for while a line is edited.
#[cfg_attr(not(feature = "attach"), allow(dead_code))]
const ANNOUNCED: Duration = Duration::from_millis(50);

/// The editor, and the state that it shares with its parts.
pub struct Rich {
    editor: Option<Reedline>,
    ahead: KeysAhead,
    shared: Shared,
    /// Text typed before the prompt appeared, with Enter as `\n`.
    typed: String,
    vi: bool,
    cell: prompt::CellName,
    pasting: Pasting,
}

/// State that the parts of the editor share.
#[derive(Clone)]
struct Shared {
    sessions: Sessions,
    interrupt_slow: Arc<dyn Fn() + Send + Sync>,
    options: Arc<Mutex<LineOptions>>,
    /// Indentation of the next line of an incomplete input, in columns.
    indent: Arc<AtomicUsize>,
    /// The line as it was last drawn.
    seen: LastDrawn,
    /// Folded text in the line.
    pastes: Pastes,
}

impl Shared {
    fn paint(&self) -> Paint {
        // The lock is poisoned only if another thread panics, and the look is plain data, so it is still valid.
        match self.options.lock() {
            Ok(options) => options.paint,
            Err(poisoned) => poisoned.into_inner().paint,
        }
    }
}

impl Rich {
    /// Creates an editor; `interrupt_slow` interrupts the session if it takes too long to answer.
    pub fn new(
        sessions: Sessions,
        interrupt_slow: Arc<dyn Fn() + Send + Sync>,
        typed: String,
        options: LineOptions,
        history: Option<PathBuf>,
    ) -> Rich {
        let shared = Shared {
            sessions,
            interrupt_slow,
            options: Arc::new(Mutex::new(options)),
            indent: Arc::default(),
            seen: LastDrawn::default(),
            pastes: Pastes::default(),
        };
        let past = folded_history::FoldedHistory::new(
            InputHistory::open(history),
            shared.pastes.clone(),
            shared.sessions.clone(),
        );
        let editor = Reedline::create()
            .use_bracketed_paste(true)
            .with_quick_completions(true)
            .with_partial_completions(true)
            .with_history(Box::new(past))
            .with_completer(Box::new(shared.clone()))
            .with_highlighter(Box::new(shared.clone()))
            .with_hinter(Box::new(Hint::new(shared.clone())))
            .with_validator(Box::new(shared.clone()))
            .with_history_exclusion_prefix(Some(" ".into()));
        let mut rich = Rich {
            editor: Some(editor),
            ahead: KeysAhead::default(),
            shared,
            typed,
            vi: options.vi,
            cell: prompt::CellName::default(),
            pasting: Pasting::default(),
        };
        rich.set_options(options);
        rich
    }

    fn keys(&self) -> Keys {
        Keys::new(self.vi, self.ahead.clone(), self.shared.seen.clone(), self.shared.pastes.clone())
    }

    /// Reads until an input is complete or cancelled; returns the editor as well.
    fn line(&mut self, mut editor: Reedline, ps: &Ps) -> (Reedline, io::Result<Line>) {
        let mut is_reminded = false;
        loop {
            let whole = super::first_whole(&self.shared.sessions, &mut self.typed);
            let accept = whole.is_some();
            let text = whole.unwrap_or_else(|| std::mem::take(&mut self.typed));
            if !text.is_empty() {
                editor.run_edit_commands(&[EditCommand::InsertString(self.shared.pastes.folded(&text))]);
            }
            editor = editor.with_immediately_accept(accept);
            let signal = editor.read_line(ps);
            let was_empty = self.shared.seen.is_empty();
            self.typed.push_str(&self.ahead.take());
            let continues = matches!(&signal, Ok(Signal::HostCommand(command)) if command == keys::INDENT);
            let ended = continues || matches!(signal, Ok(Signal::Success(_)));
            if ended && !accept && self.pasting.line() && self.rest_of_paste() {
                self.typed.clear();
                if continues {
                    editor.run_edit_commands(&[EditCommand::Clear]);
                    return (editor.with_immediately_accept(false), Ok(Line::Cancelled));
                }
            }
            let line = match signal {
                Ok(Signal::Success(input)) => Ok(Line::Input(self.shared.pastes.whole(&input).into_owned())),
                Ok(Signal::CtrlC) if was_empty => Ok(Line::Interrupted),
                Ok(Signal::CtrlC) => Ok(Line::Cancelled),
                Ok(Signal::CtrlD) => Ok(Line::End),
                Err(error) => Err(error),
                Ok(Signal::HostCommand(command)) if command == keys::SUSPEND => {
                    crate::terminal::suspend();
                    continue;
                }
                // as if it had been typed; other text stays
                Ok(Signal::HostCommand(command)) if command == keys::WHAT_IF => {
                    if editor.current_buffer_contents().is_empty() {
                        self.typed.insert_str(0, crate::whatif::OPEN);
                    }
                    continue;
                }
                Ok(Signal::HostCommand(command)) if command == keys::EDITOR => {
                    let text = self.shared.pastes.whole(editor.current_buffer_contents()).into_owned();
                    match outside_editor::edited(&text) {
                        Ok(text) => editor.run_edit_commands(&[
                            EditCommand::Clear,
                            EditCommand::InsertString(self.shared.pastes.folded(&text)),
                        ]),
                        // as reports are, on a line of its own; the input stays
                        Err(why) => {
                            let (columns, _) = crate::terminal::size();
                            eprintln!("\n{}", wrap::wrap(&why, columns.max(20), 0));
                        }
                    }
                    continue;
                }
                // Enter on an incomplete input: the editor has already inserted the line end.
                Ok(Signal::HostCommand(_)) => {
                    let text = self.shared.pastes.whole(editor.current_buffer_contents()).into_owned();
                    if self.typed.is_empty() && self.remind(text, is_reminded) {
                        is_reminded = true;
                    }
                    let indent = self.shared.indent.swap(0, Ordering::SeqCst).min(MOST_INDENT);
                    if self.typed.is_empty() {
                        editor.run_edit_commands(&[EditCommand::InsertString(" ".repeat(indent))]);
                    } else {
                        self.typed.insert_str(0, &self.shared.pastes.whole(editor.current_buffer_contents()));
                        editor.run_edit_commands(&[EditCommand::Clear]);
                    }
                    continue;
                }
                Ok(_) => continue,
            };
            return (editor.with_immediately_accept(false), line);
        }
    }

    /// Prints what is still open in an unfinished input, if there is a reason to. Returns whether it was printed.
    fn remind(&self, text: String, is_reminded: bool) -> bool {
        let asked = self.shared.sessions.ask(move |engine| {
            let roles = engine.highlight(&text);
            super::unfinished::reminder(&text, &roles, is_reminded)
        });
        let Ok(Some(reminder)) = asked else { return false };
        let (columns, _) = crate::terminal::size();
        let line = Styled::of(Role::Dim, wrap::wrap(&reminder, columns.max(20), 0));
        eprintln!("\n{}", self.shared.paint().text(&line));
        true
    }

    /// Takes the keys that arrive without a pause as text, which the editor then gets at once. Returns whether Ctrl-C was
    /// one of them.
    fn rest_of_paste(&mut self) -> bool {
        if crossterm::terminal::enable_raw_mode().is_err() {
            return false;
        }
        let mut cancelled = false;
        self.ahead.entered();
        while !cancelled && event::poll(super::PAUSE).unwrap_or(false) {
            let Ok(event) = event::read() else { break };
            cancelled = keys::is_ctrl_c(&event);
            self.ahead.takes(&event);
        }
        self.ahead.painted();
        let _ = crossterm::terminal::disable_raw_mode();
        self.typed.push_str(&self.ahead.take());
        cancelled
    }
}

impl LineSource for Rich {
    fn read(&mut self, cell: &str) -> io::Result<Line> {
        let Some(editor) = self.editor.take() else {
            return Ok(Line::End);
        };
        self.shared.seen.begin();
        self.cell.set(cell);
        let ps = Ps::new(self.cell.clone(), self.shared.paint(), self.ahead.clone(), self.shared.seen.clone());
        let (mut editor, line) = self.line(editor, &ps);
        if self.vi && matches!(line, Ok(Line::Cancelled | Line::Interrupted)) {
            // otherwise a line cancelled in normal mode would leave the next one in normal mode
            editor = editor.with_edit_mode(Box::new(self.keys()));
        }
        if self.vi && self.shared.paint().colour {
            // the mode sets the shape of the cursor, so reset it when the line ends
            let mut out = io::stderr();
            let _ = out.write_all(b"\x1b[0 q").and_then(|()| out.flush());
        }
        self.editor = Some(editor);
        line
    }

    fn announcer(&mut self) -> Option<Announce> {
        let printer = ExternalPrinter::new(ANNOUNCEMENTS);
        let (sender, name) = (printer.sender(), self.cell.clone());
        self.editor =
            self.editor.take().map(|editor| editor.with_external_printer(printer).with_poll_interval(ANNOUNCED));
        Some(Box::new(move |text, cell| {
            if let Some(cell) = cell {
                name.set(&cell);
            }
            let _ = sender.try_send(text);
        }))
    }

    fn has_keys(&self) -> bool {
        // text typed ahead is meant for the prompt
        self.typed.is_empty()
    }

    fn set_options(&mut self, options: LineOptions) {
        if let Ok(mut slot) = self.shared.options.lock() {
            *slot = options;
        }
        let shaped = options.vi || self.vi;
        self.vi = options.vi;
        let paint = options.paint;
        let menu = CompletionMenu::new(keys::MENU, &prompt::indicator(paint), paint);
        use crossterm::cursor::SetCursorStyle::{SteadyBar, SteadyBlock};
        let shapes = (options.vi && paint.colour).then_some((SteadyBar, SteadyBlock));
        let cursors =
            CursorConfig { vi_insert: shapes.map(|s| s.0), vi_normal: shapes.map(|s| s.1), ..Default::default() };
        let keys = self.keys();
        self.editor = self.editor.take().map(|editor| {
            let editor = if shaped { editor.with_cursor_config(cursors) } else { editor };
            editor
                .with_ansi_colors(paint.colour)
                .with_edit_mode(Box::new(keys))
                .clear_menus()
                .with_menu(ReedlineMenu::EngineCompleter(Box::new(menu)))
        });
    }
}

impl Validator for Shared {
    fn validate(&self, line: &str) -> ValidationResult {
        let text = self.pastes.whole(line).into_owned();
        // the indentation of a line inserted in the middle depends on the text before it
        let before = self.seen.before(line).map(|before| self.pastes.whole(before).into_owned());
        let asked = self.sessions.ask(move |engine| match engine.completeness(&text) {
            Completeness::Incomplete { indent } => Some(match before.map(|before| engine.completeness(&before)) {
                Some(Completeness::Incomplete { indent }) => indent,
                Some(Completeness::Complete) => 0,
                None => indent,
            }),
            Completeness::Complete => None,
        });
        match asked {
            Ok(Some(indent)) => {
                self.indent.store(indent, Ordering::SeqCst);
                ValidationResult::Incomplete
            }
            _ => {
                self.seen.end();
                ValidationResult::Complete
            }
        }
    }
}

impl Highlighter for Shared {
    fn highlight(&self, line: &str, cursor: usize) -> StyledText {
        self.seen.drawn(line, cursor);
        let labels = self.pastes.labels(line);
        // the final drawing has no cursor
        let cursor = (!self.seen.is_over()).then_some(cursor);
        let mut out = StyledText::new();
        for (style, piece) in super::tokens(&self.sessions, &*self.interrupt_slow, self.paint(), line, cursor, &labels)
        {
            out.push((style, piece.to_string()));
        }
        out
    }
}

impl Completer for Shared {
    fn complete(&mut self, line: &str, cursor: usize) -> CompletionResult {
        let whole = self.pastes.whole(line);
        let place = self.pastes.place(line, cursor);
        let mut found = super::candidates(&self.sessions, &*self.interrupt_slow, &whole, place);
        let moved = place - cursor;
        // completions cannot replace text inside a fold
        found.retain(|candidate| candidate.range.start >= moved && whole.get(candidate.range.start..place).is_some());
        let suggestions: Vec<Suggestion> = found.into_iter().map(|candidate| suggestion(candidate, moved)).collect();
        CompletionResult::fresh(suggestions)
    }
}

/// Converts a candidate for the menu: the text, then its type and documentation. `moved` is how many bytes further
/// left it is in the line than in the unfolded text.
fn suggestion(candidate: Candidate, moved: usize) -> Suggestion {
    let visible = |text: &str| crate::paint::visible(text).into_owned();
    let kind = (candidate.ty.is_none() && candidate.doc.is_none()).then(|| String::from(candidate.kind));
    Suggestion {
        value: candidate.text,
        description: candidate.ty.as_deref().map(visible),
        extra: candidate.doc.as_deref().map(visible).or(kind).map(|doc| vec![doc]),
        span: Span::new(candidate.range.start - moved, candidate.range.end - moved),
        ..Suggestion::default()
    }
}
