//! The functions in Rust, by group, and what they share.

pub mod arrays;
pub mod encode;
pub mod format;
pub mod json;
pub mod manifest;
pub mod math;
pub mod objects;
pub mod sets;
pub mod strings;
pub mod toml;
pub mod types;
pub mod yaml;
pub mod yaml_reader;

use crate::term::{Number, Prim};
use crate::text::{Name, SourceId, Span};
use crate::value::eval::objects::kind;
use crate::value::{Array, Call, Fault, Machine, Native, Parameter, Record, Text, Thunk, Value};

/// The result of a library function.
pub type Answer = Result<Value, Fault>;

/// The span of a call.
pub fn span(call: &Call) -> Span {
    call.span.unwrap_or(Span::new(SourceId(u32::MAX), 0, 0))
}

/// Creates a failure with the reference's message.
#[cold]
pub fn failure(call: &Call, message: impl Into<Name>) -> Fault {
    Fault::undefined(message, call.span)
}

/// Creates the failure of a function for a value of the wrong type. A sealed value blames its contract instead.
#[cold]
pub fn wrong(machine: &mut Machine, call: &Call, value: &Value, message: impl Into<Name>) -> Fault {
    match value {
        Value::Sealed(sealed) => machine.inspected_sealed(sealed),
        _ => failure(call, message),
    }
}

/// Converts a double to a value.
pub fn number(value: f64) -> Value {
    Value::Number(Number::Double(value))
}

/// Calls a function that the user passed.
pub fn apply(machine: &mut Machine, function: &Value, args: &[Thunk], call: &Call) -> Answer {
    if function.is_function() || matches!(function, Value::Contract(_) | Value::Sealed(_)) {
        return machine.call(function, args, call);
    }
    Err(failure(call, format!("only functions can be called, got {}", kind(function))))
}

/// Converts the result of a computation to a value. Fails if it is not finite.
pub fn checked(call: &Call, value: f64) -> Answer {
    if value.is_finite() {
        return Ok(number(value));
    }
    Err(failure(call, if value.is_nan() { "not a number" } else { "overflow" }))
}

/// Forces an argument. Tags of cfg become strings.
pub fn force(machine: &mut Machine, args: &[Thunk], index: usize, call: &Call) -> Answer {
    match args.get(index) {
        Some(thunk) => value_of(machine, thunk),
        None => Err(failure(call, "an argument is missing")),
    }
}

/// Forces a thunk. Tags of cfg become strings.
pub fn value_of(machine: &mut Machine, thunk: &Thunk) -> Answer {
    Ok(match machine.force(thunk)? {
        Value::Tag(tag) => Value::string(tag),
        Value::String(text) => Value::String(machine.read(text)?),
        value => value,
    })
}

/// Returns an argument, unforced.
pub fn argument(args: &[Thunk], index: usize) -> Thunk {
    args.get(index).cloned().unwrap_or_else(|| Thunk::done(Value::Null))
}

/// Forces all arguments in order. Fails if one has the wrong type, like the reference's built-ins.
pub fn strict<const N: usize>(
    machine: &mut Machine,
    args: &[Thunk],
    call: &Call,
    name: &str,
    kinds: [&str; N],
) -> Result<[Value; N], Fault> {
    let mut values = [const { Value::Null }; N];
    for (index, value) in values.iter_mut().enumerate() {
        *value = force(machine, args, index, call)?;
    }
    fits(machine, call, name, &kinds, &values)?;
    Ok(values)
}

/// Fails if a value has the wrong type, with the message of the reference's built-ins.
pub fn fits(machine: &mut Machine, call: &Call, name: &str, kinds: &[&str], values: &[Value]) -> Result<(), Fault> {
    if kinds.iter().zip(values).all(|(wanted, value)| *wanted == kind(value)) {
        return Ok(());
    }
    let found: Vec<&str> = values.iter().map(kind).collect();
    let message = format!("Builtin function {name} expected ({}) but got ({})", kinds.join(", "), found.join(", "));
    match values.iter().find(|v| matches!(v, Value::Sealed(_))) {
        Some(sealed) => Err(wrong(machine, call, sealed, message)),
        None => Err(failure(call, message)),
    }
}

/// Creates the failure for a value whose type was already checked. This cannot happen.
#[cold]
pub fn impossible_type(call: &Call) -> Fault {
    failure(call, "a value changed its type")
}

