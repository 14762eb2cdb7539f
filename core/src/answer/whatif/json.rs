//! Version 1 of the JSON that `docs/schema/whatif.json` describes.

use super::WhatIf;
use super::text::{missing, values};
use crate::answer::Renderer;
use crate::answer::explain::Place;
use crate::answer::explain::json::datum_json;
use crate::styled::Styled;
use crate::value::datum::Datum;
use serde_json::{Value, json};

/// Returns the answer as one object.
pub fn json(answer: &WhatIf, to: &Renderer<'_>) -> Value {
    let value = |datum: Option<&Datum>| datum.map_or(Value::Null, |datum| datum_json(datum, to.dialect));
    let place = |place: &Place| json!({ "file": place.file, "line": place.line, "column": place.column });
    let now = answer.now.as_ref().ok();
    let changes: Vec<Value> = answer
        .changes
        .iter()
        .map(|(layer, at)| json!({ "definition": layer.number, "source": place(at), "change": layer.change.words() }))
        .collect();
    let edits: Vec<Value> = answer
        .edits
        .iter()
        .map(|edit| {
            json!({
                "source": place(&edit.place),
                "end": { "line": edit.end.0, "column": edit.end.1 },
                "text": edit.text,
                "before": edit.before,
                "after": edit.after,
            })
        })
        .collect();
    let recomputed: Vec<Value> = answer
        .recomputed
        .iter()
        .map(|field| {
            json!({
                "path": field.path.to_string(),
                "was": value(field.was.as_ref()),
                "now": value(field.now.as_ref()),
            })
        })
        .collect();
    let value_now = now.and_then(|now| now.value.as_ref());
    let text = value_now.and_then(|now| values([Some(now)], to).first().map(Styled::text));
    json!({
        "version": 1,
        "dialect": to.dialect.name(),
        "path": answer.path(),
        "was": value(answer.was.value.as_ref()),
        "now": value(value_now),
        "text": text,
        "missing": missing(answer),
        "winner": now.and_then(WhatIf::winner).map(place),
        "changes": changes,
        "recomputed": recomputed,
        "edits": edits,
    })
}
