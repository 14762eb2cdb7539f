//! Problems found by lexers, parsers and lowerings.

use super::data::DataProblem;
use super::jsonnet::JsonnetProblem;
use crate::text::{Name, Span};

/// A problem in a program's text.
#[derive(Clone, PartialEq, Debug)]
pub struct SyntaxProblem {
    /// Its span.
    pub span: Span,
    /// Its kind.
    pub what: SyntaxKind,
}

/// The kind of problem in a program's text.
#[derive(Clone, PartialEq, Debug)]
pub enum SyntaxKind {
    /// An unexpected token.
    Unexpected {
        /// The token as written. `None` at the end of the input.
        found: Option<Name>,
        /// The expected thing, in the user's terms.
        expected: Vec<Name>,
    },
    /// An unclosed bracket, string or comment. The problem's span is its opening.
    Unclosed(Name),
    /// A reserved word in place of a name.
    Reserved(Name),
    /// A construct that needs parentheses in this place: `1 + fun x => x`.
    NeedsParentheses(Name),
    /// An expression that needs parentheses after a word of metadata: `| when x == 1`.
    OperandNeedsParentheses(Name),
    /// An unknown escape sequence.
    Escape(Name),
    /// A number with too many digits or too large an exponent.
    NumberTooLarge,
    /// Too many nested constructs.
    TooDeep {
        /// The limit.
        limit: u32,
    },
    /// More than one priority in one definition of a field.
    Priorities {
        /// The field.
        field: Name,
        /// The span of the first priority.
        first: Span,
    },
    /// Field metadata on something that is not a field.
    Metadata {
        /// The annotation: `doc`, `default`, ….
        word: Name,
        /// A description of what it is attached to: `an expression`, `a let`, ….
        on: Name,
    },
    /// A name that is bound twice.
    Duplicate {
        /// The name.
        name: Name,
        /// The kind of thing: `field`, `binding`, ….
        what: Name,
        /// The span of the first occurrence.
        first: Span,
    },
    /// A name that is not bound in all alternatives of an `or` pattern.
    OrPattern(Name),
    /// A tail `; r` on a record that is not a record type.
    RecordTail,
    /// A tail `; r` whose name is not bound by a `forall`.
    UnboundTail(Name),
    /// The import of a package: `import name`.
    Package(Name),
    /// `import … as 'Format` of an unknown format.
    ImportFormat(Name),
    /// One of Nickel's internal operations.
    Internal(Name),
    /// `a.b = e` where only a name can be bound.
    PathBinding,
    /// An unbound name.
    Unbound {
        /// The name.
        name: Name,
        /// Similar names in scope, nearest first.
        near: Vec<Name>,
        /// A field with that name elsewhere in the text, which is not in scope.
        field: Option<Span>,
        /// If the name is that of a result, `$4`: information about that input.
        past: Option<Box<PastInput>>,
    },
    /// A problem in a data file.
    Data(DataProblem),
    /// A problem in a Jsonnet program.
    Jsonnet(JsonnetProblem),
}

/// Information about an input of the session that has no result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PastInput {
    /// Its number.
    pub number: u32,
    /// The names that it defined. Empty if it failed, was undone or never existed.
    pub defined: Vec<Name>,
    /// Whether those names have been redefined since.
    pub redefined: bool,
}

impl From<JsonnetProblem> for SyntaxKind {
    fn from(what: JsonnetProblem) -> SyntaxKind {
        SyntaxKind::Jsonnet(what)
    }
}

impl SyntaxProblem {
    /// The stable code.
    pub fn code(&self) -> &'static str {
        match &self.what {
            SyntaxKind::Unexpected { .. } => "syntax/unexpected",
            SyntaxKind::Unclosed(_) => "syntax/unclosed",
            SyntaxKind::Reserved(_) => "syntax/reserved",
            SyntaxKind::NeedsParentheses(_) | SyntaxKind::OperandNeedsParentheses(_) => "syntax/parentheses",
            SyntaxKind::Escape(_) => "syntax/escape",
            SyntaxKind::NumberTooLarge => "syntax/number",
            SyntaxKind::TooDeep { .. } => "syntax/too-deep",
            SyntaxKind::Priorities { .. } => "syntax/priorities",
            SyntaxKind::Metadata { .. } => "syntax/metadata",
            SyntaxKind::Duplicate { .. } => "scope/duplicate",
            SyntaxKind::OrPattern(_) => "scope/or-pattern",
            SyntaxKind::RecordTail => "syntax/record-tail",
            SyntaxKind::UnboundTail(_) => "scope/unbound-tail",
            SyntaxKind::Package(_) => "syntax/package",
            SyntaxKind::ImportFormat(_) => "syntax/import-format",
            SyntaxKind::Internal(_) => "syntax/internal",
            SyntaxKind::PathBinding => "syntax/path-binding",
            SyntaxKind::Unbound { .. } => "scope/unbound",
            SyntaxKind::Data(data) => data.code(),
            SyntaxKind::Jsonnet(jsonnet) => jsonnet.code(),
        }
    }
}
