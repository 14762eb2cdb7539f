//! The flag that stops evaluation, inference, parsing and printing.

use crate::problem::Problem;
use crate::problem::value::{ValueKind, ValueProblem};
use crate::stop::{Stop, StopFlag};
use std::sync::Arc;

/// A handle on a session's interrupt flag. It can be sent to other threads.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<StopFlag>);

impl Interrupt {
    /// Stops the running work. The session stays consistent. Large texts and their types are dropped on another thread, values
    /// later in slices on this thread.
    pub fn raise(&self) {
        self.0.set();
    }

    /// Returns `true` if the flag was raised since the last input began.
    pub fn is_raised(&self) -> bool {
        self.0.is_set()
    }

    /// Raises the flag at the `checks`-th time from now that the running work checks it, or never for 0. For tests, which interrupt
    /// work at every check. Returns `true` if an earlier countdown had not ended.
    pub fn raise_after(&self, checks: usize) -> bool {
        self.0.set_after(checks)
    }

    pub(crate) fn lower(&self) {
        self.0.clear();
    }

    /// Returns the flag in the form that parsers use.
    pub(crate) fn stop(&self) -> Stop<'_> {
        Stop::on(&self.0)
    }

    pub(crate) fn flag(&self) -> Arc<StopFlag> {
        self.0.clone()
    }
}

/// Creates the problem of an interrupt.
pub(crate) fn interrupted() -> Problem {
    Problem::error(ValueProblem::new(ValueKind::Interrupted))
}
