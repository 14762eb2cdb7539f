//! The metadata of a field as JSON: `docs/schema/query.json`.

use super::Query;
use crate::answer::Renderer;
use crate::dialect::notation::value::laid_out;
use crate::meta::Priority;
use crate::value::manifest::{ManifestFormat, manifest};
use crate::view::json::{path, source};
use serde_json::{Map, Value, json};

/// Returns an answer as one object.
pub fn json(query: &Query, to: &Renderer<'_>) -> Value {
    let mut out = Map::new();
    out.insert("contracts".into(), json!(query.contracts));
    out.insert("types".into(), json!(query.types));
    let value = query.value.as_ref().map(|value| {
        manifest(value, ManifestFormat::Json).ok().and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_else(
            || Value::String(laid_out(to.dialect.spelling(), value, usize::MAX, &|span| to.written(span)).text()),
        )
    });
    out.insert("value".into(), value.unwrap_or(Value::Null));
    let priority = match &query.priority {
        Priority::Default => String::from("default"),
        Priority::Force => String::from("force"),
        Priority::Normal | Priority::Layer(_) => String::from("0"),
        Priority::Number(n) => n.to_string(),
    };
    out.insert("priority".into(), json!(priority));
    out.insert("merge".into(), json!(query.merge));
    out.insert("optional".into(), json!(query.optional));
    out.insert("not_exported".into(), json!(query.not_exported));
    out.insert("secret".into(), json!(query.secret));
    if let Some((at, place)) = &query.secret_from {
        out.insert("secret_from".into(), json!({ "path": path(at), "source": source(*place, to.sources) }));
    }
    out.insert("documentation".into(), json!(query.doc.as_ref().map(|d| d.as_str())));
    let fields = query.fields.as_ref().map(|f| f.iter().map(|n| n.as_str()).collect::<Vec<_>>());
    out.insert("fields".into(), json!(fields));
    Value::Object(out)
}
