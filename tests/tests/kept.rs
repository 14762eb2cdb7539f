//! Checks that the stored answers are those that the scripts wrote, and that their questions are those that the
//! generators make today.

use cfg_tests::binary::run_command;
use cfg_tests::generate::Topic;
use cfg_tests::kept::{self, MANIFEST};
use cfg_tests::nickel::{Entry, questions};
use cfg_tests::pins::ORACLES;
use cfg_tests::python::venv;
use cfg_tests::this_test;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// The oracles whose questions a script generates, with the number of their files.
const SCRIPTS: [(&str, usize); 10] = [
    ("data", 1),
    ("documents", 1),
    ("jsonnet", 1),
    ("jsonnet-std", 10),
    ("mcl", 3),
    ("merge", 1),
    ("std", 10),
    ("wide", 1),
    ("yaml", 1),
    ("yay", 1),
];

/// Returns the files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let paths = entries.map(|entry| entry.expect("an entry of a folder").path());
    paths.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

#[test]
fn every_answers_file_is_as_it_was_written() {
    let mut oracles = BTreeSet::new();
    for path in fs::read_dir(kept::folder("")).expect("oracles").map(|entry| entry.expect("an entry").path()) {
        if !path.is_dir() || path.ends_with("__pycache__") {
            continue;
        }
        let entries = kept::entries(&path).unwrap_or_else(|e| panic!("{e}"));
        for name in entries.keys() {
            kept::read(&path, name).unwrap_or_else(|e| panic!("{e}"));
        }
        let name = |file: &PathBuf| file.strip_prefix(&path).expect("below").to_string_lossy().into_owned();
        let is_answers = |name: &String| name != MANIFEST && !name.ends_with(".py") && !name.contains("__pycache__");
        let found: BTreeSet<String> = files(&path).iter().map(name).filter(is_answers).collect();
        assert_eq!(found, entries.keys().cloned().collect(), "answers files of {}", path.display());
        oracles.insert(path.file_name().unwrap_or_default().to_string_lossy().into_owned());
    }
    let expected = SCRIPTS.iter().map(|(name, _)| name.to_string()).chain(["nickel".into()]).collect();
    assert_eq!(oracles, expected, "oracles");
}

#[test]
fn the_questions_made_today_are_those_answered() {
    // the modules that the generators import
    let test = this_test!();
    if test.is_off() {
        return;
    }
    let python = venv(test, &ORACLES);
    for (oracle, count) in SCRIPTS {
        let folder = kept::folder(oracle);
        assert_eq!(kept::entries(&folder).map(|entries| entries.len()), Ok(count), "files of {oracle}");
        let mut check = Command::new(&python);
        check.arg("-B").arg(folder.join("ask.py")).arg("check");
        let ran = run_command(check, "", Duration::from_secs(600)).expect("Python can be run");
        assert_eq!(ran.code, Some(0), "{oracle}: {}{}", ran.out, ran.err);
    }
}

#[test]
fn the_programs_made_today_are_those_that_nickel_answered() {
    let folder = kept::folder("nickel");
    let mut entries = kept::entries(&folder).unwrap_or_else(|e| panic!("{e}"));
    for topic in Topic::ALL {
        let name = format!("{}.jsonl", topic.name());
        let entry = entries.remove(&name).unwrap_or_else(|| panic!("no entry for {name}"));
        let programs = |text: &str| -> Vec<String> {
            text.lines().map(|line| Entry::of_line(line).expect("a line of a collection").program).collect()
        };
        let (text, _) = kept::answers("nickel", &name);
        let asked = match (topic, entry.arguments["first"].as_u64()) {
            // The programs came from an earlier version of the generator, which no longer exists.
            (Topic::Mixed, None) => programs(&text),
            (_, first) => {
                let seeds: Vec<u64> =
                    serde_json::from_value(entry.arguments["seeds"].clone()).expect("numbers of seeds");
                questions(topic, first.expect("the first seed"), &seeds)
            }
        };
        assert_eq!(asked.len(), entry.asked, "programs of {name}");
        assert_eq!(kept::digest_of_questions(&asked), entry.questions, "the programs of {name}");
        let left_out = |at: &usize| entry.left_out.binary_search(at).is_ok();
        let expected: Vec<&String> = asked.iter().enumerate().filter(|(at, _)| !left_out(at)).map(|(_, q)| q).collect();
        let answered = programs(&text);
        assert_eq!(expected.len(), answered.len(), "programs answered in {name}");
        for (expected, answered) in expected.into_iter().zip(&answered) {
            assert_eq!(expected, answered, "a program of {name}");
        }
    }
    assert!(entries.is_empty(), "no topics: {:?}", entries.keys());
}
