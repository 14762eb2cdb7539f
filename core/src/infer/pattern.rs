//! Infers patterns: the type that each requires of a value, and the types of the variables that it binds.

use super::Infer;
use super::unify::{Clash, ClashKind};
use super::why::{UnifyReason, Why};
use crate::term::{Match, Node, NodeId, PatId, PatKind, Rest, Term};
use crate::text::{Name, Span};
use crate::ty::{DynReason, Field, Need, Presence, Row, Tag, Tail, Ty, TyRef, VariableKind};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// Adds the slots that a pattern binds to `out`.
pub(super) fn slots(term: &Term, pat: PatId, out: &mut Vec<u32>) {
    let mut work = vec![pat];
    while let Some(p) = work.pop() {
        match &term.pat(p).kind {
            PatKind::Any | PatKind::Const(_) | PatKind::Tag(_) => {}
            PatKind::Bind(slot) => out.push(*slot),
            PatKind::As(slot, inner) => {
                out.push(*slot);
                work.push(*inner);
            }
            PatKind::Variant(_, inner) => work.push(*inner),
            PatKind::Record(fields, rest) => {
                work.extend(fields.iter().map(|f| f.pat));
                out.extend(rest_slot(*rest));
            }
            PatKind::Array(items, rest) => {
                work.extend(items);
                out.extend(rest_slot(*rest));
            }
            PatKind::Or(alternatives) => work.extend(alternatives),
        }
    }
}

fn rest_slot(rest: Rest) -> Option<u32> {
    match rest {
        Rest::Bind(slot) => Some(slot),
        Rest::Closed | Rest::Open => None,
    }
}

type Bound = Vec<(u32, TyRef)>;

/// Maximum length of the path to a part that a pattern binds.
const PATH: usize = 8;

