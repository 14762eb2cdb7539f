//! The steps in which a merge function, or `+:`, combined definitions.

use crate::meta::Priority;
use crate::text::{Name, Span};
use crate::value::field::Candidate;
use crate::value::{Call, Thunk, Value};
use std::cmp::Ordering;

/// A combination of definitions.
#[derive(Clone)]
pub struct Fold {
    /// The function that combined them.
    pub kind: FoldKind,
    /// The span of `merge f`, or of the uppermost definition with `+:`.
    pub span: Span,
    /// The span of the function itself, if it is written in a source.
    pub function: Option<Span>,
    /// The steps in order. The last result is the value before contracts.
    pub steps: Vec<FoldStep>,
}

/// The kind of function that combined definitions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FoldKind {
    /// `| merge f`
    Function,
    /// `+:`
    Plus,
}

/// A step of a fold.
#[derive(Clone)]
pub struct FoldStep {
    /// The value so far.
    pub lower: Thunk,
    /// The value of the next definition.
    pub higher: Thunk,
    /// Whether both have the same priority.
    pub same: bool,
    /// The result of the step.
    pub result: Thunk,
}

/// Applies a merge function to the definitions from the lowest priority up, lazily.
pub(in crate::value) fn steps(function: &Value, span: Span, mut parts: Vec<Candidate>) -> Vec<FoldStep> {
    parts.sort_by(|a, b| a.priority.rank(&b.priority));
    let mut below = Priority::Default;
    let mut lower: Option<Thunk> = None;
    let mut out = Vec::new();
    for part in parts {
        let same = below.rank(&part.priority) == Ordering::Equal;
        below = part.priority.clone();
        let Some(under) = lower.take() else {
            lower = Some(part.body);
            continue;
        };
        let args = Value::record([
            (Name::new_static("lower"), under.clone()),
            (Name::new_static("higher"), part.body.clone()),
            (Name::new_static("priority"), Thunk::done(Value::tag(if same { "Same" } else { "Different" }))),
        ]);
        let result = Thunk::apply(function.clone(), vec![Thunk::done(args)], Call::at(span));
        lower = Some(result.clone());
        out.push(FoldStep { lower: under, higher: part.body, same, result });
    }
    out
}
