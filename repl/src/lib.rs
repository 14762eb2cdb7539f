//! The command line and the prompt of `cfg`. Types and values are the core's business; this crate only prints what a
//! session returns.
//!
//! [`main`] is the whole program for a table of languages. The binary `cfg` calls it with the built-in ones.

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

use cfg_core::Languages;
use cli::{Cli, Command};
use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

/// Runs the process with these languages: reads the command line, and returns the exit code.
pub fn main(languages: Languages) -> ExitCode {
    // A panic is a defect in cfg. Its message and backtrace do not help the user.
    if std::env::var_os("CFG_PANIC").is_none() {
        std::panic::set_hook(Box::new(|_| {}));
    }
    let code = catch_unwind(AssertUnwindSafe(|| run(languages))).unwrap_or_else(|_| {
        // A line editor that panicked leaves the terminal in raw mode.
        let _ = crossterm::terminal::disable_raw_mode();
        let _ = writeln!(io::stderr(), "error: cfg failed with an internal error; this is a bug in cfg");
        call::DEFECT
    });
    ExitCode::from(code)
}

fn run(languages: Languages) -> u8 {
    let cli = Cli::from_command_line(languages, std::env::args_os().collect());
    let prompt = || Command::Repl(cli::Repl { start: cli.start.clone(), ..cli::Repl::default() });
    match dispatch(languages, cli.command.unwrap_or_else(prompt)) {
        Ok(code) => code,
        // The reader closed the pipe (`| head`).
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => 0,
        Err(error) => {
            let _ = writeln!(io::stderr(), "error: {error}");
            call::CALL_AT_FAULT
        }
    }
}

fn dispatch(languages: Languages, command: Command) -> io::Result<u8> {
    match command {
        Command::Repl(repl) => start::repl(languages, &repl),
        Command::Transcript(transcript) => transcript::run(languages, &transcript),
        Command::Kernel(kernel) => kernel::run(languages, kernel),
        Command::Completions { shell } => shell::completions(languages, shell),
        Command::Man { dir } => shell::man(languages, dir.as_deref()),
        Command::Watch(watch) => watch::run(languages, watch),
        asking => call::run(languages, asking),
    }
}
