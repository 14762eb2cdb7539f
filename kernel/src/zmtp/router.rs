//! A ROUTER: answers find their way back by the identity of who asked.

use super::{Frames, Handler, Peer, frame};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// Gets what comes, with the identity of its sender.
type Receive = Box<dyn Fn(&Arc<Router>, &[u8], Frames) + Send + Sync>;

/// A ROUTER socket. What comes is handed on with the identity of its sender.
pub struct Router {
    peers: Mutex<HashMap<Vec<u8>, Arc<Peer>>>,
    receive: Receive,
}

impl Router {
    /// A socket that hands on what comes, on the peers' threads.
    pub fn new(receive: impl Fn(&Arc<Router>, &[u8], Frames) + Send + Sync + 'static) -> Arc<Router> {
        Arc::new(Router { peers: Mutex::default(), receive: Box::new(receive) })
    }

    /// Sends a message. To one who is gone it is lost.
    pub fn send(&self, to: &[u8], frames: &[impl AsRef<[u8]>]) {
        let peer = self.peers().get(to).cloned();
        if let Some(peer) = peer {
            peer.send(frame::message(frames).into());
        }
    }

    /// Waits until all is sent, or the time has come.
    pub fn drain(&self, until: Instant) {
        let peers: Vec<Arc<Peer>> = self.peers().values().cloned().collect();
        peers.iter().for_each(|peer| peer.drain(until));
    }

    fn peers(&self) -> MutexGuard<'_, HashMap<Vec<u8>, Arc<Peer>>> {
        self.peers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A [`Router`] as the handler of its socket.
pub struct Routing(pub Arc<Router>);

impl Handler for Routing {
    fn joined(&self, peer: &Arc<Peer>) {
        // a client that connects again under its name takes over from its old connection
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
