//! `std.merge` in Rust.

use super::Answer;
use crate::text::path::rule;
use crate::value::lists::ListMerge;
use crate::value::{Call, Machine, Record, Thunk, Value};

pub fn list(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let text = machine.string(args, 0, call)?;
    let rule = match rule(&text) {
        Ok(found) if found.path.is_none() => found.rule,
        Ok(_) => return Err(call.fault(format!("`{}` is a rule for a path; the field has the path", text.as_str()))),
        Err(error) => return Err(call.fault(format!("`{}` is not a rule for lists: {error}", text.as_str()))),
    };
    let elements = machine.record(args, 1, call)?;
    let definitions = machine.record(args, 2, call)?;
    let lower = part(machine, &definitions, "lower", call)?;
    let higher = part(machine, &definitions, "higher", call)?;
    let priority = part(machine, &definitions, "priority", call)?;
    let same = matches!(machine.force(&priority)?, Value::Tag(tag) if tag == "Same");
    let elements = (!machine.all_fields(&elements)?.is_empty()).then_some(&elements);
    ListMerge { rule: &rule, elements, same, call }.combine(machine, &lower, &higher)
}

/// Returns a part of the argument of a merge function.
fn part(
    machine: &mut Machine,
    definitions: &Record,
    name: &'static str,
    call: &Call,
) -> Result<Thunk, crate::value::Fault> {
    match machine.field(definitions, name)? {
        Some(part) => Ok(part),
        None => Err(call.fault(format!("the argument of a merge function has a field `{name}`"))),
    }
}
