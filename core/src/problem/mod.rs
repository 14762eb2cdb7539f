//! Problems as data: codes, spans, ids and copied types; no prose and no live type variables.
//!
//! Each phase has an enum of its own. The private module `report` writes the messages of all of them.

pub mod data;
pub mod datum;
pub mod manifest;
pub(crate) mod report;
pub mod session;
pub mod syntax;
pub mod types;
pub mod value;

use crate::text::Span;

/// The severity of a problem.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Severity {
    /// The result cannot be computed.
    Error,
    /// The result can be computed, but something fails if it is needed, or is bad style.
    Warning,
    /// A fact worth knowing.
    Note,
}

/// A problem.
#[derive(Clone, PartialEq, Debug)]
pub struct Problem {
    /// The severity.
    pub severity: Severity,
    /// The problem itself.
    pub kind: Kind,
}

/// A problem, by the phase that found it.
#[derive(Clone, PartialEq, Debug)]
pub enum Kind {
    /// Found by a lexer, parser or lowering.
    Syntax(syntax::SyntaxProblem),
    /// Found by the session: imports, commands, paths.
    Session(session::SessionProblem),
    /// Found by evaluation.
    Value(Box<value::ValueProblem>),
    /// Found by inference.
    Types(Box<types::TypeProblem>),
    /// Found by an export.
    Manifest(manifest::ExportProblem),
}

impl Problem {
    /// Creates an error.
    pub fn error(kind: impl Into<Kind>) -> Problem {
        Problem { severity: Severity::Error, kind: kind.into() }
    }

    /// Creates a warning.
    pub fn warning(kind: impl Into<Kind>) -> Problem {
        Problem { severity: Severity::Warning, kind: kind.into() }
    }

    /// The stable code: `phase/name`.
    pub fn code(&self) -> &'static str {
        match &self.kind {
            Kind::Syntax(s) => s.code(),
            Kind::Session(s) => s.code(),
            Kind::Value(v) => v.code(),
            Kind::Types(t) => t.code(),
            Kind::Manifest(m) => m.code(),
        }
    }

    /// The primary span.
    pub fn span(&self) -> Option<Span> {
        match &self.kind {
            Kind::Syntax(s) => Some(s.span),
            Kind::Session(s) => s.span,
            Kind::Value(v) => v.span(),
            Kind::Types(t) => Some(t.span),
            Kind::Manifest(m) => m.span,
        }
    }
}

impl From<syntax::SyntaxProblem> for Kind {
    fn from(s: syntax::SyntaxProblem) -> Kind {
        Kind::Syntax(s)
    }
}
impl From<session::SessionProblem> for Kind {
    fn from(s: session::SessionProblem) -> Kind {
        Kind::Session(s)
    }
}
impl From<value::ValueProblem> for Kind {
    fn from(v: value::ValueProblem) -> Kind {
        Kind::Value(Box::new(v))
    }
}
impl From<manifest::ExportProblem> for Kind {
    fn from(m: manifest::ExportProblem) -> Kind {
        Kind::Manifest(m)
    }
}
impl From<types::TypeProblem> for Kind {
    fn from(t: types::TypeProblem) -> Kind {
        Kind::Types(Box::new(t))
    }
}
