//! Folding arrays, and functions that are folds.

use super::super::{Answer, bad_result, callee};
use crate::text::Name;
use crate::value::{Array, Call, Fault, Machine, Thunk, Value};
use std::collections::BTreeMap;

/// Forces a thunk and returns it.
fn forced(machine: &mut Machine, thunk: &Thunk) -> Result<Thunk, Fault> {
    machine.force(thunk)?;
    Ok(thunk.clone())
}

fn left(machine: &mut Machine, f: &Thunk, start: Thunk, array: &Array, call: &Call) -> Answer {
    let mut acc = start;
    let mut function = None;
    for x in machine.items(array)? {
        machine.tick()?;
        let f = match &function {
            Some(f) => f,
            None => function.insert(callee(machine, f, 0, call)?),
        };
        acc = Thunk::done(machine.call(f, &[acc, x.clone()], call)?);
    }
    machine.force(&acc)
}

/// The number of nested steps of a right fold after which its function is assumed to need the whole rest.
const NESTED: usize = 1000;

/// Computes `f x₀ (f x₁ (… start))`. Each inner fold is a thunk, so that `f` may ignore it. After [`NESTED`] inner folds in
/// a row were needed, the rest is computed from its end without nesting. A failure there stays in its thunk until that is
/// needed.
fn right(machine: &mut Machine, f: &Thunk, start: &Thunk, array: &Array, depth: usize, call: &Call) -> Answer {
    let Some(x) = machine.item(array, 0)? else { return machine.force(start) };
    machine.tick()?;
    let function = callee(machine, f, 0, call)?;
    let rest = array.slice(1..array.len());
    let rest = if rest.is_empty() {
        start.clone()
    } else if depth < NESTED {
        let (held, call) = ((f.clone(), start.clone(), rest), *call);
        Thunk::holding(held, move |machine, (f, start, rest)| right(machine, f, start, rest, depth + 1, &call))
    } else {
        let mut acc = start.clone();
        for x in machine.items(&rest)?.iter().rev() {
            machine.tick()?;
            acc = match machine.call(&function, &[x.clone(), acc], call) {
                Ok(value) => Thunk::done(value),
                Err(fault) if fault.is_transient() => return Err(fault),
                Err(fault) => Thunk::failed(fault),
            };
        }
        acc
    };
    machine.call(&function, &[x, rest], call)
}

fn two<'a>(args: &'a [Thunk], call: &Call) -> Result<(&'a Thunk, &'a Thunk), Fault> {
    match args {
        [a, b, ..] => Ok((a, b)),
        _ => Err(call.fault("an argument is missing")),
    }
}

pub fn fold_left(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let array = machine.array(args, 2, call)?;
    let (f, start) = two(args, call)?;
    left(machine, f, start.clone(), &array, call)
}

pub fn fold_right(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let array = machine.array(args, 2, call)?;
    let (f, start) = two(args, call)?;
    right(machine, f, start, &array, 0, call)
}

pub fn reduce_left(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let array = machine.array(args, 1, call)?;
    let (f, _) = two(args, call)?;
    match machine.item(&array, 0)? {
        Some(start) => left(machine, f, start, &array.slice(1..array.len()), call),
        None => Err(call.fault("the array is empty")),
    }
}

pub fn reduce_right(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let array = machine.array(args, 1, call)?;
    let (f, _) = two(args, call)?;
    let last = array.len().saturating_sub(1);
    match machine.item(&array, last)? {
        Some(start) => right(machine, f, &start, &array.slice(0..last), 0, call),
        None => Err(call.fault("the array is empty")),
    }
}

pub fn try_fold_left(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let array = machine.array(args, 2, call)?;
    let (f, start) = two(args, call)?;
    let mut acc = start.clone();
    for x in machine.items(&array)? {
        machine.tick()?;
        let f = callee(machine, f, 0, call)?;
        match machine.call(&f, &[acc, x.clone()], call)? {
            Value::Variant(tag, next) if tag == "Ok" => acc = forced(machine, &next)?,
            Value::Variant(tag, error) if tag == "Error" => return Ok(Value::Variant(tag, error)),
            other => return Err(bad_result("[| 'Ok _, 'Error _ |]", &other, call)),
        }
    }
    Ok(Value::variant("Ok", acc))
}

pub fn all(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    search(machine, args, false, call).map(|found| Value::Bool(!found))
}

pub fn any(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    search(machine, args, true, call).map(Value::Bool)
}

/// Returns `true` if the predicate returns `wanted` for some element. Stops at the first one.
fn search(machine: &mut Machine, args: &[Thunk], wanted: bool, call: &Call) -> Result<bool, Fault> {
    let array = machine.array(args, 1, call)?;
    for x in machine.items(&array)? {
        machine.tick()?;
        let f = machine.function(args, 0, call)?;
        if machine.call_bool(&f, std::slice::from_ref(x), call)? == wanted {
            return Ok(true);
        }
    }
    Ok(false)
}

pub fn filter(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let (kept, _) = partitioned(machine, args, call)?;
    Ok(Value::array(kept))
}

pub fn partition(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let (right, wrong) = partitioned(machine, args, call)?;
    Ok(Value::record([
        (Name::new_static("right"), Thunk::done(Value::array(right))),
        (Name::new_static("wrong"), Thunk::done(Value::array(wrong))),
    ]))
}

fn partitioned(machine: &mut Machine, args: &[Thunk], call: &Call) -> Result<(Vec<Thunk>, Vec<Thunk>), Fault> {
    let array = machine.array(args, 1, call)?;
    let (mut right, mut wrong) = (Vec::new(), Vec::new());
    for x in machine.items(&array)? {
        machine.tick()?;
        let f = machine.function(args, 0, call)?;
        if machine.call_bool(&f, std::slice::from_ref(x), call)? {
            right.push(x.clone())
        } else {
            wrong.push(x.clone())
        }
    }
    Ok((right, wrong))
}

pub fn filter_map(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let array = machine.array(args, 1, call)?;
    let mut out = Vec::new();
    for x in machine.items(&array)? {
        machine.tick()?;
        let f = machine.function(args, 0, call)?;
        match machine.call(&f, std::slice::from_ref(x), call)? {
            Value::Variant(tag, y) if tag == "Some" => out.push(y),
            Value::Tag(tag) if tag == "None" => {}
            other => return Err(bad_result("[| 'Some _, 'None |]", &other, call)),
        }
    }
    Ok(Value::array(out))
}

pub fn group(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let array = machine.array(args, 1, call)?;
    let mut groups: BTreeMap<Name, Vec<Thunk>> = BTreeMap::new();
    for x in machine.items(&array)? {
        machine.tick()?;
        let f = machine.function(args, 0, call)?;
        match machine.call(&f, std::slice::from_ref(x), call)? {
            Value::String(key) => groups.entry(key.name()).or_default().push(x.clone()),
            other => return Err(bad_result("String", &other, call)),
        }
    }
    Ok(Value::record(groups.into_iter().map(|(key, group)| (key, Thunk::done(Value::array(group))))))
}
