//! `std.contract.from_json_schema`: a value against a JSON Schema, with the crate `cfg-json-schema`.

use super::Answer;
use crate::text::Name;
use crate::value::datum::Datum;
use crate::value::machine::Budget;
use crate::value::manifest::{ManifestFormat, manifest};
use crate::value::{Call, Fault, Machine, Thunk, Value};
use cfg_json_schema::Schema;

/// Maximum number of violations in a report.
const SHOWN: usize = 5;

/// Validates the second argument against the schema in the first. Messages do not contain the value, which may be secret.
pub fn validate(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let [schema, value] = args else { return Err(call.fault("it takes a schema and a value")) };
    let Some(schema) = json(machine, schema, call)? else { return Err(call.fault("the schema is secret")) };
    // a secret is present, and its contents stay unknown
    let Some(value) = json(machine, value, call)? else { return Ok(Value::tag("Ok")) };
    let schema = Schema::new(&schema).map_err(|error| call.fault(format!("not a JSON Schema: {error}")))?;
    let mut messages: Vec<String> = Vec::new();
    let mut more = 0;
    schema.violations(&value, |message| {
        machine.tick()?;
        match messages.len() < SHOWN {
            true => messages.push(message),
            false => more += 1,
        }
        Ok(())
    })?;
    if messages.is_empty() {
        return Ok(Value::tag("Ok"));
    }
    if more > 0 {
        messages.push(format!("{more} more"));
    }
    let first = messages.remove(0);
    let notes = messages.into_iter().map(|note| Thunk::done(Value::string(Name::from(note))));
    let fields = [
        (Name::new_static("message"), Thunk::done(Value::string(Name::from(first)))),
        (Name::new_static("notes"), Thunk::done(Value::array(notes))),
    ];
    Ok(Value::Variant(Name::new_static("Error"), Thunk::done(Value::record(fields))))
}

/// Returns a value as JSON; `None` for a secret.
fn json(machine: &mut Machine, thunk: &Thunk, call: &Call) -> Result<Option<serde_json::Value>, Fault> {
    machine.force_deep(thunk)?;
    let datum = machine.datum(thunk, Budget::ALL);
    if let Datum::Secret = datum {
        return Ok(None);
    }
    let text = manifest(&datum, ManifestFormat::Json).map_err(|_| call.fault("only data can be checked"))?;
    // deeper values than the reader takes are not checked
    match serde_json::from_str(&text) {
        Ok(value) => Ok(Some(value)),
        Err(error) => Err(call.fault(format!("the value cannot be checked: {error}"))),
    }
}