/// Defines a function of one number.
macro_rules! of_number {
    ($($(#[$doc:meta])* $name:ident $word:literal $body:expr;)*) => {$(
        $(#[$doc])*
        pub fn $name(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
            let [Value::Number(x)] = strict(machine, args, call, $word, ["number"])? else { return Err(impossible_type(call)) };
            let body: fn(f64) -> f64 = $body;
            checked(call, body(x.to_f64()))
        }
    )*};
}
pub(in crate::dialect::jsonnet::library) use of_number;

/// Returns the number of elements, visible fields, characters or parameters (`std.length`).
pub fn length(machine: &mut Machine, value: &Value, call: &Call) -> Result<usize, Fault> {
    Ok(match value {
        Value::Array(array) => array.len(),
        Value::String(text) => characters(text),
        Value::Record(record) => machine.visible(record)?.len(),
        _ => match value.parameters() {
            Some(count) => count,
            None => {
                let words = format!("length operates on strings, objects, and arrays, got {}", kind(value));
                return Err(wrong(machine, call, value, words));
            }
        },
    })
}

/// Returns the number of characters of a string.
pub fn characters(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.chars().count() }
}

/// Returns the parts of a value that the reference's functions can index: the elements of an array, or the characters of a
/// string. The parts of any other value fail.
pub fn elements(machine: &mut Machine, value: &Value, call: &Call) -> Result<Array, Fault> {
    Ok(match value {
        Value::Array(array) => array.clone(),
        Value::String(text) => {
            machine.charge_new_elements(text.len())?;
            text.chars().map(character).collect::<Vec<Thunk>>().into()
        }
        other => {
            let count = length(machine, other, call)?;
            let words = match other {
                Value::Record(_) => String::from("object index must be string, got number."),
                other => format!("can only index objects, strings, and arrays, got {}.", kind(other)),
            };
            let fault = failure(call, words);
            machine.charge_new_elements(count)?;
            (0..count).map(|_| Thunk::failed(fault.clone())).collect()
        }
    })
}

/// Converts a number to an integer. Numbers that are out of range become the greatest or the least integer; messages about
/// them name the number as it was given ([`shown`]).
pub fn long(n: f64) -> i64 {
    n as i64
}

/// Returns the integer part of a number as text.
pub fn shown(n: f64) -> String {
    crate::value::manifest::objects::number(n.trunc())
}

/// Converts a character to a string.
pub fn character(c: char) -> Thunk {
    Thunk::done(Value::string(&*c.encode_utf8(&mut [0; 4])))
}

/// Applies a binary operator.
pub fn operate(machine: &mut Machine, op: Prim, left: Value, right: Value, call: &Call) -> Answer {
    machine.binary(op, left, right, span(call))
}

/// Returns `true` if two values are equal.
pub fn equal(machine: &mut Machine, left: Value, right: Value, call: &Call) -> Result<bool, Fault> {
    machine.equals(left, right, span(call))
}

/// Returns `true` if the first value is less than the second, according to the operator.
pub fn less(machine: &mut Machine, left: Value, right: Value, call: &Call) -> Result<bool, Fault> {
    Ok(matches!(operate(machine, Prim::Lt, left, right, call)?, Value::Bool(true)))
}

/// Returns a value that must be a boolean.
pub fn boolean(machine: &mut Machine, value: &Value, call: &Call) -> Result<bool, Fault> {
    match value {
        Value::Bool(b) => Ok(*b),
        other => {
            let words = format!("condition must be boolean, got {}.", kind(other));
            Err(wrong(machine, call, other, words))
        }
    }
}

/// Converts a value to text: a string as is, any other value as JSON on one line.
pub fn text(machine: &mut Machine, value: &Value) -> Result<Text, Fault> {
    machine.text_of(value)
}

/// Returns the visible fields of an object, or all of them: names and unforced values, sorted by name.
pub fn fields(machine: &mut Machine, record: &Record, hidden: bool) -> Result<Vec<(Name, Thunk)>, Fault> {
    if !hidden {
        return machine.visible(record);
    }
    let fields = machine.fields(record)?;
    Ok(fields.into_iter().filter_map(|f| f.value.map(|value| (f.name, value))).collect())
}

/// Creates an array of numbers.
pub fn numbers(values: impl IntoIterator<Item = f64>) -> Value {
    Value::array(values.into_iter().map(|n| Thunk::done(number(n))))
}

/// Returns `function(x) x`, the default of `keyF`.
pub fn identity() -> Thunk {
    const X: &[Parameter] = &[Parameter::required("x")];
    Thunk::done(Native::named("id", X, |machine, args, call| force(machine, args, 0, call)).value())
}

/// Returns `true` if a function is the result of [`identity`].
pub fn is_identity(function: &Value) -> bool {
    matches!(function, Value::Native(partial) if partial.native.name == "id")
}
