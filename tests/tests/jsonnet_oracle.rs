//! Runs every stored Jsonnet program: our answer must be the reference's, byte for byte, or fail with the same
//! message. Also checks a law of types: a program that evaluates has no type error.
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

/// Returns the lines of the collection that fail, each with the reason. Uses two threads.
fn failures(look: impl Fn(&(Program, Answer)) -> Option<String> + Sync) -> Vec<(usize, String)> {
    let entries: Vec<(usize, (Program, Answer))> = entries().into_iter().enumerate().collect();
    assert!(entries.len() >= 5000, "{} programs are too few", entries.len());
    let look = &look;
    thread::scope(|scope| {
        let workers: Vec<_> = entries
            .chunks(entries.len().div_ceil(2))
            .map(|half| {
                let look = move |(at, entry): &(usize, (Program, Answer))| look(entry).map(|text| (at + 1, text));
                let work = move || half.iter().filter_map(look).collect::<Vec<_>>();
                thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work).expect("thread")
            })
            .collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("replay")).collect()
    })
}

/// Checks that exactly the known lines fail. A new one is a defect, and a fixed one must be removed from the list.
fn only(known: &[usize], failures: &[(usize, String)]) {
    let lines: Vec<usize> = failures.iter().map(|(line, _)| *line).collect();
    let news: Vec<&str> = failures.iter().filter(|(line, _)| !known.contains(line)).map(|(_, t)| t.as_str()).collect();
    assert_eq!(lines, known, "lines of the collection; new ones:\n\n{}", news.join("\n\n"));
}

/// Known differences (`docs/jsonnet.md`).
const OTHER_WORDS: [usize; 0] = [];

#[test]
fn values_and_messages() {
    let failures = failures(|(program, theirs)| {
        let ours = eval(program);
        (!theirs.agrees(&ours)).then(|| format!("{}\n  reference: {theirs:?}\n  ours:      {ours:?}", program.text))
    });
    only(&OTHER_WORDS, &failures);
}

#[test]
fn what_evaluates_has_no_type_error() {
    let failures = failures(|(program, theirs)| match theirs {
        Answer::Value(_) => type_error(program).map(|error| format!("{}\n  {error}", program.text)),
        Answer::Failure(..) => None,
    });
    only(&[], &failures);
}
