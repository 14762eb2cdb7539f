//! The completion context at the cursor.

use super::grammar::MclGrammar;
use super::token::Kind;
use super::tree::{Item, Stmt, Tree};
use crate::dialect::parser::{Complete, Lexed, Lowerer, TokenCompletion};
use crate::dialect::{CursorContext, Names, Word};
use crate::term::{Node, NodeId};
use crate::text::Name;
use std::ops::Range;

impl<const N: bool> Complete for MclGrammar<N> {
    fn touched(_: &str, lexed: &mut Lexed<Kind>, offset: usize) -> Option<TokenCompletion> {
        let index = lexed.touched(offset)?;
        let found = lexed.tokens[index];
        let range = found.start as usize..found.end as usize;
        let before = index.checked_sub(1).map(|i| lexed.tokens[i].kind);
        let closed = lexed.unclosed.is_none_or(|open| open.start != found.start);
        match found.kind {
            kind if matches!(kind, Kind::Ident | Kind::Capital) || kind.is_reserved() => lexed.replace(index..=index),
            Kind::Str if offset < range.end || !closed => match before {
                Some(Kind::Import) => {
                    Some(TokenCompletion::Known(CursorContext::Path, (range.start + 1).min(offset)..offset))
                }
                _ => TokenCompletion::nothing(offset),
            },
            Kind::Int | Kind::Float | Kind::Result => TokenCompletion::nothing(offset),
            _ => None,
        }
    }

    fn words(text: &str, lexed: &Lexed<Kind>, offset: usize, names: &dyn Names) -> Option<(Vec<Word>, Range<usize>)> {
        super::words::words(text, lexed, offset, names)
    }

    fn block(lower: &mut Lowerer<'_, MclGrammar<N>>, item: &Item) -> NodeId {
        match item {
            Item::Expr(id) => lower.expr(*id),
            Item::Graph(statements, span) => lower.shown(statements, *span),
            Item::Stmt(id) => {
                let span = lower.tree.stmt_span(*id);
                match lower.tree.stmt(*id) {
                    Stmt::Hole => lower.push(Node::Hole, span),
                    _ => lower.shown(std::slice::from_ref(id), span),
                }
            }
        }
    }

    fn bound_by(tree: &Tree, item: &Item) -> Vec<Name> {
        let Item::Stmt(id) = item else { return Vec::new() };
        match tree.stmt(*id) {
            Stmt::Bind { name, .. } => vec![name.name.clone()],
            _ => Vec::new(),
        }
    }
}
