//! Interrupts, by message or by signal. An interrupt stops exactly what is running when it arrives, in any phase, and
//! nothing that begins later.

use cfg_core::Interrupt;
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// Interval at which a flag is raised again. A session clears its flag when an input begins, and a request may consist
/// of several inputs, so the flag is raised until the request ends.
const AGAIN: Duration = Duration::from_millis(2);

/// Tracks what is running, in all shells.
#[derive(Default)]
pub struct Running {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    next: u64,
    /// The running requests, with the flags that stop them.
    running: Vec<(u64, Interrupt)>,
}

impl Running {
    /// Registers a running request with its flag until the guard is dropped.
    pub fn begin(self: &Arc<Self>, flag: Interrupt) -> Guard {
        let mut state = self.state();
        state.next += 1;
        let number = state.next;
        state.running.push((number, flag));
        Guard { running: self.clone(), number }
    }

    /// Stops what is running; returns when it has stopped.
    fn interrupt(&self) {
        let mut state = self.state();
        let newest = state.next;
        loop {
            let mut any = false;
            for (_, flag) in state.running.iter().filter(|(number, _)| *number <= newest) {
                flag.raise();
                any = true;
            }
            if !any {
                return;
            }
            state = self.changed.wait_timeout(state, AGAIN).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A running request, until it is dropped.
pub struct Guard {
    running: Arc<Running>,
    number: u64,
}

impl Drop for Guard {
    fn drop(&mut self) {
        self.running.state().running.retain(|(number, _)| *number != self.number);
        self.running.changed.notify_all();
    }
}

/// Starts the thread that interrupts. Each message to it is one interrupt.
///
/// # Errors
/// Fails if the thread cannot be started.
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
    fn an_interrupt_stops_what_is_running_and_not_what_comes_next() {
        let running = Arc::new(Running::default());
        let flag = || cfg_core::Session::new(Box::new(cfg_core::NoLoader)).interrupt_handle();
        let (one, two, three) = (flag(), flag(), flag());
        let interrupt = start(running.clone()).unwrap();
        interrupt.send(()).unwrap();
        thread::sleep(AGAIN * 5);
        assert!(!one.is_raised());
        let guards = [running.begin(one.clone()), running.begin(two.clone())];
        interrupt.send(()).unwrap();
        while !(one.is_raised() && two.is_raised()) {
            thread::yield_now();
        }
        let later = running.begin(three.clone());
        drop(guards);
        drop(later);
        assert!(!three.is_raised() && running.state().running.is_empty());
    }
}
