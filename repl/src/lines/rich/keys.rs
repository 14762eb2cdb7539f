//! The keys: those of emacs or vi as reedline has them, with what a menu, an unfinished input, indentation, a search and
//! a paste need besides.

use super::pastes::Pastes;
use super::seen::{Before, Seen};
use crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use reedline::{
    EditCommand, EditMode, Emacs, Keybindings, PromptEditMode, PromptViMode, ReedlineEvent, ReedlineRawEvent, Vi,
    default_emacs_keybindings, default_vi_insert_keybindings, default_vi_normal_keybindings,
    default_vi_visual_keybindings,
};
use std::cell::Cell;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The name of the menu of completions.
pub const MENU: &str = "completions";
/// What the editor is left with, for a moment, after Enter on an unfinished input.
const INDENT: &str = "indent";
/// What the editor is left with to be stopped as a job (Ctrl-Z).
pub const SUSPEND: &str = "suspend";
/// How far a step moves a line in.
const STEP: usize = 2;

/// Keys that came in one go with a Ctrl-J, behind it. That is how lines arrive that were typed while an
/// input was being evaluated. The editor takes Ctrl-J for Enter but, other than after Enter, reads on
/// before it acts, and then forgets what it has read.
#[derive(Clone, Default)]
pub struct Ahead(Arc<Mutex<Behind>>);

#[derive(Default)]
struct Behind {
    entered: bool,
    text: String,
}

impl Ahead {
    /// The text behind the last Ctrl-J, with `\n` for Enter; the next keys are the editor's again.
    pub fn take(&self) -> String {
        std::mem::take(&mut *self.lock()).text
    }

    /// The editor has acted on its keys and stays: the next ones are its own.
    pub fn painted(&self) {
        self.lock().entered = false;
    }

    fn lock(&self) -> MutexGuard<'_, Behind> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The editor has been given a Ctrl-J as Enter.
    fn entered(&self) {
        self.lock().entered = true;
    }

    /// Takes a key that is not for the editor. Whether it was one.
    fn takes(&self, event: &Event) -> bool {
        let mut behind = self.lock();
        if !behind.entered {
            return false;
        }
        match event {
            Event::Paste(text) => behind.text.push_str(&pasted(text)),
            Event::Key(KeyEvent { code: KeyCode::Enter, .. }) => behind.text.push('\n'),
            Event::Key(_) if is_ctrl_j(event) => behind.text.push('\n'),
            Event::Key(KeyEvent { code: KeyCode::Tab, .. }) => behind.text.push('\t'),
            Event::Key(KeyEvent { code: KeyCode::Backspace, .. }) if !behind.text.ends_with('\n') => {
                behind.text.pop();
            }
            Event::Key(KeyEvent { code: KeyCode::Char(c), modifiers, .. })
                if (*modifiers - KeyModifiers::SHIFT).is_empty() =>
            {
                behind.text.push(*c);
            }
            _ => {}
        }
        true
    }
}

fn is_ctrl_j(event: &Event) -> bool {
    matches!(event, Event::Key(KeyEvent { code: KeyCode::Char('j'), modifiers: KeyModifiers::CONTROL, .. }))
}

/// An editing mode that knows whether the menu was asked for by the last key.
pub struct Keys {
    inner: Box<dyn EditMode>,
    /// The last key moved in the menu or opened it. Otherwise Enter belongs to the line: a menu that
    /// still stands open while one types on must not take it.
    choosing: bool,
    /// The runs of keys that edit, of those that came in one go; and whether the last key did.
    edits: (u8, bool),
    /// Keys came in one go that edit and then end vi's insert mode. The editor asks for the mode before it acts on them, and
    /// again before each run that edits; in normal mode it would put what is typed in the wrong order. So often it is
    /// told insert mode.
    inserting: Cell<u8>,
    ahead: Ahead,
    seen: Seen,
    pastes: Pastes,
}

