//! "What if" on a terminal: the definitions of a field, with keys that switch them off and on and change their priorities
//! and values. The consequences are below them. Nothing of the session changes until the changes are applied.
//!
//! The frame is written in place, like a page of the stepper.

use crate::paint::Paint;
use crate::stepper::{RawMode, Screen};
use crate::terminal;
use cfg_core::whatif::{ExplainedField, Tried};
use cfg_core::{Role, Styled, counted, wrap};
use crossterm::event::{self, Event, KeyCode, KeyEventKind, KeyModifiers};
use std::collections::VecDeque;
use std::io::{self, Write};
use std::time::Duration;
use unicode_width::UnicodeWidthStr;

/// The text that Alt-W types.
pub const OPEN: &str = ":whatif\n";
/// Maximum width of a value in the frame, in columns.
const VALUE: usize = 28;

/// Returns the path after `:whatif`. `None` if the input is another one, or has changes. The path is empty for the last explanation.
pub fn path(input: &str) -> Option<&str> {
    let rest = input.trim().strip_prefix(OPEN.trim())?;
    let words: Vec<&str> = rest.split_whitespace().collect();
    let is_change = |pair: &[&str]| match pair {
        [word, number] => {
            matches!(*word, "off" | "priority" | "value") && number.starts_with(|c: char| c.is_ascii_digit())
        }
        _ => false,
    };
    let is_path = !rest.contains('\n') && !words.windows(2).any(is_change);
    (is_path && (rest.is_empty() || rest.starts_with(char::is_whitespace))).then(|| rest.trim())
}

/// The meaning of a key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Key {
    Up,
    Down,
    Enter,
    /// Ctrl-C, Ctrl-D, Escape
    Leave,
    Erase,
    Char(char),
    Other,
    /// The terminal was resized to this many columns; not a key.
    Resized(usize),
}

/// The effect of a key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Effect {
    /// The changes are others: answer again.
    Answer,
    /// Only the frame changes.
    Show,
    /// Nothing changes.
    Wait,
    /// Write the changes.
    Apply,
    /// The frame ends.
    End,
}

/// The change of one definition.
#[derive(Clone, Default, PartialEq, Debug)]
struct Change {
    off: bool,
    priority: Option<String>,
    value: Option<String>,
}

/// A text that is being typed.
#[derive(Clone, PartialEq, Debug)]
enum Typing {
    Priority(String),
    Value(String),
}

/// The definitions, their changes, and the current position.
struct Frame {
    field: ExplainedField,
    changes: Vec<Change>,
    at: usize,
    typing: Option<Typing>,
    answer: Option<Tried>,
    /// Why the last key had no effect.
    note: String,
}

/// Shows the frame and handles keys until the user leaves. The terminal is in raw mode meanwhile. `answer` answers changes,
/// and calls its second argument while it waits. Returns the inputs to submit: none if nothing is applied.
pub fn explore(
    field: ExplainedField,
    paint: Paint,
    columns: usize,
    answer: impl Fn(String, &mut dyn FnMut() -> bool) -> Option<Tried>,
    out: &mut impl Write,
) -> io::Result<Vec<String>> {
    let _raw = RawMode::enter()?;
    let mut frame = Frame::new(field);
    let mut screen = Screen::new(columns);
    let mut ahead = VecDeque::new();
    let mut effect = Effect::Show;
    loop {
        match effect {
            Effect::Answer => {
                // Ctrl-C interrupts the evaluation; other keys wait
                let mut interrupts = || {
                    while event::poll(Duration::ZERO).unwrap_or(false) {
                        match event::read().ok().and_then(meaning) {
                            Some((Key::Leave, true)) => return true,
                            key => ahead.extend(key.map(|(key, _)| key)),
                        }
                    }
                    false
                };
                frame.answer = match frame.changes_text() {
                    changes if changes.is_empty() => None,
                    changes => answer(changes, &mut interrupts),
                };
                screen.show(0, &frame.page(screen.columns, terminal::size().1), paint, out)?;
            }
            Effect::Show => screen.show(0, &frame.page(screen.columns, terminal::size().1), paint, out)?,
            Effect::Wait => {}
            Effect::Apply | Effect::End => {
                write!(out, "\r\x1b[K")?;
                out.flush()?;
                let applied = frame.answer.filter(|_| effect == Effect::Apply).and_then(|answer| answer.inputs.ok());
                return Ok(applied.unwrap_or_default());
            }
        }
        let keys = frame.keys(screen.columns.saturating_sub(1));
        screen.keys_width = keys.text().width();
        write!(out, "\r\x1b[K{}", paint.text(&keys))?;
        out.flush()?;
        let key = loop {
            match ahead.pop_front() {
                Some(key) => break key,
                None => ahead.extend(meaning(event::read()?).map(|(key, _)| key)),
            }
        };
        effect = match key {
            Key::Resized(columns) => {
                screen.resize(columns, terminal::rewraps_lines(), out)?;
                Effect::Show
            }
            key => frame.press(key),
        };
    }
}

