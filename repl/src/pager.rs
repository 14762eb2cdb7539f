//! Shows folded output on the alternate screen, a page at a time, forward and back.

use crate::paint::Paint;
use crate::stepper::RawMode;
use crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use std::io::{self, Write};
use unicode_width::UnicodeWidthChar;

/// The meaning of a key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Key {
    Rows(isize),
    Pages(isize),
    Top,
    Bottom,
    Find,
    Again(bool),
    Leave,
    Enter,
    Erase,
    Char(char),
    Other,
}

/// A text of many rows, and the current position in it.
struct Pager<'t> {
    text: &'t str,
    columns: usize,
    /// Number of visible rows.
    seen: usize,
    /// The text as rows that fit the screen, with colours.
    rows: Vec<String>,
    /// The index of the text's line that each row belongs to.
    lines: Vec<usize>,
    top: usize,
    /// The search text.
    search_text: String,
    /// The search text while it is being typed.
    typing: Option<String>,
    note: &'static str,
}

/// Shows painted text until the user leaves.
pub fn show(text: &str, paint: Paint, size: (usize, usize), out: &mut impl Write) -> io::Result<()> {
    let _raw = RawMode::enter()?;
    out.write_all(b"\x1b[?1049h\x1b[?25l")?;
    let shown = pages(text, paint, size, out);
    out.write_all(b"\x1b[?25h\x1b[?1049l")?;
    out.flush()?;
    shown
}

fn pages(text: &str, paint: Paint, size: (usize, usize), out: &mut impl Write) -> io::Result<()> {
    let mut pager = Pager::new(text, size);
    loop {
        write!(out, "\x1b[H{}", pager.screen(paint))?;
        out.flush()?;
        let key = match event::read()? {
            Event::Resize(columns, rows) => {
                pager.resize((columns.into(), rows.into()));
                continue;
            }
            Event::Key(key) if key.kind != KeyEventKind::Release => key,
            _ => continue,
        };
        if !pager.press(key_meaning(key, pager.typing.is_some())) {
            return Ok(());
        }
    }
}

/// Returns the meaning of a key; `typing` is whether a search text is being typed.
fn key_meaning(key: KeyEvent, typing: bool) -> Key {
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    match key.code {
        KeyCode::Esc => Key::Leave,
        KeyCode::Char('c' | 'd' | 'g') if control => Key::Leave,
        KeyCode::Enter => Key::Enter,
        KeyCode::Backspace => Key::Erase,
        KeyCode::Char(c) if typing && !control => Key::Char(c),
        KeyCode::Char('f' | 'v') | KeyCode::Char(' ') | KeyCode::PageDown | KeyCode::Right => Key::Pages(1),
        KeyCode::Char('b') | KeyCode::PageUp | KeyCode::Left => Key::Pages(-1),
        KeyCode::Char('j') | KeyCode::Down => Key::Rows(1),
        KeyCode::Char('k') | KeyCode::Up => Key::Rows(-1),
        KeyCode::Char('g' | '<') | KeyCode::Home => Key::Top,
        KeyCode::Char('G' | '>') | KeyCode::End => Key::Bottom,
        KeyCode::Char('/') => Key::Find,
        KeyCode::Char('n') => Key::Again(true),
        KeyCode::Char('N' | 'p') => Key::Again(false),
        KeyCode::Char('q') => Key::Leave,
        _ => Key::Other,
    }
}

