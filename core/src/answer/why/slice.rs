//! The smallest part of a program for which a fact about its types still holds. Everything else is made unknown, the
//! larger parts first, and the rest is inferred again. This is type error slicing as in Schilling (*Constraint-free
//! type error slicing*, 2011), with hierarchical delta debugging (Misherghi and Su, *HDD*, 2006).
//!
//! Inference confirms that the result is sufficient, however inference works internally.

use crate::state::Slice;
use crate::term::{Node, NodeId, PatKind, Term};
use crate::text::Span;
use rustc_hash::FxHashSet;

/// Maximum number of nodes to infer, counting repeated runs, before the search stops: a few seconds.
const WORK: usize = 10_000_000;

/// The condition that a smaller program must still meet.
pub(super) type SliceCondition<'h> = dyn Fn(&Slice<'_>) -> bool + 'h;

/// A slice under construction.
pub(super) struct Slicer<'s, 'w> {
    slice: &'s mut Slice<'w>,
    holds: &'s SliceCondition<'s>,
    /// Places that inference reports as certain parts of the slice.
    hints: &'s [Span],
    work: usize,
    tries: usize,
    /// Number of visible nodes of the current part.
    size: usize,
}

/// The effort of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Effort {
    /// Whether no single part can be removed.
    pub least: bool,
    /// Number of runs of inference.
    pub tries: usize,
}

/// Hides the nodes that `holds` does not need. `holds` is true before and after.
pub(super) fn slice(slice: &mut Slice<'_>, hints: &[Span], holds: &SliceCondition<'_>) -> Effort {
    let mut slicer = Slicer { slice, holds, hints, work: 0, tries: 0, size: 0 };
    let mut reached = vec![true];
    for part in 0..slicer.slice.len() {
        // parts precede those that they read
        if !reached.get(part).copied().unwrap_or(false) {
            continue;
        }
        slicer.part(part);
        for node in visible(slicer.slice, part) {
            if let Some(read) = slicer.slice.read(part, node) {
                reached.resize(reached.len().max(read + 1), false);
                if let Some(flag) = reached.get_mut(read) {
                    *flag = true;
                }
            }
        }
    }
    Effort { least: !slicer.is_over(), tries: slicer.tries }
}

/// Returns the nodes of a part that are not under a hole, parents before children.
pub(super) fn visible(slice: &Slice<'_>, part: usize) -> Vec<NodeId> {
    slice.term(part).map(|term| below(term, term.root)).unwrap_or_default()
}

/// Returns a node and its descendants, except holes.
pub(super) fn below(term: &Term, node: NodeId) -> Vec<NodeId> {
    let mut out = Vec::new();
    let mut work = vec![node];
    while let Some(id) = work.pop() {
        if matches!(term.node(id), Node::Hole) {
            continue;
        }
        out.push(id);
        work.extend(term.children(id).into_iter().rev());
    }
    out
}

/// Returns `true` if a span is inside another one.
pub(super) fn within(inner: Span, outer: Span) -> bool {
    inner.source == outer.source && outer.start <= inner.start && inner.end <= outer.end
}

impl Slicer<'_, '_> {
    fn is_over(&self) -> bool {
        self.work > WORK || self.slice.is_stopped()
    }

    /// Hides nodes if the condition still holds. Returns `true` if it does.
    fn hide(&mut self, part: usize, nodes: &[NodeId]) -> bool {
        if nodes.is_empty() {
            return true;
        }
        if self.is_over() {
            return false;
        }
        self.slice.hide(part, nodes);
        self.tries += 1;
        self.work += self.size;
        let holds = (self.holds)(self.slice) && !self.slice.is_stopped();
        match holds {
            true => self.size = visible(self.slice, part).len(),
            false => self.slice.show(part, nodes),
        }
        holds
    }

