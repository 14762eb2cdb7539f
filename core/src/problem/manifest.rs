//! Problems of exporting a value as JSON, YAML, TOML or text.

use crate::text::path::Step;
use crate::text::{Name, Span};

/// A value that the format cannot represent.
#[derive(Clone, PartialEq, Debug)]
pub struct ExportProblem {
    /// The path to it in the exported value.
    pub path: Vec<Step>,
    /// The span of its definition, if known.
    pub span: Option<Span>,
    /// Its kind.
    pub what: ManifestKind,
}

/// The kind of export problem.
#[derive(Clone, PartialEq, Debug)]
pub enum ManifestKind {
    /// A value that no format can represent: "a function", "a contract", "an enum variant with an argument".
    NoForm(&'static str),
    /// A record type with a value in place of the type of a field: `{ a : 1 }`.
    ValueAsType(Name),
    /// A function that was applied to some of its arguments.
    Applied {
        /// The number of arguments that it was given.
        given: usize,
        /// The number of arguments that are missing.
        missing: usize,
    },
    /// A field that is declared but not defined.
    Undefined,
    /// A `null` in a format that has none.
    Null(&'static str),
    /// A number outside the range of a double.
    TooLarge,
    /// A value of the wrong kind for the format: text needs a string, TOML a record.
    Needs {
        /// The format.
        format: &'static str,
        /// The kind that the format needs.
        needed: &'static str,
        /// The kind of the value.
        found: &'static str,
    },
    /// A value with a tag of YAML, in a format that has no tags.
    YamlTag {
        /// The format.
        format: &'static str,
        /// The tag: `!Ref`.
        tag: Name,
    },
    /// A value or a name that the format has no form for.
    Unwritable {
        /// The format.
        format: &'static str,
        /// The description, with an article.
        what: Name,
    },
    /// A value that is nested so deeply that its indentation alone would exceed 256 MB.
    TooDeep,
    /// A part that was cut off or not evaluated.
    Unfinished,
}

impl ExportProblem {
    /// The stable code.
    pub fn code(&self) -> &'static str {
        match self.what {
            ManifestKind::NoForm(_)
            | ManifestKind::Applied { .. }
            | ManifestKind::ValueAsType(_)
            | ManifestKind::Null(_)
            | ManifestKind::Needs { .. }
            | ManifestKind::YamlTag { .. }
            | ManifestKind::Unwritable { .. } => "export/no-form",
            ManifestKind::Undefined => "export/undefined",
            ManifestKind::TooLarge => "export/number",
            ManifestKind::TooDeep => "export/too-deep",
            ManifestKind::Unfinished => "export/unfinished",
        }
    }
}
