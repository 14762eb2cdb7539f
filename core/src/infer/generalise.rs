//! Generalises the type of a definition, and instantiates it at each use.
//!
//! Both are O(1) for a closed type. Generic variables are numbered by first appearance, so that equal types are equal as
//! data. Deferred constraints on generalised variables become part of the scheme, and are added again at each use.

use super::Infer;
use super::links::Links;
use super::objects::free;
use super::table::{Slot, Vid};
use super::walk::{self, Memo, Rewrite};
use crate::text::SourceId;
use crate::ty::{Constraint, Field, Generic, Live, Marks, Scheme, Tail, Ty, TyRef, VariableKind};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// The source of the constraints of library functions: they have no place in a program.
pub(super) const LIBRARY: SourceId = SourceId(u32::MAX);

/// Maximum number of parts of an instance. `f (f x)` can double a type, so that 30 definitions could make a billion parts.
const MAX_PARTS: usize = 100_000;

/// Replaces the variables of inner levels by generic ones.
struct Generaliser<'i, 'a> {
    infer: &'i mut Infer<'a>,
    level: u32,
    /// Whether the type leaves inference, so that no live variable may remain.
    last: bool,
    /// The variables that became generic, by their index.
    vars: Vec<(Vid, VariableKind)>,
    /// The index of each of them.
    index: FxHashMap<Vid, u32>,
    memo: Memo,
}

impl Generaliser<'_, '_> {
    /// Returns the generic variable that replaces a variable.
    fn generic(&mut self, v: Live, kind: VariableKind) -> Generic {
        let root = self.infer.table.root(v);
        let next = self.vars.len() as u32;
        let index = *self.index.entry(root).or_insert(next);
        if index == next {
            self.vars.push((root, kind));
        }
        Generic { up: self.memo.depth, index }
    }
}

impl Generaliser<'_, '_> {
    /// Returns the deferred constraints on the variables found so far. Their own variables are added, and so on.
    fn constraints(&mut self) -> Vec<Constraint> {
        // a complete inference has a scheme for each problem
        let keeps = self.last && self.infer.caches.is_complete;
        let kept = if keeps { self.infer.caches.links.take() } else { None };
        let mut links = match kept {
            Some((count, links)) if count == self.infer.deferred.len() => links,
            _ => self.links(),
        };
        let mut constraints = Vec::new();
        let mut next = 0;
        while let Some((var, _)) = self.vars.get(next).copied() {
            next += 1;
            for i in links.take(var) {
                if let Some(constraint) = self.infer.deferred.open(i).cloned() {
                    constraints.push(walk::constraint(&constraint, self));
                }
            }
        }
        if keeps {
            links.forget_returned();
            self.infer.caches.links = Some((self.infer.deferred.len(), links));
        }
        constraints
    }

    /// Returns which deferred constraints hold which variables.
    fn links(&mut self) -> Links {
        // constraints that were added before the level was entered have no variables of this level
        let start = if self.last { 0 } else { self.infer.deferred.first_inside(self.level) };
        let floor = if self.last { 0 } else { self.level + 1 };
        let mut links = Links::default();
        for i in start..self.infer.deferred.len() {
            let Some(constraint) = self.infer.deferred.open(i).cloned() else { continue };
            match &constraint {
                // only the result connects a sum to the type
                Constraint::Plus { result, .. }
                | Constraint::Inherit { result, .. }
                | Constraint::Join { result, .. } => links.add(self.infer, i, &[result], floor),
                constraint => links.add(self.infer, i, &constraint.parts(), floor),
            }
        }
        links
    }
}

impl Rewrite for Generaliser<'_, '_> {
    fn skip(&self, ty: &TyRef) -> bool {
        self.skips_marks(ty.marks())
    }

    fn skips_marks(&self, marks: Marks) -> bool {
        if self.last { marks.live == 0 && !marks.library } else { marks.live <= self.level + 1 }
    }

    fn ty(&mut self, ty: &TyRef) -> TyRef {
        if self.skip(ty) {
            return ty.clone();
        }
        match &**ty {
            Ty::Live(v) => match self.infer.table.probe(*v) {
                Slot::Bound(inner, reason) => {
                    if !self.last && inner.marks() == Marks::default() && !self.infer.is_certain(Some(reason)) {
                        // it has no free variable: at the outermost level, later generalisations skip it
                        return if v.level == 0 { ty.clone() } else { Ty::Live(Live { level: 0, ..*v }).into() };
                    }
                    self.ty(&inner)
                }
                Slot::Free { level, kind, .. } if self.last || level > self.level => {
                    Ty::Var(self.generic(*v, kind)).into()
                }
                Slot::Free { .. } => ty.clone(),
            },
            Ty::Library(_) => {
                if !self.last {
                    return ty.clone();
                }
                match self.infer.open_library(ty) {
                    Some(open) => self.ty(&open),
                    None => Ty::Dyn(crate::ty::DynReason::Library).into(),
                }
            }
            _ => walk::rebuild_once(ty, self, |rewriting| &mut rewriting.memo),
        }
    }

