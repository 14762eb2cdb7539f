//! One connection: the queue of bytes to send, and the thread that sends them.
//!
//! Sending never blocks. Each peer has its own queue with a limit, so that a peer that does not read cannot block
//! others; over the limit, it is disconnected.

use super::stream::Stream;
use std::collections::VecDeque;
use std::io::{self, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Maximum number of bytes that wait for one peer.
const LIMIT: usize = 64 << 20;
/// Maximum number of bytes per write.
const CHUNK: usize = 1 << 18;

/// A connected peer.
pub struct Peer {
    /// Its identity, unique on its socket.
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
    /// Creates a peer for a connection.
    pub fn new(identity: Vec<u8>, stream: Stream) -> Arc<Peer> {
        Arc::new(Peer { identity, stream, queue: Mutex::default(), changed: Condvar::new() })
    }

    /// Queues bytes, which must be whole messages.
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

    /// Closes the connection and discards the queue.
    pub fn close(&self) {
        let mut queue = self.queue();
        queue.closed = true;
        queue.waiting.clear();
        queue.bytes = 0;
        drop(queue);
        self.stream.close();
        self.changed.notify_all();
    }

    /// Waits until the queue is empty, or until a point in time.
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

    /// Sends queued bytes until the peer is closed.
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
