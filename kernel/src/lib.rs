//! The Jupyter kernel: messages over sockets on one side, and a session on its own thread on the other.
//!
//! `zmtp` (bytes) → `wire` (messages) → `request` → `shell` and `control` (answers). Sockets and framing are
//! implemented in `zmtp`; invalid data from outside ends at most the connection that it came from.

mod busy;
mod cell;
#[cfg(feature = "client")]
pub mod client;
mod common;
mod comms;
mod connection;
mod control;
mod display;
mod history;
mod info;
pub mod install;
mod interrupt;
mod parent;
pub mod prompt;
mod queue;
mod request;
mod serve;
mod shell;
mod shells;
pub mod space;
mod wire;
mod zmtp;

pub use common::End;
pub use connection::{Connection, Socket};
pub use serve::Kernel;

/// Reads bytes as those of an unsigned connection, up to the first that are no frames, and returns the number of messages
/// that are valid. For fuzzing.
#[cfg(feature = "client")]
pub fn read_bytes(mut bytes: &[u8]) -> usize {
    let wire = wire::Wire::new(wire::Signer::new(""));
    let mut valid = 0;
    while let Ok(incoming) = zmtp::frame::read(&mut bytes) {
        if let zmtp::frame::Incoming::Message(frames) = incoming
            && let Ok(message) = wire.read(frames)
        {
            valid += usize::from(message.content.is_ok() && message.session().is_some());
        }
    }
    valid
}

/// Writes a message to the log, which is standard error.
fn log(message: &str) {
    use std::io::Write;
    let _ = writeln!(std::io::stderr(), "cfg kernel: {message}");
}
