//! Fixes as text: a table of the edits and the values that they lead to.

use crate::answer::fixes::Fix;
use crate::dialect::Dialect;
use crate::dialect::notation::value::one_line;
use crate::styled::table::Table;
use crate::styled::{Role, Styled};
use crate::text::Sources;

/// Maximum width of a result, in columns.
const MAX_RESULT: usize = 40;
/// Maximum width of an edit, in columns.
const MAX_EDIT: usize = 72;

/// Returns a table with a row for each fix: place, edit, result.
pub fn table(fixes: &[Fix], dialect: Dialect, sources: &Sources) -> Table {
    let results: Vec<Styled> = fixes.iter().map(|fix| one_line(dialect.spelling(), &fix.result)).collect();
    let mut table = Table::new();
    for ((fix, edit), value) in
        fixes.iter().zip(edits(fixes.iter().map(|fix| fix.edit.as_str()))).zip(Styled::cut_all(&results, MAX_RESULT))
    {
        let place = fix.place.map_or_else(|| String::from("cfg merge"), |span| sources.locate(span));
        let mut result = Styled::of(Role::Dim, "result ");
        result.append(&value);
        table.row([Styled::from(place), edit, result]);
    }
    table
}

/// Returns the texts of edits, cut so that they stay different.
pub fn edits<'f>(texts: impl Iterator<Item = &'f str>) -> Vec<Styled> {
    let edits: Vec<Styled> = texts.map(|edit| Styled::of(Role::Name, edit)).collect();
    Styled::cut_all(&edits, MAX_EDIT)
}
