//! Checks a JSON value against a JSON Schema, without access to files or the network.
//!
//! This is a crate of its own because `jsonschema` is generic: the compiler would translate all of it again, with full
//! optimisation, in each crate that calls it.

mod words;

use jsonschema::error::ValidationErrorKind;
use serde_json::Value;

/// A schema that was read.
pub struct Schema(jsonschema::Validator);

/// The reason why a value is not a schema.
pub struct SchemaError {
    /// The message. It does not contain the value.
    pub message: String,
    /// The JSON pointer of the part of the schema that is wrong.
    pub at: String,
    /// The way to correct it.
    pub help: Option<SchemaHelp>,
}

/// The way to correct a schema.
#[derive(Debug, PartialEq, Eq)]
pub enum SchemaHelp {
    /// A sentence.
    Text(&'static str),
    /// The text in place of the wrong one.
    Instead(String),
    /// The names that a part of the schema has, to which a reference may lead.
    Beside {
        /// The reference to the part.
        around: String,
        /// The name that it does not have.
        name: String,
        /// The names that it has.
        names: Vec<String>,
    },
}

/// A violation of a schema.
#[derive(Debug, PartialEq, Eq)]
pub struct Violation {
    /// The message. It does not contain the value, which may be secret.
    pub message: String,
    /// The JSON pointer of the part of the value that violates the schema.
    pub at: String,
    /// The JSON pointer of the keyword that it violates.
    pub keyword_at: String,
    /// The keyword.
    pub keyword: String,
    /// The texts of which the value must be one, if the keyword is not `enum`.
    pub choices: Vec<String>,
}

/// Returns what a text is not, if it does not have a format: `an e-mail address, as in …`. `None` for unknown formats.
#[must_use]
pub fn misses(format: &str, text: &str) -> Option<String> {
    if !words::KNOWN.contains(&format) {
        return None;
    }
    let schema = serde_json::json!({ "format": format });
    let validator = jsonschema::options().offline().should_validate_formats(true).build(&schema).ok()?;
    (!validator.is_valid(&Value::from(text))).then(|| words::of_format(format))
}

impl Schema {
    /// Reads a schema of any draft from 4 to 2020-12.
    ///
    /// # Errors
    /// The reason why the value is not a schema.
    pub fn new(schema: &Value) -> Result<Schema, SchemaError> {
        jsonschema::options().offline().build(schema).map(Schema).map_err(|error| words::of_schema(schema, &error))
    }

    /// Passes each violation to `report`, until it returns an error.
    ///
    /// # Errors
    /// The error of `report`.
    ///
    /// ```
    /// use cfg_json_schema::Schema;
    /// use serde_json::json;
    ///
    /// let schema = Schema::new(&json!({ "properties": { "port": { "maximum": 65535 } } })).ok().unwrap();
    /// let mut all = Vec::new();
    /// schema.violations(&json!({ "port": 70000 }), |violation| Ok::<(), ()>(all.push(violation))).unwrap();
    /// assert_eq!(all[0].message, "the value is greater than the maximum of 65535");
    /// assert_eq!((all[0].at.as_str(), all[0].keyword_at.as_str()), ("/port", "/properties/port/maximum"));
    /// ```
    pub fn violations<E>(&self, value: &Value, mut report: impl FnMut(Violation) -> Result<(), E>) -> Result<(), E> {
        let mut failed = None;
        self.each(value, &mut |violation| match report(violation) {
            Ok(()) => true,
            Err(error) => {
                failed = Some(error);
                false
            }
        });
        failed.map_or(Ok(()), Err)
    }

    /// Passes each violation to `go_on` until it returns `false`. It is not generic, so that it is translated in this crate.
    fn each(&self, value: &Value, go_on: &mut dyn FnMut(Violation) -> bool) {
        for error in self.0.iter_errors(value) {
            let mut at = error.instance_path().to_string();
            let mut choices = Vec::new();
            let (keyword_at, keyword) = (error.schema_path().to_string(), error.kind().keyword().to_owned());
            let message = match error.kind() {
                ValidationErrorKind::Required { property } => {
                    format!("missing key `{}`", property.as_str().unwrap_or_default())
                }
                ValidationErrorKind::AdditionalProperties { unexpected }
                | ValidationErrorKind::UnevaluatedProperties { unexpected }
                    if !unexpected.is_empty() =>
                {
                    for key in unexpected {
                        let message = format!("unexpected key `{key}`");
                        let at = format!("{at}/{}", key.replace('~', "~0").replace('/', "~1"));
                        let (keyword_at, keyword) = (keyword_at.clone(), keyword.clone());
                        if !go_on(Violation { message, at, keyword_at, keyword, choices: Vec::new() }) {
                            return;
                        }
                    }
                    continue;
                }
                ValidationErrorKind::PropertyNames { error: inner } => match inner.instance().as_str() {
                    Some(name) => {
                        at = format!("{at}/{}", name.replace('~', "~0").replace('/', "~1"));
                        words::of_value(inner).replacen("the value", &format!("the key `{name}`"), 1)
                    }
                    None => words::of_value(&error),
                },
                ValidationErrorKind::FalseSchema if error.schema_path().as_str().ends_with("additionalProperties") => {
                    String::from("no other key is allowed here")
                }
                ValidationErrorKind::FalseSchema => String::from("no value is allowed here"),
                ValidationErrorKind::AnyOf { context } | ValidationErrorKind::OneOfNotValid { context } => {
                    match words::of_choices(&at, context) {
                        Some((key, message, texts)) => {
                            at = format!("{at}/{key}");
                            choices = texts;
                            message
                        }
                        None => words::of_value(&error),
                    }
                }
                _ => words::of_value(&error),
            };
            if !go_on(Violation { message, at, keyword_at, keyword, choices }) {
                return;
            }
        }
    }
}
