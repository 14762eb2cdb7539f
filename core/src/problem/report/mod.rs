//! The messages of all problems, in one place: turns a [`Problem`] into a [`Report`]. The `view` module renders reports.

mod call;
mod conflict;
mod contract;
mod data;
mod lookalike;
mod manifest;
mod mistakes;
mod origins;
mod session;
mod syntax;
mod types;
mod value;

use crate::term::Prim;
pub(crate) use conflict::TAG;
pub(crate) use lookalike::lookalike;
pub(crate) use syntax::{expected_here, formats, similar, unexpected, was};
use types::ordinal;
pub use types::reason;
pub(crate) use value::article;

use super::types::Why;
use super::{Problem, ProblemKind, Severity};
use crate::text::{Name, Span};
use crate::ty::Scheme;
use std::borrow::Cow;

/// A problem as text, without layout and colour.
#[derive(Clone, PartialEq, Debug)]
pub struct Report {
    /// The severity.
    pub severity: Severity,
    /// The stable code.
    pub code: &'static str,
    /// The message: one sentence without a full stop.
    pub message: String,
    /// The places. The first one is the primary one.
    pub labels: Vec<Label>,
    /// Additional facts, one per line.
    pub notes: Vec<String>,
    /// Suggestions, one per line.
    pub suggestions: Vec<String>,
    /// Spans whose text must not be shown.
    pub secrets: Vec<Span>,
}

/// The way in which a language writes what reports mention. The table of languages has one for each; this module does not
/// depend on a language.
#[derive(Clone, Copy, Debug)]
pub struct Notation {
    /// Prints a type on one line, at least its first 120 columns. A message shows no more.
    pub ty: fn(&Scheme) -> String,
    /// The words for kinds of values.
    pub kind_names: &'static KindNames,
}

/// Returns a type with the mask in place of its secrets.
pub type Mask<'a> = &'a dyn for<'s> Fn(&'s Scheme) -> Cow<'s, Scheme>;

/// The notation of the types in a report, and their mask.
pub(super) struct TypeWriter<'a> {
    notation: Notation,
    mask: Mask<'a>,
}

/// A language's words for kinds of values.
#[derive(Clone, Copy, Debug)]
pub struct KindNames {
    /// Writes an enum tag.
    pub tag: fn(&str) -> String,
    /// The word for a part of it that has a name: "field", "key".
    pub field: &'static str,
    /// The word for a value with fields: "record", "object".
    pub record: &'static str,
    /// The same with its article.
    pub a_record: &'static str,
    /// The message for a missing field, from its name.
    pub missing_field: fn(&str) -> String,
    /// A sentence that says which kinds of values have fields or elements.
    pub indexed: &'static str,
    /// The word for the type of strings, with its article.
    pub a_string: &'static str,
    /// The word for the type of conditions, with its article.
    pub a_boolean: &'static str,
    /// Translates the evaluator's name of a kind of value, for example `Array`.
    pub kind: fn(&str) -> &str,
    /// The spelling of an operator.
    pub operator: fn(Prim) -> &'static str,
    /// Suggests another operator, if an operator was applied to a kind of value for which there is a different one. The
    /// arguments are the operator, and the type or kind of value.
    pub operator_hint: fn(&str, &str) -> Option<&'static str>,
    /// Suggests a fix for two definitions of one field that are not equal. `None` if priorities decide.
    pub equal_hint: Option<&'static str>,
    /// Suggests a fix for a value of this type or kind that is called but is not a function.
    pub call_hint: fn(&str) -> Option<&'static str>,
    /// Suggests how to get at the parts of a value that has no fields, from its type or kind and the field that is asked for.
    pub parts_hint: fn(&str, &str) -> Option<Name>,
    /// Suggests what to do about the message of an operation or a library function that has no result.
    pub failure_hint: fn(&str) -> Option<&'static str>,
    /// Suggests a fix for an unexpected token, from its text and what is expected in its place.
    pub unexpected_hint: fn(&str, &[Name]) -> Option<&'static str>,
    /// Suggests how to define an unbound name that resembles no other.
    pub unbound_hint: fn(&str) -> Option<String>,
    /// Suggests what to do about a field that a record does not have, and to which no name is similar.
    pub absent_hint: fn(&str) -> Option<String>,
    /// Suggests what to do about a field that is a function and is exported.
    pub function_hint: fn(&str) -> String,
    /// Suggests how to read an optional field.
    pub optional_hint: fn(&str) -> Option<String>,
    /// Suggests what to do about a field that is declared and has no value: its name, and whether it is read.
    pub definition_hint: fn(&str, bool) -> Option<String>,
    /// Suggests a fix for a type or kind of value that is not what a construct expects: the construct, what was found, and what was
    /// expected.
    pub reason_hint: fn(&Why, &str, &str) -> Option<Name>,
    /// Whether a field must keep its kind in later layers, so that a message about a change is about kinds.
    pub keeps_kind: bool,
}

/// A span with a message.
#[derive(Clone, PartialEq, Debug)]
pub struct Label {
    /// The span.
    pub span: Span,
    /// The message, possibly empty.
    pub text: String,
}

impl Report {
    /// Writes the report of a problem, with types in a language's notation.
    pub fn of(problem: &Problem, notation: Notation) -> Report {
        Report::masked(problem, notation, &|scheme| Cow::Borrowed(scheme))
    }

    /// Writes the report of a problem, with types as `mask` returns them. A type is masked before it is shortened, so that
    /// the length of a secret does not decide what is cut.
    pub fn masked(problem: &Problem, notation: Notation, mask: Mask<'_>) -> Report {
        let mut report = Report {
            severity: problem.severity,
            code: problem.code(),
            message: String::new(),
            labels: Vec::new(),
            notes: Vec::new(),
            suggestions: Vec::new(),
            secrets: Vec::new(),
        };
        match &problem.kind {
            ProblemKind::Syntax(s) => syntax::write(s, notation.kind_names, &mut report),
            ProblemKind::Session(s) => session::write(s, &mut report),
            ProblemKind::Value(v) => value::write(v, notation.kind_names, &mut report),
            ProblemKind::Types(t) => types::write(t, &TypeWriter { notation, mask }, &mut report),
            ProblemKind::Manifest(m) => manifest::write(m, &mut report),
        }
        report
    }
}

/// Joins names in backticks: "`a`, `b` and `c`".
pub(crate) fn listed(all: &[Name]) -> String {
    let quoted: Vec<String> = all.iter().map(|name| format!("`{name}`")).collect();
    match quoted.as_slice() {
        [init @ .., last] if !init.is_empty() => format!("{} and {last}", init.join(", ")),
        quoted => quoted.concat(),
    }
}

/// Joins alternatives: `a`, `a or b`, `a, b or c`.
pub(crate) fn alternatives(all: &[Name]) -> String {
    match all {
        [] => String::new(),
        [one] => one.to_string(),
        [init @ .., last] => format!("{} or {last}", init.join(", ")),
    }
}
