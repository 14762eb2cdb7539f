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

use super::grammar::Cfg;
use super::lower::CellResult;
use super::tree::{Binding, MetaKind, PId, Pattern, Rest, Tree};
use crate::dialect::parser::Reading;
use crate::text::{Name, Span};
use rustc_hash::FxHashSet;

/// Maximum number of names of one pattern, or one `let rec`, that do not share a record.
const MANY: usize = 16;

impl Reading<'_, Cfg> {
    /// Lowers `x = e` or `let {a, b} = e`.
    pub(super) fn binding(&mut self, binding: &Binding) {
        let mut doc = None;
        let term = self.lower(|lower| {
            let (root, text) = lower.cell_definition(binding);
            doc = text;
            root
        });
        let pattern = self.tree.pattern(binding.pattern);
        let span = self.tree.pattern_span(binding.pattern);
        if let Pattern::Bind(name) = pattern {
            self.bind(name.clone(), span, false, doc, term);
            return;
        }
        let shared = self.hidden_name();
        self.bind(shared.clone(), span, false, doc, term);
        let names = bound_names(self.tree, binding.pattern);
        if names.len() > MANY {
            let all = self.lower(|lower| lower.part(binding.pattern, &shared, CellResult::All(&names)));
            return self.bind_members(all, span, false, names.into_iter().map(|(name, span)| (name, span, None)));
        }
        for (name, span) in names {
            let term = self.lower(|lower| lower.part(binding.pattern, &shared, CellResult::One(&name, span)));
            self.bind(name, span, false, None, term);
        }
    }

    /// Lowers `let rec f = …, g = …`. The term of each name is the whole `let`, so that each name gets its most general
    /// type.
    pub(super) fn recursive(&mut self, bindings: &[Binding]) {
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
            let term = self.lower(|lower| lower.let_rec(bindings, CellResult::All(&all)));
            let span = bindings.iter().map(|b| b.span).reduce(Span::to).unwrap_or(Span::new(self.source, 0, 0));
            return self.bind_members(term, span, true, names);
        }
        let mut bound = Vec::new();
        for (name, span, doc) in names {
            let term = self.lower(|lower| lower.let_rec(bindings, CellResult::One(&name, span)));
            bound.push((name, span, doc, term));
        }
        for (name, span, doc, term) in bound {
            self.bind(name, span, true, doc, term);
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
