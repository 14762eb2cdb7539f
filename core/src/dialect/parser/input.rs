//! Questions that a prompt asks at every keystroke: whether the input is complete, where it is wrong, and the roles of its parts.

use super::{Declared, Grammar, Lexed, Token, TokenKind, cell_of};
use crate::dialect::{Completeness, Stop};
use crate::text::SourceId;
use std::ops::Range;

/// The spaces per indentation level.
const STEP: usize = 2;

/// Maximum indentation that is suggested, in levels.
const DEEPEST: usize = 40;

/// Returns whether an input is complete. It is incomplete if all of its errors are at its end. O(length).
pub(in crate::dialect) fn completeness<G: Grammar>(text: &str) -> Completeness {
    let lexed = G::lex(text, Stop::NEVER);
    let mut open = 0usize;
    for token in &lexed.tokens {
        if token.kind.opens().is_some() {
            open += 1;
        } else if token.kind.closes().is_some() {
            open = open.saturating_sub(1);
        }
    }
    let last = lexed.tokens.iter().rev().map(|t| t.kind).find(|k| *k != G::Kind::EOF);
    let hanging = last.is_some_and(TokenKind::continues_on_next_line);
    match cell_of::<G>(SourceId(0), text, &lexed, Stop::NEVER).incomplete {
        true => Completeness::Incomplete { indent: STEP * (open.min(DEEPEST) + usize::from(hanging)) },
        false => Completeness::Complete,
    }
}

/// Returns the first place that is wrong regardless of the text after it. A word or operator at the very end may still continue, so the
/// last token is ignored, and an error that depends on it does not count. O(length).
pub(in crate::dialect) fn mistake<G: Grammar>(text: &str) -> Option<Range<usize>> {
    let last = |lexed: &Lexed<G::Kind>| lexed.tokens.iter().rev().find(|t| t.start < t.end).copied();
    let done = |token: &Token<G::Kind>| token.kind.closes().is_some() || token.kind.separates();
    let lexed = G::lex(text, Stop::NEVER);
    let end = last(&lexed)?;
    let (lexed, text) = match end.end as usize == text.len() && !done(&end) {
        true => {
            let before = text.get(..end.start as usize)?;
            (G::lex(before, Stop::NEVER), before)
        }
        false => (lexed, text),
    };
    let end = last(&lexed)?;
    let span = cell_of::<G>(SourceId(0), text, &lexed, Stop::NEVER).mistake?;
    (span.end < end.end || done(&end)).then_some(span.start as usize..span.end as usize)
}
