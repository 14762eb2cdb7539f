//! Work on a thread of its own, left behind at an interrupt.
//!
//! A parser that another crate brings cannot be stopped, and what any parser has built takes long to take apart. So a large
//! text is read beside the session, which waits for the end or for an interrupt; an interrupted reader is left behind, to
//! stop when it can and to take apart what it has.

use super::Stop;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

/// From how many bytes on a text is worth a thread of its own.
pub const LARGE: usize = 1 << 20;

/// How often the flag is looked at while waiting.
const LOOK: Duration = Duration::from_millis(5);

/// Works on a thread of its own, or here where there are no threads. `None`: it was stopped, and the thread is left to itself.
pub fn beside<T: Send + 'static>(stop: Stop<'_>, work: impl Fn(Stop<'_>) -> T + Send + Sync + 'static) -> Option<T> {
    // the session's flag is lowered when the next input begins, which must not wake what was left behind
    let flag = Arc::new(AtomicBool::new(false));
    // nothing lies in the channel: what nobody waits for any more is dropped by who made it
    let (give, take) = mpsc::sync_channel(0);
    let work = Arc::new(work);
    let (its_work, its_flag) = (work.clone(), flag.clone());
    let made = std::thread::Builder::new().name("reader".into()).spawn(move || {
        let _ = give.send(its_work(Stop::on(&its_flag)));
    });
    let Ok(thread) = made else { return Some(work(stop)) };
    // what it works on goes with the thread
    drop(work);
    loop {
        match take.recv_timeout(LOOK) {
            Ok(read) => return Some(read),
            Err(RecvTimeoutError::Timeout) if stop.is_asked() => {
                flag.store(true, Ordering::Relaxed);
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

/// Takes something apart on a thread of its own, or here where there are no threads.
pub fn discard<T: Send + 'static>(large: T) {
    let _ = std::thread::Builder::new().name("reaper".into()).spawn(move || drop(large));
}
