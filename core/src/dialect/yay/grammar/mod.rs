//! The parser: recursive descent with operator precedences. It is total, with holes where the text does not parse.
//!
//! This module has the rules for each construct. Language-independent parts are in `dialect::parser`.

mod columns;
mod expr;
mod lines;
mod literal;
mod scalar;
mod stanza;

pub use lines::warnings;

use super::lexer::{Lexed, is_document, lex};
use super::problem::YayProblem;
use super::token::{Kind, Token};
use super::tree::{Block, Blocks, Expr, Id, Item, Spanned, Tree};
use crate::dialect::Stop;
use crate::dialect::parser::{self, Bracket, Grammar, expected_names};
use crate::problem::syntax::SyntaxKind;
use crate::text::{Name, Span};

/// The parser of Yay.
type Parser<'t> = parser::Parser<'t, YayGrammar>;

/// The syntax of Yay.
pub struct YayGrammar;

impl Grammar for YayGrammar {
    type Kind = Kind;
    type Expr = Expr;
    type Pattern = Block;
    type Item = Item;
    type ParserState = lines::LinesAbove;

    const HOLE: Expr = Expr::Hole;

    fn lex(text: &str, stop: Stop<'_>) -> Lexed {
        lex(text, stop)
    }

    fn unclosed_token(_: Kind) -> &'static str {
        "string"
    }

    fn program(parser: &mut Parser<'_>) -> Id {
        match parser.item() {
            Item::Expr(id) => id,
            Item::Document(block) => {
                let span = parser.tree.block(block).span;
                parser.tree.add(Expr::Block(block), span)
            }
        }
    }

    fn items(parser: &mut Parser<'_>) -> Vec<Item> {
        if parser.is_at_end() { Vec::new() } else { vec![parser.item()] }
    }

    fn start_of(tree: &Tree, item: &Item) -> Option<u32> {
        Some(match item {
            Item::Expr(id) => tree.span(*id).start,
            Item::Document(block) => tree.block(*block).span.start,
        })
    }

    fn unexpected(parser: &mut Parser<'_>, expected: &[&'static str]) {
        parser.report(|parser, found| SyntaxKind::Unexpected {
            found: parser.described(found),
            expected: expected_names(expected),
        });
    }

    fn unclosed(what: &'static str) -> SyntaxKind {
        let template = what == Bracket::Interpolation.name();
        SyntaxKind::Unclosed(Name::new_static(if template { "template `{{`" } else { what }))
    }
}

impl Parser<'_> {
    /// Parses a document or an expression.
    fn item(&mut self) -> Item {
        if is_document(self.text) {
            let block = self.block();
            return Item::Document(block);
        }
        if self.check_comment() {
            return Item::Expr(self.hole());
        }
        let root = self.expressions();
        if !self.is_at_end() && !self.check_first_line() {
            self.unexpected(&["an operator", "the end"]);
        }
        Item::Expr(root)
    }

    /// Returns the next token in the user's terms. `found` is its text.
    fn described(&self, found: Option<Name>) -> Option<Name> {
        match self.token.kind {
            Kind::Newline => Some(Name::new_static("the end of the line")),
            Kind::Indent => Some(Name::new_static("an indented line")),
            Kind::Dedent => Some(Name::new_static("the end of the block")),
            _ => found,
        }
    }

    /// Reports the next token, once, with what is expected and what to write.
    fn expected(&mut self, expected: &'static str, help: impl Into<Name>) {
        self.report(|parser, found| YayProblem::Unexpected {
            found: parser.described(found),
            expected: expected_names(&[expected]),
            help: help.into(),
        });
    }

    /// Expects the closing bracket of an opening one. In a template its end may come first.
    fn close_inside(&mut self, opening: Token, close: Kind, expected: &[&'static str]) {
        let rest = self.text.get(self.token.start as usize..).unwrap_or("");
        let names = match close {
            Kind::RParen => Some(("parenthesis `(`", ")")),
            Kind::RBracket => Some(("bracket `[`", "]")),
            _ => None,
        };
        if let (Some((what, close)), Kind::RBrace, true) = (names, self.kind(), rest.starts_with("}}"))
            && !self.is_reported()
        {
            let end = self.here();
            let end = Span { end: end.start + 2, ..end };
            self.fault(self.span_of(opening), YayProblem::Open { what, close, end });
            self.take_for_reported(self.at);
        }
        self.close(opening, close, expected);
    }

    /// Parses a required name. Returns an empty name if there is none.
    fn name(&mut self, expected: &'static str) -> Spanned {
        if self.kind() == Kind::Ident || (self.kind().is_reserved() && self.at > 0 && self.follows_dot()) {
            let token = self.bump();
            return Spanned { name: self.name_of(token), span: self.span_of(token) };
        }
        let span = self.here().at_start();
        self.unexpected(&[expected]);
        if self.kind() == Kind::Cursor {
            self.bump();
        }
        Spanned { name: Name::new_static(""), span }
    }

    /// Returns `true` if the last token is a dot. A keyword after a dot is a name.
    fn follows_dot(&self) -> bool {
        self.at.checked_sub(1).and_then(|i| self.tokens.get(i)).is_some_and(|t| t.kind == Kind::Dot)
    }
}

/// Returns `true` if a scalar is a number.
pub fn is_number(text: &str) -> bool {
    crate::value::eval::converting::of_text(text).is_some()
}
