//! The completion context at the cursor.

use super::grammar::Cfg;
use super::lexer::lex;
use super::lower::{Focus, Lower};
use super::token::{Kind, Token};
use super::tree::{Item, Pattern, Tree};
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
        match found.kind {
            kind if kind.is_field_name() || kind.is_reserved() => {
                let end = (found.end as usize).max(place);
                lexed.tokens[index] = Token { kind: Kind::Cursor, ..found };
                return by_parse(source, text, lexed, names, |at| here(at, range.start..end));
            }
            Kind::Tag => return here(At::Tag, range),
            Kind::StrText | Kind::StrEscape | Kind::StrOpen | Kind::MultiOpen | Kind::TagStrOpen => {
                if let Some(field) = quoted_field(&mut lexed.tokens, index) {
                    return by_parse(source, text, lexed, names, |at| here(at, field));
                }
                return in_string(&lexed.tokens, index, place, here);
            }
            Kind::Decimal | Kind::Hex | Kind::Octal | Kind::Binary | Kind::SymbolicOpen | Kind::Primop => {
                return here(At::Nothing, place..place);
            }
            Kind::Error if text.get(range.clone()).is_some_and(|t| t.starts_with(['\'', '`'])) => {
                return here(At::Tag, range);
            }
            _ => {}
        }
    }
    // between tokens, or inside the delimiter of a string
    let next = lexed.tokens.partition_point(|t| (t.start as usize) < place);
    if let Some(token) = lexed.tokens.get(next)
        && matches!(token.kind, Kind::StrText | Kind::StrClose)
        && next.checked_sub(1).is_some_and(|i| lexed.tokens[i].end as usize >= place)
        && !matches!(next.checked_sub(1).map(|i| lexed.tokens[i].kind), Some(Kind::InterpOpen))
    {
        if let Some(field) = quoted_field(&mut lexed.tokens, next.saturating_sub(1)) {
            return by_parse(source, text, lexed, names, |at| here(at, field));
        }
        return in_string(&lexed.tokens, next.saturating_sub(1), place, here);
    }
    let at = place as u32;
    lexed.tokens.insert(next, Token { kind: Kind::Cursor, start: at, end: at });
    by_parse(source, text, lexed, names, |at| here(at, place..place))
}

/// Replaces the string of `e."field"` by the completion place, and returns its byte range.
fn quoted_field(tokens: &mut Vec<Token>, index: usize) -> Option<Range<usize>> {
    let open = (0..=index).rev().find(|i| tokens[*i].kind != Kind::StrText && tokens[*i].kind != Kind::StrEscape)?;
    let before = open.checked_sub(1).map(|i| tokens[i].kind);
    if tokens[open].kind != Kind::StrOpen || before != Some(Kind::Dot) {
        return None;
    }
    let close = open + tokens[open..].iter().position(|t| t.kind == Kind::StrClose)?;
    let (start, end) = (tokens[open].start, tokens[close].end);
    tokens.splice(open..=close, [Token { kind: Kind::Cursor, start, end }]);
    Some(start as usize..end as usize)
}

/// Returns the completion context inside a string: a path for the string of an import, otherwise nothing.
fn in_string(
    tokens: &[Token],
    mut index: usize,
    place: usize,
    here: impl FnOnce(At, Range<usize>) -> Cursor,
) -> Cursor {
    while index > 0 && !tokens[index].kind.opens_string() && tokens[index].kind != Kind::TagStrOpen {
        index -= 1;
    }
    let opening = tokens[index];
    if opening.kind == Kind::TagStrOpen {
        return here(At::Tag, opening.start as usize..place);
    }
    match index.checked_sub(1).map(|i| tokens[i].kind) {
        Some(Kind::Import) if opening.kind == Kind::StrOpen => here(At::Path, opening.end as usize..place),
        _ => here(At::Nothing, place..place),
    }
}

fn by_parse(
    source: SourceId,
    text: &str,
    lexed: super::lexer::Lexed,
    names: &dyn Names,
    here: impl FnOnce(At) -> Cursor,
) -> Cursor {
    let parsed = parser::cell_of::<Cfg>(source, text, &lexed, names.stop());
    let mut earlier = FxHashSet::default();
    for item in &parsed.parts {
        let (term, focus) = lowered(&parsed.tree, item, names, &earlier);
        match focus {
            Some(Focus::Field(of)) => return here(At::Field { term: Arc::new(term), of }),
            Some(Focus::Name(bound)) => return here(At::Name { bound: with(bound, earlier) }),
            Some(Focus::Annotation(bound)) => return here(At::Annotation { bound: with(bound, earlier) }),
            Some(Focus::FieldName) => return here(At::FieldName { base: None }),
            None => earlier.extend(bound_by(&parsed.tree, item)),
        }
    }
    // only new names are possible here: a pattern, the left side of a definition
    here(At::FieldName { base: None })
}

fn with(mut bound: Vec<Name>, earlier: FxHashSet<Name>) -> Vec<Name> {
    bound.extend(earlier);
    bound.sort();
    bound.dedup();
    bound
}

fn lowered(tree: &Tree, item: &Item, names: &dyn Names, earlier: &FxHashSet<Name>) -> (Term, Option<Focus>) {
    let lower = Lower::new(tree, names, earlier);
    match item {
        Item::Expr(id) => {
            let (term, _, focus) = lower.whole(*id);
            (term, focus)
        }
        Item::Bind(binding) => lower.block(false, std::slice::from_ref(binding)),
        Item::Let(recursive, bindings) => lower.block(*recursive, bindings),
    }
}

fn bound_by(tree: &Tree, item: &Item) -> Vec<Name> {
    let bindings = match item {
        Item::Expr(_) => return Vec::new(),
        Item::Bind(binding) => std::slice::from_ref(binding),
        Item::Let(_, bindings) => bindings,
    };
    let simple = |b: &super::tree::Binding| match tree.pattern(b.pattern) {
        Pattern::Bind(name) => Some(name.clone()),
        _ => None,
    };
    bindings.iter().filter_map(simple).collect()
}
