//! Types, equality, order and external values.

use super::{Answer, elements, equal, failure, force, impossible_type, number, strict, text, value_of, wrong};
use crate::problem::value::{ValueKind, ValueOrigin};
use crate::value::eval::objects::kind;
use crate::value::manifest::objects::quote;
use crate::value::{Array, Call, Fault, Machine, Text, Thunk, Value};
use std::cmp::Ordering;

pub fn type_of(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    Ok(Value::string(found(machine, args, call)?))
}

fn found(machine: &mut Machine, args: &[Thunk], call: &Call) -> Result<&'static str, Fault> {
    match force(machine, args, 0, call)? {
        Value::Sealed(sealed) => Err(machine.inspected_sealed(&sealed)),
        value => Ok(kind(&value)),
    }
}

/// Defines tests for types.
macro_rules! tests {
    ($($name:ident $word:literal;)*) => {$(
        pub fn $name(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
            Ok(Value::Bool(found(machine, args, call)? == $word))
        }
    )*};
}

tests! {
    is_string "string";
    is_number "number";
    is_boolean "boolean";
    is_object "object";
    is_array "array";
    is_function "function";
    is_null "null";
}

pub fn length(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let value = force(machine, args, 0, call)?;
    Ok(number(super::length(machine, &value, call)? as f64))
}

pub fn is_empty(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let value = force(machine, args, 0, call)?;
    Ok(Value::Bool(super::length(machine, &value, call)? == 0))
}

pub fn to_string(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let value = force(machine, args, 0, call)?;
    Ok(Value::String(text(machine, &value)?))
}

/// Forces two arguments.
fn both(machine: &mut Machine, args: &[Thunk], call: &Call) -> Result<(Value, Value), Fault> {
    Ok((force(machine, args, 0, call)?, force(machine, args, 1, call)?))
}

pub fn equals(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let (a, b) = both(machine, args, call)?;
    Ok(Value::Bool(equal(machine, a, b, call)?))
}

pub fn differs(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let (a, b) = both(machine, args, call)?;
    Ok(Value::Bool(!equal(machine, a, b, call)?))
}

pub fn primitive_equals(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let (a, b) = both(machine, args, call)?;
    match (&a, &b) {
        (Value::Array(_), Value::Array(_)) | (Value::Record(_), Value::Record(_)) => {
            Err(failure(call, format!("primitiveEquals operates on primitive types, got {}", kind(&a))))
        }
        _ => Ok(Value::Bool(equal(machine, a, b, call)?)),
    }
}

/// Compares two values.
pub fn order(machine: &mut Machine, a: Value, b: Value, call: &Call) -> Result<Ordering, Fault> {
    machine.order(a, b, super::span(call))
}

fn sign(order: Ordering) -> Value {
    number(match order {
        Ordering::Less => -1.0,
        Ordering::Equal => 0.0,
        Ordering::Greater => 1.0,
    })
}

pub fn compare(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let (a, b) = both(machine, args, call)?;
    order(machine, a, b, call).map(sign)
}

/// Compares the elements of two arguments.
fn order_of_parts(machine: &mut Machine, args: &[Thunk], call: &Call) -> Result<Ordering, Fault> {
    let (a, b) = both(machine, args, call)?;
    let (a, b): (Array, Array) = (elements(machine, &a, call)?, elements(machine, &b, call)?);
    order(machine, Value::Array(a), Value::Array(b), call)
}

pub fn compare_array(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    order_of_parts(machine, args, call).map(sign)
}

pub fn array_less(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    Ok(Value::Bool(order_of_parts(machine, args, call)?.is_lt()))
}

pub fn array_greater(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    Ok(Value::Bool(order_of_parts(machine, args, call)?.is_gt()))
}

pub fn array_less_or_equal(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    Ok(Value::Bool(order_of_parts(machine, args, call)?.is_le()))
}

pub fn array_greater_or_equal(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    Ok(Value::Bool(order_of_parts(machine, args, call)?.is_ge()))
}

/// Quotes a string. Converts any other value to text.
fn quoted(machine: &mut Machine, value: &Value) -> Result<Text, Fault> {
    match value {
        Value::String(s) => {
            let mut out = String::new();
            quote(s, &mut out);
            Ok(Text::from(out))
        }
        other => text(machine, other),
    }
}

pub fn assert_equal(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let (a, b) = both(machine, args, call)?;
    if equal(machine, a.clone(), b.clone(), call)? {
        return Ok(Value::Bool(true));
    }
    let (a, b) = (quoted(machine, &a)?, quoted(machine, &b)?);
    Err(failure(call, format!("Assertion failed. {} != {}", a.as_str(), b.as_str())))
}

pub fn trace(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let (message, rest) = both(machine, args, call)?;
    match message {
        Value::String(message) => {
            let place = call.span.and_then(|span| machine.line_of(span)).unwrap_or_default();
            let secret = args.first().is_some_and(|thunk| thunk.secret().is_some());
            let shown = if secret { crate::text::MASK } else { message.as_str() };
            machine.trace(&format!("TRACE: {place} {shown}"));
        }
        other => {
            let words = format!("Builtin function trace expected string as first parameter but got {}", kind(&other));
            return Err(wrong(machine, call, &other, words));
        }
    }
    Ok(rest)
}

pub fn ext_var(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let [Value::String(name)] = strict(machine, args, call, "extVar", ["string"])? else {
        return Err(impossible_type(call));
    };
    match machine.external(call.revision, &name.name()) {
        Some(thunk) => {
            machine.force_outermost(&thunk)?;
            value_of(machine, &thunk)
        }
        None => {
            let fault = Fault::new(ValueKind::NoExternal { name: name.name(), span: call.span });
            Err(fault.change(|problem| problem.origins.push(ValueOrigin::External(name.name()))))
        }
    }
}

pub fn native(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let [Value::String(name)] = strict(machine, args, call, "native", ["string"])? else {
        return Err(impossible_type(call));
    };
    match machine.host_function(&name.name()) {
        Some(thunk) => value_of(machine, &thunk),
        None => Ok(Value::Null),
    }
}
