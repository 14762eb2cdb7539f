//! Turns clashes and other mistakes into findings: one for each place, and certain or not.

use super::Infer;
use super::findings::{Finding, Found, Reported};
use super::finish::same_path;
use super::places::LiteralPlaces;
use super::unify::{Clash, ClashKind, Unified};
use super::why::{ReasonId, UnifyReason, Why};
use crate::problem::Problem;
use crate::problem::types::{Conflict, PRIORITY_IGNORED, TypeProblem, TypesKind};
use crate::term::{Node, Prim};
use crate::text::{Name, Span};
use crate::ty::{Failure, Ty, TyRef};

impl Infer<'_> {
    /// Reports a problem, unless the same one was reported for this place. `certain`: evaluating the current unit runs into it.
    pub(super) fn report(&mut self, span: Span, what: TypesKind, certain: bool) -> Option<Failure> {
        self.report_as(span, what, Reported::Always, certain)
    }

    /// As [`Infer::report`]. `reported`: when the problem is reported.
    fn report_as(&mut self, span: Span, what: TypesKind, reported: Reported, certain: bool) -> Option<Failure> {
        let types = TypeProblem { span, what };
        let same = |f: &Finding| match &f.problem {
            Found::Here(t) => t.span == span && t.code() == types.code() && same_path(t, &types),
            Found::Import(_) => false,
        };
        let index = match self.findings.last_at(span, same) {
            Some(index) => index,
            None => self.findings.add(Found::Here(types), reported),
        };
        Some(self.found(index, span, certain))
    }

    /// Reports a problem that was not reported for this place before.
    pub(super) fn report_only(&mut self, span: Span, what: TypesKind, reported: Reported, certain: bool) -> Failure {
        let index = self.findings.add(Found::Here(TypeProblem { span, what }), reported);
        self.found(index, span, certain)
    }

    /// Adds a finding to the current unit. `certain`: evaluating the unit runs into it.
    fn found(&mut self, index: u32, span: Span, certain: bool) -> Failure {
        let fault = Failure { id: Some(index), span, deep: false };
        self.units.found(index);
        if certain {
            self.fails(fault);
        }
        fault
    }

    /// Reports a problem in an imported file.
    pub(super) fn report_import(&mut self, problem: Problem) {
        let span = problem.span().unwrap_or(self.root_span());
        let id = self.findings.add(Found::Import(problem), Reported::Always);
        self.fails(Failure { id: Some(id), span, deep: false });
    }

    /// Makes a problem an error even if evaluation does not run into it.
    pub(super) fn always_error(&mut self, fault: Failure) {
        if let Some(f) = fault.id.and_then(|id| self.findings.get_mut(id)) {
            f.always_error = true;
        }
    }

    /// Reports a clash, if any, that evaluation may not run into.
    pub(super) fn settle_clash(&mut self, unified: Unified, because: &UnifyReason) {
        if let Err(clash) = unified {
            self.report_clash_in_unit(*clash, because, false);
        }
    }

    /// Reports a clash, if any. Evaluating the current unit runs into it if it is certain and at the head of the type.
    pub(super) fn demand(&mut self, unified: Unified, because: &UnifyReason) {
        if let Err(clash) = unified {
            let certain = clash.certain && !clash.deep && clash.path.is_empty();
            self.report_clash_in_unit(*clash, because, certain);
        }
    }

    /// Like [`Infer::demand`], for one of several operands. Operands that clash in the same way are reported together; `reported` is
    /// the index of that finding.
    pub(super) fn demand_alike(&mut self, unified: Unified, because: &UnifyReason, reported: &mut Option<u32>) {
        let Err(clash) = unified else { return };
        let certain = clash.certain && !clash.deep && clash.path.is_empty();
        if let (ClashKind::Heads { found, .. }, Some(id), true) = (&clash.what, *reported, clash.path.is_empty()) {
            let found = self.mono(&found.clone());
            if let Some(Found::Here(TypeProblem { what: TypesKind::Conflict(c), span })) =
                self.findings.get_mut(id).map(|f| &mut f.problem)
                && c.path.is_empty()
                && c.why == because.why
            {
                if !c.also.iter().any(|(at, _)| *at == because.span) {
                    c.also.push((because.span, found));
                }
                let fault = Failure { id: Some(id), span: *span, deep: false };
                if certain {
                    self.fails(fault);
                }
                return;
            }
        }
        *reported = self.report_clash_in_unit(*clash, because, certain).and_then(|fault| fault.id);
    }

    /// Reports a clash that belongs to a value, not to the current unit.
    pub(super) fn report_clash(&mut self, clash: Clash, because: &UnifyReason) -> Option<Failure> {
        self.report_clash_in_unit(clash, because, false)
    }

    pub(super) fn report_clash_in_unit(
        &mut self,
        clash: Clash,
        because: &UnifyReason,
        certain: bool,
    ) -> Option<Failure> {
        let Clash { what, mut path, deep, .. } = clash;
        if self.rules().extends() && !certain && matches!(what, ClashKind::Infinite { .. }) {
            // values of an object language may contain themselves
            return None;
        }
        let nested = match &what {
            ClashKind::Infinite { whole, .. } => self.may_nest(&whole.clone()),
            _ => false,
        };
        let reported = match nested || !certain && self.is_assumed(&what, &because.why) {
            true => Reported::IfReached,
            false => Reported::Always,
        };
        path.reverse();
        let part = deep || !path.is_empty();
        let (why, wanted) = (because.why.clone(), because.wanted);
        let mut span = because.span;
        let what = match what {
            ClashKind::Heads { mut found, expected, found_by, expected_by } => {
                let is_of_element = match because.why {
                    Why::Contract => self.literals.in_elements(),
                    Why::Annotation | Why::Argument(..) => deep && path.is_empty(),
                    _ => false,
                };
                if is_of_element && let Some(element) = self.element_that_clashes(span, &found, &expected) {
                    (span, found) = (element.span, element.ty);
                    path.extend(element.indices.iter().map(|index| Name::from(format!("[{index}]"))));
                }
                let mut found_by = self.chain(found_by);
                let mut expected_by = self.chain(expected_by);
                if because.why == Why::Merge {
                    let (left, right) = self.merges.operands();
                    if let Some(right) = right {
                        span = right;
                        found_by.clear();
                    }
                    if let Some(left) = left {
                        expected_by = vec![(left, Why::Merge)];
                    }
                }
                if matches!(because.why, Why::Contract | Why::Annotation)
                    && !matches!(*self.table.head(&found), Ty::Fun(..))
                    && let Some(result) = self.result_of_literal(span)
                {
                    span = result;
                }
                let (mut why, mut wanted, mut part) = (why, wanted, part);
                if path.is_empty()
                    && matches!(why, Why::Annotation | Why::Contract | Why::Argument(..))
                    && let Some((branch, ty)) = self.branch_that_clashes(span, &found, &expected)
                {
                    (span, found, part) = (branch, ty, false);
                }
                // a function that is an argument gives the wrong result
                let argument = match &why {
                    Why::Argument(n, function) => Some((wanted, *n, function.clone())),
                    Why::Operand(_) => expected_by.iter().find_map(|(at, why)| match why {
                        Why::Argument(n, function) => Some((Some(*at), *n, function.clone())),
                        _ => None,
                    }),
                    _ => None,
                };
                if let Some((at, n, function)) = argument
                    && !matches!(*self.table.head(&expected), Ty::Fun(..))
                    && let Some(result) = self.result_at(span, &because.whole, &expected)
                {
                    (span, why, wanted, part) = (result, Why::Result(n, function), at, false);
                    expected_by.clear();
                }
                found_by.retain(|(s, _)| *s != span);
                if let (true, Some((at, name))) = (found_by.is_empty(), &because.origin) {
                    found_by.push((*at, Why::Defined(name.clone())));
                }
                expected_by.retain(|(s, _)| *s != span && Some(*s) != wanted);
                TypesKind::Conflict(Box::new(Conflict {
                    found: self.mono(&found),
                    expected: self.mono(&expected),
                    path,
                    whole: because.whole.as_ref().filter(|_| part).map(|whole| self.mono(whole)),
                    why,
                    wanted,
                    found_by,
                    expected_by,
                    also: Vec::new(),
                }))
            }
            ClashKind::Missing { name, record, near, asked } => {
                let read =
                    asked.filter(|place| matches!(why, Why::Argument(..)) && self.literals_by_place().is_read(*place));
                let (why, wanted) = match (&because.origin, wanted) {
                    (Some((at, name)), None) if !self.rules().extends() => (Why::Defined(name.clone()), Some(*at)),
                    _ if read.is_some() => (Why::Read(Name::from(path.join("."))), read),
                    _ => (why, wanted),
                };
                TypesKind::MissingField { record: self.mono(&record), name, near, why, wanted, hidden: None }
            }
            ClashKind::Extra { name, near } => {
                span = self.literals_by_place().name_of_field(span, &name).unwrap_or(span);
                TypesKind::ExtraField { name, why, wanted, near }
            }
            ClashKind::Tag { name, near, allowed } => {
                let of_parameter = matches!(why, Why::Annotation | Why::Contract)
                    && because.whole.clone().is_some_and(|whole| self.is_of_parameter(&whole, &name));
                TypesKind::UnknownTag { of_parameter, name, why, wanted, near: near.into(), allowed: allowed.into() }
            }
            ClashKind::Infinite { part, whole } => {
                TypesKind::Infinite { part: self.mono(&part), whole: self.mono(&whole), why }
            }
            ClashKind::Rigid { var, ty, other } => TypesKind::Rigid { var, ty: self.mono(&ty), other, wanted },
        };
        self.report_as(span, what, reported, certain)
    }

    /// Whether the parameters of an annotated function have a tag.
    fn is_of_parameter(&mut self, annotation: &TyRef, tag: &Name) -> bool {
        let mut at = self.table.head(annotation);
        while let Ty::Fun(parameters, result) = &*at {
            let types: Vec<TyRef> = parameters.iter().map(|parameter| parameter.ty.clone()).collect();
            let has = |ty: &Ty| matches!(ty, Ty::Enum(tags, _) if tags.keys().any(|own| own.name == *tag));
            if types.iter().any(|ty| has(&self.table.head(ty))) {
                return true;
            }
            at = self.table.head(result);
        }
        false
    }

    /// Whether a clash is only with the assumption that the branches of an `if`, or the elements of an array, have one type, or that a
    /// parameter has the type of its default. No language requires that of values whose types are computed. In an object language, a
    /// reason says that there is such an assumption; in others, the value has several types, one of which fits, or may be `null`.
    fn is_assumed(&mut self, what: &ClashKind, why: &Why) -> bool {
        let ClashKind::Heads { found, expected, found_by, expected_by } = what else { return false };
        let reasons = [found_by, expected_by].into_iter().flatten();
        if !self.rules().extends() && !self.rules().is_exact() {
            // an annotation is about all values
            let is_annotated =
                reasons.map(|id| &self.table.reason(*id).why).chain([why]).any(|w| *w == Why::Annotation);
            if is_annotated {
                return false;
            }
            return match &**found {
                Ty::Union(members) => self.has_head(members, expected),
                Ty::Null => *why == Why::Branch,
                _ => false,
            };
        }
        let mut whys = reasons.map(|id| &self.table.reason(*id).why).chain([why]);
        self.rules().extends()
            && !self.rules().converts()
            && whys.any(|why| match why {
                Why::Branch | Why::Element(_) | Why::Default => true,
                // a string has a sum with any value, and what was taken for an object or a number may be one
                Why::Operand(Prim::Plus) => matches!(**found, Ty::String),
                _ => false,
            })
    }

    /// Returns the place of the result of a function literal, if a place is that or, for a function of the type `whole`, that of the
    /// literal, and only the result of the function has the type `expected`.
    fn result_at(&mut self, place: Span, whole: &Option<TyRef>, expected: &TyRef) -> Option<Span> {
        if self.literals_by_place().is_result(place) {
            return Some(place);
        }
        let whole = self.open_head(whole.as_ref()?);
        let Ty::Fun(params, result) = &*whole else { return None };
        let kind = std::mem::discriminant(&*self.table.head(expected));
        let mut is_of = |ty: &TyRef| std::mem::discriminant(&*self.table.head(ty)) == kind;
        let is_only = is_of(result) && !params.iter().any(|param| is_of(&param.ty));
        if is_only { self.result_of_literal(place) } else { None }
    }

    /// Returns the expression that gives the result of the function literal at a place.
    fn result_of_literal(&self, place: Span) -> Option<Span> {
        let mut body = self.literals_by_place().body(place)?;
        while let Node::Let(inner) = self.term.node(body) {
            body = inner.body;
        }
        Some(self.term.span(body))
    }

    /// Returns the literals of the term by their places. O(term) for the first call, then O(1).
    pub(super) fn literals_by_place(&self) -> &LiteralPlaces {
        self.places.get_or_init(|| LiteralPlaces::of(&self.term))
    }

    fn chain(&self, reason: Option<ReasonId>) -> Vec<(Span, Why)> {
        reason.map(|id| self.table.reason(id)).map(|r| (r.span, r.why.clone())).into_iter().collect()
    }

    pub(super) fn report_mixed(&mut self, first: &TyRef, other: &TyRef, because: &UnifyReason) {
        if self.findings.quiet {
            return;
        }
        let first = (self.mono(first), because.wanted.unwrap_or(because.span));
        let (other, part) = (self.mono(other), because.part);
        self.report(because.span, TypesKind::Mixed { why: because.why.clone(), first, other, part }, false);
    }

    pub(super) fn report_change(&mut self, path: &[Name], now: &TyRef, was: &TyRef, at: Span, other: Option<Span>) {
        let (now, was) = (self.mono(now), self.mono(was));
        self.report(at, TypesKind::ChangesType { path: path.to_vec(), now, was, other, when: Vec::new() }, false);
    }

    /// Reports a definition that changes the type of a field where guards hold. Of the types, the new one is first.
    pub(super) fn report_change_when(
        &mut self,
        path: &[Name],
        [now, was]: [&TyRef; 2],
        at: Span,
        other: Option<Span>,
        when: Vec<(Span, bool)>,
    ) -> Option<Failure> {
        let (now, was) = (self.mono(now), self.mono(was));
        let what = TypesKind::ChangesType { path: path.to_vec(), now, was, other, when };
        self.report(at, what, false)
    }

    /// Reports that `+` ignores priorities, once.
    pub(super) fn note_priorities(&mut self, name: &Name, below: Option<Span>, at: Span) {
        let reported = |f: &Finding| matches!(&f.problem, Found::Here(t) if t.code() == PRIORITY_IGNORED);
        if !self.findings.quiet && self.findings.first(reported).is_none() {
            self.report(at, TypesKind::PriorityIgnored { name: name.clone(), below }, false);
        }
    }
}

/// Returns those of `names` that are close to a mistyped one.
pub(super) fn near<'a>(name: &str, names: impl Iterator<Item = &'a Name>) -> Vec<Name> {
    crate::text::near(name, names.map(Name::as_str))
}
