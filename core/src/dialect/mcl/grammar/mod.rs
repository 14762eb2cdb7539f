//! The parser: recursive descent with operator precedences. It is total, with holes where the text does not parse.
//!
//! `MclGrammar<false>` is the grammar of mgmt 0.0.26, of October 2024: every element of a list, a map, a struct and a resource ends
//! with a comma, and line ends mean nothing.
//!
//! `MclGrammar<true>` is the grammar of August 2026:
//!
//! ```text
//! [1, 2]                      elements on one line have no comma at the end
//! [⏎ 1,⏎ 2,⏎]                 elements on lines of their own end with a comma
//! $x = 1⏎                     a statement ends with its line
//! $l[42] <|> $l[0] <|> 7      the operator for a value that cannot be computed, in place of `||`
//! a or b and c                a or (b and c)
//! for $i, $v in $list { … }   statements for each element; `forkv $k, $v in $map { … }` for each entry
//! collect file "/tmp/x" { … } a resource that other hosts export
//! ```

mod expr;
mod habits;
mod item;
mod resource;
mod stmt;
mod string;
mod types;

use super::lexer::{Lexed, lex};
use super::token::Kind;
use super::tree::{Expr, Id, Item, Part, Spanned, Tree};
use crate::dialect::Stop;
use crate::dialect::mcl::problem::{MclProblem, Meant};
use crate::dialect::parser::{self, Grammar, expected_names};
use crate::problem::syntax::SyntaxKind;
use crate::text::Name;

/// The words that only the newest syntax reserves.
pub(super) const NEWEST_WORDS: [&str; 3] = ["for", "forkv", "collect"];

/// The parser of mcl.
pub(super) type Parser<'t, const N: bool> = parser::Parser<'t, MclGrammar<N>>;

/// The syntax of mcl. `N`: the newest one.
pub struct MclGrammar<const N: bool>;

impl<const N: bool> Grammar for MclGrammar<N> {
    type Kind = Kind;
    type Expr = Expr;
    type Pattern = Part;
    type Item = Item;
    type ParserState = habits::ParserState;

    const HOLE: Expr = Expr::Hole;

    fn lex(text: &str, stop: Stop<'_>) -> Lexed {
        lex(text, stop)
    }

    const QUOTED: &'static [Kind] = &[Kind::Str];

    fn unclosed_token(_: Kind) -> &'static str {
        "string"
    }

    fn program(parser: &mut Parser<'_, N>) -> Id {
        if parser.is_name() {
            // commands take the name of a function or a module
            let name = parser.parts("the name of a function", Kind::Dot);
            let span = name.span;
            return parser.tree.add(Expr::Function(Box::new(name)), span);
        }
        // commands take an expression, files have statements
        let is_comment = parser.kind() == Kind::Slash && parser.peek(1).kind == Kind::Slash;
        let binds = parser.kind() == Kind::Dollar && parser.peek(2).kind == Kind::Colon;
        let is_statement = parser.is_statement(0) || is_comment || binds;
        if !parser.is_at_end() && !is_statement && parser.kind() != Kind::RBrace {
            let root = parser.expression();
            if !parser.is_at_end() {
                parser.unexpected(&["an operator", "the end"]);
            }
            return root;
        }
        let statements = parser.statements();
        let span = parser.since(0);
        parser.tree.add(Expr::Program(statements.into()), span)
    }

    fn items(parser: &mut Parser<'_, N>) -> Vec<Item> {
        parser.items()
    }

    fn start_of(tree: &Tree, item: &Item) -> Option<u32> {
        Some(match item {
            Item::Expr(id) => tree.span(*id).start,
            Item::Stmt(id) => tree.stmt_span(*id).start,
            Item::Graph(_, span) => span.start,
        })
    }

    fn unexpected(parser: &mut Parser<'_, N>, expected: &[&'static str]) {
        parser.unexpected_as(expected, None);
    }

    fn unclosed(what: &'static str) -> SyntaxKind {
        MclProblem::Unclosed(Name::new_static(what)).into()
    }
}

