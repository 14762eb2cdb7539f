//! The answer as text.

use super::WhatIf;
use crate::answer::Renderer;
use crate::answer::explain::{Explanation, words};
use crate::dialect::notation::value::one_line;
use crate::styled::table::Table;
use crate::styled::{Role, Styled};
use crate::value::datum::Datum;
use crate::value::provenance::DefinitionOutcome;

/// Maximum width of a value, in columns.
const VALUE: usize = 28;

/// Renders an answer, without a line end after it.
pub fn text(answer: &WhatIf, to: &Renderer<'_>) -> Styled {
    let mut blocks = vec![head(answer, to), changes(answer)];
    if let Ok(now) = &answer.now {
        blocks.push(definitions(now, to));
    }
    blocks.push(recomputed(answer, to));
    blocks.push(edits(answer));
    let mut out = Styled::new();
    for block in blocks.iter().filter(|block| !block.is_empty()) {
        if !out.is_empty() {
            out.plain("\n\n");
        }
        out.append(block);
    }
    out
}

/// Renders a value, or that there is none.
pub fn value(datum: Option<&Datum>, to: &Renderer<'_>) -> Styled {
    match datum {
        Some(datum) => one_line(to.dialect.spelling(), datum).cut(VALUE),
        None => Styled::of(Role::Error, "no value"),
    }
}

/// `if: a.port 9 -> 443`
fn head(answer: &WhatIf, to: &Renderer<'_>) -> Styled {
    let mut out = Styled::from("what if: ");
    out.push(Role::Heading, answer.path());
    out.plain(" ");
    out.append(&value(answer.was.value.as_ref(), to));
    out.push(Role::Operator, " -> ");
    out.append(&value(answer.now.as_ref().ok().and_then(|now| now.value.as_ref()), to));
    if let Some(why) = missing(answer) {
        out.plain("\n");
        out.push(Role::Error, why);
    }
    out
}

/// Returns the reason for a missing value after the changes.
pub fn missing(answer: &WhatIf) -> Option<String> {
    match &answer.now {
        Ok(now) if now.value.is_some() => None,
        Ok(now) => Some(format!("{}{}", answer.path(), words::without(now))),
        Err(_) => Some(format!("nothing defines {}", answer.path())),
    }
}

fn changes(answer: &WhatIf) -> Styled {
    let mut table = Table::new().indented(2);
    for (layer, place) in &answer.changes {
        table.row([
            Styled::from(layer.number.to_string()),
            Styled::of(Role::Dim, place.to_string()),
            Styled::of(Role::Keyword, layer.change.words()),
        ]);
    }
    table.fit()
}

fn definitions(now: &Explanation, to: &Renderer<'_>) -> Styled {
    let mut table = Table::new().indented(2);
    for row in now.rows() {
        let role = match row.outcome {
            DefinitionOutcome::Wins => Role::Wins,
            DefinitionOutcome::Tie => Role::Error,
            _ => Role::Plain,
        };
        table.row([
            Styled::of(role, row.outcome.word()),
            Styled::from(words::strength(row, now)),
            row.value.as_ref().map_or_else(Styled::new, |v| value(Some(v), to)),
            Styled::of(Role::Dim, row.place.as_ref().map(ToString::to_string).unwrap_or_default()),
        ]);
    }
    table.fit()
}

fn recomputed(answer: &WhatIf, to: &Renderer<'_>) -> Styled {
    if answer.recomputed.is_empty() {
        return Styled::new();
    }
    let mut table = Table::new().indented(4);
    for field in &answer.recomputed {
        let mut change = value(field.was.as_ref(), to);
        change.push(Role::Operator, " -> ");
        change.append(&value(field.now.as_ref(), to));
        table.row([Styled::from(field.path.to_string()), change]);
    }
    let mut out = Styled::from("  recomputed\n");
    out.append(&table.fit());
    out
}

fn edits(answer: &WhatIf) -> Styled {
    let mut out = Styled::from("  the lines that make it so");
    for edit in &answer.edits {
        out.plain("\n    ");
        out.push(Role::Dim, edit.place.to_string());
        for (mark, lines, role) in [("-", &edit.before, Role::Lost), ("+", &edit.after, Role::Wins)] {
            for line in lines.lines() {
                out.plain(format!("\n      {mark} "));
                out.push(role, line.trim_end());
            }
        }
    }
    out
}
