//! The flag that stops a reader.

use std::sync::atomic::{AtomicUsize, Ordering};

/// The flag that interrupts all work of a session. A check costs as much as reading a field.
///
/// Its number is 0 if the flag is clear, 1 if it is set, and n + 1 if the n-th check from now is the first that finds it set.
#[derive(Debug, Default)]
pub struct StopFlag(AtomicUsize);

impl StopFlag {
    /// Sets the flag.
    pub fn set(&self) {
        self.0.store(1, Ordering::Relaxed);
    }

    /// Clears the flag. A countdown goes on.
    pub fn clear(&self) {
        let _ = self.0.compare_exchange(1, 0, Ordering::Relaxed, Ordering::Relaxed);
    }

    /// Sets the flag at the `checks`-th check from now, and ends a countdown for 0. Tests interrupt work at each of its checks in this way.
    /// Returns `true` if an earlier countdown had not ended.
    pub fn set_after(&self, checks: usize) -> bool {
        self.0.swap(if checks == 0 { 0 } else { checks.saturating_add(1) }, Ordering::Relaxed) > 1
    }

    /// Returns `true` if the flag is set.
    pub fn is_set(&self) -> bool {
        match self.0.load(Ordering::Relaxed) {
            0 => false,
            1 => true,
            left => self.count(left),
        }
    }

    #[cold]
    fn count(&self, left: usize) -> bool {
        self.0.store(left - 1, Ordering::Relaxed);
        left == 2
    }
}

/// A view of the flag that interrupts all work. A check costs as much as reading a field, so readers check at every
/// token. The output of a stopped reader is incomplete; the dialect table replaces it with an `interrupted` problem.
#[derive(Clone, Copy, Debug)]
pub struct Stop<'a>(Option<&'a StopFlag>);

impl<'a> Stop<'a> {
    /// Never stops.
    pub const NEVER: Stop<'static> = Stop(None);

    /// Stops when the flag is set.
    pub fn on(flag: &'a StopFlag) -> Stop<'a> {
        Stop(Some(flag))
    }

    /// Returns `true` if the reader must stop.
    pub fn is_asked(self) -> bool {
        self.0.is_some_and(StopFlag::is_set)
    }
}