const INSERT: PromptEditMode = PromptEditMode::Vi(PromptViMode::Insert);

impl Keys {
    /// The keys of vi or of emacs; `ahead` takes what is not for the editor, `seen` knows the line, `pastes` folds.
    pub fn new(vi: bool, ahead: Ahead, seen: Seen, pastes: Pastes) -> Keys {
        let inner: Box<dyn EditMode> = if vi {
            let mut insert = default_vi_insert_keybindings();
            bind(&mut insert);
            Box::new(Vi::new(insert, default_vi_normal_keybindings(), default_vi_visual_keybindings()))
        } else {
            let mut keys = default_emacs_keybindings();
            bind(&mut keys);
            Box::new(Emacs::new(keys))
        };
        Keys { inner, choosing: false, edits: (0, false), inserting: Cell::new(0), ahead, seen, pastes }
    }

    /// A key that does something else where the cursor stands now.
    fn here(&self, key: &KeyEvent, before: &Before) -> Option<ReedlineEvent> {
        let inserts =
            matches!(self.inner.edit_mode(), PromptEditMode::Emacs | PromptEditMode::Vi(PromptViMode::Insert));
        if !inserts || !(key.modifiers - KeyModifiers::SHIFT).is_empty() {
            return None;
        }
        let back = |count: usize| std::iter::repeat_n(EditCommand::Backspace, count);
        if key.code == KeyCode::Backspace {
            // a folded text goes as it came
            if let Some(label) = self.pastes.labels(&before.all).into_iter().find(|label| label.end == before.all.len())
            {
                let characters = before.all.get(label)?.chars().count();
                return Some(ReedlineEvent::Edit(back(characters).collect()));
            }
        }
        let blanks = before.line.len();
        if before.first || !before.line.chars().all(|c| c == ' ') {
            return None;
        }
        match key.code {
            KeyCode::Tab => {
                Some(ReedlineEvent::Edit(vec![EditCommand::InsertString(" ".repeat(STEP - blanks % STEP))]))
            }
            KeyCode::Backspace | KeyCode::BackTab if blanks > 0 => {
                Some(ReedlineEvent::Edit(back((blanks - 1) % STEP + 1).collect()))
            }
            KeyCode::Char(c @ ('}' | ']' | ')')) if blanks >= STEP => {
                Some(ReedlineEvent::Edit(back(STEP).chain([EditCommand::InsertChar(c)]).collect()))
            }
            _ => None,
        }
    }
}

/// What a key does in a search through the history that the editor does not know.
fn in_search(key: &KeyEvent) -> Option<ReedlineEvent> {
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    match key.code {
        KeyCode::Char('s') if control => Some(ReedlineEvent::NextHistory),
        KeyCode::Char('g') if control => Some(ReedlineEvent::Esc),
        // what was found is taken, to be changed
        KeyCode::Left | KeyCode::Right | KeyCode::Home | KeyCode::End | KeyCode::Tab => Some(ReedlineEvent::Enter),
        KeyCode::Char('a' | 'e' | 'b' | 'f') if control => Some(ReedlineEvent::Enter),
        _ => None,
    }
}

fn bind(keys: &mut Keybindings) {
    let open = |step| ReedlineEvent::UntilFound(vec![ReedlineEvent::Menu(MENU.into()), step]);
    keys.add_binding(KeyModifiers::NONE, KeyCode::Tab, open(ReedlineEvent::MenuNext));
    keys.add_binding(KeyModifiers::SHIFT, KeyCode::BackTab, open(ReedlineEvent::MenuPrevious));
    // Ctrl-Z stops the job, as everywhere; Ctrl-_, which terminals send as Ctrl-7, undoes
    keys.add_binding(KeyModifiers::CONTROL, KeyCode::Char('z'), ReedlineEvent::ExecuteHostCommand(SUSPEND.into()));
    for key in ['7', '_', '/'] {
        let undo = ReedlineEvent::Edit(vec![EditCommand::Undo]);
        keys.add_binding(KeyModifiers::CONTROL, KeyCode::Char(key), undo);
    }
}