impl<'t> Pager<'t> {
    fn new(text: &'t str, size: (usize, usize)) -> Pager<'t> {
        let mut pager = Pager {
            text,
            columns: 0,
            seen: 0,
            rows: Vec::new(),
            lines: Vec::new(),
            top: 0,
            search_text: String::new(),
            typing: None,
            note: "",
        };
        pager.resize(size);
        pager
    }

    /// Lays out the text again; the text in the first row stays there.
    fn resize(&mut self, (columns, rows): (usize, usize)) {
        let line = self.lines.get(self.top).copied().unwrap_or(0);
        let of_line = |lines: &[usize]| lines.iter().position(|l| *l == line).unwrap_or(0);
        let first = of_line(&self.lines);
        let above: usize = self.rows.iter().take(self.top).skip(first).map(|row| length(row)).sum();
        self.columns = columns.max(1);
        self.seen = rows.saturating_sub(1).max(1);
        let wrapped = self.text.lines().map(|line| wrapped(line, self.columns)).enumerate();
        (self.lines, self.rows) = wrapped.flat_map(|(line, rows)| rows.into_iter().map(move |row| (line, row))).unzip();
        let first = of_line(&self.lines);
        let mut upto = 0;
        let passed = self.rows.iter().skip(first).take_while(|row| {
            upto += length(row);
            upto <= above && upto > 0
        });
        self.go(first + passed.count());
    }

    fn go(&mut self, top: usize) {
        self.top = top.min(self.rows.len().saturating_sub(self.seen));
    }

    /// Handles a key; returns `false` if the user leaves.
    fn press(&mut self, key: Key) -> bool {
        self.note = "";
        if let Some(typed) = &mut self.typing {
            match key {
                Key::Char(c) => typed.push(c),
                Key::Erase => drop(typed.pop()),
                Key::Leave => self.typing = None,
                Key::Enter => {
                    self.search_text = self.typing.take().unwrap_or_default();
                    self.find(true);
                }
                _ => {}
            }
            return true;
        }
        let page = self.seen.saturating_sub(1).max(1);
        match key {
            Key::Rows(by) => self.go(self.top.saturating_add_signed(by)),
            Key::Enter => self.go(self.top + 1),
            Key::Pages(by) => self.go(self.top.saturating_add_signed(by * isize::try_from(page).unwrap_or(1))),
            Key::Erase => self.go(self.top.saturating_sub(page)),
            Key::Top => self.go(0),
            Key::Bottom => self.go(usize::MAX),
            Key::Find => self.typing = Some(String::new()),
            Key::Again(on) => self.find(on),
            Key::Leave => return false,
            Key::Char(_) | Key::Other => {}
        }
        true
    }

    /// Moves to the next or the previous row that contains the search text.
    fn find(&mut self, on: bool) {
        if self.search_text.is_empty() {
            return;
        }
        let holds = |row: &&usize| self.rows.get(**row).is_some_and(|row| plain(row).contains(&self.search_text));
        let found = match on {
            true => (self.top + 1..self.rows.len()).collect::<Vec<_>>().iter().find(holds).copied(),
            false => (0..self.top).rev().collect::<Vec<_>>().iter().find(holds).copied(),
        };
        match found {
            Some(row) if row <= self.rows.len().saturating_sub(self.seen) => self.top = row,
            // the row is already on the last screen
            Some(row) if self.top + self.seen < self.rows.len() || row < self.top => self.go(row),
            _ => self.note = "not found",
        }
    }

    /// Returns the whole screen.
    fn screen(&self, paint: Paint) -> String {
        let mut out = String::new();
        for row in self.rows.iter().skip(self.top).take(self.seen) {
            out.push_str(&mark(row, &self.search_text, paint));
            out.push_str("\x1b[K\r\n");
        }
        for _ in self.rows.len().saturating_sub(self.top)..self.seen {
            out.push_str("\x1b[K\r\n");
        }
        let last = (self.top + self.seen).min(self.rows.len());
        let footer = match &self.typing {
            Some(typed) => format!("find: {typed}"),
            None => {
                let keys = "[Space] next  [b]ack  [/] find  [q]uit";
                let at = format!("{}-{last} of {} rows", self.top + 1, self.rows.len());
                if self.note.is_empty() { format!("{at}   {keys}") } else { format!("{at}   {}", self.note) }
            }
        };
        let footer: String = footer.chars().take(self.columns.saturating_sub(1)).collect();
        let style = if paint.colour { nu_ansi_term::Style::new().reverse() } else { nu_ansi_term::Style::new() };
        out.push_str(&if style.is_plain() { footer } else { style.paint(footer).to_string() });
        out.push_str("\x1b[K");
        out
    }
}

/// Returns the number of characters of a row, without colours.
fn length(row: &str) -> usize {
    plain(row).chars().count()
}

/// Returns a row without its colours.
fn plain(row: &str) -> String {
    let mut out = String::new();
    let mut rest = row;
    while let Some(at) = rest.find('\x1b') {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        rest = from.find('m').and_then(|end| from.get(end + 1..)).unwrap_or_default();
    }
    out + rest
}

/// Highlights the search text in a row if colours are on; the row loses its own colours.
fn mark(row: &str, search_text: &str, paint: Paint) -> String {
    if search_text.is_empty() || !paint.colour || !plain(row).contains(search_text) {
        return String::from(row);
    }
    plain(row).replace(search_text, &nu_ansi_term::Style::new().reverse().paint(search_text).to_string())
}

/// Breaks a painted line into rows of at most `columns` columns; a colour continues in the next row.
fn wrapped(line: &str, columns: usize) -> Vec<String> {
    if line.len() <= columns && !line.contains('\t') {
        return vec![String::from(line)];
    }
    let mut rows = Vec::new();
    let (mut row, mut used, mut style) = (String::new(), 0, String::new());
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        if c == '\x1b' {
            let sequence: String =
                std::iter::once(c).chain(chars.by_ref().take_while(|c| *c != 'm')).chain(['m']).collect();
            style = if sequence == "\x1b[0m" { String::new() } else { sequence.clone() };
            row.push_str(&sequence);
            continue;
        }
        let (shown, width) = match c {
            '\t' => ("    ".into(), 4),
            c => (String::from(c), c.width().unwrap_or(0)),
        };
        if used + width > columns && used > 0 {
            let end = if style.is_empty() { "" } else { "\x1b[0m" };
            rows.push(std::mem::replace(&mut row, style.clone()) + end);
            used = 0;
        }
        row.push_str(&shown);
        used += width;
    }
    rows.push(row);
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text() -> String {
        (1..=20).map(|n| format!("line {n}\n")).collect()
    }

