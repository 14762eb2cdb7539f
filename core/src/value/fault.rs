//! Faults: why a value could not come about, kept with it, cheap to clone.

use crate::problem::value::{Value as Met, ValueKind};
use crate::problem::{Kind, Problem};
use crate::text::{Name, Span};
use std::rc::Rc;

/// How many calls a fault keeps.
const CALLS: usize = 8;

/// A failed evaluation: a [`Problem`] with the path and the calls it was met in. One pointer.
#[derive(Clone, PartialEq)]
pub struct Fault(Rc<Problem>);

impl Fault {
    /// A fault of what went wrong.
    pub fn new(what: ValueKind) -> Fault {
        Fault::of(Problem::error(Met::new(what)))
    }

    /// A fault of any problem (a syntax error of an import).
    pub fn of(problem: Problem) -> Fault {
        Fault(Rc::new(problem))
    }

    /// An operation or library function without a result: `message` is a sentence without a full stop.
    pub fn undefined(message: impl Into<Name>, span: Option<Span>) -> Fault {
        Fault::new(ValueKind::Undefined { message: message.into(), span, notes: Vec::new() })
    }

    /// The problem.
    pub fn problem(&self) -> &Problem {
        &self.0
    }

    /// What evaluation met, if it was evaluation that failed.
    pub fn what(&self) -> Option<&ValueKind> {
        match &self.0.kind {
            Kind::Value(met) => Some(&met.what),
            _ => None,
        }
    }

    /// Whether trying again may do better: interrupts and limits are not kept in thunks.
    pub fn is_transient(&self) -> bool {
        matches!(self.what(), Some(ValueKind::Interrupted | ValueKind::Limit { .. }))
    }

    /// The same, said in a program's own words.
    pub fn worded(self, words: impl Into<Name>) -> Fault {
        self.change(|met| met.words = Some(words.into()))
    }

    pub(super) fn change(mut self, change: impl FnOnce(&mut Met)) -> Fault {
        if let Kind::Value(met) = &mut Rc::make_mut(&mut self.0).kind {
            change(met);
        }
        self
    }

    /// The same, met during a call. Keeps the innermost few.
    pub fn called_at(self, span: Span) -> Fault {
        match &self.0.kind {
            Kind::Value(met) if met.calls.len() < CALLS => self.change(|met| met.calls.push(span)),
            _ => self,
        }
    }

    /// The same, with the path of the field it was met in, unless one is known.
    pub fn in_field(self, path: impl FnOnce() -> Vec<Name>) -> Fault {
        match &self.0.kind {
            Kind::Value(met) if met.path.is_empty() => self.change(|met| met.path = path()),
            _ => self,
        }
    }
}

impl std::fmt::Debug for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}
