//! The errors of a parser. Each error is reported once, together with whether more text could fix it.

use super::{Grammar, Parser};
use crate::problem::Problem;
use crate::problem::syntax::{SyntaxKind, SyntaxProblem};
use crate::text::{Name, Span};

/// Maximum number of reported problems per text.
const MAX_FAULTS: usize = 100;

/// A problem, and whether more text at the end could fix it.
struct FoundProblem {
    syntax: SyntaxProblem,
    at_end: bool,
}

/// The errors found so far.
#[derive(Default)]
pub(super) struct Faults {
    all: Vec<FoundProblem>,
    /// The index of the token at the last error. A second error at the same token is not reported.
    last: Option<usize>,
    /// Whether an unclosed construct was reported, so that the unexpected end is not reported too.
    ended: bool,
}

impl Faults {
    /// Returns `true` if there are errors and all of them are at the end.
    pub fn are_at_the_end(&self) -> bool {
        !self.all.is_empty() && self.all.iter().all(|f| f.at_end)
    }

    /// Returns the first error that is not at the end.
    pub fn mistake(&self) -> Option<Span> {
        self.all.iter().find(|f| !f.at_end).map(|f| f.syntax.span)
    }

    pub fn into_problems(self) -> Vec<Problem> {
        self.all.into_iter().map(|f| Problem::error(f.syntax)).collect()
    }

    pub fn is_ended(&self) -> bool {
        self.ended
    }

    /// Suppresses all errors from the token `at` on.
    pub fn end(&mut self, at: usize) {
        self.last = Some(at);
        self.ended = true;
    }

    fn push(&mut self, span: Span, what: SyntaxKind, at_end: bool) {
        if self.all.len() < MAX_FAULTS {
            self.all.push(FoundProblem { syntax: SyntaxProblem { span, what }, at_end });
        }
    }
}

impl<G: Grammar> Parser<'_, G> {
    pub fn fault(&mut self, span: Span, what: impl Into<SyntaxKind>) {
        self.faults.push(span, what.into(), false);
    }

    /// Returns `true` if the next token was already reported.
    pub fn is_reported(&self) -> bool {
        self.faults.last == Some(self.at)
    }

    /// Treats a token as already reported.
    pub fn take_for_reported(&mut self, index: usize) {
        self.faults.last = Some(index);
    }

    /// Returns `true` if no token was reported yet.
    pub fn has_no_reports(&self) -> bool {
        self.faults.last.is_none()
    }

    /// Reports the next token, once. `what` gets its text for messages, or `None` at the end of the input.
    pub fn report<K: Into<SyntaxKind>>(&mut self, what: impl FnOnce(&Self, Option<Name>) -> K) {
        // errors at adjacent tokens are usually consequences of the first
        let follows = self.faults.last.is_some_and(|at| at == self.at || at + 1 == self.at);
        self.faults.last = Some(self.at);
        let at_end = self.is_at_end();
        if follows || (at_end && self.faults.ended) {
            return;
        }
        let found = (!at_end).then(|| shortened(self.slice(self.token)));
        let what = what(self, found).into();
        self.faults.push(self.here(), what, at_end);
    }

    /// Reports the next token, once, with what is expected.
    pub fn unexpected(&mut self, expected: &[&'static str]) {
        G::unexpected(self, expected);
    }

    /// Reports a construct that is unclosed at the end of input. Only the innermost one is reported.
    pub fn unclosed(&mut self, what: &'static str, span: Span) {
        if std::mem::replace(&mut self.faults.ended, true) {
            return;
        }
        // the report of the unclosed construct is better than one of the token that is missing at the end
        self.faults.all.retain(|f| !f.at_end);
        self.faults.push(span, G::unclosed(what), true);
    }

    /// Reports an unclosed bracket before the end of the input.
    pub(super) fn unclosed_inside(&mut self, what: &'static str, span: Span) {
        self.faults.push(span, G::unclosed(what), false);
        self.faults.last = Some(self.at);
    }

    /// Returns `true` if the only errors are at the end.
    pub(super) fn is_fine_so_far(&self) -> bool {
        self.faults.all.iter().all(|f| f.at_end)
    }
}

/// Shortens the text of a token for messages.
fn shortened(text: &str) -> Name {
    let end = text.char_indices().nth(40).map(|(end, _)| end);
    match end.into_iter().chain(text.find(['\n', '\r'])).min() {
        Some(end) => format!("{}…", &text[..end]).into(),
        None => Name::new(text),
    }
}

/// Converts descriptions of expected tokens.
pub(in crate::dialect) fn expected_names(list: &[&'static str]) -> Vec<Name> {
    list.iter().map(|n| Name::new_static(n)).collect()
}
