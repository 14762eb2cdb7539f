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

use super::{Dialect, Program};
use crate::text::SourceId;

/// Reads a data file of a dialect. Total: what cannot be read is a hole with a problem beside it. A text of another
/// dialect than JSON, YAML and TOML is read as JSON.
pub fn program(dialect: Dialect, source: SourceId, text: &str) -> Program {
    match dialect {
        Dialect::Yaml => yaml::read(source, text, false),
        Dialect::Toml => toml::read(source, text),
        _ => json::read(source, text),
    }
}

/// Reads a YAML stream as the array of its documents, however many there are.
pub fn yaml_documents(source: SourceId, text: &str) -> Program {
    yaml::read(source, text, true)
}
