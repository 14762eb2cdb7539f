//! What a parser finds wrong: each thing once, and whether more text would mend it.

use super::{Grammar, Parser};
use crate::problem::Problem;
use crate::problem::syntax::{Syntax, SyntaxKind};
use crate::text::{Name, Span};

/// How many problems of one text are reported.
const MAX_FAULTS: usize = 100;

/// A problem, and whether more text at the end would mend it.
struct Fault {
    syntax: Syntax,
    at_end: bool,
}

/// What was found so far.
#[derive(Default)]
pub(super) struct Faults {
    all: Vec<Fault>,
    /// The index of the token at which the last one was found: one is enough.
    last: Option<usize>,
    /// Whether something was found that the input ends in: the end itself is no fault then.
    ended: bool,
}

impl Faults {
    /// Whether all of them stand at the end, and there are any.
    pub fn are_at_the_end(&self) -> bool {
        !self.all.is_empty() && self.all.iter().all(|f| f.at_end)
    }

    /// The first one that does not stand at the end.
    pub fn mistake(&self) -> Option<Span> {
        self.all.iter().find(|f| !f.at_end).map(|f| f.syntax.span)
    }

    pub fn into_problems(self) -> Vec<Problem> {
        self.all.into_iter().map(|f| Problem::error(f.syntax)).collect()
    }

    pub fn is_ended(&self) -> bool {
        self.ended
    }

    /// Nothing from the token on is a fault.
    pub fn end(&mut self, at: usize) {
        self.last = Some(at);
        self.ended = true;
    }

    fn push(&mut self, span: Span, what: SyntaxKind, at_end: bool) {
        if self.all.len() < MAX_FAULTS {
            self.all.push(Fault { syntax: Syntax { span, what }, at_end });
        }
    }
}

impl<G: Grammar> Parser<'_, G> {
    pub fn fault(&mut self, span: Span, what: impl Into<SyntaxKind>) {
        self.faults.push(span, what.into(), false);
    }

    /// Whether the next token was reported.
    pub fn is_reported(&self) -> bool {
        self.faults.last == Some(self.at)
    }

    /// Takes the token of an index for reported.
    pub fn take_for_reported(&mut self, index: usize) {
        self.faults.last = Some(index);
    }

    /// Whether no token was reported yet.
    pub fn has_no_reports(&self) -> bool {
        self.faults.last.is_none()
    }

    /// Reports the next token, once, by what is made of how a message shows it (`None` at the end of the input).
    pub fn report<K: Into<SyntaxKind>>(&mut self, what: impl FnOnce(&Self, Option<Name>) -> K) {
        // one report for tokens in a row: the further ones follow from the first
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

    /// Reports the next token, once, with what could stand there.
    pub fn unexpected(&mut self, expected: &[&'static str]) {
        G::unexpected(self, expected);
    }

    /// Reports something that the input ends in; only the innermost.
    pub fn unclosed(&mut self, what: &'static str, span: Span) {
        if std::mem::replace(&mut self.faults.ended, true) {
            return;
        }
        // what is missing at the end matters less than what was never closed
        self.faults.all.retain(|f| !f.at_end);
        self.faults.push(span, G::unclosed(what), true);
    }

    /// Reports a bracket that is not closed though the input goes on.
    pub(super) fn unclosed_inside(&mut self, what: &'static str, span: Span) {
        self.faults.push(span, G::unclosed(what), false);
        self.faults.last = Some(self.at);
    }

    /// Whether nothing is wrong but at the end.
    pub(super) fn is_fine_so_far(&self) -> bool {
        self.faults.all.iter().all(|f| f.at_end)
    }
}

/// A token as a message shows it.
fn shortened(text: &str) -> Name {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", &text[..end]).into(),
        None => Name::new(text),
    }
}

/// The names of what could stand somewhere.
pub(in crate::dialect) fn expected_names(list: &[&'static str]) -> Vec<Name> {
    list.iter().map(|n| Name::new_static(n)).collect()
}
