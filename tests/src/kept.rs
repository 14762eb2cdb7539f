//! The answers of the references, stored in `tests/oracles/`. Each file has a digest of its contents.
//!
//! The scripts that query the references write both. They use [`keep`] here and `tests/oracles/kept.py`, which
//! documents the contents of an entry. If someone edits an answers file, its digest changes and [`answers`] panics.

use crate::binary::root;
use flate2::read::GzDecoder;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// The name of the file of entries in each folder.
pub const MANIFEST: &str = "kept.json";

/// The entry of an answers file.
#[derive(Clone, PartialEq, Debug)]
pub struct Entry {
    /// The program that answered, with its version.
    pub reference: String,
    /// The parameters from which the questions are generated.
    pub arguments: Value,
    /// The number of questions asked.
    pub asked: usize,
    /// The indices, from 0, of the questions without an answer in the file.
    pub left_out: Vec<usize>,
    /// SHA-256 of the questions asked.
    pub questions: String,
    /// SHA-256 of the file.
    pub answers: String,
}

impl Entry {
    /// Returns the number of questions with an answer in the file.
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

/// Returns the folder of an oracle.
pub fn folder(oracle: &str) -> PathBuf {
    root().join("tests/oracles").join(oracle)
}

/// Reads the entries of a folder, by file name.
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

/// Reads an answers file and checks its digest. Unpacks it if its name ends in `.gz`.
pub fn read(folder: &Path, name: &str) -> Result<(String, Entry), String> {
    let path = folder.join(name);
    let entry = entries(folder)?.remove(name).ok_or_else(|| format!("{} has no entry", path.display()))?;
    let wrong = |e: io::Error| format!("{}: {e}", path.display());
    let bytes = fs::read(&path).map_err(wrong)?;
    if digest(&bytes) != entry.answers {
        return Err(format!(
            "{} is not what the script that asks has written: ask again, do not edit answers",
            path.display()
        ));
    }
    let mut text = String::new();
    match name.ends_with(".gz") {
        true => GzDecoder::new(bytes.as_slice()).read_to_string(&mut text),
        false => bytes.as_slice().read_to_string(&mut text),
    }
    .map_err(wrong)?;
    Ok((text, entry))
}

/// Returns the text of an answers file and its number of answers.
///
/// # Panics
/// If the file differs from the one that the script wrote.
pub fn answers(oracle: &str, name: &str) -> (String, usize) {
    let (text, entry) = read(&folder(oracle), name).unwrap_or_else(|e| panic!("{e}"));
    (text, entry.answered())
}

fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns the digest of questions.
pub fn digest_of_questions(questions: &[String]) -> String {
    let lines: String = questions.iter().map(|question| format!("{}\n", Value::from(question.as_str()))).collect();
    digest(lines.as_bytes())
}

/// Writes an answers file and its entry. Each question has the text of its lines, or `None` if it is left out.
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
