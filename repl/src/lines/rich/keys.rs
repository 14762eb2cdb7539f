//! Key bindings: reedline's emacs and vi bindings, extended for the menu, incomplete inputs, indentation, history
//! search and pastes.

use super::last_drawn::{LastDrawn, TextBeforeCursor};
use super::pastes::Pastes;
use crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use reedline::{
    EditCommand, EditMode, Emacs, Keybindings, PromptEditMode, PromptViMode, ReedlineEvent, ReedlineRawEvent, Vi,
    default_emacs_keybindings, default_vi_insert_keybindings, default_vi_normal_keybindings,
    default_vi_visual_keybindings,
};
use std::cell::Cell;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The name of the completion menu.
pub const MENU: &str = "completions";
/// The host command with which the editor returns after Enter on an incomplete input.
pub const INDENT: &str = "indent";
/// The host command with which the editor returns to run the user's own editor (Ctrl-O).
pub const EDITOR: &str = "editor";
/// The host command with which the editor returns to be suspended (Ctrl-Z).
pub const SUSPEND: &str = "suspend";
/// The host command with which the editor returns to open "what if" (Alt-W).
pub const WHAT_IF: &str = "whatif";
/// Columns per level of indentation.
const STEP: usize = 2;

/// Keys that arrive after a Ctrl-J in the same batch, which happens with lines typed during an evaluation. The editor
/// treats Ctrl-J as Enter but, unlike with Enter, keeps reading before it acts, and then discards what it read.
#[derive(Clone, Default)]
pub struct KeysAhead(Arc<Mutex<TypedAhead>>);

#[derive(Default)]
struct TypedAhead {
    entered: bool,
    text: String,
}

impl KeysAhead {
    /// Takes the text after the last Ctrl-J, with `\n` for Enter; the editor receives the next keys again.
    pub fn take(&self) -> String {
        std::mem::take(&mut *self.lock()).text
    }

    /// Records that the editor has handled its keys, so that it receives the next ones.
    pub fn painted(&self) {
        self.lock().entered = false;
    }

    fn lock(&self) -> MutexGuard<'_, TypedAhead> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records that the next keys are not for the editor, for example because it received a Ctrl-J as Enter.
    pub fn entered(&self) {
        self.lock().entered = true;
    }

    /// Captures a key that the editor must not receive; returns whether it did.
    pub fn takes(&self, event: &Event) -> bool {
        let mut typed = self.lock();
        if !typed.entered {
            return false;
        }
        match event {
            Event::Paste(text) => typed.text.push_str(&pasted(text)),
            Event::Key(KeyEvent { code: KeyCode::Enter, .. }) => typed.text.push('\n'),
            Event::Key(_) if is_ctrl_j(event) => typed.text.push('\n'),
            Event::Key(KeyEvent { code: KeyCode::Tab, .. }) => typed.text.push('\t'),
            Event::Key(KeyEvent { code: KeyCode::Backspace, .. }) if !typed.text.ends_with('\n') => {
                typed.text.pop();
            }
            Event::Key(KeyEvent { code: KeyCode::Char(c), modifiers, .. })
                if (*modifiers - KeyModifiers::SHIFT).is_empty() =>
            {
                typed.text.push(*c);
            }
            _ => {}
        }
        true
    }
}

fn is_ctrl_j(event: &Event) -> bool {
    matches!(event, Event::Key(KeyEvent { code: KeyCode::Char('j'), modifiers: KeyModifiers::CONTROL, .. }))
}

/// Reports whether a key is Ctrl-C.
pub fn is_ctrl_c(event: &Event) -> bool {
    matches!(event, Event::Key(KeyEvent { code: KeyCode::Char('c'), modifiers: KeyModifiers::CONTROL, .. }))
}

