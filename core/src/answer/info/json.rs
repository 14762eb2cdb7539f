//! Facts as JSON, version 1: `docs/schema/info.json`.

use super::Info;
use crate::answer::Renderer;
use crate::answer::types::type_line;
use crate::text::Name;
use crate::view::json::{source, value};
use serde_json::{Value, json};

/// Returns the facts as one object.
pub(super) fn json(info: &Info, to: &Renderer<'_>) -> Value {
    let places: Vec<Value> = info.places.iter().map(|place| source(Some(*place), to.sources)).collect();
    json!({
        "version": 1,
        "dialect": to.dialect.name(),
        "name": info.name,
        "type": type_line(&info.scheme, to.dialect),
        "defined": places,
        "contracts": info.contracts,
        "annotations": info.types,
        "documentation": info.doc.as_ref().map(Name::as_str),
        "known": info.known.as_ref().map(value),
        "reads": info.reads,
        "read_by": info.users,
        "problems": info.problems,
    })
}
