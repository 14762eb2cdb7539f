//! `std.contract` in Rust.

use super::{Answer, inner_string};
use crate::text::Name;
use crate::value::contract::Rejection;
use crate::value::{Call, Contract, Fault, Label, Machine, Thunk, Value};
use std::rc::Rc;

fn label(machine: &mut Machine, args: &[Thunk], index: usize, call: &Call) -> Result<Rc<Label>, Fault> {
    match machine.arg(args, index, call)? {
        Value::Label(label) => Ok(label),
        other => Err(call.mismatch(machine, args, index, "Label", &other)),
    }
}

/// Returns a label for a nested contract, without the messages and notes so far.
fn pushed(label: &Rc<Label>) -> Rc<Label> {
    if label.message.is_none() && label.notes.is_empty() {
        return label.clone();
    }
    let mut pushed = (**label).clone();
    let rejection_value = (pushed.message.take(), std::mem::take(&mut pushed.notes));
    pushed.earlier.push(rejection_value);
    Rc::new(pushed)
}

pub fn apply(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let contract = machine.arg(args, 0, call)?;
    let label = pushed(&label(machine, args, 1, call)?);
    let Some(value) = args.get(2) else { return Err(call.fault("an argument is missing")) };
    machine.apply_contract(&contract, &label, value)
}

pub fn check(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let contract = machine.arg(args, 0, call)?;
    let outer = label(machine, args, 1, call)?;
    let label = pushed(&outer);
    let Some(value) = args.get(2) else { return Err(call.fault("an argument is missing")) };
    Ok(match machine.check_contract(&contract, &label, value)? {
        Ok(value) => Value::variant("Ok", value),
        Err(rejection) => Value::variant("Error", Thunk::done(rejection_value(rejection, &label))),
    })
}

/// Converts a complaint to the argument of `'Error`. If it has no location, its label is used.
fn rejection_value(rejection: Rejection, label: &Rc<Label>) -> Value {
    let location = rejection.location.unwrap_or_else(|| Thunk::done(Value::Label(label.clone())));
    let mut fields = vec![(Name::new_static("blame_location"), location)];
    fields.extend(rejection.message.map(|m| (Name::new_static("message"), Thunk::done(Value::string(m)))));
    if !rejection.notes.is_empty() {
        let notes = Value::array(rejection.notes.into_iter().map(|n| Thunk::done(Value::string(n))));
        fields.push((Name::new_static("notes"), Thunk::done(notes)));
    }
    Value::record(fields)
}

pub fn blame(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let label = label(machine, args, 0, call)?;
    Err(machine.blame(&label))
}

pub fn blame_with_message(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let label = with_message(machine, args, call)?;
    match label {
        Value::Label(label) => Err(machine.blame(&label)),
        _ => Err(call.fault("no label")),
    }
}

pub fn custom(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let f = machine.function(args, 0, call)?;
    Ok(Value::Contract(Rc::new(Contract::Custom(f))))
}

pub fn from_predicate(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let f = machine.function(args, 0, call)?;
    Ok(Value::Contract(Rc::new(Contract::Predicate(f))))
}

pub fn from_validator(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let f = machine.function(args, 0, call)?;
    Ok(Value::Contract(Rc::new(Contract::Validator(f))))
}

fn changed(label: Rc<Label>, change: impl FnOnce(&mut Label)) -> Answer {
    let mut label = (*label).clone();
    change(&mut label);
    Ok(Value::Label(Rc::new(label)))
}

pub fn with_message(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let message = machine.string(args, 0, call)?.name();
    let label = label(machine, args, 1, call)?;
    changed(label, |label| label.message = Some(message))
}

pub fn with_notes(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let array = machine.array(args, 0, call)?;
    let mut notes = Vec::with_capacity(array.len());
    for note in machine.items(&array)? {
        notes.push(inner_string(machine, note, "an element of argument 1", call)?.name());
    }
    let label = label(machine, args, 1, call)?;
    changed(label, |label| label.notes = notes)
}

pub fn append_note(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let note = machine.string(args, 0, call)?.name();
    let label = label(machine, args, 1, call)?;
    changed(label, |label| label.notes.push(note))
}
