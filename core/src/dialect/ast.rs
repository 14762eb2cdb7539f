//! Syntax trees as outlines, one line per node, for people who learn a language.

use crate::text::{Name, Span};

/// A node of a syntax tree.
#[derive(Clone, PartialEq, Debug)]
pub struct AstNode {
    /// The depth in the tree; the root has depth 0.
    pub depth: usize,
    /// The role of the node in its parent: `left`, `body`. Empty for the root.
    pub part: Name,
    /// The kind of the node: `binary`, `record`.
    pub kind: &'static str,
    /// The text of the node itself: a name or an operator. May be empty.
    pub text: String,
    /// The place of the node in the source.
    pub span: Span,
}

/// Collects the nodes of a tree in source order, without recursion. `work` holds the nodes that remain.
pub(super) struct Outline<N> {
    nodes: Vec<AstNode>,
    work: Vec<(usize, Name, N)>,
}

impl<N> Outline<N> {
    /// Collects the nodes below some roots. `says` returns the kind, text, place and parts of a node, in order.
    pub fn of(
        roots: impl IntoIterator<Item = (&'static str, N)>,
        mut describe: impl FnMut(N) -> NodeDescription<N>,
    ) -> Vec<AstNode> {
        let mut work: Vec<(usize, Name, N)> =
            roots.into_iter().map(|(part, root)| (0, Name::new_static(part), root)).collect();
        work.reverse();
        let mut outline = Outline { nodes: Vec::new(), work };
        while let Some((depth, part, node)) = outline.work.pop() {
            let described = describe(node);
            outline.nodes.push(AstNode {
                depth,
                part,
                kind: described.kind,
                text: described.text,
                span: described.span,
            });
            outline.work.extend(described.parts.into_iter().rev().map(|(part, node)| (depth + 1, part, node)));
        }
        outline.nodes
    }
}

/// The description of a node.
pub(super) struct NodeDescription<N> {
    pub kind: &'static str,
    pub text: String,
    pub span: Span,
    pub parts: Vec<(Name, N)>,
}

impl<N> NodeDescription<N> {
    pub fn new(kind: &'static str, span: Span) -> NodeDescription<N> {
        NodeDescription { kind, text: String::new(), span, parts: Vec::new() }
    }

    pub fn text(self, text: impl Into<String>) -> NodeDescription<N> {
        NodeDescription { text: text.into(), ..self }
    }

    pub fn part(mut self, part: &'static str, node: N) -> NodeDescription<N> {
        self.parts.push((Name::new_static(part), node));
        self
    }

    pub fn parts(mut self, part: &'static str, nodes: impl IntoIterator<Item = N>) -> NodeDescription<N> {
        self.parts.extend(nodes.into_iter().map(|node| (Name::new_static(part), node)));
        self
    }
}
