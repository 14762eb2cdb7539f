//! The program `cfg` with one more language: the tally of the kernel's tests. It shows that a language in the table works in the
//! binary: on the command line, at the prompt and in the kernel.

#[path = "../../../kernel/tests/toy/tally/mod.rs"]
mod tally;

use cfg_core::{Dialect, Languages};
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut all: Vec<Dialect> = Languages::default().all().collect();
    all.push(Dialect(&tally::LANGUAGE));
    match Languages::of(Vec::leak(all)) {
        Some(languages) => cfg_repl::main(languages),
        None => ExitCode::FAILURE,
    }
}
