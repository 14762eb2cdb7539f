//! Names and their types as JSON, version 1: `docs/schema/env.json`.

use super::Listing;
use crate::dialect::Dialect;
use serde_json::{Value, json};

/// Returns the names as one object.
pub fn json(listing: &Listing, dialect: Dialect) -> Value {
    let names: Vec<_> =
        listing.shown.iter().map(|bound| json!({ "name": bound.name, "type": bound.ty.text() })).collect();
    json!({ "version": 1, "dialect": dialect.name(), "names": names, "more": listing.more })
}