/// Returns the meaning of an event, and whether it is an interrupt. `None` for one without a meaning, such as a paste.
fn meaning(event: Event) -> Option<(Key, bool)> {
    let key = match event {
        Event::Resize(columns, _) => return Some((Key::Resized(columns.into()), false)),
        Event::Key(key) if key.kind != KeyEventKind::Release => key,
        _ => return None,
    };
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    let meaning = match key.code {
        KeyCode::Char('c') if control => return Some((Key::Leave, true)),
        KeyCode::Char('d') if control => Key::Leave,
        KeyCode::Esc => Key::Leave,
        KeyCode::Up => Key::Up,
        KeyCode::Down => Key::Down,
        KeyCode::Enter => Key::Enter,
        KeyCode::Backspace => Key::Erase,
        KeyCode::Char(c) if !control => Key::Char(c),
        _ => Key::Other,
    };
    Some((meaning, false))
}

impl Frame {
    fn new(field: ExplainedField) -> Frame {
        let changes = vec![Change::default(); field.definitions.len()];
        Frame { field, changes, at: 0, typing: None, answer: None, note: String::new() }
    }

    fn press(&mut self, key: Key) -> Effect {
        let noted = !std::mem::take(&mut self.note).is_empty();
        let effect = match self.typing.take() {
            Some(typing) => self.typed(typing, key),
            None => self.command(key),
        };
        if noted && effect == Effect::Wait { Effect::Show } else { effect }
    }

    /// Handles a key while a priority or a value is being typed.
    fn typed(&mut self, mut typing: Typing, key: Key) -> Effect {
        let (Typing::Priority(text) | Typing::Value(text)) = &mut typing;
        match key {
            Key::Char(c) => text.push(c),
            Key::Erase => drop(text.pop()),
            Key::Leave => return Effect::Wait,
            Key::Enter => {
                let text = text.trim().to_string();
                let text = (!text.is_empty()).then_some(text);
                match typing {
                    Typing::Priority(_) => self.change(|change| change.priority = text),
                    Typing::Value(_) => {
                        // `:whatif` takes one value
                        self.changes.iter_mut().for_each(|change| change.value = None);
                        self.change(|change| change.value = text);
                    }
                }
                return Effect::Answer;
            }
            Key::Up | Key::Down | Key::Other | Key::Resized(_) => {}
        }
        self.typing = Some(typing);
        Effect::Wait
    }

