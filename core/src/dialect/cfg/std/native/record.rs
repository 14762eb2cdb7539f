//! `std.record` in Rust.
//!
//! Dictionary operations (`insert`, `remove`, `update`, …) work on the frozen record, as in Nickel: other fields that were
//! computed from a changed field keep their values.

use super::{Answer, callee, count, inner_record, inner_string, later};
use crate::text::Name;
use crate::value::record::{DataField, Field};
use crate::value::{Array, Call, Fault, Machine, Record, Thunk, Value};
use std::collections::BTreeMap;

/// Returns a record's fields in alphabetical order, without optional fields that have no definition.
fn fields_of(machine: &mut Machine, args: &[Thunk], index: usize, call: &Call) -> Result<Vec<Field>, Fault> {
    let record = machine.record(args, index, call)?;
    machine.fields(&record)
}

/// Returns the value of a field. If it is declared but not defined, the thunk fails.
fn value_of(machine: &mut Machine, record: &Record, field: &Field) -> Result<Thunk, Fault> {
    match &field.value {
        Some(value) => Ok(value.clone()),
        None => Ok(machine.field(record, &field.name)?.unwrap_or_else(|| Thunk::failed(missing(&field.name, None)))),
    }
}

fn missing(name: &str, call: Option<&Call>) -> Fault {
    let message = format!("the record has no field `{name}`");
    match call {
        Some(call) => call.fault(message),
        None => Fault::undefined(message, None),
    }
}

fn names(fields: Vec<Field>) -> Value {
    Value::array(fields.into_iter().map(|field| Thunk::done(Value::string(field.name))))
}

pub fn fields(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    fields_of(machine, args, 0, call).map(names)
}

pub fn fields_with_opts(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let record = machine.record(args, 0, call)?;
    machine.all_fields(&record).map(names)
}

pub fn length(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    fields_of(machine, args, 0, call).map(|fields| count(fields.len()))
}

pub fn is_empty(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    fields_of(machine, args, 0, call).map(|fields| Value::Bool(fields.is_empty()))
}

pub fn values(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let record = machine.record(args, 0, call)?;
    let mut out = Vec::new();
    for field in machine.fields(&record)? {
        match field.value {
            Some(value) => out.push(value),
            None => return Err(machine.missing_definition(&record, &field.name)),
        }
    }
    Ok(Value::array(out))
}

fn pair(name: &Name, value: Thunk) -> Value {
    Value::record([
        (Name::new_static("field"), Thunk::done(Value::string(name.clone()))),
        (Name::new_static("value"), value),
    ])
}

pub fn to_array(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let record = machine.record(args, 0, call)?;
    let mut out = Vec::new();
    for field in machine.fields(&record)? {
        let value = value_of(machine, &record, &field)?;
        out.push(Thunk::done(pair(&field.name, value)));
    }
    Ok(Value::array(out))
}

pub fn from_array(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let array: Array = machine.array(args, 0, call)?;
    let mut out: BTreeMap<Name, Thunk> = BTreeMap::new();
    for element in machine.items(&array)? {
        machine.tick()?;
        let record = inner_record(machine, element, "an element of the argument", call)?;
        let (mut name, mut value) = (None, None);
        for field in machine.fields(&record)? {
            match field.name.as_str() {
                "field" => name = Some(value_of(machine, &record, &field)?),
                "value" => value = Some(value_of(machine, &record, &field)?),
                other => {
                    return Err(
                        call.fault(format!("an element has a field `{other}`; only `field` and `value` are meant"))
                    );
                }
            }
        }
        let (Some(name), Some(value)) = (name, value) else {
            return Err(call.fault("an element must have the fields `field` and `value`"));
        };
        let name = inner_string(machine, &name, "the field `field` of an element", call)?.name();
        if out.insert(name.clone(), value).is_some() {
            return Err(call.fault(format!("the field `{name}` stands twice")));
        }
    }
    Ok(Value::record(out))
}

pub fn has_field(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let name = machine.string(args, 0, call)?;
    let record = machine.record(args, 1, call)?;
    Ok(Value::Bool(machine.field(&record, &name)?.is_some()))
}

pub fn has_field_with_opts(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let name = machine.string(args, 0, call)?;
    let record = machine.record(args, 1, call)?;
    Ok(Value::Bool(has(machine, &record, &name, true)?))
}

/// Returns `true` if a record has a field. With `empty`, optional fields without a definition count.
fn has(machine: &mut Machine, record: &Record, name: &str, empty: bool) -> Result<bool, Fault> {
    if machine.has_field(record, name)? {
        return Ok(true);
    }
    Ok(empty && machine.all_fields(record)?.iter().any(|field| field.name == name))
}

pub fn get(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let name = machine.string(args, 0, call)?;
    let record = machine.record(args, 1, call)?;
    match machine.field(&record, &name)? {
        Some(value) => machine.force(&value),
        None => Err(missing(&name, Some(call))),
    }
}

