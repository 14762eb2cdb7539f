//! An XPUB: the same to all who subscribe, each with a queue of its own. What is said before anybody listens is kept for
//! the first who does.

use super::{Frames, Handler, Peer, frame};
use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How many bytes are kept for the first subscriber.
const KEPT: usize = 16 << 20;
/// The most topics of one subscriber.
const TOPICS: usize = 1024;

/// What a subscriber is greeted with.
type Welcome = Box<dyn Fn(&[u8]) -> Frames + Send + Sync>;

/// An XPUB socket.
pub struct Publisher {
    state: Mutex<State>,
    changed: Condvar,
    welcome: Welcome,
}

/// What was said before anybody listened: its topic, and the message as it goes over the wire.
type Early = (Vec<u8>, Arc<[u8]>);

struct State {
    subscribers: Vec<Subscriber>,
    /// What was said so far; `None`: somebody listened once.
    early: Option<VecDeque<Early>>,
    kept: usize,
    /// When somebody subscribed last.
    newest: Option<Instant>,
}

struct Subscriber {
    peer: Arc<Peer>,
    topics: Vec<Vec<u8>>,
}

impl Publisher {
    /// A socket that greets every subscription.
    pub fn new(welcome: impl Fn(&[u8]) -> Frames + Send + Sync + 'static) -> Arc<Publisher> {
        let state = State { subscribers: Vec::new(), early: Some(VecDeque::new()), kept: 0, newest: None };
        Arc::new(Publisher { state: Mutex::new(state), changed: Condvar::new(), welcome: Box::new(welcome) })
    }

    /// Sends a message, its topic first, to all who subscribe to that.
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

    /// Waits until somebody subscribed since a moment, at most so long. Where nobody ever did nothing is lost, and nothing
    /// waited for.
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

    /// Waits until all is sent, or the time has come.
    pub fn drain(&self, until: Instant) {
        let peers: Vec<Arc<Peer>> = self.state().subscribers.iter().map(|s| s.peer.clone()).collect();
        peers.iter().for_each(|peer| peer.drain(until));
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A [`Publisher`] as the handler of its socket.
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
