//! Checks a JSON value against a JSON Schema, without access to files or the network.
//!
//! This is a crate of its own because `jsonschema` is generic: the compiler would translate all of it again, with full
//! optimisation, in each crate that calls it.

use serde_json::Value;

/// A schema that was read.
pub struct Schema(jsonschema::Validator);

impl Schema {
    /// Reads a schema of any draft from 4 to 2020-12.
    ///
    /// # Errors
    /// The reason why the value is not a schema.
    pub fn new(schema: &Value) -> Result<Schema, String> {
        jsonschema::options().offline().build(schema).map(Schema).map_err(|error| error.to_string())
    }

    /// Passes a message for each violation to `report`, until it returns an error. A message ends with the path in the value; it
    /// does not contain the value, which may be secret.
    ///
    /// # Errors
    /// The error of `report`.
    ///
    /// ```
    /// use cfg_json_schema::Schema;
    /// use serde_json::json;
    ///
    /// let schema = Schema::new(&json!({ "properties": { "port": { "maximum": 65535 } } })).unwrap();
    /// let mut messages = Vec::new();
    /// schema.violations(&json!({ "port": 70000 }), |message| Ok::<(), ()>(messages.push(message))).unwrap();
    /// assert_eq!(messages, ["the value is greater than the maximum of 65535 (at /port)"]);
    /// ```
    pub fn violations<E>(&self, value: &Value, mut report: impl FnMut(String) -> Result<(), E>) -> Result<(), E> {
        let mut failed = None;
        self.each(value, &mut |message| match report(message) {
            Ok(()) => true,
            Err(error) => {
                failed = Some(error);
                false
            }
        });
        failed.map_or(Ok(()), Err)
    }

    /// Passes each message to `go_on` until it returns `false`. It is not generic, so that it is translated in this crate.
    fn each(&self, value: &Value, go_on: &mut dyn FnMut(String) -> bool) {
        for error in self.0.iter_errors(value) {
            let at = error.instance_path().to_string();
            let said = error.masked_with("the value").to_string();
            if !go_on(if at.is_empty() { said } else { format!("{said} (at {at})") }) {
                return;
            }
        }
    }
}
