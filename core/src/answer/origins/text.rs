//! The origins of a whole value as text: a line for each leaf.

use crate::answer::Renderer;
use crate::answer::origins::{Leaf, Origins};
use crate::dialect::Dialect;
use crate::dialect::notation::value::one_line;
use crate::styled::table::Table;
use crate::styled::{Role, Styled};
use crate::text::path::{FieldPath, Step};
use crate::text::{Sources, Span};

/// Maximum number of lines of text. JSON has all leaves that were looked up.
pub(super) const DRAWN: usize = 100;
/// Width of a value that is shown beside a path of any width, in columns.
const VALUE: usize = 20;
/// Minimum width of a path and of a value.
const LEAST: usize = 10;
/// Width of a path for which values are made narrower.
const BESIDE: usize = 28;
/// Minimum width of a path beside its value: if there is less room, the value is on the next line.
const NARROW: usize = 18;
/// Number of blanks between the columns.
const GAPS: usize = 6;

/// Renders the leaves, without a line end after the last. If the paths of documents are too long for a line, each document has a
/// heading.
pub fn text(origins: &Origins, to: &Renderer<'_>) -> Styled {
    let leaves: Vec<&Leaf> = origins.leaves.iter().take(DRAWN).collect();
    let mut rows: Vec<[Styled; 4]> = leaves.iter().map(|leaf| columns(leaf, to.sources)).collect();
    let mut headings: Vec<Option<String>> = vec![None; rows.len()];
    let whole = Widths::of(&rows, to.width());
    if whole.path < whole.widest && leaves.iter().all(|leaf| is_in_document(leaf)) {
        let mut document = None;
        for ((leaf, row), heading) in leaves.iter().zip(&mut rows).zip(&mut headings) {
            let (first, rest) = leaf.path.steps.split_at(1);
            if document != Some(first) {
                *heading = Some(FieldPath { steps: first.to_vec() }.to_string());
                document = Some(first);
            }
            let rest =
                if rest.is_empty() { String::from("(whole)") } else { FieldPath { steps: rest.to_vec() }.to_string() };
            let role = row[0].runs().first().map_or(Role::Name, |(role, _)| *role);
            row[0] = Styled::of(role, format!("  {rest}"));
        }
    }
    let widths = Widths::of(&rows, to.width());
    let mut table = Table::new();
    for ([name, shown, place, lost], heading) in rows.iter().zip(headings) {
        if let Some(heading) = heading {
            table.line(Styled::of(Role::Heading, heading));
        }
        if widths.path < widths.widest.min(NARROW) {
            table.line(middle(name, to.width()));
            let value = to.width().saturating_sub(place.width() + lost.width() + 4 + GAPS).max(LEAST);
            let mut line = Styled::from("    ");
            line.append(&start(shown, value));
            for cell in [place, lost].into_iter().filter(|cell| !cell.is_empty()) {
                line.plain("  ");
                line.append(cell);
            }
            table.line(line);
        } else {
            table.row([middle(name, widths.path), start(shown, widths.value), place.clone(), lost.clone()]);
        }
    }
    let mut out = table.fit();
    let more = origins.more + origins.leaves.len().saturating_sub(DRAWN);
    if more > 0 {
        out.plain(format!("\n… {more} more: `--at PATH` for a part"));
    }
    if let Some(leaf) = origins.leaves.iter().find(|leaf| leaf.lost > 0 || leaf.is_fault()) {
        out.push(Role::Dim, format!("\n\n`--at '{}'` shows one in full.", leaf.path));
    }
    out
}

/// The widths of paths and values.
struct Widths {
    /// That of the widest path.
    widest: usize,
    /// Maximum width of a path.
    path: usize,
    /// Maximum width of a value.
    value: usize,
}

impl Widths {
    fn of(rows: &[[Styled; 4]], width: usize) -> Widths {
        let widest = |column: usize| rows.iter().filter_map(|row| Some(row.get(column)?.width())).max().unwrap_or(0);
        // what the places leave of the width is for the paths and values
        let room = width.saturating_sub(widest(2) + widest(3) + GAPS);
        // a value may be narrower if the path needs the room
        let least = widest(0).min(BESIDE).min(room.saturating_sub(LEAST));
        let path = widest(0).min(room.saturating_sub(widest(1).min(VALUE))).max(least).max(LEAST);
        let value = room.saturating_sub(path).clamp(LEAST, VALUE.max(width / 3));
        Widths { widest: widest(0), path, value }
    }
}

/// Returns whether the path begins with a document of a stream: `Deployment/web`, or an index.
fn is_in_document(leaf: &Leaf) -> bool {
    match leaf.path.steps.first() {
        Some(Step::Field(name)) => name.contains('/'),
        Some(Step::Index(_)) => true,
        None => false,
    }
}

/// Returns the path, the value, the place, and the number of definitions that lost.
pub(super) fn columns(leaf: &Leaf, sources: &Sources) -> [Styled; 4] {
    let value = match &leaf.value {
        Some(value) if !leaf.is_fault() => one_line(Dialect::default().of_data().spelling(), value),
        _ => Styled::of(Role::Error, "no value"),
    };
    let place = first(leaf).map(|span| sources.locate(span)).unwrap_or_default();
    let mut counts = Vec::new();
    if leaf.places.len() > 1 {
        let what = if leaf.is_fault() { "definitions" } else { "parts" };
        counts.push(format!("{} {what}", leaf.places.len()));
    }
    if leaf.lost > 0 {
        counts.push(format!("{} lost", leaf.lost));
    }
    let lost = counts.join(", ");
    let role = if leaf.is_fault() { Role::Error } else { Role::Name };
    [Styled::of(role, leaf.path.to_string()), value, Styled::of(Role::Dim, place), Styled::from(lost.as_str())]
}

fn first(leaf: &Leaf) -> Option<Span> {
    leaf.places.first().copied()
}

/// Returns the beginning and the end of a path that is too wide.
fn middle(text: &Styled, width: usize) -> Styled {
    let plain = text.text();
    let count = plain.chars().count();
    if count <= width {
        return text.clone();
    }
    let role = text.runs().first().map_or(Role::Plain, |(role, _)| *role);
    let head = width.saturating_sub(1) / 3;
    let tail = width.saturating_sub(1 + head);
    let shown = plain.chars().take(head).chain(['…']).chain(plain.chars().skip(count - tail));
    Styled::of(role, shown.collect::<String>())
}

/// Returns the beginning of a text that is too wide.
fn start(text: &Styled, width: usize) -> Styled {
    let plain = text.text();
    if plain.chars().count() <= width {
        return text.clone();
    }
    Styled::from(plain.chars().take(width - 1).chain(['…']).collect::<String>())
}
