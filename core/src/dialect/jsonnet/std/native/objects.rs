//! Objects: their fields, patches and pruning.

use super::arrays::function_at;
use super::{Answer, argument, fields, fits, force, impossible_type, length, strict, value_of, wrong};
use crate::text::Name;
use crate::value::eval::objects::kind;
use crate::value::{Call, Fault, Machine, Record, Thunk, Value};

/// Returns the fields of an argument that must be an object. Fails with the message of the reference's built-in.
fn listed(machine: &mut Machine, value: &Value, call: &Call, hidden: &Value) -> Result<Vec<(Name, Thunk)>, Fault> {
    fits(machine, call, "objectFieldsEx", &["object", "boolean"], &[value.clone(), hidden.clone()])?;
    match (value, hidden) {
        (Value::Record(record), Value::Bool(hidden)) => fields(machine, record, *hidden),
        _ => Err(impossible_type(call)),
    }
}

fn names(fields: Vec<(Name, Thunk)>) -> Value {
    Value::array(fields.into_iter().map(|(name, _)| Thunk::done(Value::string(name))))
}

pub fn object_fields_ex(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let (object, hidden) = (force(machine, args, 0, call)?, force(machine, args, 1, call)?);
    Ok(names(listed(machine, &object, call, &hidden)?))
}

/// Returns the fields of the first argument.
fn of_first(machine: &mut Machine, args: &[Thunk], call: &Call, hidden: bool) -> Result<Vec<(Name, Thunk)>, Fault> {
    let object = force(machine, args, 0, call)?;
    listed(machine, &object, call, &Value::Bool(hidden))
}

pub fn object_fields(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    Ok(names(of_first(machine, args, call, false)?))
}

pub fn object_fields_all(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    Ok(names(of_first(machine, args, call, true)?))
}

pub fn object_values(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    Ok(Value::array(of_first(machine, args, call, false)?.into_iter().map(|(_, value)| value)))
}

pub fn object_values_all(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    Ok(Value::array(of_first(machine, args, call, true)?.into_iter().map(|(_, value)| value)))
}

fn pairs(fields: Vec<(Name, Thunk)>) -> Value {
    Value::array(fields.into_iter().map(|(name, value)| {
        let pair = [(Name::new_static("key"), Thunk::done(Value::string(name))), (Name::new_static("value"), value)];
        Thunk::done(Value::record(pair))
    }))
}

pub fn object_keys_values(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    Ok(pairs(of_first(machine, args, call, false)?))
}

pub fn object_keys_values_all(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    Ok(pairs(of_first(machine, args, call, true)?))
}

/// Returns a field of an object, unforced.
fn found(machine: &mut Machine, object: &Record, name: &str, hidden: bool) -> Result<Option<Thunk>, Fault> {
    let found = machine.field(object, name)?;
    if hidden || found.is_none() || !machine.is_hidden(object, name)? {
        return Ok(found);
    }
    Ok(None)
}

/// Returns the field if the three arguments are an object, a field name and whether hidden fields count.
fn field_at(
    machine: &mut Machine,
    args: &[Thunk],
    call: &Call,
    hidden: Option<bool>,
    place: usize,
) -> Result<Option<Thunk>, Fault> {
    let (object, name) = (force(machine, args, 0, call)?, force(machine, args, 1, call)?);
    let hidden = match hidden {
        Some(hidden) => Value::Bool(hidden),
        None => force(machine, args, place, call)?,
    };
    let values = [object, name, hidden];
    fits(machine, call, "objectHasEx", &["object", "string", "boolean"], &values)?;
    match &values {
        [Value::Record(object), Value::String(name), Value::Bool(hidden)] => found(machine, object, name, *hidden),
        _ => Err(impossible_type(call)),
    }
}

pub fn object_has_ex(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    Ok(Value::Bool(field_at(machine, args, call, None, 2)?.is_some()))
}

pub fn object_has(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    Ok(Value::Bool(field_at(machine, args, call, Some(false), 2)?.is_some()))
}

pub fn object_has_all(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    Ok(Value::Bool(field_at(machine, args, call, Some(true), 2)?.is_some()))
}

