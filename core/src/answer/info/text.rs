//! Facts as text: lines of the form `key: value`.

use super::Info;
use crate::answer::types::styled;
use crate::answer::{Answer, Renderer};
use crate::dialect::notation::value::laid_out;
use crate::styled::wrap::column;
use crate::styled::{Role, Styled};
use crate::text::{Span, counted};
use crate::value::datum::Datum;
use unicode_width::UnicodeWidthStr;

/// Maximum number of lines of a definition's text.
const LINES: usize = 8;
/// Maximum number of places of a field.
const PLACES: usize = 5;
/// Maximum number of names in a line.
const NAMES: usize = 20;
/// Maximum number of lines of the known part of a value.
const KNOWN: usize = 12;

/// Renders the facts, without a line end after the last.
pub(super) fn text(info: &Info, to: &Renderer<'_>) -> Styled {
    let mut rows = Rows { out: Styled::of(Role::Name, info.name.as_str()), to };
    rows.out.push(Role::Operator, to.dialect.spelling().of);
    let ty = styled(&info.scheme, to);
    rows.out.append(&to.page.map_or_else(|| ty.clone(), |width| ty.cut(width * LINES)));
    for (index, place) in info.places.iter().take(PLACES).enumerate() {
        rows.place(if index == 0 { "defined at" } else { "and at" }, *place);
    }
    if let Some(more) = info.places.len().checked_sub(PLACES + 1) {
        let name = &info.name;
        rows.out.push(Role::Dim, format!("\nand at {}: `:explain {name}`", counted(more + 1, "more place")));
    }
    for contract in &info.contracts {
        rows.row("contract", &Styled::of(Role::Type, contract));
    }
    for ty in &info.types {
        rows.row("annotated", &Styled::of(Role::Type, ty));
    }
    if let Some(doc) = &info.doc {
        rows.documentation(doc);
    }
    if let Some(known) = &info.known {
        rows.known(known);
    }
    for (key, names) in [("reads", &info.reads), ("read by", &info.users)] {
        if !names.is_empty() {
            rows.row(key, &list(names));
        }
    }
    if info.problems > 0 {
        let Info { problems, name, .. } = info;
        rows.out.push(Role::Error, format!("\nproblems of its types: {problems} (`:type {name}`, `:why {name}`)"));
    }
    rows.out
}

/// Lines of the form `key: value`.
struct Rows<'r, 'a> {
    out: Styled,
    to: &'r Renderer<'a>,
}

impl Rows<'_, '_> {
    fn row(&mut self, key: &str, value: &Styled) {
        self.out.plain("\n");
        self.out.push(Role::Heading, key);
        self.out.plain(": ");
        self.out.append(value);
    }

    fn known(&mut self, known: &Datum) {
        let to = self.to;
        let shown = laid_out(to.dialect.spelling(), known, to.width(), &|span| to.written(span));
        let lines = shown.text().lines().count();
        if to.page.is_none() || lines <= KNOWN {
            self.row("known so far", &shown);
            return;
        }
        self.row("known so far", &beginning(&shown, KNOWN));
        self.out.push(Role::Dim, format!("\n  … {}: `:sprint` shows the rest", counted(lines - KNOWN, "more line")));
    }

    /// Adds prose; further lines are indented to the column where it begins.
    fn documentation(&mut self, text: &str) {
        let key = "documentation";
        let (text, hang) = (text.trim_end(), key.len() + 2);
        let prose = match self.to.page {
            Some(width) => column(Role::String, text, width, hang),
            None => Styled::of(Role::String, text),
        };
        self.row(key, &prose);
    }

    fn place(&mut self, key: &str, place: Span) {
        let Some(source) = self.to.sources.get(place.source) else { return };
        let position = source.position(place.start);
        let key = format!("{key} {}:{}:{}", source.name, position.line, position.column);
        let text = first_lines(&self.to.sources.slice(place));
        let text = match self.to.page {
            Some(width) => cut(&text, width, key.width() + 2),
            None => text,
        };
        self.row(&key, &Styled::from(text.as_str()));
    }
}

/// Returns at most `most` lines of a text.
fn beginning(text: &Styled, most: usize) -> Styled {
    let mut out = Styled::new();
    let mut left = most;
    for (role, run) in text.runs() {
        let end = run.match_indices('\n').nth(left.saturating_sub(1)).map(|(at, _)| at);
        out.push(*role, run.get(..end.unwrap_or(run.len())).unwrap_or_default());
        if end.is_some() {
            break;
        }
        left = left.saturating_sub(run.matches('\n').count());
    }
    out
}

/// Returns the first lines of a definition's text.
pub(super) fn first_lines(text: &str) -> String {
    let mut lines: Vec<&str> = text.lines().take(LINES).collect();
    if text.lines().count() > LINES {
        lines.push("…");
    }
    lines.join("\n")
}

/// Cuts the lines of a program to a width in columns; the first line begins after `before` columns.
fn cut(text: &str, width: usize, before: usize) -> String {
    let rooms = std::iter::once(width.saturating_sub(before).max(20)).chain(std::iter::repeat(width));
    let lines = text.lines().zip(rooms).map(|(line, room)| Styled::from(line).cut(room).text());
    lines.collect::<Vec<_>>().join("\n")
}

fn list(all: &[String]) -> Styled {
    let shown: Vec<&str> = all.iter().take(NAMES).map(String::as_str).collect();
    let mut out = Styled::of(Role::Name, shown.join(", "));
    if all.len() > NAMES {
        out.push(Role::Dim, format!(" and {} more", all.len() - NAMES));
    }
    out
}

impl Info {
    /// Renders the facts for a page of HTML, whose lines wrap by themselves.
    pub(super) fn unwrapped(&self, to: &Renderer<'_>) -> Styled {
        self.text(&Renderer { page: None, ..*to })
    }
}
