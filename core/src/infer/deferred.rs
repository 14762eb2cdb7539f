//! Deferred constraints: merges, sums and joins whose operands are not known yet. Each waits on the variables that keep it
//! from being solved, and is tried again when one of them is bound.

use super::Infer;
use super::table::Vid;
use super::why::{UnifyReason, Why};
use crate::ty::{Constraint, Live, Ty, TyRef};
use rustc_hash::{FxHashMap, FxHashSet};

/// Maximum number of times that one merge is tried. A merge may wake others when it publishes fields; a cycle of merges must end.
const TRIES: u32 = 32;

struct DeferredConstraint {
    constraint: Constraint,
    /// It was solved, or is part of a scheme now.
    done: bool,
    tries: u32,
    unfolded: u32,
}

/// The constraints of one inference that could not be solved at once.
#[derive(Default)]
pub(super) struct Deferred {
    all: Vec<DeferredConstraint>,
    solving: bool,
    /// The sides of each join of two types that callers choose, by the variable of its result.
    joins: FxHashMap<Vid, [TyRef; 2]>,
    /// The variables of merges whose operands callers choose.
    merged: FxHashSet<Vid>,
    /// The number of functions around what is being joined.
    pub(super) joined_functions: usize,
    /// The level that was left last, and the number of constraints when its inner level was entered.
    left: (u32, usize),
}

impl Deferred {
    /// Adds a constraint. Returns its index. `unfolded`: the number of uses of methods that led to it.
    pub fn add(&mut self, constraint: Constraint, unfolded: u32) -> usize {
        self.all.push(DeferredConstraint { constraint, done: false, tries: 0, unfolded });
        self.all.len() - 1
    }

    /// Records the sides of a join. A type that contains its result contains them.
    pub fn add_join(&mut self, result: Live, sides: [TyRef; 2]) {
        self.joins.insert(Vid(result.id), sides);
    }

    /// The sides of the join whose result is a variable.
    pub fn joined(&self, result: Live) -> Option<&[TyRef; 2]> {
        self.joins.get(&Vid(result.id))
    }

    /// Records the variable of a merge whose operands callers choose.
    pub fn add_merged(&mut self, result: Vid) {
        self.merged.insert(result);
    }

    /// Whether a variable is the type of such a merge.
    pub fn is_merged(&self, result: Vid) -> bool {
        self.merged.contains(&result)
    }

    /// The number of constraints, solved ones too: the index of the next one.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// A constraint, if it is not solved.
    pub fn open(&self, index: usize) -> Option<&Constraint> {
        self.all.get(index).filter(|c| !c.done).map(|c| &c.constraint)
    }

    /// The number of uses of methods that led to a constraint.
    pub fn unfolded(&self, index: usize) -> u32 {
        self.all.get(index).map_or(0, |c| c.unfolded)
    }

    /// Counts a try. Returns whether there may be another one.
    pub fn may_try(&mut self, index: usize) -> bool {
        let Some(c) = self.all.get_mut(index) else { return false };
        c.tries += 1;
        c.tries <= TRIES
    }

    /// Marks a constraint as solved.
    pub fn finish(&mut self, index: usize) {
        if let Some(c) = self.all.get_mut(index) {
            c.done = true;
        }
    }

    /// Removes solved constraints from the end of the list, down to `from`.
    pub fn trim(&mut self, from: usize) {
        while self.all.len() > from && self.all.last().is_some_and(|c| c.done) {
            self.all.pop();
        }
    }

    /// Whether [`Infer::solve`] is running.
    pub fn is_solving(&self) -> bool {
        self.solving
    }

    /// Records that the level inside `level` was left, which was entered when there were `from` constraints.
    pub fn leave(&mut self, level: u32, from: usize) {
        self.left = (level, from);
    }

    /// The first constraint that can hold a variable of the level inside `level`.
    pub fn first_inside(&self, level: u32) -> usize {
        let (left, from) = self.left;
        if left == level { from } else { 0 }
    }
}

