//! Problems of writing a value as JSON, YAML, TOML or text.

use crate::text::{Name, Span};

/// A value that the format cannot hold.
#[derive(Clone, PartialEq, Debug)]
pub struct Manifest {
    /// Where in the exported value, from outside in.
    pub path: Vec<Part>,
    /// Where it is defined, as far as that is known: the field's definition, or the function itself.
    pub span: Option<Span>,
    /// What it is.
    pub what: ManifestKind,
}

/// One step to a value inside a value.
#[derive(Clone, PartialEq, Debug)]
pub enum Part {
    /// A field of a record.
    Field(Name),
    /// An element of an array.
    Index(usize),
}

/// What cannot be written.
#[derive(Clone, PartialEq, Debug)]
pub enum ManifestKind {
    /// A value that no format holds: "a function", "a contract", "an enum variant with an argument".
    NoForm(&'static str),
    /// A field that is declared and not defined.
    Undefined,
    /// `null` where the format has none.
    Null(&'static str),
    /// A number beyond a double's range.
    TooLarge,
    /// A format that holds only values of one kind: "a string" for text, "a record" for TOML.
    Needs {
        /// The format.
        format: &'static str,
        /// What it holds.
        needed: &'static str,
        /// What came.
        found: &'static str,
    },
    /// A value so deep that its indentation alone would take more than a quarter of a gigabyte.
    TooDeep,
    /// A part that was cut off or not evaluated.
    Unfinished,
}

impl Manifest {
    /// The stable code.
    pub fn code(&self) -> &'static str {
        match self.what {
            ManifestKind::NoForm(_) | ManifestKind::Null(_) | ManifestKind::Needs { .. } => "export/no-form",
            ManifestKind::Undefined => "export/undefined",
            ManifestKind::TooLarge => "export/number",
            ManifestKind::TooDeep => "export/too-deep",
            ManifestKind::Unfinished => "export/unfinished",
        }
    }
}
