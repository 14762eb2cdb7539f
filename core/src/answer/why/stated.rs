//! The answer about a problem that is not about types: it follows from its own places, which its report names.

use super::text::EXCERPT;
use crate::answer::Renderer;
use crate::problem::report::Report;
use crate::styled::table::Table;
use crate::styled::{Role, Styled, wrap};
use crate::text::on_one_line;
use serde_json::{Value, json};

/// Renders the places, each with its text and its part in the problem, and then the notes and suggestions. No line end after the
/// last line.
pub fn text(report: &Report, to: &Renderer<'_>) -> Styled {
    let mut out = Styled::of(Role::Heading, &report.message);
    out.push(Role::Dim, format!(" [{}]", report.code));
    let mut table = Table::new().indented(2).within(to.page);
    for (number, label) in report.labels.iter().enumerate() {
        let says = if label.text.is_empty() { "it is here" } else { label.text.as_str() };
        table.row([
            Styled::of(Role::Dim, (number + 1).to_string()),
            Styled::from(on_one_line(&to.sources.slice(label.span))).cut(EXCERPT),
            Styled::of(Role::Dim, to.sources.locate(label.span)),
            Styled::from(says),
        ]);
    }
    if !report.labels.is_empty() {
        out.plain("\n\n");
        out.append(&table.fit());
    }
    let closing = match report.labels.len() {
        0 => "it is about the whole of it: no part of a text leads to it",
        1 => "it follows from the text at this place alone",
        _ => "it follows from the text at these places alone",
    };
    out.plain("\n");
    let facts = report.notes.iter().chain(&report.suggestions).map(String::as_str);
    for line in facts.chain([closing]).flat_map(str::lines) {
        out.plain("\n  ");
        out.plain(wrap::sentence(line, to.width().saturating_sub(2), 2));
    }
    out
}

/// Returns the answer as JSON, version 1: `docs/schema/why.json`. There is no chain of types, so it has no steps.
pub fn json(report: &Report) -> Value {
    json!({
        "version": 1,
        "path": "",
        "sentence": report.message,
        "code": report.code,
        "type": null,
        "steps": [],
        "meets": null,
        "fix": null,
        "least": true,
    })
}
