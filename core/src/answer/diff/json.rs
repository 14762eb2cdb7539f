//! Differences as JSON, version 1: `docs/schema/diff.json`.

use crate::answer::Renderer;
use crate::answer::shared::compare::{Change, Comparison, Side};
use crate::value::datum::MASK;
use crate::view::json;
use serde_json::{Value, json};

/// Returns the differences as one object.
pub fn json(found: &Comparison, to: &Renderer<'_>) -> Value {
    let side = |side: &Option<Side>| match side {
        None => Value::Null,
        Some(side) => {
            let mut source = json::source(side.span, to.sources);
            if side.is_secret()
                && let Some(text) = source.get_mut("text")
            {
                *text = json!(MASK);
            }
            json!({
                "value": json::value(&side.value),
                "priority": json::priority(&side.priority),
                "source": source,
            })
        }
    };
    let change = |change: &Change| {
        json!({
            "path": json::path(&change.path),
            "label": change.label(),
            "left": side(&change.left),
            "right": side(&change.right),
            "recomputed": change.recomputed,
            "reads": change.reads.iter().map(json::path).collect::<Vec<_>>(),
        })
    };
    json!({
        "version": 1,
        "changes": found.changes.iter().map(change).collect::<Vec<_>>(),
        "same": found.same,
        "not_compared": found.not_compared,
        "complete": found.complete,
    })
}
