//! A recursive-descent parser that all languages share. It reports each error once, recovers from missing brackets, and
//! handles any nesting depth.
//!
//! A language supplies its [`Grammar`]: tokens, a tree, and rules, which are methods of `Parser<'_, ItsGrammar>`. What it
//! supplies besides is in traits that extend it: [`Lowering`] to terms, [`Complete`] for completion, [`Highlight`] for
//! highlighting.
//!
//! It is written by hand instead of with combinators: input nested 100,000 levels deep must work (the stack grows as
//! needed), recovery from unclosed and missing brackets depends on the context, and it is several times as fast.

mod brackets;
mod cells;
mod cursor;
pub(in crate::dialect) mod dollar;
mod faults;
mod input;
mod lowering;
mod scanner;
mod state;
mod token;
mod tree;

pub(super) use cells::{Reading, inputs, read_cell};
pub(super) use cursor::{Complete, TokenCompletion, cursor};
pub(super) use faults::expected_names;
pub(super) use input::{completeness, mistake};
pub(super) use lowering::{Focus, Lowerer, Lowering, read_program};
pub(super) use scanner::{Highlight, highlight, scanner, tokens_of};
pub(super) use state::Parser;
pub use token::{Bracket, Declared, Lexed, Token, TokenKind};
pub(super) use token::{is_regex, tokens};
pub(super) use tree::TreeOf;
pub use tree::{Id, PId, Spanned, Tree};

use super::Stop;
use crate::problem::Problem;
use crate::problem::syntax::SyntaxKind;
use crate::text::{SourceId, Span};

/// Maximum nesting depth of constructs.
pub const MAX_DEPTH: u32 = 250_000;

/// A language's syntax.
pub(super) trait Grammar: Sized {
    /// The kinds of tokens.
    type Kind: TokenKind;
    /// An expression of the tree.
    type Expr;
    /// A pattern of the tree. `()` if the language has none.
    type Pattern;
    /// An item of a cell.
    type Item;
    /// The additional state of its parser.
    type ParserState: Default;

    /// An expression that did not parse.
    const HOLE: Self::Expr;
    /// The kinds of tokens with the text of an ordinary string, which may have several lines.
    const QUOTED: &'static [Self::Kind] = &[];

    /// Splits a text into tokens, until it is stopped. Never fails. O(length). Only the first 4 GiB are read.
    fn lex(text: &str, stop: Stop<'_>) -> Lexed<Self::Kind>;
    /// Returns the description of an unclosed token for messages.
    fn unclosed_token(kind: Self::Kind) -> &'static str;
    /// Parses a whole program.
    fn program(parser: &mut Parser<'_, Self>) -> Id;
    /// Parses the items of a cell.
    fn items(parser: &mut Parser<'_, Self>) -> Vec<Self::Item>;
    /// Returns the offset at which an item begins, including its documentation.
    fn start_of(tree: &TreeOf<Self>, item: &Self::Item) -> Option<u32>;
    /// Reports the next token, once, with what is expected.
    fn unexpected(parser: &mut Parser<'_, Self>, expected: &[&'static str]);
    /// Creates the problem of something unclosed.
    fn unclosed(what: &'static str) -> SyntaxKind;
}

/// The result of parsing.
pub(super) struct Parsed<G: Grammar, Parts> {
    /// The tree.
    pub tree: TreeOf<G>,
    /// The part of the tree that was parsed for: the root of a program, or the items of a cell.
    pub parts: Parts,
    /// The problems.
    pub problems: Vec<Problem>,
    /// Whether more text at the end could fix all problems.
    pub incomplete: bool,
    /// The first problem that no further text can fix.
    pub mistake: Option<Span>,
}

/// Parses a program, until it is stopped. Never fails: errors become problems and holes. O(length).
pub(super) fn program<G: Grammar>(source: SourceId, text: &str, stop: Stop<'_>) -> Parsed<G, Id> {
    read(source, text, &G::lex(text, stop), stop, G::program)
}

/// Parses a cell, until it is stopped. Never fails: errors become problems and holes. O(length).
pub(super) fn cell<G: Grammar>(source: SourceId, text: &str, stop: Stop<'_>) -> Parsed<G, Vec<G::Item>> {
    cell_of(source, text, &G::lex(text, stop), stop)
}

/// Parses a cell that was already split into tokens.
pub(super) fn cell_of<G: Grammar>(
    source: SourceId,
    text: &str,
    lexed: &Lexed<G::Kind>,
    stop: Stop<'_>,
) -> Parsed<G, Vec<G::Item>> {
    read(source, text, lexed, stop, G::items)
}

fn read<G: Grammar, Parts>(
    source: SourceId,
    text: &str,
    lexed: &Lexed<G::Kind>,
    stop: Stop<'_>,
    rule: impl FnOnce(&mut Parser<'_, G>) -> Parts,
) -> Parsed<G, Parts> {
    let mut parser = Parser::new(source, text, lexed, stop);
    if let Some(open) = lexed.unclosed {
        let span = parser.span_of(open);
        parser.unclosed(G::unclosed_token(open.kind), span);
        if parser.open_interpolation(span).is_none() {
            parser.broken_strings();
        }
    }
    let parts = rule(&mut parser);
    if let Some(open) = lexed.unclosed {
        parser.drop_follower(open.start);
    }
    let mistake = parser.mistake();
    let (tree, problems, incomplete) = parser.finish();
    Parsed { tree, parts, problems, incomplete, mistake }
}

/// Sorts problems by position. If there are syntax errors, drops problems with the codes in `consequent`, because
/// they may be mere consequences: a name may seem unbound.
pub(in crate::dialect) fn in_order(mut problems: Vec<Problem>, consequent: &[&str]) -> Vec<Problem> {
    if problems.iter().any(|p| matches!(p.code(), "syntax/unexpected" | "syntax/unclosed" | "syntax/path-binding")) {
        problems.retain(|p| !consequent.contains(&p.code()));
    }
    problems.sort_by_key(|p| p.span().map(|s| s.start));
    problems
}
