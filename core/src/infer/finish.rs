//! The end of inference: selects the findings that evaluation will run into, sets their severity, and finishes the types.

use super::findings::{Finding, Found, Reported};
use super::table::{Slot, Vid};
use super::walk::{self, Memo, Rewrite};
use super::why::{UnifyReason, Why};
use super::{Infer, Inferred};
use crate::problem::types::{PRIORITY_IGNORED, TypeProblem, TypesKind};
use crate::problem::{Problem, ProblemKind, Severity};
use crate::stop::has_room_for_a_thread;
use crate::text::{Name, SourceId, Span};
use crate::ty::{
    Constraint, DynReason, Failure, Field, Live, Marks, Need, Presence, Row, Scheme, Tail, Ty, TyRef, VariableKind,
};
use rustc_hash::FxHashSet;
use std::sync::Arc;

impl Infer<'_> {
    /// Wraps a live type in a scheme, which is finished when inference ends.
    pub(super) fn mono(&mut self, ty: &TyRef) -> Arc<Scheme> {
        Arc::new(Scheme::mono(ty.clone()))
    }

    /// Returns the type without its failures. O(1) if there are none.
    pub(super) fn without_failures(&mut self, ty: &TyRef) -> TyRef {
        struct Strip(Memo);
        impl Rewrite for Strip {
            fn memo(&mut self) -> Option<&mut Memo> {
                Some(&mut self.0)
            }
            fn skips_marks(&self, marks: Marks) -> bool {
                !marks.fails
            }
            fn skip(&self, ty: &TyRef) -> bool {
                !ty.marks().fails
            }
            fn ty(&mut self, ty: &TyRef) -> TyRef {
                match &**ty {
                    _ if self.skip(ty) => ty.clone(),
                    Ty::Fails(_, inner) => self.ty(inner),
                    _ => walk::rebuild_once(ty, self, |strip| &mut strip.0),
                }
            }
        }
        if !ty.marks().fails {
            return ty.clone();
        }
        // n problems of which each is about a part of the next one share what is removed
        let mut strip = Strip(std::mem::take(&mut self.caches.without_failures));
        let clean = strip.ty(ty);
        self.caches.without_failures = strip.0;
        clean
    }

    pub(super) fn level_is_at_most(&mut self, v: Vid, level: u32) -> bool {
        matches!(self.table.probe(Live { id: v.0, level: 0 }), Slot::Free { level: l, .. } if l <= level)
    }

    pub(super) fn rigid_name(&mut self, v: Live) -> Name {
        match self.table.probe(v) {
            Slot::Free { rigid: Some(name), .. } => name,
            _ => Name::from("a"),
        }
    }

    /// Returns the first failure of forcing all of a value of this type.
    pub(super) fn failure_in(&mut self, ty: &TyRef) -> Option<Failure> {
        let mut all = Vec::new();
        self.failures(ty, true, &mut all);
        all.into_iter().next()
    }

    /// Returns the failures of forcing all of a value of this type: in object languages up to [`FURTHER_FAULTS`], since another object
    /// may fix the first one; in other languages at most one.
    pub(super) fn failures_in(&mut self, ty: &TyRef) -> Vec<Failure> {
        if !self.rules().extends() {
            return self.failure_in(ty).into_iter().collect();
        }
        let mut all = Vec::new();
        self.failures(ty, false, &mut all);
        // adds the failures that an outer one hides
        let mut at = ty;
        while let Ty::Fails(fault, inner) = &**at {
            all.push(*fault);
            at = inner;
        }
        let mut seen = FxHashSet::default();
        all.retain(|f| seen.insert(f.span));
        all.truncate(super::units::FURTHER_FAULTS);
        all
    }

    /// Collects the failures of forcing all of a value of this type. O(parts that have failures).
    fn failures(&mut self, ty: &TyRef, only_first: bool, out: &mut Vec<Failure>) {
        let mut seen = FxHashSet::default();
        let mut work = vec![ty.clone()];
        let mut held = Vec::new();
        while let Some(t) = work.pop() {
            if only_first && !out.is_empty() {
                return;
            }
            if !(t.marks().fails || t.marks().live > 0) || !seen.insert(t.address()) {
                continue;
            }
            match &*t {
                Ty::Fails(fault, inner) => {
                    out.push(*fault);
                    if fault.deep {
                        work.push(inner.clone());
                    }
                }
                Ty::Live(v) => {
                    if let Slot::Bound(inner, _) = self.table.probe(*v) {
                        work.push(inner);
                    }
                }
                Ty::Record(row) => {
                    let row = self.open_row(row);
                    for (_, f) in row.fields_where(|marks| marks.fails) {
                        if f.presence == Presence::Yes && !f.hidden && f.ty.marks().fails {
                            work.push(f.ty.clone());
                        }
                    }
                }
                Ty::Forall(scheme) => work.push(scheme.ty.clone()),
                Ty::Sibling(_, inner) => work.push(inner.clone()),
                Ty::Enum(tags, _) if tags.len() == 1 => work.extend(tags.values().flatten().cloned()),
                _ => {}
            }
            held.push(t);
        }
    }

    /// Ends inference. Returns the scheme, and the problems with their severities.
    pub(super) fn done(mut self, root: TyRef) -> Inferred {
        if self.interrupts.stopped {
            return self.abandoned(root);
        }
        // a result that is a function need not have a JSON form
        let ty = match &*root {
            Ty::Fails(fault, inner) if fault.deep && matches!(&*self.table.head(inner), Ty::Fun(..)) => inner,
            _ => &root,
        };
        let mut forced = Vec::new();
        self.failures(ty, false, &mut forced);
        for fault in forced {
            let id = fault.id.or_else(|| self.objects.missing_at(fault.span));
            let id = id.filter(|id| (*id as usize) < self.findings.len()).unwrap_or_else(|| {
                let types = TypeProblem { span: fault.span, what: TypesKind::Elsewhere };
                self.findings.add(Found::Here(types), Reported::Always)
            });
            if let Some(f) = self.findings.get_mut(id) {
                f.forced = true;
            }
        }
        if self.rules().is_exact() {
            self.ambiguities(&root);
        } else {
            self.only_the_first();
        }
        self.missed_for_good(ty);
        for (finding, definition) in self.take_declared_conflicts(ty) {
            if let Some(f) = self.findings.get_mut(finding) {
                f.forced = true;
                f.assumes.push(definition);
            }
        }
        self.decide_joins(&root);
        let mut scheme = self.finish(&root);
        scheme.shown = self.shown(&scheme).map(Arc::new);
        self.caches.is_complete = true;
        let findings = self.findings.take();
        // a merge may supply the missing field to all records that evaluation reads
        let extends = self.rules().extends();
        let is_supplied = |f: &Finding| f.assumes.iter().any(|at| self.merges.is_supplied(*at, f.missing_label()));
        let is_suspected = |f: &Finding| {
            f.reported == Reported::IfReached && !f.forced || !extends && !f.always_error && is_supplied(f)
        };
        let (suspected, findings): (Vec<Finding>, Vec<Finding>) = findings.into_iter().partition(is_suspected);
        let suspected = suspected.into_iter().filter_map(|f| self.problem(f)).collect();
        let mut problems: Vec<Problem> = findings.into_iter().filter_map(|f| self.problem(f)).collect();
        without_mixed(&mut problems);
        without_further_instances(&mut problems);
        problems.sort_by_key(|p| p.span().map(|s| (s.source, s.start)));
        problems.dedup();
        if self.rules().is_exact() {
            self.mark_failing(&mut scheme, &problems);
        }
        let nodes = self
            .kept
            .nodes
            .take()
            .map(|nodes| nodes.into_iter().map(|(id, t)| (id, Arc::new(self.finish(&t)))).collect());
        let collected = self.collected();
        Inferred { scheme: Arc::new(without_ids(&scheme)), problems, suspected, collected, nodes }
    }

    /// Returns an unknown type for an inference that was interrupted. Another thread drops the state of the inference, since dropping
    /// it here would delay the answer.
    fn abandoned(self, ty: TyRef) -> Inferred {
        let dead = (ty, self.table, self.caches, self.findings, self.units, self.deferred, self.kept.nodes);
        // if no thread can be started, it is dropped here
        if has_room_for_a_thread() {
            let _ = std::thread::Builder::new().name(String::from("reaper")).spawn(move || drop(dead));
        }
        let scheme = Arc::new(Scheme::mono(Ty::Dyn(DynReason::Library).into()));
        Inferred { scheme, problems: Vec::new(), suspected: Vec::new(), collected: None, nodes: None }
    }

    fn problem(&mut self, f: Finding) -> Option<Problem> {
        let outdated = f.assumes.iter().any(|a| self.merges.is_outdated(*a, f.missing_label()));
        let is_note = matches!(&f.problem, Found::Here(t) if t.code() == PRIORITY_IGNORED);
        let severity = if is_note {
            Severity::Note
        } else if self.rules().is_exact() && !matches!(f.problem, Found::Import(_)) {
            self.exact_severity(&f.problem)
        } else if f.always_error || (f.forced && !outdated) {
            Severity::Error
        } else {
            Severity::Warning
        };
        if f.reported == Reported::Never || f.reported == Reported::IfForced && severity != Severity::Error {
            return None;
        }
        Some(match f.problem {
            Found::Import(problem) => problem,
            Found::Here(mut types) => {
                self.finish_schemes(&mut types.what);
                Problem { severity, kind: types.into() }
            }
        })
    }

    fn finish_schemes(&mut self, what: &mut TypesKind) {
        let mut finish = |s: &mut Arc<Scheme>| {
            let clean = self.without_failures(&s.ty);
            *s = Arc::new(self.finish(&clean));
        };
        match what {
            TypesKind::Conflict(c) => {
                finish(&mut c.found);
                finish(&mut c.expected);
                c.whole.iter_mut().for_each(&mut finish);
                c.also.iter_mut().for_each(|(_, found)| finish(found));
            }
            TypesKind::MissingField { record, .. } => finish(record),
            TypesKind::Mixed { first, other, .. } => {
                finish(&mut first.0);
                finish(other);
            }
            TypesKind::ChangesType { now, was, .. } => {
                finish(now);
                finish(was);
            }
            TypesKind::Infinite { part, whole, .. } => {
                finish(part);
                finish(whole);
            }
            TypesKind::Rigid { ty, .. } => finish(ty),
            TypesKind::NotFunction { found, .. }
            | TypesKind::NotContract { found }
            | TypesKind::NotMergeFunction { found, .. } => finish(found),
            TypesKind::Call { function, .. } | TypesKind::Arguments { function, .. } => finish(function),
            TypesKind::Ambiguous { ty, .. } => finish(ty),
            TypesKind::NoInstance { found, .. } => finish(found),
            TypesKind::ExtraField { .. }
            | TypesKind::UnknownTag { .. }
            | TypesKind::NotCovered { .. }
            | TypesKind::NoMatch { .. }
            | TypesKind::TooLarge { .. }
            | TypesKind::NoDefinition { .. }
            | TypesKind::NoJson { .. }
            | TypesKind::MissingRequiredField { .. }
            | TypesKind::NotInEach { .. }
            | TypesKind::PriorityIgnored { .. }
            | TypesKind::Undefined { .. }
            | TypesKind::NamesItself { .. }
            | TypesKind::ExtendsNothing { .. }
            | TypesKind::FormatCount { .. }
            | TypesKind::Raises
            | TypesKind::RejectedCall { .. }
            | TypesKind::Unbound { .. }
            | TypesKind::Elsewhere => {}
        }
    }

    /// Returns the scheme to show to users: deferred merges are solved as if the caller overrode nothing. `None` if there are
    /// no such merges.
    fn shown(&mut self, scheme: &Scheme) -> Option<Scheme> {
        if !scheme.constraints.iter().any(|c| matches!(c, Constraint::Merge { .. })) {
            return None;
        }
        self.level = 1;
        let from = self.deferred.len();
        let ty = self.instantiate_scheme(scheme);
        for _ in 0..=scheme.constraints.len() {
            let mut progress = false;
            // in the order of the program, so that an operand is solved before the merges that use it
            let mut order: Vec<usize> = (from..self.deferred.len()).collect();
            order.sort_by_key(|i| match self.deferred.open(*i) {
                Some(Constraint::Merge { span, .. }) => Some((span.source, span.start)),
                _ => None,
            });
            for i in order {
                if let Some(Constraint::Merge { left, right, result, span }) = self.deferred.open(i).cloned()
                    && (self.assume(&left, &right, &result, span) || self.assume(&right, &left, &result, span))
                {
                    self.deferred.finish(i);
                    progress = true;
                }
            }
            if !progress {
                break;
            }
        }
        let ty = self.without_failures(&ty);
        self.level = 0;
        Some(self.finish(&ty))
    }

    /// Solves the merge of an open record with a closed one, assuming that the open one has no field of the closed one or has it
    /// with the same type. Returns whether it could.
    fn assume(&mut self, open: &TyRef, known: &TyRef, result: &TyRef, span: Span) -> bool {
        let (o, k) = (self.open_head(open), self.open_head(known));
        let Ty::Record(k) = &*k else { return false };
        let k = self.open_row(k);
        if !matches!(k.tail(), Tail::Closed) {
            return false;
        }
        let given = match &*o {
            Ty::Record(row) => self.open_row(row),
            Ty::Live(_) => Row::new(Tail::Live(self.fresh_tail(VariableKind::Row))),
            _ => return false,
        };
        let Tail::Live(tail) = *given.tail() else { return false };
        let because = UnifyReason::new(span, Why::Merge).unsure();
        let rest = Tail::Live(self.fresh_tail(VariableKind::Row));
        let mut more = Row::new(rest.clone());
        let mut out = given.without(&k);
        out.set_tail(rest);
        for (name, f) in k.fields() {
            let mine = given.get(name).cloned();
            let (theirs, both) = match (&mine, &*self.open_head(&f.ty)) {
                (Some(g), _) => (g.ty.clone(), self.merge(&g.ty.clone(), &f.ty, span)),
                (None, Ty::Record(_)) => {
                    let theirs = self.fresh();
                    let both = self.fresh();
                    let inner = f.ty.clone();
                    if !self.assume(&theirs, &inner, &both, span) { (inner.clone(), inner) } else { (theirs, both) }
                }
                (None, _) => {
                    let ty = self.instantiate(&f.ty);
                    (ty.clone(), ty)
                }
            };
            if mine.is_none() {
                more.insert(
                    name.clone(),
                    Field { presence: Presence::Maybe, need: Need::None, stack: None, ..Field::given(theirs, f.at) },
                );
            }
            out.insert(name.clone(), Field { ty: both, stack: None, ..f.clone() });
        }
        if !matches!(&*o, Ty::Record(_)) {
            let row: TyRef = Ty::Record(given.clone()).into();
            let _ = self.unify(&o, &row, &because);
        }
        let _ = self.bind_tail(tail, Ty::Record(more), &because);
        let _ = self.unify(&Ty::Record(out).into(), result, &because);
        true
    }
}

