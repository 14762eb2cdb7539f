//! The graph that a language makes of a document: nodes that refer to each other, and what they expand to.

use super::Names;
use crate::problem::Problem;
use crate::term::Term;
use crate::text::path::Step;
use crate::text::{MASK, Name, SourceId, Span};
use crate::value::{Machine, Thunk};
use std::sync::Arc;

/// A node of a [`NodeGraph`].
#[derive(Clone, PartialEq, Debug)]
pub struct GraphNode {
    /// The text of the node: `Mapping`, `Access(key=i)`, `Boxed(1)`.
    pub label: String,
    /// The place of the syntax that it was made from.
    pub place: Option<Span>,
    /// The edges to other nodes, in order.
    pub edges: Vec<GraphEdge>,
}

/// An edge from a [`GraphNode`] to another one.
#[derive(Clone, PartialEq, Debug)]
pub struct GraphEdge {
    /// Its label. Empty for the elements of a list as it is written.
    pub label: Name,
    /// Whether the label is a key of the document. Otherwise it is the role of the other node: `predecessor`, `inner`.
    pub is_key: bool,
    /// The index of the other node.
    pub to: usize,
}

/// Returns a label with the constants in it masked: `Boxed(<secret>)`, `Function(range, <secret>)`. `None` if it has no constants.
pub fn masked(label: &str) -> Option<String> {
    let (word, constants) = label.strip_suffix(')')?.split_once('(')?;
    match word {
        "Boxed" => Some(format!("Boxed({MASK})")),
        "Function" => constants.split_once(", ").map(|(name, _)| format!("Function({name}, {MASK})")),
        _ => None,
    }
}

/// Nodes with edges between them. The first node is the root.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct NodeGraph {
    /// The nodes.
    pub nodes: Vec<GraphNode>,
}

/// The graph of a document as it was read. Expanding it evaluates as little as possible.
pub trait DocumentGraph {
    /// Returns the program whose value [`DocumentGraph::expanded`] needs.
    fn term(&self) -> &Arc<Term>;

    /// Returns the graph of the value at a path. `None` if the text does not show that there is one.
    fn parsed(&self, path: &[Step]) -> Option<NodeGraph>;

    /// Returns the label of the node of the value at a path, and its place, if the text shows it.
    fn label_of(&self, path: &[Step]) -> Option<(String, Span)>;

    /// Returns the graph of the value at a path after one expansion. `root` is the value of the program.
    ///
    /// # Errors
    ///
    /// Fails if a guard, or a list that a loop goes through, has no value.
    fn expanded(&self, path: &[Step], machine: &mut Machine, root: &Thunk) -> Result<NodeGraph, Problem>;

    /// Returns the label of the node that begins and ends at a place, and whether it is a guard.
    fn node_at(&self, place: Span) -> Option<(&str, bool)>;
}

/// Reads the graph of a document. `None` if the text is not a document.
pub type ReadGraph = fn(SourceId, &str, &dyn Names) -> Option<Box<dyn DocumentGraph>>;
