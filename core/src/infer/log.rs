//! The log of constraints for `:constraints` and `:steps --types`, kept if [`Options::log`](super::Options) is set.

mod solving;

pub use solving::{Solved, SolvingStep};

use super::Infer;
use super::table::{Slot, Vid};
use super::unify::Unified;
use super::walk::{self, Memo, Rewrite};
use super::why::{UnifyReason, Why};
use crate::text::{Name, Span};
use crate::ty::{Constraint, DynReason, Field, Generic, Live, Row, Scheme, Tail, Ty, TyRef, VariableKind};
use rustc_hash::{FxHashMap, FxHashSet};

/// The constraints of an inference, in order. All schemes have the same variables, whose names are in
/// [`Collected::names`].
#[derive(Clone, Debug, Default)]
pub struct Collected {
    /// The constraints.
    pub constraints: Vec<LoggedConstraint>,
    /// The solution of each solved variable, by [`Generic::index`].
    pub solved: Vec<(u32, Scheme)>,
    /// The variables that nothing decides.
    pub free: Vec<u32>,
    /// The names of the variables.
    pub names: Vec<Name>,
    /// The expression in which each variable was made, by [`Generic::index`].
    pub origins: Vec<Option<Span>>,
    /// The steps that solved the constraints, in order; at most [`solving::STEPS`].
    pub steps: Vec<SolvingStep>,
    /// The number of further steps.
    pub more_steps: usize,
}

/// A constraint, before and after solving.
#[derive(Clone, Debug)]
pub enum LoggedConstraint {
    /// Two types must be equal.
    Equal {
        /// The expression.
        span: Span,
        /// The reason.
        why: Why,
        /// Its type and the expected one, when the constraint was added.
        before: (Scheme, Scheme),
        /// Both types at the end of inference.
        after: (Scheme, Scheme),
        /// Whether the types could be unified.
        holds: bool,
    },
    /// A type is the merge, the sum or the join of two others.
    Combined {
        /// The operation.
        span: Span,
        /// The operator.
        symbol: &'static str,
        /// Left operand, right operand and result, when the constraint was added.
        before: [Scheme; 3],
        /// The three types at the end of inference.
        after: [Scheme; 3],
    },
}

/// The log while inference runs, with live types.
#[derive(Default)]
pub(super) struct Log {
    nested: u32,
    events: Vec<Event>,
    solving: solving::Solving,
}

enum Event {
    Equal { span: Span, why: Why, found: TyRef, expected: TyRef, holds: bool },
    Combined(Constraint),
}

