//! Work on a separate thread, which an interrupt abandons.
//!
//! A parser from another crate cannot be stopped, and dropping what a parser has built takes long. So a separate thread
//! reads a large text, and the session waits for its result or for an interrupt. After an interrupt, the thread stops
//! when it can, and drops its data.

use crate::stop::{Stop, StopReason, has_room_for_a_thread};
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

/// Minimum size of a text that is read on a separate thread, in bytes.
pub const LARGE: usize = 1 << 20;

/// Interval between two checks of the flag while the session waits.
const LOOK: Duration = Duration::from_millis(5);

/// Runs `work` on a separate thread, or on this one if threads or the memory for them are not available. `None` if it was stopped; nothing
/// waits for the thread then.
pub fn in_background<T: Send + 'static>(
    stop: Stop<'_>,
    work: impl Fn(Stop<'_>) -> T + Send + Sync + 'static,
) -> Option<T> {
    if !has_room_for_a_thread() {
        return Some(work(stop));
    }
    // the next input clears the session's flag, which must not resume an abandoned thread
    let flag = Arc::new(stop.separate_flag());
    // the channel has no buffer: if nobody receives a result, its sender drops it
    let (give, take) = mpsc::sync_channel(0);
    let work = Arc::new(work);
    let (its_work, its_flag) = (work.clone(), flag.clone());
    let made = std::thread::Builder::new().name("reader".into()).spawn(move || {
        let _ = give.send(its_work(Stop::on(&its_flag)));
    });
    let Ok(thread) = made else { return Some(work(stop)) };
    // only the thread keeps the data that it works on
    drop(work);
    loop {
        match take.recv_timeout(LOOK) {
            Ok(read) => {
                if let (true, StopReason::Memory(left), Some(own)) = (flag.is_set(), flag.reason(), stop.flag()) {
                    own.run_out(left);
                }
                return Some(read);
            }
            Err(RecvTimeoutError::Timeout) if stop.is_asked() => {
                flag.set();
                return None;
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => match thread.join() {
                Err(panic) => std::panic::resume_unwind(panic),
                Ok(()) => return None,
            },
        }
    }
}

/// Drops a large value on a separate thread, or on this one if threads or the memory for them are not available.
pub fn discard<T: Send + 'static>(large: T) {
    if has_room_for_a_thread() {
        let _ = std::thread::Builder::new().name("reaper".into()).spawn(move || drop(large));
    }
}
