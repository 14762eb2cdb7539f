//! Interrupts: by message, or by signal. One reaches exactly what runs when it comes, in whatever phase that is, and
//! nothing that begins later.

use cfg_core::session::Interrupt;
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// A session lowers its flag when an input begins, and a request is several inputs: so it is raised until the request is
/// over.
const AGAIN: Duration = Duration::from_millis(2);

/// Knows what runs.
#[derive(Default)]
pub struct Running {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    number: u64,
    busy: bool,
    flag: Option<Interrupt>,
}

impl Running {
    /// The flag that stops the session.
    pub fn set_flag(&self, flag: Interrupt) {
        self.state().flag = Some(flag);
    }

    /// Something runs until the guard is dropped.
    pub fn begin(self: &Arc<Self>) -> Guard {
        let mut state = self.state();
        state.number += 1;
        state.busy = true;
        Guard(self.clone())
    }

    /// Stops what runs. Returns when it has stopped.
    fn interrupt(&self) {
        let mut state = self.state();
        let number = state.number;
        while state.busy && state.number == number {
            if let Some(flag) = &state.flag {
                flag.raise();
            }
            state = self.changed.wait_timeout(state, AGAIN).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// While it lives, something runs.
pub struct Guard(Arc<Running>);

impl Drop for Guard {
    fn drop(&mut self) {
        self.0.state().busy = false;
        self.0.changed.notify_all();
    }
}

/// Starts the thread that interrupts; each message to it is one.
///
/// # Errors
/// Where no thread can be started.
pub fn start(running: Arc<Running>) -> std::io::Result<Sender<()>> {
    let (sender, inbox) = mpsc::channel();
    let run = move || inbox.iter().for_each(|()| running.interrupt());
    thread::Builder::new().name("interrupt".into()).spawn(run)?;
    Ok(sender)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_runs_is_interrupted_until_it_ends_and_the_next_is_not() {
        let running = Arc::new(Running::default());
        let flag = cfg_core::session::Session::new(Box::new(cfg_core::loader::NoLoader)).interrupt_handle();
        running.set_flag(flag.clone());
        let interrupt = start(running.clone()).unwrap();
        interrupt.send(()).unwrap();
        thread::sleep(AGAIN * 5);
        assert!(!flag.is_raised());
        let guard = running.begin();
        interrupt.send(()).unwrap();
        while !flag.is_raised() {
            thread::yield_now();
        }
        drop(guard);
        drop(running.begin());
        assert!(!running.state().busy);
    }
}
