//! An XPUB socket: sends each message to all subscribers. Messages published before the first subscription are kept
//! for the first subscriber.

use super::{Frames, Handler, Peer, frame};
use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Maximum number of bytes kept for the first subscriber.
const KEPT: usize = 16 << 20;
/// Maximum number of topics per subscriber.
const TOPICS: usize = 1024;

/// Returns the message that greets a subscription.
type Welcome = Box<dyn Fn(&[u8]) -> Frames + Send + Sync>;

/// An XPUB socket.
pub struct Publisher {
    state: Mutex<State>,
    changed: Condvar,
    welcome: Welcome,
}

/// A message published before the first subscription: its topic, and its encoded form.
type EarlyMessage = (Vec<u8>, Arc<[u8]>);

struct State {
    subscribers: Vec<Subscriber>,
    /// The messages so far; `None` after the first subscription.
    early: Option<VecDeque<EarlyMessage>>,
    kept: usize,
    /// The time of the last subscription.
    newest: Option<Instant>,
}

struct Subscriber {
    peer: Arc<Peer>,
    topics: Vec<Vec<u8>>,
}

impl Publisher {
    /// Creates a socket that greets each subscription.
    pub fn new(welcome: impl Fn(&[u8]) -> Frames + Send + Sync + 'static) -> Arc<Publisher> {
        let state = State { subscribers: Vec::new(), early: Some(VecDeque::new()), kept: 0, newest: None };
        Arc::new(Publisher { state: Mutex::new(state), changed: Condvar::new(), welcome: Box::new(welcome) })
    }

    /// Sends a message, whose first frame is the topic, to the topic's subscribers.
    pub fn send(&self, frames: &[impl AsRef<[u8]>]) {
        let bytes: Arc<[u8]> = frame::message(frames).into();
        let topic = frames.first().map_or(&[][..], |f| f.as_ref());
        let mut state = self.state();
        for subscriber in &state.subscribers {
            if subscriber.topics.iter().any(|t| topic.starts_with(t)) {
                subscriber.peer.send(bytes.clone());
            }
        }
        let State { early, kept, .. } = &mut *state;
        if let Some(early) = early {
            *kept += bytes.len();
            early.push_back((topic.to_vec(), bytes));
            while *kept > KEPT
                && let Some((_, oldest)) = early.pop_front()
            {
                *kept -= oldest.len();
            }
        }
    }

    /// Waits for a subscription made after `since`, for at most `most`. Returns at once if there never was a
    /// subscriber, because no message can be lost then.
    pub fn await_subscriber(&self, since: Instant, most: Duration) {
        let until = Instant::now() + most;
        let mut state = self.state();
        while state.newest.is_some_and(|newest| newest < since) {
            let left = until.saturating_duration_since(Instant::now());
            if left == Duration::ZERO {
                return;
            }
            state = self.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Waits until everything is sent, or until a point in time.
    pub fn drain(&self, until: Instant) {
        let peers: Vec<Arc<Peer>> = self.state().subscribers.iter().map(|s| s.peer.clone()).collect();
        peers.iter().for_each(|peer| peer.drain(until));
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Handles the socket of a [`Publisher`].
pub struct Publishing(pub Arc<Publisher>);

impl Handler for Publishing {
    fn message(&self, _: &Arc<Peer>, _: Frames) {}

    fn subscribed(&self, peer: &Arc<Peer>, topic: Vec<u8>, on: bool) {
        let mut state = self.0.state();
        let State { subscribers, early, newest, .. } = &mut *state;
        let at = subscribers.iter().position(|s| Arc::ptr_eq(&s.peer, peer));
        match (at.and_then(|at| subscribers.get_mut(at)), on) {
            (Some(known), true) if known.topics.len() >= TOPICS => return peer.close(),
            (Some(known), true) => known.topics.push(topic.clone()),
            (Some(known), false) => {
                if let Some(at) = known.topics.iter().position(|t| *t == topic) {
                    known.topics.swap_remove(at);
                }
            }
            (None, true) => subscribers.push(Subscriber { peer: peer.clone(), topics: vec![topic.clone()] }),
            (None, false) => {}
        }
        if !on {
            return;
        }
        peer.send(frame::message(&(self.0.welcome)(&topic)).into());
        for (said, bytes) in early.take().into_iter().flatten() {
            if said.starts_with(&topic) {
                peer.send(bytes);
            }
        }
        *newest = Some(Instant::now());
        drop(state);
        self.0.changed.notify_all();
    }

    fn left(&self, peer: &Arc<Peer>) {
        self.0.state().subscribers.retain(|s| !Arc::ptr_eq(&s.peer, peer));
    }
}
