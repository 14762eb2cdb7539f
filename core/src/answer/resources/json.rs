//! A graph of resources as JSON, version 1: `docs/schema/resources.json`.

use super::Resources;
use crate::answer::Renderer;
use crate::value::datum::Datum;
use crate::view::json as shared;
use serde_json::{Value, json};

/// Returns a graph as one object.
pub fn json(graph: &Resources, _: &Renderer<'_>) -> Value {
    let resources: Vec<Value> = graph
        .resources
        .iter()
        .map(|resource| {
            let fields = shared::value(&Datum::Record(resource.fields.clone()));
            let meta = shared::value(&Datum::Record(resource.meta.clone()));
            json!({"resource": resource.label.as_str(), "fields": fields, "meta": meta})
        })
        .collect();
    let edges: Vec<Value> = graph
        .edges
        .iter()
        .map(|edge| json!({"from": edge.from.as_str(), "to": edge.to.as_str(), "notify": edge.notify}))
        .collect();
    json!({"version": 1, "resources": resources, "edges": edges})
}
