//! The differences between two files, or two sets of layers.

use super::{json, side, text};
use crate::answer::shared::compare::Comparison;
use crate::answer::{Answer, Renderer};
use crate::styled::Styled;
use crate::view::html::Html;
use serde_json::Value;

/// The differences between two sides of a command.
pub struct FilesDiff {
    /// The differences.
    pub found: Comparison,
    /// The names of the sides: their files.
    pub names: [String; 2],
    /// Whether the text has two columns.
    pub side_by_side: bool,
}

impl Answer for FilesDiff {
    fn name(&self) -> &'static str {
        "diff"
    }

    fn text(&self, to: &Renderer<'_>) -> Styled {
        if self.side_by_side { side::text(&self.found, &self.names, to) } else { text::text(&self.found, to) }
    }

    fn html(&self, to: &Renderer<'_>, html: &mut Html) {
        super::html::html(&self.found, to, html);
    }

    fn json(&self, to: &Renderer<'_>) -> Value {
        json::json(&self.found, to)
    }
}
