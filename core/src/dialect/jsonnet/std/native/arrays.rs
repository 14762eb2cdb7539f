//! Arrays: creating, mapping, folding, searching, testing.

use super::{
    Answer, apply, argument, elements, equal, failure, force, impossible_type, long, number, numbers, operate, strict,
};
use super::{shown, text, value_of, wrong};
use crate::term::Prim;
use crate::value::eval::objects::kind;
use crate::value::{Array, Call, Fault, Machine, Thunk, Value};

/// Returns an argument that is the size of a new array.
pub fn size(machine: &mut Machine, args: &[Thunk], index: usize, call: &Call) -> Result<usize, Fault> {
    let count = force(machine, args, index, call)?;
    let Value::Number(count) = &count else {
        let words =
            format!("Builtin function makeArray expected (number, function) but got ({}, function)", kind(&count));
        return Err(wrong(machine, call, &count, words));
    };
    whole_size(machine, count.to_f64(), call)
}

fn whole_size(machine: &mut Machine, count: f64, call: &Call) -> Result<usize, Fault> {
    let Ok(count) = usize::try_from(long(count)) else {
        return Err(failure(call, format!("makeArray requires size >= 0, got {}", shown(count))));
    };
    machine.charge_lazy(count)?;
    Ok(count)
}

pub fn make_array(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let [Value::Number(count), function] = strict(machine, args, call, "makeArray", ["number", "function"])? else {
        return Err(impossible_type(call));
    };
    let count = whole_size(machine, count.to_f64(), call)?;
    let params = function.parameters().unwrap_or(0);
    if params != 1 {
        return Err(failure(call, format!("makeArray function must take 1 param, got: {params}")));
    }
    Ok(Value::Array(Array::applied(function, count, true, None, *call)))
}

/// Returns a function and the array to map it over. Fails with the messages of `std.map`.
fn to_map(
    machine: &mut Machine,
    args: &[Thunk],
    call: &Call,
    name: &str,
    second: &str,
) -> Result<(Value, Value), Fault> {
    let function = function_at(machine, args, 0, call, name, "first")?;
    let whole = force(machine, args, 1, call)?;
    if !matches!(whole, Value::Array(_) | Value::String(_)) {
        let words = format!("std.{name} second param must be {second}, got {}", kind(&whole));
        return Err(wrong(machine, call, &whole, words));
    }
    Ok((function, whole))
}

/// Returns an argument that must be a function.
pub fn function_at(
    machine: &mut Machine,
    args: &[Thunk],
    index: usize,
    call: &Call,
    name: &str,
    place: &str,
) -> Answer {
    let function = force(machine, args, index, call)?;
    if function.parameters().is_some() {
        return Ok(function);
    }
    let words = format!("std.{name} {place} param must be function, got {}", kind(&function));
    Err(wrong(machine, call, &function, words))
}

pub fn map(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let (function, whole) = to_map(machine, args, call, "map", "array / string")?;
    let parts = elements(machine, &whole, call)?;
    mapped(machine, &function, &parts, call)
}

fn mapped(machine: &mut Machine, function: &Value, parts: &Array, call: &Call) -> Answer {
    machine.charge_lazy(parts.len())?;
    Ok(Value::Array(Array::applied(function.clone(), parts.len(), false, Some(parts.clone()), *call)))
}

pub fn map_with_index(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let (function, whole) = to_map(machine, args, call, "mapWithIndex", "array")?;
    let parts = elements(machine, &whole, call)?;
    machine.charge_lazy(parts.len())?;
    Ok(Value::Array(Array::applied(function, parts.len(), true, Some(parts), *call)))
}

pub fn flat_map(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let (function, whole) = to_map(machine, args, call, "flatMap", "array / string")?;
    let parts = elements(machine, &whole, call)?;
    let strings = matches!(whole, Value::String(_));
    let mut out = String::new();
    let mut items: Vec<Thunk> = Vec::new();
    for part in machine.items(&parts)? {
        machine.tick()?;
        match apply(machine, &function, std::slice::from_ref(part), call)? {
            Value::Array(array) if !strings => {
                machine.room_for(&mut items, array.len())?;
                items.extend_from_slice(machine.items(&array)?);
            }
            Value::String(text) if strings => {
                machine.append(&mut out, &text)?;
            }
            other => {
                let (on, wanted) = if strings { ("strings", "a string") } else { ("arrays", "an array") };
                let words =
                    format!("std.flatMap on {on}, provided function must return {wanted}, got {}", kind(&other));
                return Err(wrong(machine, call, &other, words));
            }
        }
    }
    Ok(if strings { Value::string(out) } else { Value::Array(items.into()) })
}

