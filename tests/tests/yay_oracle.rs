//! Resolves every stored Yay document: our value must be the released program's, or fail for the same reason.
//!
//! The collection and its generator are in `tests/oracles/yay/`.

use cfg_tests::differences::{self, Difference};
use cfg_tests::kept;
use cfg_tests::yay::{Answer, Class, Document, resolve, type_error};
use std::collections::BTreeMap;
use std::thread;

const STACK: usize = 256 << 20;

/// The number of documents.
const DOCUMENTS: usize = 11641;

type Entry = (Document, Answer);

fn entries() -> Vec<Entry> {
    let (text, count) = kept::answers("yay", "answers.jsonl.gz");
    let entry = |line: &str| {
        let line: Vec<serde_json::Value> = serde_json::from_str(line).expect("a line of the collection");
        let text = line[0].as_str().expect("a document").to_string();
        let files = serde_json::from_value(line[1].clone()).expect("files");
        (Document { text, files }, Answer::kept(&line[2], line.get(3)).expect("an answer"))
    };
    let entries: Vec<_> = text.lines().map(entry).collect();
    assert_eq!((entries.len(), count), (DOCUMENTS, DOCUMENTS), "documents");
    entries
}

/// Returns the documents that resolve differently here. On two threads.
fn found() -> Vec<Difference> {
    let entries = entries();
    let look = |(document, theirs): &Entry| {
        let (ours, report) = resolve(document);
        let first = |report: String| report.lines().next().unwrap_or_default().to_string();
        (!theirs.agrees(&ours)).then(|| Difference {
            question: serde_json::json!([document.text, document.files]).to_string(),
            theirs: format!("{theirs:?}"),
            ours: report.map_or_else(|| format!("{ours:?}"), first),
        })
    };
    thread::scope(|scope| {
        let workers: Vec<_> = entries
            .chunks(entries.len().div_ceil(2))
            .map(|half| {
                let work = move || half.iter().filter_map(look).collect::<Vec<_>>();
                thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work).expect("thread")
            })
            .collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("replay")).collect()
    })
}

/// The collection has documents of every class, and most have a value.
#[test]
fn every_class_is_asked() {
    let mut classes: BTreeMap<Option<Class>, usize> = BTreeMap::new();
    for (_, answer) in entries() {
        let class = match answer {
            Answer::Value(_) => None,
            Answer::Failure(class) => Some(class),
        };
        *classes.entry(class).or_default() += 1;
    }
    let expected = [
        (None, 10164),
        (Some(Class::Syntax), 188),
        (Some(Class::Type), 325),
        (Some(Class::Missing), 408),
        (Some(Class::File), 109),
        (Some(Class::Zero), 109),
        (Some(Class::Cycle), 212),
        (Some(Class::Paradox), 126),
    ];
    assert_eq!(classes, expected.into_iter().collect());
}

/// Patterns that show which constructs a document uses. A `^` is the beginning of a line without its indentation, a `$` its end.
const CONSTRUCTS: [&str; 63] = [
    // stanzas and directives
    "^extend ",
    "^if ",
    "^elif ",
    "^else:$",
    "^for ",
    "^set ",
    "^select ",
    "^include ",
    "^search ",
    "^macro ",
    "^call ",
    "^prototype ",
    "^new P",
    " as ",
    "self.",
    "here.",
    "^# ",
    "^- ",
    "\\$",
    // scalars
    ": {}$",
    ": []$",
    ": \"",
    "x{{",
    ": |$",
    ": |-$",
    ": |+$",
    ": >$",
    ": 007$",
    ": 13.10$",
    ": -3$",
    ": true$",
    "://",
    ": 1E3$",
    "\"12\"",
    // expressions
    " + ",
    " - ",
    " * ",
    " / ",
    " // ",
    " % ",
    " ** ",
    " << ",
    " >> ",
    " & ",
    " | ",
    " ^ ",
    "{{ ~",
    "{{ -",
    " and ",
    " or ",
    "not (",
    " not in ",
    " == ",
    " != ",
    " <= ",
    " >= ",
    " else ",
    "range(",
    "replace(",
    "sub(",
    " for e in ",
    "[0:2]",
    ".nothing",
];

