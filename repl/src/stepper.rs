//! Shows `:steps` on a terminal one step at a time, forward and back, with single keys.
//!
//! The next page is written below the last one, over the line of keys, so that earlier pages stay visible. Going back
//! to a page erases it and all pages after it, and writes it again. After a resize, all pages shown are laid out again
//! for the new width. Text above the first page is never changed.

use crate::paint::{Paint, visible};
use crate::terminal;
use cfg_core::steps::{Page, PageRow};
use cfg_core::{Role, Styled, wrap};
use crossterm::event::{self, Event, KeyCode, KeyEventKind, KeyModifiers};
use std::io::{self, Write};
use unicode_width::UnicodeWidthStr;

/// The pages, and the footer: the text below the last page.
type PagesAndFooter = (Vec<Page>, Styled);

/// The meaning of a key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Key {
    /// Enter, →, ↓, PageDown
    Next,
    /// ←, ↑, PageUp
    Back,
    /// Ctrl-C, Ctrl-D, Escape
    Leave,
    /// Backspace
    Erase,
    Char(char),
    Other,
    /// The terminal was resized to this many columns; not a key.
    Resized(usize),
}

/// The effect of a key on the screen.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Effect {
    /// Show the current page, which may be another one than before.
    Show,
    /// Only the line of keys changes.
    Wait,
    /// The stepper ends.
    End,
}

/// The pages, the current one, and the settings of the view.
struct Stepper {
    pages: Vec<Page>,
    /// The index of the current page.
    at: usize,
    /// Whether unchanged fields are shown.
    all: bool,
    /// Only fields whose paths contain this text are shown.
    filter: String,
    /// The filter that is being typed.
    typing: Option<String>,
}

/// Shows the pages and handles keys until the user leaves. The terminal is in raw mode meanwhile. `lay_out` lays the
/// pages out for another number of columns; the old layout stays if it returns `None`.
///
/// # Errors
///
/// The terminal cannot be read or written.
pub fn step(
    (pages, mut footer): PagesAndFooter,
    paint: Paint,
    columns: usize,
    lay_out: impl Fn(usize) -> Option<PagesAndFooter>,
    out: &mut impl Write,
) -> io::Result<()> {
    let _raw = RawMode::enter()?;
    let mut stepper = Stepper::new(pages);
    let mut screen = Screen { columns, ..Screen::default() };
    let mut effect = Effect::Show;
    loop {
        match effect {
            Effect::Show => {
                screen.show(stepper.at, &stepper.page_and_footer(stepper.at, &footer, screen.columns), paint, out)?
            }
            Effect::Wait => {}
            Effect::End => {
                write!(out, "\r\x1b[K")?;
                return out.flush();
            }
        }
        let keys = stepper.keys(screen.columns.saturating_sub(1));
        screen.keys_width = keys.text().width();
        write!(out, "\r\x1b[K{}", paint.text(&keys))?;
        out.flush()?;
        effect = match read()? {
            Key::Resized(columns) => {
                if let Some(new) = lay_out(columns).filter(|(pages, _)| pages.len() == stepper.pages.len()) {
                    (stepper.pages, footer) = new;
                }
                for at in screen.resize(columns, terminal::rewraps_lines(), out)? {
                    screen.show(at, &stepper.page_and_footer(at, &footer, columns), paint, out)?;
                }
                Effect::Wait
            }
            key => stepper.press(key),
        };
    }
}

/// The part of the screen that is redrawn: the pages, and the line of keys below them.
#[derive(Default)]
pub struct Screen {
    /// The width of the terminal.
    pub columns: usize,
    /// The pages on the screen, in order, and the width of each of their rows.
    shown: Vec<(usize, Vec<usize>)>,
    /// The width of the line of keys.
    pub keys_width: usize,
}

impl Screen {
    /// Creates a screen without pages, of this width.
    pub fn new(columns: usize) -> Screen {
        Screen { columns, ..Screen::default() }
    }

    /// Writes a page: in place if it is on the screen, otherwise below the others.
    pub fn show(&mut self, at: usize, text: &Styled, paint: Paint, out: &mut impl Write) -> io::Result<()> {
        let mut up = 0;
        while let Some((_, rows)) = self.shown.pop_if(|(page, _)| *page >= at) {
            up += rows.len();
        }
        // rows that scrolled off the screen cannot be reached: the cursor stops at the first row
        if up > 0 {
            write!(out, "\x1b[{up}A")?;
        }
        let rows = text.text().split('\n').map(|line| visible(line).width()).collect();
        self.shown.push((at, rows));
        write!(out, "\r\x1b[J{}\r\n", paint.text(text).replace('\n', "\r\n"))
    }

