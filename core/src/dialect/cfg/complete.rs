//! Whether an input is a whole one.

use super::grammar::{Goal, parse_tokens};
use super::lexer::lex;
use super::token::Kind;
use crate::dialect::Completeness;
use crate::dialect::Stop;
use crate::text::SourceId;

/// Whether an input is a whole one: incomplete exactly if all that is wrong with it stands at its end. O(length).
pub fn completeness(text: &str) -> Completeness {
    let lexed = lex(text, Stop::NEVER);
    let mut open = 0usize;
    for token in &lexed.tokens {
        if token.kind.is_opener() {
            open += 1;
        } else if token.kind.is_closer() {
            open = open.saturating_sub(1);
        }
    }
    let last = lexed.tokens.iter().rev().map(|t| t.kind).find(|k| *k != Kind::Eof);
    let hanging = matches!(last, Some(Kind::Equals | Kind::FatArrow | Kind::Then | Kind::Else));
    match parse_tokens(SourceId(0), text, lexed, Goal::Cell, Stop::NEVER).incomplete {
        true => Completeness::Incomplete { indent: 2 * (open.min(40) + usize::from(hanging)) },
        false => Completeness::Complete,
    }
}
