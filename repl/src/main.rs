//! The binary `cfg`.

use cfg_core::Languages;
use std::process::ExitCode;

/// A session makes millions of small allocations on its own thread; the system's allocator handles that slowly because
/// it grows its heap in small steps.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    cfg_repl::main(Languages::default())
}
