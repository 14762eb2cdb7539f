//! Problems as data: codes, spans, ids and copied types; no prose and no live type variables.
//!
//! Each phase has an enum of its own. The private module `report` writes the messages of all of them.

mod by_place;
pub mod data;
pub mod datum;
pub mod manifest;
pub(crate) mod report;
pub mod session;
pub mod syntax;
pub mod types;
pub mod value;

pub(crate) use by_place::ProblemsByPlace;

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
    pub kind: ProblemKind,
}

/// A problem, by the phase that found it.
#[derive(Clone, PartialEq, Debug)]
pub enum ProblemKind {
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
    pub fn error(kind: impl Into<ProblemKind>) -> Problem {
        Problem { severity: Severity::Error, kind: kind.into() }
    }

    /// Creates a warning.
    pub fn warning(kind: impl Into<ProblemKind>) -> Problem {
        Problem { severity: Severity::Warning, kind: kind.into() }
    }

    /// The stable code: `phase/name`.
    pub fn code(&self) -> &'static str {
        match &self.kind {
            ProblemKind::Syntax(s) => s.code(),
            ProblemKind::Session(s) => s.code(),
            ProblemKind::Value(v) => v.code(),
            ProblemKind::Types(t) => t.code(),
            ProblemKind::Manifest(m) => m.code(),
        }
    }

    /// Whether it is a warning about a value in data that other programs read as another one.
    pub fn is_doubt(&self) -> bool {
        match &self.kind {
            ProblemKind::Syntax(syntax) => matches!(
                syntax.what,
                syntax::SyntaxKind::Data(data::DataProblem::OtherValue { .. } | data::DataProblem::LeadingZero { .. })
            ),
            _ => false,
        }
    }

    /// The primary span.
    pub fn span(&self) -> Option<Span> {
        match &self.kind {
            ProblemKind::Syntax(s) => Some(s.span),
            ProblemKind::Session(s) => s.span,
            ProblemKind::Value(v) => v.span(),
            ProblemKind::Types(t) => Some(t.span),
            ProblemKind::Manifest(m) => m.span,
        }
    }
}

impl From<syntax::SyntaxProblem> for ProblemKind {
    fn from(s: syntax::SyntaxProblem) -> ProblemKind {
        ProblemKind::Syntax(s)
    }
}
impl From<session::SessionProblem> for ProblemKind {
    fn from(s: session::SessionProblem) -> ProblemKind {
        ProblemKind::Session(s)
    }
}
impl From<value::ValueProblem> for ProblemKind {
    fn from(v: value::ValueProblem) -> ProblemKind {
        ProblemKind::Value(Box::new(v))
    }
}
impl From<manifest::ExportProblem> for ProblemKind {
    fn from(m: manifest::ExportProblem) -> ProblemKind {
        ProblemKind::Manifest(m)
    }
}
impl From<types::TypeProblem> for ProblemKind {
    fn from(t: types::TypeProblem) -> ProblemKind {
        ProblemKind::Types(Box::new(t))
    }
}

/// Formats a list of parameters: `(a, b=…)`. Each comes with whether it is optional.
pub(crate) fn parameter_list<'a>(params: impl Iterator<Item = (&'a str, bool)>) -> String {
    let params: Vec<String> =
        params.map(|(name, optional)| format!("{name}{}", if optional { "=…" } else { "" })).collect();
    format!("({})", params.join(", "))
}
