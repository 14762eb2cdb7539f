//! Known differences between a reference and cfg, in `tests/differences/`. The tests must find exactly these
//! differences, with exactly these answers.
//!
//! A line is `[question, rule, theirs, ours]`. The rule names the reason in `docs/nickel.md` or `docs/jsonnet.md`.

use crate::binary::root;
use serde_json::json;
use std::collections::BTreeMap;
use std::fs;

/// A question with different answers.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Difference {
    /// The question.
    pub question: String,
    /// The answer of the reference.
    pub theirs: String,
    /// The answer of cfg.
    pub ours: String,
}

/// Reads the differences in a file, each with its rule. Returns none if the file does not exist.
fn known(name: &str) -> Result<BTreeMap<Difference, String>, String> {
    let path = root().join(format!("tests/differences/{name}.jsonl"));
    let text = match path.exists() {
        true => fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?,
        false => String::new(),
    };
    let line = |line: &str| {
        let [question, rule, theirs, ours]: [String; 4] =
            serde_json::from_str(line).map_err(|e| format!("{}: {e}: {line}", path.display()))?;
        Ok((Difference { question, theirs, ours }, rule))
    };
    text.lines().map(line).collect()
}

/// Compares the differences found with the known ones, and counts those of each rule. `allows` returns `true` if a rule
/// allows a difference.
///
/// # Errors
/// Lists differences that are new, that no longer occur, or that their rule does not allow, and rules whose count is
/// not that in `rules`.
pub fn compare(
    name: &str,
    rules: &[(&str, usize)],
    allows: impl Fn(&str, &Difference) -> bool,
    found: Vec<Difference>,
) -> Result<(), String> {
    let known = known(name)?;
    let mut wrong = Vec::new();
    for Difference { question, theirs, ours } in found.iter().filter(|found| !known.contains_key(found)) {
        wrong.push(format!("new: {}", json!([question, "RULE", theirs, ours])));
    }
    for (Difference { question, theirs, ours }, rule) in known.iter().filter(|(known, _)| !found.contains(known)) {
        wrong.push(format!("gone: {}", json!([question, rule, theirs, ours])));
    }
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for (difference, rule) in &known {
        if !allows(rule, difference) {
            wrong.push(format!("`{rule}` does not allow {difference:?}"));
        }
        *counts.entry(rule).or_default() += 1;
    }
    if counts != rules.iter().copied().collect() {
        wrong.push(format!("the rules excuse {counts:?}, expected {rules:?}"));
    }
    match wrong.is_empty() {
        true => Ok(()),
        false => Err(format!("tests/differences/{name}.jsonl: {} differ\n{}", wrong.len(), wrong.join("\n"))),
    }
}
