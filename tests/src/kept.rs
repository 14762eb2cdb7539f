//! The answers of the references, kept in `tests/oracles/`, each file with the digest of what was written.
//!
//! The scripts that ask write both, through [`keep`] here and through `tests/oracles/kept.py`, which says what an entry
//! holds. An answers file that was edited has another digest, and [`answers`] panics.

use crate::binary::root;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// The name of the file of entries in each folder.
pub const MANIFEST: &str = "kept.json";

/// The entry of an answers file.
#[derive(Clone, PartialEq, Debug)]
pub struct Entry {
    /// The program that answered, with its version.
    pub reference: String,
    /// What the questions are made of.
    pub arguments: Value,
    /// The number of questions asked.
    pub asked: usize,
    /// The numbers, from 0, of the questions without an answer in the file.
    pub left_out: Vec<usize>,
    /// SHA-256 of the questions asked.
    pub questions: String,
    /// SHA-256 of the file.
    pub answers: String,
}

impl Entry {
    /// The number of questions answered in the file.
    pub fn answered(&self) -> usize {
        self.asked - self.left_out.len()
    }

    fn of_json(value: &Value) -> Option<Entry> {
        let text = |name: &str| Some(value.get(name)?.as_str()?.to_string());
        let number = |value: &Value| Some(value.as_u64()? as usize);
        Some(Entry {
            reference: text("reference")?,
            arguments: value.get("arguments")?.clone(),
            asked: number(value.get("asked")?)?,
            left_out: value.get("left_out")?.as_array()?.iter().map(number).collect::<Option<_>>()?,
            questions: text("questions")?,
            answers: text("answers")?,
        })
    }

    fn to_json(&self) -> Value {
        json!({
            "reference": self.reference,
            "arguments": self.arguments,
            "asked": self.asked,
            "left_out": self.left_out,
            "questions": self.questions,
            "answers": self.answers,
        })
    }
}

/// The folder of an oracle.
pub fn folder(oracle: &str) -> PathBuf {
    root().join("tests/oracles").join(oracle)
}

/// The entries of a folder, by file.
pub fn entries(folder: &Path) -> Result<BTreeMap<String, Entry>, String> {
    let path = folder.join(MANIFEST);
    let text = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    let files: BTreeMap<String, Value> = serde_json::from_str(&text).map_err(|e| format!("{}: {e}", path.display()))?;
    let entry = |(name, value): (String, Value)| match Entry::of_json(&value) {
        Some(entry) => Ok((name, entry)),
        None => Err(format!("{}: not an entry: {name}", path.display())),
    };
    files.into_iter().map(entry).collect()
}

/// Reads an answers file and compares it with its digest.
pub fn read(folder: &Path, name: &str) -> Result<(String, Entry), String> {
    let path = folder.join(name);
    let entry = entries(folder)?.remove(name).ok_or_else(|| format!("{} has no entry", path.display()))?;
    let text = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    match digest(text.as_bytes()) == entry.answers {
        true => Ok((text, entry)),
        false => Err(format!(
            "{} is not what the script that asks has written: ask again, do not edit answers",
            path.display()
        )),
    }
}

/// The text of an answers file, and the number of questions that it answers.
///
/// # Panics
/// If the file is not what was written by the script that asks.
pub fn answers(oracle: &str, name: &str) -> (String, usize) {
    let (text, entry) = read(&folder(oracle), name).unwrap_or_else(|e| panic!("{e}"));
    (text, entry.answered())
}

fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The digest of questions.
pub fn digest_of_questions(questions: &[String]) -> String {
    let lines: String = questions.iter().map(|question| format!("{}\n", Value::from(question.as_str()))).collect();
    digest(lines.as_bytes())
}

/// Writes an answers file and its entry: for each question the text of its lines, or `None` if it is left out.
pub fn keep(
    folder: &Path,
    name: &str,
    reference: &str,
    arguments: Value,
    questions: &[String],
    answers: &[Option<String>],
) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let text: String = answers.iter().flatten().map(String::as_str).collect();
    fs::write(folder.join(name), &text)?;
    let mut entries = match folder.join(MANIFEST).exists() {
        true => entries(folder).map_err(io::Error::other)?,
        false => BTreeMap::new(),
    };
    let left_out = answers.iter().enumerate().filter(|(_, answer)| answer.is_none()).map(|(at, _)| at).collect();
    let entry = Entry {
        reference: reference.into(),
        arguments,
        asked: questions.len(),
        left_out,
        questions: digest_of_questions(questions),
        answers: digest(text.as_bytes()),
    };
    entries.insert(name.into(), entry);
    let line = |(name, entry): (&String, &Entry)| format!("{}: {}", Value::from(name.as_str()), entry.to_json());
    let lines: Vec<_> = entries.iter().map(line).collect();
    fs::write(folder.join(MANIFEST), format!("{{\n{}\n}}\n", lines.join(",\n")))
}
