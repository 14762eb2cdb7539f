//! What inference asked for, and what came of it: for those who want to see it work. Kept only where it is asked for.

use super::Infer;
use super::table::{Slot, Vid};
use super::unify::Unified;
use super::walk::{self, Memo, Rewrite};
use super::why::{Because, Why};
use crate::text::{Name, Span};
use crate::ty::{Constraint, DynReason, Field, Generic, Kind, Live, Row, Scheme, Tail, Ty, TyRef};
use rustc_hash::FxHashMap;

/// The constraints of an inference, in the order in which they were met. Their types share variables: each scheme has
/// those of all, and [`Collected::names`] calls them.
#[derive(Clone, Debug)]
pub struct Collected {
    /// The constraints.
    pub constraints: Vec<Asked>,
    /// What became of each variable that was solved, by [`Generic::index`].
    pub solved: Vec<(u32, Scheme)>,
    /// The variables' names.
    pub names: Vec<Name>,
}

/// A constraint.
#[derive(Clone, Debug)]
pub enum Asked {
    /// Two types must be one.
    Same {
        /// The expression.
        span: Span,
        /// Why.
        why: Why,
        /// Its type, and the one that is asked of it, as they were.
        before: (Scheme, Scheme),
        /// The same when all was solved.
        after: (Scheme, Scheme),
        /// Whether they could be.
        holds: bool,
    },
    /// A type is made of two others: a merge, a sum.
    Made {
        /// The place.
        span: Span,
        /// The operator.
        symbol: &'static str,
        /// Left, right and result, as they were.
        before: [Scheme; 3],
        /// The same when all was solved.
        after: [Scheme; 3],
    },
}

/// What is noted while inference runs: types with live variables.
#[derive(Default)]
pub(super) struct Log {
    nested: u32,
    events: Vec<Event>,
}

enum Event {
    Same { span: Span, why: Why, found: TyRef, expected: TyRef, holds: bool },
    Made(Constraint),
}

impl Infer<'_> {
    /// Unifies, and notes what was asked for.
    pub(super) fn unify_logged(&mut self, found: &TyRef, expected: &TyRef, because: &Because) -> Unified {
        if let Some(log) = &mut self.kept.log {
            log.nested += 1;
        }
        let out = self.unify_now(found, expected, because);
        if let Some(log) = &mut self.kept.log {
            log.nested -= 1;
            if log.nested == 0 && !self.deferred.is_solving() {
                let (found, expected) = (found.clone(), expected.clone());
                let (span, why) = (because.span, because.why.clone());
                log.events.push(Event::Same { span, why, found, expected, holds: out.is_ok() });
            }
        }
        out
    }

    /// Notes that a record was asked for a field that it is known to have, where nothing needs to be unified for that.
    pub(super) fn log_access(&mut self, record: &TyRef, name: &Name, found: &TyRef, because: &Because) {
        if self.kept.log.as_ref().is_none_or(|log| log.nested > 0) || matches!(**found, Ty::Forall(_)) {
            return;
        }
        let mut row = Row::new(Tail::Live(self.fresh_tail(Kind::Row)));
        row.insert(name.clone(), Field::given(found.clone(), Some(because.span)));
        let _ = self.unify_logged(record, &Ty::Record(row).into(), because);
    }

    /// Notes a constraint that may wait.
    pub(super) fn log_constraint(&mut self, constraint: &Constraint) {
        if let Some(log) = &mut self.kept.log
            && log.nested == 0
        {
            log.events.push(Event::Made(constraint.clone()));
        }
    }

    /// Solves, which asks for much that the program does not.
    pub(super) fn unlogged(&mut self, solve: impl FnOnce(&mut Self)) {
        if let Some(log) = &mut self.kept.log {
            log.nested += 1;
        }
        solve(self);
        if let Some(log) = &mut self.kept.log {
            log.nested -= 1;
        }
    }

    /// What was noted, finished.
    pub(super) fn collected(&mut self) -> Option<Collected> {
        let log = self.kept.log.take()?;
        let mut vars = Vars::default();
        let mut constraints = Vec::new();
        for event in log.events {
            constraints.push(match event {
                Event::Same { span, why, found, expected, holds } => Asked::Same {
                    span,
                    why,
                    before: (self.snapshot(&found, &mut vars, false), self.snapshot(&expected, &mut vars, false)),
                    after: (self.snapshot(&found, &mut vars, true), self.snapshot(&expected, &mut vars, true)),
                    holds,
                },
                Event::Made(constraint) => {
                    let (span, symbol) = match &constraint {
                        Constraint::Merge { span, .. } => (*span, "&"),
                        Constraint::Plus { span, .. } | Constraint::Inherit { span, .. } => (*span, "+"),
                        Constraint::Join { span, .. } => (*span, "or"),
                    };
                    let parts = constraint.parts().map(TyRef::clone);
                    Asked::Made {
                        span,
                        symbol,
                        before: parts.clone().map(|t| self.snapshot(&t, &mut vars, false)),
                        after: parts.map(|t| self.snapshot(&t, &mut vars, true)),
                    }
                }
            });
        }
        let mut solved = Vec::new();
        // solving a variable may bring others in: those are named and not solved here
        for (index, vid) in vars.ids.clone().into_iter().enumerate() {
            let own: TyRef = Ty::Live(Live { id: vid.0, level: 0 }).into();
            let after = self.snapshot(&own, &mut vars, true);
            let itself = matches!(&*after.ty, Ty::Var(g) if g.index as usize == index);
            if !itself && matches!(vars.kinds.get(index), Some(Kind::Type)) {
                solved.push((index as u32, after));
            }
        }
        let kinds = vars.kinds.clone();
        let whole = |mut scheme: Scheme| {
            scheme.vars = kinds.clone();
            scheme
        };
        for asked in &mut constraints {
            match asked {
                Asked::Same { before, after, .. } => {
                    for scheme in [&mut before.0, &mut before.1, &mut after.0, &mut after.1] {
                        scheme.vars = kinds.clone();
                    }
                }
                Asked::Made { before, after, .. } => {
                    before.iter_mut().chain(after).for_each(|scheme| scheme.vars = kinds.clone());
                }
            }
        }
        let solved = solved.into_iter().map(|(index, scheme)| (index, whole(scheme))).collect();
        Some(Collected { constraints, solved, names: vars.names })
    }

    /// A type with variables that have names. `solved`: with what is known of them.
    fn snapshot(&mut self, ty: &TyRef, vars: &mut Vars, solved: bool) -> Scheme {
        let mut s = Snapshot { infer: self, vars, solved, memo: Memo::default() };
        Scheme::mono(s.ty(ty))
    }
}

