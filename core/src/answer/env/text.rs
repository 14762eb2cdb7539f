//! Names and their types as text: a table.

use super::{Bound, Listing};
use crate::answer::Renderer;
use crate::state::typing::{masked_type, type_brief};
use crate::styled::table::Table;
use crate::styled::{Role, Styled};
use crate::ty::Scheme;
use std::sync::Arc;
use unicode_width::UnicodeWidthStr;

/// Maximum number of lines of a type on a page. `:type` shows the whole type.
const LINES: usize = 3;

/// Maximum width of a type if the width of the page is unknown, in columns.
const COLUMNS: usize = 500;

/// Renders the type of a name, `…` if it has none.
pub(super) fn ty(bound: &Bound, to: &Renderer<'_>) -> Styled {
    let width = to.page.map_or(COLUMNS, |width| width * LINES);
    let brief = |scheme: &Arc<Scheme>| type_brief(to.dialect, &masked_type(scheme, to.sources), width);
    bound.ty.as_ref().map_or_else(|| Styled::from("…"), brief)
}

/// Renders the names, without a line end after the last.
pub fn text(listing: &Listing, to: &Renderer<'_>) -> Styled {
    if listing.shown.is_empty() {
        let none = match listing.prefix.as_str() {
            "" => String::from("no names except `std`"),
            prefix => format!("no name begins with `{prefix}`"),
        };
        return Styled::of(Role::Dim, none);
    }
    let name_width = listing.shown.iter().map(|item| item.name.width()).max().unwrap_or(0);
    let room = to.page.map_or(usize::MAX, |width| (width * LINES).saturating_sub(name_width + 3));
    let mut table = Table::new();
    for item in &listing.shown {
        table.row([Styled::of(Role::Name, item.name.as_str()), ty(item, to).cut(room.max(20))]);
    }
    let mut answer = table.separated(to.dialect.spelling().of).within(to.page).fit();
    if listing.more > 0 {
        answer.push(Role::Dim, format!("\n… and {} more: `:env PREFIX`", listing.more));
    }
    answer
}
