//! A document as the search for causes sees it.

use crate::dialect::yay::tree::{BlockId, Blocks, Entry, Expr, Id, Stanza, Tree, Value};
use crate::problem::Problem;
use crate::problem::syntax::{LanguageProblem, SyntaxProblem};
use crate::text::{Name, SourceId, Span};
use rustc_hash::FxHashSet;

/// A document with its tree.
pub struct Document<'t> {
    pub source: SourceId,
    pub text: &'t str,
    pub tree: &'t Tree,
    /// The outermost block. `None` for an expression.
    pub root: Option<BlockId>,
    /// The names that a `for` or a `set` binds.
    bound: FxHashSet<&'t Name>,
}

impl<'t> Document<'t> {
    pub fn new(source: SourceId, text: &'t str, tree: &'t Tree, root: Id) -> Document<'t> {
        let root = if let Expr::Block(block) = tree.expr(root) { Some(*block) } else { None };
        let mut bound = FxHashSet::default();
        for stanza in tree.blocks().flat_map(|block| &block.stanzas) {
            match stanza {
                Stanza::Set(name, ..) => drop(bound.insert(&name.name)),
                Stanza::For(stanza) => bound.extend(stanza.names.iter().map(|name| &name.name)),
                _ => {}
            }
        }
        Document { source, text, tree, root, bound }
    }

    pub fn stanzas(&self) -> impl Iterator<Item = &'t Stanza> {
        let tree = self.tree;
        tree.blocks().flat_map(|block| &block.stanzas)
    }

    pub fn slice(&self, span: Span) -> &'t str {
        self.text.get(span.start as usize..span.end as usize).unwrap_or("")
    }

    /// Returns the place of a problem of this document.
    pub fn place(&self, problem: &Problem) -> Option<Span> {
        problem.span().filter(|span| span.source == self.source)
    }

    /// Returns the names of `a.b.c`.
    pub fn path(&self, mut id: Id) -> Option<Vec<&'t Name>> {
        let mut path = Vec::new();
        loop {
            match self.tree.expr(id) {
                Expr::Dot(of, name) => {
                    path.push(&name.name);
                    id = *of;
                }
                Expr::Name(name) => {
                    path.push(name);
                    path.reverse();
                    return Some(path);
                }
                _ => return None,
            }
        }
    }

    /// Returns the names of the path that is written at a place.
    pub fn path_at(&self, span: Span) -> Option<Vec<&'t Name>> {
        let tree = self.tree;
        let mut names = tree.exprs().filter(|(_, at)| *at == span);
        names.find_map(|(expr, _)| match expr {
            Expr::Name(name) => Some(vec![name]),
            Expr::Dot(of, name) => {
                let mut path = self.path(*of)?;
                path.push(&name.name);
                Some(path)
            }
            _ => None,
        })
    }

    /// Returns the last definition of a path of keys, with its block. `None` if a `for` or a `set` binds its first name.
    pub fn entry(&self, path: &[&Name]) -> Option<(BlockId, &'t Entry)> {
        let (last, first) = path.split_last()?;
        if self.bound.contains(*path.first()?) {
            return None;
        }
        let mut block = self.root?;
        for name in first {
            let Value::Block(inner) = self.entry_in(block, name)?.value else { return None };
            block = inner;
        }
        Some((block, self.entry_in(block, last)?))
    }

    fn entry_in(&self, block: BlockId, name: &Name) -> Option<&'t Entry> {
        let tree = self.tree;
        tree.block(block).stanzas.iter().rev().find_map(|stanza| match stanza {
            Stanza::Key(entry) if entry.name.name == *name => Some(entry),
            _ => None,
        })
    }

    /// Returns the place of `e` for the index at a place in `e[index]`.
    pub fn base_of_index(&self, at: Span) -> Option<Span> {
        let tree = self.tree;
        tree.exprs().find_map(|(expr, _)| match expr {
            Expr::Index(of, index) if tree.span(*index) == at => Some(tree.span(*of)),
            _ => None,
        })
    }

    /// Returns `e.name` for the expression `e` at a place: its place and the name.
    pub fn read_of(&self, of: Span) -> Option<(Span, &'t Name)> {
        let tree = self.tree;
        tree.exprs().find_map(|(expr, span)| match expr {
            Expr::Dot(inner, name) if tree.span(*inner) == of => Some((span, &name.name)),
            _ => None,
        })
    }
}

/// Whether a place is in another one.
pub fn is_within(inner: Span, outer: Span) -> bool {
    inner.source == outer.source && outer.start <= inner.start && inner.end <= outer.end
}

/// Returns an error of the language.
pub fn fault(span: Span, what: impl LanguageProblem + PartialEq) -> Problem {
    Problem::error(SyntaxProblem { span, what: what.into() })
}
