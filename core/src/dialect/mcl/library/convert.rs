//! The module `convert`.

use super::args::{Answer, float, int, of_float, of_int, of_text, pure, text};
use super::table::Module;
use crate::value::{Call, Machine, Thunk, Value};

/// The module `convert`.
pub static MODULE: Module = Module {
    path: "convert",
    doc: "Conversions between types.",
    functions: &[
        pure("format_bool", "func(b bool) str", "Returns `true` or `false`.", format_bool),
        pure("int_to_str", "func(x int) str", "Returns the digits of an int.", int_to_str),
        pure(
            "parse_bool",
            "func(s str) bool",
            "Reads a bool: `1`, `t`, `T`, `true`, `TRUE`, `True`, `0`, `f`, `F`, `false`, `FALSE` or `False`.",
            parse_bool,
        ),
        pure("to_float", "func(x int) float", "Converts an int to the nearest float.", to_float),
        pure("to_int", "func(x float) int", "Removes the fraction of a float.", to_int),
    ],
};

/// Returns `true` or `false` as a string.
pub fn format_bool(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    Ok(Value::string(if machine.bool(args, 0, call)? { "true" } else { "false" }))
}

/// Returns the digits of an int.
pub fn int_to_str(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let x = int(machine, args, 0, call)?;
    of_text(machine, x.to_string())
}

/// Reads a bool.
pub fn parse_bool(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let s = text(machine, args, 0, call)?;
    match s.as_str() {
        "1" | "t" | "T" | "true" | "TRUE" | "True" => Ok(Value::Bool(true)),
        "0" | "f" | "F" | "false" | "FALSE" | "False" => Ok(Value::Bool(false)),
        other => Err(call.fault(format!("{other:?} is not a bool"))),
    }
}

fn to_float(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let x = int(machine, args, 0, call)?;
    of_float(x as f64, call)
}

fn to_int(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let x = float(machine, args, 0, call)?.trunc();
    match (-9223372036854775808.0..9223372036854775808.0).contains(&x) {
        true => Ok(of_int(x as i64)),
        false => Err(call.fault("the float is too large for an int")),
    }
}
