//! The parser: recursive descent with operator precedences. It is total, with holes where the text does not parse.
//!
//! This module has the rules for each construct. Language-independent parts are in `dialect::parser`.

mod atom;
mod doc;
mod expr;
mod item;
mod object;
mod string;

use super::lexer::{Lexed, lex};
use super::token::Kind;
use super::tree::{Expr, Id, Item, Spanned, Tree};
use crate::dialect::Stop;
use crate::dialect::jsonnet::problem::{JsonnetProblem, Mistake, NamePlace};
use crate::dialect::parser::{self, Grammar, TokenKind, expected_names};
use crate::problem::syntax::SyntaxKind;
use crate::text::Name;

/// The parser of Jsonnet.
type Parser<'t> = parser::Parser<'t, JsonnetGrammar>;

/// The condition of an `if` that is being parsed: the number of brackets that are open around it. `None` outside of one.
#[derive(Default)]
pub struct Condition(Option<u32>);

/// The syntax of Jsonnet.
pub struct JsonnetGrammar;

impl Grammar for JsonnetGrammar {
    type Kind = Kind;
    type Expr = Expr;
    type Pattern = ();
    type Item = Item;
    type ParserState = Condition;

    const HOLE: Expr = Expr::Hole;
    const QUOTED: &'static [Kind] = &[Kind::Double, Kind::Single];

    fn lex(text: &str, stop: Stop<'_>) -> Lexed {
        lex(text, stop)
    }

    fn unclosed_token(kind: Kind) -> &'static str {
        match kind {
            Kind::Block => "comment",
            Kind::TextBlock => "text block",
            _ => "string",
        }
    }

    fn program(parser: &mut Parser<'_>) -> Id {
        let root = parser.term();
        if !parser.is_at_end() {
            let mut last = root;
            while let Expr::Local(_, body) = parser.tree.expr(last) {
                last = *body;
            }
            let mistake = parser.mistake_after(last);
            parser.unexpected_as(&["an operator", "the end"], mistake);
        }
        root
    }

    fn items(parser: &mut Parser<'_>) -> Vec<Item> {
        parser.items()
    }

    fn start_of(tree: &Tree, item: &Item) -> Option<u32> {
        Some(match item {
            Item::Expr(id) => tree.span(*id).start,
            Item::Local { span, doc, .. } => doc.as_ref().map_or(span, |(_, doc)| doc).start,
        })
    }

    fn unexpected(parser: &mut Parser<'_>, expected: &[&'static str]) {
        parser.unexpected_as(expected, None);
    }

    fn unclosed(what: &'static str) -> SyntaxKind {
        JsonnetProblem::Unclosed(Name::new_static(what)).into()
    }
}

