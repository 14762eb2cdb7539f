//! `:ast`: the syntax tree of an expression.

mod text;

use crate::answer::{Answer, Renderer};
use crate::dialect::AstNode;
use crate::problem::Problem;
use crate::styled::Styled;
use crate::text::{MASK, Position, Source};
use crate::view::html::{Cell, Html};
use serde_json::{Value, json};

/// The nodes of an expression, in source order.
#[derive(Default)]
pub struct Ast {
    nodes: Vec<PlacedNode>,
    /// The problems of a text that does not parse. It then has no nodes.
    problems: Vec<Problem>,
}

/// A node with the positions of its first and its last character.
struct PlacedNode {
    node: AstNode,
    from: Position,
    to: Position,
}

impl Ast {
    /// Creates the answer from the nodes of a text.
    pub fn of(nodes: Vec<AstNode>, source: &Source) -> Ast {
        let placed = |mut node: AstNode| {
            let (start, end) = (node.span.start, node.span.end.max(node.span.start + 1) - 1);
            // a node inside a secret, or a literal with one in it: the text of another node is its name
            let range = start as usize..node.span.end as usize;
            let name = source.shown(range.clone());
            if !node.text.is_empty() && source.overlaps_secret(range) && !name.contains(node.text.as_str()) {
                node.text = MASK.into();
            }
            PlacedNode { from: source.position(start), to: source.position(end), node }
        };
        Ast { nodes: nodes.into_iter().map(placed).collect(), problems: Vec::new() }
    }

    /// Creates the answer for a text that does not parse.
    pub fn unread(problems: Vec<Problem>) -> Ast {
        Ast { nodes: Vec::new(), problems }
    }
}

impl Answer for Ast {
    fn name(&self) -> &'static str {
        "ast"
    }

    fn text(&self, _: &Renderer<'_>) -> Styled {
        text::text(self)
    }

    fn problems(&self) -> &[Problem] {
        &self.problems
    }

    fn html(&self, _: &Renderer<'_>, html: &mut Html) {
        let rows = self.nodes.iter().map(|placed| {
            let [node, place] = text::row(placed);
            vec![Cell::Head(node), Cell::Text(place)]
        });
        html.table(&["node", "place"], rows);
    }

    fn json(&self, to: &Renderer<'_>) -> Value {
        let node = |PlacedNode { node, from, to }: &PlacedNode| {
            json!({
                "depth": node.depth,
                "part": node.part.as_str(),
                "kind": node.kind,
                "text": node.text,
                "from": { "line": from.line, "column": from.column },
                "to": { "line": to.line, "column": to.column },
            })
        };
        let nodes: Vec<Value> = self.nodes.iter().map(node).collect();
        json!({ "version": 1, "dialect": to.dialect.name(), "nodes": nodes })
    }
}
