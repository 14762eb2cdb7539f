//! Syntax trees. They are flat, so that dropping a deep tree does not recurse.

use super::Grammar;
use crate::text::{Name, Span};

/// The index of an expression in a [`Tree`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Id(pub u32);

/// The index of a pattern in a [`Tree`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PId(pub u32);

/// A name with its span.
#[derive(Clone, Debug)]
pub struct Spanned {
    /// The name.
    pub name: Name,
    /// Its span.
    pub span: Span,
}

/// The expressions and patterns of one text. A language without patterns uses `()`.
#[derive(Debug)]
pub struct Tree<E, P = ()> {
    exprs: Vec<E>,
    spans: Vec<Span>,
    patterns: Vec<(P, Span)>,
}

/// The tree of a language.
pub(in crate::dialect) type TreeOf<G> = Tree<<G as Grammar>::Expr, <G as Grammar>::Pattern>;

impl<E, P> Tree<E, P> {
    /// Creates an empty tree.
    pub fn new() -> Tree<E, P> {
        Tree::with_room(0)
    }

    /// Creates an empty tree with capacity for this many expressions.
    pub(super) fn with_room(exprs: usize) -> Tree<E, P> {
        Tree { exprs: Vec::with_capacity(exprs), spans: Vec::with_capacity(exprs), patterns: Vec::new() }
    }

    /// Returns the number of expressions.
    pub(super) fn len(&self) -> usize {
        self.exprs.len()
    }

    /// Adds an expression.
    pub fn add(&mut self, expr: E, span: Span) -> Id {
        self.exprs.push(expr);
        self.spans.push(span);
        Id(self.exprs.len() as u32 - 1)
    }

    /// Adds a pattern.
    pub fn add_pattern(&mut self, pattern: P, span: Span) -> PId {
        self.patterns.push((pattern, span));
        PId(self.patterns.len() as u32 - 1)
    }

    /// Returns the expression with an id.
    pub fn expr(&self, id: Id) -> &E {
        &self.exprs[id.0 as usize]
    }

    /// Returns the expression with an id, mutably.
    pub fn expr_mut(&mut self, id: Id) -> &mut E {
        &mut self.exprs[id.0 as usize]
    }

    /// Iterates over all expressions, with their places.
    pub fn exprs(&self) -> impl Iterator<Item = (&E, Span)> {
        self.exprs.iter().zip(self.spans.iter().copied())
    }

    /// Returns the place of an expression.
    pub fn span(&self, id: Id) -> Span {
        self.spans[id.0 as usize]
    }

    /// Returns the pattern with an id.
    pub fn pattern(&self, id: PId) -> &P {
        &self.patterns[id.0 as usize].0
    }

    /// Iterates over all patterns, with their places.
    pub fn patterns(&self) -> impl Iterator<Item = (&P, Span)> {
        self.patterns.iter().map(|(pattern, span)| (pattern, *span))
    }

    /// Returns the pattern with an id, mutably.
    pub fn pattern_mut(&mut self, id: PId) -> &mut P {
        &mut self.patterns[id.0 as usize].0
    }

    /// Returns the place of a pattern.
    pub fn pattern_span(&self, id: PId) -> Span {
        self.patterns[id.0 as usize].1
    }
}

impl<E, P> Default for Tree<E, P> {
    fn default() -> Tree<E, P> {
        Tree::new()
    }
}
