//! An input of the session: its items, and lowering them.

use super::{Grammar, cell, in_order};
use crate::dialect::{Cell, CellItem, Stop};
use crate::problem::{Problem, Severity};
use crate::term::Term;
use crate::text::{Name, SourceId, Span};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// Number of errors after which the rest of a cell is not lowered. A cell with errors changes nothing.
const ENOUGH: usize = 100;

/// Splits a text of several lines into inputs, each of which begins on a new line. A text with errors is one input. Linear
/// in the text's length.
pub(in crate::dialect) fn inputs<G: Grammar>(text: &str) -> Vec<&str> {
    let read = |text| cell::<G>(SourceId(0), text, Stop::NEVER);
    let parsed = read(text);
    let starts = parsed.parts.iter().filter_map(|item| G::start_of(&parsed.tree, item));
    let line = |start: u32| text.get(..start as usize).and_then(|t| t.rfind('\n')).map_or(0, |end| end + 1);
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
    // if a piece alone has errors, such as a `let` above its name, keep the text whole
    let whole = parsed.problems.is_empty() && pieces.iter().all(|piece| read(piece).problems.is_empty());
    if whole { pieces } else { vec![text] }
}

/// A cell that is being lowered.
pub(in crate::dialect) struct Making {
    source: SourceId,
    /// The names bound by the items so far.
    pub earlier: FxHashSet<Name>,
    items: Vec<CellItem>,
    problems: Vec<Problem>,
}

impl Making {
    /// Creates a cell without items, with the problems of its text.
    pub fn new(source: SourceId, problems: Vec<Problem>) -> Making {
        Making { source, earlier: FxHashSet::default(), items: Vec::new(), problems }
    }

    /// Returns `true` if the errors are too many for the rest to matter.
    pub fn is_hopeless(&self) -> bool {
        self.problems.iter().filter(|p| p.severity == Severity::Error).take(ENOUGH).count() == ENOUGH
    }

    /// Takes a lowered term and records its problems.
    pub fn lowered(&mut self, (term, problems): (Term, Vec<Problem>)) -> Arc<Term> {
        for problem in problems {
            // the terms of a recursive definition share their text, and so their problems
            if !self.problems.contains(&problem) {
                self.problems.push(problem);
            }
        }
        Arc::new(term)
    }

    /// Adds an expression.
    pub fn show(&mut self, term: Arc<Term>) {
        self.items.push(CellItem::Expr(term));
    }

    /// Adds a definition.
    pub fn bind(&mut self, name: Name, name_span: Span, recursive: bool, doc: Option<Name>, term: Arc<Term>) {
        self.earlier.insert(name.clone());
        self.items.push(CellItem::Bind { name, name_span, recursive, doc, term });
    }

    /// Returns an internal name that no other cell uses.
    pub fn hidden_name(&self) -> Name {
        format!("%{}.{}", self.source.0, self.items.len()).into()
    }

    /// Finishes the cell. Problems with one of the codes in `following` are dropped if they may be consequences of syntax
    /// errors.
    pub fn finish(self, following: &[&str]) -> Cell {
        Cell { items: self.items, problems: in_order(self.problems, following) }
    }
}