/// Returns the elements for which a function returns true.
fn filtered(machine: &mut Machine, function: &Value, array: &Array, call: &Call) -> Result<Vec<Thunk>, Fault> {
    if function.parameters() != Some(1) {
        return Err(failure(call, "filter function takes 1 parameter."));
    }
    let mut kept = Vec::new();
    for element in machine.items(array)? {
        machine.tick()?;
        match apply(machine, function, std::slice::from_ref(element), call)? {
            Value::Bool(true) => {
                machine.room_for(&mut kept, 1)?;
                kept.push(element.clone());
            }
            Value::Bool(false) => {}
            other => {
                let words = format!("filter function must return boolean, got: {}", kind(&other));
                return Err(wrong(machine, call, &other, words));
            }
        }
    }
    Ok(kept)
}

pub fn filter(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let [function, Value::Array(array)] = strict(machine, args, call, "filter", ["function", "array"])? else {
        return Err(impossible_type(call));
    };
    Ok(Value::Array(filtered(machine, &function, &array, call)?.into()))
}

pub fn filter_map(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let keep = function_at(machine, args, 0, call, "filterMap", "first")?;
    let change = function_at(machine, args, 1, call, "filterMap", "second")?;
    let array = force(machine, args, 2, call)?;
    let Value::Array(array) = &array else {
        let words = format!("std.filterMap third param must be array, got {}", kind(&array));
        return Err(wrong(machine, call, &array, words));
    };
    let kept = filtered(machine, &keep, array, call)?;
    mapped(machine, &change, &kept.into(), call)
}

/// Folds an array or a string, from its end if `backwards`. Computes each step before the next. Computes the initial value only
/// if a step needs it or if there are no steps.
fn fold(machine: &mut Machine, args: &[Thunk], call: &Call, backwards: bool) -> Answer {
    let whole = force(machine, args, 1, call)?;
    let parts = elements(machine, &whole, call)?;
    let mut running = argument(args, 2);
    if parts.is_empty() {
        return value_of(machine, &running);
    }
    let function = force(machine, args, 0, call)?;
    // if only this call holds the array, each element can be dropped after its step
    drop(whole);
    let holders = if args.get(1).is_some_and(Thunk::is_held_once) { 2 } else { 0 };
    for i in 0..parts.len() {
        machine.tick()?;
        let at = if backwards { parts.len() - 1 - i } else { i };
        let Some(part) = parts.once(at, holders) else { break };
        let given = if backwards { [part, running] } else { [running, part] };
        running = Thunk::done(apply(machine, &function, &given, call)?);
    }
    value_of(machine, &running)
}

pub fn foldl(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    fold(machine, args, call, false)
}

pub fn foldr(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    fold(machine, args, call, true)
}

pub fn range(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let [Value::Number(from), Value::Number(to)] = strict(machine, args, call, "range", ["number", "number"])? else {
        return Err(impossible_type(call));
    };
    let (from, to) = (long(from.to_f64()), long(to.to_f64()));
    let count = to.saturating_sub(from).saturating_add(1).max(0);
    machine.charge_lazy(count as usize)?;
    Ok(Value::Array(Array::range(from as f64, count as usize)))
}

pub fn slice(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let whole = force(machine, args, 0, call)?;
    let (from, to) = (force(machine, args, 1, call)?, force(machine, args, 2, call)?);
    let step = force(machine, args, 3, call)?;
    machine.slice(&whole, [&from, &to, &step], super::span(call))
}

/// Returns the indices of the elements that equal a value.
fn places(machine: &mut Machine, array: &Array, value: &Thunk, call: &Call) -> Result<Vec<usize>, Fault> {
    let mut found = Vec::new();
    for (i, element) in machine.items(array)?.iter().enumerate() {
        machine.tick()?;
        let element = value_of(machine, element)?;
        let value = value_of(machine, value)?;
        if equal(machine, element, value, call)? {
            found.push(i);
        }
    }
    Ok(found)
}

/// Returns the number of elements that equal a value.
fn count_of(machine: &mut Machine, array: &Value, value: &Thunk, call: &Call) -> Result<usize, Fault> {
    let Value::Array(array) = array else {
        let words = format!("Builtin function filter expected (function, array) but got (function, {})", kind(array));
        return Err(wrong(machine, call, array, words));
    };
    Ok(places(machine, array, value, call)?.len())
}

/// Returns `true` if a value is an element of an array or a part of a string.
pub fn is_member(machine: &mut Machine, whole: &Value, value: &Thunk, call: &Call) -> Result<bool, Fault> {
    match whole {
        Value::Array(_) => Ok(count_of(machine, whole, value, call)? > 0),
        Value::String(text) => match value_of(machine, value)? {
            Value::String(part) => Ok(!part.is_empty() && text.contains(part.as_str())),
            other => {
                let words = format!("findSubstr first parameter should be a string, got {}", kind(&other));
                Err(wrong(machine, call, &other, words))
            }
        },
        other => Err(wrong(machine, call, other, "std.member first argument must be an array or a string")),
    }
}

