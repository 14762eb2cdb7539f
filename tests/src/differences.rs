//! Known differences between a reference and us, in `tests/differences/`: exactly these, with exactly these answers.
//!
//! A line is `[question, rule, theirs, ours]`. The rule says why we differ: `docs/nickel.md` and `docs/jsonnet.md`.

use crate::binary::root;
use serde_json::json;
use std::collections::BTreeMap;
use std::fs;

/// A question that is answered differently.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Difference {
    /// What was asked.
    pub question: String,
    /// What the reference answered.
    pub theirs: String,
    /// What we answer.
    pub ours: String,
}

/// Reads the lines of a file: each difference with its rule. No file, no differences.
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

/// Compares the differences found with those that are known, and counts those of each rule. `allows` says whether a rule
/// allows a difference.
///
/// # Errors
/// Says which differences are new, which are gone, which their rule does not allow, and which rule has another count than
/// `rules` says.
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
