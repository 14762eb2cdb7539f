//! `:steps` on a terminal: one step after the other, forward and back, by single keys.
//!
//! The next page is written below the last one, over the line that names the keys, so that the way so far stays. A page
//! that was shown already takes its own place again, and what stood from there on goes. After a resize nobody knows
//! where rows are: the screen is cleared and the page laid out for the new width.

use crate::paint::{Paint, visible};
use cfg_core::view::steps::{Page, PageRow};
use cfg_core::view::{Role, Styled};
use crossterm::event::{self, Event, KeyCode, KeyEventKind, KeyModifiers};
use std::io::{self, Write};
use unicode_width::UnicodeWidthStr;

/// The pages, and what stands under the last one.
type Told = (Vec<Page>, Styled);

/// What a person asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Key {
    /// Enter, blank, →, n
    Next,
    /// b, ←
    Back,
    /// Ctrl-C, Ctrl-D, Escape
    Leave,
    /// Backspace
    Erase,
    Char(char),
    Other,
    /// None: the terminal has so many columns now.
    Resized(usize),
}

/// What is to be done after a key.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Then {
    /// The page is written again, or another one.
    Show,
    /// Only the line of keys changes.
    Wait,
    /// It is over.
    End,
}

/// The pages, and where in them a person is.
struct Stepper {
    pages: Vec<Page>,
    at: usize,
    /// Whether unchanged fields are shown.
    all: bool,
    /// Only fields whose paths hold this are shown.
    field: String,
    /// The field that is being typed.
    typing: Option<String>,
}

/// Shows the pages and takes keys until the person leaves. The terminal is in raw mode meanwhile. `again` lays the pages
/// out for another number of columns.
pub fn step(
    (pages, mut foot): Told,
    paint: Paint,
    columns: usize,
    again: impl Fn(usize) -> Option<Told>,
    out: &mut impl Write,
) -> io::Result<()> {
    let _raw = Raw::enter()?;
    let mut stepper = Stepper::new(pages);
    let mut screen = Screen { columns, shown: Vec::new() };
    let mut then = Then::Show;
    loop {
        match then {
            Then::Show => {
                let mut text = stepper.page(screen.columns);
                if stepper.at + 1 >= stepper.pages.len() {
                    text.plain("\n");
                    text.append(&foot);
                }
                screen.show(stepper.at, &text, paint, out)?;
            }
            Then::Wait => {}
            Then::End => {
                write!(out, "\r\x1b[K")?;
                return out.flush();
            }
        }
        write!(out, "\r\x1b[K{}", paint.text(&stepper.keys().cut(screen.columns.saturating_sub(1))))?;
        out.flush()?;
        then = match read()? {
            Key::Resized(columns) => {
                if let Some((pages, under)) = again(columns).filter(|(pages, _)| pages.len() == stepper.pages.len()) {
                    (stepper.pages, foot) = (pages, under);
                }
                screen = Screen { columns, shown: Vec::new() };
                write!(out, "\x1b[H\x1b[2J")?;
                Then::Show
            }
            key => stepper.press(key),
        };
    }
}

/// What stands over the line of keys.
struct Screen {
    columns: usize,
    /// The pages that stand there, in order, and how many rows each takes.
    shown: Vec<(usize, usize)>,
}

impl Screen {
    /// Writes a page: in its place if it stands there, else below the others.
    fn show(&mut self, at: usize, text: &Styled, paint: Paint, out: &mut impl Write) -> io::Result<()> {
        let mut up = 0;
        while let Some((_, rows)) = self.shown.pop_if(|(page, _)| *page >= at) {
            up += rows;
        }
        // what has left the screen is out of reach: the cursor stops at the first row
        if up > 0 {
            write!(out, "\x1b[{up}A")?;
        }
        let plain = text.text();
        let rows = plain.split('\n').map(|line| visible(line).width().div_ceil(self.columns.max(1)).max(1)).sum();
        self.shown.push((at, rows));
        write!(out, "\r\x1b[J{}\r\n", paint.text(text).replace('\n', "\r\n"))
    }
}

/// The next key, or another size of the terminal. What is pasted is none.
fn read() -> io::Result<Key> {
    loop {
        let key = match event::read()? {
            Event::Resize(columns, _) => return Ok(Key::Resized(columns.into())),
            Event::Key(key) if key.kind != KeyEventKind::Release => key,
            _ => continue,
        };
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        return Ok(match key.code {
            KeyCode::Char('c' | 'd') if control => Key::Leave,
            KeyCode::Esc => Key::Leave,
            KeyCode::Enter | KeyCode::Right | KeyCode::Down | KeyCode::PageDown => Key::Next,
            KeyCode::Left | KeyCode::Up | KeyCode::PageUp => Key::Back,
            KeyCode::Backspace => Key::Erase,
            KeyCode::Char(c) if !control => Key::Char(c),
            _ => Key::Other,
        });
    }
}

impl Stepper {
    fn new(pages: Vec<Page>) -> Stepper {
        Stepper { pages, at: 0, all: false, field: String::new(), typing: None }
    }

