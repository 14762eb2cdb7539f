//! Renders an explanation as JSON, in version 1 of the format that `docs/schema/explain.json` describes.

use super::words;
use crate::answer::Renderer;
use crate::answer::explain::{DefinitionRow, Element, Explanation, Place};
use crate::dialect::Dialect;
use crate::dialect::notation::value::one_line;
use crate::value::datum::Datum;
use crate::value::manifest::{ManifestFormat, manifest};
use crate::value::provenance::{FoldKind, MergeOutcome};
use serde_json::{Value, json};

/// Maximum length of a text, in characters. A longer text is cut and ends with `… (cut)`.
const LONG: usize = 2000;

/// Returns the explanation as one JSON object.
pub(super) fn json(e: &Explanation, to: &Renderer<'_>) -> Value {
    let dialect = to.dialect;
    let value = |datum: &Option<Datum>| datum.as_ref().map_or(Value::Null, |datum| datum_json(datum, dialect));
    let element = |element: &Element| {
        let mut out = json!({ "index": element.index, "source": element.place.as_ref().map(source) });
        if let (false, Some(out)) = (element.also.is_empty(), out.as_object_mut()) {
            out.insert(String::from("also"), element.also.iter().map(source).collect());
        }
        out
    };
    let elements = |number: usize| -> Vec<Value> {
        e.elements.iter().filter(|element| element.definition == Some(number)).map(element).collect()
    };
    let fields: Vec<Value> = e
        .fields
        .iter()
        .map(|part| {
            json!({
                "name": part.name.as_str(),
                "value": value(&part.value),
                "source": part.place.as_ref().map(source),
                "outcome": part.outcome.map(|outcome| outcome.word().to_lowercase()),
                "lost": part.lost,
            })
        })
        .collect();
    let definitions: Vec<Value> = e
        .definitions
        .iter()
        .enumerate()
        .map(|(number, d)| {
            json!({
                "source": d.place.as_ref().map(|place| with_text(place, &d.text)),
                "path": d.ancestor.as_ref().unwrap_or(&e.path).to_string(),
                "value": value(&d.value),
                "priority": words::priority(&d.priority),
                "layer": d.layer,
                "visibility": visibility(d),
                "outcome": d.outcome.word().to_lowercase(),
                "because": words::reason(d, e),
                "merged_at": d.join.as_ref().map(|join| with_text(&join.place, &join.text)),
                "elements": elements(number),
            })
        })
        .collect();
    let contracts: Vec<Value> = e
        .checks
        .iter()
        .map(|check| {
            json!({
                "text": check.text,
                "source": source(&check.place),
                "holds": check.holds,
                "path": check.ancestor.as_ref().unwrap_or(&e.path).to_string(),
                "definition": check.definition,
                "via": check.via.as_ref().map(|via| json!({
                    "field": via.field.as_ref().map(|f| f.as_str()),
                    "contract": via.contract.as_str(),
                    "source": via.place.as_ref().map(source),
                })),
                "because": words::origin(check, e, dialect),
            })
        })
        .collect();
    let fold = e.fold.as_ref().map(|fold| {
        let steps: Vec<Value> = fold
            .steps
            .iter()
            .map(|step| {
                json!({
                    "lower": datum_json(&step.lower, dialect),
                    "higher": datum_json(&step.higher, dialect),
                    "priority": if step.same { "same" } else { "different" },
                    "result": datum_json(&step.result, dialect),
                })
            })
            .collect();
        let kind = match fold.kind {
            FoldKind::Function => "function",
            FoldKind::Plus => "plus",
        };
        json!({ "source": source(&fold.place), "kind": kind, "steps": steps })
    });
    let recomputed: Vec<Value> = e
        .recomputed
        .iter()
        .map(|r| json!({ "path": r.path.to_string(), "was": value(&r.was), "now": value(&r.now) }))
        .collect();
    let fixes: Vec<Value> = e
        .fixes
        .iter()
        .map(|f| json!({ "source": f.place.as_ref().map(source), "edit": f.edit, "result": datum_json(&f.result, dialect) }))
        .collect();
    let mut out = json!({
        "version": 1,
        "path": e.path.to_string(),
        "asked": e.requested_path.as_ref().map(ToString::to_string),
        "type": e.ty,
        "value": value(&e.value),
        "error": e.fault.as_ref().or(e.path_error.as_ref()).map(|fault| {
            crate::problem::report::Report::of(fault, dialect.notation()).message
        }),
        "verdict": match e.verdict {
            MergeOutcome::Wins => "wins",
            MergeOutcome::Combined => "combined",
            MergeOutcome::Conflict => "conflict",
            MergeOutcome::Missing => "missing",
            MergeOutcome::Faulty => "error",
        },
        "priority": words::priority(&e.priority),
        "hidden": e.flags.hidden,
        "definitions": definitions,
        "more_definitions": e.more,
        "contracts": contracts,
        "merge_function": fold,
        "elements": e.elements.iter().map(element).collect::<Vec<_>>(),
        "fields": fields,
        "more_fields": e.more_fields,
        "depends_on": e.depends_on.iter().filter(|read| read.depth == 0).map(|read| read.path.to_string()).collect::<Vec<_>>(),
        "recomputed": recomputed,
        "fixes": fixes,
        "notes": words::closing(e),
    });
    if let (Some(title), Some(out)) = (&e.title, out.as_object_mut()) {
        out.insert(String::from("resource"), json!(title));
        out.insert(String::from("through"), e.through.iter().map(source).collect());
    }
    out
}

fn visibility(d: &DefinitionRow) -> &'static str {
    match d.visibility {
        crate::meta::Visibility::Inherit => "inherit",
        crate::meta::Visibility::Hidden => "hidden",
        crate::meta::Visibility::Forced => "shown",
    }
}

fn source(place: &Place) -> Value {
    with_text(place, &place.text)
}

fn with_text(place: &Place, text: &str) -> Value {
    json!({ "file": place.file, "line": place.line, "column": place.column, "text": cut(text) })
}

/// Returns a value as JSON if JSON can express it, otherwise as a string that holds its source text.
pub(in crate::answer) fn datum_json(datum: &Datum, dialect: Dialect) -> Value {
    manifest(datum, ManifestFormat::Json)
        .ok()
        .and_then(|text| serde_json::from_str(&text).ok())
        .unwrap_or_else(|| Value::String(cut(&one_line(dialect.spelling(), datum).text())))
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(LONG) {
        Some((at, _)) => format!("{}… (cut)", &text[..at]),
        None => String::from(text),
    }
}
