//! The state of a parser: its position, the open brackets, the tree and the problems.

use super::faults::Faults;
use super::token::MOST_ROOM;
use super::{Bracket, Declared, Grammar, Id, Lexed, MAX_DEPTH, Token, TokenKind, Tree, TreeOf};
use crate::dialect::Stop;
use crate::problem::Problem;
use crate::problem::syntax::SyntaxKind;
use crate::text::{Name, SourceId, Span};
use std::cell::Cell;

/// The parser of a grammar.
pub(in crate::dialect) struct Parser<'t, G: Grammar> {
    pub source: SourceId,
    pub text: &'t str,
    pub tokens: &'t [Token<G::Kind>],
    pub comments: &'t [Token<G::Kind>],
    eof: Token<G::Kind>,
    stop: Stop<'t>,
    /// The index of the next token.
    pub at: usize,
    /// The next token.
    pub token: Token<G::Kind>,
    pub tree: TreeOf<G>,
    pub(super) faults: Faults,
    /// The number of open brackets of each kind.
    pub(super) open: [u32; Bracket::COUNT],
    depth: u32,
    /// A bracket whose closing one is indented less than its line: that one probably closes an outer bracket.
    pub(super) suspect: Option<(&'static str, Span)>,
    /// Maximum column at which a line can begin a new item of a cell. `None` in programs.
    pub margin: Option<u32>,
    /// The last place whose column was asked for, and the start of its line.
    line: Cell<(usize, usize)>,
    /// The state that only this grammar needs.
    pub state: G::ParserState,
}

impl<'t, G: Grammar> Parser<'t, G> {
    pub(super) fn new(source: SourceId, text: &'t str, lexed: &'t Lexed<G::Kind>, stop: Stop<'t>) -> Self {
        let end = text.len();
        let eof = lexed.tokens.last().copied().unwrap_or(Token::new(G::Kind::EOF, end, end));
        Parser {
            source,
            text,
            tokens: &lexed.tokens,
            comments: &lexed.comments,
            eof,
            stop,
            at: 0,
            token: lexed.tokens.first().copied().unwrap_or(eof),
            // About every third token begins an expression.
            tree: Tree::with_room((lexed.tokens.len() / 3).min(MOST_ROOM)),
            faults: Faults::default(),
            open: [0; Bracket::COUNT],
            depth: 0,
            suspect: None,
            margin: None,
            line: Cell::default(),
            state: G::ParserState::default(),
        }
    }

    /// Returns the first error that no further text can fix.
    pub(super) fn mistake(&self) -> Option<Span> {
        self.faults.mistake()
    }

    /// Returns the tree, the problems, and whether more text at the end could fix all of them.
    pub(super) fn finish(self) -> (TreeOf<G>, Vec<Problem>, bool) {
        let incomplete = self.faults.are_at_the_end();
        (self.tree, self.faults.into_problems(), incomplete)
    }
}

/// Tokens.
impl<'t, G: Grammar> Parser<'t, G> {
    pub fn kind(&self) -> G::Kind {
        self.token.kind
    }

    pub fn is_at_end(&self) -> bool {
        self.token.kind == G::Kind::EOF
    }

    pub fn peek(&self, ahead: usize) -> Token<G::Kind> {
        self.tokens.get(self.at + ahead).copied().unwrap_or(self.eof)
    }

    pub fn bump(&mut self) -> Token<G::Kind> {
        let token = self.token;
        if self.stop.is_asked() {
            self.give_up();
        } else if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
        self.token = self.tokens.get(self.at).copied().unwrap_or(self.eof);
        token
    }

    pub fn eat(&mut self, kind: G::Kind) -> bool {
        let found = self.token.kind == kind;
        if found {
            self.bump();
        }
        found
    }

    pub fn slice(&self, token: Token<G::Kind>) -> &'t str {
        self.text.get(token.start as usize..token.end as usize).unwrap_or("")
    }

    pub fn name_of(&self, token: Token<G::Kind>) -> Name {
        Name::new(self.slice(token))
    }

    /// Skips to the end without reporting anything.
    pub(super) fn give_up(&mut self) {
        self.at = self.tokens.len().saturating_sub(1);
        self.token = self.eof;
        self.faults.end(self.at);
    }
}

impl<'t, G: Grammar> Parser<'t, G> {
    pub fn span_of(&self, token: Token<G::Kind>) -> Span {
        Span { source: self.source, start: token.start, end: token.end }
    }

    /// The span of the next token. At the end of input, the end of the last token.
    pub fn here(&self) -> Span {
        if !self.is_at_end() {
            return self.span_of(self.token);
        }
        let at = self.last_end();
        Span { source: self.source, start: at, end: at }
    }

    pub fn last_end(&self) -> u32 {
        self.at.checked_sub(1).and_then(|i| self.tokens.get(i)).map_or(0, |t| t.end)
    }

    /// Returns the span from `start` to the end of the last token.
    pub fn since(&self, start: u32) -> Span {
        Span { source: self.source, start, end: self.last_end().max(start) }
    }

    /// The text between the last token and the next: white space and comments.
    pub fn gap(&self) -> &'t str {
        self.text.get(self.last_end() as usize..self.token.start as usize).unwrap_or("")
    }

    /// The column of the next token, in bytes.
    pub fn column(&self) -> u32 {
        let at = self.token.start as usize;
        // the start of the line is searched only after the last place, because a text may be one long line
        let (last, line) = self.line.get();
        let (from, line) = if last <= at { (last, line) } else { (0, 0) };
        let line = self.text.get(from..at).and_then(|text| text.rfind('\n')).map_or(line, |i| from + i + 1);
        self.line.set((at, line));
        (at - line) as u32
    }
}

/// Items of cells.
impl<G: Grammar> Parser<'_, G> {
    /// Begins an item. If it begins a line, later items must not be indented further.
    pub fn begin_item(&mut self) {
        if self.margin.is_none() || self.gap().contains('\n') {
            self.margin = Some(self.column());
        }
    }

    /// Returns `true` if the next token begins a new item of the cell.
    pub fn new_item(&self) -> bool {
        let Some(margin) = self.margin else { return false };
        !self.brackets_open()
            && self.kind().starts_term()
            && !self.kind().continues()
            && self.gap().contains('\n')
            && self.column() <= margin
    }
}

/// Depth.
impl<G: Grammar> Parser<'_, G> {
    /// Runs a rule one nesting level deeper, growing the stack if needed. Beyond the limit returns the result of `stop`.
    pub fn deeper<T>(&mut self, rule: impl FnOnce(&mut Self) -> T, stop: impl FnOnce(&mut Self) -> T) -> T {
        if self.depth >= MAX_DEPTH {
            if !self.faults.is_ended() {
                let span = self.here();
                self.fault(span, SyntaxKind::TooDeep { limit: MAX_DEPTH });
                // nothing after this can be parsed
                self.give_up();
            }
            return stop(self);
        }
        self.depth += 1;
        let out = crate::deep::deeper_until(self.stop, || rule(self));
        self.depth -= 1;
        out
    }

    pub fn hole(&mut self) -> Id {
        let span = self.here().at_start();
        self.tree.add(G::HOLE, span)
    }

    /// Handles a missing expression. Skips the next token only if no enclosing construct can use it. The reserved words
    /// in `keep` may be used by one.
    pub fn missing(&mut self, keep: &[G::Kind]) -> Id {
        self.unexpected(&["an expression"]);
        let kind = self.kind();
        let hole = self.hole();
        if kind == G::Kind::ERROR || (kind.is_reserved() && !keep.contains(&kind)) {
            self.bump();
        }
        hole
    }
}
