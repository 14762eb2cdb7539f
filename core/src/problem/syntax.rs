//! Problems of lexers, parsers and lowerings.

use super::data::Data;
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
    /// A name that nothing binds, with near ones.
    Unbound {
        /// The name.
        name: Name,
        /// Names in scope that are near, the nearest first.
        near: Vec<Name>,
    },
    /// Something wrong with a data file.
    Data(Data),
}

impl Syntax {
    /// The stable code.
    pub fn code(&self) -> &'static str {
        match &self.what {
            SyntaxKind::Unexpected { .. } => "syntax/unexpected",
            SyntaxKind::Unclosed(_) => "syntax/unclosed",
            SyntaxKind::Unbound { .. } => "scope/unbound",
            SyntaxKind::Data(data) => data.code(),
        }
    }
}
