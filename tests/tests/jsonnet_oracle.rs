//! Runs every stored Jsonnet program: our answer must be the reference's, byte for byte, or fail with the same
//! message. Also checks a law of types: a program that evaluates has no type error.
//!
//! The collection and its generator are in `tests/oracles/jsonnet/`.

use cfg_tests::differences::{self, Difference};
use cfg_tests::jsonnet::{Answer, Class, Program, eval, type_error};
use cfg_tests::kept;
use std::collections::BTreeMap;
use std::thread;

const STACK: usize = 256 << 20;

/// The number of programs.
const PROGRAMS: usize = 5929;

type Entry = (Program, Answer);

fn entries() -> Vec<Entry> {
    let (text, count) = kept::answers("jsonnet", "answers.jsonl");
    let entry = |line: &str| {
        let line: Vec<serde_json::Value> = serde_json::from_str(line).expect("a line of the collection");
        let text = line[0].as_str().expect("a program").to_string();
        let files = serde_json::from_value(line[1].clone()).expect("files");
        (Program { text, files }, Answer::kept(&line[2], line.get(3)).expect("an answer"))
    };
    let entries: Vec<_> = text.lines().map(entry).collect();
    assert_eq!((entries.len(), count), (PROGRAMS, PROGRAMS), "programs");
    entries
}

/// The programs for which `look` finds something wrong: what the reference answers, and what is wrong with ours. On two threads.
fn failures(look: impl Fn(&Entry) -> Option<String> + Sync) -> Vec<Difference> {
    let entries = entries();
    let look = &look;
    thread::scope(|scope| {
        let workers: Vec<_> = entries
            .chunks(entries.len().div_ceil(2))
            .map(|half| {
                let look = move |entry: &Entry| {
                    let question = serde_json::json!([entry.0.text, entry.0.files]).to_string();
                    Some(Difference { question, theirs: format!("{:?}", entry.1), ours: look(entry)? })
                };
                let work = move || half.iter().filter_map(look).collect::<Vec<_>>();
                thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work).expect("thread")
            })
            .collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("replay")).collect()
    })
}

/// The collection has programs of every class.
#[test]
fn every_class_is_asked() {
    let mut classes: BTreeMap<Option<Class>, usize> = BTreeMap::new();
    for (_, answer) in entries() {
        let class = match answer {
            Answer::Value(_) => None,
            Answer::Failure(_, class) => Some(class),
        };
        *classes.entry(class).or_default() += 1;
    }
    let expected = [
        (None, 4526),
        (Some(Class::Evaluated), 1052),
        (Some(Class::Syntax), 231),
        (Some(Class::Duplicate), 116),
        (Some(Class::Unbound), 3),
        (Some(Class::OutsideObject), 1),
    ];
    assert_eq!(classes, expected.into_iter().collect());
}

#[test]
fn values_and_messages() {
    let found = failures(|(program, theirs)| {
        let ours = eval(program);
        (!theirs.agrees(&ours)).then(|| format!("{ours:?}"))
    });
    // The reference stops at the first fault of the text; here each is reported, in the order of the text.
    // The manifest functions write numbers as go-jsonnet does: the same numbers in shorter digits.
    let is_number = |c: char| c.is_ascii_digit() || ".eE+-".contains(c);
    let same_numbers = |theirs: &str, ours: &str| {
        let (theirs, ours): (Vec<&str>, Vec<&str>) =
            (theirs.split(|c| !is_number(c)).collect(), ours.split(|c| !is_number(c)).collect());
        let same = |(a, b): (&&str, &&str)| a == b || a.parse::<f64>().is_ok_and(|a| b.parse() == Ok(a));
        theirs.len() == ours.len() && theirs.iter().zip(&ours).all(same)
    };
    let allows = |rule: &str, Difference { theirs, ours, .. }: &Difference| match rule {
        "several faults" => {
            theirs.ends_with(", Syntax)")
                && [", Unbound)", ", Duplicate)", ", OutsideObject)"].iter().any(|class| ours.ends_with(class))
        }
        "shortest numbers" => {
            let words = |text: &str| text.split(is_number).filter(|word| !word.is_empty()).collect::<String>();
            words(theirs) == words(ours) && same_numbers(theirs, ours)
        }
        _ => false,
    };
    let rules = [("several faults", 2), ("shortest numbers", 9)];
    differences::compare("jsonnet", &rules, allows, found).unwrap_or_else(|e| panic!("{e}"));
}

#[test]
fn a_program_that_evaluates_has_no_type_error() {
    let found = failures(|(program, theirs)| match theirs {
        Answer::Value(_) => type_error(program),
        Answer::Failure(..) => None,
    });
    // `check` reads a file that evaluation does not need.
    let allows = |rule: &str, Difference { question, ours, .. }: &Difference| {
        rule == "unread import" && question.contains("(import ") && ours.contains("\n --> file")
    };
    differences::compare("jsonnet-check", &[("unread import", 1)], allows, found).unwrap_or_else(|e| panic!("{e}"));
}
