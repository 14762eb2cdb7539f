//! Names and their types as text: a table.

use super::Listing;
use crate::answer::Renderer;
use crate::styled::table::Table;
use crate::styled::{Role, Styled};

/// Maximum number of lines of a type on a page. `:type` shows the whole type.
pub const LINES: usize = 3;

/// Renders the names, without a line end after the last.
pub fn text(listing: &Listing, to: &Renderer<'_>) -> Styled {
    let names = listing.shown.iter().map(|item| item.name.len()).max().unwrap_or(0);
    let room = to.page.map_or(usize::MAX, |width| (width * LINES).saturating_sub(names + 3));
    let mut table = Table::new();
    for item in &listing.shown {
        table.row([Styled::of(Role::Name, item.name.as_str()), item.ty.cut(room.max(20))]);
    }
    let mut answer = table.separated(to.dialect.spelling().of).within(to.page).fit();
    if listing.more > 0 {
        answer.push(Role::Dim, format!("\n… and {} more: `:env PREFIX`", listing.more));
    }
    answer
}
