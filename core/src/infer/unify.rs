//! Unification. `found` is the type of an expression, `expected` the type that its context requires. They must be equal, except
//! that the found record may lack fields that the expected one marks as optional.

use super::Infer;
use super::table::Slot;
use super::why::{Reason, ReasonId, UnifyReason, Why};
use crate::text::{Name, Span};
use crate::ty::{DynReason, Live, Scheme, Tail, Ty, TyRef};

/// Two types that cannot be unified.
#[derive(Debug)]
pub(super) struct Clash {
    /// The difference.
    pub what: ClashKind,
    /// The fields that lead to the clash, innermost first.
    pub path: Vec<Name>,
    /// Whether the path leads through parts other than fields.
    pub deep: bool,
    /// Whether both heads are certain in the current unit.
    pub certain: bool,
    /// Whether the found head is certain in the current unit.
    pub found_certain: bool,
}

/// The ways in which two types can differ.
#[derive(Debug)]
pub(super) enum ClashKind {
    /// Distinct heads, each with the reason for it.
    Heads { found: TyRef, expected: TyRef, found_by: Option<ReasonId>, expected_by: Option<ReasonId> },
    /// The found record lacks a field. `asked`: the place that reads or declares it in the expected type.
    Missing { name: Name, record: TyRef, near: Vec<Name>, asked: Option<Span> },
    /// The found record has a field that is not allowed.
    Extra { name: Name, near: Vec<Name> },
    /// The found enum has a tag that is not allowed, or one with another kind of argument.
    Tag { name: Name, near: Vec<Name>, allowed: Vec<Name> },
    /// A variable would be bound to a type that contains it.
    Infinite { part: TyRef, whole: TyRef },
    /// A rigid variable would have to be another type, or the rigid variable `other`.
    Rigid { var: Name, ty: TyRef, other: Option<Name> },
}

/// The result of unifying two types.
pub(super) type Unified = Result<(), Box<Clash>>;

/// Returns the first of two clashes.
pub(super) fn first(a: Unified, b: Unified) -> Unified {
    if a.is_err() { a } else { b }
}

/// Extends the path to a clash, on the way out.
pub(super) trait ClashPath {
    /// The clash is in a field.
    fn in_field(self, name: &Name) -> Self;
    /// The clash is in a part other than a field.
    fn in_part(self) -> Self;
    /// The clash is in a parameter, where found and expected are exchanged.
    fn exchanged(self) -> Self;
}

impl ClashPath for Unified {
    fn in_field(self, name: &Name) -> Self {
        self.map_err(|mut c| {
            c.path.push(name.clone());
            c
        })
    }
    fn in_part(self) -> Self {
        self.map_err(|mut c| {
            c.deep = true;
            c
        })
    }
    fn exchanged(self) -> Self {
        self.map_err(|mut c| {
            if let ClashKind::Heads { found, expected, found_by, expected_by } = &mut c.what {
                std::mem::swap(found, expected);
                std::mem::swap(found_by, expected_by);
            }
            c
        })
    }
}

