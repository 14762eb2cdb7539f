//! Differences as HTML: a table, a row for each field that differs.

use crate::answer::Renderer;
use crate::answer::shared::compare::{Change, Comparison, Side};
use crate::answer::shared::{ROWS, VALUE};
use crate::styled::{Role, Styled};
use crate::view::html::{Cell, Html};

/// Writes the differences.
pub fn html(found: &Comparison, to: &Renderer<'_>, html: &mut Html) {
    if !found.changes.is_empty() {
        let rows: Vec<_> = found.changes.iter().take(ROWS).map(|change| row(change, to)).collect();
        html.table(&["", "field", "left", "right", ""], rows);
        if found.changes.len() > ROWS {
            html.paragraph(&Styled::of(Role::Dim, format!("… {} more", found.changes.len() - ROWS)));
        }
    }
    html.paragraph(&Styled::of(Role::Dim, super::text::footer(found)));
}

fn row(change: &Change, to: &Renderer<'_>) -> Vec<Cell> {
    let word = match (&change.left, &change.right) {
        (Some(_), None) => Styled::of(Role::Lost, "removed"),
        (None, Some(_)) if !change.recomputed => Styled::of(Role::Wins, "added"),
        _ => Styled::of(Role::Note, "changed"),
    };
    let path = change.label();
    let counts = matches!((&change.left, &change.right), (Some(a), Some(b)) if a.priority != b.priority);
    let shown: Vec<Styled> =
        [&change.left, &change.right].into_iter().flatten().map(|side| to.side(side, counts)).collect();
    let side = |side: &Option<Side>, lost: bool| {
        let Some(side) = side else { return Cell::Text(Styled::new()) };
        let mut text = to.side(side, counts).cut_apart(VALUE, &shown);
        if lost {
            text = Styled::of(Role::Lost, text.text());
        }
        if let Some(span) = side.span.filter(|_| !change.recomputed) {
            text.plain("\n");
            text.push(Role::Dim, to.sources.locate(span));
        }
        Cell::Text(text)
    };
    let mut why = Styled::new();
    if change.recomputed {
        let reads: Vec<String> = change.reads.iter().map(ToString::to_string).collect();
        let words = if reads.is_empty() { String::new() } else { format!(", it reads {}", reads.join(", ")) };
        why = Styled::of(Role::Dim, format!("recomputed{words}"));
    }
    vec![
        Cell::Text(word),
        Cell::Head(Styled::of(Role::Name, if path.is_empty() { "(whole)" } else { &path })),
        side(&change.left, true),
        side(&change.right, false),
        Cell::Text(why),
    ]
}