/// An editing mode that knows whether the last key asked for the menu.
pub struct Keys {
    inner: Box<dyn EditMode>,
    /// Whether the last key opened the menu or moved in it. Otherwise Enter belongs to the line, even if the menu is
    /// still open.
    choosing: bool,
    /// Number of runs of editing keys in the current batch, and whether the last key was one.
    edits: (u8, bool),
    /// A batch of keys edits and then leaves vi's insert mode. The editor asks for the mode before it handles the
    /// batch and again before each run of edits; in normal mode it would insert the text in the wrong order. This
    /// counter is how many more times to report insert mode.
    inserting: Cell<u8>,
    /// Whether the next character belongs to a command of vi's normal mode: `f/`.
    takes_character: bool,
    ahead: KeysAhead,
    seen: LastDrawn,
    pastes: Pastes,
}

const INSERT: PromptEditMode = PromptEditMode::Vi(PromptViMode::Insert);

impl Keys {
    /// Creates the bindings of vi or emacs. `ahead` captures keys that are not for the editor, `seen` holds the drawn
    /// line, and `pastes` folds text.
    pub fn new(vi: bool, ahead: KeysAhead, seen: LastDrawn, pastes: Pastes) -> Keys {
        let inner: Box<dyn EditMode> = if vi {
            let mut insert = default_vi_insert_keybindings();
            bind(&mut insert);
            let mut normal = default_vi_normal_keybindings();
            normal.add_binding(KeyModifiers::CONTROL, KeyCode::Char('o'), host(EDITOR));
            Box::new(Vi::new(insert, normal, default_vi_visual_keybindings()))
        } else {
            let mut keys = default_emacs_keybindings();
            bind(&mut keys);
            Box::new(Emacs::new(keys))
        };
        Keys {
            inner,
            choosing: false,
            edits: (0, false),
            inserting: Cell::new(0),
            takes_character: false,
            ahead,
            seen,
            pastes,
        }
    }

    /// Returns whether a key is vi's `/`, which searches the history. The editor has only `?`, and without its insert mode,
    /// so that the letters of the search would be commands.
    fn searches(&mut self, key: &KeyEvent) -> bool {
        let normal = self.inner.edit_mode() == PromptEditMode::Vi(PromptViMode::Normal);
        let KeyCode::Char(c) = key.code else {
            self.takes_character = false;
            return false;
        };
        let taken = std::mem::take(&mut self.takes_character);
        self.takes_character = normal && !taken && matches!(c, 'f' | 'F' | 't' | 'T' | 'r');
        normal && !taken && matches!(c, '/' | '?') && (key.modifiers - KeyModifiers::SHIFT).is_empty()
    }

