//! Names and their types as HTML: a table.

use super::{Listing, text};
use crate::answer::Renderer;
use crate::answer::shared::{ROWS, VALUE};
use crate::styled::{Role, Styled};
use crate::view::html::{Cell, Html};

/// Writes the names.
pub fn html(listing: &Listing, to: &Renderer<'_>, html: &mut Html) {
    if listing.shown.is_empty() {
        html.paragraph(&text::text(listing, to));
        return;
    }
    let all = &listing.shown;
    let rows = all.iter().take(ROWS).map(|bound| {
        vec![Cell::Head(Styled::of(Role::Name, bound.name.as_str())), Cell::Text(text::ty(bound, to).cut(VALUE))]
    });
    html.table(&["name", "type"], rows.collect::<Vec<_>>());
    let left_out = all.len().saturating_sub(ROWS) + listing.more;
    if left_out > 0 {
        html.paragraph(&Styled::of(Role::Dim, format!("… {left_out} more")));
    }
}
