//! The module `regexp`.

use super::args::{Answer, pure, text};
use super::table::Module;
use crate::value::{Call, Machine, Thunk, Value};
use regex::Regex;

/// The module `regexp`.
pub static MODULE: Module = Module {
    path: "regexp",
    doc: "Regular expressions.",
    functions: &[pure(
        "match",
        "func(pattern str, s str) bool",
        "Returns whether a part of the string matches the pattern.",
        matches,
    )],
};

fn matches(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let (pattern, s) = (text(machine, args, 0, call)?, text(machine, args, 1, call)?);
    match Regex::new(pattern.as_str()) {
        Ok(pattern) => Ok(Value::Bool(pattern.is_match(s.as_str()))),
        Err(_) => Err(call.fault(format!("{:?} is not a regular expression", pattern.as_str()))),
    }
}