impl Parser<'_> {
    /// Reports the next token, once, with the tokens that are possible here and the construct that was probably meant.
    fn unexpected_as(&mut self, expected: &[&'static str], mistake: Option<Mistake>) {
        self.report(|parser, found| {
            let mistake = parser.habit_among(expected).or_else(|| parser.habit()).or(mistake);
            JsonnetProblem::Unexpected { found, expected: expected_names(expected), mistake }
        });
    }

    /// Guesses what was meant where another token follows a complete expression.
    fn mistake_after(&self, expr: Id) -> Option<Mistake> {
        let simple = matches!(self.tree.expr(expr), Expr::Name(_) | Expr::Str(_));
        let call = matches!(self.tree.expr(expr), Expr::Apply(..));
        // `f x`
        let called = matches!(self.tree.expr(expr), Expr::Name(_) | Expr::Dot(..)) && !self.gap().contains('\n');
        Some(match self.kind() {
            Kind::Equals if self.peek(1).kind == Kind::Greater => Mistake::Function,
            Kind::Equals if simple || call => Mistake::Local,
            Kind::Equals if matches!(self.tree.expr(expr), Expr::Dot(..) | Expr::Index(..)) => Mistake::Assignment,
            kind if kind.is_colon() && simple => Mistake::Braces,
            kind if called && (kind.is_string() || matches!(kind, Kind::Ident | Kind::Number)) => {
                return self.habit().or(Some(Mistake::Call));
            }
            kind if kind.starts_term() && matches!(self.tree.expr(expr), Expr::Import(..)) => Mistake::BindImport,
            kind if kind.starts_term() && !self.gap().is_empty() => Mistake::SecondExpression,
            _ => return None,
        })
    }

    /// Guesses what a token means where some others are possible.
    fn habit_among(&self, expected: &[&'static str]) -> Option<Mistake> {
        let before = self.at.checked_sub(1).and_then(|i| self.tokens.get(i)).map(|token| token.kind);
        let wants = |what: &str| expected.contains(&what);
        let same_line = !self.gap().contains('\n');
        Some(match self.kind() {
            Kind::If if wants("a field name") && matches!(before, Some(Kind::LBrace | Kind::Comma)) => {
                Mistake::ConditionalField
            }
            Kind::For if wants("a field name") && matches!(before, Some(Kind::LBrace | Kind::Comma)) => {
                Mistake::ComputedFields
            }
            Kind::Comma if expected == ["`in`"] => Mistake::ForEntries,
            Kind::Ident if expected == ["`in`"] && self.slice(self.token) == "of" => Mistake::ForOf,
            Kind::For if wants("an expression") => Mistake::Comprehension,
            Kind::RBrace | Kind::RBracket | Kind::RParen if wants("the end") => Mistake::Closing,
            Kind::Semicolon if expected == ["`=`"] => Mistake::LocalValue,
            Kind::Tailstrict => Mistake::Tailstrict,
            Kind::Number
                if wants("a field name") && before == Some(Kind::Dot) && self.peek_back(2) == Some(Kind::Number) =>
            {
                Mistake::DottedNumbers
            }
            Kind::Number if wants("a field name") && before == Some(Kind::Dot) => Mistake::ElementIndex,
            Kind::Bang if self.peek(1).kind == Kind::In => Mistake::NotIn,
            kind if kind.is_colon() && matches!(before, Some(Kind::Then | Kind::Else)) => Mistake::ElseColon,
            Kind::Semicolon if wants("the end") => Mistake::LastSemicolon,
            Kind::Eof
                if wants("an expression") && before == Some(Kind::Plus) && self.peek_back(2) == Some(Kind::Plus) =>
            {
                Mistake::Increment
            }
            Kind::Eof if wants("an expression") && before.is_some_and(|kind| expr::infix(kind).is_some()) => {
                Mistake::TrailingOperator
            }
            Kind::RBrace | Kind::RBracket | Kind::RParen if wants("`]`") || wants("`}`") || wants("`)`") => {
                Mistake::OtherBracket
            }
            _ if wants("an expression") && before == Some(Kind::ErrorWord) => Mistake::ErrorWord,
            Kind::Comma | Kind::RBrace if wants("an expression") && before.is_some_and(Kind::is_colon) => {
                Mistake::MissingValue
            }
            Kind::Comma if wants("a field") || wants("an expression") || wants("an argument") => Mistake::ExtraComma,
            kind if kind.is_string() && wants("a field name") && before == Some(Kind::Dot) => Mistake::Joined,
            kind if kind.is_string() && self.follows_directly(&["f", "r", "b", "u", "F"]) => Mistake::Interpolated,
            Kind::Error if self.slice(self.token).starts_with('?') && self.text_after().starts_with(['?', '.']) => {
                Mistake::DefaultValue
            }
            Kind::Error if self.slice(self.token).starts_with("??") => Mistake::DefaultValue,
            _ if wants("a field name") && self.after_if_with_brace() => Mistake::IfBraces,
            Kind::Ident if wants("`;`") && before == Some(Kind::RParen) && same_line && self.habit().is_none() => {
                Mistake::FunctionWord
            }
            Kind::Number if (wants("the end") || wants("`}`")) && before == Some(Kind::Ident) && same_line => {
                Mistake::Call
            }
            Kind::Ident if before == Some(Kind::Dollar) && self.gap().is_empty() => Mistake::Dollar,
            _ => return None,
        })
    }

    /// Guesses what a token that is not possible here means.
    fn habit(&self) -> Option<Mistake> {
        let before = self.at.checked_sub(1).and_then(|i| self.tokens.get(i)).copied();
        let word = before.filter(|t| t.kind == Kind::Ident).map(|t| self.slice(t));
        Some(match (word, self.kind()) {
            (Some("let" | "var" | "const"), Kind::Ident) => Mistake::Let,
            (Some("not"), kind) if kind.starts_term() => Mistake::Not,
            (Some("return"), kind) if kind.starts_term() => Mistake::Return,
            (Some("fun" | "def" | "fn" | "lambda"), Kind::Ident) => Mistake::Function,
            (_, Kind::Equals) if before.is_some_and(|t| matches!(t.kind, Kind::EqEq | Kind::NotEq)) => {
                Mistake::TwoEquals
            }
            (_, Kind::Greater) if before.is_some_and(|t| matches!(t.kind, Kind::Equals | Kind::Minus)) => {
                Mistake::Function
            }
            (_, Kind::Equals) if self.peek(1).kind == Kind::Greater => Mistake::Function,
            (_, Kind::Dot) if self.peek(1).kind == Kind::Dot => Mistake::Spread,
            (_, Kind::Dot) if self.peek(1).kind == Kind::Number => Mistake::Digits,
            (_, Kind::Ident) => match self.slice(self.token) {
                "not" if self.peek(1).kind == Kind::In => Mistake::NotIn,
                "and" => Mistake::And,
                "or" => Mistake::Or,
                "not" => Mistake::Not,
                "as" => Mistake::ImportAs,
                "elif" | "elseif" | "elsif" => Mistake::ElseIf,
                _ => return None,
            },
            (_, Kind::Error)
                if self.slice(self.token).starts_with(['\u{201c}', '\u{201d}', '\u{2018}', '\u{2019}', '`']) =>
            {
                Mistake::Quotes
            }
            (_, Kind::Error) if self.slice(self.token).starts_with('\u{a0}') => Mistake::Blank,
            (_, Kind::Error) if self.slice(self.token) == "?" && self.peek(1).kind.starts_term() => Mistake::IfThenElse,
            _ => return None,
        })
    }

    /// Returns the kind of the token that is `back` tokens before the next one.
    fn peek_back(&self, back: usize) -> Option<Kind> {
        self.at.checked_sub(back).and_then(|at| self.tokens.get(at)).map(|token| token.kind)
    }

    /// Returns the text after the next token.
    fn text_after(&self) -> &str {
        self.text.get(self.token.end as usize..).unwrap_or_default()
    }

    /// Returns whether the next token follows one of some words without a blank.
    fn follows_directly(&self, words: &[&str]) -> bool {
        let before = self.at.checked_sub(1).and_then(|at| self.tokens.get(at));
        before.is_some_and(|token| token.end == self.token.start && words.contains(&self.slice(*token)))
    }

    /// Returns whether the next token follows a `{` on a line with an `if` that has no `then`.
    fn after_if_with_brace(&self) -> bool {
        let before = self.text.get(..self.token.start as usize).unwrap_or_default().trim_end();
        let from = before.len().saturating_sub(200);
        let line = before.get(from..).unwrap_or_default().rsplit('\n').next().unwrap_or_default();
        let mut words = line.split(|c: char| !c.is_alphanumeric() && c != '_');
        line.ends_with('{') && words.clone().any(|word| word == "if") && !words.any(|word| word == "then")
    }

    /// Parses a required name. Returns an empty name if there is none.
    fn name(&mut self, place: NamePlace, expected: &'static str) -> Spanned {
        if matches!(self.kind(), Kind::Ident) {
            let token = self.bump();
            return Spanned { name: self.name_of(token), span: self.span_of(token) };
        }
        let span = self.here().at_start();
        if self.kind().is_reserved() && !self.is_reported() {
            // it was meant as a name if the next token can follow a name
            let here = self.span_of(self.token);
            let next = self.peek(1).kind;
            let as_name = match place {
                NamePlace::Variable => {
                    matches!(next, Kind::Equals | Kind::Comma | Kind::RParen | Kind::LParen | Kind::In)
                }
                NamePlace::Field => next.is_colon() || next == Kind::LParen,
                NamePlace::Read => span.start == self.last_end(),
            };
            if as_name {
                let at = self.at;
                let token = self.bump();
                self.take_for_reported(at);
                self.fault(here, JsonnetProblem::Reserved { word: self.name_of(token), place });
                return Spanned { name: self.name_of(token), span: here };
            }
        }
        // `local local = 1; local`: the word was reported where it is bound
        let again = self.kind() == Kind::Eof && !self.has_no_reports();
        if again && self.peek_back(1).is_some_and(Kind::is_reserved) {
            self.take_for_reported(self.at);
        }
        self.unexpected(&[expected]);
        if self.kind() == Kind::Cursor {
            self.bump();
        }
        Spanned { name: Name::new_static(""), span }
    }

    /// Returns whether the token follows a string without a space.
    fn is_after_string(&self) -> bool {
        let before = self.at.checked_sub(1).and_then(|at| self.tokens.get(at));
        before.is_some_and(|token| token.kind.is_string() && token.end == self.here().start)
    }

    /// Consumes the comma after a list item that began at the token `before`, or the tokens in its place.
    ///
    /// Returns `false` if no token was consumed, so that the list must end.
    fn separated(&mut self, before: usize, close: Kind, starts: fn(Kind) -> bool, expected: &[&'static str]) -> bool {
        if self.eat(Kind::Comma) || self.kind() == close || self.kind() == Kind::Eof {
            return true;
        }
        if self.closes_outer(close) {
            return false;
        }
        let begins = self.tokens.get(before).map(|token| token.kind);
        let mistake = match self.kind() {
            Kind::Semicolon if close == Kind::RBrace && matches!(begins, Some(Kind::Local | Kind::Assert)) => {
                Some(Mistake::LocalInObject)
            }
            Kind::Semicolon => Some(Mistake::Comma),
            // `image: nginx:1.25`
            Kind::Colon if close == Kind::RBrace && self.gap().is_empty() && self.peek(1).start == self.token.end => {
                Some(Mistake::TextWithColon)
            }
            // `my-key: 1`
            kind if kind.is_colon() && close == Kind::RBrace => Some(Mistake::Braces),
            Kind::Ident if self.is_after_string() => Some(Mistake::QuoteInside),
            kind if kind.is_string()
                && self.peek_back(1).is_some_and(Kind::is_string)
                && !self.peek(1).kind.is_colon() =>
            {
                Some(Mistake::TwoStrings)
            }
            // `web: mk 'a'`
            kind if (kind.is_string() || kind == Kind::Number)
                && close == Kind::RBrace
                && self.peek_back(1) == Some(Kind::Ident)
                && !self.peek(1).kind.is_colon()
                && !self.gap().contains('\n') =>
            {
                Some(Mistake::Call)
            }
            kind if starts(kind) && self.at != before => Some(Mistake::MissingComma),
            _ => None,
        };
        self.unexpected_as(expected, mistake);
        if self.eat(Kind::Semicolon) {
            return true;
        }
        if mistake.is_none() || !self.is_reported() {
            self.skip_to(&[Kind::Comma, close]);
            self.eat(Kind::Comma);
        }
        self.at != before
    }
}
