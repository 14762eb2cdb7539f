//! Differences as text, one line each: `~` changed, `+` only on the right, `-` only on the left.

use crate::answer::Renderer;
use crate::answer::shared::compare::{Change, Comparison, Side};
use crate::styled::{Role, Styled};
use crate::text::counted;
use crate::value::datum::Datum;
use unicode_width::UnicodeWidthStr;

/// Maximum width of a path on the same line as its values, in columns.
const PATH: usize = 30;
/// Minimum width next to a path for the values on its line, in columns.
const BESIDE: usize = 36;
/// The column where places begin, if there is room.
const PLACES: usize = 50;

/// Renders the differences, without a line end after the last line.
pub fn text(found: &Comparison, to: &Renderer<'_>) -> Styled {
    let mut out = Styled::new();
    let widest = found.changes.iter().map(|change| change.label().width()).filter(|columns| *columns <= PATH).max();
    // if paths leave little room, the values are on the next line
    let widest = widest.filter(|columns| columns + BESIDE <= to.width()).unwrap_or(0);
    for change in &found.changes {
        out.append(&row(change, widest, to));
        out.plain("\n");
    }
    out.push(Role::Dim, footer(found));
    out
}

/// Returns the last line: the number of fields that differ and of fields that are the same.
pub fn footer(found: &Comparison) -> String {
    let mut footer = match found.changes.is_empty() {
        true => String::from("no differences"),
        false => format!("{} different", found.changes.len()),
    };
    footer.push_str(&format!(", {} same", counted(found.same, "field")));
    if found.not_compared > 0 {
        footer.push_str(&format!(", {} not compared", counted(found.not_compared, "function")));
    }
    if !found.complete {
        footer.push_str("; not everything was compared");
    }
    footer
}

fn row(change: &Change, path_width: usize, to: &Renderer<'_>) -> Styled {
    let (sign, role) = match (&change.left, &change.right) {
        (Some(_), None) => ("-", Role::Lost),
        (None, Some(_)) if !change.recomputed => ("+", Role::Wins),
        _ => ("~", Role::Note),
    };
    let mut out = Styled::of(role, sign);
    out.plain(" ");
    let path = if change.path.steps.is_empty() { String::from("(whole)") } else { change.label() };
    out.push(Role::Name, &path);
    let hang = 2 + path_width + 2;
    let line = format!("\n{}", " ".repeat(hang));
    match path.width() > path_width {
        true => out.plain(&line),
        false => out.plain(" ".repeat(path_width - path.width() + 2)),
    }
    let room = to.width().saturating_sub(hang).max(24);
    let sides = [&change.left, &change.right];
    // the normal priority is shown only if the other side has a different one
    let counts = matches!(sides, [Some(a), Some(b)] if a.priority != b.priority);
    let shown: Vec<Styled> = sides.into_iter().flatten().map(|side| to.side(side, counts)).collect();
    let each = room.saturating_sub(6) / shown.len().max(1);
    let value = match shown.as_slice() {
        [left, right] => {
            let columns = each.max(room.saturating_sub(6 + right.text().width()));
            let mut value = left.cut_apart(columns, std::slice::from_ref(right));
            let rest = room.saturating_sub(6 + value.text().width());
            value.push(Role::Operator, "  ->  ");
            value.append(&right.cut_apart(rest, std::slice::from_ref(left)));
            value
        }
        [one] => one.cut(room),
        _ => Styled::from("recomputed"),
    };
    let mut used = hang + value.text().width();
    out.append(&value);
    let mut behind = |text: Styled, out: &mut Styled| {
        let columns = text.text().width();
        let at = used.saturating_add(2).max(PLACES.min(to.width().saturating_sub(columns)));
        match at + columns <= to.width() {
            true => out.plain(" ".repeat(at - used)),
            false => out.plain(&line),
        }
        used = if at + columns <= to.width() { at + columns } else { hang + columns };
        out.append(&text);
    };
    if change.recomputed {
        let names: Vec<String> = change.reads.iter().take(3).map(|path| path.to_string()).collect();
        let more = if change.reads.len() > 3 { ", …" } else { "" };
        let words = if shown.is_empty() { "" } else { "recomputed, " };
        let text = match names.is_empty() {
            true => String::from("recomputed"),
            false => format!("{words}reads {}{more}", names.join(", ")),
        };
        behind(Styled::of(Role::Dim, text), &mut out);
        return out;
    }
    let places: Vec<String> = sides.into_iter().flatten().filter_map(|side| place(side, to)).collect();
    if !places.is_empty() {
        behind(Styled::of(Role::Dim, places.join("  ")), &mut out);
    }
    out
}

fn place(side: &Side, to: &Renderer<'_>) -> Option<String> {
    match &side.value {
        Datum::Unforced => None,
        _ => side.span.map(|span| to.sources.locate(span)),
    }
}
