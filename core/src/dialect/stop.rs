//! The flag that stops a reader.

use std::sync::atomic::{AtomicBool, Ordering};

/// A view of the flag that interrupts all work. A check costs as much as reading a field, so readers check at every
/// token. The output of a stopped reader is incomplete; the dialect table replaces it with an `interrupted` problem.
#[derive(Clone, Copy, Debug)]
pub struct Stop<'a>(Option<&'a AtomicBool>);

impl<'a> Stop<'a> {
    /// Never stops.
    pub const NEVER: Stop<'static> = Stop(None);

    /// Stops when the flag is set.
    pub fn on(flag: &'a AtomicBool) -> Stop<'a> {
        Stop(Some(flag))
    }

    /// Returns `true` if the reader must stop.
    pub fn is_asked(self) -> bool {
        self.0.is_some_and(|flag| flag.load(Ordering::Relaxed))
    }
}
