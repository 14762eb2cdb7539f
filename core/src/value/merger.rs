//! Merge functions: checks them, and applies them to the definitions of a field.

use super::field::Candidate;
use super::provenance::steps;
use super::{Fault, Thunk, Value};
use crate::problem::value::ValueKind;
use crate::text::{Name, Span};

/// Fails if a value is not a function that can be applied to one argument.
pub(super) fn check_merge_function(function: &Value, span: Span) -> Result<(), Fault> {
    let arguments = function.required_arguments();
    match arguments {
        Some(0 | 1) => Ok(()),
        _ if matches!(function, Value::Sealed(_)) => Ok(()),
        _ => Err(Fault::new(ValueKind::NotAMergeFunction { found: Name::new(function.type_name()), arguments, span })),
    }
}

/// Returns the result of the last application of a merge function. A single definition is the result itself.
pub(super) fn folded(function: &Value, span: Span, mut parts: Vec<Candidate>) -> Thunk {
    if parts.len() > 1 {
        return steps(function, span, parts).pop().map_or_else(nothing, |step| step.result);
    }
    parts.pop().map_or_else(nothing, |only| only.body)
}

fn nothing() -> Thunk {
    Thunk::failed(Fault::undefined("no definition", None))
}
