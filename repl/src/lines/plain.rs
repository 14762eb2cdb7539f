//! Reads lines with rustyline, for terminals that cannot report the cursor position.

use super::{
    Announce, GrowingInput, Line, LineOptions, LineSource, Pasting, Sessions, candidates, continuation, first_whole,
    incomplete, is_private, prompt, tokens,
};
use crate::history::{self, InputHistory};
use crate::paint::Paint;
use cfg_core::Role;
use rustyline::completion::{Completer, Pair};
use rustyline::config::Configurer;
use rustyline::error::ReadlineError;
use rustyline::highlight::{CmdKind, Highlighter};
use rustyline::history::{History, MemHistory};
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{
    Cmd, ConditionalEventHandler, Config, Context, EditMode, Editor, Event, EventContext, EventHandler,
    ExternalPrinter, Helper, KeyCode, KeyEvent, Modifiers, RepeatCount,
};
use std::borrow::Cow;
use std::cell::RefCell;
use std::io::{self, Write};
use std::path::PathBuf;

/// A source of lines for terminals that cannot report the cursor position.
pub struct Plain {
    editor: Editor<Help, MemHistory>,
    past: InputHistory,
    /// Text typed before the prompt appeared.
    typed: String,
}

/// Completion, highlighting and validation of input for rustyline.
struct Help {
    sessions: Sessions,
    interrupt_slow: Box<dyn Fn()>,
    paint: Paint,
    pasted: RefCell<Pasted>,
}

/// The lines of a paste without brackets. Each is read by itself, because the editor draws all of its text again for
/// each key.
#[derive(Default)]
struct Pasted {
    pasting: Pasting,
    /// The lines that were read, each with its end.
    lines: String,
    growing: GrowingInput,
    /// Whether the line that the editor returns needs more lines.
    more: bool,
}

impl Plain {
    /// Creates an editor; `interrupt_slow` interrupts the session if completion or highlighting takes too long.
    pub fn new(
        sessions: Sessions,
        interrupt_slow: Box<dyn Fn()>,
        typed: String,
        options: LineOptions,
        history: Option<PathBuf>,
    ) -> io::Result<Plain> {
        let config = Config::builder()
            .auto_add_history(false)
            .completion_type(rustyline::CompletionType::List)
            .bracketed_paste(true)
            .build();
        let mut kept = MemHistory::with_config(&config);
        let _ = kept.set_max_len(history::CAPACITY);
        let past = InputHistory::open(history);
        for entry in past.entries() {
            let _ = kept.add(entry);
        }
        let mut editor = Editor::with_history(config, kept).map_err(io::Error::other)?;
        // Up and Down find entries that begin with the text of the line.
        editor.bind_sequence(KeyEvent(KeyCode::Up, Modifiers::NONE), EventHandler::Conditional(Box::new(Search(true))));
        editor.bind_sequence(
            KeyEvent(KeyCode::Down, Modifiers::NONE),
            EventHandler::Conditional(Box::new(Search(false))),
        );
        editor.set_helper(Some(Help { sessions, interrupt_slow, paint: options.paint, pasted: RefCell::default() }));
        let mut plain = Plain { editor, past, typed };
        plain.set_options(options);
        Ok(plain)
    }

    /// Reads an input. `begun` is its beginning, which was typed before.
    fn input(&mut self, cell: &str, begun: &str) -> rustyline::Result<String> {
        let mut line = self.editor.readline_with_initial(&prompt(cell), (begun, ""));
        loop {
            let Some(pasted) = self.editor.helper_mut().map(|helper| helper.pasted.get_mut()) else { return line };
            let last = match line {
                Ok(last) if std::mem::take(&mut pasted.more) => last,
                other => {
                    let lines = std::mem::take(pasted).lines;
                    return other.map(|last| lines + &last);
                }
            };
            pasted.lines.push_str(&last);
            pasted.lines.push('\n');
            line = self.editor.readline(&continuation(cell));
        }
    }

    fn remember(&mut self, input: &str) {
        if input.trim().is_empty() || input.starts_with(' ') {
            return;
        }
        let before = self.past.entries().len();
        let private = self.editor.helper().is_none_or(|helper| is_private(&helper.sessions, input));
        self.past.add(input, private);
        if self.past.entries().len() == before + 1 {
            let _ = self.editor.add_history_entry(input);
            return;
        }
        // The count did not grow by exactly one, for example because an older copy of the entry moved or because other
        // sessions added entries. The editor's history is filled again, so that it has each entry once.
        let _ = self.editor.clear_history();
        for entry in self.past.entries() {
            let _ = self.editor.add_history_entry(&**entry);
        }
    }
}

