//! Runs every stored mcl program. mgmt and cfg must accept the same programs, refuse the others in the same stage, and
//! make the same resource graphs with the same printed values.
//!
//! The collection and its generator are in `tests/oracles/mcl/`.

use cfg_tests::differences::{self, Difference};
use cfg_tests::kept;
use cfg_tests::mcl::{Answer, Program, allows, run};
use std::collections::BTreeMap;
use std::thread;

const STACK: usize = 256 << 20;

/// The number of programs of `generate.py`.
const PROGRAMS: usize = 5591;
/// The number of programs of `constructs.py`.
const CONSTRUCTS: usize = 500;

/// The number of programs of `fields.py`.
const FIELDS: usize = 464;

type Entry = (Program, Answer);

/// Returns the programs of both generators.
fn entries() -> Vec<Entry> {
    let mut all = read("answers.jsonl", PROGRAMS);
    all.extend(read("constructs.jsonl", CONSTRUCTS));
    all
}

fn read(file: &str, expected: usize) -> Vec<Entry> {
    let (text, count) = kept::answers("mcl", file);
    let entry = |line: &str| {
        let line: Vec<serde_json::Value> = serde_json::from_str(line).expect("a line of the collection");
        let text = line[0].as_str().expect("a program").to_string();
        let files = serde_json::from_value(line[1].clone()).expect("files");
        let stage = line[2].as_str().expect("a stage");
        (Program { text, files }, Answer::kept(stage, &line[3]).unwrap_or_else(|| panic!("no answer: {}", line[3])))
    };
    let entries: Vec<_> = text.lines().map(entry).collect();
    assert_eq!((entries.len(), count), (expected, expected), "programs");
    entries
}

/// Returns the name of the result of a program.
fn class(answer: &Answer) -> String {
    match answer {
        Answer::Refused(stage) => format!("{stage:?}").to_lowercase(),
        Answer::Fails => "run".into(),
        Answer::Accepted => "accepted".into(),
        Answer::Graph(_) => "graph".into(),
        Answer::Broken(_) => "broken".into(),
    }
}

/// The rules of the known differences, with the number of programs. `docs/mcl.md` documents them.
const RULES: [(&str, usize); 13] = [
    // A string ends at its quote, also after an escaped backslash.
    ("string end", 119),
    // The container decides the type of a lookup, where mgmt finds it ambiguous.
    ("lookup", 124),
    // Found before the program runs: unknown kinds, the number of values of a format, the operands of `<`.
    ("earlier", 32),
    // Both refuse the program, in different stages.
    ("stage", 12),
    // Of several `Meta:x` the last one counts, as the language guide says.
    ("repeated meta", 12),
    // mgmt evaluates branches that are not taken, and cannot print some values.
    ("mgmt fails", 22),
    // A function or class has no two parameters of one name.
    ("parameters", 6),
    // The last digit of a power, which depends on the logarithm.
    ("last digit", 3),
    // `class a:b` needs a class `a`.
    ("nested class", 4),
    // `1 -1` is a subtraction.
    ("minus", 3),
    // `Meta` needs no full struct.
    ("partial meta", 3),
    // A module can be imported as a name and with `as *`.
    ("import all", 2),
    // `variant` is any type.
    ("variant", 1),
];

/// Every field of every kind, every meta parameter and every form of an internal edge is accepted or refused as by mgmt, whose types are asked
/// only. mgmt finds an unknown kind at the end of an edge when the program runs.
#[test]
fn fields_meta_parameters_and_edges_have_the_same_types() {
    let mut earlier = 0;
    for (program, theirs) in read("fields.jsonl", FIELDS) {
        let ours = run(&program);
        assert!(!matches!(ours, Answer::Broken(_)), "{}: {ours:?}", program.text);
        let (theirs, ours) = (matches!(theirs, Answer::Refused(_)), matches!(ours, Answer::Refused(_)));
        if program.text.contains("=> Nosuchkind[") {
            assert!(!theirs && ours, "{}", program.text);
            earlier += 1;
        } else {
            assert_eq!(ours, theirs, "{}", program.text);
        }
    }
    assert_eq!(earlier, 4);
}

/// The collection has programs of every class.
#[test]
fn every_class_is_asked() {
    let mut classes: BTreeMap<String, usize> = BTreeMap::new();
    for (_, answer) in entries() {
        *classes.entry(class(&answer)).or_default() += 1;
    }
    let expected = [
        ("accepted", 114),
        ("ambiguous", 163),
        ("graph", 3978),
        ("init", 60),
        ("interpolate", 51),
        ("parse", 730),
        ("run", 139),
        ("scope", 292),
        ("unify", 564),
    ];
    assert_eq!(classes, expected.map(|(name, count)| (name.to_string(), count)).into_iter().collect());
}

#[test]
fn stages_and_graphs() {
    let entries = entries();
    let differs = |(program, theirs): &Entry| {
        let ours = run(program);
        let question = serde_json::json!([program.text, program.files]).to_string();
        let shown = |answer: &Answer| answer.to_json().to_string();
        (!theirs.agrees(&ours)).then(|| Difference { question, theirs: shown(theirs), ours: shown(&ours) })
    };
    let found = thread::scope(|scope| {
        let workers: Vec<_> = entries
            .chunks(entries.len().div_ceil(2))
            .map(|half| {
                let work = move || half.iter().filter_map(differs).collect::<Vec<_>>();
                thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work).expect("thread")
            })
            .collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("replay")).collect()
    });
    differences::compare("mcl", &RULES, allows, found).unwrap_or_else(|e| panic!("{e}"));
}