impl EditMode for Keys {
    fn parse_event(&mut self, event: ReedlineRawEvent) -> ReedlineEvent {
        let event = Event::from(event);
        if self.ahead.takes(&event) {
            return ReedlineEvent::None;
        }
        let ctrl_j = is_ctrl_j(&event);
        let chose = self.choosing;
        self.choosing = chooses(&event, chose);
        let before = self.seen.key();
        match &event {
            Event::Paste(text) => {
                self.edits = (self.edits.0.max(1), true);
                return ReedlineEvent::Edit(vec![EditCommand::InsertString(self.pastes.folded(&pasted(text)))]);
            }
            Event::Key(key) if key.kind != KeyEventKind::Release => {
                let other = match &before {
                    _ if self.seen.is_searching() => in_search(key),
                    Some(before) if !chose => self.here(key, before),
                    _ => None,
                };
                if let Some(other) = other {
                    self.choosing = false;
                    return other;
                }
            }
            _ => {}
        }
        let Ok(event) = ReedlineRawEvent::try_from(event) else {
            return ReedlineEvent::None;
        };
        let inserts = self.inner.edit_mode() == INSERT;
        let parsed = self.inner.parse_event(event);
        if before.is_some() {
            self.edits = (0, false);
        }
        let edits = matches!(parsed, ReedlineEvent::Edit(_));
        if inserts && self.edits.0 > 0 && self.inner.edit_mode() != INSERT {
            self.inserting.set(self.edits.0.saturating_add(1));
        }
        if edits && !self.edits.1 {
            self.edits.0 = self.edits.0.saturating_add(1);
        }
        self.edits.1 = edits;
        match parsed {
            ReedlineEvent::Enter => {
                if ctrl_j {
                    self.ahead.entered();
                }
                enter(chose)
            }
            other => other,
        }
    }

    fn edit_mode(&self) -> PromptEditMode {
        match self.inserting.get().checked_sub(1) {
            Some(left) => {
                self.inserting.set(left);
                INSERT
            }
            None => self.inner.edit_mode(),
        }
    }
}

/// Whether a key opens the menu or moves in it.
fn chooses(event: &Event, before: bool) -> bool {
    match event {
        Event::Key(KeyEvent { code, modifiers, .. }) => match code {
            KeyCode::Tab | KeyCode::BackTab => true,
            KeyCode::Up | KeyCode::Down | KeyCode::PageUp | KeyCode::PageDown => before,
            KeyCode::Char('n' | 'p') if modifiers.contains(KeyModifiers::CONTROL) => before,
            _ => false,
        },
        Event::Resize(..) | Event::FocusGained | Event::FocusLost | Event::Mouse(_) => before,
        Event::Paste(_) => false,
    }
}

/// Enter: takes the choice if one is being made, else ends the line, or continues it on the next one
/// with its indentation. In a search through the history only the last, plain form applies.
fn enter(choosing: bool) -> ReedlineEvent {
    let mut steps = vec![ReedlineEvent::Enter, ReedlineEvent::ExecuteHostCommand(INDENT.into())];
    if !choosing {
        steps.insert(0, ReedlineEvent::Esc);
    }
    ReedlineEvent::UntilFound(vec![ReedlineEvent::Multiple(steps), ReedlineEvent::Enter])
}

