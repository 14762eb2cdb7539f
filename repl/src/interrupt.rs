//! Ctrl-C. It interrupts a running evaluation and never ends the session. At a rich prompt the line editor receives it
//! as a key; at a plain one the terminal has already discarded the line, and the prompt is printed again.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Tracks whether the session is working or waiting, and handles Ctrl-C accordingly.
#[derive(Clone, Default)]
pub struct Watch {
    state: Arc<State>,
}

#[derive(Default)]
struct State {
    busy: AtomicBool,
    /// A Ctrl-C arrived and has not been read.
    pressed: AtomicBool,
    /// The prompt that Ctrl-C prints again if there is no line editor. The lock is held while a prompt is printed or a
    /// Ctrl-C is handled.
    prompt: Mutex<Option<String>>,
}

impl State {
    fn prompt(&self) -> MutexGuard<'_, Option<String>> {
        self.prompt.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Watch {
    /// Installs the handler; `raise` interrupts the session. If the system allows no handler, Ctrl-C ends the program.
    pub fn install(&self, raise: impl Fn() + Send + 'static) {
        let watch = self.clone();
        let _ = ctrlc::set_handler(move || watch.press(&raise));
    }

    fn press(&self, raise: &impl Fn()) {
        let prompt = self.state.prompt();
        self.state.pressed.store(true, Ordering::SeqCst);
        if self.state.busy.load(Ordering::SeqCst) {
            raise();
        } else if let Some(prompt) = prompt.as_deref() {
            let mut out = io::stdout().lock();
            let _ = write!(out, "\n{prompt}").and_then(|()| out.flush());
        }
    }

    /// Marks the session as working until the guard is dropped.
    pub fn working(&self) -> Working<'_> {
        self.state.busy.store(true, Ordering::SeqCst);
        Working { watch: self }
    }

    /// Reports whether an unhandled Ctrl-C arrived, including one before the work began.
    pub fn is_pressed(&self) -> bool {
        self.state.pressed.load(Ordering::SeqCst)
    }

    /// Reports whether a Ctrl-C arrived since the last call, and clears it.
    pub fn cancelled(&self) -> bool {
        self.state.pressed.swap(false, Ordering::SeqCst)
    }

    /// Prints a prompt and marks the program as waiting for a line; a Ctrl-C then prints `first` again. Returns `true`
    /// if a Ctrl-C had already arrived, in which case `first` is printed in place of `shown`.
    pub fn wait(&self, shown: &str, first: &str) -> io::Result<bool> {
        let mut prompt = self.state.prompt();
        let cancelled = self.cancelled();
        let mut out = io::stdout().lock();
        match cancelled {
            true => write!(out, "\n{first}")?,
            false => out.write_all(shown.as_bytes())?,
        }
        out.flush()?;
        *prompt = Some(first.to_string());
        Ok(cancelled)
    }

    /// Ends the wait that [`Watch::wait`] began.
    pub fn waited(&self) {
        *self.state.prompt() = None;
    }
}

/// Makes Ctrl-C interrupt the session until it is dropped.
pub struct Working<'a> {
    watch: &'a Watch,
}

impl Drop for Working<'_> {
    fn drop(&mut self) {
        self.watch.state.busy.store(false, Ordering::SeqCst);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn a_ctrl_c_before_the_work_begins_is_not_lost() {
        let watch = Watch::default();
        let raised = Cell::new(0);
        let press = || watch.press(&|| raised.set(raised.get() + 1));
        press();
        assert_eq!((raised.get(), watch.is_pressed()), (0, true));
        let working = watch.working();
        press();
        assert_eq!((raised.get(), watch.is_pressed()), (1, true));
        drop(working);
        assert!(watch.cancelled() && !watch.cancelled());
    }
}
