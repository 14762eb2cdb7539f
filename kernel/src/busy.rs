//! Publishes the kernel's status: `busy` and `idle` for each request. Front ends show the last status, so when one
//! request ends while another is still running, `busy` is published again.

use crate::request::Messenger;
use crate::wire::Object;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The requests in progress.
pub struct Busy {
    messenger: Arc<Messenger>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    next: u64,
    running: Vec<(u64, Object)>,
}

impl Busy {
    /// Creates an idle tracker.
    pub fn new(messenger: Arc<Messenger>) -> Busy {
        Busy { messenger, state: Mutex::default() }
    }

    /// Begins a request; it ends when the guard is dropped.
    pub fn begin(&self, header: &Object) -> Activity<'_> {
        let mut state = self.state();
        state.next += 1;
        let number = state.next;
        state.running.push((number, header.clone()));
        self.messenger.status(header, "busy");
        Activity { busy: self, number }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A request in progress, until it is dropped.
pub struct Activity<'a> {
    busy: &'a Busy,
    number: u64,
}

impl Drop for Activity<'_> {
    fn drop(&mut self) {
        let mut state = self.busy.state();
        let Some(at) = state.running.iter().position(|(number, _)| *number == self.number) else { return };
        let (_, header) = state.running.remove(at);
        self.busy.messenger.status(&header, "idle");
        if let Some((_, other)) = state.running.last() {
            self.busy.messenger.status(other, "busy");
        }
    }
}
