//! Reading and slicing arrays.

use super::super::{Answer, argument_text, count, natural};
use crate::text::Name;
use crate::value::{Array, Call, Fault, Machine, Thunk, Value};

fn non_empty(machine: &mut Machine, args: &[Thunk], index: usize, call: &Call) -> Result<Array, Fault> {
    let array = machine.array(args, index, call)?;
    if array.is_empty() { Err(call.fault("the array is empty")) } else { Ok(array) }
}

fn elements(n: usize) -> String {
    if n == 1 { String::from("1 element") } else { format!("{n} elements") }
}

fn element(machine: &mut Machine, array: &Array, index: usize, call: &Call) -> Answer {
    match machine.item(array, index)? {
        Some(thunk) => machine.force(&thunk),
        None => Err(call.fault(format!("no element {index}"))),
    }
}

pub fn length(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    machine.array(args, 0, call).map(|array| count(array.len()))
}

pub fn first(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let array = non_empty(machine, args, 0, call)?;
    element(machine, &array, 0, call)
}

pub fn last(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let array = non_empty(machine, args, 0, call)?;
    element(machine, &array, array.len() - 1, call)
}

pub fn drop_first(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let array = non_empty(machine, args, 0, call)?;
    Ok(Value::Array(array.slice(1..array.len())))
}

pub fn drop_last(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let array = non_empty(machine, args, 0, call)?;
    Ok(Value::Array(array.slice(0..array.len() - 1)))
}

pub fn at(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let index = natural(machine, args, 0, call)?;
    let array = machine.array(args, 1, call)?;
    if index < array.len() {
        return element(machine, &array, index, call);
    }
    let index = argument_text(machine, args, 0, call)?;
    Err(call.fault(match array.len().checked_sub(1) {
        None => format!("no element {index}: the array is empty"),
        Some(last) => {
            format!("no element {index}: the array has {}, numbered from 0 to {last}", elements(array.len()))
        }
    }))
}

pub fn at_or(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let index = natural(machine, args, 0, call)?;
    let array = machine.array(args, 2, call)?;
    match machine.item(&array, index)? {
        Some(thunk) => machine.force(&thunk),
        None => machine.arg(args, 1, call),
    }
}

pub fn slice(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let start = natural(machine, args, 0, call)?;
    let end = natural(machine, args, 1, call)?;
    if end < start {
        let (start, end) = (argument_text(machine, args, 0, call)?, argument_text(machine, args, 1, call)?);
        return Err(call.fault(format!("the end {end} is below the start {start}")));
    }
    let array = machine.array(args, 2, call)?;
    if end > array.len() {
        let end = argument_text(machine, args, 1, call)?;
        return Err(call.fault(format!("the end is {end}, the array has {}", elements(array.len()))));
    }
    Ok(Value::Array(array.slice(start..end)))
}

pub fn split_at(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let index = natural(machine, args, 0, call)?;
    let array = machine.array(args, 1, call)?;
    if index > array.len() {
        let index = argument_text(machine, args, 0, call)?;
        return Err(call.fault(format!("cannot split at {index}: the array has {}", elements(array.len()))));
    }
    Ok(Value::record([
        (Name::new_static("left"), Thunk::done(Value::Array(array.slice(0..index)))),
        (Name::new_static("right"), Thunk::done(Value::Array(array.slice(index..array.len())))),
    ]))
}

pub fn elem(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let array = machine.array(args, 1, call)?;
    let Some(wanted) = args.first() else { return Err(call.fault("an argument is missing")) };
    for element in machine.items(&array)? {
        machine.tick()?;
        if machine.equal(element, wanted, call)? {
            return Ok(Value::Bool(true));
        }
    }
    Ok(Value::Bool(false))
}
