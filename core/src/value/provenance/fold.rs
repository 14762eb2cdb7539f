//! The steps in which a merge function, or jsonnet's `+:`, combined definitions.

use crate::meta::Priority;
use crate::text::{Name, Span};
use crate::value::field::Candidate;
use crate::value::{Call, Thunk, Value};
use std::cmp::Ordering;

/// How definitions were combined.
#[derive(Clone)]
pub struct Fold {
    /// By what.
    pub kind: FoldKind,
    /// Where the function is named (`merge f`), or the uppermost definition with `+:` stands.
    pub span: Span,
    /// Where the function itself is written, if it is.
    pub function: Option<Span>,
    /// The steps in order; the result of the last is the value before contracts.
    pub steps: Vec<FoldStep>,
}

/// By what definitions were combined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FoldKind {
    /// `| merge f`
    Function,
    /// `+:`
    Plus,
}

/// One step.
#[derive(Clone)]
pub struct FoldStep {
    /// What was there.
    pub lower: Thunk,
    /// What came.
    pub higher: Thunk,
    /// Whether both are of one priority.
    pub same: bool,
    /// The priority of what came.
    pub priority: Priority,
    /// What came of it.
    pub result: Thunk,
}

/// Applications of a merge function from the lowest priority up, lazily.
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
        out.push(FoldStep { lower: under, higher: part.body, same, priority: part.priority, result });
    }
    out
}
