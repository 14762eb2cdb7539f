//! Runs mcl programs, one per line: `[program, {file: text}, stage, rest]`, with mgmt's answer; writes `[rule, stage, rest]` for each. `rule` is
//! `null` if the answers agree, the name of the rule that allows the difference, or empty.
//!
//! `tests/oracles/mcl/ask.py compare` sends it generated programs.

use cfg_tests::mcl::{Answer, Program, rule, run};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{self, BufRead, Write};
use std::thread;

fn answers() -> io::Result<()> {
    for line in io::stdin().lock().lines() {
        let (program, stage, rest) =
            match serde_json::from_str::<(String, BTreeMap<String, String>, String, Value)>(&line?) {
                Ok((text, files, stage, rest)) => (Program { text, files }, stage, rest),
                Err(error) => return Err(io::Error::other(format!("not a program: {error}"))),
            };
        let ours = run(&program);
        let theirs = Answer::kept(&stage, &rest).ok_or_else(|| io::Error::other(format!("no answer: {stage}")))?;
        let shown = ours.to_json();
        let mut out = io::stdout().lock();
        writeln!(out, "{}", json!([rule(&program, &theirs, &ours), shown[0], shown[1]]))?;
        out.flush()?;
    }
    Ok(())
}

fn main() -> io::Result<()> {
    let worker = thread::Builder::new().stack_size(256 << 20).spawn(answers)?;
    worker.join().unwrap_or(Ok(()))
}