    fn command(&mut self, key: Key) -> Effect {
        match key {
            Key::Up | Key::Char('k') => self.choose(self.at.saturating_sub(1)),
            Key::Down | Key::Char('j') => self.choose(self.at + 1),
            Key::Char(' ') => {
                self.change(|change| change.off = !change.off);
                Effect::Answer
            }
            Key::Char('+' | '-' | '=' | '0'..='9') if self.chosen().off => {
                self.says("this definition is switched off: space switches it on")
            }
            Key::Char('+' | '-' | '0'..='9') if self.chosen().value.is_some() => {
                self.says("this definition has another value already: `r` resets it")
            }
            Key::Char('+') => self.raise(1),
            Key::Char('-') => self.raise(-1),
            Key::Char(digit @ '0'..='9') => {
                self.typing = Some(Typing::Priority(String::from(digit)));
                Effect::Wait
            }
            Key::Char('=') => {
                self.typing = Some(Typing::Value(String::new()));
                Effect::Wait
            }
            Key::Char('r') => {
                self.changes.fill(Change::default());
                Effect::Answer
            }
            Key::Char('a') => match self.answer.as_ref().map(|answer| &answer.inputs) {
                Some(Ok(_)) => Effect::Apply,
                Some(Err(why)) => {
                    let why = why.clone();
                    self.says(&why)
                }
                None => self.says("there is no change to apply"),
            },
            Key::Leave | Key::Enter | Key::Char('q') => Effect::End,
            Key::Erase | Key::Char(_) | Key::Other | Key::Resized(_) => Effect::Wait,
        }
    }

    fn choose(&mut self, at: usize) -> Effect {
        if at == self.at || at >= self.changes.len() {
            return Effect::Wait;
        }
        self.at = at;
        Effect::Show
    }

    /// Shows why a key has no effect.
    fn says(&mut self, why: &str) -> Effect {
        self.note = String::from(why);
        Effect::Show
    }

    /// Returns the change of the chosen definition.
    fn chosen(&self) -> Change {
        self.changes.get(self.at).cloned().unwrap_or_default()
    }

    fn change(&mut self, change: impl FnOnce(&mut Change)) {
        if let Some(chosen) = self.changes.get_mut(self.at) {
            change(chosen);
        }
    }

    /// Raises or lowers the priority of the chosen definition: a number by one, or from `default` over `normal` to `force`.
    fn raise(&mut self, by: i32) -> Effect {
        const NAMED: [&str; 3] = ["default", "normal", "force"];
        let Some((change, row)) = self.changes.get_mut(self.at).zip(self.field.definitions.get(self.at)) else {
            return Effect::Wait;
        };
        let now = change.priority.as_deref().unwrap_or(&row.strength);
        let number = now.strip_prefix("priority ").unwrap_or(now).parse::<i32>().ok();
        let named = NAMED.iter().position(|name| *name == now).unwrap_or(1);
        let next = match number.and_then(|number| number.checked_add(by)) {
            Some(number) => number.to_string(),
            None => match named.checked_add_signed(by as isize).and_then(|at| NAMED.get(at)) {
                Some(name) => String::from(*name),
                None => {
                    let why = format!("there is no priority beyond `{now}`; a number is one too");
                    return self.says(&why);
                }
            },
        };
        // back where it was
        change.priority = (next != row.strength && format!("priority {next}") != row.strength).then_some(next);
        Effect::Answer
    }

    /// Returns the changes as `:whatif` takes them. Empty if there are none.
    fn changes_text(&self) -> String {
        let mut parts = Vec::new();
        let mut value = None;
        for (number, change) in (1..).zip(&self.changes) {
            match change {
                Change { off: true, .. } => parts.push(format!("off {number}")),
                Change { value: Some(text), .. } => value = Some(format!("value {number} {text}")),
                Change { priority: Some(priority), .. } => parts.push(format!("priority {number} {priority}")),
                _ => {}
            }
        }
        // a value is the rest of the line
        parts.extend(value);
        parts.join(", ")
    }

