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

use super::FOLLOWING;
use super::grammar::Cfg;
use super::lower::{Lower, Wanted};
use super::tree::{Binding, Item, MetaKind, PId, Pattern, Rest, Tree};
use crate::dialect::parser::{self, Making};
use crate::dialect::{Cell, Names};
use crate::problem::Problem;
use crate::term::Term;
use crate::text::{Name, SourceId, Span};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// Maximum number of names of one pattern, or one `let rec`, that do not share a record.
const MANY: usize = 16;

/// Reads an input of a session. Total. Near-linear in the length of the text.
pub fn cell(source: SourceId, text: &str, names: &dyn Names) -> Cell {
    let parsed = parser::cell::<Cfg>(source, text, names.stop());
    let mut reader = Reader { tree: &parsed.tree, names, source, made: Making::new(source, parsed.problems) };
    for item in &parsed.parts {
        if names.stop().is_asked() || reader.made.is_hopeless() {
            break;
        }
        match item {
            Item::Expr(id) => {
                let term = reader.lower(|lower| {
                    let (term, problems, _) = lower.whole(*id);
                    (term, problems)
                });
                reader.made.show(term);
            }
            Item::Bind(binding) => reader.binding(binding),
            Item::Let(true, bindings) => reader.recursive(bindings),
            Item::Let(false, bindings) => bindings.iter().for_each(|b| reader.binding(b)),
        }
    }
    reader.made.finish(FOLLOWING)
}

struct Reader<'a> {
    tree: &'a Tree,
    names: &'a dyn Names,
    source: SourceId,
    made: Making,
}

impl Reader<'_> {
    fn lower(&mut self, make: impl FnOnce(Lower<'_>) -> (Term, Vec<Problem>)) -> Arc<Term> {
        self.made.lowered(make(Lower::new(self.tree, self.names, &self.made.earlier)))
    }

    /// Lowers `x = e` or `let {a, b} = e`.
    fn binding(&mut self, binding: &Binding) {
        let mut doc = None;
        let term = self.lower(|lower| {
            let (term, text, problems) = lower.cell_definition(binding);
            doc = text;
            (term, problems)
        });
        let pattern = self.tree.pattern(binding.pattern);
        if let Pattern::Bind(name) = pattern {
            self.made.bind(name.clone(), self.tree.pattern_span(binding.pattern), false, doc, term);
            return;
        }
        let shared = self.made.hidden_name();
        let span = self.tree.pattern_span(binding.pattern);
        self.made.bind(shared.clone(), span, false, doc, term);
        let names = bound_names(self.tree, binding.pattern);
        if names.len() > MANY {
            let all = self.lower(|lower| lower.part(binding.pattern, &shared, Wanted::All(&names)));
            return self.members(names.into_iter().map(|(name, span)| (name, span, None)).collect(), span, false, all);
        }
        for (name, span) in names {
            let term = self.lower(|lower| lower.part(binding.pattern, &shared, Wanted::One(&name, span)));
            self.made.bind(name, span, false, None, term);
        }
    }

    /// Lowers `let rec f = …, g = …`. The term of each name is the whole `let`, so that each name gets its most general
    /// type.
    fn recursive(&mut self, bindings: &[Binding]) {
        let mut names: Vec<(Name, Span, Option<Name>)> = Vec::new();
        for binding in bindings {
            let doc = binding.metas.iter().find_map(|m| match &m.kind {
                MetaKind::Doc(text) => Some(text.clone()),
                _ => None,
            });
            let bound = bound_names(self.tree, binding.pattern);
            names.extend(bound.into_iter().map(|(name, span)| (name, span, doc.clone())));
        }
        if names.len() > MANY {
            let all: Vec<_> = names.iter().map(|(name, span, _)| (name.clone(), *span)).collect();
            let term = self.lower(|lower| lower.recursive(bindings, Wanted::All(&all)));
            let span = bindings.iter().map(|b| b.span).reduce(Span::to).unwrap_or(Span::new(self.source, 0, 0));
            return self.members(names, span, true, term);
        }
        let mut bound = Vec::new();
        for (name, span, doc) in names {
            let term = self.lower(|lower| lower.recursive(bindings, Wanted::One(&name, span)));
            bound.push((name, span, doc, term));
        }
        for (name, span, doc, term) in bound {
            self.made.bind(name, span, true, doc, term);
        }
    }

    /// Defines many names of one pattern or one `let rec`. They share a record, because a separate term for each would
    /// take quadratic time.
    fn members(&mut self, names: Vec<(Name, Span, Option<Name>)>, span: Span, recursive: bool, all: Arc<Term>) {
        let shared = self.made.hidden_name();
        self.made.bind(shared.clone(), span, recursive, None, all);
        for (name, span, doc) in names {
            let term = self.lower(|lower| lower.member(&shared, &name, span));
            self.made.bind(name, span, recursive, doc, term);
        }
    }
}

/// Returns the names that a pattern binds, in order, without duplicates.
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
