//! The parts of answers that several questions share: the network of reads, comparison of values.

pub mod compare;
mod excerpts;
pub mod joined;
pub mod network;
pub mod projection;

use crate::dialect::Dialect;
use crate::text::path::{FieldPath, Step};

/// Maximum number of rows of a table in HTML.
pub(super) const ROWS: usize = 400;
/// Maximum width of a value in such a table, in columns.
pub(super) const VALUE: usize = 200;

/// Returns a path for a reader: a hidden field that binds a name of the program is written as its language writes it.
pub(super) fn shown_path(path: &FieldPath, dialect: Dialect) -> String {
    let spelling = dialect.spelling();
    let is_hidden = |step: &Step| matches!(step, Step::Field(name) if (spelling.bound_name)(name).is_some());
    if !path.steps.iter().any(is_hidden) {
        return path.to_string();
    }
    let mut out = String::new();
    for step in &path.steps {
        match step {
            Step::Field(name) if is_hidden(step) => {
                out.push_str(if out.is_empty() { "" } else { "." });
                out.push_str(&(spelling.field)(name));
            }
            Step::Field(name) => {
                out.push_str(if out.is_empty() { "" } else { "." });
                out.push_str(&FieldPath::from(std::slice::from_ref(name)).to_string());
            }
            Step::Index(index) => out.push_str(&format!("[{index}]")),
        }
    }
    out
}