pub fn member(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let whole = force(machine, args, 0, call)?;
    Ok(Value::Bool(is_member(machine, &whole, &argument(args, 1), call)?))
}

pub fn count(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let whole = force(machine, args, 0, call)?;
    Ok(number(count_of(machine, &whole, &argument(args, 1), call)? as f64))
}

/// Returns the array to search. Fails with the message of `std.find`.
fn searched(machine: &mut Machine, whole: Value, call: &Call) -> Result<Array, Fault> {
    match whole {
        Value::Array(array) => Ok(array),
        other => {
            let words = format!("find second parameter should be an array, got {}", kind(&other));
            Err(wrong(machine, call, &other, words))
        }
    }
}

pub fn find(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let whole = force(machine, args, 1, call)?;
    let array = searched(machine, whole, call)?;
    let found = places(machine, &array, &argument(args, 0), call)?;
    Ok(numbers(found.into_iter().map(|i| i as f64)))
}

pub fn contains(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let whole = force(machine, args, 0, call)?;
    let Value::Array(array) = &whole else {
        return Err(wrong(machine, call, &whole, "In comprehension, can only iterate over array."));
    };
    for element in machine.items(array)? {
        machine.tick()?;
        let element = value_of(machine, element)?;
        let wanted = force(machine, args, 1, call)?;
        if equal(machine, element, wanted, call)? {
            return Ok(Value::Bool(true));
        }
    }
    Ok(Value::Bool(false))
}

pub fn remove_at(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let whole = force(machine, args, 0, call)?;
    let parts = elements(machine, &whole, call)?;
    machine.charge_elements(parts.len())?;
    let mut kept = Vec::with_capacity(parts.len());
    for (i, part) in machine.items(&parts)?.iter().enumerate() {
        machine.tick()?;
        let at = force(machine, args, 1, call)?;
        if !equal(machine, number(i as f64), at, call)? {
            kept.push(part.clone());
        }
    }
    Ok(Value::Array(kept.into()))
}

pub fn remove(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let whole = force(machine, args, 0, call)?;
    let array = searched(machine, whole, call)?;
    match places(machine, &array, &argument(args, 1), call)?.first() {
        None => Ok(Value::Array(array)),
        Some(&at) => Ok(Value::Array(array.slice(0..at).concat(&array.slice(at + 1..array.len())))),
    }
}

pub fn flatten_arrays(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let whole = force(machine, args, 0, call)?;
    let mut flat = Value::array([]);
    let parts = elements(machine, &whole, call)?;
    for part in machine.items(&parts)? {
        machine.tick()?;
        let part = value_of(machine, part)?;
        flat = operate(machine, Prim::Plus, flat, part, call)?;
    }
    Ok(flat)
}

pub fn flatten_deep_array(machine: &mut Machine, args: &[Thunk], _: &Call) -> Answer {
    let mut flat: Vec<Thunk> = Vec::new();
    let mut work: Vec<Thunk> = args.iter().take(1).cloned().collect();
    while let Some(next) = work.pop() {
        machine.tick()?;
        match value_of(machine, &next)? {
            Value::Array(array) => {
                machine.room_for(&mut work, array.len())?;
                work.extend(machine.items(&array)?.iter().rev().cloned());
            }
            _ => {
                machine.room_for(&mut flat, 1)?;
                flat.push(next);
            }
        }
    }
    Ok(Value::Array(flat.into()))
}

pub fn reverse(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let whole = force(machine, args, 0, call)?;
    let parts = elements(machine, &whole, call)?;
    machine.charge_elements(parts.len())?;
    Ok(Value::array(machine.items(&parts)?.iter().rev().cloned()))
}

/// Returns `true` if all elements, which must be booleans, equal `wanted`. Stops at the first one that does not.
fn all_are(machine: &mut Machine, args: &[Thunk], call: &Call, name: &str, wanted: bool) -> Result<bool, Fault> {
    let whole = force(machine, args, 0, call)?;
    let Value::Array(array) = &whole else {
        let words = format!("{name}() parameter should be an array, got {}", kind(&whole));
        return Err(wrong(machine, call, &whole, words));
    };
    for element in machine.items(array)? {
        machine.tick()?;
        match value_of(machine, element)? {
            Value::Bool(b) if b == wanted => {}
            Value::Bool(_) => return Ok(false),
            other => {
                let shown = text(machine, &other)?;
                let words = format!("element \"{}\" of type {} is not a boolean", shown.as_str(), kind(&other));
                return Err(wrong(machine, call, &other, words));
            }
        }
    }
    Ok(true)
}

pub fn all(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    Ok(Value::Bool(all_are(machine, args, call, "all", true)?))
}

pub fn any(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    Ok(Value::Bool(!all_are(machine, args, call, "any", false)?))
}
