//! The completion context at the cursor.

use super::grammar::Cfg;
use super::token::{Kind, Token};
use super::tree::{Item, Pattern, Tree};
use crate::dialect::CursorContext;
use crate::dialect::parser::{Complete, Lexed, Lowerer, TokenCompletion};
use crate::term::NodeId;
use crate::text::Name;

impl Complete for Cfg {
    fn touched(text: &str, lexed: &mut Lexed<Kind>, offset: usize) -> Option<TokenCompletion> {
        if let Some(index) = lexed.touched(offset) {
            let found = lexed.tokens[index];
            let range = found.start as usize..found.end as usize;
            match found.kind {
                kind if kind.is_field_name() || kind.is_reserved() => return lexed.replace(index..=index),
                Kind::Tag => return Some(TokenCompletion::Known(CursorContext::Tag, range)),
                Kind::StrText | Kind::StrEscape | Kind::StrOpen | Kind::MultiOpen | Kind::TagStrOpen => {
                    return in_string(lexed, index, offset);
                }
                Kind::Decimal | Kind::Hex | Kind::Octal | Kind::Binary | Kind::SymbolicOpen | Kind::Primop => {
                    return TokenCompletion::nothing(offset);
                }
                Kind::Error if text.get(range.clone()).is_some_and(|t| t.starts_with(['\'', '`'])) => {
                    return Some(TokenCompletion::Known(CursorContext::Tag, range));
                }
                _ => {}
            }
        }
        // between tokens, or inside the delimiter of a string
        let next = lexed.tokens.partition_point(|t| (t.start as usize) < offset);
        let before = next.checked_sub(1).map(|i| lexed.tokens[i]).filter(|t| t.end as usize >= offset)?;
        let in_text = lexed.tokens.get(next).is_some_and(|t| matches!(t.kind, Kind::StrText | Kind::StrClose));
        match in_text && before.kind != Kind::InterpOpen {
            true => in_string(lexed, next - 1, offset),
            false => None,
        }
    }

    fn block(lower: &mut Lowerer<'_, Cfg>, item: &Item) -> NodeId {
        match item {
            Item::Expr(id) => lower.expr(*id),
            Item::Bind(binding) => lower.definitions(false, std::slice::from_ref(binding)),
            Item::Let(recursive, bindings) => lower.definitions(*recursive, bindings),
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
}

/// Returns the completion inside a string: the field of `e."field"`, the path of an import, or a quoted tag.
fn in_string(lexed: &mut Lexed<Kind>, index: usize, offset: usize) -> Option<TokenCompletion> {
    if let Some((open, close)) = quoted_field(&lexed.tokens, index) {
        return lexed.replace(open..=close);
    }
    let begins = |i: &usize| lexed.tokens[*i].kind.opens_string() || lexed.tokens[*i].kind == Kind::TagStrOpen;
    let open = (0..=index).rev().find(begins).unwrap_or(0);
    let opening = lexed.tokens[open];
    if opening.kind == Kind::TagStrOpen {
        return Some(TokenCompletion::Known(CursorContext::Tag, opening.start as usize..offset));
    }
    match open.checked_sub(1).map(|i| lexed.tokens[i].kind) {
        Some(Kind::Import) if opening.kind == Kind::StrOpen => {
            Some(TokenCompletion::Known(CursorContext::Path, opening.end as usize..offset))
        }
        _ => TokenCompletion::nothing(offset),
    }
}

/// Returns the first and the last token of the string in `e."field"`.
fn quoted_field(tokens: &[Token], index: usize) -> Option<(usize, usize)> {
    let open = (0..=index).rev().find(|i| tokens[*i].kind != Kind::StrText && tokens[*i].kind != Kind::StrEscape)?;
    let before = open.checked_sub(1).map(|i| tokens[i].kind);
    if tokens[open].kind != Kind::StrOpen || before != Some(Kind::Dot) {
        return None;
    }
    let close = open + tokens[open..].iter().position(|t| t.kind == Kind::StrClose)?;
    Some((open, close))
}
