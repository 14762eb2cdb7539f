//! The answer as a page: tables, no script.

use super::WhatIf;
use super::text::{missing, value};
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
    title.append(&value(answer.was.value.as_ref(), to));
    title.push(Role::Operator, " -> ");
    title.append(&value(answer.now.as_ref().ok().and_then(|now| now.value.as_ref()), to));
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
        let rows = now.rows().into_iter().map(|row| {
            let role = match row.outcome {
                DefinitionOutcome::Wins => Role::Wins,
                DefinitionOutcome::Tie => Role::Error,
                _ => Role::Plain,
            };
            vec![
                Cell::Text(Styled::of(role, row.outcome.word())),
                Cell::Text(Styled::from(words::strength(row, now))),
                Cell::Text(row.value.as_ref().map_or_else(Styled::new, |v| value(Some(v), to))),
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
            vec![
                Cell::Text(Styled::from(field.path.to_string())),
                Cell::Text(value(field.was.as_ref(), to)),
                Cell::Text(value(field.now.as_ref(), to)),
            ]
        });
        html.table(&["field", "was", "would be"], rows.collect::<Vec<_>>());
    }
    html.heading(3, &Styled::from("the lines that make it so"));
    let rows = answer.edits.iter().map(|edit| {
        vec![
            Cell::Text(Styled::of(Role::Dim, edit.place.to_string())),
            Cell::Text(Styled::of(Role::Lost, &edit.before)),
            Cell::Text(Styled::of(Role::Wins, &edit.after)),
        ]
    });
    html.table(&["where", "now", "would be"], rows.collect::<Vec<_>>());
}
