//! Compares answers of the released Yay with ours. Reads lines `[document, {file: text}, value]` or
//! `[document, {file: text}, null, class]`. Writes for each a line `[kind, ours]`, where `kind` is `null` if both agree.
//!
//! `tests/oracles/yay/ask.py compare` sends it generated documents.

use cfg_tests::yay::{Answer, Document, resolve};
use serde_json::{Value, json};
use std::io::{self, BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;

fn compare(line: &str) -> Option<Value> {
    let line: Vec<Value> = serde_json::from_str(line).ok()?;
    let document = Document {
        text: line.first()?.as_str()?.to_string(),
        files: serde_json::from_value(line.get(1)?.clone()).ok()?,
    };
    let theirs = Answer::kept(line.get(2)?, line.get(3)).ok()?;
    let Ok((ours, report)) = catch_unwind(AssertUnwindSafe(|| resolve(&document))) else {
        return Some(json!(["panic", ""]));
    };
    let kind = match (&theirs, &ours) {
        _ if theirs.agrees(&ours) => Value::Null,
        (Answer::Value(_), Answer::Value(_)) => json!("value"),
        (Answer::Value(_), Answer::Failure(class)) => json!(format!("value, {class:?} here")),
        (Answer::Failure(class), Answer::Value(_)) => json!(format!("{class:?}, a value here")),
        (Answer::Failure(theirs), Answer::Failure(ours)) => json!(format!("{theirs:?}, {ours:?} here")),
    };
    let text = match ours {
        Answer::Value(value) => value,
        Answer::Failure(_) => report.unwrap_or_default(),
    };
    Some(json!([kind, text]))
}

fn answers() -> io::Result<()> {
    for line in io::stdin().lock().lines() {
        let answer = compare(&line?).unwrap_or_else(|| json!(["no entry", ""]));
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
