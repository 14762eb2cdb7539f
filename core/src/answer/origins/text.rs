//! The origins of a whole value as text: a line for each leaf.

use crate::answer::Renderer;
use crate::answer::origins::{Leaf, Origins};
use crate::dialect::Dialect;
use crate::dialect::notation::value::one_line;
use crate::styled::table::Table;
use crate::styled::{Role, Styled};
use crate::text::{Sources, Span};

/// Maximum number of lines of text. JSON has all leaves that were looked up.
pub(super) const DRAWN: usize = 100;
/// Maximum width of a path, and of a value on a narrow page, in columns.
const PATH: usize = 34;
const VALUE: usize = 20;
/// Minimum width of both.
const LEAST: usize = 10;
/// Number of blanks between the columns.
const GAPS: usize = 6;

/// Renders the leaves, without a line end after the last.
pub fn text(origins: &Origins, to: &Renderer<'_>) -> Styled {
    let sources = to.sources;
    let rows: Vec<[Styled; 4]> = origins.leaves.iter().take(DRAWN).map(|leaf| columns(leaf, sources)).collect();
    let widest = |column: usize| rows.iter().filter_map(|row| Some(row.get(column)?.width())).max().unwrap_or(0);
    // what the places leave of the width is for the paths and values
    let room = to.width().saturating_sub(widest(2) + widest(3) + GAPS);
    let path = widest(0).min(PATH).min(room.saturating_sub(LEAST)).max(LEAST);
    let value = room.saturating_sub(path).clamp(LEAST, VALUE.max(to.width() / 3));
    let mut table = Table::new();
    for [name, shown, place, lost] in &rows {
        table.row([end(name, path), start(shown, value), place.clone(), lost.clone()]);
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

/// Returns the end of a text that is too wide.
fn end(text: &Styled, width: usize) -> Styled {
    let plain = text.text();
    let count = plain.chars().count();
    if count <= width {
        return text.clone();
    }
    let role = text.runs().first().map_or(Role::Plain, |(role, _)| *role);
    Styled::of(role, std::iter::once('…').chain(plain.chars().skip(count + 1 - width)).collect::<String>())
}

/// Returns the beginning of a text that is too wide.
fn start(text: &Styled, width: usize) -> Styled {
    let plain = text.text();
    if plain.chars().count() <= width {
        return text.clone();
    }
    Styled::from(plain.chars().take(width - 1).chain(['…']).collect::<String>())
}