    /// Checks the first row and the footer after some keys.
    #[track_caller]
    fn shows(keys: &[Key], first: &str, footer: &str) {
        let text = text();
        let mut pager = Pager::new(&text, (60, 6));
        for key in keys {
            assert!(pager.press(*key));
        }
        let screen = pager.screen(Paint::PLAIN).replace("\x1b[K", "");
        let rows: Vec<&str> = screen.split("\r\n").collect();
        assert_eq!((rows.len(), rows[0]), (6, first));
        assert!(rows[5].starts_with(footer), "{}", rows[5]);
    }

    #[test]
    fn forward_and_back_by_rows_and_screens() {
        shows(&[], "line 1", "1-5 of 20 rows");
        shows(&[Key::Pages(1)], "line 5", "5-9 of 20 rows");
        shows(&[Key::Pages(1), Key::Rows(1), Key::Pages(-1)], "line 2", "2-6 of");
        shows(&[Key::Bottom], "line 16", "16-20 of");
        shows(&[Key::Bottom, Key::Pages(1), Key::Top, Key::Rows(-1)], "line 1", "1-5 of");
    }

    #[test]
    fn a_match_moves_to_the_top() {
        let find = |text: &str| -> Vec<Key> {
            std::iter::once(Key::Find).chain(text.chars().map(Key::Char)).chain([Key::Enter]).collect()
        };
        shows(&[Key::Find, Key::Char('7')], "line 1", "find: 7");
        shows(&find("7"), "line 7", "7-11 of");
        shows(&[find("7"), vec![Key::Again(true)]].concat(), "line 16", "16-20 of");
        shows(&[find("1"), vec![Key::Again(true), Key::Again(false)]].concat(), "line 10", "10-14 of");
        shows(&find("none"), "line 1", "1-5 of 20 rows   not found");
    }

    #[test]
    fn wrapped_lines_keep_their_colour() {
        assert_eq!(wrapped("abcdef", 4), ["abcd", "ef"]);
        assert_eq!(wrapped("a\x1b[1mbcdef\x1b[0mg", 4), ["a\x1b[1mbcd\x1b[0m", "\x1b[1mef\x1b[0mg"]);
        assert_eq!(wrapped("日本語", 4), ["日本", "語"]);
        assert_eq!(plain("a\x1b[1mb\x1b[0mc"), "abc");
    }

    #[test]
    fn a_resize_keeps_the_position() {
        let text = text();
        let mut pager = Pager::new(&text, (60, 6));
        pager.press(Key::Pages(2));
        pager.resize((3, 6));
        // nine lines of two rows each and eleven of three; `line 9` was at the top
        assert_eq!((pager.rows.len(), pager.top), (51, 16));
        assert_eq!(pager.rows[16..18].concat(), "line 9");
        // an empty line is a position too
        let mut pager = Pager::new("\n\nab\n\nc\nd\ne\nf\n", (60, 3));
        pager.resize((1, 3));
        assert_eq!(pager.top, 0);
        pager.press(Key::Rows(4));
        pager.resize((60, 3));
        assert_eq!((pager.top, pager.rows[pager.top].as_str()), (3, ""));
    }
}
