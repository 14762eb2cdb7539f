//! The graph of a document as JSON, version 1: `docs/schema/resolver.json`.

use super::Resolver;
use crate::answer::Renderer;
use crate::dialect::node_graph::NodeGraph;
use serde_json::{Value, json};

/// Returns the graphs as one object.
pub fn json(graphs: &Resolver, to: &Renderer<'_>) -> Value {
    let graph = |graph: &Option<NodeGraph>| graph.as_ref().map(|graph| nodes(graph, to));
    json!({"version": 1, "parsed": graph(&graphs.parsed), "expanded": graph(&graphs.expanded)})
}

fn nodes(graph: &NodeGraph, to: &Renderer<'_>) -> Value {
    let nodes = graph.nodes.iter().map(|node| {
        let edges: Vec<Value> = (node.edges.iter())
            .map(|edge| json!({"label": edge.label.as_str(), "key": edge.is_key, "to": edge.target}))
            .collect();
        json!({"label": node.label, "source": node.span.map(|span| to.place(span)), "edges": edges})
    });
    nodes.collect()
}
