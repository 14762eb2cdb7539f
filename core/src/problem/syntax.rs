//! Problems found by lexers, parsers and lowerings.

use super::data::DataProblem;
use super::report::Report;
use crate::text::{Name, Span};
use std::any::Any;
use std::fmt;
use std::sync::Arc;

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
    /// An error in a text that is a secret, of which nothing is said.
    Secret,
    /// An unclosed bracket, string or comment. The problem's span is its opening.
    Unclosed(Name),
    /// A reserved word in place of a name.
    Reserved(Name),
    /// An unknown escape sequence.
    Escape(Name),
    /// A number with too many digits or too large an exponent.
    NumberTooLarge,
    /// Too many nested constructs.
    TooDeep {
        /// The limit.
        limit: u32,
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
    /// A problem that only one language has.
    OfLanguage(OfLanguage),
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

/// A kind of problem that only one language has. The folder of the language defines it and its message.
pub trait LanguageProblem: Any + fmt::Debug + Send + Sync {
    /// Returns the stable code.
    fn code(&self) -> &'static str;
    /// Writes the message, the labels, of which the one of `span` comes first, and the suggestions.
    fn write(&self, span: Span, report: &mut Report);
}

/// A [`LanguageProblem`] of any language.
#[derive(Clone)]
pub struct OfLanguage {
    problem: Arc<dyn LanguageProblem>,
    equals: fn(&dyn Any, &dyn Any) -> bool,
}

impl OfLanguage {
    /// Returns the problem.
    pub fn problem(&self) -> &dyn LanguageProblem {
        &*self.problem
    }
}

impl PartialEq for OfLanguage {
    fn eq(&self, other: &OfLanguage) -> bool {
        (self.equals)(&*self.problem, &*other.problem)
    }
}

impl fmt::Debug for OfLanguage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.problem.fmt(f)
    }
}

impl<P: LanguageProblem + PartialEq> From<P> for SyntaxKind {
    fn from(problem: P) -> SyntaxKind {
        let equals = |one: &dyn Any, other: &dyn Any| {
            one.downcast_ref::<P>().is_some_and(|one| other.downcast_ref::<P>() == Some(one))
        };
        SyntaxKind::OfLanguage(OfLanguage { problem: Arc::new(problem), equals })
    }
}

impl SyntaxProblem {
    /// The stable code.
    pub fn code(&self) -> &'static str {
        match &self.what {
            SyntaxKind::Unexpected { .. } => "syntax/unexpected",
            SyntaxKind::Secret => "syntax/secret",
            SyntaxKind::Unclosed(_) => "syntax/unclosed",
            SyntaxKind::Reserved(_) => "syntax/reserved",
            SyntaxKind::Escape(_) => "syntax/escape",
            SyntaxKind::NumberTooLarge => "syntax/number",
            SyntaxKind::TooDeep { .. } => "syntax/too-deep",
            SyntaxKind::Duplicate { .. } => "scope/duplicate",
            SyntaxKind::Unbound { .. } => "scope/unbound",
            SyntaxKind::Data(data) => data.code(),
            SyntaxKind::OfLanguage(own) => own.problem.code(),
        }
    }
}
