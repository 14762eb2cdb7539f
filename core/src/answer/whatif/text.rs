//! The answer as text.

use super::WhatIf;
use crate::answer::Renderer;
use crate::answer::explain::{DefinitionRow, Explanation, words};
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

/// Renders values that are compared, cut so that they stay different, or that there is none.
pub fn values<'d>(data: impl IntoIterator<Item = Option<&'d Datum>>, to: &Renderer<'_>) -> Vec<Styled> {
    let value = |datum: Option<&Datum>| match datum {
        Some(datum) => one_line(to.dialect.spelling(), datum),
        None => Styled::of(Role::Error, "no value"),
    };
    let values: Vec<Styled> = data.into_iter().map(value).collect();
    Styled::cut_all(&values, VALUE)
}

/// `9 -> 443`
pub fn change(was: Option<&Datum>, now: Option<&Datum>, to: &Renderer<'_>) -> Styled {
    let mut out = Styled::new();
    for (at, value) in values([was, now], to).iter().enumerate() {
        out.push(Role::Operator, if at == 0 { "" } else { " -> " });
        out.append(value);
    }
    out
}

/// Renders the values of definitions; those without a value have an empty text.
pub fn of_rows(rows: &[&DefinitionRow], to: &Renderer<'_>) -> Vec<Styled> {
    let mut shown = values(rows.iter().filter_map(|row| row.value.as_ref()).map(Some), to).into_iter();
    rows.iter().map(|row| row.value.as_ref().and_then(|_| shown.next()).unwrap_or_default()).collect()
}

/// `if: a.port 9 -> 443`
fn head(answer: &WhatIf, to: &Renderer<'_>) -> Styled {
    let mut out = Styled::from("what if: ");
    out.push(Role::Heading, answer.path());
    out.plain(" ");
    let now = answer.now.as_ref().ok().and_then(|now| now.value.as_ref());
    out.append(&change(answer.was.value.as_ref(), now, to));
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
        Ok(now) => {
            let why = words::fault(now, now.language).map_or(String::new(), |why| format!(": {why}"));
            Some(format!("{}{}{why}", answer.path(), words::without(now)))
        }
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
    let rows = now.rows();
    for (row, value) in rows.iter().zip(of_rows(&rows, to)) {
        let role = match row.outcome {
            DefinitionOutcome::Wins => Role::Wins,
            DefinitionOutcome::Tie => Role::Error,
            _ => Role::Plain,
        };
        table.row([
            Styled::of(role, row.outcome.word()),
            Styled::from(words::strength(row, now)),
            value,
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
        table.row([Styled::from(field.path.to_string()), change(field.was.as_ref(), field.now.as_ref(), to)]);
    }
    let mut out = Styled::from("  recomputed\n");
    out.append(&table.fit());
    out
}

fn edits(answer: &WhatIf) -> Styled {
    let mut out = Styled::from("  the lines that make it so");
    for edit in answer.changed_lines() {
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
