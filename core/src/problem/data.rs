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
        /// The mistake, if it was recognized.
        mistake: Option<DataMistake>,
    },
    /// A mistake that has a message of its own.
    Mistake(DataMistake),
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
    /// A duplicate key. In JSON and YAML this is a warning if the values can be merged; otherwise, and in TOML, it is an error.
    Duplicate {
        /// The key.
        name: Name,
        /// The span of the first occurrence.
        first: Span,
        /// Whether both values are kept and merged.
        merged: bool,
    },
    /// A number that begins with `0`, which readers of YAML 1.1 read as another value.
    LeadingZero {
        /// The number as written.
        written: Name,
        /// Its value, in decimal notation.
        value: Name,
        /// Its value as an octal number. `None` if it has a digit that octal numbers do not have.
        octal: Option<u64>,
    },
    /// A text without quotes that readers of YAML 1.1 read as a boolean or a number.
    OtherValue {
        /// The text as written.
        written: Name,
        /// The value in YAML 1.1.
        value: Name,
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
    /// An alias inside of its own anchor, without a key in between: `&x [*x]`.
    SelfAlias,
    /// A mistake in YAML whose cause was found.
    Yaml(YamlFault),
    /// Aliases that expand to an unreasonable number of values.
    Aliases,
    /// A `<<` key whose value is not a mapping, and that is treated as an ordinary key.
    MergeKey,
    /// A key of TOML that is defined again as something else.
    Redefined {
        /// The key.
        name: Name,
        /// The definition that cannot be extended.
        first: Span,
        /// The two definitions.
        what: Redefinition,
    },
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
    /// A key of an object of Kubernetes that is almost one that such objects have.
    MisspeltKey {
        /// The key.
        name: Name,
        /// The key that is missing.
        meant: &'static str,
    },
    /// Lines of YAML that are one text, because no space follows their colons.
    NoSpaceAfterColon,
    /// Lines of YAML that are one text, because no space follows their dashes.
    NoSpaceAfterDash,
    /// A line of YAML that begins with `-` but continues the text of the line above.
    ContinuedByDash,
    /// A reference of a schema that is not in the same file, or leads nowhere.
    SchemaReference(Name),
    /// Data that is not a schema. Holds the reason.
    NotSchema {
        /// The reason.
        why: Name,
        /// The way to correct it.
        help: Option<Name>,
    },
    /// A part of a schema that is missing, or that is not checked.
    SchemaPart {
        /// The message.
        message: Name,
        /// The text at the place.
        label: &'static str,
        /// The way to correct it.
        help: Option<Name>,
    },
    /// A key of a schema that is no keyword, with almost the name of one.
    UnknownKeyword {
        /// The key.
        name: Name,
        /// The keyword.
        meant: &'static str,
    },
    /// Too many problems; the rest is not reported.
    TooMany,
}

/// The forms of two definitions of a key in TOML.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Redefinition {
    /// Two tables, `[a]` and `[a]`.
    Tables,
    /// `[a]` after `[[a]]`.
    TableAfterList,
    /// `[[a]]` after `[a]`.
    ListAfterTable,
    /// A table, and a value that cannot be extended.
    Other,
}

/// A frequent mistake in JSON or TOML.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DataMistake {
    /// `{{ … }}`: a template that was not rendered.
    Template,
    /// The marker of a conflict that a version control system left.
    ConflictMarker,
    /// A comment in the syntax of another language. Holds the sign with which a comment begins here, if there are comments.
    Comment(Option<char>),
    /// A file without a value.
    Empty,
    /// No comma between two fields or elements.
    MissingComma,
    /// A comma after the last field or element.
    TrailingComma,
    /// A comma without anything before it.
    ExtraComma,
    /// Another sign in place of the one between a key and its value. Holds the right one.
    Sign(char),
    /// No sign between a key and its value. Holds the sign.
    MissingSign(char),
    /// Another sign than `=` after the name of a variable.
    Variable,
    /// A key without a value. Holds the sign between both.
    NoValue(char),
    /// A value without a key. Holds the sign between both.
    NoKey(char),
    /// A `;` or another sign that nothing needs.
    ExtraSign,
    /// Single quotes where double quotes are needed.
    SingleQuotes,
    /// Typographic quotes, or backquotes.
    OtherQuotes,
    /// A no-break space.
    Blank,
    /// Text without quotes.
    Unquoted,
    /// A key that needs quotes.
    UnquotedKey,
    /// `True`, `FALSE`.
    LowerCase,
    /// `yes` or `on`.
    Boolean,
    /// `None`, `undefined`: in a format that has `null`.
    Null,
    /// `null` in a format that has none.
    NoNull,
    /// `NaN`, `Infinity`.
    NotFinite,
    /// `.5`, `1.`
    Point,
    /// `1,5`
    DecimalComma,
    /// `+1`
    PlusSign,
    /// `0xff`, `1_000` in a format without them.
    Notation,
    /// `007`
    LeadingZero,
    /// `1_000_`
    Underscore,
    /// `10MB`, `1.2.3`: text that begins like a number.
    NumberText,
    /// A date or time in another form.
    Date,
    /// An expression, a call or a variable.
    Expression,
    /// Text after the end of a string, as in `"say "hi""`.
    AfterString,
    /// Text after a value in quotes, where a value ends with its line.
    QuotedLine,
    /// A string that goes on in the next line.
    LineEnd,
    /// A closing bracket of another kind than the opening one. Holds the bracket that closes it.
    WrongClosing(char),
    /// A closing bracket that nothing opens.
    Unopened,
    /// More than one value.
    SeveralValues,
    /// `"a": 1` without braces around it.
    NoBraces,
    /// Two keys on one line.
    TwoOnLine,
    /// The key of a table with signs that need quotes.
    HeaderName,
    /// A header without a name, or with an empty part.
    EmptyName,
    /// Text after a header.
    AfterHeader,
    /// A header that is not closed. Holds the brackets that are missing.
    Header(&'static str),
    /// `key:` or `- item`, as in YAML.
    Yaml,
}