    fn tail(&mut self, tail: &Tail) -> (Option<TyRef>, Tail) {
        match tail {
            Tail::Live(v) => match self.infer.table.probe(*v) {
                Slot::Bound(inner, _) => {
                    let inner = self.infer.table.head(&inner);
                    walk::end_of(&self.ty(&inner))
                }
                Slot::Free { level, kind, .. } if self.last || level > self.level => {
                    (None, Tail::Var(self.generic(*v, kind)))
                }
                Slot::Free { .. } => (None, tail.clone()),
            },
            Tail::Dict(t) => (None, Tail::Dict(self.ty(t))),
            _ => (None, tail.clone()),
        }
    }

    fn nest(&mut self, deeper: bool) {
        self.memo.nest(deeper);
    }

    fn memo(&mut self) -> Option<&mut Memo> {
        Some(&mut self.memo)
    }
}

/// Replaces generic variables by live ones.
struct Instantiation<'i> {
    vars: &'i [Live],
    kinds: &'i [VariableKind],
    /// The object from which the definition is read.
    whole: Option<&'i TyRef>,
    memo: Memo,
    /// The number of parts so far.
    parts: usize,
}

impl Rewrite for Instantiation<'_> {
    fn skip(&self, ty: &TyRef) -> bool {
        self.skips_marks(ty.marks())
    }

    fn skips_marks(&self, marks: Marks) -> bool {
        marks.free <= self.memo.depth
    }

    fn ty(&mut self, ty: &TyRef) -> TyRef {
        if self.skip(ty) {
            return ty.clone();
        }
        if let Ty::Var(g) = &**ty {
            return match (self.vars.get(g.index as usize), self.whole) {
                (Some(_), Some(whole))
                    if g.up == self.memo.depth && self.kinds.get(g.index as usize) == Some(&VariableKind::This) =>
                {
                    whole.clone()
                }
                (Some(v), _) if g.up == self.memo.depth => Ty::Live(*v).into(),
                _ => ty.clone(),
            };
        }
        self.parts += 1;
        if self.parts > MAX_PARTS {
            return Ty::Dyn(crate::ty::DynReason::Library).into();
        }
        walk::rebuild_once(ty, self, |rewriting| &mut rewriting.memo)
    }

    fn tail(&mut self, tail: &Tail) -> (Option<TyRef>, Tail) {
        let tail = match tail {
            Tail::Var(g) if g.up == self.memo.depth => match self.vars.get(g.index as usize) {
                Some(v) if self.kinds.get(g.index as usize) != Some(&VariableKind::Type) => Tail::Live(*v),
                _ => tail.clone(),
            },
            Tail::Dict(t) => Tail::Dict(self.ty(t)),
            _ => tail.clone(),
        };
        (None, tail)
    }

    fn nest(&mut self, deeper: bool) {
        self.memo.nest(deeper);
    }

    fn memo(&mut self) -> Option<&mut Memo> {
        Some(&mut self.memo)
    }
}

