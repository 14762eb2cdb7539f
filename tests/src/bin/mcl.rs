//! Runs mcl programs, one per line: `[program, {file: text}]`; writes `[stage, rest]` for each.
//!
//! `tests/oracles/mcl/ask.py compare` sends it generated programs.

use cfg_tests::mcl::{Answer, Program, run};
use std::io::{self, BufRead, Write};
use std::thread;

fn answers() -> io::Result<()> {
    for line in io::stdin().lock().lines() {
        let answer = match serde_json::from_str(&line?) {
            Ok((text, files)) => run(&Program { text, files }),
            Err(error) => Answer::Broken(format!("not a program: {error}")),
        };
        let mut out = io::stdout().lock();
        writeln!(out, "{}", answer.to_json())?;
        out.flush()?;
    }
    Ok(())
}

fn main() -> io::Result<()> {
    let worker = thread::Builder::new().stack_size(256 << 20).spawn(answers)?;
    worker.join().unwrap_or(Ok(()))
}
