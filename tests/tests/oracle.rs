//! All stored programs with Nickel's answers. The answer of cfg must be the same, or differ as `docs/nickel.md` allows.
//!
//! The binary `oracle` writes the collections in `tests/oracles/nickel/`, and also compares new programs.

use cfg_core::{Action, Format};
use cfg_tests::differences::{self, Difference};
use cfg_tests::generate::Topic;
use cfg_tests::kept;
use cfg_tests::nickel::{Answer, Entry};
use cfg_tests::ours::{Ours, Verdict, class, eval, first_report, run, type_error, verdict};
use std::collections::BTreeMap;
use std::thread;

const STACK: usize = 256 << 20;

fn entries(topic: Topic) -> Vec<Entry> {
    let (text, count) = kept::answers("nickel", &format!("{}.jsonl", topic.name()));
    let entries: Vec<_> = text.lines().map(|line| Entry::of_line(line).expect("a line of a collection")).collect();
    assert_eq!(entries.len(), count, "programs");
    entries
}

fn theirs(answer: &Answer) -> String {
    match answer {
        Answer::Value(value) => value.to_string(),
        Answer::Failure(class) => format!("fails: {class}"),
    }
}

fn shown(ours: &Ours) -> String {
    match ours {
        Ours::Value(value) => value.to_string(),
        Ours::Failure(report) => format!("fails: {}", class(report)),
        Ours::Broken(what) => format!("broken: {what}"),
    }
}

/// Returns the difference between the two answers to an entry. A type error in a program that evaluates is a difference
/// too.
fn replay(entry: &Entry) -> Option<Difference> {
    let ours = eval(&entry.program);
    let ours = match verdict(&entry.answer, &ours) {
        Verdict::Agree if matches!(entry.answer, Answer::Value(_)) => {
            format!("evaluates, and has a type error: {}", type_error(&entry.program)?)
        }
        Verdict::Agree => return None,
        Verdict::ByDesign(_) | Verdict::Differ => shown(&ours),
    };
    Some(Difference { question: entry.program.clone(), theirs: theirs(&entry.answer), ours })
}

/// Returns `true` if a rule of `docs/nickel.md` allows a difference.
fn allows(rule: &str, Difference { theirs, ours, .. }: &Difference) -> bool {
    let evaluates = !ours.starts_with("fails: ") && !ours.starts_with("broken: ");
    match rule {
        "typed-more" => theirs == "fails: static type" && evaluates,
        "lazy-import" => theirs == "fails: import" && evaluates,
        // All collections except `mixed` were made when both were one class.
        "type-classes" => theirs == "fails: static type" && ours == "fails: dynamic type",
        // Nickel's library checks its arguments by contracts.
        "library-contracts" => {
            theirs == "fails: contract" && ["fails: value/undefined", "fails: dynamic type"].contains(&ours.as_str())
        }
        // When Nickel merges arrays, it compares their elements by contracts.
        "array-merges" => theirs == "fails: contract" && ours == "fails: merge",
        // The answers were stored by a reader of JSON that could be one unit in the last place off.
        "last-digit" => theirs.len() == ours.len() && theirs[..theirs.len() - 3] == ours[..ours.len() - 3],
        "first-failure" => theirs.starts_with("fails: ") && ours.starts_with("fails: "),
        _ => false,
    }
}

/// Checks a collection of `count` programs. `rules` has the expected number of differences for each rule.
fn agree(topic: Topic, count: usize, rules: &[(&str, usize)]) {
    let entries = entries(topic);
    assert_eq!(entries.len(), count, "programs of {}", topic.name());
    let mut found = Vec::new();
    thread::scope(|scope| {
        let workers: Vec<_> = entries
            .chunks(entries.len().div_ceil(2))
            .map(|half| {
                let work = move || half.iter().filter_map(replay).collect::<Vec<_>>();
                thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work).expect("thread")
            })
            .collect();
        found.extend(workers.into_iter().flat_map(|worker| worker.join().expect("replay")));
    });
    differences::compare(&format!("nickel-{}", topic.name()), rules, allows, found).unwrap_or_else(|e| panic!("{e}"));
}

#[test]
fn expressions() {
    agree(
        Topic::Expressions,
        2057,
        &[("first-failure", 1), ("lazy-import", 3), ("library-contracts", 7), ("type-classes", 18), ("typed-more", 4)],
    );
}

