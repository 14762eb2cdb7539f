//! The answer as a page: tables, no script.

use super::WhatIf;
use super::text::{change, missing, of_rows, values};
use crate::answer::Renderer;
use crate::answer::explain::words;
use crate::styled::{Role, Styled};
use crate::value::provenance::DefinitionOutcome;
use crate::view::html::{Cell, Html};

/// Writes an answer.
pub fn html(answer: &WhatIf, to: &Renderer<'_>, html: &mut Html) {
    let mut title = Styled::from("what if: ");
    title.push(Role::Name, answer.path());
    title.plain(" ");
    let now = answer.now.as_ref().ok().and_then(|now| now.value.as_ref());
    title.append(&change(answer.was.value.as_ref(), now, to));
    html.heading(2, &title);
    if let Some(why) = missing(answer) {
        html.paragraph(&Styled::of(Role::Error, why));
    }
    let changes = answer.changes.iter().map(|(layer, place)| {
        vec![
            Cell::Text(Styled::from(layer.number.to_string())),
            Cell::Text(Styled::of(Role::Dim, place.to_string())),
            Cell::Text(Styled::of(Role::Keyword, layer.change.words())),
        ]
    });
    html.table(&["definition", "where", "change"], changes.collect::<Vec<_>>());
    if let Ok(now) = &answer.now {
        let rows = now.rows();
        let rows = rows.iter().zip(of_rows(&rows, to)).map(|(row, value)| {
            let role = match row.outcome {
                DefinitionOutcome::Wins => Role::Wins,
                DefinitionOutcome::Tie => Role::Error,
                _ => Role::Plain,
            };
            vec![
                Cell::Text(Styled::of(role, row.outcome.word())),
                Cell::Text(Styled::from(words::strength(row, now))),
                Cell::Text(value),
                Cell::Text(Styled::of(Role::Dim, row.place.as_ref().map(ToString::to_string).unwrap_or_default())),
            ]
        });
        html.table(
            &["outcome", if now.chain { "layer" } else { "priority" }, "value", "where"],
            rows.collect::<Vec<_>>(),
        );
    }
    if !answer.recomputed.is_empty() {
        html.heading(3, &Styled::from("recomputed"));
        let rows = answer.recomputed.iter().map(|field| {
            let values = values([field.was.as_ref(), field.now.as_ref()], to).into_iter().map(Cell::Text);
            std::iter::once(Cell::Text(Styled::from(field.path.to_string()))).chain(values).collect::<Vec<_>>()
        });
        html.table(&["field", "was", "would be"], rows.collect::<Vec<_>>());
    }
    html.heading(3, &Styled::from("the lines that make it so"));
    let rows = answer.changed_lines().map(|edit| {
        vec![
            Cell::Text(Styled::of(Role::Dim, edit.place.to_string())),
            Cell::Text(Styled::of(Role::Lost, &edit.before)),
            Cell::Text(Styled::of(Role::Wins, &edit.after)),
        ]
    });
    html.table(&["where", "now", "would be"], rows.collect::<Vec<_>>());
}