impl Infer<'_> {
    /// Binds a pattern to a value that may fail. A name gets the type with its failures.
    pub(super) fn bind_pattern(&mut self, pat: PatId, ty: &TyRef, bound: &mut Bound) {
        self.bind_as(pat, ty, bound, false);
    }

    /// Binds the pattern of a `let`, which is matched when the `let` is evaluated.
    /// `value`: the expression, if nothing converts it.
    pub(super) fn bind_let(&mut self, pat: PatId, ty: &TyRef, at: Span, value: Option<NodeId>, bound: &mut Bound) {
        let term = self.term.clone();
        if matches!(term.pat(pat).kind, PatKind::Bind(_) | PatKind::Any) {
            return self.bind_as(pat, ty, bound, false);
        }
        let ty = self.force(ty);
        // a merge may override the sibling that is matched
        self.assume_siblings_in(&ty);
        let ty = self.instantiate(&ty);
        let known = self.table.head_with(&ty).1;
        let found = self.findings.len();
        let misses = value.filter(|value| self.misses(pat, *value));
        self.uncovered(&[pat], &ty, at, misses.is_some());
        let shape = self.shape(pat, false, bound);
        let because = UnifyReason::new(at, Why::Pattern).wanted(term.pat(pat).span).sure_if(self.is_certain(known));
        if let Err(clash) = self.unify(&ty, &shape, &because) {
            let certain = clash.certain && !clash.deep && self.is_asked(pat, &clash);
            self.report_clash_in_unit(*clash, &because, certain);
        }
        self.close_tags(&[pat], &ty, at);
        if let Some(value) = misses {
            self.does_not_match(found, value, term.pat(pat).span);
        }
        self.solve();
        self.binds_resolved(bound);
    }

    /// Whether matching a pattern runs into a clash. Fields with contracts or defaults do not: they are evaluated later.
    fn is_asked(&self, mut pat: PatId, clash: &Clash) -> bool {
        let mut path = clash.path.iter().rev();
        loop {
            let fields = match &self.term.pat(pat).kind {
                PatKind::As(_, inner) => {
                    pat = *inner;
                    continue;
                }
                PatKind::Record(fields, _) => fields,
                PatKind::Any | PatKind::Bind(_) | PatKind::Or(_) => return false,
                _ => return path.next().is_none(),
            };
            let Some(name) = path.next() else {
                return match &clash.what {
                    ClashKind::Missing { name, .. } => {
                        fields.iter().any(|f| f.name == *name && f.default.is_none() && f.annots.is_empty())
                    }
                    _ => true,
                };
            };
            match fields.iter().find(|f| f.name == *name) {
                Some(f) if f.default.is_none() && f.annots.is_empty() => pat = f.pat,
                _ => return false,
            }
        }
    }

    /// Binds the pattern of a parameter. A call with an argument that does not match is certain to fail.
    pub(super) fn bind_parameter(&mut self, pat: PatId, ty: &TyRef, bound: &mut Bound) {
        self.bind_as(pat, ty, bound, true);
    }

    /// Returns the fields that a pattern requires, each with whether matching the pattern inspects its value. The contract
    /// of a variable is checked only when the variable is evaluated.
    pub(super) fn fields_asked_by(&self, pat: PatId) -> Vec<(Name, bool)> {
        match &self.term.pat(pat).kind {
            PatKind::As(_, inner) => self.fields_asked_by(*inner),
            PatKind::Record(fields, _) => {
                let required = fields.iter().filter(|f| f.default.is_none());
                let inspects = |pat| !matches!(self.term.pat(pat).kind, PatKind::Bind(_) | PatKind::Any);
                required.map(|f| (f.name.clone(), f.annots.is_empty() || inspects(f.pat))).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Returns the slots that a pattern binds to parts of the value, each with the path to its part. Fields with a default are
    /// left out: their values may come from elsewhere.
    pub(super) fn parts_bound_by(&self, pat: PatId) -> Vec<(u32, Vec<Name>)> {
        let mut out = Vec::new();
        let mut work = vec![(pat, Vec::new())];
        while let Some((pat, path)) = work.pop() {
            match &self.term.pat(pat).kind {
                PatKind::Bind(slot) => out.push((*slot, path)),
                PatKind::As(slot, inner) => {
                    out.push((*slot, path.clone()));
                    work.push((*inner, path));
                }
                PatKind::Record(fields, _) if path.len() < PATH => {
                    for f in fields.iter().filter(|f| f.default.is_none()) {
                        let mut path = path.clone();
                        path.push(f.name.clone());
                        work.push((f.pat, path));
                    }
                }
                _ => {}
            }
        }
        out
    }

    fn bind_as(&mut self, pat: PatId, ty: &TyRef, bound: &mut Bound, certain: bool) {
        let term = self.term.clone();
        match term.pat(pat).kind {
            PatKind::Bind(slot) => bound.push((slot, ty.clone())),
            PatKind::Any => {}
            // the match has compared its patterns with the value
            PatKind::Tag(_) | PatKind::Const(_) if !certain => {}
            PatKind::Variant(ref name, inner) if !certain && let Some(argument) = self.argument_of(ty, name) => {
                super::deep(|| self.bind_as(inner, &argument, bound, certain));
            }
            _ => {
                let ty = self.without_outer_failures(ty);
                let ty = self.instantiate(&ty);
                let at = term.pat(pat).span;
                // a match checks the coverage of all its arms together
                if certain {
                    self.uncovered(&[pat], &ty, at, false);
                }
                let shape = self.shape(pat, false, bound);
                let because = UnifyReason::new(at, Why::Pattern).sure_if(certain);
                let unified = self.unify(&ty, &shape, &because);
                self.settle_clash(unified, &because);
                if certain {
                    self.close_tags(&[pat], &ty, at);
                }
                self.solve();
                self.binds_resolved(bound);
            }
        }
    }

    fn binds_resolved(&mut self, bound: &mut Bound) {
        for (_, ty) in bound {
            let (head, by) = self.table.head_with(ty);
            // a default is not certain to be the value: the variable keeps the reason for its type
            if self.is_certain(by) {
                *ty = head;
            }
        }
    }

    /// Unifies the scrutinee with the patterns of all arms. Unless an arm takes any value, other tags are excluded. Reports and
    /// returns the patterns that cannot match.
    pub(super) fn match_patterns(&mut self, m: &Match, scrutinee: &TyRef, span: Span) -> Vec<PatId> {
        let mut never = Vec::new();
        let term = self.term.clone();
        let found = self.findings.len();
        let scrutinee = &self.with_tags_of_siblings(scrutinee, span);
        let catches_all = m.arms.iter().any(|a| a.guard.is_none() && irrefutable(&term, a.pat));
        let several = m.arms.len() > 1;
        let hopeless = self.is_hopeless(m, scrutinee);
        // without a catch-all arm, each irrefutable pattern has a guard, so that it covers no value for certain
        let covering: Vec<PatId> = m.arms.iter().map(|a| a.pat).filter(|pat| !irrefutable(&term, *pat)).collect();
        if !catches_all {
            self.uncovered(&covering, scrutinee, span, hopeless);
        }
        let at_once = self.unify_tags_of(m, scrutinee, span);
        for arm in &m.arms {
            if matches!(term.pat(arm.pat).kind, PatKind::Any | PatKind::Bind(_)) {
                continue;
            }
            if at_once.contains(&arm.pat) {
                continue;
            }
            let mut unused = Vec::new();
            // slots are bound when the arm is inferred; only the shape matters here
            self.scopes.open(Vec::new());
            let shape = self.shape(arm.pat, several, &mut unused);
            self.scopes.close();
            if catches_all && !matches!(&*self.table.head(&shape), Ty::Enum(..) | Ty::Record(_)) {
                continue;
            }
            let because = UnifyReason::new(span, Why::Pattern).wanted(term.pat(arm.pat).span).unsure();
            if let Err(clash) = self.unify(scrutinee, &shape, &because) {
                self.report_clash_in_unit(*clash, &because, hopeless);
                never.push(arm.pat);
            }
        }
        if !catches_all {
            self.close_tags(&covering, scrutinee, span);
        }
        if hopeless && let (Some(first), Some(last)) = (m.arms.first(), m.arms.last()) {
            let (first, last) = (term.pat(first.pat).span, term.pat(last.pat).span);
            let value = self.narrowing.argument(m.scrutinee);
            self.does_not_match(found, value, Span { end: last.end, ..first });
        }
        self.solve();
        never
    }

    /// Returns the type of a scrutinee. If a record in it has tags that were read from siblings, the match reads them: a merge that
    /// overrides a sibling by another tag checks that tag too.
    fn with_tags_of_siblings(&mut self, scrutinee: &TyRef, at: Span) -> TyRef {
        let head = self.table.head(scrutinee);
        let marks = head.marks();
        if self.rules().extends() || !marks.sibling || !marks.forall || !matches!(*head, Ty::Record(_)) {
            return scrutinee.clone();
        }
        let ty = self.monomorphic(&head);
        self.read_tags_in(&ty, PATH, at);
        ty
    }

    fn read_tags_in(&mut self, ty: &TyRef, depth: usize, at: Span) {
        let Some(below) = depth.checked_sub(1).filter(|_| ty.marks().sibling) else { return };
        let head = self.table.head(ty);
        match (&**ty, &*head) {
            (Ty::Sibling(sibling, _), Ty::Enum(..)) if sibling.path.is_empty() => {
                self.merges.read_tag(sibling.at, head.clone(), at);
            }
            (_, Ty::Record(row)) => {
                let parts: Vec<TyRef> = row.fields().map(|(_, f)| f.ty.clone()).collect();
                parts.iter().for_each(|part| self.read_tags_in(part, below, at));
            }
            _ => {}
        }
    }

    /// Unifies the scrutinee with the tags of the arms at once, so that n arms do not make n types of up to n tags. Returns the
    /// patterns for which it did.
    fn unify_tags_of(&mut self, m: &Match, scrutinee: &TyRef, span: Span) -> FxHashSet<PatId> {
        let term = self.term.clone();
        let known = match &*self.table.head(scrutinee) {
            Ty::Enum(known, tail) => Some(self.open_tags(known, tail)),
            Ty::Live(v) if !self.is_rigid(*v) => None,
            _ => return FxHashSet::default(),
        };
        let open = known.as_ref().is_none_or(|(_, tail)| matches!(tail, Tail::Live(v) if !self.is_rigid(*v)));
        let several = m.arms.len() > 1;
        let mut tags = BTreeMap::new();
        let mut done = FxHashSet::default();
        for arm in &m.arms {
            let (tag, inner) = match &term.pat(arm.pat).kind {
                PatKind::Tag(name) => (Tag::plain(name.clone()), None),
                PatKind::Variant(name, inner) => (Tag::variant(name.clone()), Some(*inner)),
                _ => continue,
            };
            let takes = open || known.as_ref().is_some_and(|(known, _)| known.contains_key(&tag));
            // tags that the value lacks and further arms of one variant are unified one by one, so that the clash names the arm
            if !takes || tags.contains_key(&tag) {
                continue;
            }
            self.scopes.open(Vec::new());
            let argument = inner.map(|inner| self.shape(inner, several, &mut Vec::new()));
            self.scopes.close();
            tags.insert(tag, argument);
            done.insert(arm.pat);
        }
        if tags.is_empty() {
            return done;
        }
        let tail = Tail::Live(self.fresh_tail(VariableKind::Tags));
        let because = UnifyReason::new(span, Why::Pattern).unsure();
        match self.unify(scrutinee, &Ty::Enum(tags, tail).into(), &because) {
            Ok(()) => done,
            // the caller then unifies the patterns one by one, to find the arm that clashes
            Err(_) => FxHashSet::default(),
        }
    }

    /// Returns the type of the argument of a variant. O(parts of the row), without a copy of the tags.
    fn argument_of(&mut self, ty: &TyRef, name: &Name) -> Option<TyRef> {
        let tag = Tag::variant(name.clone());
        let mut at = self.table.head(ty);
        loop {
            let Ty::Enum(tags, tail) = &*at.clone() else { return None };
            if let Some(argument) = tags.get(&tag) {
                return argument.clone();
            }
            let Tail::Live(v) = tail else { return None };
            let super::table::Slot::Bound(rest, _) = self.table.probe(*v) else { return None };
            at = self.table.head(&rest);
        }
    }

    /// Whether it is certain that no arm of a match takes the value.
    fn is_hopeless(&mut self, m: &Match, scrutinee: &TyRef) -> bool {
        let (head, by) = self.table.head_with(scrutinee);
        let value = self.narrowing.argument(m.scrutinee);
        let literal = self.literals.contains(self.term.span(value));
        let by_type = self.is_certain(by) && m.arms.iter().all(|arm| !self.may_take(arm.pat, &head, literal));
        by_type || m.arms.iter().all(|arm| self.misses(arm.pat, value))
    }

    fn may_take(&self, pat: PatId, head: &Ty, literal: bool) -> bool {
        let own = match &self.term.pat(pat).kind {
            PatKind::Any | PatKind::Bind(_) => return true,
            PatKind::As(_, inner) => return self.may_take(*inner, head, literal),
            PatKind::Or(alternatives) => return alternatives.iter().any(|pat| self.may_take(*pat, head, literal)),
            PatKind::Const(node) => match self.term.node(*node) {
                Node::Null => matches!(head, Ty::Null),
                Node::Bool(_) => matches!(head, Ty::Bool),
                Node::Number(_) => matches!(head, Ty::Number | Ty::Int | Ty::Float),
                _ => matches!(head, Ty::String),
            },
            PatKind::Tag(name) => match head {
                Ty::Enum(tags, _) => !literal || tags.contains_key(&Tag::plain(name.clone())),
                _ => false,
            },
            PatKind::Variant(name, _) => match head {
                Ty::Enum(tags, _) => !literal || tags.contains_key(&Tag::variant(name.clone())),
                _ => false,
            },
            PatKind::Record(..) => matches!(head, Ty::Record(_) | Ty::Map(..)),
            PatKind::Array(..) => matches!(head, Ty::Array(_)),
        };
        let known = matches!(
            head,
            Ty::Null
                | Ty::Bool
                | Ty::Number
                | Ty::Int
                | Ty::Float
                | Ty::String
                | Ty::Enum(..)
                | Ty::Array(_)
                | Ty::Fun(..)
                | Ty::Record(_)
        );
        own || !known
    }

    /// Returns the type of the values that a pattern matches. With `several`, it is one of several patterns, which need not have
    /// the same fields.
    fn shape(&mut self, pat: PatId, several: bool, bound: &mut Bound) -> TyRef {
        super::deep(|| self.shape_here(pat, several, bound))
    }

    fn shape_here(&mut self, pat: PatId, several: bool, bound: &mut Bound) -> TyRef {
        let term = self.term.clone();
        let span = term.pat(pat).span;
        match &term.pat(pat).kind {
            PatKind::Any => self.fresh(),
            PatKind::Bind(slot) => {
                let ty = self.fresh();
                bound.push((*slot, ty.clone()));
                ty
            }
            PatKind::As(slot, inner) => {
                let ty = self.shape(*inner, several, bound);
                bound.push((*slot, ty.clone()));
                ty
            }
            PatKind::Const(node) => match term.node(*node) {
                Node::Null => Ty::Null.into(),
                Node::Bool(_) => Ty::Bool.into(),
                Node::Number(_) => Ty::Number.into(),
                Node::Str(_) => Ty::String.into(),
                _ => self.fresh(),
            },
            PatKind::Tag(name) => {
                let tail = Tail::Live(self.fresh_tail(VariableKind::Tags));
                Ty::Enum(BTreeMap::from([(Tag::plain(name.clone()), None)]), tail).into()
            }
            PatKind::Variant(name, inner) => {
                let inner = self.shape(*inner, several, bound);
                let tail = Tail::Live(self.fresh_tail(VariableKind::Tags));
                Ty::Enum(BTreeMap::from([(Tag::variant(name.clone()), Some(inner))]), tail).into()
            }
            PatKind::Record(fields, rest) => {
                let tail = match rest {
                    Rest::Closed if !several => Tail::Closed,
                    _ => Tail::Live(self.fresh_tail(VariableKind::Row)),
                };
                if let Rest::Bind(slot) = rest {
                    bound.push((*slot, Ty::Record(Row::new(tail.clone())).into()));
                }
                let mut row = Row::new(tail);
                for f in fields {
                    let mut ty = self.shape(f.pat, false, bound);
                    for annot in &f.annots {
                        let wanted = self.contract(annot.ty);
                        ty = self.under_contract(&ty, &wanted, f.span, term.span(annot.ty), &[]);
                    }
                    if let Some(default) = f.default {
                        let given = self.lazily(default);
                        // `null` marks a missing value: a value that is given is of another type
                        let given = match &*self.table.head(&given) {
                            Ty::Null if f.annots.is_empty() => Ty::Dyn(DynReason::Tested(term.span(default))).into(),
                            _ => given,
                        };
                        let because = UnifyReason::new(term.span(default), Why::Default).unsure();
                        let unified = self.unify(&given, &ty, &because);
                        self.settle_clash(unified, &because);
                    }
                    let presence = if f.default.is_some() || several { Presence::Maybe } else { Presence::Yes };
                    let field = Field { presence, need: Need::None, ..Field::given(ty, Some(f.span)) };
                    row.insert(f.name.clone(), field);
                }
                Ty::Record(row).into()
            }
            PatKind::Array(items, rest) => {
                let mut shapes = Vec::with_capacity(items.len());
                for p in items {
                    shapes.push((p, self.shape(*p, several, bound)));
                }
                // the type of the first element: a variable for it would be bound to all of its parts
                let mut shapes = shapes.into_iter();
                let item = shapes.next().map_or_else(|| self.fresh(), |(_, shape)| shape);
                let array: TyRef = Ty::Array(item.clone()).into();
                if let Rest::Bind(slot) = rest {
                    bound.push((*slot, array.clone()));
                }
                for (p, shape) in shapes {
                    let because = UnifyReason::new(term.pat(*p).span, Why::Pattern).unsure();
                    let unified = self.unify(&shape, &item, &because);
                    self.settle_clash(unified, &because);
                }
                array
            }
            PatKind::Or(alternatives) => {
                let mut first: Option<TyRef> = None;
                let from = bound.len();
                // the plain tags are one type, so that n of them do not make n types of up to n tags
                let plain = alternatives.iter().filter_map(|p| match &term.pat(*p).kind {
                    PatKind::Tag(name) => Some((Tag::plain(name.clone()), None)),
                    _ => None,
                });
                let mut tags: BTreeMap<Tag, Option<TyRef>> = plain.collect();
                for p in alternatives {
                    let is_tag = matches!(term.pat(*p).kind, PatKind::Tag(_));
                    if is_tag && tags.is_empty() {
                        continue;
                    }
                    let mut here = Vec::new();
                    let shape = match is_tag {
                        true => {
                            let tail = Tail::Live(self.fresh_tail(VariableKind::Tags));
                            Ty::Enum(std::mem::take(&mut tags), tail).into()
                        }
                        false => self.shape(*p, several, &mut here),
                    };
                    let because = UnifyReason::new(span, Why::Pattern).unsure();
                    for (slot, ty) in here {
                        match bound.iter().skip(from).find(|(s, _)| *s == slot).cloned() {
                            Some((_, before)) => {
                                let unified = self.unify(&ty, &before, &because);
                                self.settle_clash(unified, &because);
                            }
                            None => bound.push((slot, ty)),
                        }
                    }
                    match &first {
                        Some(before) => {
                            let before = before.clone();
                            let unified = self.unify(&shape, &before, &because);
                            self.settle_clash(unified, &because);
                        }
                        None => first = Some(shape),
                    }
                }
                first.unwrap_or_else(|| self.fresh())
            }
        }
    }
}

fn irrefutable(term: &Term, pat: PatId) -> bool {
    match &term.pat(pat).kind {
        PatKind::Any | PatKind::Bind(_) => true,
        PatKind::As(_, inner) => irrefutable(term, *inner),
        PatKind::Or(alternatives) => alternatives.iter().any(|p| irrefutable(term, *p)),
        _ => false,
    }
}
