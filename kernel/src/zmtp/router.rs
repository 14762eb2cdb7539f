//! A ROUTER socket: replies are routed by the identity of the client.

use super::{Frames, Handler, Peer, frame};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// Receives messages, with the identity of the sender.
type Receive = Box<dyn Fn(&Arc<Router>, &[u8], Frames) + Send + Sync>;

/// A ROUTER socket.
pub struct Router {
    peers: Mutex<HashMap<Vec<u8>, Arc<Peer>>>,
    receive: Receive,
}

impl Router {
    /// Creates a socket that passes messages to `receive`, on the peers' threads.
    pub fn new(receive: impl Fn(&Arc<Router>, &[u8], Frames) + Send + Sync + 'static) -> Arc<Router> {
        Arc::new(Router { peers: Mutex::default(), receive: Box::new(receive) })
    }

    /// Sends a message. It is lost if the peer has disconnected.
    pub fn send(&self, to: &[u8], frames: &[impl AsRef<[u8]>]) {
        let peer = self.peers().get(to).cloned();
        if let Some(peer) = peer {
            peer.send(frame::message(frames).into());
        }
    }

    /// Waits until everything is sent, or until a point in time.
    pub fn drain(&self, until: Instant) {
        let peers: Vec<Arc<Peer>> = self.peers().values().cloned().collect();
        peers.iter().for_each(|peer| peer.drain(until));
    }

    fn peers(&self) -> MutexGuard<'_, HashMap<Vec<u8>, Arc<Peer>>> {
        self.peers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Handles the socket of a [`Router`].
pub struct Routing(pub Arc<Router>);

impl Handler for Routing {
    fn joined(&self, peer: &Arc<Peer>) {
        // a client that reconnects with the same identity replaces its old connection
        let old = self.0.peers().insert(peer.identity.clone(), peer.clone());
        if let Some(old) = old {
            old.close();
        }
    }

    fn message(&self, peer: &Arc<Peer>, frames: Frames) {
        (self.0.receive)(&self.0, &peer.identity, frames);
    }

    fn left(&self, peer: &Arc<Peer>) {
        let mut peers = self.0.peers();
        if peers.get(&peer.identity).is_some_and(|now| Arc::ptr_eq(now, peer)) {
            peers.remove(&peer.identity);
        }
    }
}