    /// Returns the definitions with their changes, and the consequences, in at most `rows` rows.
    fn page(&self, columns: usize, rows: usize) -> Styled {
        let mut text = Styled::from("what if: ");
        text.push(Role::Heading, &self.field.path);
        text.plain("\n");
        let definitions = &self.field.definitions;
        let strengths = definitions.iter().map(|row| row.strength.width()).max().unwrap_or(0);
        let values: Vec<Styled> = definitions.iter().map(|row| row.value.clone()).collect();
        let values = Styled::cut_all(&values, VALUE);
        let wide = values.iter().map(|value| value.text().width()).max().unwrap_or(0);
        for (index, ((row, value), change)) in definitions.iter().zip(&values).zip(&self.changes).enumerate() {
            text.plain("\n");
            text.push(Role::Heading, if index == self.at { "> " } else { "  " });
            text.plain(if change.off { "[ ] " } else { "[x] " });
            text.push(if row.outcome == "WINS" { Role::Wins } else { Role::Plain }, format!("{:<4}", row.outcome));
            text.plain(format!("  {}{}  ", row.strength, " ".repeat(strengths - row.strength.width())));
            text.append(value);
            text.plain(" ".repeat(wide - value.text().width() + 2));
            text.push(Role::Dim, &row.place);
            let words = match change {
                Change { off: true, .. } => String::from("off"),
                Change { value: Some(value), .. } => format!("value {value}"),
                Change { priority: Some(priority), .. } => format!("priority {priority}"),
                _ => String::new(),
            };
            if !words.is_empty() {
                text.plain("  ");
                text.push(Role::Keyword, words);
            }
        }
        text.plain("\n");
        if let Some(answer) = &self.answer {
            text.plain("\n");
            text.append(&answer.text);
            text.plain("\n");
        }
        if !self.note.is_empty() {
            text.plain("\n");
            text.push(Role::Error, &self.note);
            text.plain("\n");
        }
        // rows that scroll off the screen could not be written again
        let all = match self.changes_text() {
            changes if changes.is_empty() => format!(":explain {}", self.field.path),
            changes => format!(":whatif {} {changes}", self.field.path),
        };
        first_lines(&wrap::fit(&text, columns), rows.saturating_sub(2), &all)
    }

    /// Returns the line of keys, shortened on a narrow screen.
    fn keys(&self, columns: usize) -> Styled {
        let typing = match &self.typing {
            Some(Typing::Priority(text)) => Some(("priority: ", text)),
            Some(Typing::Value(text)) => Some(("value: ", text)),
            None => None,
        };
        if let Some((label, typed)) = typing {
            let mut out = Styled::of(Role::Heading, label);
            out.plain(typed);
            return out.cut(columns);
        }
        let line = |gap: &str, long: bool| {
            let mut out = Styled::new();
            let all = [
                ("[space]", if long { " on/off" } else { "" }),
                ("[+][-][0-9]", if long { " priority" } else { "" }),
                ("[=]", if long { " value" } else { "" }),
                ("[r]", "eset"),
                ("[a]", "pply"),
                ("[q]", "uit"),
            ];
            for (index, (key, rest)) in all.into_iter().enumerate() {
                out.plain(if index > 0 { gap } else { "" });
                out.push(Role::Heading, key);
                out.push(Role::Dim, rest);
            }
            out
        };
        let whole = line("  ", true);
        if whole.text().width() <= columns { whole } else { line(" ", false).cut(columns) }
    }
}