impl Infer<'_> {
    /// Unifies two types, and logs the constraint unless it is part of another one.
    pub(super) fn unify_logged(&mut self, found: &TyRef, expected: &TyRef, because: &UnifyReason) -> Unified {
        if let Some(log) = &mut self.kept.log {
            log.nested += 1;
        }
        let out = self.unify_now(found, expected, because);
        if let Some(log) = &mut self.kept.log {
            log.nested -= 1;
            if log.nested == 0 && !self.deferred.is_solving() {
                let (found, expected) = (found.clone(), expected.clone());
                let (span, why) = (because.span, because.why.clone());
                log.events.push(Event::Equal { span, why, found, expected, holds: out.is_ok() });
                log.solving.step(log.events.len() - 1, true);
            }
        }
        out
    }

    /// Logs the access to a field that a record certainly has. Such an access needs no unification.
    pub(super) fn log_access(&mut self, record: &TyRef, name: &Name, found: &TyRef, because: &UnifyReason) {
        if self.kept.log.as_ref().is_none_or(|log| log.nested > 0) || matches!(**found, Ty::Forall(_)) {
            return;
        }
        let mut row = Row::new(Tail::Live(self.fresh_tail(VariableKind::Row)));
        row.insert(name.clone(), Field::given(found.clone(), Some(because.span)));
        let _ = self.unify_logged(record, &Ty::Record(row).into(), because);
    }

    /// Logs a constraint that may be deferred.
    pub(super) fn log_constraint(&mut self, constraint: &Constraint, index: usize) {
        if let Some(log) = &mut self.kept.log
            && log.nested == 0
        {
            log.events.push(Event::Combined(constraint.clone()));
            log.solving.deferred(index, log.events.len() - 1);
        }
    }

    /// Logs a merge whose operands are known, so that its result is too.
    pub(super) fn log_merged(&mut self, left: &TyRef, right: &TyRef, result: &TyRef, span: Span) {
        if let Some(log) = &mut self.kept.log
            && log.nested == 0
            && !self.deferred.is_solving()
        {
            let (left, right, result) = (left.clone(), right.clone(), result.clone());
            log.events.push(Event::Combined(Constraint::Merge { left, right, result, span }));
            log.solving.step(log.events.len() - 1, true);
        }
    }

    /// Calls `solve` without logging the constraints that it adds.
    pub(super) fn unlogged(&mut self, solve: impl FnOnce(&mut Self)) {
        if let Some(log) = &mut self.kept.log {
            log.nested += 1;
        }
        solve(self);
        if let Some(log) = &mut self.kept.log {
            log.nested -= 1;
        }
    }

    /// Takes the log, with finished types.
    pub(super) fn collected(&mut self) -> Option<Collected> {
        let log = self.kept.log.take()?;
        let mut vars = Vars { taken: self.term.short_names(), ..Vars::default() };
        let mut constraints = Vec::new();
        let Log { events, solving, .. } = *log;
        for event in &events {
            constraints.push(match event {
                Event::Equal { span, why, found, expected, holds } => LoggedConstraint::Equal {
                    span: *span,
                    why: why.clone(),
                    before: (self.snapshot(found, &mut vars, false), self.snapshot(expected, &mut vars, false)),
                    after: (self.snapshot(found, &mut vars, true), self.snapshot(expected, &mut vars, true)),
                    holds: *holds,
                },
                Event::Combined(constraint) => {
                    let (span, symbol) = match constraint {
                        Constraint::Merge { span, .. } => (*span, "&"),
                        Constraint::Plus { span, .. } | Constraint::Inherit { span, .. } => (*span, "+"),
                        Constraint::Join { span, .. } => (*span, "or"),
                        Constraint::Instance { span, .. } => (*span, "is one of"),
                        Constraint::Element { span, .. } => (*span, "[]"),
                        Constraint::Format { span, .. } => (*span, "%"),
                        Constraint::Text { span, .. } => (*span, "has a text"),
                    };
                    let parts = constraint.parts().map(TyRef::clone);
                    LoggedConstraint::Combined {
                        span,
                        symbol,
                        before: parts.clone().map(|t| self.snapshot(&t, &mut vars, false)),
                        after: parts.map(|t| self.snapshot(&t, &mut vars, true)),
                    }
                }
            });
        }
        let (mut solved, mut free) = (Vec::new(), Vec::new());
        // a solution may have further variables, which get names but are not listed
        for (index, vid) in vars.ids.clone().into_iter().enumerate() {
            let own: TyRef = Ty::Live(Live { id: vid.0, level: 0 }).into();
            let after = self.snapshot(&own, &mut vars, true);
            let itself = matches!(&*after.ty, Ty::Var(g) if g.index as usize == index);
            if !itself && matches!(vars.kinds.get(index), Some(VariableKind::Type)) {
                solved.push((index as u32, after));
            } else if itself && matches!(vars.kinds.get(index), Some(VariableKind::Type)) {
                free.push(index as u32);
            }
        }
        let made: Vec<Option<Span>> = vars.ids.iter().map(|vid| solving.origin(*vid)).collect();
        let (mut steps, more_steps) = self.solving_steps(&events, &solving, &mut vars);
        let mut origins = made;
        origins.extend(vars.ids.iter().skip(origins.len()).map(|vid| solving.origin(*vid)));
        let kinds = vars.kinds.clone();
        let whole = |mut scheme: Scheme| {
            scheme.vars = kinds.clone();
            scheme
        };
        for asked in &mut constraints {
            match asked {
                LoggedConstraint::Equal { before, after, .. } => {
                    for scheme in [&mut before.0, &mut before.1, &mut after.0, &mut after.1] {
                        scheme.vars = kinds.clone();
                    }
                }
                LoggedConstraint::Combined { before, after, .. } => {
                    before.iter_mut().chain(after).for_each(|scheme| scheme.vars = kinds.clone());
                }
            }
        }
        for step in &mut steps {
            step.now.iter_mut().chain(step.bound.iter_mut().map(|(_, ty)| ty)).for_each(|s| s.vars = kinds.clone());
        }
        let solved = solved.into_iter().map(|(index, scheme)| (index, whole(scheme))).collect();
        Some(Collected { constraints, solved, free, names: vars.names, origins, steps, more_steps })
    }

    /// Returns a type in which live variables are replaced by named ones. With `solved`, bound variables are replaced by their types.
    fn snapshot(&mut self, ty: &TyRef, vars: &mut Vars, solved: bool) -> Scheme {
        let solved = if solved { Known::All } else { Known::Nothing };
        self.snapshot_with(ty, vars, solved, &mut Vec::new())
    }

    /// As `snapshot`. Adds the variables that it replaces to `read`, if `known` is [`Known::Then`].
    fn snapshot_with(&mut self, ty: &TyRef, vars: &mut Vars, known: Known<'_>, read: &mut Vec<Vid>) -> Scheme {
        let mut s = Snapshot { infer: self, vars, known, read, memo: Memo::default() };
        Scheme::mono(s.ty(ty))
    }
}

