//! A session's input: definitions and expressions.
//!
//! ```text
//! local x = 1                 a definition, with or without a `;` behind it
//! local f(a) = a, y = f(x)    several; they see each other, as in a `local` of the language
//! local x = 1; x + 1          an expression: nothing is bound
//! x + y                       an expression
//! ```

use super::grammar::{Goal, parse};
use super::in_order;
use super::lower::Lower;
use super::tree::{Binding, Item, Spanned, Tree};
use crate::dialect::{Cell, CellItem, Names, Stop};
use crate::problem::{Problem, Severity};
use crate::term::Term;
use crate::text::{Name, SourceId, Span};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// More names than these of one recursive `local` share an object.
const MANY: usize = 16;

/// So many errors are enough.
const ENOUGH: usize = 100;

/// Reads a session's input. Total. Near-linear in the text's length.
pub fn cell(source: SourceId, text: &str, names: &dyn Names) -> Cell {
    let parsed = parse(source, text, Goal::Cell, names.stop());
    let mut uses: Vec<(&Name, Span)> = parsed.tree.variables().collect();
    uses.sort_by_key(|(_, span)| span.start);
    let mut reader = Reader {
        tree: &parsed.tree,
        uses,
        names,
        source,
        earlier: FxHashSet::default(),
        items: Vec::new(),
        problems: parsed.problems,
    };
    for item in &parsed.items {
        if names.stop().is_asked() {
            break;
        }
        // such a cell changes nothing, whatever else is in it
        if reader.problems.iter().filter(|p| p.severity == Severity::Error).take(ENOUGH).count() == ENOUGH {
            break;
        }
        match item {
            Item::Expr(id) => {
                let term = reader.lower(|lower| {
                    let (term, problems, _) = lower.whole(*id);
                    (term, problems)
                });
                reader.items.push(CellItem::Expr(term));
            }
            Item::Local { bindings, doc, span } => reader.local(bindings, doc.as_ref().map(|(text, _)| text), *span),
        }
    }
    Cell { items: reader.items, problems: in_order(reader.problems) }
}

/// The inputs that a text of several lines holds: each begins on a line of its own. A text that does not parse is one
/// input. Linear in the text's length.
pub fn inputs(text: &str) -> Vec<&str> {
    let source = SourceId(0);
    let parsed = parse(source, text, Goal::Cell, Stop::NEVER);
    let starts = parsed.items.iter().map(|item| match item {
        Item::Expr(id) => parsed.tree.span(*id).start as usize,
        Item::Local { span, doc, .. } => doc.as_ref().map_or(span, |(_, doc)| doc).start as usize,
    });
    let line = |start: usize| text.get(..start).and_then(|before| before.rfind('\n')).map_or(0, |end| end + 1);
    let mut cuts: Vec<usize> = starts.map(line).filter(|at| *at > 0).collect();
    cuts.dedup();
    let mut pieces = Vec::new();
    let mut from = 0;
    for at in cuts.into_iter().chain([text.len()]) {
        let Some(piece) = text.get(from..at) else { return vec![text] };
        if !piece.trim().is_empty() {
            pieces.push(piece.trim_end());
        }
        from = at;
    }
    let whole = parsed.problems.is_empty()
        && pieces.iter().all(|p| parse(source, p, Goal::Cell, Stop::NEVER).problems.is_empty());
    if whole { pieces } else { vec![text] }
}

struct Reader<'a> {
    tree: &'a Tree,
    /// Every variable, in the order of the text.
    uses: Vec<(&'a Name, Span)>,
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
            // the parts of one `local` share their text
            if !self.problems.contains(&problem) {
                self.problems.push(problem);
            }
        }
        Arc::new(term)
    }

    fn bind(&mut self, name: &Spanned, recursive: bool, doc: Option<&Name>, term: Arc<Term>) {
        self.earlier.insert(name.name.clone());
        let (name, name_span) = (name.name.clone(), name.span);
        self.items.push(CellItem::Bind { name, name_span, recursive, doc: doc.cloned(), term });
    }

    fn local(&mut self, bindings: &[Binding], doc: Option<&Name>, span: Span) {
        if !self.recursive(bindings) {
            for binding in bindings {
                let term = self.lower(|lower| {
                    let (term, problems, _) = lower.whole(binding.value);
                    (term, problems)
                });
                self.bind(&binding.name, false, doc, term);
            }
        } else if bindings.len() > MANY {
            // a term each for the whole would be quadratic
            let shared = Spanned { name: format!("%{}.{}", self.source.0, self.items.len()).into(), span };
            let all = self.lower(|lower| lower.all_bound(bindings, span));
            self.bind(&shared, true, None, all);
            for binding in bindings {
                let term = self.lower(|lower| lower.member(&shared.name, &binding.name));
                self.bind(&binding.name, true, doc, term);
            }
        } else {
            let terms: Vec<_> = bindings.iter().map(|b| self.lower(|lower| lower.bound(bindings, &b.name))).collect();
            for (binding, term) in bindings.iter().zip(terms) {
                self.bind(&binding.name, true, doc, term);
            }
        }
    }

    /// Whether a binding may use its own name or that of a later one, or a name is bound twice.
    fn recursive(&self, bindings: &[Binding]) -> bool {
        let mut later = FxHashSet::default();
        for binding in bindings {
            if !later.insert(&binding.name.name) {
                return true;
            }
        }
        let begin = bindings.first().map_or(0, |b| b.span.start);
        let mut at = self.uses.partition_point(|(_, span)| span.start < begin);
        for binding in bindings {
            while let Some((name, _)) = self.uses.get(at).filter(|(_, span)| span.start < binding.span.end) {
                if later.contains(name) {
                    return true;
                }
                at += 1;
            }
            later.remove(&binding.name.name);
        }
        false
    }
}
