//! Fixes as text: a table of the edits and the values that they lead to.

use crate::answer::fixes::Fix;
use crate::dialect::Dialect;
use crate::dialect::notation::value::one_line;
use crate::styled::table::Table;
use crate::styled::{Role, Styled};
use crate::text::Sources;

/// Maximum length of a result, in characters.
const MAX_RESULT: usize = 40;

/// Returns a table with a row for each fix: place, edit, result.
pub fn table(fixes: &[Fix], sources: &Sources) -> Table {
    let mut table = Table::new();
    for fix in fixes {
        let place = fix.place.map_or_else(|| String::from("cfg merge"), |span| sources.locate(span));
        let mut result = Styled::of(Role::Dim, "result ");
        result.append(&short(&one_line(Dialect::default().spelling(), &fix.result)));
        table.row([Styled::from(place), Styled::of(Role::Name, &fix.edit), result]);
    }
    table
}

fn short(text: &Styled) -> Styled {
    let plain = text.text();
    if plain.chars().count() <= MAX_RESULT {
        return text.clone();
    }
    Styled::from(plain.chars().take(MAX_RESULT - 1).chain(['…']).collect::<String>())
}
