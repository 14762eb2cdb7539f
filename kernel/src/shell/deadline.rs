//! A time limit for questions: evaluation stops at the deadline, and the answer contains what is known by then.

use cfg_core::Interrupt;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Interval at which the flag is raised again, because a session clears it when the next input begins.
const AGAIN: Duration = Duration::from_millis(2);

/// Stops questions of one session that take too long.
pub struct Deadline {
    inner: Arc<Inner>,
}

struct Inner {
    flag: Interrupt,
    until: Mutex<Option<Instant>>,
    changed: Condvar,
}

impl Deadline {
    /// Creates a deadline for the session with this flag. If no thread can be started, there is no time limit.
    pub fn new(flag: Interrupt) -> Deadline {
        let inner = Arc::new(Inner { flag, until: Mutex::default(), changed: Condvar::new() });
        let watched = Arc::downgrade(&inner);
        let _ = std::thread::Builder::new().name("deadline".into()).spawn(move || {
            while let Some(inner) = watched.upgrade() {
                inner.look();
            }
        });
        Deadline { inner }
    }

    /// Sets the deadline until the guard is dropped.
    pub fn within(&self, time: Duration) -> DeadlineGuard {
        *self.inner.until() = Some(Instant::now() + time);
        self.inner.changed.notify_all();
        DeadlineGuard(self.inner.clone())
    }
}

impl Inner {
    fn look(&self) {
        let until = self.until();
        let wait = match *until {
            None => Duration::from_secs(1),
            Some(at) => match at.saturating_duration_since(Instant::now()) {
                Duration::ZERO => {
                    self.flag.raise();
                    AGAIN
                }
                left => left,
            },
        };
        let _ = self.changed.wait_timeout(until, wait);
    }

    fn until(&self) -> MutexGuard<'_, Option<Instant>> {
        self.until.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A deadline, until it is dropped.
pub struct DeadlineGuard(Arc<Inner>);

impl Drop for DeadlineGuard {
    fn drop(&mut self) {
        *self.0.until() = None;
    }
}