#[test]
fn every_construct_has_values() {
    let mut counts = BTreeMap::from(CONSTRUCTS.map(|construct| (construct, 0)));
    for (document, _) in entries().iter().filter(|(_, answer)| matches!(answer, Answer::Value(_))) {
        let lines = || [&document.text].into_iter().chain(document.files.values()).flat_map(|text| text.lines());
        for (construct, count) in &mut counts {
            let uses = |line: &str| match (construct.strip_prefix('^'), construct.strip_suffix('$')) {
                (Some(_), Some(_)) => line.trim() == construct.trim_matches(['^', '$']),
                (Some(start), None) => line.trim_start().starts_with(start),
                (None, Some(end)) => line.ends_with(end),
                (None, None) => line.contains(*construct),
            };
            *count += usize::from(lines().any(uses));
        }
    }
    counts.retain(|_, count| *count < 15);
    assert!(counts.is_empty(), "rare: {counts:?}");
}

/// The rules of `docs/yay.md` that excuse a difference, with the number of documents.
const RULES: [(&str, usize); 17] = [
    ("check of a guard", 93),
    ("elements", 15),
    ("elif", 8),
    ("empty block", 3),
    ("extend above a guard", 9),
    ("filtered comprehension", 12),
    ("guard of a replaced layer", 1),
    ("here and self", 18),
    ("hidden definitions", 19),
    ("in", 17),
    ("include in a mapping", 20),
    ("list of one element", 37),
    ("numerals of Python", 31),
    ("prototype wins", 7),
    ("several faults", 6),
    ("silent failure", 1),
    ("two colons", 16),
];

/// Returns `true` if a rule allows a difference.
fn allows(rule: &str, difference: &Difference) -> bool {
    let Difference { question, theirs, ours } = difference;
    let has = |texts: &[&str]| texts.iter().any(|text| question.contains(text));
    let value_here = ours.starts_with("Value(");
    let values = theirs.starts_with("Value(") && value_here;
    match rule {
        "check of a guard" => theirs == "Failure(Cycle)" && value_here,
        "guard of a replaced layer" => theirs == "Failure(Paradox)" && value_here,
        "hidden definitions" => theirs == "Failure(Missing)" && value_here,
        "elements" => theirs == "Failure(Type)" && value_here && has(&["[0]", "[1]", "extend "]),
        "in" => theirs == "Failure(Syntax)" && has(&["2 in range(3)"]),
        "two colons" => theirs == "Failure(Syntax)" && value_here && has(&[": a: b"]),
        "empty block" => theirs == "Failure(Syntax)" && value_here && has(&[": |", ": >"]),
        "several faults" => theirs.starts_with("Failure(") && !value_here,
        "include in a mapping" => theirs.starts_with("Value(") && has(&["include 'map", r#"include \"map"#]),
        "silent failure" => theirs.starts_with("Value(") && ours.contains("[value/missing-field]"),
        "numerals of Python" => has(&["1_000", "１２", "1e400", "nan", "inf", "-Infinity"]),
        "list of one element" => values && has(&["[5]", "['x']"]),
        "filtered comprehension" => values && has(&["if e > 2]"]),
        "elif" => values && has(&["elif "]),
        "here and self" => values && has(&["here.", "self."]),
        "prototype wins" => values && has(&["new P"]),
        "extend above a guard" => values && has(&["extend xs"]),
        _ => false,
    }
}

#[test]
fn values_and_failures() {
    differences::compare("yay", &RULES, allows, found()).unwrap_or_else(|e| panic!("{e}"));
}

/// Documents that resolve pass `cfg check` without an error.
#[test]
fn documents_with_a_value_have_no_type_error() {
    let entries = entries();
    let documents: Vec<&Document> =
        entries.iter().filter(|(_, answer)| matches!(answer, Answer::Value(_))).map(|(document, _)| document).collect();
    let look = |document: &&Document| {
        let (Answer::Value(_), _) = resolve(document) else { return None };
        type_error(document).map(|report| format!("{}\n{:?}\n{report}", document.text, document.files))
    };
    let errors: Vec<String> = thread::scope(|scope| {
        let workers: Vec<_> = documents
            .chunks(documents.len().div_ceil(2))
            .map(|half| {
                let work = move || half.iter().filter_map(look).collect::<Vec<_>>();
                thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work).expect("thread")
            })
            .collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("check")).collect()
    });
    assert!(errors.is_empty(), "{} documents have errors:\n{}", errors.len(), errors.join("\n---\n"));
}
