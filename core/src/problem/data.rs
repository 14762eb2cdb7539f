//! Problems of data files: JSON, YAML, TOML.

use crate::text::{Name, Span};

/// The kind of problem in a data file.
#[derive(Clone, PartialEq, Debug)]
pub enum DataProblem {
    /// An unexpected token.
    Unexpected {
        /// The token as written. `None` at the end of the input.
        found: Option<Name>,
        /// A description of what is expected.
        expected: &'static str,
    },
    /// An unclosed string, array or object. The problem's span is its opening.
    Unclosed(&'static str),
    /// An unknown escape sequence, or half of a surrogate pair.
    Escape(Name),
    /// A control character inside a string.
    Control(char),
    /// A malformed number.
    Malformed(&'static str),
    /// A number too large to keep.
    TooLarge,
    /// Infinity or NaN.
    NotFinite,
    /// A duplicate key. In JSON and YAML this is a warning, because both definitions are kept and merged; in TOML it is an
    /// error.
    Duplicate {
        /// The key.
        name: Name,
        /// The span of the first occurrence.
        first: Span,
    },
    /// A key that is an array, object or alias.
    KeyNotText,
    /// A standard YAML tag that is not supported.
    Tag(Name),
    /// A value that does not match its tag.
    TagMismatch(Name),
    /// A tag on a key.
    TagOnKey(Name),
    /// An alias without a preceding anchor.
    Anchor {
        /// The name of the alias.
        name: Name,
        /// Similar names of anchors before it, nearest first.
        near: Vec<Name>,
    },
    /// A mistake in YAML whose cause was found.
    Yaml(YamlFault),
    /// Aliases that expand to an unreasonable number of values.
    Aliases,
    /// A `<<` key whose value is not a mapping, and that is treated as an ordinary key.
    MergeKey,
    /// A message of the YAML scanner or the TOML parser.
    Reader {
        /// The format.
        format: &'static str,
        /// The message.
        message: Name,
    },
    /// An option that is not an assignment `path=value`. Holds the reason.
    Assignment(Name),
    /// A value that begins like a list or an object of JSON, but is not JSON and is read as a string.
    ReadAsText,
    /// A reference of a schema that is not in the same file, or leads nowhere.
    SchemaReference(Name),
    /// Data that is not a schema. Holds the reason.
    NotSchema(Name),
    /// Too many problems; the rest is not reported.
    TooMany,
}

/// A frequent mistake in YAML.
#[derive(Clone, PartialEq, Debug)]
pub enum YamlFault {
    /// `{{ … }}`: a template that was not rendered.
    Template,
    /// A line without the `:` between key and value.
    NoColon,
    /// A `:` or `-` that must be followed by a space.
    NoBlank(char),
    /// A second `:` in a value.
    SecondColon,
    /// An unclosed string, bracket or brace. The problem's span is its opening.
    Unclosed(&'static str),
    /// Text after the end of a quoted string.
    AfterString,
    /// An escape sequence in a string that YAML does not know.
    Escape(Name),
    /// A closing bracket without an opening one.
    UnopenedBracket,
    /// A closing bracket of another kind than the opening one.
    WrongClosing {
        /// The bracket that was opened last.
        open: char,
        /// The bracket that closes it.
        found: char,
    },
    /// A key in quotes without the `:` after it, in braces.
    NoColonAfterKey,
    /// A comma without a value before it.
    EmptyItem,
    /// Text after `|` or `>` that is not indented.
    BlockText,
    /// A value that begins with a reserved character.
    Reserved(char),
    /// A tab in the indentation.
    Tab,
    /// A list item among keys, or a key among list items.
    KeysAndItems {
        /// Whether it is the item that is wrong.
        is_item: bool,
    },
    /// A line whose indentation does not belong to any line above it.
    Indent {
        /// Whether it is indented more than the line above it.
        wider: bool,
        /// Its indentation.
        own: u32,
        /// The indentation of the line above it.
        above: u32,
    },
}

impl DataProblem {
    /// The stable code.
    pub fn code(&self) -> &'static str {
        match self {
            DataProblem::Unexpected { .. } => "data/unexpected",
            DataProblem::Unclosed(_) => "data/unclosed",
            DataProblem::Escape(_) => "data/escape",
            DataProblem::Control(_) => "data/control",
            DataProblem::Malformed(_) | DataProblem::TooLarge | DataProblem::NotFinite => "data/number",
            DataProblem::Duplicate { .. } => "data/duplicate-key",
            DataProblem::KeyNotText => "data/key",
            DataProblem::Tag(_) | DataProblem::TagMismatch(_) | DataProblem::TagOnKey(_) => "data/tag",
            DataProblem::Anchor { .. } => "data/anchor",
            DataProblem::Aliases => "data/aliases",
            DataProblem::MergeKey => "data/merge-key",
            DataProblem::Reader { .. } | DataProblem::Yaml(_) => "data/syntax",
            DataProblem::Assignment(_) => "data/assignment",
            DataProblem::ReadAsText => "data/not-json",
            DataProblem::SchemaReference(_) => "data/schema-reference",
            DataProblem::NotSchema(_) => "data/schema",
            DataProblem::TooMany => "data/too-many",
        }
    }
}