/// A paste as text: line ends as `\n`, and no character that the terminal would obey.
fn pasted(text: &str) -> String {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let kept = |c: &char| matches!(c, '\n' | '\t') || !c.is_control();
    text.chars().filter(kept).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(code: KeyCode) -> ReedlineRawEvent {
        let event = Event::Key(KeyEvent::new(code, KeyModifiers::NONE));
        ReedlineRawEvent::try_from(event).unwrap()
    }

    fn keys() -> Keys {
        Keys::new(false, Ahead::default(), Seen::default(), Pastes::default())
    }

    /// What a key does with the cursor at the end of a line: blanks that go, text that comes.
    #[track_caller]
    fn does(line: &str, code: KeyCode, gone: usize, comes: &str) {
        let mut keys = keys();
        keys.seen.drawn(line, line.len());
        let ReedlineEvent::Edit(commands) = keys.parse_event(key(code)) else { panic!("no edit") };
        let back = commands.iter().filter(|c| **c == EditCommand::Backspace).count();
        let text: String = commands
            .iter()
            .map(|c| match c {
                EditCommand::InsertString(text) => text.clone(),
                EditCommand::InsertChar(c) => c.to_string(),
                _ => String::new(),
            })
            .collect();
        assert_eq!((back, text.as_str()), (gone, comes), "{line:?} {code:?}");
    }

    #[test]
    fn lines_are_moved_in_and_out() {
        does("{\n    ", KeyCode::Char('}'), 2, "}");
        does("{\n  a ", KeyCode::Char('}'), 0, "}");
        does("    ", KeyCode::Char('}'), 0, "}");
        does("{\n  ", KeyCode::Tab, 0, "  ");
        does("{\n   ", KeyCode::Tab, 0, " ");
        does("{\n    ", KeyCode::Backspace, 2, "");
        does("{\n   ", KeyCode::Backspace, 1, "");
        does("{\n a", KeyCode::Backspace, 1, "");
    }

    #[test]
    fn a_second_key_in_one_go_is_only_itself() {
        let mut keys = keys();
        keys.seen.drawn("{\n    ", 6);
        keys.parse_event(key(KeyCode::Char('x')));
        let typed = ReedlineEvent::Edit(vec![EditCommand::InsertChar('}')]);
        assert_eq!(keys.parse_event(key(KeyCode::Char('}'))), typed);
    }

    #[test]
    fn a_folded_text_goes_with_one_key() {
        let mut keys = keys();
        let label = keys.pastes.folded(&"x".repeat(100_000));
        keys.seen.drawn(&label, label.len());
        let gone = ReedlineEvent::Edit(vec![EditCommand::Backspace; label.chars().count()]);
        assert_eq!(keys.parse_event(key(KeyCode::Backspace)), gone);
    }

    #[test]
    fn enter_takes_a_choice_only_while_one_is_being_made() {
        let mut keys = keys();
        keys.parse_event(key(KeyCode::Tab));
        keys.parse_event(key(KeyCode::Down));
        assert_eq!(keys.parse_event(key(KeyCode::Enter)), enter(true));
        keys.parse_event(key(KeyCode::Tab));
        keys.parse_event(key(KeyCode::Char('x')));
        assert_eq!(keys.parse_event(key(KeyCode::Enter)), enter(false));
    }

    #[test]
    fn what_comes_behind_a_ctrl_j_is_kept_as_text() {
        let ahead = Ahead::default();
        let mut keys = Keys { ahead: ahead.clone(), ..keys() };
        let ctrl_j = || {
            let event = Event::Key(KeyEvent::new(KeyCode::Char('j'), KeyModifiers::CONTROL));
            ReedlineRawEvent::try_from(event).unwrap()
        };
        assert_eq!(keys.parse_event(ctrl_j()), enter(false));
        keys.parse_event(key(KeyCode::Char('b')));
        keys.parse_event(ctrl_j());
        keys.parse_event(key(KeyCode::Char('c')));
        assert_eq!(ahead.take(), "b\nc");
        assert_ne!(keys.parse_event(key(KeyCode::Char('d'))), ReedlineEvent::None);
    }

    #[test]
    fn a_paste_brings_text_only() {
        assert_eq!(pasted("a\r\n\tb\u{1b}[2J\r"), "a\n\tb[2J\n");
    }
}