impl<const N: bool> Parser<'_, N> {
    /// Reports the next token, once, with the tokens that are expected here and the construct that was probably meant.
    fn unexpected_as(&mut self, expected: &[&'static str], meant: Option<Meant>) {
        self.report(|parser, found| {
            let meant = meant.or_else(|| parser.habit()).or_else(|| parser.habit_among(expected));
            MclProblem::Unexpected { found, expected: expected_names(expected), meant }
        });
    }

    /// Reports that the token before the next one has no comma after it. `close`: the bracket that closes the whole.
    pub(super) fn missing_part_comma(&mut self, close: &'static str) {
        if !self.is_reported() {
            self.report_at(self.at.saturating_sub(1), MclProblem::NoComma { close });
            self.take_for_reported(self.at);
        }
    }

    /// Returns `true` if a line ends before the next token, and line ends mean something.
    pub(super) fn is_new_line(&self) -> bool {
        N && !self.is_at_end() && self.gap().contains('\n')
    }

    /// Returns `true` if the next token is a word that only the newest syntax reserves.
    fn is_newest_word(&self) -> bool {
        N && self.kind() == Kind::Ident && NEWEST_WORDS.contains(&self.slice(self.token))
    }

    /// Guesses the intended construct from an unexpected token where some others are possible.
    fn habit_among(&self, expected: &[&'static str]) -> Option<Meant> {
        const NEAR: usize = 8;
        let before = self.tokens.get(self.at.saturating_sub(NEAR)..self.at).unwrap_or_default();
        Some(match self.kind() {
            Kind::Equals | Kind::Colon if expected.contains(&"`=>`") => Meant::Arrow,
            Kind::Equals if expected.contains(&"the name of the resource") => Meant::Bind,
            Kind::Equals if expected == ["`{`"] && before.iter().any(|token| token.kind == Kind::If) => Meant::Compare,
            _ if expected == ["`{`"] && self.is_after_value(before) => Meant::Choice,
            _ if expected == ["`{`"] && before.iter().any(|token| token.kind == Kind::If) => Meant::Braces,
            _ => return None,
        })
    }

    /// Whether an `if` follows a value on its line: `$x = "a" if c`.
    fn is_after_value(&self, before: &[parser::Token<Kind>]) -> bool {
        before.windows(2).any(|pair| {
            let [value, word] = pair else { return false };
            use Kind::{False, Float, Ident, Int, RBracket, RParen, Str, True};
            let is_value = matches!(value.kind, Str | Int | Float | Ident | RBracket | RParen | True | False);
            let gap = self.text.get(value.end as usize..word.start as usize);
            word.kind == Kind::If && is_value && !gap.unwrap_or_default().contains('\n')
        })
    }

    /// Returns `true` if the rest of the text is a name: `a.b`.
    fn is_name(&self) -> bool {
        let mut ahead = 0;
        while self.peek(ahead).kind == Kind::Ident {
            match self.peek(ahead + 1).kind {
                Kind::Eof => return true,
                Kind::Dot => ahead += 2,
                _ => return false,
            }
        }
        false
    }

    /// Guesses the intended construct from an unexpected token.
    fn habit(&self) -> Option<Meant> {
        let before = self.at.checked_sub(1).and_then(|i| self.tokens.get(i)).copied();
        let word = before.filter(|t| t.kind == Kind::Ident).map(|t| self.slice(t));
        Some(match (word, self.kind()) {
            (Some("let" | "var" | "const" | "local"), Kind::Ident) => Meant::Bind,
            (Some("else" | "elif" | "elsif"), _) => Meant::ElseIf,
            (Some("return"), _) => Meant::Return,
            (_, Kind::Equals) if before.is_some_and(|t| matches!(t.kind, Kind::EqEq | Kind::NotEq)) => Meant::Compare,
            (_, Kind::If) if before.is_some_and(|t| t.kind == Kind::Else) => Meant::ElseIf,
            (_, Kind::If) => Meant::Choice,
            (_, Kind::Default) if N => Meant::Except,
            (_, Kind::Default) => Meant::Or,
            (_, Kind::Except) if !N => Meant::Newest,
            (_, Kind::Error) => match self.slice(self.token) {
                "!" => Meant::Not,
                "&&" | "&" => Meant::And,
                "'" | "`" => Meant::Quotes,
                text if text.starts_with(['\u{201c}', '\u{201d}', '\u{2018}', '\u{2019}', '`', '\'']) => Meant::Quotes,
                _ => return None,
            },
            _ => return None,
        })
    }

    /// Parses a required name. Returns an empty name if there is none.
    fn name(&mut self, expected: &'static str) -> Spanned {
        if matches!(self.kind(), Kind::Ident) && !self.is_newest_word() {
            let token = self.bump();
            return Spanned { name: self.name_of(token), span: self.span_of(token) };
        }
        let span = self.here().at_start();
        if (self.kind().is_reserved() || self.is_newest_word()) && !self.is_reported() {
            let here = self.span_of(self.token);
            let token = self.bump();
            let name = self.name_of(token);
            self.fault(here, MclProblem::Reserved(name.clone()));
            return Spanned { name, span: here };
        }
        self.unexpected(&[expected]);
        if self.kind() == Kind::Cursor {
            self.bump();
        }
        Spanned { name: Name::new_static(""), span }
    }

    /// Parses a name with parts: `a.b.c`, `http:server`.
    fn parts(&mut self, expected: &'static str, separator: Kind) -> Spanned {
        let first = self.name(expected);
        if first.name.is_empty() || self.kind() != separator {
            return first;
        }
        let (mut text, mut span) = (String::from(first.name.as_str()), first.span);
        while self.kind() == separator {
            self.bump();
            let next = self.name(expected);
            text.push(if separator == Kind::Dot { '.' } else { ':' });
            text.push_str(&next.name);
            span = span.to(next.span);
        }
        Spanned { name: Name::from(text), span }
    }
}
