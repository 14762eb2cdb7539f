//! Tokens to tree, by recursive descent with operator precedences; total, with holes where the text does not parse.
//!
//! By hand and not by combinators, for the same reasons as cfg's: any depth must work, and what is missing is repaired
//! by what stands around it.

mod atom;
mod doc;
mod expr;
mod item;
mod object;
mod string;

use super::lexer::{Lexed, lex};
use super::token::{Kind, Token};
use super::tree::{Expr, Id, Item, Spanned, Tree};
use crate::dialect::Stop;
use crate::problem::Problem;
use crate::problem::jsonnet::{Jsonnet, Meant, NamePlace};
use crate::problem::syntax::{Syntax, SyntaxKind};
use crate::text::{Name, SourceId, Span};

/// How deep constructs may stand in each other.
pub const MAX_DEPTH: u32 = 250_000;

/// How many problems of one text are reported.
const MAX_FAULTS: usize = 100;

/// What a text parsed to.
#[derive(Debug)]
pub struct Parsed {
    /// The tree.
    pub tree: Tree,
    /// The whole, if it was read as a program.
    pub root: Option<Id>,
    /// The parts, if it was read as a cell.
    pub items: Vec<Item>,
    /// What is wrong.
    pub problems: Vec<Problem>,
    /// Whether all that is wrong would be mended by more text at the end.
    pub incomplete: bool,
}

/// How a text is to be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    /// One expression.
    Program,
    /// Definitions and expressions.
    Cell,
}

/// Reads a text, up to where it is stopped. Total. O(length).
pub fn parse(source: SourceId, text: &str, goal: Goal, stop: Stop<'_>) -> Parsed {
    parse_tokens(source, text, lex(text, stop), goal, stop)
}

/// Reads a text that was split into tokens.
pub fn parse_tokens(source: SourceId, text: &str, lexed: Lexed, goal: Goal, stop: Stop<'_>) -> Parsed {
    let mut parser = Parser::new(source, text, &lexed, stop);
    if let Some(open) = lexed.unclosed {
        let what = match open.kind {
            Kind::Block => "comment",
            Kind::TextBlock => "text block",
            _ => "string",
        };
        let span = parser.span_of(open);
        parser.unclosed(what, span);
    }
    let mut root = None;
    let mut items = Vec::new();
    match goal {
        Goal::Program => root = Some(parser.program()),
        Goal::Cell => items = parser.items(),
    }
    let incomplete = !parser.faults.is_empty() && parser.faults.iter().all(|f| f.at_end);
    let problems = parser.faults.into_iter().map(|f| Problem::error(f.syntax)).collect();
    Parsed { tree: parser.tree, root, items, problems, incomplete }
}

/// A problem, and whether more text at the end would mend it.
#[derive(Debug)]
struct Fault {
    syntax: Syntax,
    at_end: bool,
}

/// The parser's state.
struct Parser<'t> {
    source: SourceId,
    text: &'t str,
    tokens: &'t [Token],
    comments: &'t [Token],
    eof: Token,
    stop: Stop<'t>,
    /// The index of the next token.
    at: usize,
    /// The next token.
    token: Token,
    tree: Tree,
    faults: Vec<Fault>,
    /// The token at which the last fault was found: one is enough.
    faulted: Option<usize>,
    unclosed_seen: bool,
    /// How many of each bracket are open: `(`, `[`, `{`.
    open: [u32; 3],
    depth: u32,
    /// Where a line must begin, at the most, to begin a new item of a cell; `None` in programs.
    margin: Option<u32>,
}

impl<'t> Parser<'t> {
    fn new(source: SourceId, text: &'t str, lexed: &'t Lexed, stop: Stop<'t>) -> Self {
        let end = text.len() as u32;
        let eof = lexed.tokens.last().copied().unwrap_or(Token { kind: Kind::Eof, start: end, end });
        Parser {
            source,
            text,
            tokens: &lexed.tokens,
            comments: &lexed.comments,
            eof,
            stop,
            at: 0,
            token: lexed.tokens.first().copied().unwrap_or(eof),
            tree: Tree::default(),
            faults: Vec::new(),
            faulted: None,
            unclosed_seen: false,
            open: [0; 3],
            depth: 0,
            margin: None,
        }
    }