    /// Returns the event of a key that acts differently at the current cursor position.
    fn here(&self, key: &KeyEvent, before: &TextBeforeCursor) -> Option<ReedlineEvent> {
        let inserts =
            matches!(self.inner.edit_mode(), PromptEditMode::Emacs | PromptEditMode::Vi(PromptViMode::Insert));
        if !inserts || !(key.modifiers - KeyModifiers::SHIFT).is_empty() {
            return None;
        }
        let back = |count: usize| std::iter::repeat_n(EditCommand::Backspace, count);
        if key.code == KeyCode::Backspace {
            // one key removes a whole fold
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

/// Returns the event of a key in a history search that the editor does not bind.
fn in_search(key: &KeyEvent) -> Option<ReedlineEvent> {
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    match key.code {
        KeyCode::Char('s') if control => Some(ReedlineEvent::NextHistory),
        KeyCode::Char('g') if control => Some(ReedlineEvent::Esc),
        // vi's Esc would be more than this, and the search does not take that
        KeyCode::Esc => Some(ReedlineEvent::Esc),
        // accept the match, for editing
        KeyCode::Left | KeyCode::Right | KeyCode::Home | KeyCode::End | KeyCode::Tab => Some(ReedlineEvent::Enter),
        KeyCode::Char('a' | 'e' | 'b' | 'f') if control => Some(ReedlineEvent::Enter),
        _ => None,
    }
}

/// Returns the event with which the editor returns to its caller.
fn host(command: &str) -> ReedlineEvent {
    ReedlineEvent::ExecuteHostCommand(command.into())
}

fn bind(keys: &mut Keybindings) {
    let open = |step| ReedlineEvent::UntilFound(vec![ReedlineEvent::Menu(MENU.into()), step]);
    keys.add_binding(KeyModifiers::NONE, KeyCode::Tab, open(ReedlineEvent::MenuNext));
    keys.add_binding(KeyModifiers::SHIFT, KeyCode::BackTab, open(ReedlineEvent::MenuPrevious));
    // Ctrl-Z suspends the job as in other programs; Ctrl-_, which terminals send as Ctrl-7, undoes
    keys.add_binding(KeyModifiers::CONTROL, KeyCode::Char('z'), host(SUSPEND));
    keys.add_binding(KeyModifiers::ALT, KeyCode::Char('w'), host(WHAT_IF));
    keys.add_binding(KeyModifiers::CONTROL, KeyCode::Char('o'), host(EDITOR));
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
            Event::Key(key) if key.kind != KeyEventKind::Release && self.searches(key) => {
                let insert = Event::Key(KeyEvent::new(KeyCode::Char('i'), KeyModifiers::NONE));
                if let Ok(insert) = ReedlineRawEvent::try_from(insert) {
                    self.inner.parse_event(insert);
                }
                return ReedlineEvent::SearchHistory;
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

/// Reports whether a key opens the menu or moves in it.
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

/// Enter: accepts the selected completion, or else submits the line, or continues it on the next line with its
/// indentation. In a history search only the last, plain form applies.
fn enter(choosing: bool) -> ReedlineEvent {
    let mut steps = vec![ReedlineEvent::Enter, host(INDENT)];
    if !choosing {
        steps.insert(0, ReedlineEvent::Esc);
    }
    ReedlineEvent::UntilFound(vec![ReedlineEvent::Multiple(steps), ReedlineEvent::Enter])
}

/// Cleans pasted text: line ends become `\n`, and control characters are removed.
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
        Keys::new(false, KeysAhead::default(), LastDrawn::default(), Pastes::default())
    }

    /// Checks the effect of a key with the cursor at the end of a line: how many characters it deletes, and the text
    /// it inserts.
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
    fn lines_are_indented_and_unindented() {
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
    fn a_second_key_in_a_batch_has_no_special_effect() {
        let mut keys = keys();
        keys.seen.drawn("{\n    ", 6);
        keys.parse_event(key(KeyCode::Char('x')));
        let typed = ReedlineEvent::Edit(vec![EditCommand::InsertChar('}')]);
        assert_eq!(keys.parse_event(key(KeyCode::Char('}'))), typed);
    }

    #[test]
    fn one_key_deletes_a_folded_text() {
        let mut keys = keys();
        let label = keys.pastes.folded(&"x".repeat(100_000));
        keys.seen.drawn(&label, label.len());
        let gone = ReedlineEvent::Edit(vec![EditCommand::Backspace; label.chars().count()]);
        assert_eq!(keys.parse_event(key(KeyCode::Backspace)), gone);
    }

    #[test]
    fn enter_accepts_a_completion_only_while_one_is_being_chosen() {
        let mut keys = keys();
        keys.parse_event(key(KeyCode::Tab));
        keys.parse_event(key(KeyCode::Down));
        assert_eq!(keys.parse_event(key(KeyCode::Enter)), enter(true));
        keys.parse_event(key(KeyCode::Tab));
        keys.parse_event(key(KeyCode::Char('x')));
        assert_eq!(keys.parse_event(key(KeyCode::Enter)), enter(false));
    }

    #[test]
    fn what_comes_after_a_ctrl_j_is_kept_as_text() {
        let ahead = KeysAhead::default();
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
    fn escape_ends_a_search_with_both_sets_of_keys() {
        let escape = KeyEvent::new(KeyCode::Esc, KeyModifiers::NONE);
        assert_eq!(in_search(&escape), Some(ReedlineEvent::Esc));
    }

    #[test]
    fn a_paste_inserts_only_text() {
        assert_eq!(pasted("a\r\n\tb\u{1b}[2J\r"), "a\n\tb[2J\n");
    }
}
