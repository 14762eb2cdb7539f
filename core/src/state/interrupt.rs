//! The flag that stops evaluation, inference, parsing and printing.

use crate::deep::OutOfMemory;
use crate::problem::Problem;
use crate::problem::value::ValueProblem;
use crate::stop::{MemoryGauge, Stop, StopFlag};
use crate::text::Span;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
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

    /// Like [`Interrupt::is_raised`], for work that fills tables and checks the flag at every `steps`-th of its steps.
    pub(crate) fn is_raised_after(&self, steps: usize) -> bool {
        self.0.is_set_for_tables(steps)
    }

    /// Raises the flag at the `checks`-th time from now that the running work checks it, or never for 0. For tests, which interrupt
    /// work at every check. Returns `true` if an earlier countdown had not ended.
    pub fn raise_after(&self, checks: usize) -> bool {
        self.0.set_after(checks)
    }

    /// Runs work that may go deeper than the system allows. `None` if the system refused stack; the flag is then set.
    pub(crate) fn within_stack<T>(&self, work: impl FnOnce() -> T) -> Option<T> {
        match catch_unwind(AssertUnwindSafe(work)) {
            Ok(done) => Some(done),
            Err(reason) if reason.is::<OutOfMemory>() => {
                self.0.refused();
                None
            }
            Err(reason) => resume_unwind(reason),
        }
    }

    pub(crate) fn lower(&self) {
        self.0.clear();
    }

    /// Returns the flag in the form that parsers use.
    pub(crate) fn stop(&self) -> Stop<'_> {
        Stop::on(&self.0)
    }

    /// Creates the problem of work on a text that was stopped: an interrupt, or memory that ran out.
    pub(crate) fn problem(&self, span: Option<Span>) -> Problem {
        Problem::error(ValueProblem::stopped(self.0.reason(), span))
    }

    /// Stops work before memory runs out.
    pub(crate) fn measure(&self, gauge: MemoryGauge) {
        self.0.measure(gauge);
    }

    pub(crate) fn flag(&self) -> Arc<StopFlag> {
        self.0.clone()
    }
}
