//! Evaluates Jsonnet programs, one per line: `[program, {file: text}]`; writes `[value]` or `[null, message]` for
//! each. With the argument `check`, writes `[null, report]` for a type error and `[""]` for none.
//!
//! `tests/oracles/jsonnet/ask.py compare` sends it generated programs.

use cfg_tests::jsonnet::{Answer, Program, eval, type_error};
use std::io::{self, BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::{env, thread};

fn answer(line: &str, check: bool) -> serde_json::Value {
    let Ok((text, files)) = serde_json::from_str(line) else { return serde_json::json!([null, "not a program"]) };
    let program = Program { text, files };
    if check {
        return match type_error(&program) {
            Some(report) => serde_json::json!([null, report]),
            None => serde_json::json!([""]),
        };
    }
    match eval(&program) {
        Answer::Value(value) => serde_json::json!([value]),
        Answer::Failure(message, _) => serde_json::json!([null, message]),
    }
}

fn answers() -> io::Result<()> {
    let check = env::args().nth(1).is_some_and(|word| word == "check");
    for line in io::stdin().lock().lines() {
        let line = line?;
        let answer = catch_unwind(AssertUnwindSafe(|| answer(&line, check)))
            .unwrap_or_else(|_| serde_json::json!([null, "PANIC"]));
        let mut out = io::stdout().lock();
        writeln!(out, "{answer}")?;
        out.flush()?;
    }
    Ok(())
}

fn main() -> io::Result<()> {
    let worker = thread::Builder::new().stack_size(256 << 20).spawn(answers)?;
    worker.join().unwrap_or(Ok(()))
}
