//! Resolves every stored Yay document: our value must be the released program's, or fail for the same reason.
//!
//! The collection and its generator are in `tests/oracles/yay/`.

use cfg_tests::differences::{self, Difference};
use cfg_tests::kept;
use cfg_tests::yay::{Answer, Class, Document, resolve};
use std::collections::BTreeMap;
use std::thread;

const STACK: usize = 256 << 20;

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
    let expected = [(None, 10151)];
    assert_eq!(classes, expected.into_iter().collect());
}

#[test]
fn values_and_failures() {
    differences::compare("yay", &[], |_, _| false, found()).unwrap_or_else(|e| panic!("{e}"));
}