/// The action of Up (`true`) or Down (`false`). At the end of a non-empty input of one line, searches for entries that begin
/// with the input; otherwise the default action of rustyline applies.
struct Search(bool);

impl ConditionalEventHandler for Search {
    fn handle(&self, _: &Event, count: RepeatCount, _: bool, context: &EventContext<'_>) -> Option<Cmd> {
        let begun = context.pos() > 0 && context.pos() == context.line().len() && !context.line().contains('\n');
        match self.0 {
            _ if !begun => None,
            true => Some(Cmd::HistorySearchBackward),
            false if count > 0 => Some(Cmd::HistorySearchForward),
            false => None,
        }
    }
}

impl LineSource for Plain {
    fn announcer(&mut self) -> Option<Announce> {
        let mut printer = self.editor.create_external_printer().ok()?;
        // the prompt of the line that is being edited keeps its number
        Some(Box::new(move |text, _| {
            let _ = printer.print(text);
        }))
    }

    fn read(&mut self, cell: &str) -> io::Result<Line> {
        let prompt = prompt(cell);
        if let Some(helper) = self.editor.helper()
            && let Some(early) = first_whole(&helper.sessions, &mut self.typed)
        {
            writeln!(io::stdout(), "{prompt}{early}")?;
            self.remember(&early);
            return Ok(Line::Input(early));
        }
        let begun = std::mem::take(&mut self.typed);
        match self.input(cell, &begun) {
            Ok(input) => {
                self.remember(&input);
                Ok(Line::Input(input))
            }
            Err(ReadlineError::Interrupted) => Ok(Line::Cancelled),
            Err(ReadlineError::Eof) => Ok(Line::End),
            Err(ReadlineError::Io(error)) if error.kind() == io::ErrorKind::InvalidData => {
                Ok(Line::Broken("the input is not UTF-8".into()))
            }
            Err(ReadlineError::Io(error)) => Err(error),
            Err(error) => Err(io::Error::other(error)),
        }
    }

    fn set_options(&mut self, options: LineOptions) {
        if let Some(helper) = self.editor.helper_mut() {
            helper.paint = options.paint;
        }
        self.editor.set_edit_mode(if options.vi { EditMode::Vi } else { EditMode::Emacs });
    }
}

impl Helper for Help {}

impl Highlighter for Help {
    fn highlight<'l>(&self, line: &'l str, _: usize) -> Cow<'l, str> {
        if !self.paint.colour {
            return Cow::Borrowed(line);
        }
        let tokens = tokens(&self.sessions, &*self.interrupt_slow, self.paint, line, None, &[]);
        Cow::Owned(tokens.into_iter().map(|(style, piece)| style.paint(piece).to_string()).collect())
    }

    fn highlight_prompt<'b, 's: 'b, 'p: 'b>(&'s self, prompt: &'p str, _: bool) -> Cow<'b, str> {
        Cow::Owned(self.paint.style(Role::Heading).paint(prompt).to_string())
    }

    fn highlight_char(&self, _: &str, _: usize, _: CmdKind) -> bool {
        self.paint.colour
    }
}

impl rustyline::hint::Hinter for Help {
    type Hint = String;
}

impl Validator for Help {
    fn validate(&self, context: &mut ValidationContext<'_>) -> rustyline::Result<ValidationResult> {
        let mut pasted = self.pasted.borrow_mut();
        let Pasted { pasting, lines, growing, more } = &mut *pasted;
        let is_pasted = pasting.line();
        let input = context.input();
        if is_pasted || !lines.is_empty() {
            // a text of many lines that becomes a paste is checked from its start
            lines.push_str(input);
            *more = growing.needs_more(&self.sessions, lines, input);
            lines.truncate(lines.len() - input.len());
            return Ok(ValidationResult::Valid(None));
        }
        Ok(match incomplete(&self.sessions, input) {
            true => ValidationResult::Incomplete,
            false => ValidationResult::Valid(None),
        })
    }
}

impl Completer for Help {
    type Candidate = Pair;

    fn complete(&self, line: &str, cursor: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<Pair>)> {
        let found = candidates(&self.sessions, &*self.interrupt_slow, line, cursor);
        let start = found.first().map_or(cursor, |first| first.range.start);
        let pairs = found
            .into_iter()
            .filter(|candidate| candidate.range.start == start)
            .map(|candidate| Pair { display: candidate.text.clone(), replacement: candidate.text });
        Ok((start, pairs.collect()))
    }
}