/// Returns the first lines of a text, how many more there are, and the command that shows all.
fn first_lines(text: &Styled, most: usize, all: &str) -> Styled {
    let whole = text.text();
    let lines = whole.lines().count();
    if lines <= most {
        return text.clone();
    }
    let kept = most.saturating_sub(2).max(1);
    let end = whole.match_indices('\n').nth(kept - 1).map_or(whole.len(), |(at, _)| at);
    let mut out = Styled::new();
    let mut left = end;
    for (role, run) in text.runs() {
        let part = run.get(..left.min(run.len())).unwrap_or_default();
        out.push(*role, part);
        left -= part.len();
    }
    out.push(Role::Dim, format!("\n… {}: `{all}` shows all\n", counted(lines - kept, "more line")));
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use cfg_core::whatif::ListedDefinition;

    fn field() -> ExplainedField {
        let row = |outcome: &str, strength: &str, value: &str| ListedDefinition {
            outcome: outcome.into(),
            strength: strength.into(),
            value: value.into(),
            place: "cfg[1]:1:3".into(),
        };
        let definitions =
            vec![row("WINS", "priority 5", "9"), row("lost", "normal", "443"), row("lost", "default", "80")];
        ExplainedField { path: "all.port".into(), definitions }
    }

    /// Checks the changes after each key.
    #[track_caller]
    fn changes(keys: &[Key], expected: &[&str]) {
        let mut frame = Frame::new(field());
        let seen: Vec<String> = keys
            .iter()
            .map(|key| {
                frame.press(*key);
                frame.changes_text()
            })
            .collect();
        assert_eq!(seen, expected);
    }

    #[test]
    fn keys_make_the_changes_of_the_command() {
        use Key::{Char, Down, Enter, Erase, Leave, Up};
        changes(
            &[Char(' '), Down, Char(' '), Up, Char(' ')],
            &["off 1", "off 1", "off 1, off 2", "off 1, off 2", "off 2"],
        );
        changes(&[Char('+'), Char('-'), Char('-')], &["priority 1 6", "", "priority 1 4"]);
        // no further than `force`, and nothing is left of a change and its opposite
        changes(
            &[Down, Char('+'), Char('+'), Char('-'), Char('-')],
            &["", "priority 2 force", "priority 2 force", "", "priority 2 default"],
        );
        changes(&[Down, Char('7'), Char('1'), Erase, Enter, Char('r')], &["", "", "", "", "priority 2 7", ""]);
        changes(
            &[Char('='), Char('1'), Enter, Down, Char('='), Char('2'), Enter],
            &["", "", "value 1 1", "value 1 1", "value 1 1", "value 1 1", "value 2 2"],
        );
        changes(&[Char('='), Char('1'), Leave, Char('3'), Leave], &["", "", "", "", ""]);
    }

    #[test]
    fn a_key_without_an_effect_says_why() {
        use Key::{Char, Down, Enter};
        let says = |keys: &[Key]| {
            let mut frame = Frame::new(field());
            for key in keys {
                frame.press(*key);
            }
            frame.note
        };
        let off = "this definition is switched off: space switches it on";
        for key in ['+', '=', '7'] {
            assert_eq!(says(&[Char(' '), Char(key)]), off);
        }
        let valued = "this definition has another value already: `r` resets it";
        assert_eq!(says(&[Char('='), Char('4'), Enter, Char('-')]), valued);
        assert!(says(&[Down, Char('+'), Char('+')]).starts_with("there is no priority beyond `force`"));
        assert_eq!(says(&[Down, Char('+'), Char('=')]), "");
    }

    #[test]
    fn the_frame_is_not_taller_than_the_screen() {
        let mut frame = Frame::new(field());
        assert_eq!(frame.press(Key::Char('a')), Effect::Show);
        let whole = frame.page(80, 24).text();
        assert!(
            whole.contains("> [x] WINS  priority 5  9    cfg[1]:1:3\n  [x] lost  normal      443  cfg[1]:1:3\n"),
            "{whole}"
        );
        assert!(whole.contains("there is no change to apply"), "{whole}");
        let cut = frame.page(80, 7).text();
        assert!(cut.lines().count() <= 5 && cut.contains("more lines: `:explain all.port` shows all"), "{cut}");
        frame.press(Key::Char(' '));
        let cut = frame.page(80, 6).text();
        assert!(cut.contains("more lines: `:whatif all.port off 1` shows all"), "{cut}");
    }

    #[test]
    fn only_a_path_opens_it() {
        assert_eq!(path(":whatif"), Some(""));
        assert_eq!(path(" :whatif a.b "), Some("a.b"));
        assert_eq!(path(":whatif a.b off 1"), None);
        assert_eq!(path(":whatifs a"), None);
    }
}
