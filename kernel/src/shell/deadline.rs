//! A time by which a question is to be through: what evaluates for it then is stopped, and the answer is what is known.

use cfg_core::session::Interrupt;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// A session lowers its flag when the next input begins, so it is raised again so often until all is through.
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
    /// For the session with this flag. Where no thread can be had there are no deadlines.
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

    /// What is done until the guard is dropped is stopped after so long.
    pub fn within(&self, time: Duration) -> Until {
        *self.inner.until() = Some(Instant::now() + time);
        self.inner.changed.notify_all();
        Until(self.inner.clone())
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

/// While it lives, the deadline stands.
pub struct Until(Arc<Inner>);

impl Drop for Until {
    fn drop(&mut self) {
        *self.0.until() = None;
    }
}
