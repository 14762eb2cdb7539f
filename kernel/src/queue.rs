//! The queue of a shell: requests in order. A question that has waited too long, because a cell is running, can be
//! taken out of order.

use crate::request::Request;
use cfg_core::Dialect;
use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// An input of a cell, as its session ran it.
#[derive(Clone)]
pub struct Input {
    /// Its number.
    pub number: u32,
    /// Whether it took the number. A command does not, so that the next input has the same one.
    pub is_numbered: bool,
    /// Its language.
    pub language: Dialect,
    /// Its text.
    pub text: String,
}

/// Maximum number of waiting requests; a client that sends more is blocked.
const MOST: usize = 1024;
/// Time after which a waiting question is overdue. Most cells end sooner, and then the session itself answers it.
const GRACE: Duration = Duration::from_millis(50);

/// A task of a shell.
pub enum Work {
    /// A request.
    Request(Box<Request>),
    /// Inputs that another shell has run. This shell binds their definitions too.
    Define(Vec<Input>),
}

/// The queue of a shell.
#[derive(Default)]
pub struct Queue {
    state: Mutex<State>,
    /// Signals that an item was added or removed.
    changed: Condvar,
    /// Signals that a question was added.
    asked: Condvar,
}

#[derive(Default)]
struct State {
    waiting: VecDeque<Work>,
    closed: bool,
    /// Whether a thread is waiting for a question while there is none.
    is_idle: bool,
}

/// Reports whether a request can be answered while a cell runs.
fn is_question(work: &Work) -> bool {
    matches!(work, Work::Request(request) if !request.changes_session())
}

impl Queue {
    /// Adds an item; blocks while the queue is full.
    pub fn push(&self, work: Work) {
        let mut state = self.state();
        while state.waiting.len() >= MOST && !state.closed {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        let question = is_question(&work);
        state.waiting.push_back(work);
        if question && state.is_idle {
            self.asked.notify_all();
        }
        self.changed.notify_all();
    }

    /// Waits for the next item; `None` after the queue was closed. While the queue is empty, `tidy` is called once; it
    /// must return when its argument reports that an item arrived.
    pub fn next(&self, tidy: impl FnOnce(&dyn Fn() -> bool)) -> Option<Work> {
        let mut tidy = Some(tidy);
        let mut state = self.state();
        loop {
            if state.closed {
                return None;
            }
            if let Some(work) = state.waiting.pop_front() {
                // wake those waiting for room
                self.changed.notify_all();
                return Some(work);
            }
            if let Some(tidy) = tidy.take() {
                drop(state);
                tidy(&|| {
                    let state = self.state();
                    state.closed || !state.waiting.is_empty()
                });
                state = self.state();
                continue;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Waits for an overdue question and removes it; `None` after the queue was closed.
    pub fn next_overdue(&self) -> Option<Request> {
        let mut state = self.state();
        while !state.closed {
            let at = state.waiting.iter().position(is_question);
            let received = at.and_then(|at| state.waiting.get(at)).and_then(|work| match work {
                Work::Request(request) => Some(request.received),
                Work::Define(..) => None,
            });
            let Some(received) = received else {
                state.is_idle = true;
                state = self.asked.wait(state).unwrap_or_else(PoisonError::into_inner);
                state.is_idle = false;
                continue;
            };
            let left = GRACE.saturating_sub(Instant::now().saturating_duration_since(received));
            if left > Duration::ZERO {
                state = self.asked.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
                continue;
            }
            if let Some(Work::Request(request)) = at.and_then(|at| state.waiting.remove(at)) {
                self.changed.notify_all();
                return Some(*request);
            }
        }
        None
    }

    /// Closes the queue and returns the waiting items.
    pub fn close(&self) -> Vec<Work> {
        let mut state = self.state();
        state.closed = true;
        self.changed.notify_all();
        self.asked.notify_all();
        state.waiting.drain(..).collect()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