    fn press(&mut self, key: Key) -> Then {
        if let Some(typed) = &mut self.typing {
            match key {
                Key::Char(c) => typed.push(c),
                Key::Erase => drop(typed.pop()),
                Key::Leave => self.typing = None,
                Key::Next => {
                    self.field = self.typing.take().unwrap_or_default().trim().to_string();
                    return Then::Show;
                }
                Key::Back | Key::Other | Key::Resized(_) => {}
            }
            return Then::Wait;
        }
        match key {
            Key::Next | Key::Char(' ' | 'n') => self.turn(1),
            Key::Back | Key::Erase | Key::Char('b' | 'p') => self.turn(-1),
            Key::Char('a') => {
                self.all = !self.all;
                Then::Show
            }
            Key::Char('/') => {
                self.typing = Some(String::new());
                Then::Wait
            }
            Key::Leave | Key::Char('q') => Then::End,
            Key::Char(_) | Key::Other | Key::Resized(_) => Then::Wait,
        }
    }

    /// Goes on or back, to a page that has something to show of the field that is looked for.
    fn turn(&mut self, by: isize) -> Then {
        let mut at = self.at;
        loop {
            at = match at.checked_add_signed(by) {
                Some(next) if next < self.pages.len() => next,
                // there is nothing behind the last one
                Some(_) => return Then::End,
                None => return Then::Wait,
            };
            let shows = self.pages.get(at).is_some_and(|page| page.rows.iter().any(|row| self.wants(row)));
            if self.field.is_empty() || shows || at + 1 == self.pages.len() {
                self.at = at;
                return Then::Show;
            }
        }
    }

    fn wants(&self, row: &PageRow) -> bool {
        (self.all || !row.unchanged) && (self.field.is_empty() || row.path.contains(&self.field))
    }

    fn page(&self, columns: usize) -> Styled {
        let Some(page) = self.pages.get(self.at) else { return Styled::new() };
        let mut page = page.clone();
        let last = page.title.text().lines().last().map_or(0, UnicodeWidthStr::width);
        const HINT: &str = " (all: `a`)";
        if self.at == 0 && !self.all && page.rows.iter().any(|row| row.unchanged) && last + HINT.len() <= columns {
            page.title.push(Role::Dim, HINT);
        }
        let mut out = page.text(|row| self.wants(row));
        if !self.field.is_empty() && !page.rows.iter().any(|row| self.wants(row)) {
            out.push(Role::Dim, format!("\n\n  nothing of `{}` here", self.field));
        }
        out.plain("\n");
        out
    }

    fn keys(&self) -> Styled {
        if let Some(typed) = &self.typing {
            let mut out = Styled::of(Role::Heading, "field: ");
            out.plain(typed);
            return out;
        }
        let last = self.at + 1 >= self.pages.len();
        let mut out = Styled::new();
        let mut key = |key: &str, rest: &str| {
            out.push(Role::Heading, key);
            out.push(Role::Dim, rest);
        };
        key("[Enter]", if last { " done  " } else { " next  " });
        if self.at > 0 {
            key("[b]", "ack  ");
        }
        key("[/]", " field  ");
        key("[a]", if self.all { "ll: off  " } else { "ll  " });
        key("[q]", "uit");
        if !self.field.is_empty() {
            out.push(Role::Dim, format!("   only `{}`", self.field));
        }
        out
    }
}

/// While it lives, the terminal gives keys as they are pressed.
pub struct Raw;

impl Raw {
    /// Takes the terminal.
    pub fn enter() -> io::Result<Raw> {
        crossterm::terminal::enable_raw_mode()?;
        Ok(Raw)
    }
}

impl Drop for Raw {
    fn drop(&mut self) {
        let _ = crossterm::terminal::disable_raw_mode();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pages() -> Vec<Page> {
        let row =
            |path: &str, unchanged| PageRow { path: path.into(), text: format!("  {path}").as_str().into(), unchanged };
        let page = |n: usize, rows: Vec<PageRow>| Page { title: format!("step {n}").as_str().into(), rows };
        vec![
            page(1, vec![row("a.port", false), row("a.host", true)]),
            page(2, vec![row("b", false)]),
            page(3, vec![row("a.port", false)]),
        ]
    }

    /// What is shown after each key, on one line each.
    #[track_caller]
    fn shows(keys: &[Key], expected: &[&str]) {
        let mut stepper = Stepper::new(pages());
        let seen: Vec<String> = keys
            .iter()
            .map(|key| match stepper.press(*key) {
                Then::Show => stepper.page(80).text().split_whitespace().collect::<Vec<_>>().join(" "),
                Then::Wait => stepper.keys().text(),
                Then::End => "end".into(),
            })
            .collect();
        assert_eq!(seen, expected);
    }

    #[test]
    fn forward_and_back() {
        shows(
            &[Key::Next, Key::Char('b'), Key::Next, Key::Next, Key::Next],
            &["step 2 b", "step 1 (all: `a`) a.port", "step 2 b", "step 3 a.port", "end"],
        );
        shows(&[Key::Back, Key::Char('q')], &["[Enter] next  [/] field  [a]ll  [q]uit", "end"]);
    }

    #[test]
    fn all_fields_or_one() {
        shows(&[Key::Char('a'), Key::Char('a')], &["step 1 a.port a.host", "step 1 (all: `a`) a.port"]);
        shows(
            &[Key::Char('/'), Key::Char('p'), Key::Char('x'), Key::Erase, Key::Next, Key::Next, Key::Leave],
            &["field: ", "field: p", "field: px", "field: p", "step 1 (all: `a`) a.port", "step 3 a.port", "end"],
        );
    }
}
