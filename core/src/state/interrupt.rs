//! The flag that stops evaluation, inference, parsing and printing.

use crate::dialect::Stop;
use crate::problem::Problem;
use crate::problem::value::{ValueKind, ValueProblem};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A handle on a session's interrupt flag. It can be sent to other threads.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Stops the running work. The session stays consistent. Large texts and their types are dropped on another thread, values
    /// later in slices on this thread.
    pub fn raise(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Returns `true` if the flag was raised since the last input began.
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    pub(crate) fn lower(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    /// Returns the flag in the form that parsers use.
    pub(crate) fn stop(&self) -> Stop<'_> {
        Stop::on(&self.0)
    }

    pub(crate) fn flag(&self) -> Arc<AtomicBool> {
        self.0.clone()
    }
}

/// Creates the problem of an interrupt.
pub(crate) fn interrupted() -> Problem {
    Problem::error(ValueProblem::new(ValueKind::Interrupted))
}
