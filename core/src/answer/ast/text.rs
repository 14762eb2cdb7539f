//! A parsed tree as lines, one for each node, with its place.

use crate::dialect::AstNode;
use crate::styled::table::Table;
use crate::styled::{Role, Styled};
use crate::text::Source;

/// Deeper nodes are not indented further.
const MAX_INDENT: usize = 24;

/// Returns the lines, without a line end after the last. A place is the `line:column` of the node's first character and
/// of its last.
pub fn ast(nodes: &[AstNode], source: &Source) -> Styled {
    let mut table = Table::new();
    for node in nodes {
        let mut what = Styled::from("  ".repeat(node.depth.min(MAX_INDENT)));
        if !node.part.is_empty() {
            what.push(Role::Dim, format!("{}: ", node.part));
        }
        what.push(Role::Keyword, node.kind);
        if !node.text.is_empty() {
            what.plain(" ");
            what.append(&Styled::of(Role::Name, crate::text::on_one_line(&node.text)).cut(40));
        }
        let (start, end) =
            (source.position(node.span.start), source.position(node.span.end.max(node.span.start + 1) - 1));
        let place = match (start.line == end.line, start.column == end.column) {
            (true, true) => format!("{}:{}", start.line, start.column),
            (true, false) => format!("{}:{}-{}", start.line, start.column, end.column),
            (false, _) => format!("{}:{}-{}:{}", start.line, start.column, end.line, end.column),
        };
        table.row([what, Styled::of(Role::Dim, place)]);
    }
    table.fit()
}
