//! An input of the session: its items, and lowering them.

use super::{Grammar, Id, Lowerer, Lowering, TreeOf, cell, in_order};
use crate::dialect::{Cell, CellItem, Names, Stop};
use crate::problem::{Problem, Severity};
use crate::term::{NodeId, Term};
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
pub(in crate::dialect) struct Reading<'t, G: Lowering> {
    pub tree: &'t TreeOf<G>,
    pub source: SourceId,
    names: &'t dyn Names,
    /// The names bound by the items so far.
    earlier: FxHashSet<Name>,
    items: Vec<CellItem>,
    problems: Vec<Problem>,
    /// Facts about the whole cell that the language collects before it reads the items.
    pub facts: G::CellFacts<'t>,
}

/// Reads an input of a session. Total. Near-linear in the length of the text.
pub(in crate::dialect) fn read_cell<G: Lowering>(source: SourceId, text: &str, names: &dyn Names) -> Cell {
    let parsed = cell::<G>(source, text, names.stop());
    let mut reading = Reading::<G> {
        tree: &parsed.tree,
        source,
        names,
        earlier: FxHashSet::default(),
        items: Vec::new(),
        problems: parsed.problems,
        facts: G::facts(&parsed.tree),
    };
    for item in &parsed.parts {
        if names.stop().is_asked() || reading.is_hopeless() {
            break;
        }
        G::item(&mut reading, item);
    }
    Cell { items: reading.items, problems: in_order(reading.problems, G::CONSEQUENT_CODES) }
}

impl<G: Lowering> Reading<'_, G> {
    /// Returns `true` if the errors are too many for the rest to matter.
    fn is_hopeless(&self) -> bool {
        self.problems.iter().filter(|p| p.severity == Severity::Error).take(ENOUGH).count() == ENOUGH
    }

    /// Lowers a part of the cell and records its problems.
    pub fn lower(&mut self, rule: impl FnOnce(&mut Lowerer<'_, G>) -> NodeId) -> Arc<Term> {
        let (term, problems, _) = Lowerer::new(self.tree, self.names, &self.earlier).build(rule);
        for problem in problems {
            // the terms of a recursive definition share their text, and so their problems
            if !self.problems.contains(&problem) {
                self.problems.push(problem);
            }
        }
        Arc::new(term)
    }

    /// Adds an expression that was lowered.
    pub fn show_term(&mut self, term: Arc<Term>) {
        self.items.push(CellItem::Expr(term));
    }

    /// Adds an expression.
    pub fn show(&mut self, id: Id) {
        let term = self.lower(|lower| lower.expr(id));
        self.items.push(CellItem::Expr(term));
    }

    /// Adds a definition.
    pub fn bind(&mut self, name: Name, name_span: Span, recursive: bool, doc: Option<Name>, term: Arc<Term>) {
        self.earlier.insert(name.clone());
        self.items.push(CellItem::Bind { name, name_span, recursive, doc, term });
    }

    /// Adds many definitions as the members of a record or object, because a separate term for each would take quadratic
    /// time.
    pub fn bind_members(
        &mut self,
        all: Arc<Term>,
        span: Span,
        recursive: bool,
        names: impl IntoIterator<Item = (Name, Span, Option<Name>)>,
    ) {
        let shared = self.hidden_name();
        self.bind(shared.clone(), span, recursive, None, all);
        for (name, span, doc) in names {
            let term = self.lower(|lower| lower.member(&shared, &name, span));
            self.bind(name, span, recursive, doc, term);
        }
    }

    /// Returns an internal name that no other cell uses.
    pub fn hidden_name(&self) -> Name {
        format!("%{}.{}", self.source.0, self.items.len()).into()
    }
}
