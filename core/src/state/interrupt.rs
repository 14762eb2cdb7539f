//! The one flag that stops everything: evaluation, inference, printing.

use crate::dialect::Stop;
use crate::problem::Problem;
use crate::problem::value::{Value as Met, ValueKind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A handle on a session's interrupt flag. Send it to the thread that reads the keyboard.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Asks what runs now to stop; the session stays whole. What was read or inferred of a
    /// large text is taken apart by another thread; values on this one, in slices, by and by.
    pub fn raise(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it was raised since the last input began.
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    pub(crate) fn lower(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    /// As readers look at it.
    pub(crate) fn stop(&self) -> Stop<'_> {
        Stop::on(&self.0)
    }

    pub(crate) fn flag(&self) -> Arc<AtomicBool> {
        self.0.clone()
    }
}

/// The problem of an interrupt.
pub(crate) fn interrupted() -> Problem {
    Problem::error(Met::new(ValueKind::Interrupted))
}
