//! A parsed tree as lines, one for each node, with its place.

use super::{Ast, PlacedNode};
use crate::styled::table::Table;
use crate::styled::{Role, Styled};

/// Deeper nodes are not indented further.
const MAX_INDENT: usize = 24;

/// Returns the lines, without a line end after the last. O(nodes).
pub fn text(ast: &Ast) -> Styled {
    let mut table = Table::new();
    for placed in &ast.nodes {
        table.row(row(placed));
    }
    table.fit()
}

/// Returns a node, and its place: the `line:column` of its first character and of its last.
pub fn row(placed: &PlacedNode) -> [Styled; 2] {
    let PlacedNode { node, from, to } = placed;
    let mut what = Styled::from("  ".repeat(node.depth.min(MAX_INDENT)));
    if !node.part.is_empty() {
        what.push(Role::Dim, format!("{}: ", node.part));
    }
    what.push(Role::Keyword, node.kind);
    if !node.text.is_empty() {
        what.plain(" ");
        what.append(&Styled::of(Role::Name, crate::text::on_one_line(&node.text)).cut(40));
    }
    let place = match (from.line == to.line, from.column == to.column) {
        (true, true) => format!("{}:{}", from.line, from.column),
        (true, false) => format!("{}:{}-{}", from.line, from.column, to.column),
        (false, _) => format!("{}:{}-{}:{}", from.line, from.column, to.line, to.column),
    };
    [what, Styled::of(Role::Dim, place)]
}