    /// Erases the pages on the screen and returns their indices, so that they can be written again. `rewraps` says
    /// whether the terminal is known to rewrap lines. If it is not, some of the first rows may remain, because erasing
    /// too much would remove other output.
    pub fn resize(&mut self, columns: usize, rewraps: bool, out: &mut impl Write) -> io::Result<Vec<usize>> {
        let rows = |wide: usize| if rewraps { wide.div_ceil(columns.max(1)).max(1) } else { 1 };
        let up = self.shown.iter().flat_map(|(_, lines)| lines).map(|wide| rows(*wide)).sum::<usize>();
        let up = up + rows(self.keys_width) - 1;
        self.columns = columns;
        if up > 0 {
            write!(out, "\x1b[{up}A")?;
        }
        write!(out, "\r\x1b[J")?;
        Ok(self.shown.drain(..).map(|(page, _)| page).collect())
    }
}

/// Waits for the next key or resize. Ignores pastes.
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
        Stepper { pages, at: 0, all: false, filter: String::new(), typing: None }
    }

    /// Handles a key: as a part of the filter while the filter is being typed, as a command otherwise.
    fn press(&mut self, key: Key) -> Effect {
        if let Some(typed) = &mut self.typing {
            match key {
                Key::Char(c) => typed.push(c),
                Key::Erase => drop(typed.pop()),
                Key::Leave => self.typing = None,
                Key::Next => {
                    self.filter = self.typing.take().unwrap_or_default().trim().to_string();
                    return Effect::Show;
                }
                Key::Back | Key::Other | Key::Resized(_) => {}
            }
            return Effect::Wait;
        }
        match key {
            Key::Next | Key::Char(' ' | 'n') => self.turn(1),
            Key::Back | Key::Erase | Key::Char('b' | 'p') => self.turn(-1),
            Key::Char('a') => {
                self.all = !self.all;
                Effect::Show
            }
            Key::Char('/') => {
                self.typing = Some(String::new());
                Effect::Wait
            }
            Key::Leave | Key::Char('q') => Effect::End,
            Key::Char(_) | Key::Other | Key::Resized(_) => Effect::Wait,
        }
    }

    /// Moves one page forward or back; with a filter, on to a page with rows that match it, or to the last page. Going
    /// forward from the last page ends the stepper.
    fn turn(&mut self, by: isize) -> Effect {
        let mut at = self.at;
        loop {
            at = match at.checked_add_signed(by) {
                Some(next) if next < self.pages.len() => next,
                Some(_) => return Effect::End,
                None => return Effect::Wait,
            };
            let has_rows = self.pages.get(at).is_some_and(|page| page.rows.iter().any(|row| self.is_shown(row)));
            if self.filter.is_empty() || has_rows || at + 1 == self.pages.len() {
                self.at = at;
                return Effect::Show;
            }
        }
    }

    /// Returns `true` if the row passes the filter, and has changed or all rows are shown.
    fn is_shown(&self, row: &PageRow) -> bool {
        (self.all || !row.unchanged) && (self.filter.is_empty() || row.path.contains(&self.filter))
    }

    /// Returns a page, with the footer if it is the last, in lines of at most `columns` columns.
    fn page_and_footer(&self, at: usize, footer: &Styled, columns: usize) -> Styled {
        let mut text = self.page(at, columns);
        if at + 1 >= self.pages.len() {
            text.plain("\n");
            text.append(footer);
        }
        wrap::fit(&text, columns)
    }

    fn page(&self, at: usize, columns: usize) -> Styled {
        let Some(page) = self.pages.get(at) else { return Styled::new() };
        let mut page = page.clone();
        let last = page.title.text().lines().last().map_or(0, UnicodeWidthStr::width);
        const HINT: &str = " (`a` shows all)";
        if at == 0 && !self.all && page.rows.iter().any(|row| row.unchanged) && last + HINT.len() <= columns {
            page.title.push(Role::Dim, HINT);
        }
        let mut out = page.text(|row| self.is_shown(row));
        if !self.filter.is_empty() && !page.rows.iter().any(|row| self.is_shown(row)) {
            out.push(Role::Dim, format!("\n\n  no field here matches `{}`", self.filter));
        }
        out.plain("\n");
        out
    }

    /// Returns the line of keys, shortened on a narrow screen.
    fn keys(&self, columns: usize) -> Styled {
        if let Some(typed) = &self.typing {
            let mut out = Styled::of(Role::Heading, "field: ");
            out.plain(typed);
            return out.cut(columns);
        }
        let last = self.at + 1 >= self.pages.len();
        let line = |gap: &str, field: &str| {
            let mut out = Styled::new();
            let mut key = |key: &str, rest: &str, gap: &str| {
                out.push(Role::Heading, key);
                out.push(Role::Dim, rest);
                out.plain(gap);
            };
            key("[Enter]", if last { " done" } else { " next" }, gap);
            if self.at > 0 {
                key("[b]", "ack", gap);
            }
            key("[/]", field, gap);
            key("[a]", if self.all { "ll: off" } else { "ll" }, gap);
            key("[q]", "uit", "");
            if !self.filter.is_empty() {
                out.push(Role::Dim, format!("   only `{}`", self.filter));
            }
            out
        };
        let whole = line("  ", " field");
        if whole.text().width() <= columns { whole } else { line(" ", "").cut(columns) }
    }
}

