//! Ctrl-C. While the session works, it stops the work; it never ends the session. At a prompt of the
//! rich kind the line editor sees it as a key; at a plain one the terminal has already dropped the line,
//! and a fresh prompt is shown.

use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

/// Knows whether the session works or waits, and turns a Ctrl-C into the right thing.
#[derive(Clone, Default)]
pub struct Watch {
    state: Arc<State>,
}

#[derive(Default)]
struct State {
    busy: AtomicBool,
    cancelled: AtomicBool,
    /// What a Ctrl-C at a prompt without an editor shows again.
    prompt: Mutex<Option<String>>,
}

impl Watch {
    /// Installs the handler; `raise` interrupts the session. Without a handler (a system that grants
    /// none) Ctrl-C ends the program, as everywhere.
    pub fn install(&self, raise: impl Fn() + Send + 'static) {
        let state = self.state.clone();
        let _ = ctrlc::set_handler(move || {
            if state.busy.load(Ordering::SeqCst) {
                raise();
            } else if let Ok(prompt) = state.prompt.lock()
                && let Some(prompt) = prompt.as_deref()
            {
                state.cancelled.store(true, Ordering::SeqCst);
                let mut out = std::io::stdout().lock();
                let _ = write!(out, "\n{prompt}").and_then(|()| out.flush());
            }
        });
    }

    /// The session works until the guard is dropped.
    pub fn working(&self) -> Working<'_> {
        self.state.busy.store(true, Ordering::SeqCst);
        Working { watch: self }
    }

    /// Whether a Ctrl-C came at a prompt without an editor since this was asked last.
    pub fn cancelled(&self) -> bool {
        self.state.cancelled.swap(false, Ordering::SeqCst)
    }

    /// A prompt without an editor is waiting (or, with `None`, no more); after a Ctrl-C `prompt` is
    /// shown again.
    pub fn waiting(&self, prompt: Option<String>) {
        if let Ok(mut slot) = self.state.prompt.lock() {
            *slot = prompt;
        }
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
