//! The outcome of a check as text.

use super::{Checked, Side};
use crate::answer::Renderer;
use crate::dialect::notation::value::laid_out;
use crate::styled::wrap::wrap;
use crate::styled::{Role, Styled};

/// Column in which the sides and the hint begin.
const INDENT: usize = 12;
/// Minimum width of a value, in columns.
const NARROWEST: usize = 20;

/// Renders the outcome and the check on one line.
pub(super) fn title(checked: &Checked, width: usize) -> Styled {
    let (mut out, text) = match &checked.failed {
        Some(_) => (Styled::of(Role::Warning, "not yet"), &checked.subject),
        None => (Styled::of(Role::Wins, "passed"), &checked.check),
    };
    out.plain(format!(": {text}"));
    out.cut(width)
}

/// Renders the outcome as lines, without a line end after the last.
pub(super) fn text(checked: &Checked, width: usize, to: &Renderer<'_>) -> Styled {
    let mut out = title(checked, width);
    let Some(sides) = &checked.failed else { return out };
    let room = width.saturating_sub(INDENT).max(NARROWEST);
    for (word, part) in [("expected", &sides.expected), ("found", &sides.found)] {
        line(word, &side(part, room, to), &mut out);
    }
    if let Some(hint) = &checked.hint {
        line("hint", &Styled::of(Role::Note, wrap(hint, room, 0)), &mut out);
    }
    out
}

/// Adds a line with a word, and further lines below its text.
fn line(word: &str, text: &Styled, out: &mut Styled) {
    out.plain("\n");
    out.push(Role::Dim, format!("  {word:<width$}", width = INDENT - 2));
    let blanks = format!("\n{}", " ".repeat(INDENT));
    for (role, run) in text.runs() {
        out.push(*role, run.replace('\n', &blanks));
    }
}

/// Renders a side in `width` columns.
pub(super) fn side(side: &Side, width: usize, to: &Renderer<'_>) -> Styled {
    match side {
        Side::Value(datum) => laid_out(to.dialect.spelling(), datum, width, &|span| to.written(span)),
        Side::Type(text) => Styled::of(Role::Type, wrap(text, width, 2)),
        Side::Undefined(why) => Styled::from(wrap(&format!("nothing: {why}"), width, 2)),
        Side::Error(why) => Styled::from(wrap(&format!("an error: {why}"), width, 2)),
    }
}
