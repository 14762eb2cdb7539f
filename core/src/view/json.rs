//! The JSON that all answers share: values and places.

use crate::meta::Priority;
use crate::number::Number;
use crate::problem::datum::{Datum, MASK};
use crate::problem::report::Report;
use crate::term::NumberForm;
use crate::text::path::FieldPath;
use crate::text::{Position, Sources, Span};
use serde_json::{Map, Value, json};

/// Maximum depth of values; deeper values are cut.
const DEPTH: usize = 100;

/// Returns a value as JSON. A value that JSON cannot represent is a string: `"<function>"`, `"<error: …>"`,
/// `"<secret>"`. A cut array ends with `"… 12 more"`; a cut value is `"…"`.
pub fn value(datum: &Datum) -> Value {
    nested(datum, DEPTH)
}

fn nested(datum: &Datum, depth: usize) -> Value {
    match datum {
        _ if depth == 0 => json!("…"),
        Datum::Null => Value::Null,
        Datum::Bool(b) => json!(b),
        Datum::Number(n) => number(n),
        Datum::String(text) => json!(text.as_str()),
        Datum::Tag(tag) => json!(tag.as_str()),
        Datum::Variant(tag, argument) => json!({ "tag": tag.as_str(), "value": nested(argument, depth - 1) }),
        Datum::Array(items) => items.iter().map(|item| nested(item, depth - 1)).collect(),
        Datum::Record(entries) => {
            let defined = entries.iter().filter_map(|e| Some((String::from(e.name.as_str()), e.value.as_ref()?)));
            Value::Object(defined.map(|(name, value)| (name, nested(value, depth - 1))).collect::<Map<_, _>>())
        }
        Datum::Map(entries) => {
            let entry = |(key, value): &(Datum, Datum)| (key.key_text().to_string(), nested(value, depth - 1));
            Value::Object(entries.iter().map(entry).collect::<Map<_, _>>())
        }
        Datum::Function(_) => json!("<function>"),
        Datum::Contract(Some(text)) => json!(text.as_str()),
        Datum::Contract(None) => json!("<contract>"),
        Datum::Fault(problem) => {
            let notation = crate::dialect::Dialect::default().notation();
            let message = Report::of(problem, notation).message;
            json!(format!("<error: {}>", message.lines().next().unwrap_or_default()))
        }
        Datum::Unforced => json!("_"),
        Datum::Secret => json!(MASK),
        Datum::Elided(Some(count)) => json!(format!("… {count} more")),
        Datum::Elided(None) => json!("…"),
    }
}

/// Returns a number as JSON. An integer that neither 64 bits nor a double can hold is a string with all its digits, so that
/// numbers that differ stay different.
pub fn number(n: &Number) -> Value {
    let text = n.export(NumberForm::Json).unwrap_or_else(|_| n.to_string());
    match n.export_in_full(NumberForm::Json) {
        Ok(full) if n.is_integer() && full != text => Value::String(full),
        _ => serde_json::from_str(&text).unwrap_or(Value::String(text)),
    }
}

/// Returns a path as it is written.
pub fn path(path: &FieldPath) -> Value {
    json!(path.to_string())
}

/// Returns a priority: `default`, `normal`, `force`, a number, or a layer.
pub fn priority(priority: &Priority) -> Value {
    match priority {
        Priority::Default => json!("default"),
        Priority::Normal => json!("normal"),
        Priority::Number(n) => json!(n.to_string()),
        Priority::Layer(n) => json!(format!("layer {}", n + 1)),
        Priority::Force => json!("force"),
    }
}

/// Returns a place as `{"file", "line", "column", "text"}`, with the text on one line; `null` without a span.
pub fn source(span: Option<Span>, sources: &Sources) -> Value {
    let Some((span, source)) = span.and_then(|span| Some((span, sources.get(span.source)?))) else {
        return Value::Null;
    };
    let Position { line, column } = source.position(span.start);
    let text = crate::text::on_one_line(&sources.slice(span));
    json!({ "file": source.name.as_ref(), "line": line, "column": column, "text": cut(&text) })
}

/// Returns a place with its text, which is masked if it contains a secret.
pub fn secret_source(span: Option<Span>, secret: bool, sources: &Sources) -> Value {
    let mut out = source(span, sources);
    if secret && let Some(text) = out.get_mut("text") {
        *text = json!(MASK);
    }
    out
}

/// Shortens a text to the length that identifies it.
fn cut(text: &str) -> String {
    const LONGEST: usize = 200;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => String::from(text),
    }
}
