//! The errors of a parser. Each error is reported once, together with whether more text could fix it.

use super::{Bracket, Declared, Grammar, Parser, TokenKind};
use crate::problem::Problem;
use crate::problem::syntax::{SyntaxKind, SyntaxProblem};
use crate::text::{Name, Span};

/// Maximum number of reported problems per text.
const MAX_FAULTS: usize = 100;
/// Maximum number of tokens of a line that are searched for a quote in a string.
const LINE_TOKENS: usize = 200;

/// A problem, and whether more text at the end could fix it.
struct FoundProblem {
    syntax: SyntaxProblem,
    at_end: bool,
    /// Whether it is about an unexpected token.
    unexpected: bool,
}

/// The errors found so far.
#[derive(Default)]
pub(super) struct Faults {
    all: Vec<FoundProblem>,
    /// The index of the token at the last error. A second error at the same token is not reported.
    last: Option<usize>,
    /// Whether an unclosed construct was reported, so that the unexpected end is not reported too.
    ended: bool,
    /// The place of the last unexpected token, reported or not. Others on its line usually follow from it.
    line: Option<u32>,
    /// Whether a string was closed at the wrong place, so that nothing after it can be understood.
    broken: bool,
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
            self.all.push(FoundProblem { syntax: SyntaxProblem { span, what }, at_end, unexpected: false });
        }
    }
}

