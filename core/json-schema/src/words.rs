//! The messages, where those of `jsonschema` are not in the words of users.

use crate::{SchemaError, SchemaHelp};
use jsonschema::ValidationError;
use jsonschema::error::{TypeKind, ValidationErrorKind};
use serde_json::Value;

/// The types of a schema.
const TYPES: &str = "`array`, `boolean`, `integer`, `null`, `number`, `object` or `string`";

/// Returns why a value is not a schema.
pub fn of_schema(schema: &Value, error: &ValidationError<'_>) -> SchemaError {
    let at = error.instance_path().to_string();
    let keyword = at.rsplit('/').next().unwrap_or_default();
    let mut help = None;
    let message = match error.kind() {
        ValidationErrorKind::Referencing(referencing) => {
            let target = referencing.to_string();
            let pointer = target.split('\'').nth(1).unwrap_or_default();
            let message = format!("nothing in the schema is at `#{pointer}`");
            let help = beside(schema, pointer);
            return match place_of_reference(schema, pointer) {
                Some(at) if target.starts_with("Pointer") => SchemaError { message, at, help },
                _ if schema
                    .get("$schema")
                    .and_then(Value::as_str)
                    .is_some_and(|draft| target.contains(draft.trim_end_matches('#'))) =>
                {
                    let message = String::from("`$schema` names no known draft");
                    let help = "the drafts are `https://json-schema.org/draft/2020-12/schema` and `…/2019-09/schema`, and \
                                `http://json-schema.org/draft-07/schema#`, `draft-06` and `draft-04`";
                    SchemaError { message, at: String::from("/$schema"), help: Some(SchemaHelp::Text(help)) }
                }
                _ => SchemaError { message: error.masked_with("this").to_string(), at, help: None },
            };
        }
        ValidationErrorKind::AnyOf { .. } | ValidationErrorKind::Enum { .. } if keyword == "type" => {
            let written = schema.pointer(&at).and_then(Value::as_str);
            help = written.and_then(|written| Some(SchemaHelp::Instead(meant_type(written)?.to_owned())));
            format!("a type is {TYPES}, or a list of them")
        }
        ValidationErrorKind::Type { kind } if !keyword.is_empty() => {
            help = help_for(keyword, schema.pointer(&at));
            format!("`{keyword}` must be {}", types(kind))
        }
        ValidationErrorKind::Type { kind } => format!("a schema is {}", types(kind)),
        ValidationErrorKind::Format { format } if format == "regex" => {
            let pattern = schema.pointer(&at).and_then(Value::as_str).unwrap_or_default();
            help = unclosed(pattern).map(SchemaHelp::Text);
            format!("`{keyword}` must be a regular expression")
        }
        _ => error.masked_with("this").to_string(),
    };
    SchemaError { message, at, help }
}

/// Returns what is wrong with the brackets of a regular expression.
fn unclosed(pattern: &str) -> Option<&'static str> {
    let (mut groups, mut is_class, mut signs) = (0usize, false, pattern.chars().peekable());
    while let Some(sign) = signs.next() {
        match sign {
            '\\' if signs.next().is_none() => return Some("a backslash at the end escapes nothing: write `\\\\`"),
            '[' if !is_class => {
                is_class = true;
                // a bracket at the beginning is a member
                signs.next_if_eq(&'^');
                signs.next_if_eq(&']');
            }
            ']' => is_class = false,
            '(' if !is_class => groups += 1,
            ')' if !is_class && groups == 0 => return Some("a `)` closes nothing: for the sign itself, write `\\)`"),
            ')' if !is_class => groups -= 1,
            _ => {}
        }
    }
    match (is_class, groups) {
        (true, _) => Some("a `[` is never closed: `]` is missing"),
        (false, 1..) => Some("a `(` is never closed: `)` is missing"),
        (false, 0) if pattern.starts_with(['*', '+', '?']) => {
            Some("nothing is repeated at the beginning: `.*` is any text")
        }
        (false, 0) => None,
    }
}

/// Returns the type of JSON Schema that another word means, apart from misspelt ones.
fn meant_type(written: &str) -> Option<&'static str> {
    Some(match written.to_lowercase().as_str() {
        "str" | "text" => "string",
        "int" | "int32" | "int64" | "uint" | "long" => "integer",
        "float" | "double" | "decimal" | "num" => "number",
        "bool" => "boolean",
        "list" | "tuple" | "sequence" => "array",
        "map" | "mapping" | "dict" | "dictionary" | "record" | "struct" | "table" => "object",
        "none" | "nil" => "null",
        _ => return None,
    })
}

