//! The completion context at the cursor.

use super::grammar::YayGrammar;
use super::lexer::{Lexed, lex};
use super::lower::{Focus, Lower};
use super::token::{Kind, Token};
use super::tree::{Blocks, Item};
use crate::dialect::{Cursor, CursorContext, Names, parser};
use crate::text::SourceId;
use rustc_hash::FxHashSet;
use std::ops::Range;
use std::sync::Arc;

/// Returns the completion context at a place of a text, which may be incomplete. `O(length)`.
pub fn cursor(source: SourceId, text: &str, cursor: usize, names: &dyn Names) -> Cursor {
    let mut place = cursor.min(text.len());
    while !text.is_char_boundary(place) {
        place -= 1;
    }
    let mut lexed = lex(text, names.stop());
    let here = |at: CursorContext, range: Range<usize>| Cursor {
        partial: text.get(range.start..place).unwrap_or("").to_string(),
        replace: range,
        at,
    };
    if lexed.comments.iter().any(|c| (c.start as usize) < place && place <= c.end as usize) {
        return here(CursorContext::Nothing, place..place);
    }
    // the token that contains the cursor or ends at it
    let index = lexed.tokens.partition_point(|t| (t.end as usize) < place);
    let index = (index..lexed.tokens.len()).find(|i| lexed.tokens[*i].start < lexed.tokens[*i].end).unwrap_or(index);
    let touched = lexed.tokens.get(index).copied().filter(|t| (t.start as usize) < place && t.kind != Kind::Newline);
    if let Some(found) = touched {
        let range = found.start as usize..found.end as usize;
        match found.kind {
            kind if kind == Kind::Ident || kind.is_reserved() => {
                lexed.tokens[index] = Token { kind: Kind::Cursor, ..found };
                return by_parse(source, text, lexed, names, |at| here(at, range));
            }
            kind if kind.is_string() && place <= range.end => {
                let include = index.checked_sub(1).map(|i| lexed.tokens[i].kind) == Some(Kind::Include);
                let inside = place < range.end || lexed.unclosed.is_some();
                return match include && inside {
                    true => here(CursorContext::Path, (range.start + 1).min(place)..place),
                    false => here(CursorContext::Nothing, place..place),
                };
            }
            Kind::Key => return here(CursorContext::FieldName { base: None }, range),
            Kind::Number | Kind::Result | Kind::Text | Kind::Quote | Kind::Block => {
                return here(CursorContext::Nothing, place..place);
            }
            _ => {}
        }
    }
    let next = lexed.tokens.partition_point(|t| (t.start as usize) < place);
    let within = lexed.tokens[..next].iter().rev().find(|t| matches!(t.kind, Kind::Open | Kind::Close | Kind::Newline));
    let expression = within.is_some_and(|t| t.kind == Kind::Open) || !super::lexer::is_document(text);
    let directive = lexed.tokens[..next].iter().rev().take_while(|t| t.kind != Kind::Newline);
    if !expression && !directive.into_iter().any(|t| t.kind.is_directive()) {
        return here(CursorContext::Nothing, place..place);
    }
    let at = place as u32;
    lexed.tokens.insert(next, Token { kind: Kind::Cursor, start: at, end: at });
    by_parse(source, text, lexed, names, |at| here(at, place..place))
}

fn by_parse(
    source: SourceId,
    text: &str,
    lexed: Lexed,
    names: &dyn Names,
    here: impl FnOnce(CursorContext) -> Cursor,
) -> Cursor {
    let mut parsed = parser::cell_of::<YayGrammar>(source, text, &lexed, names.stop());
    let earlier = FxHashSet::default();
    for item in &parsed.parts {
        let root = match item {
            Item::Expr(id) => *id,
            Item::Document(block) => {
                let span = parsed.tree.block(*block).span;
                parsed.tree.add(super::tree::Expr::Block(*block), span)
            }
        };
        let (term, _, focus) = Lower::new(&parsed.tree, names, &earlier).whole(root);
        match focus {
            Some(Focus::Field(of)) => return here(CursorContext::Field { term: Arc::new(term), of }),
            Some(Focus::Name(bound)) => return here(CursorContext::Name { bound }),
            None => {}
        }
    }
    here(CursorContext::FieldName { base: None })
}
