//! What a prompt asks at every keystroke: whether an input is a whole one, and what its parts are.

use super::{Grammar, Token, TokenKind, cell_of};
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
