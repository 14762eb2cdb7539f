//! The answer as text.

use super::{Form, Rows, Shown, table};
use crate::answer::{Answer, Renderer};
use crate::dialect::notation::value::one_line;
use crate::styled::table::Table;
use crate::styled::{Role, Styled};
use crate::text::counted;
use crate::value::datum::Datum;

/// Maximum width of a cell, in columns.
const CELL: usize = 40;
/// Maximum depth of a tree. Deeper values are shown on one line.
const DEPTH: usize = 24;
/// Maximum number of lines of a tree.
const LINES: usize = 2000;

/// Renders an answer, without a line end after it.
pub fn text(answer: &Shown, to: &Renderer<'_>) -> Styled {
    match answer.form {
        Form::Json | Form::Yaml => Styled::from(answer.text.trim_end()),
        Form::Table => rows(answer, to),
        Form::Tree => {
            let mut lines = Lines { to, out: Styled::new(), count: 0 };
            lines.part(Styled::new(), &answer.value.datum, &mut Vec::new());
            if lines.count > LINES {
                lines.out.push(Role::Dim, format!("\n… {}", counted(lines.count - LINES, "more line")));
            }
            lines.out
        }
    }
}

fn rows(answer: &Shown, to: &Renderer<'_>) -> Styled {
    let Some(rows) = table(&answer.value.datum) else { return answer.value.text(to) };
    if rows.rows.is_empty() {
        return Styled::of(Role::Dim, "no rows");
    }
    let mut out = Table::new();
    out.row(rows.head.iter().map(|title| Styled::of(Role::Dim, title)));
    for (name, cells) in &rows.rows {
        let cell = |datum: &Option<&Datum>| match datum {
            Some(datum) => one_line(to.dialect.spelling(), datum).cut(CELL),
            None => Styled::new(),
        };
        out.row(std::iter::once(Styled::of(Role::Name, name)).chain(cells.iter().map(cell)));
    }
    let mut out = out.fit();
    let is_wide = |width: usize| out.text().lines().any(|line| Styled::from(line).width() > width);
    if rows.head.len() > 2 && to.page.is_some_and(is_wide) {
        out = records(&rows, to);
    }
    if rows.more > 0 {
        out.push(Role::Dim, format!("\n… {}", counted(rows.more, "more row")));
    }
    out
}

/// Renders a table that is too wide for the page as a block for each row, with a line for each column.
fn records(rows: &Rows<'_>, to: &Renderer<'_>) -> Styled {
    let mut out = Table::new().within(to.page);
    let (first, titles) =
        rows.head.split_first().map_or(("", rows.head.as_slice()), |(first, rest)| (first.as_str(), rest));
    for (name, cells) in &rows.rows {
        out.line(Styled::of(Role::Name, format!("{first}{name}")));
        for (title, datum) in titles.iter().zip(cells) {
            let Some(datum) = datum else { continue };
            out.row([Styled::of(Role::Dim, format!("  {title}")), one_line(to.dialect.spelling(), datum).cut(CELL)]);
        }
    }
    out.fit()
}

/// The lines of a tree.
struct Lines<'a> {
    to: &'a Renderer<'a>,
    out: Styled,
    count: usize,
}

impl Lines<'_> {
    /// Writes a value after its label, and the lines of its parts. `before` says for each level around it whether more
    /// parts follow. Recurses at most [`DEPTH`] levels.
    fn part(&mut self, label: Styled, datum: &Datum, before: &mut Vec<bool>) {
        let parts: Vec<(Styled, Option<&Datum>)> = match datum {
            _ if before.len() >= DEPTH => Vec::new(),
            Datum::Record(entries) => {
                entries.iter().map(|e| (Styled::of(Role::Name, e.name.as_str()), e.value.as_ref())).collect()
            }
            Datum::Array(items) => items
                .iter()
                .enumerate()
                .map(|(at, item)| (Styled::of(Role::Dim, format!("[{at}]")), Some(item)))
                .collect(),
            Datum::Map(entries) => {
                let spelling = self.to.dialect.spelling();
                entries.iter().map(|(key, value)| (one_line(spelling, key).cut(CELL), Some(value))).collect()
            }
            _ => Vec::new(),
        };
        let mut line = label;
        if parts.is_empty() {
            if !line.is_empty() {
                line.plain(" ");
            }
            let room = self.to.width().saturating_sub(3 * before.len() + line.width() + 1).max(CELL);
            line.append(&one_line(self.to.dialect.spelling(), datum).cut(room));
        } else if before.is_empty() {
            line.push(Role::Dim, if matches!(datum, Datum::Array(_)) { "[]" } else { "{}" });
        }
        self.line(line, before);
        let count = parts.len();
        for (at, (label, part)) in parts.into_iter().enumerate() {
            before.push(at + 1 < count);
            match part {
                Some(part) => self.part(label, part, before),
                None => self.line(label, before),
            }
            before.pop();
        }
    }

    fn line(&mut self, line: Styled, before: &[bool]) {
        self.count += 1;
        if self.count > LINES {
            return;
        }
        if self.count > 1 {
            self.out.plain("\n");
        }
        for (level, follows) in before.iter().enumerate() {
            let is_last = level + 1 == before.len();
            let mark = match (is_last, follows) {
                (true, true) => "├─ ",
                (true, false) => "└─ ",
                (false, true) => "│  ",
                (false, false) => "   ",
            };
            self.out.push(Role::Dim, mark);
        }
        self.out.append(&line);
    }
}
