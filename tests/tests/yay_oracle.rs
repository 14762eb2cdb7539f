//! Checks what the stored answers of the released Yay cover.
//!
//! The collection and its generator are in `tests/oracles/yay/`.

use cfg_tests::kept;
use cfg_tests::yay::{Answer, Class, Document};
use std::collections::BTreeMap;

/// The number of documents.
const DOCUMENTS: usize = 11731;

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
        (None, 10151),
        (Some(Class::Syntax), 202),
        (Some(Class::Type), 333),
        (Some(Class::Missing), 454),
        (Some(Class::File), 110),
        (Some(Class::Zero), 106),
        (Some(Class::Cycle), 252),
        (Some(Class::Paradox), 123),
    ];
    assert_eq!(classes, expected.into_iter().collect());
}

/// What shows that a document uses a construct. A `^` is the beginning of a line without its indentation, a `$` its end.
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
