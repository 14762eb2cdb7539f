//! Every stored program with Nickel's answer: ours must be the same, or differ as `docs/nickel.md` says.
//!
//! The binary `oracle` writes the collections in `tests/oracles/nickel/`, and also compares new programs.

use cfg_core::session::{Action, Format};
use cfg_tests::binary::root;
use cfg_tests::generate::Topic;
use cfg_tests::nickel::{Answer, Entry};
use cfg_tests::ours::{Ours, Verdict, eval, run, type_error, verdict};
use std::collections::BTreeMap;
use std::fs;
use std::thread;

const STACK: usize = 256 << 20;

fn entries(topic: Topic) -> Vec<Entry> {
    let path = root().join(format!("tests/oracles/nickel/{}.jsonl", topic.name()));
    let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    text.lines().map(|line| Entry::of_line(line).expect("a line of a collection")).collect()
}

fn shown(ours: &Ours) -> String {
    match ours {
        Ours::Value(value) => value.to_string(),
        Ours::Failure(report) | Ours::Broken(report) => report.lines().take(4).collect::<Vec<_>>().join(" ⏎ "),
    }
}

/// Returns the problem with an entry, if any, and the rule by which it differs by design.
fn replay(entry: &Entry) -> (Option<String>, Option<&'static str>) {
    let ours = eval(&entry.program);
    match verdict(&entry.answer, &ours) {
        Verdict::Differ => {
            let theirs = match &entry.answer {
                Answer::Value(value) => value.to_string(),
                Answer::Failure(class) => format!("fails: {class}"),
            };
            (Some(format!("{}\n  nickel: {theirs}\n  ours:   {}", entry.program, shown(&ours))), None)
        }
        Verdict::ByDesign(rule) => (None, Some(rule)),
        // a program whose value evaluates must have no type error
        Verdict::Agree if matches!(entry.answer, Answer::Value(_)) => {
            let error = type_error(&entry.program);
            (error.map(|e| format!("{}\n  evaluates, and has a type error: {e}", entry.program)), None)
        }
        Verdict::Agree => (None, None),
    }
}

fn agree(topic: Topic) {
    let entries = entries(topic);
    assert!(entries.len() >= 1700, "{} programs are too few", entries.len());
    let halves = entries.chunks(entries.len().div_ceil(2));
    let mut failures = Vec::new();
    let mut rules: BTreeMap<&str, usize> = BTreeMap::new();
    thread::scope(|scope| {
        let workers: Vec<_> = halves
            .map(|half| {
                let work = move || half.iter().map(replay).collect::<Vec<_>>();
                thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work).expect("thread")
            })
            .collect();
        for (failure, rule) in workers.into_iter().flat_map(|worker| worker.join().expect("replay")) {
            failures.extend(failure);
            if let Some(rule) = rule {
                *rules.entry(rule).or_default() += 1;
            }
        }
    });
    println!("{}: {} programs, by design {rules:?}", topic.name(), entries.len());
    let show = std::env::var("SHOW").ok().and_then(|n| n.parse().ok()).unwrap_or(20);
    let text = failures.iter().take(show).cloned().collect::<Vec<_>>().join("\n\n");
    assert!(failures.is_empty(), "{}: {} of {} differ\n\n{text}", topic.name(), failures.len(), entries.len());
}

#[test]
fn expressions() {
    agree(Topic::Expressions);
}

#[test]
fn merges() {
    agree(Topic::Merges);
}

#[test]
fn contracts() {
    agree(Topic::Contracts);
}

#[test]
fn patterns() {
    agree(Topic::Patterns);
}

#[test]
fn library() {
    agree(Topic::Library);
}

#[test]
fn mixed() {
    agree(Topic::Mixed);
}

/// Compares with the output of `nickel export` for a wider range of programs, byte for byte, in every format
/// (`tests/oracles/wide/`).
#[test]
fn wide() {
    let path = root().join("tests/oracles/wide/answers.jsonl");
    let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let lines: Vec<(String, String, Option<String>)> =
        text.lines().map(|line| serde_json::from_str(line).expect("a line of the collection")).collect();
    assert!(lines.len() >= 1500, "{} programs are too few", lines.len());
    let differ = |(program, format, theirs): &(String, String, Option<String>)| {
        let format = match format.as_str() {
            "yaml" => Format::Yaml,
            "toml" => Format::Toml,
            "text" => Format::Text,
            _ => Format::Json,
        };
        let outcome = run(program, Action::Eval { at: None, format });
        let ours = (outcome.exit == 0).then(|| outcome.output.text());
        (ours != *theirs).then(|| format!("{program}\n  nickel: {theirs:?}\n  ours:   {ours:?}"))
    };
    let work = move || lines.iter().filter_map(differ).collect::<Vec<_>>();
    let failures = thread::Builder::new().stack_size(STACK).spawn(work).expect("thread").join().expect("replay");
    assert!(failures.is_empty(), "{} differ\n\n{}", failures.len(), failures.join("\n\n"));
}
