//! `std.enum` in Rust.

use super::{Answer, inner_string};
use crate::text::Name;
use crate::value::{Call, Fault, Machine, Thunk, Value};

pub fn is_enum_tag(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    machine.arg(args, 0, call).map(|v| Value::Bool(matches!(v, Value::Tag(_))))
}

pub fn is_enum_variant(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    machine.arg(args, 0, call).map(|v| Value::Bool(matches!(v, Value::Variant(..))))
}

/// Returns a tag and its argument, if any.
fn parts(machine: &mut Machine, args: &[Thunk], index: usize, call: &Call) -> Result<(Name, Option<Thunk>), Fault> {
    match machine.arg(args, index, call)? {
        Value::Tag(tag) => Ok((tag, None)),
        Value::Variant(tag, arg) => Ok((tag, Some(arg))),
        other => Err(call.mismatch(machine, args, index, "Enum", &other)),
    }
}

pub fn to_tag_and_arg(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let (tag, arg) = parts(machine, args, 0, call)?;
    let arg = arg.map(|arg| (Name::new_static("arg"), arg));
    let tag = (Name::new_static("tag"), Thunk::done(Value::string(tag)));
    Ok(Value::record(arg.into_iter().chain([tag])))
}

pub fn from_tag_and_arg(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let record = machine.record(args, 0, call)?;
    if let Some(field) = machine.fields(&record)?.into_iter().find(|f| f.name != "tag" && f.name != "arg") {
        return Err(call.fault(format!("the record has a field `{}`; only `tag` and `arg` are meant", field.name)));
    }
    let Some(tag) = machine.field(&record, "tag")? else {
        return Err(call.fault("the record has no field `tag`"));
    };
    let tag = inner_string(machine, &tag, "the field `tag`", call)?.name();
    Ok(match machine.field(&record, "arg")? {
        Some(arg) => Value::Variant(tag, arg),
        None => Value::Tag(tag),
    })
}

pub fn map(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let (tag, arg) = parts(machine, args, 1, call)?;
    Ok(match arg {
        Some(arg) => Value::Variant(tag, super::later(args, 0, call, vec![arg])),
        None => Value::Tag(tag),
    })
}
