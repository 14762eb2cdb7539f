//! What the JSON of all answers has in common: values and places.

use crate::answer::shared::path::Path;
use crate::meta::Priority;
use crate::number::Number;
use crate::problem::report::Report;
use crate::text::{Position, Sources, Span};
use crate::value::datum::{Datum, MASK};
use serde_json::{Map, Value, json};

/// How deep values are written: what is deeper is cut, as too much for a reader of JSON.
const DEPTH: usize = 100;

/// A value as JSON. What JSON has no word for is a string that says so: `"<function>"`, `"<error: …>"`, `"<secret>"`; what
/// was cut off is `"… 12 more"` as the last element, or as the value of a field `"…"`.
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

/// A number: as JSON has it where it has it exactly, else as a string.
fn number(n: &Number) -> Value {
    let text = n.to_string();
    serde_json::from_str(&text).unwrap_or(Value::String(text))
}

/// A path as it is written.
pub fn path(path: &Path) -> Value {
    json!(path.to_string())
}

/// `default`, `force`, and a number for what stands between.
pub fn priority(priority: &Priority) -> Value {
    match priority {
        Priority::Default => json!("default"),
        Priority::Normal => json!("normal"),
        Priority::Number(n) => json!(n.to_string()),
        Priority::Layer(n) => json!(format!("layer {}", n + 1)),
        Priority::Force => json!("force"),
    }
}

/// A place: `{"file", "line", "column", "text"}`, the text on one line; `null` where there is none.
pub fn source(span: Option<Span>, sources: &Sources) -> Value {
    let Some((span, source)) = span.and_then(|span| Some((span, sources.get(span.source)?))) else {
        return Value::Null;
    };
    let Position { line, column } = source.position(span.start);
    let text = crate::text::on_one_line(sources.slice(span));
    json!({ "file": source.name.as_ref(), "line": line, "column": column, "text": cut(&text) })
}

/// As much of a text as a reader needs to know it again.
fn cut(text: &str) -> String {
    const LONGEST: usize = 200;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => String::from(text),
    }
}