pub(super) fn same_path(a: &TypeProblem, b: &TypeProblem) -> bool {
    match (&a.what, &b.what) {
        (TypesKind::Conflict(x), TypesKind::Conflict(y)) => x.path == y.path,
        (TypesKind::ChangesType { path: x, .. }, TypesKind::ChangesType { path: y, .. }) => x == y,
        (TypesKind::ExtraField { name: x, .. }, TypesKind::ExtraField { name: y, .. })
        | (TypesKind::MissingField { name: x, .. }, TypesKind::MissingField { name: y, .. }) => x == y,
        _ => true,
    }
}

/// Removes the indices of findings from the failures of a scheme; outside inference, the span identifies a problem.
fn without_ids(scheme: &Scheme) -> Scheme {
    struct Forget(Memo);
    impl Rewrite for Forget {
        fn memo(&mut self) -> Option<&mut Memo> {
            Some(&mut self.0)
        }
        fn skips_marks(&self, marks: Marks) -> bool {
            !marks.fails
        }
        fn skip(&self, ty: &TyRef) -> bool {
            !ty.marks().fails
        }
        fn ty(&mut self, ty: &TyRef) -> TyRef {
            if self.skip(ty) {
                return ty.clone();
            }
            walk::once(
                ty,
                self,
                |forget| &mut forget.0,
                |forget| match &**ty {
                    Ty::Fails(fault, inner) => Ty::Fails(Failure { id: None, ..*fault }, forget.ty(inner)).into(),
                    _ => walk::rebuild(ty, forget),
                },
            )
        }
        fn tail(&mut self, tail: &Tail) -> (Option<TyRef>, Tail) {
            (None, tail.clone())
        }
    }
    let shown = scheme.shown.clone();
    Scheme { shown, ..walk::scheme(scheme, &mut Forget(Memo::default())) }
}

