//! Merge functions: checks them, and applies them to the definitions of a field.

use super::field::Candidate;
use super::provenance::steps;
use super::{Fault, Thunk, Value};
use crate::problem::value::ValueKind;
use crate::term::Node;
use crate::text::{Name, Span};

/// Fails if a value is not a function that can be applied to one argument, and if its result is a function again: the result is
/// the value of the field.
pub(super) fn check_merge_function(function: &Value, span: Span) -> Result<(), Fault> {
    let arguments = match function {
        // a contract can be applied, but to a label and a value
        Value::Contract(_) => None,
        _ => function.required_arguments().map(|count| count + further_arguments(function)),
    };
    match arguments {
        Some(0 | 1) => Ok(()),
        _ if matches!(function, Value::Sealed(_)) => Ok(()),
        _ => Err(Fault::new(ValueKind::NotAMergeFunction { found: Name::new(function.type_name()), arguments, span })),
    }
}

/// Returns the number of arguments that the result of a function takes, if its body is a function: 1 for `fun x => fun y => x`.
fn further_arguments(function: &Value) -> usize {
    let Value::Function(closure) = function else { return 0 };
    let unit = &closure.unit;
    let mut count = 0;
    let mut body = match unit.node(closure.node) {
        Node::Lambda(lambda) => lambda.body,
        _ => return 0,
    };
    while let Node::Lambda(lambda) = unit.node(body) {
        count += lambda.params.len();
        body = lambda.body;
    }
    count
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