    fn program(&mut self) -> Id {
        let root = self.term();
        if self.token.kind != Kind::Eof {
            let meant = self.meant_behind(root);
            self.unexpected_as(&["an operator", "the end"], meant);
        }
        root
    }

    /// What was meant where a whole expression is followed by something else.
    fn meant_behind(&self, expr: Id) -> Option<Meant> {
        let simple = matches!(self.tree.expr(expr), Expr::Name(_) | Expr::Str(_));
        let call = matches!(self.tree.expr(expr), Expr::Apply(..));
        // `f x`
        let called = matches!(self.tree.expr(expr), Expr::Name(_) | Expr::Dot(..)) && !self.gap().contains('\n');
        Some(match self.kind() {
            Kind::Equals if self.peek(1).kind == Kind::Greater => Meant::Function,
            Kind::Equals if simple || call => Meant::Local,
            kind if kind.is_colon() && simple => Meant::Braces,
            kind if called && (kind.is_string() || matches!(kind, Kind::Ident | Kind::Number)) => {
                return self.habit().or(Some(Meant::Call));
            }
            _ => return None,
        })
    }

    // -- tokens

    fn kind(&self) -> Kind {
        self.token.kind
    }

    fn peek(&self, ahead: usize) -> Token {
        self.tokens.get(self.at + ahead).copied().unwrap_or(self.eof)
    }

    fn bump(&mut self) -> Token {
        let token = self.token;
        if self.stop.is_asked() {
            self.give_up();
        } else if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
        self.token = self.tokens.get(self.at).copied().unwrap_or(self.eof);
        token
    }

    fn eat(&mut self, kind: Kind) -> bool {
        let found = self.token.kind == kind;
        if found {
            self.bump();
        }
        found
    }

