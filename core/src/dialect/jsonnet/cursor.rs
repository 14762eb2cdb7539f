//! The completion context at the cursor.

use super::grammar::JsonnetGrammar;
use super::lexer::{Lexed, lex};
use super::lower::{Focus, Lower};
use super::token::{Kind, Token};
use super::tree::{Item, Tree};
use crate::dialect::{At, Cursor, Names, parser};
use crate::term::Term;
use crate::text::{Name, SourceId};
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
    let here = |at: At, range: Range<usize>| Cursor {
        partial: text.get(range.start..place).unwrap_or("").to_string(),
        replace: range,
        at,
    };
    if lexed.comments.iter().any(|c| (c.start as usize) < place && place <= c.end as usize) {
        return here(At::Nothing, place..place);
    }
    // the token with the cursor inside it or at its end
    let index = lexed.tokens.partition_point(|t| (t.end as usize) < place);
    let touched = lexed.tokens.get(index).copied().filter(|t| (t.start as usize) < place);
    if let Some(found) = touched {
        let range = found.start as usize..found.end as usize;
        let before = index.checked_sub(1).map(|i| lexed.tokens[i].kind);
        let closed = lexed.unclosed.is_none_or(|open| open.start != found.start);
        match found.kind {
            kind if kind == Kind::Ident || kind.is_reserved() => {
                lexed.tokens[index] = Token { kind: Kind::Cursor, ..found };
                return by_parse(source, text, lexed, names, |at| here(at, range));
            }
            // after a closed string, another token may follow
            kind if kind.is_string() && (place < range.end || !closed) => {
                return match before {
                    Some(Kind::Import | Kind::ImportStr | Kind::ImportBin) if kind != Kind::TextBlock => {
                        let quote = if matches!(kind, Kind::Double | Kind::Single) { 1 } else { 2 };
                        here(At::Path, (range.start + quote).min(place)..place)
                    }
                    _ => here(At::Nothing, place..place),
                };
            }
            Kind::Number | Kind::Result => return here(At::Nothing, place..place),
            _ => {}
        }
    }
    let next = lexed.tokens.partition_point(|t| (t.start as usize) < place);
    let at = place as u32;
    lexed.tokens.insert(next, Token { kind: Kind::Cursor, start: at, end: at });
    by_parse(source, text, lexed, names, |at| here(at, place..place))
}

fn by_parse(source: SourceId, text: &str, lexed: Lexed, names: &dyn Names, here: impl FnOnce(At) -> Cursor) -> Cursor {
    let parsed = parser::cell_of::<JsonnetGrammar>(source, text, &lexed, names.stop());
    let mut earlier: FxHashSet<Name> = FxHashSet::default();
    for item in &parsed.parts {
        let (term, focus) = lowered(&parsed.tree, item, names, &earlier);
        match focus {
            Some(Focus::Field(of)) => return here(At::Field { term: Arc::new(term), of }),
            Some(Focus::Name(mut bound)) => {
                bound.extend(earlier);
                bound.sort();
                bound.dedup();
                return here(At::Name { bound });
            }
            Some(Focus::FieldName(base)) => {
                let term = Arc::new(term);
                return here(At::FieldName { base: base.map(|of| (term, of)) });
            }
            None => {
                if let Item::Local { bindings, .. } = item {
                    earlier.extend(bindings.iter().map(|b| b.name.name.clone()));
                }
            }
        }
    }
    // only new names are possible here: a parameter, the left side of a definition
    here(At::FieldName { base: None })
}

fn lowered(tree: &Tree, item: &Item, names: &dyn Names, earlier: &FxHashSet<Name>) -> (Term, Option<Focus>) {
    let lower = Lower::new(tree, names, earlier);
    match item {
        Item::Expr(id) => {
            let (term, _, focus) = lower.whole(*id);
            (term, focus)
        }
        Item::Local { bindings, span, .. } => lower.block(bindings, *span),
    }
}
