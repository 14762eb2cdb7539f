//! The library's functions in Rust, one file or folder per module.
//!
//! They are lazy where Nickel's are: an argument is forced when the function needs it, and results of user functions that
//! are stored in an array or record are thunks.

pub mod array;
pub mod contract;
pub mod enumeration;
pub mod json_schema;
pub mod merge;
pub mod number;
pub mod package;
pub mod record;
pub mod string;
pub mod top;

use crate::problem::value::ValueKind;
use crate::term::Number;
use crate::text::Name;
use crate::value::{Array, Call, Fault, Machine, Record, Thunk, Value};
use std::cmp::Ordering;

/// The result of a library function.
pub type Answer = Result<Value, Fault>;

/// Returns a thunk that applies a function argument. The argument is forced and checked only then.
fn later(args: &[Thunk], index: usize, call: &Call, inputs: Vec<Thunk>) -> Thunk {
    let Some(function) = args.get(index).cloned() else {
        return Thunk::failed(call.fault("an argument is missing"));
    };
    let call = *call;
    Thunk::holding((function, inputs), move |machine, (function, inputs)| {
        let f = callee(machine, function, index, &call)?;
        machine.call(&f, inputs, &call)
    })
}

/// Returns the function in a thunk that is argument `index` of the call.
fn callee(machine: &mut Machine, function: &Thunk, index: usize, call: &Call) -> Answer {
    match machine.force(function)? {
        f if f.is_function() => Ok(f),
        other => {
            let args = vec![function.clone(); index + 1];
            Err(call.mismatch(machine, &args, index, "Function", &other))
        }
    }
}

/// Returns an argument as it is shown in messages about it: also a number that [`natural`] clamped, as it was given.
fn argument_text(machine: &mut Machine, args: &[Thunk], index: usize, call: &Call) -> Result<String, Fault> {
    Ok(machine.number(args, index, call)?.to_string())
}

/// Returns an argument that must be a natural number. Numbers that do not fit into a `usize` become its maximum, which is
/// beyond the end of everything; [`argument_text`] returns their text.
fn natural(machine: &mut Machine, args: &[Thunk], index: usize, call: &Call) -> Result<usize, Fault> {
    let number = machine.number(args, index, call)?;
    match number.to_u64().and_then(|n| usize::try_from(n).ok()) {
        Some(n) => Ok(n),
        None if number.is_integer() && !number.is_negative() => Ok(usize::MAX),
        None => Err(call.fault(format!("argument {} must be a natural number, found {number}", index + 1))),
    }
}

/// Maximum number of elements that can be created at once. More would not fit into memory.
const MOST_ELEMENTS: usize = 20_000_000;

/// Returns an argument that is the length of a new array.
fn length(machine: &mut Machine, args: &[Thunk], index: usize, call: &Call) -> Result<usize, Fault> {
    let n = natural(machine, args, index, call)?;
    if n > MOST_ELEMENTS {
        return Err(call.fault(format!("an array of more than {MOST_ELEMENTS} elements is too long")));
    }
    machine.charge_elements(n)?;
    Ok(n)
}

/// Converts a count to a value.
fn count(n: usize) -> Value {
    Value::Number(Number::Int(i64::try_from(n).unwrap_or(i64::MAX)))
}

/// Creates the fault for a wrong result of a function argument.
fn bad_result(expected: &str, found: &Value, call: &Call) -> Fault {
    Fault::new(ValueKind::Type {
        expected: Name::new(expected),
        found: describe(found),
        needed_by: Name::from(format!("the result of the function given to `{}`", call.name)),
        span: call.span,
        operation: None,
    })
}

/// Describes a value in a message: a tag by its name, any other value by its type.
fn describe(value: &Value) -> Name {
    match value {
        Value::Tag(tag) => Name::from(format!("'{tag}")),
        Value::Variant(tag, _) => Name::from(format!("'{tag} _")),
        other => Name::new_static(other.type_name()),
    }
}

/// Forces a thunk inside of argument `index` that must be an array.
fn inner_array(machine: &mut Machine, thunk: &Thunk, what: &str, call: &Call) -> Result<Array, Fault> {
    match machine.force(thunk)? {
        Value::Array(array) => Ok(array),
        other => Err(inner_mismatch(machine, thunk, what, "Array", &other, call)),
    }
}

/// Forces a thunk inside of an argument that must be a record.
fn inner_record(machine: &mut Machine, thunk: &Thunk, what: &str, call: &Call) -> Result<Record, Fault> {
    match machine.force(thunk)? {
        Value::Record(record) => Ok(record),
        other => Err(inner_mismatch(machine, thunk, what, "Record", &other, call)),
    }
}

/// Forces a thunk inside of an argument that must be a string.
fn inner_string(machine: &mut Machine, thunk: &Thunk, what: &str, call: &Call) -> Result<crate::value::Text, Fault> {
    match machine.force(thunk)? {
        Value::String(text) => Ok(text),
        other => Err(inner_mismatch(machine, thunk, what, "String", &other, call)),
    }
}

fn inner_mismatch(machine: &Machine, thunk: &Thunk, what: &str, expected: &str, found: &Value, call: &Call) -> Fault {
    Fault::new(ValueKind::Type {
        expected: Name::new(expected),
        found: describe(found),
        needed_by: Name::from(format!("{what} of `{}`", call.name)),
        span: machine.place(thunk),
        operation: call.span,
    })
}

/// Returns the tag of an ordering.
fn ordering_tag(ordering: Ordering) -> Value {
    Value::Tag(Name::new_static(match ordering {
        Ordering::Less => "Lesser",
        Ordering::Equal => "Equal",
        Ordering::Greater => "Greater",
    }))
}

/// Calls the program's comparison function.
fn compare(machine: &mut Machine, f: &Value, a: &Thunk, b: &Thunk, call: &Call) -> Result<Ordering, Fault> {
    if let Value::Native(known) = f
        && known.args.is_empty()
        && known.native.name == "std.number.compare"
        && let (Value::Number(x), Value::Number(y)) = (machine.force(a)?, machine.force(b)?)
    {
        return Ok(x.cmp(&y));
    }
    let found = machine.call(f, &[a.clone(), b.clone()], call)?;
    if let Value::Tag(tag) = &found {
        match tag.as_str() {
            "Lesser" => return Ok(Ordering::Less),
            "Equal" => return Ok(Ordering::Equal),
            "Greater" => return Ok(Ordering::Greater),
            _ => {}
        }
    }
    Err(bad_result("[| 'Lesser, 'Equal, 'Greater |]", &found, call))
}

/// Returns the index of an argument in a list of enum tags. Fails for any other value.
fn choice(machine: &mut Machine, args: &[Thunk], index: usize, tags: &[&str], call: &Call) -> Result<usize, Fault> {
    let found = machine.arg(args, index, call)?;
    if let Value::Tag(tag) = &found
        && let Some(at) = tags.iter().position(|t| *t == tag.as_str())
    {
        return Ok(at);
    }
    let expected = tags.iter().map(|t| format!("'{t}")).collect::<Vec<_>>().join(", ");
    let expected = format!("[| {expected} |]");
    let thunk = args.get(index).cloned().unwrap_or_else(|| Thunk::done(Value::Null));
    Err(inner_mismatch(machine, &thunk, &format!("argument {}", index + 1), &expected, &found, call))
}
