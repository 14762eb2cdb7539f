//! Joins the types of array elements and of branches: types with the same head are joined inside, others become a union.

use super::siblings::JoinedSiblings;
use super::why::UnifyReason;
use super::{Infer, merge};
use crate::text::Span;
use crate::ty::{Constraint, DynReason, Field, Live, Need, Param, Presence, Row, Tag, Tail, Ty, TyRef};
use std::collections::BTreeMap;

impl Infer<'_> {
    /// Returns the type of a value that has one of two types. Distinct heads become a union, with a warning.
    pub(super) fn join(&mut self, a: &TyRef, b: &TyRef, because: &UnifyReason) -> TyRef {
        if (a.marks().sibling || b.marks().sibling) && !self.rules().extends() {
            let mut siblings = JoinedSiblings::default();
            let (a, b) = (self.take_siblings(a, &mut siblings), self.take_siblings(b, &mut siblings));
            let joined = self.join_inside(&a, &b, because);
            return siblings.around(joined);
        }
        self.join_inside(a, b, because)
    }

    fn join_inside(&mut self, a: &TyRef, b: &TyRef, because: &UnifyReason) -> TyRef {
        let (x, y) = (self.table.head(a), self.table.head(b));
        if x.same(&y) {
            return x;
        }
        let plain = |t: &TyRef| t.is_closed() && !t.marks().fails && !matches!(**t, Ty::Null | Ty::Number | Ty::String);
        if !(plain(&x) && plain(&y)) {
            return self.deeper(|infer| infer.join_heads(x, y, because));
        }
        // a part is shared if it has more holders than its place in the type and `x` or `y`
        if !(x.holders() > 2 || y.holders() > 2) || is_small(&x) && is_small(&y) {
            return self.deeper(|infer| infer.join_heads(x, y, because));
        }
        if let Some(done) = self.caches.joined.get(&x, &y) {
            return done.clone();
        }
        let before = self.findings.len();
        let done = self.deeper(|infer| infer.join_heads(x.clone(), y.clone(), because));
        if self.findings.len() == before {
            self.caches.joined.insert(&x, &y, done.clone());
        }
        done
    }

    /// Like [`Infer::join`], without a warning about distinct heads.
    pub(super) fn join_quietly(&mut self, a: &TyRef, b: &TyRef, because: &UnifyReason) -> TyRef {
        let before = std::mem::replace(&mut self.findings.quiet, true);
        let joined = self.join(a, b, because);
        self.findings.quiet = before;
        joined
    }

    fn join_heads(&mut self, x: TyRef, y: TyRef, because: &UnifyReason) -> TyRef {
        match (&*x, &*y) {
            (Ty::Live(_), _) | (_, Ty::Live(_)) if self.is_derived(&x) || self.is_derived(&y) => {
                self.defer_join(&x, &y, because.span)
            }
            // a branch, an element and a step may each have a type of its own
            (Ty::Live(_), Ty::Live(_)) if self.may_differ(&x) && self.may_differ(&y) => {
                self.defer_join(&x, &y, because.span)
            }
            // a caller chooses which further fields a record has
            (Ty::Live(_), Ty::Record(_)) | (Ty::Record(_), Ty::Live(_)) | (Ty::Record(_), Ty::Record(_))
                if self.is_chosen_apart(&x, &y) =>
            {
                self.defer_chosen(x, y, because.span)
            }
            // or a type and a merge with it, or two merges
            (Ty::Live(v), Ty::Live(w))
                if self.is_merged(*v) && (self.is_chosen(&y) || self.is_merged_apart(*w))
                    || self.is_merged(*w) && self.is_chosen(&x) =>
            {
                self.defer_chosen(x, y, because.span)
            }
            // a value that may be `null` is not always `null`
            (Ty::Live(v), Ty::Null) | (Ty::Null, Ty::Live(v)) if self.has_chosen() && !self.is_rigid(*v) => {
                let joined = self.defer_chosen(x, y, because.span);
                // nor is it always the type of a further branch
                self.needed(&joined);
                joined
            }
            // an unknown contract beside a known one stays unknown: `[Number, C]` does not make `C` a contract for numbers
            (Ty::Live(_), Ty::Contract(_)) | (Ty::Contract(_), Ty::Live(_)) => {
                let unknown: TyRef = Ty::Contract(self.fresh()).into();
                let any = if matches!(&*x, Ty::Live(_)) { &x } else { &y };
                let unified = self.unify(any, &unknown, &because.clone().unsure());
                self.settle_clash(unified, because);
                Ty::Contract(Ty::Dyn(DynReason::Contract(because.span)).into()).into()
            }
            (Ty::Live(_), Ty::Record(_)) if self.rules().extends() && !self.is_open(&x) => {
                self.join_unknown(&x, &y, because)
            }
            (Ty::Record(_), Ty::Live(_)) if self.rules().extends() && !self.is_open(&y) => {
                self.join_unknown(&y, &x, because)
            }
            (Ty::Live(_), _) | (_, Ty::Live(_)) => {
                let unified = self.unify(&y, &x, &because.clone().unsure());
                self.settle_clash(unified, because);
                x
            }
            (Ty::Bottom, _) => y,
            (_, Ty::Bottom) | (Ty::Dyn(_), _) => x,
            (_, Ty::Dyn(_)) => y,
            (Ty::Forall(_), _) | (_, Ty::Forall(_)) => {
                let (a, b) = (self.instantiate(&x), self.instantiate(&y));
                self.join(&a, &b, because)
            }
            (Ty::Library(_), _) | (_, Ty::Library(_)) => {
                let (a, b) = (self.open_head(&x), self.open_head(&y));
                if matches!(&*a, Ty::Library(_)) || matches!(&*b, Ty::Library(_)) {
                    return a;
                }
                self.join(&a, &b, because)
            }
            (Ty::Error(s), Ty::Error(t)) => Ty::Error(self.join(s, t, because)).into(),
            // an `error` has the type of the other side
            (Ty::Error(_), _) => y,
            (_, Ty::Error(_)) => x,
            (Ty::Array(s), Ty::Array(t)) => Ty::Array(self.join(s, t, because)).into(),
            // different contracts are in one array on purpose: `any_of [Number, String]`
            (Ty::Contract(s), Ty::Contract(t)) => {
                let is_free = |infer: &mut Self, ty: &TyRef| matches!(&*infer.table.head(ty), Ty::Live(_));
                if !s.same(t) && (is_free(self, s) || is_free(self, t)) {
                    return Ty::Contract(Ty::Dyn(DynReason::Contract(because.span)).into()).into();
                }
                let joined = self.join_quietly(s, t, because);
                Ty::Contract(joined).into()
            }
            (Ty::Contract(_), Ty::Record(_) | Ty::Fun(..)) | (Ty::Record(_) | Ty::Fun(..), Ty::Contract(_)) => {
                Ty::Contract(Ty::Dyn(DynReason::Library).into()).into()
            }
            (Ty::Record(r), Ty::Record(s)) => self.join_rows(r, s, because),
            (Ty::Enum(s, t), Ty::Enum(u, v)) => {
                let (mut tags, tail) = self.open_tags(s, t);
                let (more, rest_tail) = self.open_tags(u, v);
                if matches!(tail, Tail::Closed) && matches!(rest_tail, Tail::Closed) {
                    for (name, arg) in more {
                        match (tags.get(&name).cloned(), arg) {
                            (Some(Some(a)), Some(b)) => {
                                let joined = self.join(&a, &b, because);
                                tags.insert(name, Some(joined));
                            }
                            (None, arg) => {
                                tags.insert(name, arg);
                            }
                            _ => {}
                        }
                    }
                    return Ty::Enum(tags, Tail::Closed).into();
                }
                let apart = self.join_arguments(&tags, &more, because);
                if apart.is_empty() {
                    let unified = self.unify(&y, &x, &because.clone().unsure());
                    self.settle_clash(unified, because);
                    return x;
                }
                // the other tags and the tails are shared
                let rest = |all: BTreeMap<Tag, Option<TyRef>>, tail: Tail| -> TyRef {
                    let all = all.into_iter().filter(|(tag, _)| !apart.contains_key(tag)).collect();
                    Ty::Enum(all, tail).into()
                };
                let (a, b) = (rest(tags, tail), rest(more, rest_tail));
                let unified = self.unify(&b, &a, &because.clone().unsure());
                self.settle_clash(unified, because);
                match &*a {
                    Ty::Enum(tags, tail) => {
                        let (mut all, tail) = self.open_tags(tags, tail);
                        all.extend(apart.into_iter().map(|(tag, argument)| (tag, Some(argument))));
                        Ty::Enum(all, tail).into()
                    }
                    _ => x,
                }
            }
            (Ty::Fun(ps, r), Ty::Fun(qs, s)) if ps.len() == qs.len() => {
                let mut params = Vec::with_capacity(ps.len());
                for (p, q) in ps.iter().zip(qs) {
                    let unified = self.unify(&q.ty, &p.ty, &because.clone().unsure());
                    self.settle_clash(unified, because);
                    params.push(Param { demand: Default::default(), ..p.clone() });
                }
                // a caller that calls both in turn needs one type of the results; they may differ where there are several callers
                self.deferred.joined_functions += 1;
                let result = match self.has_chosen() {
                    true => self.join_quietly(r, s, because),
                    false => self.join(r, s, because),
                };
                self.deferred.joined_functions -= 1;
                Ty::Fun(params, result).into()
            }
            (Ty::Union(ts), _) => self.join_union(ts, &y, because),
            (_, Ty::Union(ts)) => self.join_union(ts, &x, because),
            (a, b) if std::mem::discriminant(a) == std::mem::discriminant(b) => x,
            _ => {
                self.report_mixed(&x, &y, because);
                merge::union(vec![x, y])
            }
        }
    }

    /// Joins the arguments of the tags that two enums share, if the arguments are known and differ. Arguments that are not known, or
    /// are equal, are left out.
    fn join_arguments(
        &mut self,
        tags: &BTreeMap<Tag, Option<TyRef>>,
        more: &BTreeMap<Tag, Option<TyRef>>,
        because: &UnifyReason,
    ) -> BTreeMap<Tag, TyRef> {
        let mut joined = BTreeMap::new();
        if self.rules().extends() {
            return joined;
        }
        for (tag, argument) in tags {
            let (Some(a), Some(Some(b))) = (argument, more.get(tag)) else { continue };
            let (a, b) = (self.without_failures(a), self.without_failures(b));
            let (x, y) = (self.open_head(&a), self.open_head(&b));
            let is_apart = match (&*x, &*y) {
                (Ty::Live(_), _) | (_, Ty::Live(_)) => false,
                (Ty::Record(_), Ty::Record(_)) => x.is_closed() && y.is_closed() && x != y,
                (x, y) => std::mem::discriminant(x) != std::mem::discriminant(y),
            };
            if is_apart {
                let argument = self.join(&a, &b, because);
                joined.insert(tag.clone(), argument);
            }
        }
        joined
    }

    /// Records that the callers of a function choose a type.
    pub(super) fn choose(&mut self, ty: &Ty) {
        if let Ty::Live(v) = ty
            && self.has_chosen()
        {
            self.table.choose(*v);
        }
    }

    /// Like [`Infer::choose`], for the parts of a type.
    pub(super) fn choose_parts(&mut self, ty: &Ty) {
        match ty {
            Ty::Array(item) => self.choose(item),
            Ty::Record(row) => {
                row.fields().for_each(|(_, field)| self.choose(&field.ty));
                self.choose_end(row.tail());
            }
            Ty::Enum(tags, tail) => {
                tags.values().flatten().for_each(|argument| self.choose(argument));
                self.choose_end(tail);
            }
            _ => {}
        }
    }

    fn choose_end(&mut self, tail: &Tail) {
        match tail {
            Tail::Live(v) if self.has_chosen() => self.table.choose(*v),
            Tail::Dict(item) => self.choose(item),
            _ => {}
        }
    }

    fn has_chosen(&self) -> bool {
        !self.rules().extends() && !self.rules().is_exact() && !self.contracts.checked
    }

    /// Returns the variable that decides a type, or the further fields of a record.
    pub(super) fn end(&mut self, ty: &Ty) -> Option<Live> {
        match ty {
            Ty::Live(v) => Some(*v),
            Ty::Record(row) => match self.open_row(row).tail() {
                Tail::Live(v) => Some(*v),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether a caller chooses a type, or the further fields of a record.
    pub(super) fn is_chosen(&mut self, ty: &Ty) -> bool {
        self.has_chosen() && self.end(ty).is_some_and(|v| self.table.is_chosen(v))
    }

    /// Whether a variable is the type of a merge that was not solved at once.
    pub(super) fn is_merged(&mut self, v: Live) -> bool {
        self.deferred.is_merged(self.table.root(v))
    }

    /// Whether a variable is the type of such a merge, and may have fields that the types that it is joined with lack.
    fn is_merged_apart(&mut self, v: Live) -> bool {
        self.deferred.joined_functions == 0 && self.is_merged(v)
    }

    /// Returns the join of two types, one of which a caller chooses or is not known, and defers it.
    fn defer_chosen(&mut self, left: TyRef, right: TyRef, span: Span) -> TyRef {
        let result = self.fresh();
        if self.is_chosen(&left) || self.is_chosen(&right) {
            self.choose(&result);
        }
        if let (Ty::Live(v), Ty::Live(_), Ty::Live(_)) = (&*result, &*left, &*right) {
            self.deferred.add_join(*v, [left.clone(), right.clone()]);
        }
        self.constrain(Constraint::Join { left, right, result: result.clone(), span });
        result
    }

    /// Whether a caller chooses the fields of one of two records, or merges it with others, and the other one has others.
    fn is_chosen_apart(&mut self, x: &TyRef, y: &TyRef) -> bool {
        if !self.has_chosen() {
            return false;
        }
        let ends = [x, y].map(|ty| self.end(ty));
        let one = matches!(ends, [Some(a), Some(b)] if self.table.root(a) == self.table.root(b));
        !one && ends.into_iter().flatten().any(|v| self.table.is_chosen(v) || self.is_merged_apart(v))
    }

    /// Whether a caller chooses a type, independently of the types that it is joined with.
    fn may_differ(&mut self, ty: &Ty) -> bool {
        let Ty::Live(v) = ty else { return false };
        self.rules().extends() && !self.rules().converts() && !self.is_open(ty) && !self.is_rigid(*v)
    }

    /// Joins a type that a caller chooses with an object: the caller may choose any of its fields, and others.
    fn join_unknown(&mut self, unknown: &TyRef, object: &TyRef, because: &UnifyReason) -> TyRef {
        let clean = self.without_failures(object);
        let chosen = self.chosen(&clean, 4);
        if self.unify(&chosen, unknown, &because.clone().unsure()).is_err() {
            return Ty::Dyn(DynReason::Tested(because.span)).into();
        }
        self.join_quietly(&clean, unknown, because)
    }

    fn join_union(&mut self, members: &[TyRef], other: &TyRef, because: &UnifyReason) -> TyRef {
        let mut members = members.to_vec();
        let others = match &**other {
            Ty::Union(ts) => ts.clone(),
            _ => vec![other.clone()],
        };
        for o in others {
            let same = |m: &TyRef| std::mem::discriminant(&**m) == std::mem::discriminant(&*o);
            match members.iter().position(same) {
                Some(i) => members[i] = self.join(&members[i].clone(), &o, because),
                None => {
                    let is_labelled = |m: &&TyRef| {
                        let labelled = because.first.as_ref();
                        labelled.is_some_and(|ty| std::mem::discriminant(&***m) == std::mem::discriminant(&**ty))
                    };
                    if let Some(first) = members.iter().find(is_labelled).or(members.first()).cloned() {
                        self.report_mixed(&first, &o, because);
                    }
                    members.push(o);
                }
            }
        }
        merge::union(members)
    }

    fn join_rows(&mut self, r: &Row, s: &Row, because: &UnifyReason) -> TyRef {
        let because = &UnifyReason { part: true, ..because.clone() };
        let (r, s) = (self.open_row(r), self.open_row(s));
        let (r_open, s_open) = (matches!(r.tail(), Tail::Live(_)), matches!(s.tail(), Tail::Live(_)));
        let one = match (r.tail(), s.tail()) {
            (Tail::Live(a), Tail::Live(b)) => self.table.root(*a) == self.table.root(*b),
            _ => false,
        };
        // the sides of an object language need not have the fields of each other, nor need two merges with one record
        let lacks = |a: &Row, b: &Row| b.fields().any(|(name, f)| f.presence == Presence::Yes && a.get(name).is_none());
        let differ = one || self.rules().extends() && (lacks(&r, &s) || lacks(&s, &r));
        if (r_open || s_open) && !differ {
            let (x, y): (TyRef, TyRef) = (Ty::Record(r).into(), Ty::Record(s).into());
            let unified = self.unify(&y, &x, &because.clone().unsure());
            self.settle_clash(unified, because);
            return x;
        }
        self.join_rows_apart(&r, &s, because)
    }

    /// Joins two rows, each of which may have fields that the other one lacks.
    fn join_rows_apart(&mut self, r: &Row, s: &Row, because: &UnifyReason) -> TyRef {
        let (r_open, s_open) = (matches!(r.tail(), Tail::Live(_)), matches!(s.tail(), Tail::Live(_)));
        let tail = match (r.tail(), s.tail()) {
            (Tail::Dyn(reason), _) | (_, Tail::Dyn(reason)) => Tail::Dyn(*reason),
            (Tail::Dict(a), Tail::Dict(b)) => Tail::Dict(self.join(a, b, because)),
            (Tail::Live(v), Tail::Live(w)) if self.table.root(*v) == self.table.root(*w) => Tail::Live(*v),
            _ if r_open || s_open => Tail::Dyn(DynReason::Tested(because.span)),
            (Tail::Dict(a), _) | (_, Tail::Dict(a)) => Tail::Dict(a.clone()),
            _ => Tail::Closed,
        };
        // the result of an earlier join is weakened already: only its firm fields and the new row need work
        let mut out = r.clone();
        let firm = match r.known_firm().filter(|_| !r.marks().fails) {
            Some(firm) => firm,
            None => {
                let firm = |f: &Field| f.is_firm() || f.ty.marks().fails;
                r.fields().filter(|(_, f)| firm(f)).map(|(name, _)| name.clone()).collect()
            }
        };
        // what is not known of one row may have a field of the other one, of any type
        let unknown = |row: &Row| match row.tail() {
            Tail::Dyn(reason) if !self.rules().extends() => Some(TyRef::from(Ty::Dyn(*reason))),
            _ => None,
        };
        let (r_unknown, s_unknown) = (unknown(r), unknown(s));
        for name in firm.iter().filter(|name| s.get(name).is_none()) {
            if let Some(f) = r.get(name) {
                let ty = s_unknown.clone().unwrap_or_else(|| self.without_failures(&f.ty));
                out.insert(name.clone(), f.weakened(ty));
            }
        }
        if let (None, Some(ty)) = (&r_unknown, &s_unknown) {
            for (name, f) in r.fields().filter(|(name, f)| !f.is_firm() && s.get(name).is_none()) {
                out.insert(name.clone(), f.weakened(ty.clone()));
            }
        }
        if let Tail::Dict(item) = s.tail() {
            // the dictionary may have a field of that name
            for (name, f) in r.fields().filter(|(name, _)| s.get(name).is_none()) {
                let ty = self.without_failures(&f.ty);
                let ty = self.join_quietly(&ty, item, because);
                out.insert(name.clone(), f.weakened(ty));
            }
        }
        for (name, g) in s.fields() {
            let field = match r.get(name) {
                Some(f) => {
                    // the fields of different objects may have different types
                    let ty = match self.rules().extends() {
                        true => self.join_quietly(&f.ty, &g.ty, because),
                        false => self.join(&f.ty, &g.ty, because),
                    };
                    let presence = match (f.presence, g.presence) {
                        (Presence::Yes, Presence::Yes) => Presence::Yes,
                        (Presence::No, Presence::No) => Presence::No,
                        _ => Presence::Maybe,
                    };
                    let stack = if f.stack == g.stack { f.stack.clone() } else { None };
                    // a type of two definitions is not that of the literal at either place
                    let parts = matches!(&*ty, Ty::Array(_) | Ty::Enum(..));
                    let at = f.at.filter(|_| !parts || f.at == g.at);
                    let need = if presence == Presence::No { f.need } else { Need::None };
                    Field { presence, need, ty, stack, at, hidden: f.hidden && g.hidden, ..f.clone() }
                }
                None => match r.tail() {
                    Tail::Dict(item) => {
                        let ty = self.without_failures(&g.ty);
                        let ty = self.join_quietly(&ty, item, because);
                        g.weakened(ty)
                    }
                    _ => g.weakened(r_unknown.clone().unwrap_or_else(|| self.without_failures(&g.ty))),
                },
            };
            out.insert(name.clone(), field);
        }
        out.open = r.open && s.open;
        out.set_tail(tail);
        out.set_firm(firm.iter().filter(|name| out.get(name).is_some_and(Field::is_firm)).cloned().collect());
        Ty::Record(out).into()
    }
}

/// Whether a type is a record of few scalars, which is joined sooner than looked up.
fn is_small(ty: &Ty) -> bool {
    let is_scalar = |field: &Field| matches!(*field.ty, Ty::Null | Ty::Bool | Ty::Number | Ty::String);
    matches!(ty, Ty::Record(row) if row.len() <= 4 && row.fields().all(|(_, field)| is_scalar(field)))
}
