//! The keys: those of emacs or vi as reedline has them, with what a menu, an unfinished input and a
//! paste need besides.

use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};
use reedline::{
    EditCommand, EditMode, Emacs, Keybindings, PromptEditMode, ReedlineEvent, ReedlineRawEvent, Vi,
    default_emacs_keybindings, default_vi_insert_keybindings, default_vi_normal_keybindings,
    default_vi_visual_keybindings,
};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The name of the menu of completions.
pub const MENU: &str = "completions";
/// What the editor is left with, for a moment, after Enter on an unfinished input.
const INDENT: &str = "indent";

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
    ahead: Ahead,
}

impl Keys {
    /// The keys of vi or of emacs; `ahead` takes what is not for the editor.
    pub fn new(vi: bool, ahead: Ahead) -> Keys {
        let inner: Box<dyn EditMode> = if vi {
            let mut insert = default_vi_insert_keybindings();
            bind(&mut insert);
            Box::new(Vi::new(insert, default_vi_normal_keybindings(), default_vi_visual_keybindings()))
        } else {
            let mut keys = default_emacs_keybindings();
            bind(&mut keys);
            Box::new(Emacs::new(keys))
        };
        Keys { inner, choosing: false, ahead }
    }
}

fn bind(keys: &mut Keybindings) {
    let open = |step| ReedlineEvent::UntilFound(vec![ReedlineEvent::Menu(MENU.into()), step]);
    keys.add_binding(KeyModifiers::NONE, KeyCode::Tab, open(ReedlineEvent::MenuNext));
    keys.add_binding(KeyModifiers::SHIFT, KeyCode::BackTab, open(ReedlineEvent::MenuPrevious));
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
        if let Event::Paste(text) = event {
            return ReedlineEvent::Edit(vec![EditCommand::InsertString(pasted(&text))]);
        }
        let Ok(event) = ReedlineRawEvent::try_from(event) else {
            return ReedlineEvent::None;
        };
        match self.inner.parse_event(event) {
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
        self.inner.edit_mode()
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

    #[test]
    fn enter_takes_a_choice_only_while_one_is_being_made() {
        let mut keys = Keys::new(false, Ahead::default());
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
        let mut keys = Keys::new(false, ahead.clone());
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
