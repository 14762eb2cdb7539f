//! Origins as JSON, version 1.

use super::{Leaf, Origins};
use crate::answer::Renderer;
use crate::view::json;
use serde_json::{Value, json};

/// Returns all leaves as one object.
pub fn json(origins: &Origins, to: &Renderer<'_>) -> Value {
    let sources = to.sources;
    let leaf = |leaf: &Leaf| {
        let places: Vec<_> =
            leaf.places.iter().map(|span| json::secret_source(Some(*span), leaf.is_secret(), sources)).collect();
        json!({ "path": json::path(&leaf.path), "value": leaf.value.as_ref().map(json::value), "sources": places, "lost": leaf.lost })
    };
    let leaves: Vec<_> = origins.leaves.iter().map(leaf).collect();
    json!({ "version": 1, "leaves": leaves, "more": origins.more })
}
