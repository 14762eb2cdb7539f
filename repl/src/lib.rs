//! The command line and the prompt of `cfg`. Types and values are the core's business; this crate only prints what a
//! session returns.
//!
//! [`main`] is the whole program for a table of languages. The binary `cfg` calls it with the built-in ones.

mod advice;
#[cfg(feature = "attach")]
mod attach;
mod call;
mod candidates;
mod cli;
mod config;
mod edit;
mod engine;
mod fault;
mod foreign_commands;
mod git;
mod history;
mod host;
mod interrupt;
mod kernel;
mod learn;
mod lines;
mod loader;
mod many;
mod pager;
mod paint;
mod palette;
mod progress;
mod repl;
mod root;
mod shell;
mod show;
mod start;
mod stepper;
mod terminal;
mod transcript;
mod watch;
mod whatif;

use cfg_core::Languages;
use cli::{Cli, Command};
use loader::Disk;
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
    let disk = match Disk::of_process(cli.root.as_deref()) {
        Ok(disk) => disk,
        Err(why) => return call::fault(&why).unwrap_or(call::CALL_AT_FAULT),
    };
    match dispatch(languages, disk, cli.command.unwrap_or_else(prompt)) {
        Ok(code) => code,
        // The reader closed the pipe (`| head`).
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => 0,
        Err(error) => {
            let _ = writeln!(io::stderr(), "error: {error}");
            call::CALL_AT_FAULT
        }
    }
}

fn dispatch(languages: Languages, disk: Disk, command: Command) -> io::Result<u8> {
    match command {
        Command::Repl(repl) => start::repl(languages, disk, &repl),
        Command::Learn(options) => learn::run(languages, disk, &options),
        Command::Transcript(transcript) => transcript::run(languages, &disk, &transcript),
        Command::Kernel(kernel) => kernel::run(languages, disk, kernel),
        #[cfg(feature = "attach")]
        Command::Attach(options) => attach::run(languages, &disk, &options),
        Command::Completions(options) => shell::completions(languages, options.shell),
        Command::Candidates(options) => candidates::run(languages, disk, &options),
        Command::Man(cli::Man { dir }) => match (&dir, disk.root()) {
            (Some(dir), Some(root)) if root.resolve(dir).is_err() => call::fault(root.refused().to_string()),
            _ => shell::man(languages, dir.as_deref()),
        },
        Command::Watch(watch) => watch::run(languages, disk, watch),
        asking => call::run(languages, disk, asking),
    }
}
