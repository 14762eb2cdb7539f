//! The modules `list`, `map` and `iter`.

use super::args::{Answer, pure};
use super::table::{Form, Function, Module, Refused};
use super::top;
use crate::infer::PartialCall;
use crate::value::{Call, Machine, Thunk, Value};

/// The module `list`.
pub static LIST: Module = Module {
    path: "list",
    doc: "Lists.",
    functions: &[
        Function {
            name: "concat",
            signature: "func([]?1) []?1",
            doc: "Joins any number of lists, at least one.",
            form: Form::Infer(concatenated),
            run: concat,
        },
        Function {
            name: "lookup",
            signature: "func(list []?1, index int) ?1",
            doc: "Returns an element, counted from 0. Without a third argument, the default, it fails if there is none.",
            form: Form::Infer(list_lookup),
            run: lookup,
        },
    ],
};

/// The module `map`.
pub static MAP: Module = Module {
    path: "map",
    doc: "Maps.",
    functions: &[Function {
        name: "lookup",
        signature: "func(entries map{?1: ?2}, key ?1) ?2",
        doc: "Returns the value of a key. Without a third argument, the default, it fails if there is none.",
        form: Form::Infer(map_lookup),
        run: entry,
    }],
};

/// The module `iter`.
pub static ITER: Module = Module {
    path: "iter",
    doc: "Functions that call a function for each element of a list.",
    functions: &[
        pure(
            "filter",
            "func(inputs []?1, function func(?1) bool) []?1",
            "Returns the elements for which the function is true.",
            filter,
        ),
        pure(
            "map",
            "func(inputs []?1, function func(?1) ?2) []?2",
            "Returns the results of the function for each element.",
            map,
        ),
    ],
};

fn concatenated(call: &PartialCall) -> Result<String, Refused> {
    match call.types.len() {
        0 => Err(Refused::Message(String::from("`concat` needs at least one list"))),
        count => Ok(format!("func({}) []?1", vec!["[]?1"; count].join(", "))),
    }
}

fn list_lookup(call: &PartialCall) -> Result<String, Refused> {
    match call.types.len() {
        2 => Ok(String::from("func(list []?1, index int) ?1")),
        3 => Ok(String::from("func(list []?1, index int, default ?1) ?1")),
        count => Err(two_or_three(count)),
    }
}

fn map_lookup(call: &PartialCall) -> Result<String, Refused> {
    match call.types.len() {
        2 => Ok(String::from("func(entries map{?1: ?2}, key ?1) ?2")),
        3 => Ok(String::from("func(entries map{?1: ?2}, key ?1, default ?2) ?2")),
        count => Err(two_or_three(count)),
    }
}

fn two_or_three(count: usize) -> Refused {
    Refused::Message(format!("`lookup` has 2 arguments, or 3 with a default; found {count}"))
}

fn concat(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let mut out = Vec::new();
    for index in 0..args.len() {
        let list = machine.array(args, index, call)?;
        machine.room_for(&mut out, list.len())?;
        out.extend_from_slice(machine.items(&list)?);
    }
    Ok(Value::array(out))
}

fn lookup(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    if args.len() > 2 { top::element_or(machine, args, call) } else { top::element(machine, args, call) }
}

fn entry(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    if args.len() > 2 { top::entry_or(machine, args, call) } else { top::entry(machine, args, call) }
}

fn filter(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let (inputs, function) = (machine.array(args, 0, call)?, machine.function(args, 1, call)?);
    let mut out = Vec::new();
    for element in machine.items(&inputs)? {
        machine.tick()?;
        if machine.call_bool(&function, std::slice::from_ref(element), call)? {
            machine.room_for(&mut out, 1)?;
            out.push(element.clone());
        }
    }
    Ok(Value::array(out))
}

fn map(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let (inputs, function) = (machine.array(args, 0, call)?, machine.function(args, 1, call)?);
    machine.charge_computed_elements(inputs.len())?;
    Ok(Value::array(
        machine.items(&inputs)?.iter().map(|element| Thunk::apply(function.clone(), vec![element.clone()], *call)),
    ))
}