impl Infer<'_> {
    /// Quantifies the variables of a type that belong to inner levels. O(parts that have such variables).
    pub(super) fn generalise(&mut self, ty: &TyRef) -> TyRef {
        let scheme = self.scheme(ty, false);
        if scheme.vars.is_empty() { scheme.ty } else { Ty::Forall(Arc::new(scheme)).into() }
    }

    /// Returns the scheme of a type, with the deferred constraints on its variables. With `last`, no live variable remains.
    pub(super) fn scheme(&mut self, ty: &TyRef, last: bool) -> Scheme {
        let level = self.level;
        if !last && ty.marks().live <= level + 1 {
            return Scheme::mono(ty.clone());
        }
        let mut g = Generaliser {
            infer: self,
            level,
            last,
            vars: Vec::new(),
            index: FxHashMap::default(),
            memo: Memo::default(),
        };
        let ty = g.ty(ty);
        let constraints = if g.vars.is_empty() { Vec::new() } else { g.constraints() };
        let vars = g.vars.iter().map(|(_, k)| *k).collect();
        Scheme { vars, constraints, ty, shown: None }
    }

    /// Adds the free variables of a type to `out`.
    pub(super) fn free_vars(&mut self, ty: &TyRef, out: &mut Vec<Vid>) {
        self.free_vars_above(ty, 0, out);
    }

    /// Like [`Self::free_vars`], for the parts whose mark is above `floor`. If `floor` is one more than a level,
    /// these have all variables of inner levels.
    pub(super) fn free_vars_above(&mut self, ty: &TyRef, floor: u32, out: &mut Vec<Vid>) {
        let mut seen = FxHashMap::default();
        let mut found: FxHashSet<Vid> = out.iter().copied().collect();
        let mut work = vec![ty.clone()];
        while let Some(t) = work.pop() {
            if t.marks().live <= floor || seen.contains_key(&t.address()) {
                continue;
            }
            let mut live = Vec::new();
            walk::live_children(&t, floor, &mut |c| work.push(c.clone()), &mut |v| live.push(v));
            for v in live {
                match self.table.probe(v) {
                    Slot::Bound(inner, _) => work.push(inner),
                    Slot::Free { .. } => {
                        let root = self.table.root(v);
                        if found.insert(root) {
                            out.push(root);
                        }
                    }
                }
            }
            seen.insert(t.address(), t);
        }
    }

    /// Generalises each type in a field separately.
    pub(super) fn generalise_field(&mut self, field: &Field) -> Field {
        struct Each<'i, 'a>(&'i mut Infer<'a>);
        impl Rewrite for Each<'_, '_> {
            fn ty(&mut self, ty: &TyRef) -> TyRef {
                // a failure stays outside the quantifiers
                self.0.generalise_value(ty)
            }
            fn tail(&mut self, tail: &Tail) -> (Option<TyRef>, Tail) {
                (None, tail.clone())
            }
            fn skip(&self, _: &TyRef) -> bool {
                false
            }
        }
        walk::field(field, &mut Each(self))
    }

    /// Instantiates all quantifiers inside a type, so that a variable can be bound to it. O(1) if there are none.
    pub(super) fn monomorphic(&mut self, ty: &TyRef) -> TyRef {
        struct Mono<'i, 'a>(&'i mut Infer<'a>, Memo);
        impl Rewrite for Mono<'_, '_> {
            fn memo(&mut self) -> Option<&mut Memo> {
                Some(&mut self.1)
            }
            fn skips_marks(&self, marks: Marks) -> bool {
                !marks.forall
            }
            fn skip(&self, ty: &TyRef) -> bool {
                !ty.marks().forall
            }
            fn ty(&mut self, ty: &TyRef) -> TyRef {
                match &**ty {
                    _ if self.skip(ty) => ty.clone(),
                    Ty::Forall(_) => self.0.instantiate(ty),
                    _ => walk::rebuild_once(ty, self, |mono| &mut mono.1),
                }
            }
        }
        Mono(self, Memo::default()).ty(ty)
    }

    /// Returns the type of one use of a generalised type. O(parts that have its generic variables).
    pub(super) fn instantiate(&mut self, ty: &TyRef) -> TyRef {
        match &**ty {
            Ty::Forall(scheme) => {
                let scheme = scheme.clone();
                self.instantiate_scheme(&scheme)
            }
            Ty::Fails(fault, inner) if matches!(**inner, Ty::Forall(_) | Ty::Fails(..)) => {
                Ty::Fails(*fault, self.instantiate(inner)).into()
            }
            _ => ty.clone(),
        }
    }

    /// Returns the type of one use of a scheme.
    pub(super) fn instantiate_scheme(&mut self, scheme: &Scheme) -> TyRef {
        if scheme.vars.is_empty() {
            return scheme.ty.clone();
        }
        let vars: Vec<Live> = scheme.vars.iter().map(|k| self.table.fresh(free(*k), self.level)).collect();
        self.substitute(scheme, &vars, None)
    }

    /// Replaces the variables of a scheme by `vars`, and adds its constraints again. `whole` is the object from which
    /// the definition with this type is read.
    pub(super) fn substitute(&mut self, scheme: &Scheme, vars: &[Live], whole: Option<&TyRef>) -> TyRef {
        let mut instantiation = Instantiation { vars, kinds: &scheme.vars, whole, memo: Memo::default(), parts: 0 };
        let ty = instantiation.ty(&scheme.ty);
        let constraints: Vec<Constraint> =
            scheme.constraints.iter().map(|c| walk::constraint(c, &mut instantiation)).collect();
        if instantiation.parts > MAX_PARTS {
            self.interrupts.too_large = true;
            return Ty::Dyn(crate::ty::DynReason::Library).into();
        }
        for mut c in constraints {
            if let (Constraint::Instance { span, .. }, Some(call)) = (&mut c, self.exact.call)
                && span.source == LIBRARY
            {
                *span = call;
            }
            // a mistake of a use in an unused definition is a warning there, not an error in the function
            if let (Constraint::Instance { span, .. } | Constraint::Element { span, .. }, Some(call)) =
                (&mut c, self.exact.call)
                && self.is_unused(call)
            {
                *span = call;
            }
            match (&c, &*scheme.ty) {
                (Constraint::Inherit { .. } | Constraint::Plus { .. } | Constraint::Join { .. }, at)
                    if self.rules().extends() =>
                {
                    self.defer_use(c);
                    if !matches!(at, Ty::Fun(..)) {
                        self.try_uses();
                    }
                }
                _ => self.constrain(c),
            }
        }
        ty
    }

    /// Returns the scheme of a type at the end of inference, without live variables.
    pub(super) fn finish(&mut self, ty: &TyRef) -> Scheme {
        let ty = match &**ty {
            Ty::Forall(_) => self.instantiate(ty),
            _ => ty.clone(),
        };
        self.scheme(&ty, true)
    }
}
