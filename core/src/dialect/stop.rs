//! The flag that stops a reader.

use std::sync::atomic::{AtomicBool, Ordering};

/// A view of the flag that stops everything. Looking at it costs no more than reading a field, so that readers look at every
/// token; what they give after that is cut short, and the dialect table puts an `interrupted` problem in its place.
#[derive(Clone, Copy, Debug)]
pub struct Stop<'a>(Option<&'a AtomicBool>);

impl<'a> Stop<'a> {
    /// Nothing stops it.
    pub const NEVER: Stop<'static> = Stop(None);

    /// Stops once the flag is set.
    pub fn on(flag: &'a AtomicBool) -> Stop<'a> {
        Stop(Some(flag))
    }

    /// Whether to stop.
    pub fn is_asked(self) -> bool {
        self.0.is_some_and(|flag| flag.load(Ordering::Relaxed))
    }
}
