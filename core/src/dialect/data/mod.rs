//! Data files: JSON, YAML, TOML and `.env` as terms, with the span of every key, value and element.
//!
//! A data file is a program: records of field definitions, arrays and literals. So merging, types and the origins of values
//! work without special cases.

pub(super) mod build;
mod content;
mod dotenv;
pub mod forms;
mod json;
mod kubernetes;
pub mod schema;
#[cfg(test)]
mod tests;
mod toml;
mod yaml;

pub use content::{holds, of_content};

use super::{Edits, Language, LineEdits, Program, Stop};
use crate::text::SourceId;
use crate::value::datum::Datum;

/// Returns the text in TOML of a value that replaces the date or time `old`, if it is one too.
pub fn date_after(old: &str, value: &Datum) -> Option<String> {
    let Datum::String(new) = value else { return None };
    (toml::is_date(old) && toml::is_date(new)).then(|| new.to_string())
}

/// The common part of the data languages. Reports about data files use the notation of cfg.
const DATA: Language =
    Language { is_programs: false, spelling: &super::cfg::notation::OF_DATA, ..Language::announced("", &[]) };

/// JSON.
pub static JSON: Language = Language {
    name: "json",
    endings: &["json"],
    formats: &["Json"],
    program: Some(|source, text, names| json(source, text, names.stop())),
    part_of: Some(&YAML),
    edits: Edits::Lines(LineEdits { separator: ':', may_follow: |rest| rest == ",", can_write: |_| true }),
    ..DATA
};

/// YAML.
pub static YAML: Language = Language {
    name: "yaml",
    endings: &["yaml", "yml"],
    formats: &["Yaml"],
    program: Some(|source, text, names| yaml(source, text, names.stop())),
    documents: Some(yaml_documents),
    edits: Edits::Lines(LineEdits { separator: ':', may_follow: is_comment, can_write: |_| true }),
    ..DATA
};

/// TOML.
pub static TOML: Language = Language {
    name: "toml",
    endings: &["toml"],
    formats: &["Toml"],
    program: Some(|source, text, names| toml(source, text, names.stop())),
    edits: Edits::Lines(LineEdits {
        separator: '=',
        may_follow: is_comment,
        // its tables are lines of their own, and it has no null
        can_write: |value| !matches!(value, Datum::Record(_) | Datum::Null),
    }),
    ..DATA
};

/// `.env` files.
pub static DOTENV: Language = Language {
    name: "dotenv",
    endings: &["env"],
    formats: &["Dotenv"],
    program: Some(|source, text, names| dotenv::read(source, text, names.stop())),
    variable: Some(dotenv::line),
    edits: Edits::Lines(LineEdits {
        separator: '=',
        may_follow: is_comment,
        can_write: |value| matches!(value, Datum::String(_) | Datum::Number(_) | Datum::Bool(_)),
    }),
    ..DATA
};

/// JSON Schema, and the schema in a CustomResourceDefinition of Kubernetes: a contract. A file is one only if that is said,
/// because its ending is that of data.
pub static SCHEMA: Language = Language {
    name: "schema",
    formats: &["Schema"],
    program: Some(|source, text, names| schema::read(source, text, names.stop())),
    ..DATA
};

/// Reads JSON. Total: parts with errors become holes, and a stopped reading gives a hole.
pub fn json(source: SourceId, text: &str, stop: Stop<'_>) -> Program {
    json::read(source, text, stop)
}

/// Reads TOML, with the same guarantees as [`json()`].
pub fn toml(source: SourceId, text: &str, stop: Stop<'_>) -> Program {
    toml::read(source, text, stop)
}

/// Reads YAML, with the same guarantees as [`json()`]. Several documents become an array.
pub fn yaml(source: SourceId, text: &str, stop: Stop<'_>) -> Program {
    yaml::read(source, text, false, stop)
}

/// Reads a YAML stream as the array of its documents, even if there is only one.
pub fn yaml_documents(source: SourceId, text: &str, stop: Stop<'_>) -> Program {
    yaml::read(source, text, true, stop)
}

fn is_comment(rest: &str) -> bool {
    rest.is_empty() || rest.starts_with('#')
}
