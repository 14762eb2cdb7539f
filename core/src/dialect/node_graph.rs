//! The graph of a document in a language that has one (Yay): nodes that refer to each other, as parsed and after one
//! expansion, which evaluates guards (`if`) and loops (`for`).

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
    /// The label of the node: `Mapping`, `Access(key=i)`, `Boxed(1)`.
    pub label: String,
    /// The span of the syntax that it was made from.
    pub span: Option<Span>,
    /// The edges to other nodes, in order.
    pub edges: Vec<GraphEdge>,
}

/// An edge from a [`GraphNode`] to another one.
#[derive(Clone, PartialEq, Debug)]
pub struct GraphEdge {
    /// Its label. Empty for the elements of a list in a graph that is not expanded.
    pub label: Name,
    /// Whether the label is a key of the document. Otherwise it is the role of the other node: `predecessor`, `inner`.
    pub is_key: bool,
    /// The index of the other node.
    pub target: usize,
}

/// Returns a label with the constants in it masked: `Boxed(<secret>)`, `Function(range, <secret>)`. `None` if it has no constants.
pub fn masked_label(label: &str) -> Option<String> {
    let (kind, constants) = label.strip_suffix(')')?.split_once('(')?;
    match kind {
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

/// A document that has a graph. Expanding the graph evaluates as little as possible.
pub trait GraphSource {
    /// Returns the program whose value is the argument `root` of [`GraphSource::expanded`].
    fn term(&self) -> &Arc<Term>;

    /// Returns the graph of the value at a path. `None` if the path cannot be followed without evaluation.
    fn parsed(&self, path: &[Step]) -> Option<NodeGraph>;

    /// Returns the label of the node of the value at a path, and its span. `None` if the path cannot be followed
    /// without evaluation.
    fn label_of(&self, path: &[Step]) -> Option<(String, Span)>;

    /// Returns the graph of the value at a path after guards and loops were expanded once. `root` is the value of the
    /// program.
    ///
    /// # Errors
    ///
    /// Fails if a guard, or a list that a loop goes through, has no value.
    fn expanded(&self, path: &[Step], machine: &mut Machine, root: &Thunk) -> Result<NodeGraph, Problem>;

    /// Returns the label of the node with exactly this span, and whether it is a guard: the condition of another
    /// node. `None` if there is no such node.
    fn node_at(&self, span: Span) -> Option<(&str, bool)>;
}

/// Reads the graph of a document. `None` if the text is not a document.
pub type ReadGraph = fn(SourceId, &str, &dyn Names) -> Option<Box<dyn GraphSource>>;
