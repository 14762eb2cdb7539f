//! Faults: the reasons why an evaluation failed. They are cached in thunks and cheap to clone.

use crate::problem::value::{READS, ValueKind, ValueOrigin, ValueProblem};
use crate::problem::{Problem, ProblemKind};
use crate::text::{Name, Span};
use std::rc::Rc;

/// Maximum number of calls that a fault keeps.
const CALLS: usize = 8;

/// A failed evaluation: a [`Problem`] with the path and the calls in which it occurred. One pointer.
#[derive(Clone, PartialEq)]
pub struct Fault(Rc<Problem>);

impl Fault {
    /// Makes a fault from the reason.
    pub fn new(what: ValueKind) -> Fault {
        Fault::of(Problem::error(ValueProblem::new(what)))
    }

    /// Makes a fault from any problem (a syntax error of an import).
    pub fn of(problem: Problem) -> Fault {
        Fault(Rc::new(problem))
    }

    /// Makes the fault of an operation or library function without a result. `message` is a sentence without a full
    /// stop.
    pub fn undefined(message: impl Into<Name>, span: Option<Span>) -> Fault {
        Fault::new(ValueKind::Undefined { message: message.into(), span, notes: Vec::new() })
    }

    /// Returns the problem.
    pub fn problem(&self) -> &Problem {
        &self.0
    }

    /// Returns the reason, if an evaluation failed.
    pub fn what(&self) -> Option<&ValueKind> {
        match &self.0.kind {
            ProblemKind::Value(problem) => Some(&problem.what),
            _ => None,
        }
    }

    /// Returns whether a new attempt may succeed. Interrupts and limits are not cached in thunks.
    pub fn is_transient(&self) -> bool {
        matches!(self.what(), Some(ValueKind::Interrupted | ValueKind::Limit { .. }))
    }

    /// Replaces the message by the given words.
    pub fn worded(self, words: impl Into<Name>) -> Fault {
        self.change(|problem| problem.words = Some(words.into()))
    }

    pub(crate) fn change(mut self, change: impl FnOnce(&mut ValueProblem)) -> Fault {
        if let ProblemKind::Value(problem) = &mut Rc::make_mut(&mut self.0).kind {
            change(problem);
        }
        self
    }

    /// Returns whether the function or the operands of the operation that failed are described.
    pub(super) fn is_described(&self) -> bool {
        matches!(&self.0.kind, ProblemKind::Value(problem) if !problem.origins.is_empty())
    }

    /// Changes the suggestion about a function whose parameters do not fit: a function of the library calls it, with `count`
    /// arguments.
    pub(super) fn called_with(self, count: usize) -> Fault {
        self.change(|problem| {
            if let [ValueOrigin::Function { span: Some(_), help: Some(help), .. }] = problem.origins.as_mut_slice() {
                let plural = if count == 1 { "" } else { "s" };
                *help = Name::from(format!(
                    "the function of the library calls it with {count} argument{plural}: it needs as many parameters"
                ));
            }
        })
    }

    /// Adds the place of a call. Keeps the innermost few.
    pub fn called_at(self, span: Span) -> Fault {
        match &self.0.kind {
            ProblemKind::Value(problem) if problem.calls.len() < CALLS => {
                self.change(|problem| problem.calls.push(span))
            }
            _ => self,
        }
    }

    /// Adds the place of a reference to the value that failed. Keeps the innermost few, and of nested references one.
    pub fn read_at(self, span: Span) -> Fault {
        let covers = |inner: Option<Span>| {
            inner.is_some_and(|i| i.source == span.source && span.start <= i.start && i.end <= span.end)
        };
        match &self.0.kind {
            ProblemKind::Value(problem)
                if problem.reads.0.len() < READS
                    && !covers(problem.reads.0.last().copied().or(problem.span()))
                    && !matches!(problem.what, ValueKind::Recursion { .. } | ValueKind::Interrupted) =>
            {
                self.change(|problem| problem.reads.0.push(span))
            }
            _ => self,
        }
    }

    /// Sets the path of the field in which the fault occurred, unless it has one.
    pub fn in_field(self, path: impl FnOnce() -> Vec<Name>) -> Fault {
        match &self.0.kind {
            ProblemKind::Value(problem) if problem.path.is_empty() => self.change(|problem| problem.path = path()),
            _ => self,
        }
    }
}

impl std::fmt::Debug for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}
