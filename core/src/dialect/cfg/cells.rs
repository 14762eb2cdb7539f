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
use super::lower::{Lower, Wanted};
use super::tree::{Binding, Item, MetaKind, PId, Pattern, Rest, Tree};
use crate::dialect::{Cell, CellItem, Names, Stop};
use crate::problem::{Problem, Severity};
use crate::term::Term;
use crate::text::{Name, SourceId, Span};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// More names than these of one pattern, or one `let rec`, share a record.
const MANY: usize = 16;

/// So many errors are enough.
const ENOUGH: usize = 100;

/// Reads a session's input. Total. Near-linear in the text's length.
pub fn cell(source: SourceId, text: &str, names: &dyn Names) -> Cell {
    let parsed = parse(source, text, Goal::Cell, names.stop());
    let mut reader = Reader {
        tree: &parsed.tree,
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

/// The inputs that a text of several lines holds: each begins on a line of its own. A text that does not parse is one
/// input. Linear in the text's length.
pub fn inputs(text: &str) -> Vec<&str> {
    let source = SourceId(0);
    let parsed = parse(source, text, Goal::Cell, Stop::NEVER);
    let starts = parsed.items.iter().filter_map(|item| match item {
        Item::Expr(id) => Some(parsed.tree.span(*id).start as usize),
        Item::Bind(binding) => Some(parsed.tree.pattern_span(binding.pattern).start as usize),
        Item::Let(_, bindings) => bindings.first().map(|b| parsed.tree.pattern_span(b.pattern).start as usize),
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
    // what the lines pulled apart, a `let` above its name say, stays together
    let whole = parsed.problems.is_empty()
        && pieces.iter().all(|p| parse(source, p, Goal::Cell, Stop::NEVER).problems.is_empty());
    if whole { pieces } else { vec![text] }
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
        let shared = self.hidden();
        let span = self.tree.pattern_span(binding.pattern);
        self.bind(shared.clone(), span, false, doc, term);
        let names = bound_names(self.tree, binding.pattern);
        if names.len() > MANY {
            let all = self.lower(|lower| lower.part(binding.pattern, &shared, Wanted::All(&names)));
            return self.members(names.into_iter().map(|(name, span)| (name, span, None)).collect(), span, false, all);
        }
        for (name, span) in names {
            let term = self.lower(|lower| lower.part(binding.pattern, &shared, Wanted::One(&name, span)));
            self.bind(name, span, false, None, term);
        }
    }

    /// `let rec f = …, g = …`: each name's term is the whole `let`, so that each is as polymorphic as it can be.
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
            self.bind(name, span, true, doc, term);
        }
    }

    /// Many names of one pattern or one `let rec`: a term each for the whole would be quadratic, so they share a record.
    fn members(&mut self, names: Vec<(Name, Span, Option<Name>)>, span: Span, recursive: bool, all: Arc<Term>) {
        let shared = self.hidden();
        self.bind(shared.clone(), span, recursive, None, all);
        for (name, span, doc) in names {
            let term = self.lower(|lower| lower.member(&shared, &name, span));
            self.bind(name, span, recursive, doc, term);
        }
    }

    /// A name that no user can write and no other cell has.
    fn hidden(&self) -> Name {
        format!("%{}.{}", self.source.0, self.items.len()).into()
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