/// Variables in the order in which they are met.
#[derive(Default)]
struct Vars {
    index: FxHashMap<Vid, u32>,
    ids: Vec<Vid>,
    kinds: Vec<Kind>,
    names: Vec<Name>,
    rows: usize,
}

impl Vars {
    fn of(&mut self, id: Vid, kind: Kind) -> u32 {
        let next = self.ids.len() as u32;
        let index = *self.index.entry(id).or_insert(next);
        if index == next {
            self.ids.push(id);
            self.kinds.push(kind);
            let types = self.names.len() - self.rows;
            self.names.push(match kind {
                Kind::Row | Kind::Tags => {
                    self.rows += 1;
                    Name::from(format!("r{}", self.rows))
                }
                // `r1`, `r2`, … are rows
                _ => {
                    let letter = char::from(b"abcdefghijklmnopqstuvwxyz"[types % 25]);
                    match types / 25 {
                        0 => Name::from(letter.to_string()),
                        n => Name::from(format!("{letter}{n}")),
                    }
                }
            });
        }
        index
    }
}

struct Snapshot<'s, 'i, 'a> {
    infer: &'i mut Infer<'a>,
    vars: &'s mut Vars,
    solved: bool,
    memo: Memo,
}

impl Snapshot<'_, '_, '_> {
    fn var(&mut self, v: Live, kind: Kind) -> Generic {
        let id = if self.solved { self.infer.table.root(v) } else { Vid(v.id) };
        Generic { up: self.memo.depth, index: self.vars.of(id, kind) }
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
                Slot::Bound(inner, _) if self.solved => self.ty(&inner),
                Slot::Bound(..) => Ty::Var(self.var(*v, Kind::Type)).into(),
                Slot::Free { kind, .. } => Ty::Var(self.var(*v, kind)).into(),
            },
            Ty::Library(_) => Ty::Dyn(DynReason::Library).into(),
            _ => walk::rebuild_once(ty, self, |rewriting| &mut rewriting.memo),
        }
    }

    fn tail(&mut self, tail: &Tail) -> (Option<TyRef>, Tail) {
        match tail {
            Tail::Live(v) => match self.infer.table.probe(*v) {
                Slot::Bound(inner, _) if self.solved => {
                    let inner = self.infer.table.head(&inner);
                    walk::end_of(&self.ty(&inner))
                }
                Slot::Bound(inner, _) => {
                    let kind = if matches!(&*inner, Ty::Enum(..)) { Kind::Tags } else { Kind::Row };
                    (None, Tail::Var(self.var(*v, kind)))
                }
                Slot::Free { kind, .. } => (None, Tail::Var(self.var(*v, kind))),
            },
            Tail::Dict(t) => (None, Tail::Dict(self.ty(t))),
            _ => (None, tail.clone()),
        }
    }

    fn nest(&mut self, deeper: bool) {
        self.memo.nest(deeper);
    }
}
