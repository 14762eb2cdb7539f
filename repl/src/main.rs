//! The binary `cfg`: the command line and the prompt. Types and values are the core's business; this crate only prints
//! what a session returns.

mod call;
mod cli;
mod config;
mod engine;
mod habits;
mod history;
mod host;
mod interrupt;
mod kernel;
mod lines;
mod loader;
mod pager;
mod paint;
mod palette;
mod progress;
mod repl;
mod shell;
mod show;
mod start;
mod stepper;
mod terminal;
mod transcript;
mod watch;

use clap::Parser;
use cli::{Cli, Command};
use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

/// A session makes millions of small allocations on its own thread; the system's allocator handles that slowly because
/// it grows its heap in small steps.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    // A panic is a defect in cfg. Its message and backtrace do not help the user.
    if std::env::var_os("CFG_PANIC").is_none() {
        std::panic::set_hook(Box::new(|_| {}));
    }
    let code = catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|_| {
        // A line editor that panicked leaves the terminal in raw mode.
        let _ = crossterm::terminal::disable_raw_mode();
        let _ = writeln!(io::stderr(), "error: cfg failed with an internal error; this is a bug in cfg");
        call::DEFECT
    });
    ExitCode::from(code)
}

fn run() -> u8 {
    let cli = Cli::parse();
    let prompt = || Command::Repl(cli::Repl { start: cli.start.clone(), ..cli::Repl::default() });
    match dispatch(cli.command.unwrap_or_else(prompt)) {
        Ok(code) => code,
        // The reader closed the pipe (`| head`).
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => 0,
        Err(error) => {
            let _ = writeln!(io::stderr(), "error: {error}");
            call::CALL_AT_FAULT
        }
    }
}

fn dispatch(command: Command) -> io::Result<u8> {
    match command {
        Command::Repl(repl) => start::repl(&repl),
        Command::Transcript(transcript) => transcript::run(&transcript),
        Command::Kernel(kernel) => kernel::run(kernel),
        Command::Completions { shell } => shell::completions(shell),
        Command::Man { dir } => shell::man(dir.as_deref()),
        Command::Watch(watch) => watch::run(watch),
        asking => call::run(asking),
    }
}
