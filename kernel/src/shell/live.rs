//! Sends what programs print while they run, at once or, if they print fast, in batches.

use super::sheet::Sheets;
use crate::request::Messenger;
use crate::wire::Object;
use serde_json::{Value, json};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Interval between two batches.
const OFTEN: Duration = Duration::from_millis(20);
/// Length at which a batch is sent at once, in bytes.
const LONG: usize = 1 << 16;

/// Publishes the output of the running request.
#[derive(Clone)]
pub struct LiveOutput(Arc<Inner>);

struct Inner {
    messenger: Arc<Messenger>,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    /// The running request; `None` if its output is not published.
    parent: Option<Object>,
    sheets: Sheets,
    waiting: String,
    sent: Option<Instant>,
    /// Whether the thread that sends late batches has been started.
    started: bool,
}

impl LiveOutput {
    /// Creates a publisher without a request.
    pub fn new(messenger: Arc<Messenger>) -> LiveOutput {
        LiveOutput(Arc::new(Inner { messenger, state: Mutex::default(), changed: Condvar::new() }))
    }

    /// Sets the request that the output belongs to, or `None` to discard output. Returns the previous one.
    pub fn follow(&self, parent: Option<Object>) -> Option<Object> {
        let mut state = self.0.state();
        self.0.flush(&mut state);
        std::mem::replace(&mut state.parent, parent)
    }

    /// Prints text. Only `stdout` is batched, and only briefly.
    pub fn print(&self, stream: &str, text: &str) {
        let mut state = self.0.state();
        if state.parent.is_none() {
            return;
        }
        if stream != "stdout" {
            self.0.flush(&mut state);
            return self.0.publish(&state, "stream", &json!({ "name": stream, "text": text }));
        }
        state.waiting.push_str(text);
        if state.waiting.len() > LONG || state.sent.is_none_or(|at| at.elapsed() > OFTEN) {
            return self.0.flush(&mut state);
        }
        // there may be no more output, so a thread sends the rest later
        if !state.started {
            let inner = Arc::downgrade(&self.0);
            let late = move || {
                while let Some(inner) = inner.upgrade() {
                    inner.send_late();
                }
            };
            state.started = std::thread::Builder::new().name("output".into()).spawn(late).is_ok();
        }
        self.0.changed.notify_all();
    }

    /// Sends the current batch.
    pub fn flush(&self) {
        self.0.flush(&mut self.0.state());
    }

    /// Publishes a message about the request, after what was printed. The first HTML that a client gets has the style
    /// sheet.
    pub fn publish(&self, kind: &str, content: &Value) {
        let mut state = self.0.state();
        self.0.flush(&mut state);
        let styled = match state.parent.is_some() {
            true => state.sheets.styled(kind, content),
            false => None,
        };
        self.0.publish(&state, kind, styled.as_ref().unwrap_or(content));
    }

    /// Begins the output of a cell of the client whose request is running.
    pub fn begin_cell(&self, cell: Option<&str>) {
        let mut state = self.0.state();
        let client = state.parent.as_ref().and_then(|header| header.get("session")?.as_str()).map(String::from);
        state.sheets.begin(client.unwrap_or_default(), cell.unwrap_or_default());
    }

    /// Forgets cells that a client has deleted.
    pub fn deleted_cells(&self, cells: &[&str]) {
        self.0.state().sheets.deleted(cells);
    }
}

impl Inner {
    fn publish(&self, state: &State, kind: &str, content: &Value) {
        if let Some(parent) = &state.parent {
            self.messenger.publish(parent, kind, content);
        }
    }

    fn flush(&self, state: &mut State) {
        let text = std::mem::take(&mut state.waiting);
        if !text.is_empty() {
            self.publish(state, "stream", &json!({ "name": "stdout", "text": text }));
            state.sent = Some(Instant::now());
        }
    }

    /// Waits for a batch and sends it when it is due. Returns without one after a second.
    fn send_late(&self) {
        let mut state = self.state();
        if state.waiting.is_empty() {
            let (now, _) =
                self.changed.wait_timeout(state, Duration::from_secs(1)).unwrap_or_else(PoisonError::into_inner);
            state = now;
        }
        let left = OFTEN.saturating_sub(state.sent.map_or(OFTEN, |at| at.elapsed()));
        if !state.waiting.is_empty() && left == Duration::ZERO {
            return self.flush(&mut state);
        }
        let waits = !state.waiting.is_empty();
        drop(state);
        if waits {
            std::thread::sleep(left);
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
