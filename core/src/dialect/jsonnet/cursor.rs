//! The completion context at the cursor.

use super::grammar::JsonnetGrammar;
use super::token::Kind;
use super::tree::{Item, Tree};
use crate::dialect::CursorContext;
use crate::dialect::parser::{Complete, Lexed, Lowerer, TokenCompletion};
use crate::term::NodeId;
use crate::text::Name;

impl Complete for JsonnetGrammar {
    fn touched(_: &str, lexed: &mut Lexed<Kind>, offset: usize) -> Option<TokenCompletion> {
        let index = lexed.touched(offset)?;
        let found = lexed.tokens[index];
        let range = found.start as usize..found.end as usize;
        let before = index.checked_sub(1).map(|i| lexed.tokens[i].kind);
        let closed = lexed.unclosed.is_none_or(|open| open.start != found.start);
        match found.kind {
            kind if kind == Kind::Ident || kind.is_reserved() => lexed.replace(index..=index),
            // after a closed string, another token may follow
            kind if kind.is_string() && (offset < range.end || !closed) => match before {
                Some(Kind::Import | Kind::ImportStr | Kind::ImportBin) if kind != Kind::TextBlock => {
                    let quote = if matches!(kind, Kind::Double | Kind::Single) { 1 } else { 2 };
                    Some(TokenCompletion::Known(CursorContext::Path, (range.start + quote).min(offset)..offset))
                }
                _ => TokenCompletion::nothing(offset),
            },
            Kind::Number | Kind::Result => TokenCompletion::nothing(offset),
            _ => None,
        }
    }

    fn block(lower: &mut Lowerer<'_, JsonnetGrammar>, item: &Item) -> NodeId {
        match item {
            Item::Expr(id) => lower.expr(*id),
            Item::Local { bindings, span, .. } => lower.definitions(bindings, *span),
        }
    }

    fn bound_by(_: &Tree, item: &Item) -> Vec<Name> {
        match item {
            Item::Expr(_) => Vec::new(),
            Item::Local { bindings, .. } => bindings.iter().map(|b| b.name.name.clone()).collect(),
        }
    }
}