/// Returns how to write a keyword whose value is of the wrong type.
fn help_for(keyword: &str, written: Option<&Value>) -> Option<SchemaHelp> {
    match (keyword, written?) {
        ("required", Value::Bool(_)) => Some(SchemaHelp::Text(
            "`required` lists the keys that an object must have, beside its `properties`: `\"required\": [\"name\"]`",
        )),
        ("required" | "enum" | "allOf" | "anyOf" | "oneOf", Value::String(_) | Value::Object(_)) => {
            Some(SchemaHelp::Text("one element is a list too, in brackets: `[x]`"))
        }
        ("items", Value::Array(_)) => Some(SchemaHelp::Text(
            "since draft 2020-12, a list of schemas, one for each element, is the value of `prefixItems`",
        )),
        ("properties", Value::Array(_)) => {
            Some(SchemaHelp::Text("each key has its schema: `\"properties\": {\"name\": {\"type\": \"string\"}}`"))
        }
        ("minimum" | "maximum" | "minLength" | "maxLength" | "minItems" | "maxItems", Value::String(text)) => {
            text.parse::<f64>().ok().map(|_| SchemaHelp::Text("a number is written without quotes"))
        }
        _ => None,
    }
}

/// Returns the other names beside the part of a schema to which a pointer should lead.
fn beside(schema: &Value, pointer: &str) -> Option<SchemaHelp> {
    let (around, name) = pointer.rsplit_once('/')?;
    match schema.pointer(around) {
        Some(Value::Object(fields)) => Some(SchemaHelp::Beside {
            around: format!("#{around}"),
            name: name.to_owned(),
            names: fields.keys().cloned().collect(),
        }),
        _ => {
            let other = match around {
                "/definitions" => "/$defs",
                "/$defs" => "/definitions",
                _ => return None,
            };
            let found = schema.pointer(&format!("{other}/{name}")).is_some();
            found.then(|| SchemaHelp::Instead(format!("#{other}/{name}")))
        }
    }
}

/// Returns how a value breaks a schema. The message does not contain the value.
pub fn of_value(error: &ValidationError<'_>) -> String {
    match error.kind() {
        ValidationErrorKind::AnyOf { context } => of_alternatives("anyOf", context, error),
        ValidationErrorKind::OneOfNotValid { context } => of_alternatives("oneOf", context, error),
        ValidationErrorKind::Format { format } => format!("the value is not {}", of_format(format)),
        ValidationErrorKind::OneOfMultipleValid { .. } => {
            String::from("the value fits several alternatives of `oneOf`, and must fit one only")
        }
        ValidationErrorKind::Type { kind } => format!("the value must be {}", types(kind)),
        ValidationErrorKind::Contains => String::from("no element is as `contains` requires"),
        ValidationErrorKind::Not { schema } => {
            match schema.as_object().map(|rules| (rules.len(), rules.get("pattern"))) {
                Some((1, Some(Value::String(pattern)))) => format!("the value must not match `{pattern}`"),
                _ => String::from("the value must not fit the schema of `not`"),
            }
        }
        ValidationErrorKind::Required { property } => {
            format!("missing key `{}`", property.as_str().unwrap_or_default())
        }
        _ => error.masked_with("the value").to_string(),
    }
}

/// The formats that are described.
pub const KNOWN: [&str; 10] =
    ["email", "uri", "hostname", "ipv4", "ipv6", "date", "date-time", "duration", "uuid", "regex"];

/// Describes the values of a format.
pub fn of_format(format: &str) -> String {
    String::from(match format {
        "email" | "idn-email" => "an e-mail address, as in `a@b.org`",
        "uri" | "iri" => "a URI with its scheme, as in `https://example.org/a`",
        "uri-reference" | "iri-reference" => "a URI or a path, as in `/a?b=1`",
        "hostname" | "idn-hostname" => "the name of a host, as in `www.example.org`",
        "ipv4" => "an IPv4 address, as in `192.168.0.1`",
        "ipv6" => "an IPv6 address, as in `2001:db8::1`",
        "date" => "a date, as in `2026-11-28`",
        "time" => "a time with its zone, as in `20:30:00Z`",
        "date-time" => "a date and a time with its zone, as in `2026-11-28T20:30:00Z`",
        "duration" => "a duration of ISO 8601, as in `PT1H30M`",
        "uuid" => "a UUID, as in `123e4567-e89b-12d3-a456-426614174000`",
        "regex" => "a regular expression",
        "json-pointer" => "a JSON pointer, as in `/a/b`",
        other => return format!("of the format `{other}`"),
    })
}

