//! Lines from a terminal that can do everything, by reedline: the session highlights, completes, hints
//! and says when an input is whole.

use super::{Line, LineSource, Look, Sessions, continuation, prompt};
use crate::history;

use crate::paint::Paint;
use cfg_core::session::{Candidate, Completeness};
use cfg_core::view::Role;
use reedline::{
    ColumnarMenu, Completer, CompletionResult, EditCommand, FileBackedHistory, Highlighter, Hinter, History,
    MenuBuilder, Prompt, PromptEditMode, PromptHistorySearch, PromptHistorySearchStatus, Reedline, ReedlineMenu,
    SearchQuery, Signal, Span, StyledText, Suggestion, ValidationResult, Validator,
};
use std::borrow::Cow;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

mod keys;

use keys::{Ahead, Keys};

/// How far a line is moved in at most: deeper, the screen would hold nothing else.
const MOST_INDENT: usize = 40;

/// The editor, and what it shares with its parts.
pub struct Rich {
    editor: Option<Reedline>,
    ahead: Ahead,
    shared: Shared,
    /// What was typed before the prompt stood, Enter as `\n`.
    typed: String,
}

/// What the parts of the editor share: the session and the look.
#[derive(Clone)]
struct Shared {
    sessions: Sessions,
    hurry: Arc<dyn Fn() + Send + Sync>,
    look: Arc<Mutex<Look>>,
    /// The indentation that the last unfinished line asks for.
    indent: Arc<AtomicUsize>,
}

impl Shared {
    fn paint(&self) -> Paint {
        // Poisoned only by a panic elsewhere; the look is plain data and still good.
        match self.look.lock() {
            Ok(look) => look.paint,
            Err(poisoned) => poisoned.into_inner().paint,
        }
    }
}

impl Rich {
    /// An editor over the session; `hurry` stops it when it takes too long to answer.
    pub fn new(sessions: Sessions, hurry: Arc<dyn Fn() + Send + Sync>, typed: String, look: Look) -> Rich {
        let shared =
            Shared { sessions, hurry, look: Arc::new(Mutex::new(look)), indent: Arc::new(AtomicUsize::new(0)) };
        let mut editor = Reedline::create()
            .use_bracketed_paste(true)
            .with_quick_completions(true)
            .with_partial_completions(true)
            .with_completer(Box::new(shared.clone()))
            .with_highlighter(Box::new(shared.clone()))
            .with_hinter(Box::new(Hint::new(shared.clone())))
            .with_validator(Box::new(shared.clone()))
            .with_history_exclusion_prefix(Some(" ".into()));
        let kept = history::file().and_then(|file| FileBackedHistory::with_file(history::CAPACITY, file).ok());
        if let Some(kept) = kept {
            editor = editor.with_history(Box::new(kept));
        }
        let mut rich = Rich { editor: Some(editor), ahead: Ahead::default(), shared, typed };
        rich.look(look);
        rich
    }
}

impl LineSource for Rich {
    fn read(&mut self, cell: &str) -> io::Result<Line> {
        let Some(mut editor) = self.editor.take() else {
            return Ok(Line::End);
        };
        let ps = Ps { cell: String::from(cell), paint: self.shared.paint(), ahead: self.ahead.clone() };
        let line = loop {
            let whole = super::first_whole(&self.shared.sessions, &mut self.typed);
            let accept = whole.is_some();
            let text = whole.unwrap_or_else(|| std::mem::take(&mut self.typed));
            if !text.is_empty() {
                editor.run_edit_commands(&[EditCommand::InsertString(text)]);
            }
            editor = editor.with_immediately_accept(accept);
            let signal = editor.read_line(&ps);
            self.typed.push_str(&self.ahead.take());
            match signal {
                Ok(Signal::Success(input)) => break Ok(Line::Input(input)),
                Ok(Signal::CtrlC) => break Ok(Line::Cancelled),
                Ok(Signal::CtrlD) => break Ok(Line::End),
                // Enter on an unfinished input: its line end stands already.
                Ok(Signal::HostCommand(_)) => {
                    let indent = self.shared.indent.swap(0, Ordering::SeqCst).min(MOST_INDENT);
                    if self.typed.is_empty() {
                        editor.run_edit_commands(&[EditCommand::InsertString(" ".repeat(indent))]);
                    } else {
                        self.typed.insert_str(0, editor.current_buffer_contents());
                        editor.run_edit_commands(&[EditCommand::Clear]);
                    }
                }
                Ok(_) => {}
                Err(error) => break Err(error),
            }
        };
        // At once, so that a session that is killed keeps its history.
        let _ = editor.sync_history();
        self.editor = Some(editor.with_immediately_accept(false));
        line
    }

    fn has_keys(&self) -> bool {
        // what was typed ahead is meant for the prompt
        self.typed.is_empty()
    }

    fn look(&mut self, look: Look) {
        if let Ok(mut slot) = self.shared.look.lock() {
            *slot = look;
        }
        let paint = look.paint;
        let menu = ColumnarMenu::default()
            .with_name(keys::MENU)
            .with_columns(1)
            .with_marker("")
            .with_text_style(paint.style(Role::Plain))
            .with_selected_text_style(selected(paint))
            .with_match_text_style(paint.style(Role::Heading))
            .with_selected_match_text_style(selected(paint).bold())
            .with_description_text_style(paint.style(Role::Dim));
        self.editor = self.editor.take().map(|editor| {
            editor
                .with_ansi_colors(paint.colour)
                .with_edit_mode(Box::new(Keys::new(look.vi, self.ahead.clone())))
                .clear_menus()
                .with_menu(ReedlineMenu::EngineCompleter(Box::new(menu)))
        });
    }
}

