//! Origins as HTML: a table.

use super::Origins;
use super::text::{DRAWN, columns};
use crate::answer::Renderer;
use crate::view::html::{Cell, Html};

/// Writes the leaves.
pub fn html(origins: &Origins, to: &Renderer<'_>, html: &mut Html) {
    let sources = to.sources;
    let rows = origins.leaves.iter().take(DRAWN).map(|leaf| columns(leaf, sources).map(Cell::from).to_vec());
    html.table(&["path", "value", "from", ""], rows);
}
