//! The completion context at the cursor: the parts that all languages share.

use super::{Declared, Focus, Lexed, Lowerer, Lowering, Token, TreeOf, cell_of};
use crate::dialect::{Cursor, CursorContext, Names, Word};
use crate::term::NodeId;
use crate::text::{Name, SourceId};
use std::ops::Range;
use std::sync::Arc;

/// The completion at a token that contains the cursor.
pub(in crate::dialect) enum TokenCompletion {
    /// It is known without parsing. Holds the bytes that a completion replaces.
    Known(CursorContext, Range<usize>),
    /// Parsing finds it: the tokens in this range were replaced by the place of the completion.
    Replaced(Range<usize>),
}

impl TokenCompletion {
    /// No completion is possible.
    pub fn nothing(offset: usize) -> Option<TokenCompletion> {
        Some(TokenCompletion::Known(CursorContext::Nothing, offset..offset))
    }
}

impl<K: Declared> Lexed<K> {
    /// Replaces some tokens by the place of the completion.
    pub(in crate::dialect) fn replace(&mut self, tokens: std::ops::RangeInclusive<usize>) -> Option<TokenCompletion> {
        let (start, end) = (self.tokens.get(*tokens.start())?.start, self.tokens.get(*tokens.end())?.end);
        self.tokens.splice(tokens, [Token { kind: K::CURSOR, start, end }]);
        Some(TokenCompletion::Replaced(start as usize..end as usize))
    }
}

/// A language with completion.
pub(in crate::dialect) trait Complete: Lowering {
    /// Handles an offset inside a token or at its end. Returns `None` if a new token can begin there.
    fn touched(text: &str, lexed: &mut Lexed<Self::Kind>, offset: usize) -> Option<TokenCompletion>;
    /// Returns the words that can follow at an offset outside of comments, and the bytes that they replace, if that is known without
    /// parsing.
    fn words(
        text: &str,
        lexed: &Lexed<Self::Kind>,
        offset: usize,
        names: &dyn Names,
    ) -> Option<(Vec<Word>, Range<usize>)> {
        let _ = (text, lexed, offset, names);
        None
    }
    /// Lowers an item of a cell: an expression, or definitions with a hole after them.
    fn block(lower: &mut Lowerer<'_, Self>, item: &Self::Item) -> NodeId;
    /// Returns the names that an item binds for the items after it.
    fn bound_by(tree: &TreeOf<Self>, item: &Self::Item) -> Vec<Name>;
}

/// Returns the completion context at a place of a text, which may be incomplete. `O(length)`.
pub(in crate::dialect) fn cursor<G: Complete>(
    source: SourceId,
    text: &str,
    cursor: usize,
    names: &dyn Names,
) -> Cursor {
    let mut offset = cursor.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    let mut lexed = G::lex(text, names.stop());
    let in_comment = lexed.comments.iter().any(|c| (c.start as usize) < offset && offset <= c.end as usize);
    let words = if in_comment { None } else { G::words(text, &lexed, offset, names) };
    let touched = match words {
        Some((words, range)) => Some(TokenCompletion::Known(CursorContext::Words(words), range)),
        None if in_comment => TokenCompletion::nothing(offset),
        None => G::touched(text, &mut lexed, offset),
    };
    let (at, replace) = match touched {
        Some(TokenCompletion::Known(at, range)) => (at, range),
        Some(TokenCompletion::Replaced(range)) => (parsed::<G>(source, text, &lexed, names), range),
        None => {
            let next = lexed.tokens.partition_point(|t| (t.start as usize) < offset);
            lexed.tokens.insert(next, Token::new(G::Kind::CURSOR, offset, offset));
            (parsed::<G>(source, text, &lexed, names), offset..offset)
        }
    };
    Cursor { partial: text.get(replace.start..offset).unwrap_or("").to_string(), replace, at }
}

/// Returns the kind of completion at the place in the tokens.
fn parsed<G: Complete>(source: SourceId, text: &str, lexed: &Lexed<G::Kind>, names: &dyn Names) -> CursorContext {
    let parsed = cell_of::<G>(source, text, lexed, names.stop());
    let mut earlier = rustc_hash::FxHashSet::default();
    for item in &parsed.parts {
        let lower = Lowerer::<G>::new(&parsed.tree, names, &earlier);
        let (term, _, focus) = lower.build(|lower| G::block(lower, item));
        let with_earlier = |mut bound: Vec<Name>| {
            bound.extend(earlier.iter().cloned());
            bound.sort();
            bound.dedup();
            bound
        };
        match focus {
            Some(Focus::Field(of)) => return CursorContext::Field { term: Arc::new(term), of },
            Some(Focus::Name(bound)) => return CursorContext::Name { bound: with_earlier(bound) },
            Some(Focus::Annotation(bound)) => return CursorContext::Annotation { bound: with_earlier(bound) },
            Some(Focus::FieldName(base)) => {
                return CursorContext::FieldName { base: base.map(|of| (Arc::new(term), of)) };
            }
            None => earlier.extend(G::bound_by(&parsed.tree, item)),
        }
    }
    // only new names are possible here: a pattern, a parameter, the left side of a definition
    CursorContext::FieldName { base: None }
}
