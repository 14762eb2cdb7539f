//! The cases in `tests/cases/*.md`: examples from the design documents, as programs with the expected results.
//!
//! `tests/cases/README.md` describes the format.

use cfg_core::markdown::{Block, Section, sections};
use cfg_tests::binary::{Ran, root, run};
use serde_json::Value;
use std::fs;
use std::path::Path;

const DIALECTS: [&str; 4] = ["jsonnet", "cfg", "yay", "mcl"];

/// Returns the file of a program block: a named one, or `main` with the language's extension.
fn file_of(block: &Block) -> Option<(String, bool)> {
    let mut words = block.info.split_whitespace();
    let dialect = words.next().filter(|word| DIALECTS.contains(word))?;
    match words.find_map(|word| word.strip_prefix("file=")) {
        Some(name) => Some((name.to_string(), false)),
        None => Some((format!("main.{dialect}"), true)),
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn squeezed(text: &str) -> String {
    text.trim().lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
}

fn cut(text: &str) -> String {
    text.trim().chars().take(200).collect::<String>().replace('\n', " ⏎ ")
}

/// Reports whether two JSON documents are equal; compares numbers by value.
fn same_json(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(a), Value::Number(b)) => a == b || a.as_f64() == b.as_f64(),
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same_json(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| same_json(a, b)))
        }
        _ => left == right,
    }
}

fn json(ran: &Ran, want: &str) -> Result<(), String> {
    let want: Value = serde_json::from_str(want).map_err(|e| format!("the case is no JSON: {e}"))?;
    match serde_json::from_str::<Value>(&ran.out) {
        Ok(got) if ran.code == Some(0) && same_json(&got, &want) => Ok(()),
        _ => Err(format!("exit {:?}: {}", ran.code, cut(&format!("{}{}", ran.out, ran.err)))),
    }
}

/// Checks that the program exited with `code` and that its report contains every line of `want`, ignoring case.
fn reported(ran: &Ran, code: i32, want: &str) -> Result<(), String> {
    let seen = format!("{}{}", ran.out, ran.err);
    let lower = seen.to_lowercase();
    let lacking: Vec<_> = want.trim().lines().filter(|line| !lower.contains(&line.trim().to_lowercase())).collect();
    if ran.code == Some(code) && lacking.is_empty() {
        return Ok(());
    }
    Err(format!("exit {:?}, report lacks {lacking:?}: {}", ran.code, cut(&seen)))
}

fn expectation(kind: &str, rest: &str, want: &str, main: &str, folder: &Path) -> Result<(), String> {
    let call = |args: &[&str]| run(args, folder, "");
    match kind {
        "type" => {
            let ran = call(&["type", main]);
            if one_line(&ran.out) == one_line(want) { Ok(()) } else { Err(cut(&format!("{}{}", ran.out, ran.err))) }
        }
        "json" => json(&call(&["eval", "--format", "json", main]), want),
        "eval-at" => json(&call(&["eval", "--format", "json", "--at", rest, main]), want),
        "check-error" => reported(&call(&["check", "--strict", main]), 1, want),
        "check-ok" => reported(&call(&["check", "--strict", main]), 0, ""),
        "check-warn" => {
            reported(&call(&["check", main]), 0, want)?;
            reported(&call(&["check", "--strict", main]), 1, want)
        }
        "eval-error" => reported(&call(&["eval", main]), 1, want),
        "query" => {
            let ran = call(&["query", main, rest]);
            let holds = if want.starts_with("error") {
                squeezed(if ran.err.is_empty() { &ran.out } else { &ran.err }).starts_with(want.trim())
            } else {
                squeezed(&ran.out) == squeezed(want)
            };
            if holds { Ok(()) } else { Err(cut(&format!("{}{}", ran.out, ran.err))) }
        }
        "graph" => {
            let ran = call(&["graph", main]);
            let sorted = |text: &str| {
                let mut lines: Vec<_> = text.trim_end().lines().map(String::from).collect();
                lines.sort();
                lines
            };
            if sorted(&ran.out) == sorted(want) { Ok(()) } else { Err(cut(&format!("{}{}", ran.out, ran.err))) }
        }
        _ => Err(format!("unknown block {kind}")),
    }
}

/// Writes the programs of a section; returns the name of the main one.
fn write_programs(section: &Section, folder: &Path) -> String {
    let mut main = String::new();
    for block in &section.blocks {
        if let Some((name, is_main)) = file_of(block) {
            let path = folder.join(&name);
            fs::create_dir_all(path.parent().expect("a file lies in a folder")).expect("folder");
            fs::write(path, format!("{}\n", block.text)).expect("program written");
            if is_main {
                main = name;
            }
        }
    }
    main
}

/// Runs all cases of a file; fails with one line for each unmet expectation.
fn hold(file: &str) {
    let text = fs::read_to_string(root().join("tests/cases").join(file)).expect("case file");
    let (mut held, mut failures) = (0, Vec::new());
    for section in sections(&text) {
        let folder = tempfile::tempdir().expect("folder");
        let main = write_programs(&section, folder.path());
        for block in section.blocks.iter().filter(|block| file_of(block).is_none()) {
            let (kind, rest) = block.info.split_once(' ').unwrap_or((&block.info, ""));
            match expectation(kind, rest.trim(), &block.text, &main, folder.path()) {
                Ok(()) => held += 1,
                Err(saw) => failures.push(format!("{file}:{}: {} [{}]: {saw}", block.line, section.name, block.info)),
            }
        }
    }
    assert!(held + failures.len() > 0, "{file} holds no case");
    assert!(
        failures.is_empty(),
        "{} of {} do not hold\n{}",
        failures.len(),
        held + failures.len(),
        failures.join("\n")
    );
}

#[test]
fn cfg_overriding() {
    hold("cfg-overriding.md");
}

#[test]
fn cfg_metadata() {
    hold("cfg-metadata.md");
}

#[test]
fn jsonnet_types() {
    hold("jsonnet-types.md");
}

#[test]
fn yay_resolver() {
    hold("yay-resolver.md");
}

#[test]
fn mcl_language() {
    hold("mcl-language.md");
}
