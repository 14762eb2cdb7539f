//! Problems of data files: JSON, YAML, TOML.

use crate::text::{Name, Span};

/// What is wrong with a data file's text.
#[derive(Clone, PartialEq, Debug)]
pub enum Data {
    /// Something that cannot stand here.
    Unexpected {
        /// What stands there, as written; `None` at the end of the input.
        found: Option<Name>,
        /// What could stand here.
        expected: &'static str,
    },
    /// A string, array or object that is not closed; the span is its opening.
    Unclosed(&'static str),
    /// An escape that means nothing, or half of a surrogate pair.
    Escape(Name),
    /// A control character inside a string.
    Control(char),
    /// A number that is not written as the format wants it.
    Malformed(&'static str),
    /// A number too large to keep.
    TooLarge,
    /// Infinity or not a number.
    NotFinite,
    /// A key that stands twice. In JSON and YAML both definitions are kept and merged, which is worth a warning; in TOML
    /// it is an error.
    Duplicate {
        /// The key.
        name: Name,
        /// Where it stood first.
        first: Span,
    },
    /// A key that is an array, an object or an alias.
    KeyNotText,
    /// A tag of YAML's own that has no meaning here.
    Tag(Name),
    /// A value that is not what its tag says.
    TagMismatch(Name),
    /// An alias of an anchor that stands nowhere before it.
    Anchor,
    /// Aliases of aliases that stand for more values than anything real does.
    Aliases,
    /// `<<` in front of what is no mapping: an ordinary key.
    MergeKey,
    /// What the YAML scanner or the TOML parser says.
    Reader {
        /// The format.
        format: &'static str,
        /// The message.
        message: Name,
    },
    /// More is wrong than is worth saying.
    TooMany,
}

impl Data {
    /// The stable code.
    pub fn code(&self) -> &'static str {
        match self {
            Data::Unexpected { .. } => "data/unexpected",
            Data::Unclosed(_) => "data/unclosed",
            Data::Escape(_) => "data/escape",
            Data::Control(_) => "data/control",
            Data::Malformed(_) | Data::TooLarge | Data::NotFinite => "data/number",
            Data::Duplicate { .. } => "data/duplicate-key",
            Data::KeyNotText => "data/key",
            Data::Tag(_) | Data::TagMismatch(_) => "data/tag",
            Data::Anchor => "data/anchor",
            Data::Aliases => "data/aliases",
            Data::MergeKey => "data/merge-key",
            Data::Reader { .. } => "data/syntax",
            Data::TooMany => "data/too-many",
        }
    }
}