/// Puts the terminal into raw mode until it is dropped.
pub struct RawMode;

impl RawMode {
    /// Enters raw mode.
    pub fn enter() -> io::Result<RawMode> {
        crossterm::terminal::enable_raw_mode()?;
        Ok(RawMode)
    }
}

impl Drop for RawMode {
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
        let page =
            |n: usize, rows: Vec<PageRow>| Page { title: format!("step {n}").as_str().into(), rows, compact: false };
        vec![
            page(1, vec![row("a.port", false), row("a.host", true)]),
            page(2, vec![row("b", false)]),
            page(3, vec![row("a.port", false)]),
        ]
    }

    /// Checks what is shown after each key, one line per key.
    #[track_caller]
    fn shows(keys: &[Key], expected: &[&str]) {
        let mut stepper = Stepper::new(pages());
        let seen: Vec<String> = keys
            .iter()
            .map(|key| match stepper.press(*key) {
                Effect::Show => stepper.page(stepper.at, 80).text().split_whitespace().collect::<Vec<_>>().join(" "),
                Effect::Wait => stepper.keys(80).text(),
                Effect::End => "end".into(),
            })
            .collect();
        assert_eq!(seen, expected);
    }

    #[test]
    fn forward_and_back() {
        shows(
            &[Key::Next, Key::Char('b'), Key::Next, Key::Next, Key::Next],
            &["step 2 b", "step 1 (`a` shows all) a.port", "step 2 b", "step 3 a.port", "end"],
        );
        shows(&[Key::Back, Key::Char('q')], &["[Enter] next  [/] field  [a]ll  [q]uit", "end"]);
    }

    #[test]
    fn all_fields_or_one() {
        shows(&[Key::Char('a'), Key::Char('a')], &["step 1 a.port a.host", "step 1 (`a` shows all) a.port"]);
        shows(
            &[Key::Char('/'), Key::Char('p'), Key::Char('x'), Key::Erase, Key::Next, Key::Next, Key::Leave],
            &["field: ", "field: p", "field: px", "field: p", "step 1 (`a` shows all) a.port", "step 3 a.port", "end"],
        );
    }

    #[test]
    fn a_resize_erases_only_the_pages_on_the_screen() {
        let drawn = |rewraps: bool| {
            let mut screen = Screen { columns: 20, keys_width: 15, ..Screen::default() };
            screen.show(0, &"0123456789abcdef\n\nshort".into(), Paint::PLAIN, &mut Vec::new()).unwrap();
            let mut out = Vec::new();
            assert_eq!(screen.resize(10, rewraps, &mut out).unwrap(), [0]);
            String::from_utf8(out).unwrap()
        };
        assert_eq!(drawn(false), "\x1b[3A\r\x1b[J");
        // one more for the first line, and one for the line of keys
        assert_eq!(drawn(true), "\x1b[5A\r\x1b[J");
    }
}
