//! Arguments and results of library functions by their mcl types, and rows of the tables.
//!
//! Unification has already checked the types of a program. An argument of the wrong type is therefore reported as a fault of the call.

use super::table::{Form, Function};
use crate::term::Number;
use crate::value::native::Run;
use crate::value::{Call, Fault, Machine, Text, Thunk, Value};

/// The result of a library function.
pub type Answer = Result<Value, Fault>;

/// Makes a function whose signature is its type.
pub const fn pure(name: &'static str, signature: &'static str, doc: &'static str, run: Run) -> Function {
    Function { name, signature, doc, form: Form::Simple, run }
}

/// Makes a function whose value comes from outside: an event, or a fact of the machine. The first argument is the module.
macro_rules! input {
    ($module:literal, $name:literal, $signature:literal, $doc:literal $(,)?) => {
        crate::dialect::mcl::library::table::Function {
            name: $name,
            signature: $signature,
            doc: $doc,
            form: crate::dialect::mcl::library::table::Form::Input,
            run: |machine, args, call| {
                crate::dialect::mcl::library::input(machine, concat!($module, ".", $name), args, call)
            },
        }
    };
}
pub(super) use input;

/// Returns an `int` argument.
pub fn int(machine: &mut Machine, args: &[Thunk], index: usize, call: &Call) -> Result<i64, Fault> {
    let number = machine.number(args, index, call)?;
    number.to_i64().ok_or_else(|| call.fault(format!("argument {} is not an int", index + 1)))
}

/// Returns a `float` argument.
pub fn float(machine: &mut Machine, args: &[Thunk], index: usize, call: &Call) -> Result<f64, Fault> {
    Ok(machine.number(args, index, call)?.to_f64())
}

/// Returns a `str` argument.
pub fn text(machine: &mut Machine, args: &[Thunk], index: usize, call: &Call) -> Result<Text, Fault> {
    machine.string(args, index, call)
}

/// Returns a `[]str` argument.
pub fn texts(machine: &mut Machine, args: &[Thunk], index: usize, call: &Call) -> Result<Vec<Text>, Fault> {
    let array = machine.array(args, index, call)?;
    machine.charge_new_elements(array.len())?;
    let mut out = Vec::with_capacity(array.len());
    for element in machine.items(&array)? {
        machine.tick()?;
        match machine.force(element)? {
            Value::String(text) => out.push(text),
            other => return Err(call.mismatch(machine, args, index, "[]str", &other)),
        }
    }
    Ok(out)
}

/// Makes an `int`.
pub fn of_int(value: i64) -> Value {
    Value::Number(Number::Int(value))
}

/// Makes an `int` from a length or a position.
pub fn of_length(value: usize) -> Value {
    of_int(i64::try_from(value).unwrap_or(i64::MAX))
}

/// Makes a `float`. Fails if the value is infinite or not a number.
pub fn of_float(value: f64, call: &Call) -> Answer {
    match value {
        _ if value.is_nan() => Err(call.fault("the result is not a number")),
        _ if value.is_infinite() => Err(call.fault("the result is infinite")),
        _ => Ok(Value::Number(Number::Double(value))),
    }
}

/// Makes a `str`, whose size counts.
pub fn of_text(machine: &mut Machine, value: impl Into<Text>) -> Answer {
    let value = value.into();
    machine.charge(value.len())?;
    Ok(Value::String(value))
}

/// Makes a `[]str`, whose size counts.
pub fn of_texts<T: Into<Text>>(machine: &mut Machine, values: impl IntoIterator<Item = T>) -> Answer {
    let mut out = Vec::new();
    for value in values {
        let value = value.into();
        machine.charge(value.len())?;
        machine.charge_new_elements(1)?;
        machine.room_for(&mut out, 1)?;
        out.push(Thunk::done(Value::String(value)));
    }
    Ok(Value::array(out))
}
