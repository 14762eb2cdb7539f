//! The part of ZMTP 3.1 (RFC 37) that a kernel needs: it listens on ROUTER, XPUB and REP sockets with the NULL
//! mechanism.
//!
//! Each connection has a thread for reading and one for writing, because there are few clients. Invalid data ends at
//! most the connection of the peer that sent it.

pub mod frame;
mod handshake;
mod peer;
mod publisher;
mod router;
mod stream;

pub use frame::Frames;
pub use handshake::Kind;
pub use peer::Peer;
pub use publisher::{Publisher, Publishing};
pub use router::{Router, Routing};
pub use stream::{Endpoint, Listener};

use frame::Incoming;
use std::io::{self, BufReader};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

/// Maximum time between a peer's bytes during the handshake.
const PATIENCE: Duration = Duration::from_secs(10);
/// Maximum number of connections per socket.
const MOST: usize = 256;

/// Handles what peers send. Its methods are called on the peers' threads.
pub trait Handler: Send + Sync + 'static {
    /// A peer connected.
    fn joined(&self, _: &Arc<Peer>) {}
    /// A peer sent a message.
    fn message(&self, peer: &Arc<Peer>, frames: Frames);
    /// A peer subscribed to a topic, or unsubscribed.
    fn subscribed(&self, _: &Arc<Peer>, _topic: Vec<u8>, _on: bool) {}
    /// A peer disconnected.
    fn left(&self, _: &Arc<Peer>) {}
}

/// Serves a listener until the process ends.
///
/// # Errors
/// Fails if no thread can be started.
pub fn serve(listener: Listener, kind: Kind, handler: Arc<dyn Handler>) -> io::Result<()> {
    let count = Arc::new(AtomicUsize::new(0));
    let numbers = AtomicU32::new(1);
    let accept = move || loop {
        let Ok(stream) = listener.accept() else {
            // out of file handles, for example: some may become free
            thread::sleep(Duration::from_millis(20));
            continue;
        };
        if count.fetch_add(1, Ordering::SeqCst) >= MOST {
            count.fetch_sub(1, Ordering::SeqCst);
            continue;
        }
        let number = numbers.fetch_add(1, Ordering::Relaxed);
        let (handler, open) = (handler.clone(), Open(count.clone()));
        let _ = thread::Builder::new().name("reader".into()).spawn(move || {
            let _open = open;
            if let Err(error) = converse(stream, kind, number, &*handler)
                && error.kind() == io::ErrorKind::InvalidData
            {
                crate::log(&format!("a connection to {kind:?} ended: {error}"));
            }
        });
    };
    thread::Builder::new().name("listener".into()).spawn(accept).map(drop)
}

/// Counts a connection until it is dropped.
struct Open(Arc<AtomicUsize>);

impl Drop for Open {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Handles a connection from its first byte to its last.
fn converse(stream: stream::Stream, kind: Kind, number: u32, handler: &dyn Handler) -> io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    let reading = stream.again()?;
    let mut from = BufReader::with_capacity(1 << 16, &reading);
    let mut identity = handshake::shake(kind, &mut from, &mut &stream)?;
    reading.set_read_timeout(None)?;
    if identity.is_empty() {
        // identities in the format of libzmq: a peer cannot choose one that begins with a zero
        identity = [&[0][..], &number.to_be_bytes()].concat();
    }
    let peer = Peer::new(identity, stream);
    let writer = peer.clone();
    thread::Builder::new().name("writer".into()).spawn(move || writer.write())?;
    handler.joined(&peer);
    let end = listen(&mut from, kind, &peer, handler);
    peer.close();
    handler.left(&peer);
    end
}

fn listen(from: &mut impl io::Read, kind: Kind, peer: &Arc<Peer>, handler: &dyn Handler) -> io::Result<()> {
    loop {
        match frame::read(from)? {
            // older subscribers use a message
            Incoming::Message(frames) if kind == Kind::Publisher => {
                if let Some((on @ (0 | 1), topic)) = frames.first().and_then(|f| f.split_first()) {
                    handler.subscribed(peer, topic.to_vec(), *on == 1);
                }
            }
            Incoming::Message(frames) => handler.message(peer, frames),
            Incoming::Command(name, data) => match name.as_slice() {
                b"PING" => peer.send(frame::command_bytes("PONG", data.get(2..).unwrap_or(&[])).into()),
                b"SUBSCRIBE" if kind == Kind::Publisher => handler.subscribed(peer, data, true),
                b"CANCEL" if kind == Kind::Publisher => handler.subscribed(peer, data, false),
                b"ERROR" => return Ok(()),
                _ => {}
            },
        }
    }
}

/// Returns messages to their sender: the heartbeat.
pub struct Echo;

impl Handler for Echo {
    fn message(&self, peer: &Arc<Peer>, frames: Frames) {
        peer.send(frame::message(&frames).into());
    }
}
