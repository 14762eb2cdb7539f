//! What waits for a shell: requests in their order. A question that waited too long, because a cell runs, may be taken out
//! of turn.

use crate::request::Request;
use cfg_core::dialect::Dialect;
use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// An input of a cell, as its session took it.
#[derive(Clone)]
pub struct Input {
    /// Its number.
    pub number: u32,
    /// The language that was spoken.
    pub language: Dialect,
    /// Its text.
    pub text: String,
}

/// So many requests wait; a client that sends more waits itself.
const MOST: usize = 1024;
/// A question waits so long for its turn: most cells are through by then, and it is answered as of after them.
const GRACE: Duration = Duration::from_millis(50);

/// What a shell has to do.
pub enum Work {
    /// A request.
    Request(Box<Request>),
    /// Inputs that another shell has run: what they bound is to be bound here, too.
    Define(Vec<Input>),
}

/// What waits for a shell.
#[derive(Default)]
pub struct Queue {
    state: Mutex<State>,
    /// Something came, or left.
    changed: Condvar,
    /// A question came.
    asked: Condvar,
}

#[derive(Default)]
struct State {
    waiting: VecDeque<Work>,
    closed: bool,
    /// Whether somebody waits for a question without knowing of one.
    asleep: bool,
}

/// Whether a request can be answered while a cell runs.
fn is_question(work: &Work) -> bool {
    matches!(work, Work::Request(request) if request.message.kind() != "execute_request")
}

impl Queue {
    /// Puts something behind the rest, and waits while there is too much.
    pub fn push(&self, work: Work) {
        let mut state = self.state();
        while state.waiting.len() >= MOST && !state.closed {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        let question = is_question(&work);
        state.waiting.push_back(work);
        if question && state.asleep {
            self.asked.notify_all();
        }
        self.changed.notify_all();
    }

    /// Waits for what is next. `None`: there will be nothing more. While there is nothing `tidy` is called, once, which
    /// comes back where it is told that something came.
    pub fn next(&self, tidy: impl FnOnce(&dyn Fn() -> bool)) -> Option<Work> {
        let mut tidy = Some(tidy);
        let mut state = self.state();
        loop {
            if state.closed {
                return None;
            }
            if let Some(work) = state.waiting.pop_front() {
                // whoever waits for room
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

    /// Waits for a question that waited too long, and takes it out. `None`: there will be nothing more.
    pub fn overdue(&self) -> Option<Request> {
        let mut state = self.state();
        while !state.closed {
            let at = state.waiting.iter().position(is_question);
            let received = at.and_then(|at| state.waiting.get(at)).and_then(|work| match work {
                Work::Request(request) => Some(request.received),
                Work::Define(..) => None,
            });
            let Some(received) = received else {
                state.asleep = true;
                state = self.asked.wait(state).unwrap_or_else(PoisonError::into_inner);
                state.asleep = false;
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

    /// Nothing more is done; gives what waited.
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