#[test]
fn merges() {
    agree(
        Topic::Merges,
        2100,
        &[
            ("array-merges", 5),
            ("first-failure", 1),
            ("last-digit", 1),
            ("lazy-import", 3),
            ("library-contracts", 4),
            ("type-classes", 22),
        ],
    );
}

#[test]
fn contracts() {
    agree(
        Topic::Contracts,
        2087,
        &[("first-failure", 2), ("library-contracts", 1), ("type-classes", 5), ("typed-more", 13)],
    );
}

#[test]
fn patterns() {
    agree(
        Topic::Patterns,
        2088,
        &[("first-failure", 1), ("lazy-import", 3), ("library-contracts", 5), ("type-classes", 18)],
    );
}

#[test]
fn library() {
    agree(
        Topic::Library,
        2046,
        &[("first-failure", 1), ("lazy-import", 2), ("library-contracts", 30), ("type-classes", 14), ("typed-more", 1)],
    );
}

#[test]
fn mixed() {
    agree(
        Topic::Mixed,
        2053,
        &[("first-failure", 2), ("lazy-import", 1), ("library-contracts", 8), ("type-classes", 1), ("typed-more", 2)],
    );
}

/// The classes of cfg's failures where Nickel fails too, each with its number of programs.
const WIDE_FAILURES: &[(&str, usize)] = &[
    ("contract", 124),
    ("cycle", 9),
    ("dynamic type", 127),
    ("export/number", 1),
    ("merge", 22),
    ("missing definition", 23),
    ("missing field", 50),
    ("not data", 101),
    ("scope/duplicate", 2),
    ("scope/or-pattern", 11),
    ("syntax", 196),
    ("unbound", 149),
    ("unmatched", 40),
    ("value/failed", 6),
    ("value/undefined", 40),
];

/// Returns the YAML that the library writes for a program.
fn library_yaml(program: &str) -> String {
    let program = format!("std.serialize 'Yaml (\n{program}\n)");
    run(&program, Action::Eval { at: None, format: Format::Text }).output.text()
}

/// Compares the output of `nickel export` for a wider range of programs, byte for byte, in every format
/// (`tests/oracles/wide/`).
#[test]
fn wide() {
    let (text, _) = kept::answers("wide", "answers.jsonl");
    let lines: Vec<(String, String, Option<String>)> =
        text.lines().map(|line| serde_json::from_str(line).expect("a line of the collection")).collect();
    assert_eq!(lines.len(), 2250, "programs");
    let differ = |(program, format, theirs): &(String, String, Option<String>)| {
        let format = match format.as_str() {
            "yaml" => Format::Yaml,
            "toml" => Format::Toml,
            "text" => Format::Text,
            "json" => Format::Json,
            other => panic!("no format: {other}"),
        };
        let outcome = run(program, Action::Eval { at: None, format });
        let ours = match outcome.exit {
            0 => Ok(outcome.output.text()),
            _ => Err(class(&first_report(&outcome)).to_string()),
        };
        match (theirs, ours) {
            (Some(theirs), Ok(ours)) if *theirs == ours => None,
            // the command line quotes what some readers take for something else; the library writes as Nickel does
            (Some(theirs), Ok(_)) if format == Format::Yaml && *theirs == library_yaml(program) => None,
            (None, Err(class)) => Some(Err(class)),
            (theirs, ours) => Some(Ok(format!("{program}\n  nickel: {theirs:?}\n  ours:   {ours:?}"))),
        }
    };
    let work = move || lines.iter().filter_map(differ).collect::<Vec<_>>();
    let found = thread::Builder::new().stack_size(STACK).spawn(work).expect("thread").join().expect("replay");
    let (mut failures, mut classes) = (Vec::new(), BTreeMap::<String, usize>::new());
    for one in found {
        match one {
            Ok(difference) => failures.push(difference),
            Err(class) => *classes.entry(class).or_default() += 1,
        }
    }
    assert!(failures.is_empty(), "{} differ\n\n{}", failures.len(), failures.join("\n\n"));
    // The collection does not record why Nickel fails; these are the reasons of cfg.
    assert_eq!(classes, WIDE_FAILURES.iter().map(|(class, count)| (class.to_string(), *count)).collect());
}
