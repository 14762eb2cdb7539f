//! Data files: JSON, YAML and TOML as terms, with the place of every key, value and element.
//!
//! A data file is a program like any other: records of field definitions, arrays and literals. Merging it, asking for its
//! type and for the origin of its values need nothing special.

mod build;
mod json;
#[cfg(test)]
mod tests;
mod toml;
mod yaml;

use super::{Dialect, Program, Stop};
use crate::text::SourceId;

/// Reads a data file of a dialect. Total: what cannot be read is a hole with a problem beside it. A text of another
/// dialect than JSON, YAML and TOML is read as JSON. What is stopped is a hole.
pub fn program(dialect: Dialect, source: SourceId, text: &str, stop: Stop<'_>) -> Program {
    match dialect {
        Dialect::Yaml => yaml::read(source, text, false, stop),
        Dialect::Toml => toml::read(source, text, stop),
        _ => json::read(source, text, stop),
    }
}

/// Reads a YAML stream as the array of its documents, however many there are.
pub fn yaml_documents(source: SourceId, text: &str, stop: Stop<'_>) -> Program {
    yaml::read(source, text, true, stop)
}
