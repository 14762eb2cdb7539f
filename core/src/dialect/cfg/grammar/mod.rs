//! The parser: recursive descent with operator precedences. It is total, with holes where the text does not parse.
//!
//! This module has the rules for each construct. Language-independent parts are in `dialect::parser`.

mod atom;
mod expr;
mod habits;
mod item;
mod meta;
mod number;
mod pattern;
mod record;
mod string;
mod types;

use super::lexer::{Lexed, lex};
use super::token::Kind;
use super::tree::{Expr, Id, Item, Pattern, Tree};
use crate::dialect::Stop;
use crate::dialect::cfg::problem::CfgProblem;
use crate::dialect::parser::{self, Grammar, expected_names};
use crate::problem::syntax::SyntaxKind;
use crate::text::Name;

/// The parser of `cfg`.
type Parser<'t> = parser::Parser<'t, Cfg>;

/// The syntax of `cfg`.
pub struct Cfg;

/// State that only the cfg parser has.
#[derive(Default)]
pub struct ParserState {
    /// Whether the parser is in an annotation, which `=` may follow.
    annotation: bool,
    /// Whether the parser is in the condition of an `if`, outside of brackets.
    condition: bool,
    /// Whether a definition of another language was looked for.
    looked: bool,
}

impl Grammar for Cfg {
    type Kind = Kind;
    type Expr = Expr;
    type Pattern = Pattern;
    type Item = Item;
    type ParserState = ParserState;

    const HOLE: Expr = Expr::Hole;
    const QUOTED: &'static [Kind] = &[Kind::StrText];

    fn lex(text: &str, stop: Stop<'_>) -> Lexed {
        lex(text, stop)
    }

    fn unclosed_token(kind: Kind) -> &'static str {
        match kind {
            Kind::TagStrOpen => "quoted enum tag",
            Kind::MultiOpen | Kind::SymbolicOpen => "multi-line string",
            _ => "string",
        }
    }

    fn program(parser: &mut Parser<'_>) -> Id {
        let root = parser.term();
        if !parser.is_at_end() {
            parser.unexpected(&["an operator", "the end"]);
        }
        root
    }

    fn items(parser: &mut Parser<'_>) -> Vec<Item> {
        parser.items()
    }

    fn start_of(tree: &Tree, item: &Item) -> Option<u32> {
        match item {
            Item::Expr(id) => Some(tree.span(*id).start),
            Item::Bind(binding) => Some(tree.pattern_span(binding.pattern).start),
            Item::Let(_, bindings) => bindings.first().map(|b| tree.pattern_span(b.pattern).start),
        }
    }

    fn unexpected(parser: &mut Parser<'_>, expected: &[&'static str]) {
        if !parser.is_at_end() && parser.conflict_marker() {
            return;
        }
        let comma_after = parser.comma_missing_after(expected);
        parser.report(|parser, found| match found {
            Some(_) if parser.kind().is_reserved() && expected == ["a field name"] => {
                CfgProblem::Reserved(parser.name_of(parser.token))
            }
            Some(_) if matches!(parser.kind(), Kind::StrClose | Kind::StrText) => {
                let found = Some(Name::new_static("\""));
                CfgProblem::Unexpected {
                    found,
                    expected: expected_names(expected),
                    before: parser.line_before(),
                    comma_after,
                }
            }
            found => {
                let before = parser.line_before();
                CfgProblem::Unexpected { found, expected: expected_names(expected), before, comma_after }
            }
        });
    }

    fn unclosed(what: &'static str) -> SyntaxKind {
        CfgProblem::Unclosed(Name::new_static(what)).into()
    }
}

impl Parser<'_> {
    /// Returns the end of the text before the next token on its line.
    fn line_before(&self) -> Name {
        const MOST: usize = 40;
        let before = self.text.get(..self.token.start as usize).unwrap_or_default().trim_end_matches(' ');
        // not the whole line, which may be the whole text
        let end = before.char_indices().rev().take_while(|(_, c)| *c != '\n').take(MOST + 1);
        let from = end.last().map_or(before.len(), |(at, _)| at);
        Name::new(before.get(from..).unwrap_or_default())
    }

    /// Consumes the comma after a list item that began at the token `before`, or the tokens in its place.
    ///
    /// Returns `false` if no token was consumed, so that the list must end.
    fn separated(&mut self, before: usize, close: Kind, expected: &[&'static str]) -> bool {
        if self.eat(Kind::Comma) || self.kind() == close || self.is_at_end() {
            return true;
        }
        self.unexpected(expected);
        self.skip_to(&[Kind::Comma, close]);
        self.eat(Kind::Comma);
        self.at != before
    }
}
