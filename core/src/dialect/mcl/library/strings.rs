//! The module `strings`.

use super::args::{Answer, int, of_text, of_texts, pure, text};
use super::table::Module;
use crate::value::{Call, Fault, Machine, Thunk};

/// The module `strings`.
pub static MODULE: Module = Module {
    path: "strings",
    doc: "Strings. Lengths and positions count bytes.",
    functions: &[
        pure(
            "left_pad",
            "func(s str, pad str, length int) str",
            "Puts the pad before the string until it has at least the length.",
            left_pad,
        ),
        pure(
            "right_pad",
            "func(s str, pad str, length int) str",
            "Puts the pad after the string until it has at least the length.",
            right_pad,
        ),
        pure(
            "split",
            "func(s str, separator str) []str",
            "Returns the parts of a string between the places of the separator.",
            split,
        ),
        pure(
            "substr",
            "func(s str, low int, high int) str",
            "Returns the bytes from `low` up to `high`, which is not included.",
            substr,
        ),
        pure("to_lower", "func(s str) str", "Converts all letters to lower case.", to_lower),
    ],
};

/// Returns the padding that a string needs to reach the length in argument 2.
fn padding(machine: &mut Machine, args: &[Thunk], call: &Call) -> Result<String, Fault> {
    let (length, pad) = (text(machine, args, 0, call)?.len(), text(machine, args, 1, call)?);
    let wanted = usize::try_from(int(machine, args, 2, call)?).unwrap_or(0);
    let missing = wanted.saturating_sub(length);
    match pad.len() {
        _ if missing == 0 => Ok(String::new()),
        0 => Err(call.fault("the pad is empty")),
        pad_length => {
            machine.charge(missing.saturating_add(length).saturating_mul(2))?;
            Ok(pad.as_str().repeat(missing.div_ceil(pad_length)))
        }
    }
}

fn left_pad(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let padded = padding(machine, args, call)? + text(machine, args, 0, call)?.as_str();
    of_text(machine, padded)
}

fn right_pad(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let padded = padding(machine, args, call)?;
    let padded = String::from(text(machine, args, 0, call)?.as_str()) + &padded;
    of_text(machine, padded)
}

/// Splits a string. An empty separator splits it into its characters.
fn split(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let (s, separator) = (text(machine, args, 0, call)?, text(machine, args, 1, call)?);
    machine.charge(s.len())?;
    match separator.as_str() {
        "" => of_texts(machine, s.as_str().chars().map(String::from)),
        separator => of_texts(machine, s.as_str().split(separator)),
    }
}

fn substr(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let s = text(machine, args, 0, call)?;
    let (low, high) = (int(machine, args, 1, call)?, int(machine, args, 2, call)?);
    let place = |at: i64| usize::try_from(at).ok().filter(|at| *at <= s.len());
    let (Some(from), Some(to)) = (place(low), place(high)) else {
        return Err(
            call.fault(format!("the range {low} to {high} is outside of the string, which has {} bytes", s.len()))
        );
    };
    match s.as_str().get(from..to) {
        Some(part) => of_text(machine, part),
        None if from > to => Err(call.fault(format!("the range {low} to {high} ends before it begins"))),
        None => Err(call.fault(format!("the range {low} to {high} cuts a character"))),
    }
}

fn to_lower(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let lower = text(machine, args, 0, call)?.as_str().to_lowercase();
    of_text(machine, lower)
}
