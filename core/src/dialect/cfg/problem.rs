//! Problems of programs in this language that are found before evaluation.

use super::habit::Habit;
use super::report;
use crate::problem::report::Report;
use crate::problem::syntax::{LanguageProblem, PastInput};
use crate::text::{Name, Span};

/// The kind of problem in a program's text. The problems that all languages have are in
/// [`SyntaxKind`](crate::problem::syntax::SyntaxKind).
#[derive(Clone, PartialEq, Debug)]
pub enum CfgProblem {
    /// An unexpected token.
    Unexpected {
        /// The token as written. `None` at the end of the input.
        found: Option<Name>,
        /// The expected thing, in the user's terms.
        expected: Vec<Name>,
        /// The end of the text before it on its line.
        before: Name,
        /// The last token of an earlier line, after which a comma is missing.
        comma_after: Option<Span>,
    },
    /// An unclosed bracket, string or comment. The problem's span is its opening.
    Unclosed(Name),
    /// A reserved word in place of a name.
    Reserved(Name),
    /// A construct that needs parentheses in this place: `1 + fun x => x`.
    NeedsParentheses(Name),
    /// An expression that needs parentheses after a word of metadata: `| when x == 1`.
    OperandNeedsParentheses(Name),
    /// The value of a field after `| secret` without `=` between them, or with `==`. Holds the field.
    NoEquals(Name),
    /// An unknown escape sequence.
    Escape(Name),
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
    /// A name that is not bound in all alternatives of an `or` pattern.
    OrPattern(Name),
    /// A tail `; r` on a record that is not a record type.
    RecordTail,
    /// A tail `; r` whose name is not bound by a `forall`.
    UnboundTail(Name),
    /// The import of a package: `import name`.
    Package(Name),
    /// `import … as 'Format` of an unknown format.
    ImportFormat {
        /// The format as written.
        name: Name,
        /// The formats that are known.
        known: Vec<Name>,
    },
    /// One of Nickel's internal operations.
    Internal(Name),
    /// A tag that ends in a quote, as if it were a string: `'text'`.
    SingleQuotes(Name),
    /// Syntax of another language.
    Habit(Habit),
    /// `a.b = e` where only a name can be bound.
    PathBinding,
    /// A string with `${x}`, which inserts nothing. Holds the path that is in scope.
    Dollar(Name),
    /// An unbound name.
    Unbound {
        /// The name.
        name: Name,
        /// Similar names in scope, nearest first.
        near: Vec<Name>,
        /// A field with that name elsewhere in the text, which is not in scope.
        field: Option<Span>,
        /// The binding without `rec` whose value it is in, if that binds the name.
        itself: Option<OwnBinding>,
        /// Whether it is in a type annotation.
        is_type: bool,
        /// If the name is that of a result, `$4`: information about that input.
        past: Option<Box<PastInput>>,
    },
}

/// A binding without `rec` whose own value has its name.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct OwnBinding {
    /// The name.
    pub place: Span,
    /// Whether the value is a function, which could call itself.
    pub is_function: bool,
}

impl LanguageProblem for CfgProblem {
    fn code(&self) -> &'static str {
        match self {
            CfgProblem::Unexpected { .. } | CfgProblem::NoEquals(_) => "syntax/unexpected",
            CfgProblem::Unclosed(_) => "syntax/unclosed",
            CfgProblem::Reserved(_) => "syntax/reserved",
            CfgProblem::NeedsParentheses(_) | CfgProblem::OperandNeedsParentheses(_) => "syntax/parentheses",
            CfgProblem::Escape(_) => "syntax/escape",
            CfgProblem::Priorities { .. } => "syntax/priorities",
            CfgProblem::Metadata { .. } => "syntax/metadata",
            CfgProblem::OrPattern(_) => "scope/or-pattern",
            CfgProblem::RecordTail => "syntax/record-tail",
            CfgProblem::UnboundTail(_) => "scope/unbound-tail",
            CfgProblem::Package(_) => "syntax/package",
            CfgProblem::ImportFormat { .. } => "syntax/import-format",
            CfgProblem::Internal(_) => "syntax/internal",
            CfgProblem::SingleQuotes(_) => "syntax/quotes",
            CfgProblem::Habit(habit) => habit.code(),
            CfgProblem::PathBinding => "syntax/path-binding",
            CfgProblem::Dollar(_) => "syntax/dollar",
            CfgProblem::Unbound { .. } => "scope/unbound",
        }
    }

    fn write(&self, span: Span, report: &mut Report) {
        report::write(self, span, report);
    }
}