    fn part(&mut self, part: usize) {
        let Some(term) = self.slice.term(part).cloned() else { return };
        let fixed = fixed(&term);
        drop(term);
        self.size = visible(self.slice, part).len();
        self.sibling_hints(part, &fixed);
        let mut level: Vec<NodeId> = self.slice.term(part).map(|t| vec![t.root]).unwrap_or_default();
        if part > 0 {
            // an import may matter only because the file exists
            self.hide(part, &level);
        }
        while !level.is_empty() && !self.is_over() {
            let Some(term) = self.slice.term(part).cloned() else { return };
            let mut next = Vec::new();
            for id in level {
                next.extend(term.children(id).into_iter().filter(|c| !matches!(term.node(*c), Node::Hole)));
            }
            // the nodes around the first place must stay
            let around = |id: &NodeId| {
                let span = term.span(*id);
                self.hints.first().is_some_and(|at| within(*at, span) && span != *at)
            };
            let can: Vec<NodeId> = next.iter().copied().filter(|id| !fixed.contains(id) && !around(id)).collect();
            drop(term);
            let (near, far): (Vec<_>, Vec<_>) = can.into_iter().partition(|id| self.is_near(part, *id));
            self.reduce(part, &far);
            self.reduce(part, &near);
            let Some(term) = self.slice.term(part) else { return };
            level = next.into_iter().filter(|id| !matches!(term.node(*id), Node::Hole)).collect();
        }
        self.again(part, &fixed);
    }

    /// Hides all nodes that neither contain a hint nor are inside one, in one step.
    fn sibling_hints(&mut self, part: usize, fixed: &FxHashSet<NodeId>) {
        let Some(term) = self.slice.term(part) else { return };
        let mut siblings = Vec::new();
        let mut work = vec![term.root];
        while let Some(id) = work.pop() {
            let span = term.span(id);
            if self.hints.iter().any(|hint| within(span, *hint)) {
                continue;
            }
            if fixed.contains(&id) || self.hints.iter().any(|hint| touches(span, *hint)) {
                work.extend(term.children(id));
            } else if !matches!(term.node(id), Node::Hole) {
                siblings.push(id);
            }
        }
        if !siblings.contains(&term.root) {
            self.hide(part, &siblings);
        }
    }

    fn is_near(&self, part: usize, id: NodeId) -> bool {
        let Some(term) = self.slice.term(part) else { return false };
        let span = term.span(id);
        self.hints.iter().any(|hint| touches(span, *hint)) || matches!(term.node(id), Node::Type(_))
    }

    /// Hides as many of these nodes as possible: all at once if that works, otherwise by halves.
    fn reduce(&mut self, part: usize, nodes: &[NodeId]) {
        let mut work = vec![nodes.to_vec()];
        while let Some(nodes) = work.pop() {
            if self.hide(part, &nodes) || nodes.len() < 2 {
                continue;
            }
            let (first, second) = nodes.split_at(nodes.len() / 2);
            // the last one pushed is tried first: the later parts of a program matter more
            work.push(first.to_vec());
            work.push(second.to_vec());
        }
    }

    /// Tries again the nodes that had to stay; they may be removable after others are removed.
    fn again(&mut self, part: usize, fixed: &FxHashSet<NodeId>) {
        for _ in 0..3 {
            let mut less = false;
            let mut needed: FxHashSet<NodeId> = FxHashSet::default();
            // children before parents
            for id in visible(self.slice, part).into_iter().rev() {
                let Some(term) = self.slice.term(part) else { return };
                let needs =
                    fixed.contains(&id) || id == term.root || term.children(id).iter().any(|c| needed.contains(c));
                if needs || !self.hide(part, &[id]) {
                    needed.insert(id);
                } else {
                    less = true;
                }
            }
            if !less {
                return;
            }
        }
    }
}

fn touches(a: Span, b: Span) -> bool {
    a.source == b.source && a.start <= b.end && b.start <= a.end
}

/// Returns the nodes that their context requires to stay as they are: constants in patterns, and the field of an object
/// comprehension.
pub(super) fn fixed(term: &Term) -> FxHashSet<NodeId> {
    let mut fixed: FxHashSet<NodeId> = term
        .pats
        .iter()
        .filter_map(|pat| match pat.kind {
            PatKind::Const(node) => Some(node),
            _ => None,
        })
        .collect();
    for node in &term.nodes {
        match node {
            Node::Comprehension(c) if c.object => {
                fixed.insert(c.body);
            }
            _ => {}
        }
    }
    fixed
}
