//! Renders an explanation as JSON, in version 1 of the format that `docs/schema/explain.json` describes.

use super::words;
use crate::answer::Renderer;
use crate::answer::explain::{ContractCheck, DefinitionRow, Element, Explanation, FoldStep, Folded, Place};
use crate::dialect::Dialect;
use crate::dialect::notation::value::one_line;
use crate::value::datum::Datum;
use crate::value::manifest::{ManifestFormat, manifest};
use crate::value::provenance::{FoldKind, MergeOutcome};
use serde_json::{Value, json};

/// Maximum length of a text, in characters. A longer text is cut and ends with `… (cut)`.
const MAX_TEXT: usize = 2000;

/// Returns the explanation as one JSON object.
pub(super) fn json(e: &Explanation, to: &Renderer<'_>) -> Value {
    let dialect = to.dialect;
    let value = |datum: &Option<Datum>| optional_datum(datum, dialect);
    let fields = e.fields.iter().map(|part| {
        json!({
            "name": part.name.as_str(),
            "value": value(&part.value),
            "source": part.place.as_ref().map(source),
            "outcome": part.outcome.map(|outcome| outcome.word().to_lowercase()),
            "lost": part.lost,
        })
    });
    let recomputed =
        e.recomputed.iter().map(|r| json!({ "path": r.path.to_string(), "was": value(&r.was), "now": value(&r.now) }));
    let fixes = e.fixes.iter().map(
        |f| json!({ "source": f.place.as_ref().map(source), "edit": f.edit, "result": datum_json(&f.result, dialect) }),
    );
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
        "in_session": e.in_session,
        "definitions": definitions(e, dialect),
        "more_definitions": e.more,
        "contracts": contracts(e, dialect),
        "merge_function": e.fold.as_ref().map(|folded| merge_function(folded, dialect)),
        "elements": e.elements.iter().map(element).collect::<Vec<_>>(),
        "fields": fields.collect::<Vec<_>>(),
        "more_fields": e.more_fields,
        "depends_on": e.depends_on.iter().filter(|read| read.depth == 0).map(|read| read.path.to_string()).collect::<Vec<_>>(),
        "recomputed": recomputed.collect::<Vec<_>>(),
        "fixes": fixes.collect::<Vec<_>>(),
        "notes": words::closing(e),
    });
    if let (Some(title), Some(out)) = (&e.title, out.as_object_mut()) {
        out.insert(String::from("resource"), json!(title));
        out.insert(String::from("through"), e.through.iter().map(source).collect());
    }
    out
}

/// Returns the definitions, each with the elements of the array that come from it.
fn definitions(e: &Explanation, dialect: Dialect) -> Vec<Value> {
    let definition = |(number, d): (usize, &DefinitionRow)| {
        let elements = e.elements.iter().filter(|element| element.definition == Some(number)).map(element);
        json!({
            "source": d.place.as_ref().map(|place| with_text(place, &d.text)),
            "path": d.ancestor.as_ref().unwrap_or(&e.path).to_string(),
            "value": optional_datum(&d.value, dialect),
            "priority": words::priority(&d.priority),
            "layer": d.layer,
            "visibility": visibility(d),
            "outcome": d.outcome.word().to_lowercase(),
            "because": words::reason(d, e),
            "merged_at": d.join.as_ref().map(|join| with_text(&join.place, &join.text)),
            "elements": elements.collect::<Vec<_>>(),
        })
    };
    e.definitions.iter().enumerate().map(definition).collect()
}

fn contracts(e: &Explanation, dialect: Dialect) -> Vec<Value> {
    let contract = |check: &ContractCheck| {
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
    };
    e.checks.iter().map(contract).collect()
}

/// Returns the merge function, or the `+:` of an object, with its steps.
fn merge_function(folded: &Folded, dialect: Dialect) -> Value {
    let step = |step: &FoldStep| {
        json!({
            "lower": datum_json(&step.lower, dialect),
            "higher": datum_json(&step.higher, dialect),
            "priority": if step.same { "same" } else { "different" },
            "result": datum_json(&step.result, dialect),
        })
    };
    let kind = match folded.kind {
        FoldKind::Function => "function",
        FoldKind::Plus => "plus",
    };
    let steps: Vec<Value> = folded.steps.iter().map(step).collect();
    let mut out = json!({ "source": source(&folded.place), "kind": kind, "steps": steps });
    if let (Some(out), true) = (out.as_object_mut(), folded.earlier > 0) {
        out.insert(String::from("earlier"), json!(folded.earlier));
    }
    out
}

/// Returns an element of an array. `also` is present only if a function merged several elements into it.
fn element(element: &Element) -> Value {
    let mut out = json!({ "index": element.index, "source": element.place.as_ref().map(source) });
    if let (false, Some(out)) = (element.also.is_empty(), out.as_object_mut()) {
        out.insert(String::from("also"), element.also.iter().map(source).collect());
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

fn optional_datum(datum: &Option<Datum>, dialect: Dialect) -> Value {
    datum.as_ref().map_or(Value::Null, |datum| datum_json(datum, dialect))
}

/// Returns a value as JSON if JSON can express it, otherwise as a string that holds its source text.
pub(in crate::answer) fn datum_json(datum: &Datum, dialect: Dialect) -> Value {
    if let Datum::Number(number) = datum {
        return crate::view::json::number(number);
    }
    manifest(datum, ManifestFormat::Json)
        .ok()
        .and_then(|text| serde_json::from_str(&text).ok())
        .unwrap_or_else(|| Value::String(cut(&one_line(dialect.spelling(), datum).text())))
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(MAX_TEXT) {
        Some((at, _)) => format!("{}… (cut)", &text[..at]),
        None => String::from(text),
    }
}
