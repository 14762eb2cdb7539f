//! What the parsers of all languages share: the state of a recursive descent over tokens, with faults reported once, brackets
//! repaired by what stands around them, and any depth.
//!
//! A language gives its [`Grammar`]: tokens, a tree, and rules, which are methods of `Parser<'_, ItsGrammar>`.
//!
//! By hand and not by combinators: input nested 100,000 deep must work (the stack is grown as it is needed), unclosed
//! and missing things must be repaired by what stands around them, and it is several times as fast.

mod brackets;
mod cells;
mod faults;
mod input;
mod state;
mod token;

pub(super) use cells::{Making, inputs};
pub(super) use faults::expected_names;
pub(super) use input::{completeness, mistake, roles};
pub(super) use state::Parser;
pub use token::{Bracket, Lexed, Token, TokenKind};

use super::Stop;
use crate::problem::Problem;
use crate::problem::syntax::SyntaxKind;
use crate::text::{Name, SourceId, Span};

/// How deep constructs may stand in each other.
pub const MAX_DEPTH: u32 = 250_000;

/// An expression of a `Tree`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Id(pub u32);

/// A name and its place.
#[derive(Clone, Debug)]
pub struct Spanned {
    /// The name.
    pub name: Name,
    /// Its place.
    pub span: Span,
}

/// The surface tree of a language. Flat, so that depth costs nothing to drop.
pub trait Tree: Default {
    /// Adds what stands where nothing parsed.
    fn add_hole(&mut self, span: Span) -> Id;
}

/// A language's syntax.
pub(super) trait Grammar: Sized {
    /// What its tokens are.
    type Kind: TokenKind;
    /// What it parses to.
    type Tree: Tree;
    /// A part of a cell.
    type Item;
    /// What its parser remembers beyond what every parser does.
    type Own: Default;

    /// Splits a text into tokens, up to where it is stopped. Total. O(length). Only the first 4 GiB are read.
    fn lex(text: &str, stop: Stop<'_>) -> Lexed<Self::Kind>;
    /// What a token that is not closed is, as a message names it.
    fn unclosed_token(kind: Self::Kind) -> &'static str;
    /// The whole of a program.
    fn program(parser: &mut Parser<'_, Self>) -> Id;
    /// The parts of a cell.
    fn items(parser: &mut Parser<'_, Self>) -> Vec<Self::Item>;
    /// Where a part of a cell begins, its documentation included.
    fn start_of(tree: &Self::Tree, item: &Self::Item) -> Option<u32>;
    /// Reports the next token, once, with what could stand there.
    fn unexpected(parser: &mut Parser<'_, Self>, expected: &[&'static str]);
    /// The problem of something that is not closed.
    fn unclosed(what: &'static str) -> SyntaxKind;
}

/// What a text parsed to.
pub(super) struct Parsed<G: Grammar, Parts> {
    /// The tree.
    pub tree: G::Tree,
    /// What of the tree was asked for: the root of a program, the parts of a cell.
    pub parts: Parts,
    /// What is wrong.
    pub problems: Vec<Problem>,
    /// Whether all that is wrong would be mended by more text at the end.
    pub incomplete: bool,
    /// The first place that no more text at the end would mend.
    pub mistake: Option<Span>,
}

/// Reads a program, up to where it is stopped. Total. O(length).
pub(super) fn program<G: Grammar>(source: SourceId, text: &str, stop: Stop<'_>) -> Parsed<G, Id> {
    read(source, text, &G::lex(text, stop), stop, G::program)
}

/// Reads a cell, up to where it is stopped. Total. O(length).
pub(super) fn cell<G: Grammar>(source: SourceId, text: &str, stop: Stop<'_>) -> Parsed<G, Vec<G::Item>> {
    cell_of(source, text, &G::lex(text, stop), stop)
}

/// Reads a cell that was split into tokens.
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
    }
    let parts = rule(&mut parser);
    let mistake = parser.mistake();
    let (tree, problems, incomplete) = parser.finish();
    Parsed { tree, parts, problems, incomplete, mistake }
}

/// Problems that stand for themselves, in the order of their places: where a text does not parse, what has one of the codes
/// may only follow from what did not parse (a name that seems unbound, say).
pub(super) fn in_order(mut problems: Vec<Problem>, following: &[&str]) -> Vec<Problem> {
    if problems.iter().any(|p| matches!(p.code(), "syntax/unexpected" | "syntax/unclosed")) {
        problems.retain(|p| !following.contains(&p.code()));
    }
    problems.sort_by_key(|p| p.span().map(|s| s.start));
    problems
}
