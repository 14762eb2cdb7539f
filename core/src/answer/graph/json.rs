//! A graph as JSON, version 1: `docs/schema/graph.json`.

use super::Graph;
use crate::answer::Renderer;
use crate::dialect::notation::value::one_line;
use serde_json::{Value, json};

/// Returns a graph as one object.
pub fn json(graph: &Graph, to: &Renderer<'_>) -> Value {
    let nodes: Vec<_> = graph
        .nodes
        .iter()
        .map(|node| {
            json!({
                "path": node.name(),
                "value": node.value.as_ref().map(|value| one_line(to.dialect.spelling(), value).text()),
                "source": node.place.map(|span| to.place(span)),
            })
        })
        .collect();
    let name = |number: usize| graph.nodes.get(number).map(|node| node.name());
    let edges: Vec<_> =
        graph.edges.iter().map(|(from, to)| json!({"reader": name(*from), "reads": name(*to)})).collect();
    json!({"version": 1, "nodes": nodes, "edges": edges, "apart": graph.apart, "complete": !graph.cut})
}