impl Infer<'_> {
    /// Adds a constraint. Solves it at once if its operands are known.
    pub(super) fn constrain(&mut self, constraint: Constraint) {
        if !matches!(constraint, Constraint::Format { .. } | Constraint::Text { .. }) {
            self.log_constraint(&constraint, self.deferred.len());
        }
        let index = self.deferred.add(constraint, 0);
        self.unlogged(|infer| {
            infer.try_deferred(index);
            infer.solve();
        });
    }

    /// Tries again the constraints whose variables have been bound.
    pub(super) fn solve(&mut self) {
        if self.deferred.solving {
            return;
        }
        self.deferred.solving = true;
        while let Some(index) = self.table.next_woken() {
            if self.interrupted() {
                break;
            }
            self.try_deferred(index as usize);
        }
        self.deferred.solving = false;
    }

    /// Tries to solve a constraint. If that is not possible, it waits on its variables.
    pub(super) fn try_deferred(&mut self, index: usize) {
        let Some(constraint) = self.deferred.open(index).cloned() else { return };
        self.solve_one(index, constraint);
        if self.kept.log.is_some() {
            self.log_tried(index);
        }
    }

    fn solve_one(&mut self, index: usize, constraint: Constraint) {
        match constraint {
            Constraint::Merge { left, right, result, span } => self.try_merge(index, &left, &right, &result, span),
            Constraint::Plus { left, right, result, span } => self.try_plus(index, &left, &right, &result, span),
            Constraint::Inherit { base, extension, result, span } => {
                self.try_inherit(index, base, extension, &result, span);
            }
            Constraint::Join { left, right, result, span } => self.try_join(index, &left, &right, &result, span),
            Constraint::Instance { ty, allowed, operator, span } => {
                self.try_instance(index, &ty, allowed, &operator, span)
            }
            Constraint::Format { value, fields, span } => self.try_format(index, &value, &fields, span),
            Constraint::Text { value, span } => self.try_text(index, &value, span),
            Constraint::Element { target, key, result, span } => self.try_element(index, &target, &key, &result, span),
        }
    }

    /// The free variables of the parts of a constraint with a mark above `floor`.
    pub(super) fn live_in(&mut self, constraint: &Constraint, floor: u32, out: &mut Vec<Vid>) {
        for t in constraint.parts() {
            self.free_vars_above(t, floor, out);
        }
    }

    /// Lowers the results of the constraints since `from` to the levels of their operands, so that they are not generalised
    /// while an outer level can still decide them. Looks only at variables of the level that was left: leaving the next level looks at
    /// these constraints again.
    pub(super) fn tie_results(&mut self, from: usize) {
        let floor = self.level + 1;
        for i in from..self.deferred.len() {
            let Some(constraint) = self.deferred.open(i) else { continue };
            let [a, b, c] = constraint.parts().map(TyRef::clone);
            let mut operands = Vec::new();
            self.free_vars_above(&a, floor, &mut operands);
            self.free_vars_above(&b, floor, &mut operands);
            let outer = a.marks().live.max(b.marks().live).saturating_sub(1).min(self.level);
            let highest = operands.iter().map(|v| self.table.level(*v)).fold(outer, u32::max);
            let mut results = Vec::new();
            self.free_vars_above(&c, floor, &mut results);
            for v in results {
                self.table.lower(Live { id: v.0, level: 0 }, highest.max(1));
            }
        }
    }

    /// Solves the joins that only one side can decide any more, at the end of inference: the other side is not a part of the result, so that
    /// nothing chooses it.
    pub(super) fn decide_joins(&mut self, root: &TyRef) {
        let mut free: Option<FxHashSet<Vid>> = None;
        for i in 0..self.deferred.len() {
            let Some(Constraint::Join { left, right, result, span }) = self.deferred.open(i).cloned() else { continue };
            let [l, r] = [&left, &right].map(|side| self.table.head(side));
            let ((Ty::Live(v), known) | (known, Ty::Live(v))) = (&*l, &*r) else { continue };
            if self.rules().extends() || matches!(known, Ty::Live(_)) {
                continue;
            }
            let free = free.get_or_insert_with(|| {
                let mut free = Vec::new();
                self.free_vars(root, &mut free);
                free.into_iter().collect()
            });
            if free.contains(&self.table.root(*v)) {
                continue;
            }
            self.deferred.finish(i);
            let known = if matches!(&*l, Ty::Live(_)) { &right } else { &left };
            let because = UnifyReason::new(span, Why::Branch).unsure();
            let unified = self.unify(known, &result, &because);
            self.settle_clash(unified, &because);
        }
    }

    /// Marks as solved the constraints since `from` that no outer level can decide. They are part of schemes now.
    pub(super) fn drop_generalised(&mut self, from: usize) {
        for i in from..self.deferred.len() {
            let Some(constraint) = self.deferred.open(i).cloned() else { continue };
            let mut live = Vec::new();
            self.live_in(&constraint, self.level + 1, &mut live);
            if live.iter().any(|v| self.table.level(*v) > self.level) {
                self.deferred.finish(i);
            }
        }
        self.deferred.trim(from);
    }
}