fn selected(paint: Paint) -> nu_ansi_term::Style {
    if paint.colour { nu_ansi_term::Style::new().reverse() } else { nu_ansi_term::Style::new() }
}

/// The prompt of one cell.
struct Ps {
    cell: String,
    paint: Paint,
    ahead: Ahead,
}

impl Prompt for Ps {
    fn render_prompt_left(&self) -> Cow<'_, str> {
        self.ahead.painted();
        let style = self.paint.style(Role::Heading);
        prompt_in(style, &prompt(&self.cell))
    }

    fn render_prompt_right(&self) -> Cow<'_, str> {
        Cow::Borrowed("")
    }

    fn render_prompt_indicator(&self, _: PromptEditMode) -> Cow<'_, str> {
        Cow::Borrowed("")
    }

    fn render_prompt_multiline_indicator(&self) -> Cow<'_, str> {
        let style = self.paint.style(Role::Dim);
        prompt_in(style, &continuation(&self.cell))
    }

    fn render_prompt_history_search_indicator(&self, search: PromptHistorySearch) -> Cow<'_, str> {
        let found = match search.status {
            PromptHistorySearchStatus::Passing => "search",
            PromptHistorySearchStatus::Failing => "nothing like",
        };
        Cow::Owned(format!("({found} `{}`) ", search.term))
    }

    fn get_prompt_color(&self) -> nu_ansi_term::Color {
        nu_ansi_term::Color::Default
    }

    fn get_prompt_multiline_color(&self) -> nu_ansi_term::Color {
        nu_ansi_term::Color::Default
    }

    fn get_indicator_color(&self) -> nu_ansi_term::Color {
        nu_ansi_term::Color::Default
    }
}

fn prompt_in(style: nu_ansi_term::Style, text: &str) -> Cow<'static, str> {
    if style.is_plain() { Cow::Owned(text.to_string()) } else { Cow::Owned(style.paint(text).to_string()) }
}

impl Validator for Shared {
    fn validate(&self, line: &str) -> ValidationResult {
        let text = line.to_string();
        match self.sessions.ask(move |engine| engine.completeness(&text)) {
            Ok(Completeness::Incomplete { indent }) => {
                self.indent.store(indent, Ordering::SeqCst);
                ValidationResult::Incomplete
            }
            _ => ValidationResult::Complete,
        }
    }
}

impl Highlighter for Shared {
    fn highlight(&self, line: &str, _: usize) -> StyledText {
        let mut out = StyledText::new();
        for (style, piece) in super::tokens(&self.sessions, &*self.hurry, self.paint(), line) {
            out.push((style, piece.to_string()));
        }
        out
    }
}

impl Completer for Shared {
    fn complete(&mut self, line: &str, cursor: usize) -> CompletionResult {
        let found = super::candidates(&self.sessions, &*self.hurry, line, cursor);
        let suggestions: Vec<Suggestion> = found.into_iter().map(suggestion).collect();
        CompletionResult::fresh(suggestions)
    }
}

/// A candidate as the menu shows it: the text, then its type and its documentation.
fn suggestion(candidate: Candidate) -> Suggestion {
    let mut about = candidate.ty.unwrap_or_default();
    if let Some(doc) = candidate.doc {
        if !about.is_empty() {
            about.push_str("  ");
        }
        about.push_str(&doc);
    }
    if about.is_empty() {
        about.push_str(candidate.kind);
    }
    Suggestion {
        value: candidate.text,
        description: Some(crate::paint::visible(&about).into_owned()),
        span: Span::new(candidate.range.start, candidate.range.end),
        ..Suggestion::default()
    }
}

/// The hint behind the cursor: the last input that began like this one, else the session's word.
struct Hint {
    shared: Shared,
    current: String,
}

impl Hint {
    fn new(shared: Shared) -> Self {
        Hint { shared, current: String::new() }
    }

    fn find(&self, line: &str, cursor: usize, history: &dyn History) -> Option<String> {
        if line.trim().is_empty() || cursor != line.len() {
            return None;
        }
        let query = SearchQuery::last_with_prefix(line.to_string(), history.session());
        let last = history.search(query).ok()?.into_iter().next();
        let rest = last.and_then(|entry| entry.command_line.get(line.len()..).map(str::to_string));
        let fits = |hint: &String| !hint.is_empty() && !hint.contains('\n');
        if let Some(rest) = rest.filter(fits) {
            return Some(rest);
        }
        let text = line.to_string();
        let ask = move |engine: &mut Box<dyn crate::engine::Engine>| engine.hint(&text, cursor);
        self.shared.sessions.ask_within(super::PATIENCE, &*self.shared.hurry, ask)?.filter(fits)
    }
}

impl Hinter for Hint {
    fn handle(&mut self, line: &str, cursor: usize, history: &dyn History, colour: bool, _: &str) -> String {
        // Without colours a hint could not be told from what was typed.
        self.current = if colour { self.find(line, cursor, history).unwrap_or_default() } else { String::new() };
        let shown = crate::paint::visible(&self.current);
        if shown.is_empty() {
            return String::new();
        }
        let style = self.shared.paint().style(Role::Dim);
        style.paint(shown).to_string()
    }

    fn complete_hint(&self) -> String {
        self.current.clone()
    }

    fn next_hint_token(&self) -> String {
        let start = self.current.len() - self.current.trim_start().len();
        let word = |c: char| !(c.is_alphanumeric() || c == '_');
        let rest = self.current.get(start..).unwrap_or_default();
        let end = match rest.find(word) {
            Some(0) => rest.chars().next().map_or(0, char::len_utf8),
            Some(n) => n,
            None => rest.len(),
        };
        self.current.get(..start + end).unwrap_or_default().to_string()
    }
}