pub fn get_or(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let name = machine.string(args, 0, call)?;
    let record = machine.record(args, 2, call)?;
    let defined = match machine.field(&record, &name)? {
        Some(value) if machine.is_defined(&record, &name)? => Some(value),
        _ => None,
    };
    match defined {
        Some(value) => machine.force(&value),
        None => machine.arg(args, 1, call),
    }
}

pub fn apply_on(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let name = machine.string(args, 0, call)?;
    let f = machine.function(args, 1, call)?;
    let mut values = Vec::with_capacity(2);
    for index in [2, 3] {
        let record = machine.record(args, index, call)?;
        let value = machine.field(&record, &name)?;
        values.push(value.unwrap_or_else(|| Thunk::failed(missing(&name, Some(call)))));
    }
    machine.call(&f, &values, call)
}

fn argument(args: &[Thunk], index: usize, call: &Call) -> Result<Thunk, Fault> {
    args.get(index).cloned().ok_or_else(|| call.fault("an argument is missing"))
}

/// The condition for setting a field.
#[derive(Clone, Copy, PartialEq)]
enum Set {
    /// Only if the record does not have it.
    New,
    /// Only if the record does not have it, even as an optional field without a definition.
    Fresh,
    /// Always.
    Anyhow,
}

fn set(machine: &mut Machine, args: &[Thunk], how: Set, call: &Call) -> Answer {
    let name = machine.string(args, 0, call)?.name();
    let record = machine.record(args, 2, call)?;
    let value = argument(args, 1, call)?;
    if how != Set::Anyhow && has(machine, &record, &name, how == Set::Fresh)? {
        return Err(call.fault(format!("the record has a field `{name}` already")));
    }
    let field = DataField { span: machine.place(&value).or(call.span), ..DataField::new(name, value) };
    machine.set_field(&record, field).map(Value::Record)
}

pub fn insert(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    set(machine, args, Set::New, call)
}

pub fn insert_with_opts(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    set(machine, args, Set::Fresh, call)
}

pub fn update(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    set(machine, args, Set::Anyhow, call)
}

fn without(machine: &mut Machine, args: &[Thunk], empty: bool, call: &Call) -> Answer {
    let name = machine.string(args, 0, call)?;
    let record = machine.record(args, 1, call)?;
    if !has(machine, &record, &name, empty)? {
        return Err(missing(&name, Some(call)));
    }
    machine.without_field(&record, &name).map(Value::Record)
}

pub fn remove(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    without(machine, args, false, call)
}

pub fn remove_with_opts(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    without(machine, args, true, call)
}

pub fn freeze(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let record = machine.record(args, 0, call)?;
    machine.freeze(&record).map(Value::Record)
}

/// Applies a function to every value of the frozen record. Metadata is kept, contracts are dropped. Fails if a field that is
/// not optional has no definition.
fn mapped(machine: &mut Machine, args: &[Thunk], call: &Call, mut change: impl FnMut(&Name, Thunk) -> Thunk) -> Answer {
    let record = machine.record(args, 1, call)?;
    let mut out = Vec::new();
    for field in machine.all_fields(&record)? {
        machine.tick()?;
        if field.value.is_none() && !field.optional {
            return Err(machine.missing_definition(&record, &field.name));
        }
        let value = field.value.clone();
        let mut field = DataField::from(field);
        field.value = value.map(|value| change(&field.name, value));
        field.span = call.span;
        out.push(field);
    }
    Ok(Value::Record(record.rebuilt(out)))
}

pub fn map(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    mapped(machine, args, call, |name, value| {
        later(args, 0, call, vec![Thunk::done(Value::string(name.clone())), value])
    })
}

pub fn map_values(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    mapped(machine, args, call, |_, value| later(args, 0, call, vec![value]))
}

pub fn filter(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let record = machine.record(args, 1, call)?;
    let mut out = Vec::new();
    for field in machine.fields(&record)? {
        machine.tick()?;
        let value = value_of(machine, &record, &field)?;
        let name = Thunk::done(Value::string(field.name.clone()));
        let f = callee(machine, &argument(args, 0, call)?, 0, call)?;
        if machine.call_bool(&f, &[name, value.clone()], call)? {
            out.push((field.name, value));
        }
    }
    Ok(Value::record(out))
}

/// Merges records pairwise, so that merging n records builds a tree of depth log n.
pub fn merge_all(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let array = machine.array(args, 0, call)?;
    let mut level: Vec<Thunk> = Vec::with_capacity(array.len());
    for element in machine.items(&array)? {
        machine.tick()?;
        inner_record(machine, element, "an element of the argument", call)?;
        level.push(element.clone());
    }
    while level.len() > 1 {
        let mut next = Vec::with_capacity(level.len().div_ceil(2));
        for two in level.chunks(2) {
            machine.tick()?;
            next.push(match two {
                [a, b] => Thunk::done(machine.merge(a, b, call)?),
                [one] => one.clone(),
                _ => continue,
            });
        }
        level = next;
    }
    match level.first() {
        Some(whole) => machine.force(whole),
        None => Ok(Value::Record(Record::empty())),
    }
}
