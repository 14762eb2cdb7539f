//! Formats languages in which indentation makes blocks: YAML and Yay. Each level is indented by two spaces; spaces at the
//! ends of lines and repeated blank lines are removed. Everything else stays: comments, quotes, anchors, tags, documents,
//! and the texts of block scalars.
//!
//! The lines are laid out without a parser. The result counts only if it reads as the same events or tokens as before.

use crate::dialect::Dialect;
use saphyr_parser::{Event, Parser};

/// The spaces of one level.
const INDENT: usize = 2;

/// Returns the formatted text. `None` if the text cannot be read, or if another layout would change its meaning.
pub(super) fn format(dialect: Dialect, text: &str) -> Option<String> {
    let out = laid_out(text)?;
    let words = |text: &str| text.split_whitespace().collect::<String>();
    let same = is_same(dialect, text, &out) && words(text) == words(&out) && laid_out(&out)? == out;
    same.then_some(out)
}

/// Returns whether two texts have the same meaning.
fn is_same(dialect: Dialect, before: &str, after: &str) -> bool {
    if dialect.has_cells() {
        let tokens = |text: &str| -> Vec<(String, String)> {
            let tokens = dialect.tokens(text).into_iter();
            tokens.map(|(range, kind)| (kind, text.get(range).unwrap_or_default().trim().into())).collect()
        };
        return tokens(before) == tokens(after);
    }
    let (mut before, mut after) = (Parser::new_from_str(before), Parser::new_from_str(after));
    loop {
        match (before.next(), after.next()) {
            (None, None) => return true,
            (Some(Ok((a, _))), Some(Ok((b, _)))) if a == b => {
                if let Event::StreamEnd = a {
                    return true;
                }
            }
            _ => return false,
        }
    }
}

/// A line that is written when the indentation of the next one is known.
enum Waiting<'t> {
    Blank,
    Comment { column: usize, text: &'t str },
}

/// The text of a block scalar: lines that are further in than its key.
struct Scalar {
    /// The column of the key, or of the dash. `None` at the top of a document.
    column: Option<usize>,
    /// The column of the key in the result.
    now: usize,
    /// Whether the blank lines after the text belong to it (`|+`).
    keeps: bool,
}

#[derive(Default)]
struct Writer<'t> {
    out: String,
    /// The columns of the open blocks, before and now.
    blocks: Vec<(usize, usize)>,
    waiting: Vec<Waiting<'t>>,
}

/// Lays out the lines. `None` if a line is indented by tabs.
fn laid_out(text: &str) -> Option<String> {
    let mut writer = Writer::default();
    let mut scalar: Option<Scalar> = None;
    for line in text.lines() {
        let rest = line.trim_start_matches(' ');
        let column = line.len() - rest.len();
        if let Some(own) = &scalar {
            let blank = rest.trim().is_empty();
            if blank && !own.keeps {
                // it may be the last line of the text, or one after it
                writer.waiting.push(Waiting::Blank);
                continue;
            }
            if blank || own.column.is_none_or(|parent| column > parent) {
                writer.blank_lines();
                writer.shifted(line, column, own);
                continue;
            }
            scalar = None;
        }
        let rest = rest.trim_end();
        match rest.as_bytes().first() {
            None => writer.waiting.push(Waiting::Blank),
            Some(b'\t') => return None,
            Some(b'#') => writer.waiting.push(Waiting::Comment { column, text: rest }),
            Some(_) => scalar = writer.line(column, rest),
        }
    }
    writer.flush(None);
    // line ends stay as they are
    Some(if text.contains("\r\n") { writer.out.replace('\n', "\r\n") } else { writer.out })
}

impl<'t> Writer<'t> {
    /// Writes a line with content. Returns the block scalar that it begins.
    fn line(&mut self, column: usize, text: &'t str) -> Option<Scalar> {
        let marker = column == 0 && (text.starts_with("---") || text.starts_with("...") || text.starts_with('%'));
        if marker {
            self.flush(Some((0, 0)));
            self.blocks.clear();
            self.out.push_str(text);
            self.out.push('\n');
            return header(text).map(|keeps| Scalar { column: None, now: 0, keeps });
        }
        while self.blocks.last().is_some_and(|(before, _)| *before > column) {
            self.blocks.pop();
        }
        let now = match self.blocks.last() {
            Some((before, now)) if *before == column => *now,
            Some((_, now)) => now + INDENT,
            None => 0,
        };
        if self.blocks.last().is_none_or(|(before, _)| *before < column) {
            self.blocks.push((column, now));
        }
        self.flush(Some((column, now)));
        self.out.push_str(&" ".repeat(now));
        let (mut before, mut after, mut rest) = (column, now, text);
        let mut dash = (column, now);
        while let Some(inner) = rest.strip_prefix("- ").map(str::trim_start).filter(|inner| !inner.starts_with('#')) {
            dash = (before, after);
            before += rest.len() - inner.len();
            after += INDENT;
            self.blocks.push((before, after));
            self.out.push_str("- ");
            rest = inner;
        }
        self.out.push_str(rest);
        self.out.push('\n');
        let keeps = header(rest)?;
        // the text of `- |` is further in than the dash
        let (column, now) = if rest.contains(": ") { (before, after) } else { dash };
        Some(Scalar { column: Some(column), now, keeps })
    }

