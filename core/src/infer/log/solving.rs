//! The order in which constraints are solved, and the variables that each one binds, for `:steps --types`.

use super::{Event, Infer, Known, Live, LoggedConstraint, Scheme, Slot, Ty, TyRef, VariableKind, Vars, Vid};
use crate::term::NodeId;
use crate::text::Span;
use rustc_hash::FxHashMap;

/// Maximum number of steps that are kept.
pub const STEPS: usize = 200;

/// A step: one constraint, as far as it could be solved at that moment.
#[derive(Clone, Debug)]
pub struct SolvingStep {
    /// The index of the constraint in [`super::Collected::constraints`].
    pub constraint: usize,
    /// The types of the constraint when the step begins: found and expected, or both operands and the result.
    pub now: Vec<Scheme>,
    /// The variables in the constraint that earlier steps have bound, each with the index of that step.
    pub replaced: Vec<(u32, usize)>,
    /// The variables that the step binds, by [`crate::ty::Generic::index`], each with its type.
    pub bound: Vec<(u32, Scheme)>,
    /// The outcome.
    pub solved: Solved,
}

/// The outcome of a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Solved {
    /// The constraint holds.
    Holds,
    /// The constraint cannot hold.
    Fails,
    /// The constraint waits for a variable.
    Waits,
}

/// The steps while inference runs, with live types.
#[derive(Default)]
pub(in crate::infer) struct Solving {
    steps: Vec<Step>,
    more: usize,
    /// The variables that were bound since the last step.
    bound: Vec<(Vid, TyRef)>,
    /// The logged constraint of each deferred constraint.
    deferred: FxHashMap<usize, usize>,
    /// The number of the first variable that is made in an expression, and that expression, in order.
    made: Vec<(u32, Span)>,
    /// The expression that is being inferred.
    at: Option<Span>,
}

struct Step {
    event: usize,
    bound: Vec<(Vid, TyRef)>,
    done: bool,
}

impl Solving {
    /// Adds a step with the variables that were bound since the last one.
    pub fn step(&mut self, event: usize, done: bool) {
        let bound = std::mem::take(&mut self.bound);
        match self.steps.len() < STEPS {
            true => self.steps.push(Step { event, bound, done }),
            false => self.more += 1,
        }
    }

    /// Records the logged constraint of a deferred constraint.
    pub fn deferred(&mut self, index: usize, event: usize) {
        self.deferred.insert(index, event);
    }

    /// Returns the expression in which a variable was made.
    pub fn origin(&self, vid: Vid) -> Option<Span> {
        let after = self.made.partition_point(|(first, _)| *first <= vid.0);
        self.made.get(after.checked_sub(1)?).map(|(_, span)| *span)
    }

    fn mark(&mut self, next: u32, span: Span) {
        match self.made.last_mut() {
            Some((first, last)) if *first == next => *last = span,
            _ => self.made.push((next, span)),
        }
        self.at = Some(span);
    }
}

impl Infer<'_> {
    /// Records that an expression is entered, if there is a log. Returns the one around it.
    pub(in crate::infer) fn enter_logged(&mut self, id: NodeId) -> Option<Span> {
        let next = self.table.len();
        let span = self.term.span(id);
        let log = self.kept.log.as_mut()?;
        let around = log.solving.at.unwrap_or(span);
        log.solving.mark(next, span);
        Some(around)
    }

    /// Makes a variable for the type of the expression at a place.
    pub(in crate::infer) fn fresh_of(&mut self, span: Span) -> TyRef {
        let next = self.table.len();
        let around = self.kept.log.as_mut().map(|log| {
            let around = log.solving.at.unwrap_or(span);
            log.solving.mark(next, span);
            around
        });
        let fresh = self.fresh();
        self.leave_logged(around);
        fresh
    }

    /// Records that an expression is left.
    pub(in crate::infer) fn leave_logged(&mut self, around: Option<Span>) {
        let next = self.table.len();
        if let (Some(log), Some(around)) = (&mut self.kept.log, around) {
            log.solving.mark(next, around);
        }
    }

    /// Unifies two free variables.
    pub(in crate::infer) fn link(&mut self, a: Live, b: Live) {
        let (first, second) = (self.table.root(a), self.table.root(b));
        self.table.union(a, b);
        if self.kept.log.is_some() && first != second {
            let root = self.table.root(a);
            let other = if root == first { second } else { first };
            self.log_binding(other, &Ty::Live(Live { id: root.0, ..a }).into());
        }
    }

    /// Records that a variable was bound.
    pub(in crate::infer) fn log_binding(&mut self, var: Vid, ty: &TyRef) {
        if let Some(log) = &mut self.kept.log {
            log.solving.bound.push((var, ty.clone()));
        }
    }

    /// Adds a step for a deferred constraint that was tried.
    pub(in crate::infer) fn log_tried(&mut self, index: usize) {
        let done = self.deferred.open(index).is_none();
        if let Some(log) = &mut self.kept.log
            && let Some(event) = log.solving.deferred.get(&index).copied()
        {
            log.solving.step(event, done);
        }
    }

    /// Returns the steps with finished types, and the number of further steps.
    pub(super) fn solving_steps(
        &mut self,
        events: &[Event],
        solving: &Solving,
        vars: &mut Vars,
    ) -> (Vec<SolvingStep>, usize) {
        let mut known: FxHashMap<Vid, TyRef> = FxHashMap::default();
        let mut bound_in: FxHashMap<Vid, usize> = FxHashMap::default();
        let mut steps = Vec::with_capacity(solving.steps.len());
        for step in &solving.steps {
            let Some(event) = events.get(step.event) else { continue };
            let (types, solved) = match event {
                Event::Equal { found, expected, holds, .. } => {
                    let solved = if *holds { Solved::Holds } else { Solved::Fails };
                    (vec![found.clone(), expected.clone()], solved)
                }
                Event::Combined(constraint) => {
                    let solved = if step.done { Solved::Holds } else { Solved::Waits };
                    (constraint.parts().map(TyRef::clone).into(), solved)
                }
            };
            let mut read = Vec::new();
            let now = types.iter().map(|ty| self.snapshot_with(ty, vars, Known::Then(&known), &mut read)).collect();
            let mut replaced = Vec::new();
            for vid in read {
                let (index, step) = (vars.of(vid, VariableKind::Type), bound_in.get(&vid).copied().unwrap_or_default());
                if !replaced.contains(&(index, step)) {
                    replaced.push((index, step));
                }
            }
            let mut bound = Vec::with_capacity(step.bound.len());
            for (vid, ty) in &step.bound {
                let kind = self.kind_of(*vid);
                let ty = self.snapshot_with(ty, vars, Known::Then(&known), &mut Vec::new());
                bound_in.insert(*vid, steps.len());
                bound.push((vars.of(*vid, kind), ty));
            }
            known.extend(step.bound.iter().cloned());
            steps.push(SolvingStep { constraint: step.event, now, replaced, bound, solved });
        }
        (steps, solving.more)
    }

    /// The kind of a variable, for its name if no constraint names it.
    fn kind_of(&mut self, vid: Vid) -> VariableKind {
        match self.table.probe(Live { id: vid.0, level: 0 }) {
            Slot::Free { kind, .. } => kind,
            Slot::Bound(..) => VariableKind::Type,
        }
    }
}

impl LoggedConstraint {
    /// Returns the expression that the constraint is about.
    pub fn span(&self) -> Span {
        match self {
            LoggedConstraint::Equal { span, .. } | LoggedConstraint::Combined { span, .. } => *span,
        }
    }
}