pub fn get(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    match field_at(machine, args, call, None, 3)? {
        Some(field) => value_of(machine, &field),
        None => force(machine, args, 2, call),
    }
}

pub fn object_remove_key(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let [Value::Record(object), Value::String(name)] =
        strict(machine, args, call, "objectRemoveKey", ["object", "string"])?
    else {
        return Err(impossible_type(call));
    };
    Ok(Value::Record(machine.remove_field(&object, &name)?))
}

pub fn map_with_key(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let function = function_at(machine, args, 0, call, "mapWithKey", "first")?;
    let object = force(machine, args, 1, call)?;
    let Value::Record(object) = &object else {
        let words = format!("std.mapWithKey second param must be object, got {}", kind(&object));
        return Err(wrong(machine, call, &object, words));
    };
    let fields = fields(machine, object, false)?;
    Ok(Value::record(fields.into_iter().map(|(name, value)| {
        let key = Thunk::done(Value::string(name.clone()));
        (name, Thunk::apply(function.clone(), vec![key, value], *call))
    })))
}

/// Applies a JSON merge patch (RFC 7396): null removes a field, objects are patched, any other value replaces.
fn patched(machine: &mut Machine, target: Option<&Thunk>, patch: &Thunk) -> Answer {
    let Value::Record(patch) = value_of(machine, patch)? else { return value_of(machine, patch) };
    let target = match target {
        Some(target) => match value_of(machine, target)? {
            Value::Record(target) => Some(target),
            _ => None,
        },
        None => None,
    };
    let mut out: Vec<(Name, Thunk)> = Vec::new();
    let changes = fields(machine, &patch, false)?;
    let mut removed = Vec::with_capacity(changes.len());
    for (_, value) in &changes {
        machine.tick()?;
        removed.push(matches!(value_of(machine, value)?, Value::Null));
    }
    let before = match &target {
        Some(target) => fields(machine, target, false)?,
        None => Vec::new(),
    };
    let mut before = before.into_iter().peekable();
    for ((name, change), removed) in changes.into_iter().zip(removed) {
        while let Some(kept) = before.next_if(|(old, _)| *old < name) {
            out.push(kept);
        }
        let old = before.next_if(|(old, _)| *old == name).map(|(_, value)| value);
        if !removed {
            let value = Thunk::holding((old, change), |machine, (old, change)| {
                if let Some(old) = old {
                    value_of(machine, old)?;
                }
                patched(machine, old.as_ref(), change)
            });
            out.push((name, value));
        }
    }
    out.extend(before);
    Ok(Value::record(out))
}

pub fn merge_patch(machine: &mut Machine, args: &[Thunk], _: &Call) -> Answer {
    patched(machine, Some(&argument(args, 0)), &argument(args, 1))
}

/// Returns `true` if a value is not pruned.
fn is_content(machine: &mut Machine, value: &Value, call: &Call) -> Result<bool, Fault> {
    match value {
        Value::Null => Ok(false),
        Value::Array(_) | Value::Record(_) => Ok(length(machine, value, call)? > 0),
        _ => Ok(true),
    }
}

/// Removes null and empty values from a value.
fn pruned(machine: &mut Machine, value: &Thunk, call: &Call) -> Answer {
    let call = *call;
    let part = |value: &Thunk| Thunk::holding(value.clone(), move |machine, value| pruned(machine, value, &call));
    match value_of(machine, value)? {
        Value::Array(array) => {
            let mut kept = Vec::new();
            for element in machine.items(&array)? {
                machine.tick()?;
                let element = part(element);
                let value = value_of(machine, &element)?;
                if is_content(machine, &value, &call)? {
                    kept.push(element);
                }
            }
            Ok(Value::Array(kept.into()))
        }
        Value::Record(object) => {
            let mut kept = Vec::new();
            for (name, value) in fields(machine, &object, false)? {
                machine.tick()?;
                let value = part(&value);
                let content = value_of(machine, &value)?;
                if is_content(machine, &content, &call)? {
                    kept.push((name, value));
                }
            }
            Ok(Value::record(kept))
        }
        other => Ok(other),
    }
}

pub fn prune(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    pruned(machine, &argument(args, 0), call)
}
