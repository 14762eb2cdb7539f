//! One connection: what waits to be sent to it, and the thread that sends.
//!
//! Sending never waits. Each peer has a queue of its own with a limit, so that one that does not read starves nobody; over
//! the limit it is let go.

use super::stream::Stream;
use std::collections::VecDeque;
use std::io::{self, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How many bytes may wait for one peer.
const LIMIT: usize = 64 << 20;
/// How many bytes are written at once.
const CHUNK: usize = 1 << 18;

/// A peer.
pub struct Peer {
    /// What tells it from the others.
    pub identity: Vec<u8>,
    stream: Stream,
    queue: Mutex<Queue>,
    changed: Condvar,
}

#[derive(Default)]
struct Queue {
    waiting: VecDeque<Arc<[u8]>>,
    bytes: usize,
    writing: bool,
    closed: bool,
}

impl Peer {
    /// A peer over a connection.
    pub fn new(identity: Vec<u8>, stream: Stream) -> Arc<Peer> {
        Arc::new(Peer { identity, stream, queue: Mutex::default(), changed: Condvar::new() })
    }

    /// Sends bytes that are whole messages, in order, at some time.
    pub fn send(&self, bytes: Arc<[u8]>) {
        let mut queue = self.queue();
        if queue.closed {
            return;
        }
        if queue.bytes > 0 && queue.bytes + bytes.len() > LIMIT {
            drop(queue);
            return self.close();
        }
        queue.bytes += bytes.len();
        queue.waiting.push_back(bytes);
        drop(queue);
        self.changed.notify_all();
    }

    /// Ends the connection; what waits is lost.
    pub fn close(&self) {
        let mut queue = self.queue();
        queue.closed = true;
        queue.waiting.clear();
        queue.bytes = 0;
        drop(queue);
        self.stream.close();
        self.changed.notify_all();
    }

    /// Waits until all is sent, or the time has come.
    pub fn drain(&self, until: Instant) {
        let mut queue = self.queue();
        while !queue.closed && (queue.writing || !queue.waiting.is_empty()) {
            let left = until.saturating_duration_since(Instant::now());
            if left == Duration::ZERO {
                return;
            }
            queue = self.changed.wait_timeout(queue, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Sends what waits, until the peer is closed.
    pub fn write(&self) {
        while let Some(bytes) = self.next() {
            if self.put(&bytes).is_err() {
                return self.close();
            }
            self.queue().writing = false;
            self.changed.notify_all();
        }
    }

    fn put(&self, bytes: &[u8]) -> io::Result<()> {
        (&self.stream).write_all(bytes)
    }

    fn next(&self) -> Option<Vec<u8>> {
        let mut queue = self.queue();
        loop {
            if queue.closed {
                return None;
            }
            if !queue.waiting.is_empty() {
                break;
            }
            queue = self.changed.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
        let mut out = Vec::new();
        while let Some(next) = queue.waiting.front()
            && (out.is_empty() || out.len() + next.len() <= CHUNK)
        {
            out.extend_from_slice(next);
            queue.bytes -= next.len();
            queue.waiting.pop_front();
        }
        queue.writing = true;
        Some(out)
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
