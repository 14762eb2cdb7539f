//! Every kept jsonnet program with the reference's answer to it: ours is the same, byte for byte, or fails with the same
//! message. And the law of the types: a program that evaluates gets no type error.
//!
//! The collection and its generator are in `tests/oracles/jsonnet/`.

use cfg_tests::binary::root;
use cfg_tests::jsonnet::{Answer, Program, eval, type_error};
use std::fs;
use std::thread;

const STACK: usize = 256 << 20;

fn entries() -> Vec<(Program, Answer)> {
    let path = root().join("tests/oracles/jsonnet/answers.jsonl");
    let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let entry = |line: &str| {
        let line: Vec<serde_json::Value> = serde_json::from_str(line).expect("a line of the collection");
        let text = line[0].as_str().expect("a program").to_string();
        let files = serde_json::from_value(line[1].clone()).expect("files");
        (Program { text, files }, Answer::kept(&line[2], line.get(3).unwrap_or(&serde_json::Value::Null)))
    };
    text.lines().map(entry).collect()
}

/// A program that is not as it should be.
struct Failed {
    text: String,
    accident: bool,
}

/// What is wrong with the entries, each looked at on its own, on two threads.
fn failures(look: impl Fn(&(Program, Answer)) -> Option<String> + Sync) -> Vec<Failed> {
    let entries = entries();
    assert!(entries.len() >= 5000, "{} programs are too few", entries.len());
    let look = &look;
    thread::scope(|scope| {
        let workers: Vec<_> = entries
            .chunks(entries.len().div_ceil(2))
            .map(|half| {
                let look = move |entry: &(Program, Answer)| {
                    look(entry).map(|text| Failed { text, accident: is_accident(&entry.0) })
                };
                let work = move || half.iter().filter_map(look).collect::<Vec<_>>();
                thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work).expect("thread")
            })
            .collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("replay")).collect()
    })
}

fn none(failures: &[Failed]) {
    let (accidents, failures): (Vec<&Failed>, Vec<&Failed>) = failures.iter().partition(|f| f.accident);
    println!("{} by accident", accidents.len());
    assert!(accidents.len() <= FEW, "{} accidents", accidents.len());
    let show = std::env::var("SHOW").ok().and_then(|n| n.parse().ok()).unwrap_or(20);
    let text = failures.iter().take(show).map(|f| f.text.as_str()).collect::<Vec<_>>().join("\n\n");
    assert!(failures.is_empty(), "{} differ\n\n{text}", failures.len());
}

/// What differs by design, or is left (docs/jsonnet.md): wrong arguments that the reference's own source finds wrong in
/// another order or, by accident, right.
fn is_accident(program: &Program) -> bool {
    ACCIDENTS.iter().any(|name| program.text.contains(&format!("std.{name}(")))
}

/// The functions that such arguments are given to.
const ACCIDENTS: [&str; 16] = [
    "slice",
    "setInter",
    "setDiff",
    "setUnion",
    "manifestJsonEx",
    "manifestTomlEx",
    "base64Decode",
    "base64DecodeBytes",
    "stripChars",
    "lstripChars",
    "rstripChars",
    "stringChars",
    "startsWith",
    "endsWith",
    "format",
    "objectHasEx",
];

/// How many of the kept programs may so differ: they are few.
const FEW: usize = 30;

#[test]
fn values_and_messages() {
    none(&failures(|(program, theirs)| {
        let ours = eval(program);
        (!theirs.agrees(&ours)).then(|| format!("{}\n  reference: {theirs:?}\n  ours:      {ours:?}", program.text))
    }));
}

#[test]
fn what_evaluates_has_no_type_error() {
    none(&failures(|(program, theirs)| match theirs {
        Answer::Value(_) => type_error(program).map(|error| format!("{}\n  {error}", program.text)),
        Answer::Failure(..) => None,
    }));
}
