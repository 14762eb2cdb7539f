//! A session's input: the lines of its parts, and what they are lowered to.

use super::{Grammar, cell, in_order};
use crate::dialect::{Cell, CellItem, Stop};
use crate::problem::{Problem, Severity};
use crate::term::Term;
use crate::text::{Name, SourceId, Span};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// So many errors are enough: such a cell changes nothing, whatever else is in it.
const ENOUGH: usize = 100;

/// The inputs that a text of several lines holds: each begins on a line of its own. A text that does not parse is one
/// input. Linear in the text's length.
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
    // what the lines pulled apart, a `let` above its name say, stays together
    let whole = parsed.problems.is_empty() && pieces.iter().all(|piece| read(piece).problems.is_empty());
    if whole { pieces } else { vec![text] }
}

/// A cell as its parts are lowered.
pub(in crate::dialect) struct Making {
    source: SourceId,
    /// The names that the parts so far bind.
    pub earlier: FxHashSet<Name>,
    items: Vec<CellItem>,
    problems: Vec<Problem>,
}

impl Making {
    /// A cell without parts, with the problems of its text.
    pub fn new(source: SourceId, problems: Vec<Problem>) -> Making {
        Making { source, earlier: FxHashSet::default(), items: Vec::new(), problems }
    }

    /// Whether so much is wrong that the rest need not be read.
    pub fn is_hopeless(&self) -> bool {
        self.problems.iter().filter(|p| p.severity == Severity::Error).take(ENOUGH).count() == ENOUGH
    }

    /// Keeps the problems of a term that was lowered.
    pub fn lowered(&mut self, (term, problems): (Term, Vec<Problem>)) -> Arc<Term> {
        for problem in problems {
            // terms of the parts of one recursive definition share their text
            if !self.problems.contains(&problem) {
                self.problems.push(problem);
            }
        }
        Arc::new(term)
    }

    /// Adds an expression to be shown.
    pub fn show(&mut self, term: Arc<Term>) {
        self.items.push(CellItem::Expr(term));
    }

    /// Adds a definition.
    pub fn bind(&mut self, name: Name, name_span: Span, recursive: bool, doc: Option<Name>, term: Arc<Term>) {
        self.earlier.insert(name.clone());
        self.items.push(CellItem::Bind { name, name_span, recursive, doc, term });
    }

    /// A name that no user can write and no other cell has.
    pub fn hidden_name(&self) -> Name {
        format!("%{}.{}", self.source.0, self.items.len()).into()
    }

    /// The cell; problems with one of the codes may only follow from what did not parse.
    pub fn finish(self, following: &[&str]) -> Cell {
        Cell { items: self.items, problems: in_order(self.problems, following) }
    }
}
