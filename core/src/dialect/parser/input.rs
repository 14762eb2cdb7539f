//! What a prompt asks at every keystroke: whether an input is a whole one, and what its parts are.

use super::{Grammar, Lexed, Token, TokenKind, cell_of};
use crate::dialect::{Completeness, Stop};
use crate::styled::Role;
use crate::text::SourceId;
use std::ops::Range;

/// The blanks of one step further in.
const STEP: usize = 2;

/// Deeper than this, lines do not go further in.
const DEEPEST: usize = 40;

/// Whether an input is a whole one: incomplete exactly if all that is wrong with it stands at its end. O(length).
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
    let hanging = last.is_some_and(TokenKind::hangs);
    match cell_of::<G>(SourceId(0), text, &lexed, Stop::NEVER).incomplete {
        true => Completeness::Incomplete { indent: STEP * (open.min(DEEPEST) + usize::from(hanging)) },
        false => Completeness::Complete,
    }
}

/// What no text behind this one can mend, the first such place. What the text ends in may go on: a word or an operator at
/// its very end is left out, and what is wrong with the last one only now is not certain. O(length).
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

/// The roles of an input's parts, in order, without overlap, by what each token is between those before and behind it.
/// O(length).
pub(in crate::dialect) fn roles<G: Grammar>(
    text: &str,
    mut role: impl FnMut(Token<G::Kind>, Option<G::Kind>, Option<G::Kind>) -> Role,
) -> Vec<(Range<usize>, Role)> {
    let lexed = G::lex(text, Stop::NEVER);
    let mut out: Vec<(Range<usize>, Role)> = Vec::with_capacity(lexed.tokens.len());
    let mut before = None;
    for (index, token) in lexed.tokens.iter().enumerate() {
        let next = lexed.tokens.get(index + 1).map(|t| t.kind);
        let role = role(*token, before, next);
        before = Some(token.kind);
        if token.start < token.end && role != Role::Plain {
            out.push((token.start as usize..token.end as usize, role));
        }
    }
    out.extend(lexed.comments.iter().map(|c| (c.start as usize..c.end as usize, Role::Comment)));
    out.sort_by_key(|(range, _)| range.start);
    out
}
