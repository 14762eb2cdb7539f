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
/// Maximum width of a path and of a value, in columns.
const PATH: usize = 34;
const VALUE: usize = 20;

/// Renders the leaves, without a line end after the last.
pub fn text(origins: &Origins, to: &Renderer<'_>) -> Styled {
    let sources = to.sources;
    let mut table = Table::new();
    for leaf in origins.leaves.iter().take(DRAWN) {
        let [path, value, place, lost] = columns(leaf, sources);
        table.row([end(&path, PATH), start(&value, VALUE), place, lost]);
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
        Some(value) if !leaf.is_fault() => one_line(Dialect::default().spelling(), value),
        _ => Styled::of(Role::Error, "no value"),
    };
    let mut place = first(leaf).map(|span| sources.locate(span)).unwrap_or_default();
    if leaf.places.len() > 1 {
        place.push_str(&format!(" and {} more", leaf.places.len() - 1));
    }
    let lost = if leaf.lost > 0 { format!("{} lost", leaf.lost) } else { String::new() };
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
