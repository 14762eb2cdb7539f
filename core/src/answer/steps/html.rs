//! Steps as HTML: a sequence of disclosure elements, which need no script.

use super::text::footer;
use crate::answer::Renderer;
use crate::answer::steps::{Entry, MergeStep, StepEffect, Steps};
use crate::styled::{Role, Styled};
use crate::text::counted;
use crate::view::html::{Cell, Html};

/// Writes the steps, the first one open.
pub fn html(steps: &Steps, to: &Renderer<'_>, out: &mut Html) {
    let mut first = true;
    if !steps.demands.steps.is_empty() {
        let rows = steps.demands.steps.iter().enumerate().map(|(at, step)| {
            let place = step.place.map(|place| to.place(place)).unwrap_or_default();
            vec![
                Cell::Head(Styled::from((at + 1).to_string())),
                Cell::Text(step.text(to)),
                Cell::Text(Styled::of(Role::Dim, place)),
            ]
        });
        out.table(&["step", "demand", "where"], rows);
    }
    for chain in &steps.chains {
        if !chain.at.steps.is_empty() {
            out.heading(2, &Styled::of(Role::Name, chain.at.to_string()));
        }
        for step in &chain.steps {
            let mut summary = Styled::of(Role::Heading, format!("step {} of {}", step.n, chain.total));
            let left = if step.n == 1 { to.label(&chain.first) } else { format!("(step {})", step.n - 1) };
            summary.plain(format!(": {left} {} {}", step.operator.text(), to.label(&step.operand)));
            summary.push(Role::Dim, format!(" — {} unchanged, {} shown", counted(step.same, "field"), step.shown()));
            out.details(std::mem::take(&mut first), &summary, |html| table(html, step, to));
        }
    }
    out.paragraph(&footer(steps, to));
}

fn table(html: &mut Html, step: &MergeStep, to: &Renderer<'_>) {
    if let Some(span) = step.merged {
        html.paragraph(&Styled::of(Role::Dim, format!("merged at {}", to.place(span))));
    }
    let shown = |entry: &&Entry| entry.kind != StepEffect::Equal || !step.unchanged.is_empty();
    let rows = step.entries.iter().filter(shown).map(|entry| row(entry, to));
    let same = step.unchanged.iter().map(|(path, datum)| {
        vec![
            Cell::Head(name(&path.to_string())),
            Cell::Text(to.value(datum)),
            Cell::Wide(Styled::of(Role::Dim, "unchanged"), 3),
        ]
    });
    html.table(&["field", "left", "right", "result", "because"], rows.chain(same));
}

fn name(path: &str) -> Styled {
    Styled::of(Role::Name, if path.is_empty() { "(whole)" } else { path })
}

fn row(entry: &Entry, to: &Renderer<'_>) -> Vec<Cell> {
    let mut because = Styled::new();
    for (index, line) in to.reason_lines(entry).iter().enumerate() {
        if index > 0 {
            because.plain("\n");
        }
        because.append(line);
    }
    let place = |mut text: Styled, side: Option<&crate::answer::shared::compare::Side>| {
        if let Some(span) = side.and_then(|side| side.span) {
            text.plain("\n");
            text.push(Role::Dim, to.place(span));
        }
        text
    };
    let head = Cell::Head(name(&entry.path.to_string()));
    match to.cells(entry, true) {
        Some([left, right, result]) => vec![
            head,
            Cell::Text(place(left, entry.left.as_ref())),
            Cell::Text(place(right, entry.right.as_ref())),
            Cell::Text(result),
            Cell::Text(because),
        ],
        None => {
            let value = |side: &Option<crate::answer::shared::compare::Side>| match side {
                Some(side) => to.value(&side.value),
                None => Styled::of(Role::Dim, "nothing"),
            };
            let was = Styled::of(Role::Lost, value(&entry.left).text());
            vec![
                head,
                Cell::Text(was),
                Cell::Text(Styled::new()),
                Cell::Text(value(&entry.result)),
                Cell::Text(because),
            ]
        }
    }
}