/// A frequent mistake in YAML.
#[derive(Clone, PartialEq, Debug)]
pub enum YamlFault {
    /// `{{ … }}`: a template that was not rendered.
    Template,
    /// The marker of a conflict that a version control system left.
    ConflictMarker,
    /// A line without the `:` between key and value.
    NoColon {
        /// Whether the line above it is an item of a list.
        after_item: bool,
    },
    /// `key = value`
    Equals,
    /// A `,` or `;` after a value in quotes.
    AfterValue(char),
    /// No comma between two pairs in braces, or two elements in brackets.
    NoComma,
    /// `args: - a`
    ListOnKeyLine,
    /// `- item` in braces or brackets.
    ItemInBraces,
    /// Text after a closing bracket.
    AfterBracket,
    /// `a: 1, b: 2`: a comma between two keys outside of braces.
    CommaBetweenKeys,
    /// Text after `|` or `>`.
    AfterIndicator,
    /// A key on the line of `---`.
    AfterMarker,
    /// A directive that no `---` follows.
    Directive,
    /// A header of a table, as in TOML.
    Table,
    /// `"key:" value`
    ColonInside,
    /// A line of a text in quotes that is not indented more than its key.
    StringIndent,
    /// A line of a block of text that is indented less than its first line.
    BlockIndent,
    /// `&` or `*` without a name.
    NoName(char),
    /// A `:` or `-` that must be followed by a space.
    NoBlank(char),
    /// A second `:` in a value.
    SecondColon {
        /// Whether there are double quotes in the value.
        has_quotes: bool,
    },
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
        /// The nearest indentation that it may have, and the key with it; `-` for the item of a list.
        level: Option<(u32, Name)>,
    },
}

impl DataProblem {
    /// The stable code.
    pub fn code(&self) -> &'static str {
        match self {
            DataProblem::Unexpected { .. } => "data/unexpected",
            DataProblem::Mistake(_) => "data/syntax",
            DataProblem::Unclosed(_) => "data/unclosed",
            DataProblem::Escape(_) => "data/escape",
            DataProblem::Control(_) => "data/control",
            DataProblem::Malformed(_) | DataProblem::TooLarge | DataProblem::NotFinite => "data/number",
            DataProblem::Duplicate { .. } | DataProblem::Redefined { .. } => "data/duplicate-key",
            DataProblem::KeyNotText => "data/key",
            DataProblem::LeadingZero { .. } => "data/leading-zero",
            DataProblem::OtherValue { .. } => "data/other-value",
            DataProblem::Tag(_) | DataProblem::TagMismatch(_) | DataProblem::TagOnKey(_) => "data/tag",
            DataProblem::Anchor { .. } => "data/anchor",
            DataProblem::Aliases => "data/aliases",
            DataProblem::SelfAlias => "data/self-alias",
            DataProblem::MergeKey => "data/merge-key",
            DataProblem::Reader { .. } | DataProblem::Yaml(_) => "data/syntax",
            DataProblem::Assignment(_) => "data/assignment",
            DataProblem::ReadAsText => "data/not-json",
            DataProblem::MisspeltKey { .. } => "data/similar-key",
            DataProblem::ContinuedByDash => "data/continued-text",
            DataProblem::NoSpaceAfterColon | DataProblem::NoSpaceAfterDash => "data/no-space",
            DataProblem::SchemaReference(_) => "data/schema-reference",
            DataProblem::NotSchema { .. } | DataProblem::SchemaPart { .. } => "data/schema",
            DataProblem::UnknownKeyword { .. } => "data/keyword",
            DataProblem::TooMany => "data/too-many",
        }
    }
}
