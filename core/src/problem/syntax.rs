//! Problems of lexers, parsers and lowerings.

use super::data::Data;
use super::jsonnet::Jsonnet;
use crate::text::{Name, Span};

/// A problem of a program's text.
#[derive(Clone, PartialEq, Debug)]
pub struct Syntax {
    /// Where it is.
    pub span: Span,
    /// What it is.
    pub what: SyntaxKind,
}

/// What is wrong with a program's text.
#[derive(Clone, PartialEq, Debug)]
pub enum SyntaxKind {
    /// A token that cannot stand here.
    Unexpected {
        /// The token as written; `None` at the end of the input.
        found: Option<Name>,
        /// What could stand here, as the user would name it.
        expected: Vec<Name>,
    },
    /// A bracket, string or comment that is not closed; the span is its opening.
    Unclosed(Name),
    /// A reserved word where a name is wanted.
    Reserved(Name),
    /// A construct that may stand here only in parentheses: `1 + fun x => x`.
    NeedsParentheses(Name),
    /// What follows a word of metadata may stand there only in parentheses: `| when x == 1`.
    OperandNeedsParentheses(Name),
    /// An escape sequence that means nothing.
    Escape(Name),
    /// A number whose digits or exponent are beyond any sense.
    NumberTooLarge,
    /// Constructs within constructs beyond the limit.
    TooDeep {
        /// The limit.
        limit: u32,
    },
    /// More than one priority on one definition of a field.
    Priorities {
        /// The field.
        field: Name,
        /// The priority written first.
        first: Span,
    },
    /// Metadata of fields on something that is not a field.
    Metadata {
        /// The annotation: `doc`, `default`, ….
        word: Name,
        /// What it stands on: `an expression`, `a let`, ….
        on: Name,
    },
    /// A name bound twice where it can be bound once.
    Duplicate {
        /// The name.
        name: Name,
        /// What is doubled: `field`, `binding`, ….
        what: Name,
        /// The first place.
        first: Span,
    },
    /// An alternative of an `or` pattern does not bind a name that another one binds.
    OrPattern(Name),
    /// A tail `; r` on a record that is not a record type.
    RecordTail,
    /// A tail `; r` of a name that no `forall` binds.
    UnboundTail(Name),
    /// `import name`: a package.
    Package(Name),
    /// `import … as 'Format` of an unknown format.
    ImportFormat(Name),
    /// One of Nickel's internal operations.
    Internal(Name),
    /// `a.b = e` where only a name can be bound.
    PathBinding,
    /// A name that nothing binds, with near ones.
    Unbound {
        /// The name.
        name: Name,
        /// Names in scope that are near, the nearest first.
        near: Vec<Name>,
        /// A field of that name somewhere else in the same text, which is not in scope here.
        field: Option<Span>,
        /// Where the name is a result's, `$4`: what that input was.
        past: Option<Box<Past>>,
    },
    /// Something wrong with a data file.
    Data(Data),
    /// Something wrong with a Jsonnet program.
    Jsonnet(Jsonnet),
}

/// What an input of a session was that gave no result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Past {
    /// Its number.
    pub number: u32,
    /// What it defined; nothing: it failed, is undone, or never was.
    pub defined: Vec<Name>,
    /// Whether that has been defined anew since.
    pub anew: bool,
}

impl From<Jsonnet> for SyntaxKind {
    fn from(what: Jsonnet) -> SyntaxKind {
        SyntaxKind::Jsonnet(what)
    }
}

impl Syntax {
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
