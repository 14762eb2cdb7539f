//! Several conflicts at once: a list, each with every value and its place.

use crate::answer::conflicts::FailedPart;
use crate::dialect::Dialect;
use crate::dialect::notation::value::one_line;
use crate::styled::table::Table;
use crate::styled::{Role, Styled};
use crate::text::Sources;

/// Maximum number of conflicts in the list.
const LISTED: usize = 20;
/// Maximum width of a value, in columns.
const SHOWN: usize = 40;

/// Renders the list, followed by what the user can do about all of them.
pub fn list(conflicts: &[FailedPart], dialect: Dialect, sources: &Sources) -> Styled {
    let mut out = Styled::of(Role::Error, "error");
    out.push(Role::Heading, format!(": {} fields have values that cannot be merged", conflicts.len()));
    out.push(Role::Dim, " [value/merge-conflict]");
    for fault in conflicts.iter().take(LISTED) {
        out.plain("\n\n  ");
        out.push(Role::Name, fault.path());
        out.plain("\n");
        let mut table = Table::new().indented(4);
        for (d, value) in fault.ties().zip(values(fault, dialect)) {
            let place = d.span.map(|span| sources.locate(span)).unwrap_or_default();
            table.row([value, Styled::of(Role::Dim, place)]);
        }
        out.append(&table.fit());
    }
    if let Some(more) = conflicts.len().checked_sub(LISTED).filter(|more| *more > 0) {
        out.plain(format!("\n\n  and {more} more"));
    }
    let first = conflicts.first().map(FailedPart::path).unwrap_or_default();
    out.plain("\n\n");
    let mut help = |text: String| {
        out.plain("  = ");
        out.push(Role::Note, "help");
        out.plain(format!(": {text}\n"));
    };
    help(String::from("with `--layers` the later file wins"));
    help(format!("`--at '{first}' --explain` shows where one comes from, and the edits that settle it"));
    out
}

/// Returns the values that tie, cut so that they stay different.
pub fn values(fault: &FailedPart, dialect: Dialect) -> Vec<Styled> {
    let values: Vec<Styled> = fault.ties().map(|d| one_line(dialect.spelling(), &d.value)).collect();
    Styled::cut_all(&values, SHOWN)
}