    /// Writes a line of a block scalar, which keeps its distance from the key.
    fn shifted(&mut self, line: &str, column: usize, scalar: &Scalar) {
        let from = scalar.column.unwrap_or(0);
        let text = line.get(column..).unwrap_or_default();
        self.out.push_str(&" ".repeat((column + scalar.now).saturating_sub(from)));
        self.out.push_str(text);
        self.out.push('\n');
    }

    /// Writes the blank lines within a block scalar.
    fn blank_lines(&mut self) {
        for _ in self.waiting.drain(..) {
            self.out.push('\n');
        }
    }

    /// Writes the blank lines and comments before a line, whose column is given before and now, or before the end.
    fn flush(&mut self, next: Option<(usize, usize)>) {
        let mut blank = false;
        for waiting in std::mem::take(&mut self.waiting) {
            match waiting {
                Waiting::Blank => blank = true,
                Waiting::Comment { column, text } => {
                    self.blank(&mut blank);
                    let block = self.blocks.iter().rev().find(|(before, _)| *before <= column);
                    let now = match next.filter(|(before, _)| *before == column) {
                        Some((_, now)) => now,
                        None => block.map_or(0, |(_, now)| *now),
                    };
                    self.out.push_str(&" ".repeat(now));
                    self.out.push_str(text);
                    self.out.push('\n');
                }
            }
        }
        if next.is_some() {
            self.blank(&mut blank);
        }
    }

    /// Writes a blank line, but none at the start.
    fn blank(&mut self, blank: &mut bool) {
        if std::mem::take(blank) && !self.out.is_empty() {
            self.out.push('\n');
        }
    }
}

/// Returns whether the blank lines after a block scalar belong to it, if a line ends with its header: `key: |`, `- >+ # c`.
fn header(line: &str) -> Option<bool> {
    let line = line.find(" #").and_then(|at| line.get(..at)).unwrap_or(line).trim_end();
    let last = line.rsplit(' ').next()?;
    let indicators = last.strip_prefix(['|', '>'])?;
    let is_header = indicators.chars().all(|c| matches!(c, '+' | '-') || c.is_ascii_digit());
    is_header.then(|| indicators.contains('+'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::Languages;
    use proptest::prelude::*;

    fn of(name: &str, text: &str) -> Option<String> {
        format(Languages::default().named(name).unwrap(), text)
    }

    #[test]
    fn blocks_are_indented_by_two() {
        let text = "\n\n# top   \na:   &x\n    b: 'q'  # c\n\n\n    # of c\n    c:\n        -   x: !t 1\n            y: |  # lit\n               two\n\n                 one  \n        - - 1\n          - \"a\n            b\"\nd: [1,\n      2]   \n    # last\n---\n{}\n\n\n";
        let expected = "# top\na:   &x\n  b: 'q'  # c\n\n  # of c\n  c:\n    - x: !t 1\n      y: |  # lit\n         two\n\n           one  \n    - - 1\n      - \"a\n        b\"\nd: [1,\n  2]\n# last\n---\n{}\n";
        assert_eq!(of("yaml", text).as_deref(), Some(expected));
        assert_eq!(of("yaml", expected).as_deref(), Some(expected));
        let yay = "a:\n    b: 1   # c\n    l:\n        - x\n        - y: 2\n\n\nc: {{ a.b }}\n";
        assert_eq!(of("yay", yay).as_deref(), Some("a:\n  b: 1   # c\n  l:\n    - x\n    - y: 2\n\nc: {{ a.b }}\n"));
    }

    #[test]
    fn what_would_change_is_left_alone() {
        // a blank line in quotes is a line end of the text, and a tab is no indentation
        for text in ["a: \"x\n\n\n  y\"\n", "a:\n\tb: 1\n", "a: [\n", "a: |+\n  x\n\n\n\n"] {
            let formatted = of("yaml", text);
            assert!(formatted.as_deref().is_none_or(|formatted| formatted == text), "{formatted:?}");
        }
    }

    proptest! {
        #[test]
        fn the_meaning_stays_and_once_is_enough(
            parts in prop::collection::vec(prop_oneof![
                Just("a:"), Just("b: 1"), Just("- x"), Just("-   k: v"), Just("- - z"), Just("c: |"), Just("d: >-"), Just("# c"), Just(""),
                Just("  "), Just("e: &a [1,"), Just("2]"), Just("f: *a"), Just("---"), Just("g: !t 'q'  # r"), Just("text"), Just("h: \"p"), Just("q\""),
            ], 1..14),
            columns in prop::collection::vec(0usize..7, 14),
        ) {
            let lines = parts.iter().zip(&columns).map(|(part, column)| match *part {
                "---" => String::from("---\n"),
                part => format!("{}{part}\n", " ".repeat(*column)),
            });
            let text: String = lines.collect();
            for name in ["yaml", "yay"] {
                let dialect = Languages::default().named(name).unwrap();
                if let Some(once) = format(dialect, &text) {
                    prop_assert!(is_same(dialect, &text, &once), "{}", once);
                    prop_assert_eq!(format(dialect, &once), Some(once.clone()), "{}", text);
                }
            }
        }
    }
}
