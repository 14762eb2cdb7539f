//! A session's input: definitions and expressions.
//!
//! ```text
//! x = 1                      a definition; `let x = 1` is the same
//! x | doc "…" | C = 1        with annotations
//! x = 1, y = x + 1           several, separated by `,` or `;` or new lines; each sees those before it
//! let rec f = …, g = …       recursive ones
//! let {a, b} = e             by pattern
//! x + y                      an expression
//! ```

use super::grammar::{Goal, parse};
use super::in_order;
use super::lower::Lower;
use super::tree::{Binding, Item, PId, Pattern, Rest, Tree};
use crate::dialect::{Cell, CellItem, Names};
use crate::problem::Problem;
use crate::term::Term;
use crate::text::{Name, SourceId, Span};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// Reads a session's input. Total.
pub fn cell(source: SourceId, text: &str, names: &dyn Names) -> Cell {
    let parsed = parse(source, text, Goal::Cell);
    let mut reader = Reader {
        tree: &parsed.tree,
        names,
        source,
        earlier: FxHashSet::default(),
        items: Vec::new(),
        problems: parsed.problems,
    };
    for item in &parsed.items {
        match item {
            Item::Expr(id) => {
                let (term, problems, _) = Lower::new(reader.tree, names, &reader.earlier).whole(*id);
                reader.problems.extend(problems);
                reader.items.push(CellItem::Expr(Arc::new(term)));
            }
            Item::Bind(binding) => reader.binding(binding),
            Item::Let(true, bindings) => reader.recursive(bindings),
            Item::Let(false, bindings) => bindings.iter().for_each(|b| reader.binding(b)),
        }
    }
    Cell { items: reader.items, problems: in_order(reader.problems) }
}

struct Reader<'a> {
    tree: &'a Tree,
    names: &'a dyn Names,
    source: SourceId,
    /// The names that earlier parts bind.
    earlier: FxHashSet<Name>,
    items: Vec<CellItem>,
    problems: Vec<Problem>,
}

impl Reader<'_> {
    fn lower(&mut self, make: impl FnOnce(Lower<'_>) -> (Term, Vec<Problem>)) -> Arc<Term> {
        let (term, problems) = make(Lower::new(self.tree, self.names, &self.earlier));
        for problem in problems {
            // the parts of one `let rec` share their text
            if !self.problems.contains(&problem) {
                self.problems.push(problem);
            }
        }
        Arc::new(term)
    }

    fn bind(&mut self, name: Name, name_span: Span, recursive: bool, doc: Option<Name>, term: Arc<Term>) {
        self.earlier.insert(name.clone());
        self.items.push(CellItem::Bind { name, name_span, recursive, doc, term });
    }

    /// `x = e`, `let {a, b} = e`
    fn binding(&mut self, binding: &Binding) {
        let mut doc = None;
        let term = self.lower(|lower| {
            let (term, text, problems) = lower.cell_definition(binding);
            doc = text;
            (term, problems)
        });
        let pattern = self.tree.pattern(binding.pattern);
        if let Pattern::Bind(name) = pattern {
            self.bind(name.clone(), self.tree.pattern_span(binding.pattern), false, doc, term);
            return;
        }
        let shared: Name = format!("%{}.{}", self.source.0, self.items.len()).into();
        let span = self.tree.pattern_span(binding.pattern);
        self.bind(shared.clone(), span, false, doc, term);
        for (name, span) in bound_names(self.tree, binding.pattern) {
            let (shared, wanted) = (shared.clone(), name.clone());
            let term = self.lower(|lower| lower.part(binding.pattern, &shared, &wanted, span));
            self.bind(name, span, false, None, term);
        }
    }

    /// `let rec f = …, g = …`: each name's term is the whole `let`.
    fn recursive(&mut self, bindings: &[Binding]) {
        let mut bound = Vec::new();
        for binding in bindings {
            for (name, span) in bound_names(self.tree, binding.pattern) {
                let mut doc = None;
                let term = self.lower(|lower| {
                    let (term, docs, problems) = lower.recursive(bindings, &name, span);
                    doc = docs;
                    (term, problems)
                });
                bound.push((name, span, doc, term));
            }
        }
        for (name, span, doc, term) in bound {
            self.bind(name, span, true, doc, term);
        }
    }
}

/// The names that a pattern binds, in order, each once.
fn bound_names(tree: &Tree, pattern: PId) -> Vec<(Name, Span)> {
    let mut out: Vec<(Name, Span)> = Vec::new();
    let mut seen = FxHashSet::default();
    let mut add = |name: &Name, span: Span| {
        if seen.insert(name.clone()) {
            out.push((name.clone(), span));
        }
    };
    let mut work = vec![pattern];
    while let Some(id) = work.pop() {
        let rest = match tree.pattern(id) {
            Pattern::Any | Pattern::Const(_) | Pattern::Tag(_) => continue,
            Pattern::Bind(name) => {
                add(name, tree.pattern_span(id));
                continue;
            }
            Pattern::As(name, inner) => {
                add(&name.name, name.span);
                work.push(*inner);
                continue;
            }
            Pattern::Variant(_, inner) => {
                work.push(*inner);
                continue;
            }
            Pattern::Or(items) => {
                work.extend(items.first());
                continue;
            }
            Pattern::Record(fields, rest) => {
                work.extend(fields.iter().rev().map(|f| f.pattern));
                rest
            }
            Pattern::Array(items, rest) => {
                work.extend(items.iter().rev());
                rest
            }
        };
        if let Rest::Bind(name) = rest {
            add(&name.name, name.span);
        }
    }
    out
}
