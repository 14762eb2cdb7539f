//! The prose of every problem, in one place: a [`Problem`] goes in, a [`Report`] comes out. Rendering is in `view`.

mod data;
mod jsonnet;
mod manifest;
mod session;
mod syntax;
mod types;
mod value;

pub use types::reason;

use super::{Kind, Problem, Severity};
use crate::text::{Name, Span};
use crate::ty::Scheme;

/// A problem in words. No layout, no colour.
#[derive(Clone, PartialEq, Debug)]
pub struct Report {
    /// How much it matters.
    pub severity: Severity,
    /// The stable code.
    pub code: &'static str,
    /// One sentence without a full stop.
    pub message: String,
    /// The places, the first is the primary one.
    pub labels: Vec<Label>,
    /// Further facts, a line each.
    pub notes: Vec<String>,
    /// What to do, a line each.
    pub helps: Vec<String>,
    /// Places whose text is secret.
    pub secrets: Vec<Span>,
}

/// How a dialect writes what a report mentions. The dialect table has one for each: a report knows no dialect.
#[derive(Clone, Copy, Debug)]
pub struct Notation {
    /// A type on one line.
    pub ty: fn(&Scheme) -> String,
    /// What it calls the kinds of values.
    pub nouns: &'static Nouns,
}

/// What a dialect calls the kinds of values.
#[derive(Clone, Copy, Debug)]
pub struct Nouns {
    /// What has fields.
    pub record: &'static str,
    /// The same with its article.
    pub a_record: &'static str,
    /// What is said of a field that is not there, before its name.
    pub missing_field: fn(&str) -> String,
    /// What has fields or elements, as a sentence.
    pub indexed: &'static str,
    /// The type of texts, with its article.
    pub a_string: &'static str,
    /// The type of conditions, with its article.
    pub a_boolean: &'static str,
    /// A kind of value, by the name that evaluation has for it: `Array`.
    pub kind: fn(&str) -> &str,
}

/// A place and what there is to say of it.
#[derive(Clone, PartialEq, Debug)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// What there is to say, possibly nothing.
    pub text: String,
}

impl Report {
    /// The prose of a problem, its types in a dialect's notation.
    pub fn of(problem: &Problem, notation: Notation) -> Report {
        let mut report = Report {
            severity: problem.severity,
            code: problem.code(),
            message: String::new(),
            labels: Vec::new(),
            notes: Vec::new(),
            helps: Vec::new(),
            secrets: Vec::new(),
        };
        match &problem.kind {
            Kind::Syntax(s) => syntax::write(s, &mut report),
            Kind::Session(s) => session::write(s, &mut report),
            Kind::Value(v) => value::write(v, notation.nouns, &mut report),
            Kind::Types(t) => types::write(t, notation, &mut report),
            Kind::Manifest(m) => manifest::write(m, &mut report),
        }
        report
    }
}

/// `a`, `a or b`, `a, b or c`
fn alternatives(all: &[Name]) -> String {
    match all {
        [] => String::new(),
        [one] => one.to_string(),
        [init @ .., last] => format!("{} or {last}", init.join(", ")),
    }
}