/// The variables of the log, in order of appearance.
#[derive(Default)]
struct Vars {
    index: FxHashMap<Vid, u32>,
    ids: Vec<Vid>,
    kinds: Vec<VariableKind>,
    names: Vec<Name>,
    rows: usize,
    /// The number of letters that were used or skipped.
    letters: usize,
    /// The names of one or two characters in the program.
    taken: FxHashSet<Name>,
}

impl Vars {
    fn of(&mut self, id: Vid, kind: VariableKind) -> u32 {
        let next = self.ids.len() as u32;
        let index = *self.index.entry(id).or_insert(next);
        if index == next {
            self.ids.push(id);
            self.kinds.push(kind);
            let name = loop {
                let name = match kind {
                    VariableKind::Row | VariableKind::Tags => {
                        self.rows += 1;
                        Name::from(format!("r{}", self.rows))
                    }
                    // without `r`: `r1`, `r2`, … are names of rows
                    _ => {
                        let letter = char::from(b"abcdefghijklmnopqstuvwxyz"[self.letters % 25]);
                        let round = self.letters / 25;
                        self.letters += 1;
                        match round {
                            0 => Name::from(letter.to_string()),
                            n => Name::from(format!("{letter}{n}")),
                        }
                    }
                };
                if !self.taken.contains(&name) {
                    break name;
                }
            };
            self.names.push(name);
        }
        index
    }
}

/// The bound variables that a snapshot replaces by their types.
#[derive(Clone, Copy)]
enum Known<'k> {
    /// None.
    Nothing,
    /// All.
    All,
    /// Those that were bound at some moment.
    Then(&'k FxHashMap<Vid, TyRef>),
}

struct Snapshot<'s, 'i, 'a> {
    infer: &'i mut Infer<'a>,
    vars: &'s mut Vars,
    known: Known<'s>,
    read: &'s mut Vec<Vid>,
    memo: Memo,
}

impl Snapshot<'_, '_, '_> {
    fn var(&mut self, v: Live, kind: VariableKind) -> Generic {
        let id = if matches!(self.known, Known::All) { self.infer.table.root(v) } else { Vid(v.id) };
        Generic { up: self.memo.depth, index: self.vars.of(id, kind) }
    }

    /// The other variable that a free one was unified with at that moment.
    fn linked(&mut self, v: Live) -> Option<TyRef> {
        let Known::Then(known) = self.known else { return None };
        let other = known.get(&Vid(v.id)).cloned()?;
        self.read.push(Vid(v.id));
        Some(other)
    }

    /// The type that a bound variable is replaced by.
    fn known(&mut self, v: Live, bound: &TyRef) -> Option<TyRef> {
        match self.known {
            Known::Nothing => None,
            Known::All => Some(bound.clone()),
            Known::Then(_) => self.linked(v),
        }
    }
}

impl Rewrite for Snapshot<'_, '_, '_> {
    fn skip(&self, ty: &TyRef) -> bool {
        ty.marks().live == 0 && !ty.marks().library
    }

    fn ty(&mut self, ty: &TyRef) -> TyRef {
        if self.skip(ty) {
            return ty.clone();
        }
        match &**ty {
            Ty::Live(v) => match self.infer.table.probe(*v) {
                Slot::Bound(inner, _) => match self.known(*v, &inner) {
                    Some(inner) => self.ty(&inner),
                    None => Ty::Var(self.var(*v, VariableKind::Type)).into(),
                },
                Slot::Free { kind, .. } => match self.linked(*v) {
                    Some(other) => self.ty(&other),
                    None => Ty::Var(self.var(*v, kind)).into(),
                },
            },
            Ty::Library(_) => Ty::Dyn(DynReason::Library).into(),
            _ => walk::rebuild_once(ty, self, |rewriting| &mut rewriting.memo),
        }
    }

    fn tail(&mut self, tail: &Tail) -> (Option<TyRef>, Tail) {
        match tail {
            Tail::Live(v) => match self.infer.table.probe(*v) {
                Slot::Bound(inner, _) if let Some(known) = self.known(*v, &inner) => {
                    let known = match self.known {
                        Known::All => self.infer.table.head(&known),
                        _ => known,
                    };
                    walk::end_of(&self.ty(&known))
                }
                Slot::Bound(inner, _) => {
                    let kind = if matches!(&*inner, Ty::Enum(..)) { VariableKind::Tags } else { VariableKind::Row };
                    (None, Tail::Var(self.var(*v, kind)))
                }
                Slot::Free { kind, .. } => match self.linked(*v) {
                    Some(other) => walk::end_of(&self.ty(&other)),
                    None => (None, Tail::Var(self.var(*v, kind))),
                },
            },
            Tail::Dict(t) => (None, Tail::Dict(self.ty(t))),
            _ => (None, tail.clone()),
        }
    }

    fn nest(&mut self, deeper: bool) {
        self.memo.nest(deeper);
    }
}
