//! The messages, where those of `jsonschema` are not in the words of users.

use crate::SchemaError;
use jsonschema::ValidationError;
use jsonschema::error::{TypeKind, ValidationErrorKind};
use serde_json::Value;

/// The types of a schema.
const TYPES: &str = "`array`, `boolean`, `integer`, `null`, `number`, `object` or `string`";

/// Returns why a value is not a schema.
pub fn of_schema(schema: &Value, error: &ValidationError<'_>) -> SchemaError {
    let at = error.instance_path().to_string();
    let keyword = at.rsplit('/').next().unwrap_or_default();
    let message = match error.kind() {
        ValidationErrorKind::Referencing(referencing) => {
            let target = referencing.to_string();
            let pointer = target.split('\'').nth(1).unwrap_or_default();
            let message = format!("nothing in the schema is at `#{pointer}`");
            return match place_of_reference(schema, pointer) {
                Some(at) if target.starts_with("Pointer") => SchemaError { message, at },
                _ => SchemaError { message: error.masked_with("this").to_string(), at },
            };
        }
        ValidationErrorKind::AnyOf { .. } | ValidationErrorKind::Enum { .. } if keyword == "type" => {
            format!("a type is {TYPES}, or a list of them")
        }
        ValidationErrorKind::Type { kind } if !keyword.is_empty() => format!("`{keyword}` must be {}", types(kind)),
        ValidationErrorKind::Type { kind } => format!("a schema is {}", types(kind)),
        _ => error.masked_with("this").to_string(),
    };
    SchemaError { message, at }
}

/// Returns how a value breaks a schema. The message does not contain the value.
pub fn of_value(error: &ValidationError<'_>) -> String {
    match error.kind() {
        ValidationErrorKind::AnyOf { context } => of_alternatives("anyOf", context),
        ValidationErrorKind::OneOfNotValid { context } => of_alternatives("oneOf", context),
        ValidationErrorKind::OneOfMultipleValid { .. } => {
            String::from("the value fits several alternatives of `oneOf`, and must fit one only")
        }
        ValidationErrorKind::Type { kind } => format!("the value must be {}", types(kind)),
        ValidationErrorKind::Required { property } => {
            format!("missing key `{}`", property.as_str().unwrap_or_default())
        }
        _ => error.masked_with("the value").to_string(),
    }
}

/// Names the alternative that the value is nearest to: the one with the fewest violations, and of these the one whose violations are deepest.
fn of_alternatives(keyword: &str, all: &[Vec<ValidationError<'static>>]) -> String {
    let deepest = |errors: &[ValidationError<'static>]| {
        errors.iter().map(|error| error.instance_path().as_str().matches('/').count()).max().unwrap_or(0)
    };
    let nearest = all
        .iter()
        .enumerate()
        .filter(|(_, errors)| !errors.is_empty())
        .min_by_key(|(_, errors)| (std::cmp::Reverse(deepest(errors)), errors.len()));
    let none = match all.len() {
        1 => format!("the value does not fit the only alternative of `{keyword}`"),
        count => format!("the value fits none of the {count} alternatives of `{keyword}`"),
    };
    let Some((number, errors)) = nearest else { return none };
    let Some(first) = errors.first() else { return none };
    // one level of alternatives is said, not those inside of them
    let why = match first.kind() {
        ValidationErrorKind::AnyOf { .. } | ValidationErrorKind::OneOfNotValid { .. } => return none,
        _ => of_value(first),
    };
    let place = match first.instance_path().as_str().trim_start_matches('/') {
        "" => String::new(),
        at => format!(" at `{}`", at.replace('/', ".")),
    };
    match all.len() {
        1 => format!("{none}:{place} {why}"),
        _ => format!("{none}; the nearest is alternative {}, but{place} {why}", number + 1),
    }
}

fn types(kind: &TypeKind) -> String {
    let names: Vec<String> = match kind {
        TypeKind::Single(one) => vec![one.to_string()],
        TypeKind::Multiple(all) => all.iter().map(|one| one.to_string()).collect(),
    };
    let names: Vec<String> = names
        .iter()
        .map(|name| match name.trim_matches('"') {
            "null" => String::from("null"),
            name if name.starts_with(['a', 'i', 'o']) => format!("an {name}"),
            name => format!("a {name}"),
        })
        .collect();
    names.join(" or ")
}

/// Returns the JSON pointer of the first `$ref` to a part of the schema. Does not recurse.
fn place_of_reference(schema: &Value, pointer: &str) -> Option<String> {
    let wanted = format!("#{pointer}");
    let mut work = vec![(schema, String::new())];
    while let Some((part, at)) = work.pop() {
        match part {
            Value::Object(fields) => {
                if fields.get("$ref").and_then(Value::as_str) == Some(&wanted) {
                    return Some(format!("{at}/$ref"));
                }
                let step = |name: &str| format!("{at}/{}", name.replace('~', "~0").replace('/', "~1"));
                work.extend(fields.iter().map(|(name, value)| (value, step(name))));
            }
            Value::Array(items) => {
                work.extend(items.iter().enumerate().map(|(i, item)| (item, format!("{at}/{i}"))));
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use crate::Schema;
    use serde_json::{Value, json};

    fn refused(schema: &Value) -> (String, String) {
        Schema::new(schema).err().map(|error| (error.at, error.message)).unwrap()
    }

    #[test]
    fn what_is_wrong_with_a_schema() {
        let types =
            "a type is `array`, `boolean`, `integer`, `null`, `number`, `object` or `string`, or a list of them";
        for (schema, at, message) in [
            (json!({ "properties": { "a": { "type": "strng" } } }), "/properties/a/type", types),
            (json!({ "required": "a" }), "/required", "`required` must be an array"),
            (json!({ "items": { "$ref": "#/$defs/b" } }), "/items/$ref", "nothing in the schema is at `#/$defs/b`"),
        ] {
            assert_eq!(refused(&schema), (at.into(), message.into()), "{schema}");
        }
    }

    #[test]
    fn the_nearest_alternative_is_named() {
        let port = json!({ "type": "object", "properties": { "port": { "type": "integer" } }, "required": ["port"] });
        let schema = json!({ "oneOf": [port, { "type": "string" }] });
        for (value, message) in [
            (json!({ "port": true }), "alternative 1, but at `port` the value must be an integer"),
            (json!({}), "alternative 1, but missing key `port`"),
        ] {
            let mut all = Vec::new();
            let schema = Schema::new(&schema).ok().unwrap();
            let keep = |violation: crate::Violation| {
                all.push(violation.message);
                Ok::<(), ()>(())
            };
            schema.violations(&value, keep).unwrap();
            assert_eq!(
                all,
                [format!("the value fits none of the 2 alternatives of `oneOf`; the nearest is {message}")]
            );
        }
    }
}