    fn slice(&self, token: Token) -> &'t str {
        self.text.get(token.start as usize..token.end as usize).unwrap_or("")
    }

    fn name_of(&self, token: Token) -> Name {
        Name::new(self.slice(token))
    }

    /// A name where one must stand; an empty one where none does.
    fn name(&mut self, place: NamePlace, expected: &'static str) -> Spanned {
        if matches!(self.kind(), Kind::Ident) {
            let token = self.bump();
            return Spanned { name: self.name_of(token), span: self.span_of(token) };
        }
        let span = self.here().at_start();
        if self.kind().is_reserved() && self.faulted != Some(self.at) {
            // meant as a name if what follows would follow a name
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
                let token = self.bump();
                self.fault(here, Jsonnet::Reserved { word: self.name_of(token), place });
                return Spanned { name: self.name_of(token), span: here };
            }
        }
        self.unexpected(&[expected]);
        if self.kind() == Kind::Cursor {
            self.bump();
        }
        Spanned { name: Name::new_static(""), span }
    }

    // -- spans

    fn span_of(&self, token: Token) -> Span {
        Span { source: self.source, start: token.start, end: token.end }
    }

    /// The place of the next token; at the end of input, of the last one's end.
    fn here(&self) -> Span {
        match self.token.kind {
            Kind::Eof => {
                let at = self.last_end();
                Span { source: self.source, start: at, end: at }
            }
            _ => self.span_of(self.token),
        }
    }

    fn last_end(&self) -> u32 {
        self.at.checked_sub(1).and_then(|i| self.tokens.get(i)).map_or(0, |t| t.end)
    }

    /// From a place to the end of the last token.
    fn since(&self, start: u32) -> Span {
        Span { source: self.source, start, end: self.last_end().max(start) }
    }

    // -- faults

    fn fault(&mut self, span: Span, what: Jsonnet) {
        self.push_fault(span, SyntaxKind::Jsonnet(what), false);
    }

    fn push_fault(&mut self, span: Span, what: SyntaxKind, at_end: bool) {
        if self.faults.len() < MAX_FAULTS {
            self.faults.push(Fault { syntax: Syntax { span, what }, at_end });
        }
    }

    /// Reports the next token, once.
    fn unexpected(&mut self, expected: &[&'static str]) {
        self.unexpected_as(expected, None);
    }

    /// Reports the next token, once, with what was meant.
    fn unexpected_as(&mut self, expected: &[&'static str], meant: Option<Meant>) {
        // one report for tokens in a row: the further ones follow from the first
        let follows = self.faulted.is_some_and(|at| at == self.at || at + 1 == self.at);
        self.faulted = Some(self.at);
        if follows {
            return;
        }
        let at_end = self.token.kind == Kind::Eof;
        if at_end && self.unclosed_seen {
            return;
        }
        let span = self.here();
        let found = (!at_end).then(|| shortened(self.slice(self.token)));
        let expected = expected.iter().map(|n| Name::new_static(n)).collect();
        let meant = meant.or_else(|| self.habit());
        self.push_fault(span, SyntaxKind::Jsonnet(Jsonnet::Unexpected { found, expected, meant }), at_end);
    }

    /// What a token that cannot stand here often means.
    fn habit(&self) -> Option<Meant> {
        let before = self.at.checked_sub(1).and_then(|i| self.tokens.get(i)).copied();
        let word = before.filter(|t| t.kind == Kind::Ident).map(|t| self.slice(t));
        Some(match (word, self.kind()) {
            (Some("let" | "var" | "const"), Kind::Ident) => Meant::Let,
            (Some("not"), kind) if kind.starts_term() => Meant::WordOperator,
            (Some("fun" | "def" | "fn" | "lambda"), Kind::Ident) => Meant::Function,
            (_, Kind::Equals) if before.is_some_and(|t| matches!(t.kind, Kind::EqEq | Kind::NotEq)) => Meant::TwoEquals,
            (_, Kind::Greater) if before.is_some_and(|t| matches!(t.kind, Kind::Equals | Kind::Minus)) => {
                Meant::Function
            }
            (_, Kind::Equals) if self.peek(1).kind == Kind::Greater => Meant::Function,
            (_, Kind::Dot) if self.peek(1).kind == Kind::Dot => Meant::Spread,
            (_, Kind::Dot) if self.peek(1).kind == Kind::Number => Meant::Digits,
            (_, Kind::Ident) => match self.slice(self.token) {
                "and" | "or" | "not" => Meant::WordOperator,
                "as" => Meant::ImportAs,
                "elif" | "elseif" | "elsif" => Meant::ElseIf,
                _ => return None,
            },
            (_, Kind::Error)
                if self.slice(self.token).starts_with(['\u{201c}', '\u{201d}', '\u{2018}', '\u{2019}', '`']) =>
            {
                Meant::Quotes
            }
            (_, Kind::Error) if self.slice(self.token).starts_with('\u{a0}') => Meant::Blank,
            (_, Kind::Error) if self.slice(self.token) == "?" && self.peek(1).kind.starts_term() => Meant::IfThenElse,
            _ => return None,
        })
    }

    /// Reports something that the input ends in; only the innermost.
    fn unclosed(&mut self, what: &'static str, span: Span) {
        if std::mem::replace(&mut self.unclosed_seen, true) {
            return;
        }
        // what is missing at the end matters less than what was never closed
        self.faults.retain(|f| !f.at_end);
        self.push_fault(span, SyntaxKind::Jsonnet(Jsonnet::Unclosed(Name::new_static(what))), true);
    }

    // -- brackets

    fn open(&mut self) -> Token {
        if let Some(i) = bracket(self.token.kind) {
            self.open[i] += 1;
        }
        self.bump()
    }

    /// Expects the closing partner of an opening token; repairs if it is not there.
    fn close(&mut self, opening: Token, close: Kind, expected: &[&'static str]) {
        let index = bracket(opening.kind);
        if self.token.kind != close {
            if self.token.kind != Kind::Eof && !self.closes_outer(close) && !self.never_closed(close) {
                self.unexpected(expected);
                self.skip_to(&[close]);
            }
            if self.token.kind == Kind::Eof {
                let span = self.span_of(opening);
                if self.faults.iter().all(|f| f.at_end) {
                    self.unclosed(bracket_name(opening.kind), span);
                }
            } else if self.token.kind != close && self.faulted != Some(self.at) {
                let span = self.span_of(opening);
                self.fault(span, Jsonnet::Unclosed(Name::new_static(bracket_name(opening.kind))));
                self.faulted = Some(self.at);
            }
        }
        if let Some(i) = index {
            self.open[i] -= 1;
        }
        if self.token.kind == close {
            self.bump();
        }
    }

    /// Whether an enclosing bracket is closed, or the input ends, before `close` comes: `[1, (2, 3]`.
    fn never_closed(&self, close: Kind) -> bool {
        if !matches!(self.token.kind, Kind::Comma | Kind::Semicolon) || self.open.iter().sum::<u32>() < 2 {
            return false;
        }
        let mut inner = 0u32;
        // not far, so that many of them cost no more than one each
        for token in self.tokens.iter().skip(self.at).take(1000) {
            if token.kind.is_opener() {
                inner += 1;
            } else if token.kind.is_closer() {
                if inner == 0 {
                    return token.kind != close;
                }
                inner -= 1;
            }
        }
        false
    }

    /// Whether the next token closes a bracket that is open further out.
    fn closes_outer(&self, own: Kind) -> bool {
        self.token.kind != own
            && match self.token.kind {
                Kind::RParen => self.open[0] > 0,
                Kind::RBracket => self.open[1] > 0,
                Kind::RBrace => self.open[2] > 0,
                _ => false,
            }
    }

    /// Skips to one of the tokens, past balanced brackets; stops at a bracket that closes something further out.
    fn skip_to(&mut self, stops: &[Kind]) {
        let mut inner = 0u32;
        loop {
            let kind = self.token.kind;
            if kind == Kind::Eof || (inner == 0 && stops.contains(&kind)) {
                return;
            }
            if kind.is_opener() {
                inner += 1;
            } else if kind.is_closer() {
                if inner == 0 && self.closes_outer(Kind::Error) {
                    return;
                }
                inner = inner.saturating_sub(1);
            } else if inner == 0 && self.new_item() {
                return;
            }
            self.bump();
        }
    }

    /// After an item of a list that began at the token `before`: passes the comma, or what stands there instead of one.
    /// `false` where nothing was read at all, so that the list must end.
    fn separated(&mut self, before: usize, close: Kind, starts: fn(Kind) -> bool, expected: &[&'static str]) -> bool {
        if self.eat(Kind::Comma) || self.kind() == close || self.kind() == Kind::Eof {
            return true;
        }
        if self.closes_outer(close) {
            return false;
        }
        let meant = match self.kind() {
            Kind::Semicolon => Some(Meant::Comma),
            kind if kind.is_colon() && close == Kind::RBrace => Some(Meant::Braces),
            kind if starts(kind) && self.at != before => Some(Meant::MissingComma),
            _ => None,
        };
        self.unexpected_as(expected, meant);
        if self.eat(Kind::Semicolon) {
            return true;
        }
        if meant.is_none() || self.faulted != Some(self.at) {
            self.skip_to(&[Kind::Comma, close]);
            self.eat(Kind::Comma);
        }
        self.at != before
    }

    fn brackets_open(&self) -> bool {
        self.open.iter().any(|n| *n > 0)
    }

    // -- depth

    /// Runs a rule one level deeper, on more stack if that is needed; past the limit it gives a hole.
    fn deeper(&mut self, rule: impl FnOnce(&mut Self) -> Id) -> Id {
        if self.depth >= MAX_DEPTH {
            if !self.unclosed_seen {
                let span = self.here();
                self.push_fault(span, SyntaxKind::TooDeep { limit: MAX_DEPTH }, false);
                // nothing after it can be made sense of
                self.give_up();
            }
            return self.hole();
        }
        self.depth += 1;
        let out = stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || rule(self));
        self.depth -= 1;
        out
    }

    /// Goes to the end, and has nothing to say of it.
    fn give_up(&mut self) {
        self.at = self.tokens.len().saturating_sub(1);
        self.token = self.eof;
        self.faulted = Some(self.at);
        self.unclosed_seen = true;
    }

    fn hole(&mut self) -> Id {
        let span = self.here().at_start();
        self.tree.add(Expr::Hole, span)
    }
}

/// A token as a message shows it.
fn shortened(text: &str) -> Name {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", &text[..end]).into(),
        None => Name::new(text),
    }
}

fn bracket(kind: Kind) -> Option<usize> {
    Some(match kind {
        Kind::LParen => 0,
        Kind::LBracket => 1,
        Kind::LBrace => 2,
        _ => return None,
    })
}

fn bracket_name(kind: Kind) -> &'static str {
    match kind {
        Kind::LParen => "parenthesis `(`",
        Kind::LBracket => "bracket `[`",
        _ => "brace `{`",
    }
}
