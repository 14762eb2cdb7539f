//! The Jupyter kernel: messages over sockets on one side, a session on a thread of its own on the other.
//!
//! `zmtp` (bytes) → `wire` (messages) → `request` → `shell` and `control` (answers). Sockets and framing are our own, see
//! `zmtp`; nothing that comes from outside ends more than the connection it came by.

mod busy;
mod cell;
mod common;
mod connection;
mod control;
mod display;
mod history;
mod info;
pub mod install;
mod interrupt;
mod parent;
mod queue;
mod request;
mod serve;
mod shell;
mod shells;
mod wire;
mod zmtp;

pub use common::End;
pub use connection::{Connection, Socket};
pub use serve::Kernel;

/// Says something to whoever started the kernel.
fn log(message: &str) {
    use std::io::Write;
    let _ = writeln!(std::io::stderr(), "cfg kernel: {message}");
}
