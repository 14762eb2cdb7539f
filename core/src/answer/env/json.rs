//! Names and their types as JSON, version 1: `docs/schema/env.json`.

use super::{Listing, text};
use crate::answer::Renderer;
use serde_json::{Value, json};

/// Returns the names as one object.
pub fn json(listing: &Listing, to: &Renderer<'_>) -> Value {
    let names: Vec<_> =
        listing.shown.iter().map(|bound| json!({ "name": bound.name, "type": text::ty(bound, to).text() })).collect();
    json!({ "version": 1, "dialect": to.dialect.name(), "names": names, "more": listing.more })
}