impl<G: Grammar> Parser<'_, G> {
    pub fn fault(&mut self, span: Span, what: impl Into<SyntaxKind>) {
        self.faults.push(span, what.into(), false);
    }

    /// Reports a problem after which the text cannot be understood, and skips to the end.
    pub fn fault_and_stop(&mut self, span: Span, what: impl Into<SyntaxKind>) {
        if !self.faults.broken {
            self.fault(span, what);
        }
        self.faults.broken = true;
        self.give_up();
    }

    /// Returns `true` if the next token was already reported.
    pub fn is_reported(&self) -> bool {
        self.faults.last == Some(self.at)
    }

    /// Treats a token as already reported.
    pub fn take_for_reported(&mut self, index: usize) {
        self.faults.last = Some(index);
    }

    /// Returns `true` if the token with an index, or a later one, was reported.
    pub fn is_reported_since(&self, index: usize) -> bool {
        self.faults.last.is_some_and(|last| last >= index)
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
        let here = self.here();
        let line = self.faults.line.replace(here.start).map(|line| line as usize);
        let same_line = line.is_some_and(|line| {
            !self.text.get(line..here.start as usize).is_some_and(|between| between.contains('\n'))
        });
        if follows || same_line || self.faults.broken || (at_end && self.faults.ended) {
            return;
        }
        let found = (!at_end).then(|| shortened(self.slice(self.token)));
        let what = what(self, found).into();
        let flips = self.flips_quotes(self.at);
        if let Some(open) = self.broken_string(self.at).filter(|_| !flips) {
            return self.unclosed_before(open);
        }
        self.faults.push(here, what, at_end);
        if let Some(fault) = self.faults.all.last_mut() {
            fault.unexpected = true;
        }
        if flips {
            // all strings after it begin where others end
            self.faults.all.retain(|f| !f.at_end || f.unexpected);
            self.faults.broken = true;
            self.faults.ended = true;
        }
    }

    /// Returns `true` if a token is a word that follows a string without a blank, and an odd number of quotes follows on its line: the
    /// word belongs to the string, `'Don't run this'`. O(the line)
    fn flips_quotes(&self, index: usize) -> bool {
        let found = || {
            let (before, token) = (self.tokens.get(index.checked_sub(1)?)?, self.tokens.get(index)?);
            let quote = self.slice(*before).chars().next_back().filter(|c| matches!(c, '"' | '\''))?;
            let line = self.text.get(token.start as usize..)?.lines().next()?;
            let is_word =
                G::QUOTED.contains(&before.kind) && before.end == token.start && line.starts_with(char::is_alphabetic);
            Some(is_word && line.matches(quote).count() % 2 == 1)
        };
        found().unwrap_or(false)
    }

    /// Reports a token before the next one, which is where something is missing.
    pub fn report_at(&mut self, index: usize, what: impl Into<SyntaxKind>) {
        let Some(token) = self.tokens.get(index).copied() else { return };
        let span = self.span_of(token);
        if !self.faults.broken {
            // an unexpected token after it is a consequence
            self.faults.all.retain(|f| !f.unexpected || f.syntax.span.start < span.start);
            self.faults.push(span, what.into(), false);
        }
        self.faults.line = Some(span.start);
    }

    /// Returns the first token of an expression that begins a line after another expression: `1⏎x` in `let a = 1⏎x`. Looks
    /// from a token to the next one, outside of brackets. `O(tokens)`
    pub fn second_line(&self, from: usize) -> Option<usize> {
        let mut inner = 0u32;
        for index in from + 1..self.at {
            let (before, token) = (self.tokens.get(index - 1)?, self.tokens.get(index)?);
            if before.kind.opens().is_some() {
                inner += 1;
            }
            if token.kind.closes().is_some() {
                inner = inner.saturating_sub(1);
                continue;
            }
            let ends = before.kind.closes().is_some()
                || self.slice(*before).ends_with(['"', '\''])
                || before.kind.starts_term() && !before.kind.is_reserved() && before.kind.opens().is_none();
            let gap = self.text.get(before.end as usize..token.start as usize)?;
            if inner == 0 && ends && token.kind.starts_term() && !token.kind.continues() && gap.contains('\n') {
                return Some(index);
            }
        }
        None
    }

    /// Returns the opening quote of the string before a token, if that string has several lines and the token follows it
    /// without a blank: its closing quote was probably meant to open the next string.
    fn broken_string(&self, index: usize) -> Option<u32> {
        let next = self.tokens.get(index).filter(|token| token.kind != G::Kind::EOF)?;
        (1..=2).find_map(|back| {
            let token = self.tokens.get(index.checked_sub(back)?)?;
            let text = self.slice(*token);
            let start = token.start as usize;
            let open = match text.starts_with(['"', '\'']) {
                true => start,
                // the text of a string whose quotes are tokens of their own
                false if self.text.get(..start)?.ends_with(['"', '\'']) => start - 1,
                false => return None,
            };
            let verbatim = self.text.get(..open)?.ends_with(['%', '@', '"']);
            let end = self.tokens.get(index - 1)?.end;
            let adjacent = end == next.start
                && !self
                    .text
                    .get(end as usize..)?
                    .starts_with([',', ';', ':', ')', ']', '}', '.', '\n', '\r', ' ', '\t']);
            (G::QUOTED.contains(&token.kind) && text.contains('\n') && adjacent && !verbatim).then_some(open as u32)
        })
    }

    /// Drops the report of an unclosed string after an unexpected token on its line: the quote of that string was probably
    /// meant to close an earlier one, as in `'it's'`.
    pub(super) fn drop_follower(&mut self, open: u32) {
        let follows = self.faults.all.iter().any(|f| {
            let at = f.syntax.span.start;
            f.unexpected
                && at < open
                && self.text.get(at as usize..open as usize).is_some_and(|between| !between.contains('\n'))
        });
        if follows {
            self.faults.all.retain(|f| !(f.at_end && f.syntax.span.start == open));
        }
    }

    /// Reports a string without a closing quote on its line, and nothing after it.
    fn unclosed_before(&mut self, open: u32) {
        let span = Span { source: self.source, start: open, end: open + 1 };
        let at_end = self.faults.ended;
        self.faults.all.retain(|f| f.syntax.span.start < open);
        self.faults.push(span, G::unclosed("string"), at_end);
        self.faults.broken = true;
        self.faults.ended = true;
    }

    /// Reports the first string of several lines whose closing quote is in the wrong place, in a text whose last string is
    /// not closed. `O(tokens)`
    pub(super) fn broken_strings(&mut self) {
        let found = (1..self.tokens.len()).find_map(|index| Some((index, self.broken_string(index)?)));
        let Some((index, open)) = found else { return };
        // a word on the line of the quote, after another string, is reported where it is parsed
        let is_before = |at: &usize| {
            let start = self.tokens.get(*at).map_or(0, |token| token.start as usize);
            start > open as usize || self.text.get(start..open as usize).is_some_and(|between| !between.contains('\n'))
        };
        if !(1..index).rev().take(LINE_TOKENS).take_while(is_before).any(|at| self.flips_quotes(at)) {
            self.unclosed_before(open);
        }
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
        let (what, span) = self.suspect.take().unwrap_or((what, span));
        // the quote that ends the text begins another one inside of an interpolation that is not closed
        let (what, span) = match self.open_interpolation(span).filter(|_| what == "string") {
            Some(opening) => ("interpolation `%{`", opening),
            None => (what, span),
        };
        self.faults.push(span, G::unclosed(what), true);
    }

    /// Returns the last interpolation that is open at a place, if it begins on the same line and nothing on that line closes it. `O(tokens)`
    pub(super) fn open_interpolation(&self, at: Span) -> Option<Span> {
        let mut open = Vec::new();
        for token in self.tokens.iter().take_while(|token| token.start < at.start) {
            if token.kind.opens() == Some(Bracket::Interpolation) {
                open.push(*token);
            } else if token.kind.closes() == Some(Bracket::Interpolation) {
                open.pop();
            }
        }
        let opening = self.span_of(open.pop()?);
        let between = self.text.get(opening.start as usize..at.start as usize)?;
        let rest = self.text.get(at.start as usize..)?.lines().next().unwrap_or("");
        // a string never follows a word without a blank
        let follows_word = between.ends_with(|c: char| c.is_alphanumeric() || c == '_');
        (!between.contains('\n') && (follows_word || !rest.contains('}'))).then_some(opening)
    }

    /// Reports an unclosed bracket before the end of the input.
    pub fn unclosed_inside(&mut self, what: &'static str, span: Span) {
        // unexpected tokens after the opening bracket follow from it
        self.faults.all.retain(|f| !f.unexpected || f.syntax.span.start < span.start);
        if !self.faults.broken {
            self.faults.push(span, G::unclosed(what), false);
        }
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
