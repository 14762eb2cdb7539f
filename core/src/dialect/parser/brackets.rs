//! Brackets, and recovery from missing ones.

use super::{Bracket, Grammar, Parser, Token, TokenKind};
use crate::text::outdented;

impl<G: Grammar> Parser<'_, G> {
    /// Consumes an opening bracket.
    pub fn open(&mut self) -> Token<G::Kind> {
        if let Some(bracket) = self.token.kind.opens() {
            self.open[bracket as usize] += 1;
        }
        self.bump()
    }

    /// Expects the closing bracket of an opening one. Reports and recovers if it is missing.
    pub fn close(&mut self, opening: Token<G::Kind>, close: G::Kind, expected: &[&'static str]) {
        let bracket = opening.kind.opens();
        if self.token.kind != close {
            if !self.is_at_end() && !self.closes_outer(close) && !self.never_closed(close) {
                self.unexpected(expected);
                self.skip_to(&[close]);
            }
            let span = self.span_of(opening);
            let name = bracket.map_or("bracket", Bracket::name);
            if self.is_at_end() {
                if self.is_fine_so_far() {
                    self.unclosed(name, span);
                }
            } else if self.token.kind != close && !self.is_reported() {
                self.unclosed_inside(name, span);
            }
        }
        if let Some(bracket) = bracket {
            self.open[bracket as usize] -= 1;
        }
        if self.token.kind == close {
            let (start, here) = (opening.start as usize, self.token.start as usize);
            if self.suspect.is_none() && self.open.iter().any(|n| *n > 0) && outdented(self.text, start, here) {
                self.suspect = Some((bracket.map_or("bracket", Bracket::name), self.span_of(opening)));
            }
            self.bump();
        }
    }

    /// Forgets an opening bracket whose closing one was reported as missing.
    pub fn abandon(&mut self, opening: Token<G::Kind>) {
        if let Some(bracket) = opening.kind.opens() {
            self.open[bracket as usize] = self.open[bracket as usize].saturating_sub(1);
        }
    }

    /// Returns `true` if the first bracket that closes something outside of the next tokens is this one. Looks at a limited number
    /// of tokens.
    pub fn closes_later(&self, close: G::Kind) -> bool {
        let mut inner = 0u32;
        for token in self.tokens.iter().skip(self.at).take(1000) {
            if token.kind.opens().is_some() {
                inner += 1;
            } else if token.kind.closes().is_some() {
                if inner == 0 {
                    return token.kind == close;
                }
                inner -= 1;
            }
        }
        false
    }

    /// Returns `true` if an enclosing bracket is closed, or the input ends, before `close`: `[1, (2, 3]`.
    fn never_closed(&self, close: G::Kind) -> bool {
        if !self.token.kind.separates() || self.open.iter().sum::<u32>() < 2 {
            return false;
        }
        let mut inner = 0u32;
        // bounded, so that many of them stay linear
        for token in self.tokens.iter().skip(self.at).take(1000) {
            if token.kind.opens().is_some() {
                inner += 1;
            } else if token.kind.closes().is_some() {
                if inner == 0 {
                    return token.kind != close;
                }
                inner -= 1;
            }
        }
        false
    }

    /// Returns `true` if the next token closes an enclosing bracket and is not the `expected` one.
    pub fn closes_outer(&self, expected: G::Kind) -> bool {
        self.token.kind != expected && self.closes_open()
    }

    /// Returns `true` if the next token closes an open bracket.
    fn closes_open(&self) -> bool {
        self.token.kind.closes().is_some_and(|bracket| self.open[bracket as usize] > 0)
    }

    /// Skips to one of the tokens, over balanced brackets. Stops at a bracket that closes an outer one.
    pub fn skip_to(&mut self, stops: &[G::Kind]) {
        let mut inner = 0u32;
        loop {
            let kind = self.token.kind;
            if self.is_at_end() || (inner == 0 && stops.contains(&kind)) {
                return;
            }
            if kind.opens().is_some() {
                inner += 1;
            } else if kind.closes().is_some() {
                if inner == 0 && self.closes_open() {
                    return;
                }
                inner = inner.saturating_sub(1);
            } else if inner == 0 && self.new_item() {
                return;
            }
            self.bump();
        }
    }

    /// Returns the number of open brackets.
    pub fn brackets(&self) -> u32 {
        self.open.iter().sum()
    }

    /// Returns `true` if a bracket is open.
    pub fn brackets_open(&self) -> bool {
        self.open.iter().any(|n| *n > 0)
    }
}
