//! Ctrl-C. While the session works, it stops the work; it never ends the session. At a prompt of the
//! rich kind the line editor sees it as a key; at a plain one the terminal has already dropped the line,
//! and a fresh prompt is shown.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Knows whether the session works or waits, and turns a Ctrl-C into the right thing.
#[derive(Clone, Default)]
pub struct Watch {
    state: Arc<State>,
}

#[derive(Default)]
struct State {
    busy: AtomicBool,
    /// A Ctrl-C came since it was last asked for.
    pressed: AtomicBool,
    /// What a Ctrl-C at a prompt without an editor shows again. Whoever holds it shows a prompt or answers a Ctrl-C.
    prompt: Mutex<Option<String>>,
}

impl State {
    fn prompt(&self) -> MutexGuard<'_, Option<String>> {
        self.prompt.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Watch {
    /// Installs the handler; `raise` interrupts the session. Without a handler (a system that grants
    /// none) Ctrl-C ends the program, as everywhere.
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

    /// The session works until the guard is dropped.
    pub fn working(&self) -> Working<'_> {
        self.state.busy.store(true, Ordering::SeqCst);
        Working { watch: self }
    }

    /// Whether a Ctrl-C came that nobody has taken: also one that came before the session had begun to work.
    pub fn is_pressed(&self) -> bool {
        self.state.pressed.load(Ordering::SeqCst)
    }

    /// Whether a Ctrl-C came since this was asked last.
    pub fn cancelled(&self) -> bool {
        self.state.pressed.swap(false, Ordering::SeqCst)
    }

    /// Shows a prompt without an editor, and waits behind it; after a Ctrl-C `first` is shown again. Whether one came before
    /// it was shown: then it is `first` already.
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

    /// The prompt without an editor waits no more.
    pub fn waited(&self) {
        *self.state.prompt() = None;
    }
}

/// While it lives, Ctrl-C interrupts the session.
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
    fn one_that_comes_before_the_work_begins_is_not_lost() {
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
