//! The functions that a program has without an import.

use super::args::{Answer, int, of_length, pure, text};
use super::table::{Form, Function, Module};
use crate::term::Number;
use crate::value::{Call, Fault, Machine, Thunk, Value};

/// The functions of the top level.
pub static MODULE: Module = Module {
    path: "",
    doc: "The functions that a program has without an import.",
    functions: &[
        pure("concat", "func(a str, b str) str", "Joins two strings.", concat),
        pure(
            "contains",
            "func(needle ?1, haystack []?1) bool",
            "Returns whether a list has an element. `x in list` calls it.",
            contains,
        ),
        Function {
            name: "history",
            signature: "func(value ?1, steps int) ?1",
            doc: "Returns the value that the first argument had before the given number of changes.",
            form: Form::Input,
            run: first,
        },
        Function {
            name: "len",
            signature: "func(value ?1) int",
            doc: "Returns the length of a string in bytes, or the number of elements of a list, or of entries of a map.",
            form: Form::Build(&["str", "list", "map"]),
            run: len,
        },
        pure(
            "list_lookup",
            "func(list []?1, index int) ?1",
            "Returns an element of a list, counted from 0. Fails if there is none.",
            element,
        ),
        pure(
            "list_lookup_default",
            "func(list []?1, index int, default ?1) ?1",
            "Returns an element of a list, counted from 0, or else the default.",
            element_or,
        ),
        pure(
            "map_lookup",
            "func(map map{?1: ?2}, key ?1) ?2",
            "Returns the value of a key. Fails if there is none.",
            entry,
        ),
        pure(
            "map_lookup_default",
            "func(map map{?1: ?2}, key ?1, default ?2) ?2",
            "Returns the value of a key, or else the default.",
            entry_or,
        ),
        Function {
            name: "panic",
            signature: "func(reason ?1) bool",
            doc: "Ends the program with a reason, unless it is empty or `false`.",
            form: Form::Build(&["str", "bool"]),
            run: panic,
        },
        Function {
            name: "random1",
            signature: "func(length int) str",
            doc: "Returns a random string of a length, which stays the same. Its value comes from outside.",
            form: Form::Input,
            run: |machine, args, call| super::input(machine, "random1", args, call),
        },
    ],
};

fn first(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    machine.arg(args, 0, call)
}

fn concat(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let (a, b) = (text(machine, args, 0, call)?, text(machine, args, 1, call)?);
    machine.charge(a.len().saturating_add(b.len()))?;
    Ok(Value::String(a.concat(&b)))
}

fn contains(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let Some(needle) = args.first() else { return Err(call.fault("an argument is missing")) };
    let list = machine.array(args, 1, call)?;
    for element in machine.items(&list)? {
        machine.tick()?;
        if machine.equal(needle, element, call)? {
            return Ok(Value::Bool(true));
        }
    }
    Ok(Value::Bool(false))
}

fn len(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    Ok(of_length(match machine.arg(args, 0, call)? {
        Value::String(text) => text.len(),
        Value::Array(array) => array.len(),
        Value::Map(map) => map.len(),
        other => return Err(call.mismatch(machine, args, 0, "str, list or map", &other)),
    }))
}

/// Returns an element of the list in argument 0, at the index in argument 1.
fn found(machine: &mut Machine, args: &[Thunk], call: &Call) -> Result<Result<Thunk, Fault>, Fault> {
    let (list, index) = (machine.array(args, 0, call)?, int(machine, args, 1, call)?);
    let element = match usize::try_from(index) {
        Ok(index) => machine.item(&list, index)?,
        Err(_) => None,
    };
    Ok(element.ok_or_else(|| call.fault(format!("there is no element {index}: the list has {}", list.len()))))
}

/// Returns an element of a list. Fails if there is none.
pub fn element(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let element = found(machine, args, call)??;
    machine.force(&element)
}

/// Returns an element of a list, or argument 2 if it does not exist.
pub fn element_or(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    match found(machine, args, call)? {
        Ok(element) => machine.force(&element),
        Err(_) => machine.arg(args, 2, call),
    }
}

/// Returns the value of the key in argument 1 in the map in argument 0.
fn kept(machine: &mut Machine, args: &[Thunk], call: &Call) -> Result<Result<Thunk, Fault>, Fault> {
    let map = match machine.arg(args, 0, call)? {
        Value::Map(map) => map,
        other => return Err(call.mismatch(machine, args, 0, "map", &other)),
    };
    if let Some(key) = args.get(1) {
        machine.force_deep(key)?;
    }
    let key = machine.arg(args, 1, call)?;
    Ok(map.get(&key).cloned().ok_or_else(|| {
        call.fault(match &key {
            Value::String(key) => format!("there is no key {:?}", key.as_str()),
            Value::Number(Number::Int(key)) => format!("there is no key {key}"),
            _ => String::from("there is no such key"),
        })
    }))
}

/// Returns the value of a key of a map. Fails if there is none.
pub fn entry(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let value = kept(machine, args, call)??;
    machine.force(&value)
}

/// Returns the value of a key of a map, or argument 2 if the key does not exist.
pub fn entry_or(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    match kept(machine, args, call)? {
        Ok(value) => machine.force(&value),
        Err(_) => machine.arg(args, 2, call),
    }
}

fn panic(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    match machine.arg(args, 0, call)? {
        Value::String(reason) if reason.is_empty() => Ok(Value::Bool(true)),
        Value::Bool(false) => Ok(Value::Bool(true)),
        Value::String(reason) => Err(call.fault(reason.name())),
        _ => Err(call.fault("the program panics")),
    }
}
