//! A function graph as JSON, version 1: `docs/schema/functions.json`.

use super::Functions;
use crate::answer::Renderer;
use serde_json::{Value, json};

/// Returns a graph as one object. Edges refer to nodes by their numbers, from 0.
pub fn json(graph: &Functions, to: &Renderer<'_>) -> Value {
    let node = |node: &super::Node| json!({"kind": node.kind.name(), "label": node.label, "source": node.place.map(|span| to.place(span))});
    let edge = |edge: &super::Edge| json!({"from": edge.from, "to": edge.to, "argument": edge.argument});
    json!({
        "version": 1,
        "nodes": graph.nodes.iter().map(node).collect::<Vec<_>>(),
        "edges": graph.edges.iter().map(edge).collect::<Vec<_>>(),
    })
}
