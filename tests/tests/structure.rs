//! The way from a question to its answer: every command asks `Session::answer`, and no command has an adapter of its own.

use cfg_tests::binary::root;
use std::fs;

/// The functions that pass an answer to the prompt, and the files that may call them, each with the reason.
const ADAPTERS: &[(&str, &str, &str)] = &[
    ("argument.rs", ".answered(", "it is the adapter of all commands"),
    ("check.rs", ".answered(", "`:check` records whether its check passed, which a lesson asks for"),
    (
        "feed.rs",
        ".answered(",
        "`:feed` changes an input; the values that changed are a report about that, not an answer",
    ),
];

#[test]
fn every_command_asks_its_question_in_one_way() {
    let folder = root().join("core/src/session/commands");
    let mut found = Vec::new();
    let mut needed = vec![false; ADAPTERS.len()];
    for entry in fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.extension().is_none_or(|ending| ending != "rs") {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        for call in [".answered(", "session.shown(", "session.answer("] {
            if !text.contains(call) {
                continue;
            }
            match ADAPTERS.iter().position(|(file, own, _)| *file == name && *own == call) {
                Some(place) => needed[place] = true,
                None => found.push(format!("{name} calls `{call}…)` instead of `Session::asked`")),
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
    for ((file, call, _), needed) in ADAPTERS.iter().zip(needed) {
        assert!(needed, "{file} is allowed to call `{call}…)` and does not");
    }
}
