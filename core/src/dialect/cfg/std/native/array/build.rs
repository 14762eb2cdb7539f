//! Creating arrays, from other arrays or from scratch.

use super::super::{Answer, MOST_ELEMENTS, bad_result, callee, inner_array, later};
use crate::term::{Number, NumberError};
use crate::value::{Array, Call, Fault, Machine, Thunk, Value};

/// Collects elements into an array. Can be interrupted at every element; the elements collected so far are then freed
/// later, in slices.
fn collect_array(machine: &mut Machine, elements: impl Iterator<Item = Thunk>) -> Answer {
    let count = elements.size_hint().0;
    machine.charge_computed_elements(count)?;
    let mut out = Vec::with_capacity(count);
    for element in elements {
        if let Err(fault) = machine.tick() {
            drop(Value::array(out));
            return Err(fault);
        }
        out.push(element);
    }
    Ok(Value::array(out))
}

fn one(args: &[Thunk], index: usize) -> Array {
    args.get(index).cloned().into_iter().collect()
}

pub fn prepend(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let array = machine.array(args, 1, call)?;
    Ok(Value::Array(one(args, 0).concat(&array)))
}

pub fn append(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let array = machine.array(args, 1, call)?;
    Ok(Value::Array(array.concat(&one(args, 0))))
}

pub fn concat(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let left = machine.array(args, 0, call)?;
    let right = machine.array(args, 1, call)?;
    machine.charge_elements(left.len().saturating_add(right.len()))?;
    Ok(Value::Array(left.concat(&right)))
}

pub fn reverse(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let array = machine.array(args, 0, call)?;
    Ok(Value::array(machine.items(&array)?.iter().rev().cloned()))
}

pub fn map(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let array = machine.array(args, 1, call)?;
    let elements = machine.items(&array)?.iter();
    collect_array(machine, elements.map(|x| later(args, 0, call, vec![x.clone()])))
}

pub fn map_with_index(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let array = machine.array(args, 1, call)?;
    let element = |(i, x): (usize, &Thunk)| later(args, 0, call, vec![Thunk::done(i), x.clone()]);
    let elements = machine.items(&array)?.iter();
    collect_array(machine, elements.enumerate().map(element))
}

pub fn zip_with(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let left = machine.array(args, 1, call)?;
    let right = machine.array(args, 2, call)?;
    let element = |(x, y): (&Thunk, &Thunk)| later(args, 0, call, vec![x.clone(), y.clone()]);
    let (left, right) = (machine.items(&left)?, machine.items(&right)?);
    collect_array(machine, left.iter().zip(right).map(element))
}

pub fn flatten(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let array = machine.array(args, 0, call)?;
    let mut out = Vec::new();
    for part in machine.items(&array)? {
        machine.tick()?;
        let part = inner_array(machine, part, "an element of the argument", call)?;
        machine.room_for(&mut out, part.len())?;
        out.extend_from_slice(machine.items(&part)?);
    }
    Ok(Value::array(out))
}

pub fn flat_map(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let array = machine.array(args, 1, call)?;
    let mut out = Vec::new();
    for x in machine.items(&array)? {
        machine.tick()?;
        let f = machine.function(args, 0, call)?;
        match machine.call(&f, std::slice::from_ref(x), call)? {
            Value::Array(part) => {
                machine.room_for(&mut out, part.len())?;
                out.extend_from_slice(machine.items(&part)?);
            }
            other => return Err(bad_result("Array", &other, call)),
        }
    }
    Ok(Value::array(out))
}

pub fn intersperse(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let array = machine.array(args, 1, call)?;
    machine.charge_elements(array.len().saturating_mul(2))?;
    let mut out = Vec::with_capacity(array.len() * 2);
    for x in machine.items(&array)? {
        if !out.is_empty() {
            out.extend(args.first().cloned());
        }
        out.push(x.clone());
    }
    Ok(Value::array(out))
}

pub fn generate(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let n = super::super::length(machine, args, 1, call)?;
    let Some(function) = args.first().cloned() else { return Err(call.fault("an argument is missing")) };
    let call = *call;
    let element = |i: usize| {
        Thunk::holding(function.clone(), move |machine, function| {
            let f = callee(machine, function, 0, &call)?;
            machine.call(&f, &[Thunk::done(i)], &call)
        })
    };
    collect_array(machine, (0..n).map(element))
}

pub fn replicate(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let n = super::super::length(machine, args, 0, call)?;
    let Some(value) = args.get(1) else { return Err(call.fault("an argument is missing")) };
    Ok(Value::Array(Array::from(vec![value.clone(); n])))
}

pub fn range(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    stepped(machine, args, &Number::ONE, call)
}

pub fn range_step(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let start = machine.number(args, 0, call)?;
    let end = machine.number(args, 1, call)?;
    check_range(&start, &end, call)?;
    let step = machine.number(args, 2, call)?;
    if step <= Number::ZERO {
        return Err(call.fault(format!("the step must be positive, found {step}")));
    }
    stepped(machine, args, &step, call)
}

fn check_range(start: &Number, end: &Number, call: &Call) -> Result<(), Fault> {
    if start > end { Err(call.fault(format!("the end {end} is below the start {start}"))) } else { Ok(()) }
}

fn stepped(machine: &mut Machine, args: &[Thunk], step: &Number, call: &Call) -> Answer {
    let start = machine.number(args, 0, call)?;
    let end = machine.number(args, 1, call)?;
    check_range(&start, &end, call)?;
    let sum = |i: usize| -> Result<Number, NumberError> { start.add(&Number::Int(i as i64).mul(step)?) };
    let steps = end.sub(&start).and_then(|length| length.div(step));
    let n = match steps.map(|n| n.neg().floor().neg().to_u64()) {
        Ok(Some(n)) if n <= MOST_ELEMENTS as u64 => n as usize,
        Ok(_) | Err(_) => return Err(call.fault(format!("the range from {start} to {end} is too long"))),
    };
    machine.charge_new_elements(n)?;
    let mut out = Vec::with_capacity(n);
    for i in 0..n {
        machine.tick()?;
        out.push(Thunk::done(sum(i).map_err(|e| call.fault(e.to_string()))?));
    }
    Ok(Value::array(out))
}