/// Names the alternative that the value is meant as: the one that a key with a fixed value chooses, or else the one with the fewest violations,
/// and of these the one whose violations are deepest.
fn of_alternatives(keyword: &str, all: &[Vec<ValidationError<'static>>], error: &ValidationError<'_>) -> String {
    let base = error.instance_path().as_str();
    if let Some(message) = of_types(base, all).or_else(|| Some(of_choices(base, all)?.1)) {
        return message;
    }
    let deepest = |errors: &[ValidationError<'static>]| {
        errors.iter().map(|error| error.instance_path().as_str().matches('/').count()).max().unwrap_or(0)
    };
    let is_refused = |errors: &[ValidationError<'static>]| errors.iter().any(|error| choice(base, error).is_some());
    let is_other_type = |errors: &[ValidationError<'static>]| {
        errors.iter().any(|error| {
            error.instance_path().as_str() == base && matches!(error.kind(), ValidationErrorKind::Type { .. })
        })
    };
    let nearest = all.iter().enumerate().filter(|(_, errors)| !errors.is_empty()).min_by_key(|(_, errors)| {
        (is_other_type(errors), is_refused(errors), std::cmp::Reverse(deepest(errors)), errors.len())
    });
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
    let inside = first.instance_path().as_str();
    let place = match inside.strip_prefix(base).unwrap_or(inside).trim_start_matches('/') {
        "" => String::new(),
        at => format!(" at `{}`", at.replace('/', ".")),
    };
    let chosen = all.iter().flatten().find_map(|error| choice(base, error));
    match all.len() {
        1 => format!("{none}:{place} {why}"),
        count => match chosen.filter(|_| all.iter().filter(|errors| is_refused(errors)).count() == count - 1) {
            Some((key, _)) => {
                format!("with this `{key}` alternative {} of `{keyword}` is meant, but{place} {why}", number + 1)
            }
            None => format!("{none}; the nearest is alternative {}, but{place} {why}", number + 1),
        },
    }
}

/// Returns the key of a value whose fixed value in an alternative is another one, and that value as JSON.
fn choice<'e>(base: &str, error: &'e ValidationError<'static>) -> Option<(&'e str, String)> {
    let key = error.instance_path().as_str().strip_prefix(base)?.strip_prefix('/').filter(|key| !key.contains('/'))?;
    match error.kind() {
        ValidationErrorKind::Constant { expected_value } => Some((key, expected_value.to_string())),
        ValidationErrorKind::Enum { options } => {
            let all: Vec<String> = options.as_array()?.iter().map(Value::to_string).collect();
            Some((key, all.join(" or ")))
        }
        _ => None,
    }
}

/// Returns the message for alternatives that are of other types than the value: `the value must be a string or an integer`.
fn of_types(base: &str, all: &[Vec<ValidationError<'static>>]) -> Option<String> {
    let mut names: Vec<String> = Vec::new();
    for errors in all {
        match errors.first()?.kind() {
            ValidationErrorKind::Type { kind } if errors.first()?.instance_path().as_str() == base => {
                names.push(types(kind));
            }
            _ => return None,
        }
    }
    names.dedup();
    (all.len() > 1).then(|| format!("the value must be {}", names.join(" or ")))
}

/// Returns the key whose value chooses none of the alternatives, with the message, and the texts that choose one.
pub fn of_choices(base: &str, all: &[Vec<ValidationError<'static>>]) -> Option<(String, String, Vec<String>)> {
    let chosen: Option<Vec<(&str, String)>> =
        all.iter().map(|errors| errors.iter().find_map(|error| choice(base, error))).collect();
    let chosen = chosen?;
    let (key, _) = chosen.first()?;
    if all.len() < 2 || chosen.iter().any(|(other, _)| other != key) {
        return None;
    }
    let values: Vec<&str> = chosen.iter().map(|(_, value)| value.as_str()).collect();
    let message = format!("no alternative has this value: expected {}", values.join(" or "));
    let texts =
        values.iter().flat_map(|value| value.split(" or ")).filter_map(|value| serde_json::from_str(value).ok());
    Some(((*key).to_owned(), message, texts.collect()))
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
