//! The part of JSON Schema that the schemas in `docs/schema` use. Any other keyword is an error and never ignored.

use serde_json::{Map, Value};

/// The keywords that are checked, and those that do not constrain a value.
const KNOWN: [&str; 14] = [
    "$schema",
    "$defs",
    "$ref",
    "title",
    "description",
    "type",
    "const",
    "enum",
    "required",
    "properties",
    "items",
    "oneOf",
    "minimum",
    "additionalProperties",
];

/// Returns the first difference between a value and a schema: its path, and a description.
pub fn mismatch(schema: &Value, value: &Value) -> Option<String> {
    check(schema, schema, value, "$").err()
}

fn check(root: &Value, schema: &Value, value: &Value, at: &str) -> Result<(), String> {
    let schema = match schema {
        Value::Bool(true) => return Ok(()),
        Value::Object(schema) => schema,
        other => return Err(format!("{at}: no schema: {other}")),
    };
    if let Some(unknown) = schema.keys().find(|key| !KNOWN.contains(&key.as_str())) {
        return Err(format!("{at}: the schema says `{unknown}`, which is not checked here"));
    }
    if let Some(target) = schema.get("$ref").and_then(Value::as_str) {
        let pointer = target.strip_prefix('#').unwrap_or(target);
        let target = root.pointer(pointer).ok_or(format!("{at}: no {target}"))?;
        check(root, target, value, at)?;
    }
    if let Some(types) = schema.get("type") {
        let fits = match types {
            Value::Array(types) => types.iter().any(|ty| is_a(ty, value)),
            ty => is_a(ty, value),
        };
        if !fits {
            return Err(format!("{at}: {value} is not {types}"));
        }
    }
    if schema.get("const").is_some_and(|only| only != value) {
        return Err(format!("{at}: {value} is not {}", schema["const"]));
    }
    if let Some(Value::Array(all)) = schema.get("enum")
        && !all.contains(value)
    {
        return Err(format!("{at}: {value} is none of {}", schema["enum"]));
    }
    if let (Some(least), Some(number)) = (schema.get("minimum").and_then(Value::as_f64), value.as_f64())
        && number < least
    {
        return Err(format!("{at}: {number} is less than {least}"));
    }
    if let Some(Value::Array(all)) = schema.get("oneOf") {
        let fits = all.iter().filter(|one| check(root, one, value, at).is_ok()).count();
        if fits != 1 {
            return Err(format!("{at}: {value} is {fits} of {}", schema["oneOf"]));
        }
    }
    if let (Some(items), Value::Array(elements)) = (schema.get("items"), value) {
        for (index, element) in elements.iter().enumerate() {
            check(root, items, element, &format!("{at}[{index}]"))?;
        }
    }
    let Value::Object(fields) = value else { return Ok(()) };
    for name in schema.get("required").and_then(Value::as_array).into_iter().flatten() {
        let name = name.as_str().unwrap_or_default();
        if !fields.contains_key(name) {
            return Err(format!("{at}: no {name}"));
        }
    }
    let none = Map::new();
    let properties = schema.get("properties").and_then(Value::as_object).unwrap_or(&none);
    for (name, field) in fields {
        match properties.get(name) {
            Some(property) => check(root, property, field, &format!("{at}.{name}"))?,
            None if schema.get("additionalProperties") == Some(&Value::Bool(false)) => {
                return Err(format!("{at}: {name} is not foreseen"));
            }
            None => {}
        }
    }
    Ok(())
}

fn is_a(ty: &Value, value: &Value) -> bool {
    match (ty.as_str().unwrap_or_default(), value) {
        ("null", Value::Null)
        | ("boolean", Value::Bool(_))
        | ("number", Value::Number(_))
        | ("string", Value::String(_))
        | ("array", Value::Array(_))
        | ("object", Value::Object(_)) => true,
        ("integer", Value::Number(n)) => n.as_f64().is_some_and(|n| n.fract() == 0.0),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::mismatch;
    use serde_json::json;

    #[test]
    fn what_does_not_fit_is_named() {
        let schema = json!({
            "type": "object", "required": ["a"],
            "properties": { "a": { "oneOf": [{ "type": "null" }, { "$ref": "#/$defs/n" }] }, "b": { "items": { "enum": [1] } } },
            "$defs": { "n": { "type": "integer", "minimum": 1 } },
        });
        let says = |value| mismatch(&schema, &value).unwrap_or_default();
        assert_eq!(says(json!({ "a": 1, "b": [1] })), "");
        assert_eq!(says(json!({ "a": null })), "");
        assert_eq!(says(json!({})), "$: no a");
        assert!(says(json!({ "a": 0 })).starts_with("$.a: 0 is 0 of"));
        assert!(says(json!({ "a": 1, "b": [1, 2] })).starts_with("$.b[1]: 2 is none of"));
        assert!(mismatch(&json!({ "pattern": "x" }), &json!("x")).is_some());
    }
}
