//! `cfg transcript`: the `repl` blocks of Markdown files, run and compared.

use crate::call;
use crate::cli::Transcript;
use std::io;

/// Runs the command and gives the exit code.
pub fn run(_transcript: &Transcript) -> io::Result<u8> {
    call::fault("`cfg transcript` is not built yet")
}
