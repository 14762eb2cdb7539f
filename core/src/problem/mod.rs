//! Every problem as data: a code, spans, ids and copied types; never prose, never a live variable.
//!
//! Each room that finds problems has its own enum here; [`report`] turns all of them into prose, in one place.

pub mod data;
pub mod datum;
pub mod jsonnet;
pub mod manifest;
pub mod report;
pub mod session;
pub mod syntax;
pub mod types;
pub mod value;

use crate::text::Span;

/// How much a problem matters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Severity {
    /// The result cannot come about.
    Error,
    /// Fails only if something forces it, or breaks the discipline.
    Warning,
    /// Worth knowing.
    Note,
}

/// One problem.
#[derive(Clone, PartialEq, Debug)]
pub struct Problem {
    /// How much it matters.
    pub severity: Severity,
    /// What it is.
    pub kind: Kind,
}

/// What a problem is, by the room that found it.
#[derive(Clone, PartialEq, Debug)]
pub enum Kind {
    /// Found by a lexer, parser or lowering.
    Syntax(syntax::Syntax),
    /// Met by the session: imports, commands, paths.
    Session(session::Session),
    /// Met by evaluation.
    Value(Box<value::Value>),
    /// Found by inference.
    Types(Box<types::Types>),
    /// Met by an export.
    Manifest(manifest::Manifest),
}

impl Problem {
    /// An error.
    pub fn error(kind: impl Into<Kind>) -> Problem {
        Problem { severity: Severity::Error, kind: kind.into() }
    }

    /// A warning.
    pub fn warning(kind: impl Into<Kind>) -> Problem {
        Problem { severity: Severity::Warning, kind: kind.into() }
    }

    /// The stable code: `room/name`.
    pub fn code(&self) -> &'static str {
        match &self.kind {
            Kind::Syntax(s) => s.code(),
            Kind::Session(s) => s.code(),
            Kind::Value(v) => v.code(),
            Kind::Types(t) => t.code(),
            Kind::Manifest(m) => m.code(),
        }
    }

    /// The place that is shown first.
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

impl From<syntax::Syntax> for Kind {
    fn from(s: syntax::Syntax) -> Kind {
        Kind::Syntax(s)
    }
}
impl From<session::Session> for Kind {
    fn from(s: session::Session) -> Kind {
        Kind::Session(s)
    }
}
impl From<value::Value> for Kind {
    fn from(v: value::Value) -> Kind {
        Kind::Value(Box::new(v))
    }
}
impl From<manifest::Manifest> for Kind {
    fn from(m: manifest::Manifest) -> Kind {
        Kind::Manifest(m)
    }
}
impl From<types::Types> for Kind {
    fn from(t: types::Types) -> Kind {
        Kind::Types(Box::new(t))
    }
}
