//! Trees as they were parsed, for those who learn a language: one line a node.

use crate::text::{Name, Span};

/// A node of a parsed tree.
#[derive(Clone, PartialEq, Debug)]
pub struct AstNode {
    /// How far inside.
    pub depth: usize,
    /// What it is to the node that it is a part of: `left`, `body`; empty for the root.
    pub part: Name,
    /// What it is: `binary`, `record`.
    pub kind: &'static str,
    /// Its own text, a name or an operator, possibly none.
    pub text: String,
    /// Where it stands.
    pub span: Span,
}

/// Collects the nodes of a tree in the order of the text, without recursion: `work` is what is left to be said.
pub(super) struct Outline<N> {
    nodes: Vec<AstNode>,
    work: Vec<(usize, Name, N)>,
}

impl<N> Outline<N> {
    /// From a root on: `says` gives a node's kind, text, place and parts in order.
    pub fn of(roots: impl IntoIterator<Item = (&'static str, N)>, mut says: impl FnMut(N) -> Said<N>) -> Vec<AstNode> {
        let mut work: Vec<(usize, Name, N)> =
            roots.into_iter().map(|(part, root)| (0, Name::new_static(part), root)).collect();
        work.reverse();
        let mut outline = Outline { nodes: Vec::new(), work };
        while let Some((depth, part, node)) = outline.work.pop() {
            let said = says(node);
            outline.nodes.push(AstNode { depth, part, kind: said.kind, text: said.text, span: said.span });
            outline.work.extend(said.parts.into_iter().rev().map(|(part, node)| (depth + 1, part, node)));
        }
        outline.nodes
    }
}

/// What there is to say of a node.
pub(super) struct Said<N> {
    pub kind: &'static str,
    pub text: String,
    pub span: Span,
    pub parts: Vec<(Name, N)>,
}

impl<N> Said<N> {
    pub fn new(kind: &'static str, span: Span) -> Said<N> {
        Said { kind, text: String::new(), span, parts: Vec::new() }
    }

    pub fn text(self, text: impl Into<String>) -> Said<N> {
        Said { text: text.into(), ..self }
    }

    pub fn part(mut self, part: &'static str, node: N) -> Said<N> {
        self.parts.push((Name::new_static(part), node));
        self
    }

    pub fn parts(mut self, part: &'static str, nodes: impl IntoIterator<Item = N>) -> Said<N> {
        self.parts.extend(nodes.into_iter().map(|node| (Name::new_static(part), node)));
        self
    }
}