impl Infer<'_> {
    /// Unifies two types. After a clash, the other parts have been unified nevertheless.
    pub(super) fn unify(&mut self, found: &TyRef, expected: &TyRef, because: &UnifyReason) -> Unified {
        match self.kept.log {
            None => self.unify_now(found, expected, because),
            Some(_) => self.unify_logged(found, expected, because),
        }
    }

    /// Like [`Infer::unify`], without logging it.
    pub(super) fn unify_now(&mut self, found: &TyRef, expected: &TyRef, because: &UnifyReason) -> Unified {
        if found.same(expected) || self.interrupted() {
            return Ok(());
        }
        let closed = found.marks().live == 0 && expected.marks().live == 0;
        if closed && self.caches.unified.get(found, expected).is_some() {
            return Ok(());
        }
        let out = self.deeper(|infer| infer.unify_heads(found, expected, because));
        if closed && out.is_ok() && !matches!(**found, Ty::Number | Ty::String | Ty::Bool | Ty::Null) {
            self.caches.unified.insert(found, expected, ());
        }
        out
    }

    fn unify_heads(&mut self, found: &TyRef, expected: &TyRef, because: &UnifyReason) -> Unified {
        let (f, found_by) = self.table.head_with(found);
        let (e, expected_by) = self.table.head_with(expected);
        if f.same(&e) {
            return Ok(());
        }
        match (&*f, &*e) {
            (_, Ty::Forall(scheme)) if because.general => {
                let scheme = scheme.clone();
                self.unify_general(&f, &scheme, because)
            }
            (Ty::Live(a), Ty::Live(b)) => self.unify_vars(*a, *b, &f, because),
            (Ty::Live(v), _) => self.bind(*v, &e, because),
            (_, Ty::Live(v)) => {
                // a merge may still override the sibling from which the value was read
                let is_from_sibling = matches!(**found, Ty::Sibling(..)) && !self.rules().extends();
                self.bind(*v, if is_from_sibling { found } else { &f }, &because.clone().given())
            }
            (Ty::Dyn(reason), _) => {
                self.unknown_inside(&e, *reason, because);
                Ok(())
            }
            (Ty::Bottom, _) | (_, Ty::Dyn(_) | Ty::Bottom) => Ok(()),
            (Ty::Forall(_), _) => {
                let t = self.instantiate(&f);
                self.unify(&t, &e, because)
            }
            (_, Ty::Forall(_)) => {
                let t = self.instantiate(&e);
                self.unify(&f, &t, because)
            }
            (Ty::Library(_), _) => match self.open_library(&f) {
                Some(t) => self.unify(&t, &e, because),
                None => Ok(()),
            },
            (_, Ty::Library(_)) => match self.open_library(&e) {
                Some(t) => self.unify(&f, &t, because),
                None => Ok(()),
            },
            (Ty::Null, Ty::Null)
            | (Ty::Bool, Ty::Bool)
            | (Ty::Number, Ty::Number)
            | (Ty::Int, Ty::Int)
            | (Ty::Float, Ty::Float)
            | (Ty::String, Ty::String) => Ok(()),
            (Ty::Array(a), Ty::Array(b)) => self.unify(a, b, &because.clone().unsure()).in_part(),
            (Ty::Error(a), Ty::Error(b)) => self.unify(a, b, because).in_part(),
            (Ty::Contract(a), Ty::Contract(b)) => self.unify(a, b, &because.clone().unsure()).in_part(),
            // a contract may be a type, a record, or a function of label and value
            (Ty::Contract(_), Ty::Record(_) | Ty::Fun(..)) | (Ty::Record(_) | Ty::Fun(..), Ty::Contract(_)) => Ok(()),
            (Ty::Map(k, v), Ty::Map(l, w)) => {
                let a = self.unify(k, l, because).in_part();
                first(a, self.unify(v, w, because).in_part())
            }
            (Ty::Fun(ps, r), Ty::Fun(qs, s)) if ps.len() == qs.len() && !(named(ps) && named(qs)) => {
                let unsure = because.clone().unsure();
                let mut out = Ok(());
                for (p, q) in ps.iter().zip(qs) {
                    out = first(out, self.unify(&q.ty, &p.ty, &unsure).in_part().exchanged());
                }
                first(out, self.unify(r, s, &unsure).in_part())
            }
            (Ty::Fun(ps, r), Ty::Fun(qs, s)) if let Some(pairs) = self.pairs(ps, qs) => {
                let unsure = because.clone().unsure();
                let mut out = Ok(());
                for (p, q) in pairs.into_iter().filter_map(|(i, j)| ps.get(i).zip(qs.get(j))) {
                    out = first(out, self.unify(&q.ty, &p.ty, &unsure).in_part().exchanged());
                }
                first(out, self.unify(r, s, &unsure).in_part())
            }
            (Ty::Error(a), _) => self.unify(a, &e, because),
            (_, Ty::Error(b)) => self.unify(&f, b, because),
            (Ty::Record(a), Ty::Record(b)) => self.unify_rows(a, b, because),
            (Ty::Enum(a, Tail::Live(v)), Ty::Enum(b, Tail::Closed))
                if matches!(self.table.probe(*v), Slot::Free { rigid: None, .. })
                    && a.keys().all(|tag| b.contains_key(tag)) =>
            {
                let mut out = Ok(());
                for (tag, arg) in a {
                    if let (Some(x), Some(Some(y))) = (arg, b.get(tag)) {
                        out = first(out, self.unify(x, y, &because.clone().unsure()).in_part());
                    }
                }
                // the other tags are shared, not copied
                first(out, self.bind(*v, &e, because))
            }
            (Ty::Enum(a, t), Ty::Enum(b, u)) => self.unify_tags((a, t), (b, u), because),
            (Ty::Union(ts), Ty::Union(us)) if ts.len() == us.len() => {
                let mut out = Ok(());
                for (t, u) in ts.iter().zip(us) {
                    out = first(out, self.unify(t, u, &because.clone().unsure()));
                }
                out
            }
            (_, Ty::Union(members)) if self.has_head(members, &f) => Ok(()),
            // the value is converted, or it is of the type that is needed
            (Ty::Union(members), _) if self.rules().converts() && self.has_head(members, &e) => Ok(()),
            (Ty::Union(_), _) | (_, Ty::Union(_)) => {
                // a use of the value reads the member that it fits
                if let Ty::Union(members) = &*f
                    && !self.rules().extends()
                    && let Some(one) = members.iter().find(|one| self.has_head(std::slice::from_ref(*one), &e))
                {
                    self.unify(one, &e, &because.clone().unsure())?;
                }
                Err(self.clash_of_heads(&f, &e, found_by, expected_by, because).map_certain(false))
            }
            _ => {
                let clash = self.clash_of_heads(&f, &e, found_by, expected_by, because);
                if let Some(by) = expected_by {
                    self.replace_default(by, because);
                }
                Err(clash)
            }
        }
    }

    /// Unifies a type with all instances of a scheme: its variables are rigid.
    fn unify_general(&mut self, found: &TyRef, scheme: &Scheme, because: &UnifyReason) -> Unified {
        let from = self.contracts.rigid.len();
        let mut rigid = Vec::with_capacity(scheme.vars.len());
        for (kind, name) in scheme.vars.iter().zip(self.var_names(scheme)) {
            self.contracts.rigid.push(name.clone());
            rigid.push((self.table.rigid(*kind, self.level, name.clone()), name));
        }
        let vars: Vec<Live> = rigid.iter().map(|(v, _)| *v).collect();
        let target = self.substitute(scheme, &vars, None);
        let found = self.instantiate(found);
        let unified = self.unify(&found, &target, because);
        self.contracts.rigid.truncate(from);
        unified?;
        for (v, name) in rigid {
            let root = self.table.root(v);
            if self.level_is_at_most(root, self.level.saturating_sub(1)) {
                let what = ClashKind::Rigid { var: name, ty: found.clone(), other: None };
                return Err(self.clash(what, because));
            }
        }
        Ok(())
    }

    /// Makes a variable unknown if a default in a pattern gave it its type, since a value of another type was found.
    fn replace_default(&mut self, by: ReasonId, because: &UnifyReason) {
        let reason = self.table.reason(by);
        if reason.why == Why::Default && !reason.certain && !self.rules().extends() {
            self.table.replace(by, Ty::Dyn(DynReason::Computed(because.span)).into());
        }
    }

    /// Whether one of some types has the same head as another type.
    pub(super) fn has_head(&mut self, members: &[TyRef], ty: &TyRef) -> bool {
        members.iter().any(|m| std::mem::discriminant(&*self.table.head(m)) == std::mem::discriminant(&**ty))
    }

    /// Makes the free variables of the expected type unknown. The elements of an unknown array, for example, need not be of one
    /// type.
    fn unknown_inside(&mut self, expected: &TyRef, reason: DynReason, because: &UnifyReason) {
        let mut free = Vec::new();
        self.free_vars(expected, &mut free);
        for var in free {
            let unknown: TyRef = Ty::Dyn(reason).into();
            let _ = self.bind(Live { id: var.0, level: 0 }, &unknown, because);
        }
    }

    /// Returns the clash of two heads, each with the reason for it.
    pub(super) fn clash_of_heads(
        &mut self,
        found: &TyRef,
        expected: &TyRef,
        found_by: Option<ReasonId>,
        expected_by: Option<ReasonId>,
        because: &UnifyReason,
    ) -> Box<Clash> {
        let found_certain = because.certain && self.is_certain(found_by);
        let certain = found_certain && self.is_certain(expected_by);
        let what = ClashKind::Heads { found: found.clone(), expected: expected.clone(), found_by, expected_by };
        Box::new(Clash { what, path: Vec::new(), deep: false, certain, found_certain })
    }

    /// Whether a binding is certain in the current unit: it was made there or in a unit around it, unconditionally.
    pub(super) fn is_certain(&self, reason: Option<ReasonId>) -> bool {
        let Some(id) = reason else { return true };
        let reason = self.table.reason(id);
        reason.certain && self.units.encloses(reason.unit)
    }

    /// Makes uncertain the bindings that values gave to the variables of a type, since another value conflicts with it.
    pub(super) fn doubt(&mut self, ty: &TyRef) {
        let mut work = vec![ty.clone()];
        let mut seen = rustc_hash::FxHashSet::default();
        while let Some(t) = work.pop() {
            if t.marks().live == 0 || !seen.insert(t.address()) {
                continue;
            }
            let mut live = Vec::new();
            super::walk::children(&t, &mut |c| work.push(c.clone()), &mut |v| live.push(v));
            for v in live {
                if let Slot::Bound(_, reason) = self.table.probe(v) {
                    self.table.doubt(reason);
                }
            }
        }
    }

    /// Unifies two variables. `found` is the type of the first one.
    fn unify_vars(&mut self, a: Live, b: Live, found: &TyRef, because: &UnifyReason) -> Unified {
        if self.table.root(a) == self.table.root(b) {
            return Ok(());
        }
        let rigid = |slot: &Slot| match slot {
            Slot::Free { rigid, .. } => rigid.clone(),
            Slot::Bound(..) => None,
        };
        let (x, y) = (self.table.probe(a), self.table.probe(b));
        if let (Some(_), Some(var)) = (rigid(&x), rigid(&y)) {
            let other = rigid(&x).filter(|other| *other != var);
            return Err(self.clash(ClashKind::Rigid { var, ty: found.clone(), other }, because));
        }
        self.link(a, b);
        Ok(())
    }

    pub(super) fn clash(&mut self, what: ClashKind, because: &UnifyReason) -> Box<Clash> {
        Box::new(Clash {
            what,
            path: Vec::new(),
            deep: false,
            certain: because.certain,
            found_certain: because.certain,
        })
    }

    /// Binds a free variable to a type. Quantifiers inside of the type are instantiated.
    pub(super) fn bind(&mut self, v: Live, ty: &TyRef, because: &UnifyReason) -> Unified {
        let ty = self.monomorphic(ty);
        self.bind_whole(v, &ty, because)
    }

    /// Binds a free variable to a type, which keeps its quantifiers.
    pub(super) fn bind_whole(&mut self, v: Live, ty: &TyRef, because: &UnifyReason) -> Unified {
        let Slot::Free { level, rigid, chosen, .. } = self.table.probe(v) else { return Ok(()) };
        if let Some(var) = rigid {
            if matches!(&**ty, Ty::Dyn(_) | Ty::Bottom) {
                return Ok(());
            }
            return Err(self.clash(ClashKind::Rigid { var, ty: ty.clone(), other: None }, because));
        }
        if !self.lower_levels(v, level, ty) {
            let part: TyRef = Ty::Live(v).into();
            let clash = self.clash(ClashKind::Infinite { part, whole: ty.clone() }, &because.clone().unsure());
            if self.may_nest(ty) {
                let unknown: TyRef = Ty::Dyn(DynReason::Cycle(because.span)).into();
                let _ = self.bind_whole(v, &unknown, because);
            }
            return Err(clash);
        }
        let ty = self.without_failures(ty);
        let reason = Reason {
            span: because.wanted.unwrap_or(because.span),
            found: because.span,
            why: because.why.clone(),
            certain: because.certain,
            unit: self.units.current(),
            given: because.given,
        };
        let reason = self.table.add_reason(reason);
        if self.kept.log.is_some() {
            let root = self.table.root(v);
            self.log_binding(root, &ty);
        }
        if chosen {
            self.choose_parts(&ty);
        }
        self.table.bind(v, ty, reason);
        Ok(())
    }

    /// Whether a value of this type may contain values of the same type. Data can be nested to any depth, so that an infinite type
    /// does not make evaluation fail. A function with such a type is applied to itself.
    pub(super) fn may_nest(&mut self, whole: &TyRef) -> bool {
        let rules = self.rules();
        !rules.extends() && !rules.is_exact() && !rules.converts() && !matches!(&*self.table.head(whole), Ty::Fun(..))
    }

    /// Binds a free row variable to the rest of a row.
    pub(super) fn bind_tail(&mut self, v: Live, rest: Ty, because: &UnifyReason) -> Unified {
        self.bind(v, &rest.into(), because)
    }

    /// Lowers the levels in a type before a variable is bound to it. Returns `false` if the type contains the
    /// variable. O(parts with a higher level).
    fn lower_levels(&mut self, v: Live, level: u32, ty: &TyRef) -> bool {
        let root = self.table.root(v);
        let mut seen = rustc_hash::FxHashSet::default();
        let mut work = vec![ty.clone()];
        // keeps the visited nodes alive, so that no other node gets the address of one
        let mut visited = Vec::new();
        while let Some(t) = work.pop() {
            // a node that contains the variable has a mark above its level, since levels are only lowered
            if t.marks().live <= level || !seen.insert(t.address()) {
                continue;
            }
            let mut live = Vec::new();
            super::walk::live_children(&t, level, &mut |c| work.push(c.clone()), &mut |v| live.push(v));
            for l in live {
                match self.table.probe(l) {
                    Slot::Bound(inner, _) => work.push(inner),
                    Slot::Free { level: other, .. } => {
                        if self.table.root(l) == root {
                            return false;
                        }
                        if other > level {
                            self.table.lower(l, level);
                        }
                        work.extend(self.deferred.joined(l).into_iter().flatten().cloned());
                    }
                }
            }
            visited.push(t);
        }
        true
    }
}

/// Whether any parameter can be passed by name.
fn named(params: &[crate::ty::Param]) -> bool {
    params.iter().any(|p| p.name.is_some())
}

trait Certain {
    fn map_certain(self, certain: bool) -> Self;
}

impl Certain for Box<Clash> {
    fn map_certain(mut self, certain: bool) -> Self {
        self.certain = certain;
        self.found_certain = certain;
        self
    }
}