/// Removes the problems of operators and functions that have no instance, of which an operand or the call itself has another one.
fn without_further_instances(problems: &mut Vec<Problem>) {
    let types = |problem: &Problem| match &problem.kind {
        ProblemKind::Types(types) => Some((types.span, matches!(types.what, TypesKind::NoInstance { .. }))),
        _ => None,
    };
    if !problems.iter().filter_map(types).any(|(_, no_instance)| no_instance) {
        return;
    }
    let mut starts: Vec<(SourceId, u32, u32)> = problems
        .iter()
        .filter_map(types)
        .filter(|(_, none)| !none)
        .map(|(at, _)| (at.source, at.start, at.end))
        .collect();
    starts.sort_unstable();
    problems.retain(|problem| {
        let Some((span, true)) = types(problem) else { return true };
        let from = starts.partition_point(|(source, start, _)| (*source, *start) < (span.source, span.start));
        let inside = |(source, start, end): &(SourceId, u32, u32)| {
            *source == span.source && *start <= span.end && *end <= span.end
        };
        !starts.get(from).is_some_and(inside)
    });
}

/// Removes the warnings about mixed elements of which an operation on the elements is reported as an error.
fn without_mixed(problems: &mut Vec<Problem>) {
    let types = |problem: &Problem| match &problem.kind {
        ProblemKind::Types(types) => Some((types.span, matches!(types.what, TypesKind::Mixed { .. }))),
        _ => None,
    };
    let errors = problems.iter().filter(|problem| problem.severity == Severity::Error);
    let failing: FxHashSet<Span> = errors.filter_map(types).filter(|(_, mixed)| !mixed).map(|(span, _)| span).collect();
    problems.retain(|problem| types(problem).is_none_or(|(span, mixed)| !mixed || !failing.contains(&span)));
}
