//! Visits the parts of types, and rebuilds types with some parts replaced.

use crate::text::Name;
use crate::ty::{
    Constraint, Contract, Field, Fields, Inheritance, Layer, Live, Marks, MissingPart, Param, Row, Scheme, Stack, Tag,
    Tail, Ty, TyRef,
};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Like [`children`], without the fields of a record whose marks of live variables are at most `floor`.
pub(super) fn live_children(ty: &Ty, floor: u32, child: &mut dyn FnMut(&TyRef), live: &mut dyn FnMut(Live)) {
    match ty {
        Ty::Record(row) => {
            row.fields_where(|marks| marks.live > floor).for_each(|(_, f)| field_children(f, child));
            tail_children(row.tail(), child, live);
        }
        _ => children(ty, child, live),
    }
}

/// Calls `child` with each direct part of a type. If the type or its tail is a live variable, calls `live` with it.
pub(super) fn children(ty: &Ty, child: &mut dyn FnMut(&TyRef), live: &mut dyn FnMut(Live)) {
    match ty {
        Ty::Live(v) => live(*v),
        Ty::Var(_)
        | Ty::Null
        | Ty::Bool
        | Ty::Number
        | Ty::Int
        | Ty::Float
        | Ty::String
        | Ty::Dyn(_)
        | Ty::Bottom
        | Ty::Library(_) => {}
        Ty::Array(t) | Ty::Error(t) | Ty::Contract(t) | Ty::Fails(_, t) | Ty::Sibling(_, t) => child(t),
        Ty::Map(k, v) => {
            child(k);
            child(v);
        }
        Ty::Fun(params, result) => {
            params.iter().for_each(|p| child(&p.ty));
            child(result);
        }
        Ty::Union(ts) => ts.iter().for_each(child),
        Ty::Enum(tags, tail) => {
            tags.values().flatten().for_each(&mut *child);
            tail_children(tail, child, live);
        }
        Ty::Record(row) => {
            for (_, f) in row.fields() {
                field_children(f, child);
            }
            tail_children(row.tail(), child, live);
        }
        Ty::Forall(scheme) => {
            child(&scheme.ty);
            for c in &scheme.constraints {
                c.parts().into_iter().for_each(&mut *child);
            }
        }
    }
}

pub(super) fn tail_children(tail: &Tail, child: &mut dyn FnMut(&TyRef), live: &mut dyn FnMut(Live)) {
    match tail {
        Tail::Live(v) => live(*v),
        Tail::Dict(t) => child(t),
        Tail::Closed | Tail::Var(_) | Tail::Dyn(_) => {}
    }
}

pub(super) fn field_children(f: &Field, child: &mut dyn FnMut(&TyRef)) {
    child(&f.ty);
    f.inheritance.iter().filter_map(|l| l.below.as_ref()).for_each(&mut *child);
    f.inheritance.iter().flat_map(|l| &l.missing_parts).for_each(|part| child(&part.ty));
    if let Some(stack) = &f.stack {
        stack.contracts.iter().for_each(|c| child(&c.ty));
        stack.layers.iter().for_each(|l| child(&l.ty));
        stack.merger.iter().for_each(&mut *child);
        stack.bare.iter().for_each(child);
    }
}

/// A rewriting of types: how to replace each part and each tail.
pub(super) trait Rewrite {
    /// Returns the replacement of a part.
    fn ty(&mut self, ty: &TyRef) -> TyRef;
    /// Returns the replacement of a tail, and a record or enum with fields or tags to add to the row, if any.
    /// By default, rewrites only the items of a dictionary.
    fn tail(&mut self, tail: &Tail) -> (Option<TyRef>, Tail) {
        match tail {
            Tail::Dict(item) => (None, Tail::Dict(self.ty(item))),
            _ => (None, tail.clone()),
        }
    }
    /// Enters a nested scheme, or leaves it.
    fn nest(&mut self, _deeper: bool) {}
    /// Whether a part does not change.
    fn skip(&self, ty: &TyRef) -> bool;
    /// Whether all parts with these marks do not change.
    fn skips_marks(&self, _: Marks) -> bool {
        false
    }
    /// The parts that were replaced before, if the replacement of a part depends only on the part and the depth.
    fn memo(&mut self) -> Option<&mut Memo> {
        None
    }
}

/// The parts that a rewriting has replaced, so that a shared part is rewritten once at each depth of nested schemes.
#[derive(Default)]
pub(super) struct Memo {
    /// The number of nested schemes around the current part.
    pub depth: u32,
    /// By address and depth. Each entry holds the node, so that no other node can take its address.
    done: FxHashMap<(usize, u32), (TyRef, TyRef)>,
    /// The same for maps of fields that rows share.
    maps: FxHashMap<(usize, u32), (Fields, Fields)>,
}

impl Memo {
    /// Enters a nested scheme, or leaves it.
    pub fn nest(&mut self, deeper: bool) {
        self.depth = if deeper { self.depth + 1 } else { self.depth.saturating_sub(1) };
    }
}

/// Rewrites a type with `make`, or returns the result of doing so before.
pub(super) fn once<R: Rewrite>(
    ty: &TyRef,
    by: &mut R,
    memo: impl Fn(&mut R) -> &mut Memo,
    make: impl FnOnce(&mut R) -> TyRef,
) -> TyRef {
    let of = memo(by);
    let key = (ty.address(), of.depth);
    if let Some((_, done)) = of.done.get(&key) {
        return done.clone();
    }
    let done = super::deep(|| make(by));
    memo(by).done.insert(key, (ty.clone(), done.clone()));
    done
}

/// Rewrites the parts of a type, or returns the result of doing so before.
pub(super) fn rebuild_once<R: Rewrite>(ty: &TyRef, by: &mut R, memo: impl Fn(&mut R) -> &mut Memo) -> TyRef {
    once(ty, by, memo, |by| rebuild(ty, by))
}

/// Returns the result of [`Rewrite::tail`] for a tail that is bound to a type. Takes the rewritten type.
pub(super) fn end_of(done: &TyRef) -> (Option<TyRef>, Tail) {
    match &**done {
        Ty::Record(row) => (Some(done.clone()), row.tail().clone()),
        Ty::Enum(_, tail) => (Some(done.clone()), tail.clone()),
        Ty::Dyn(reason) => (None, Tail::Dyn(*reason)),
        _ => (None, Tail::Closed),
    }
}

/// Rewrites the parts of a type. Fields that do not change are shared with the old row.
pub(super) fn rebuild(ty: &TyRef, w: &mut dyn Rewrite) -> TyRef {
    match &**ty {
        Ty::Array(t) => Ty::Array(w.ty(t)).into(),
        Ty::Error(t) => Ty::Error(w.ty(t)).into(),
        Ty::Contract(t) => Ty::Contract(w.ty(t)).into(),
        Ty::Fails(f, t) => Ty::Fails(*f, w.ty(t)).into(),
        Ty::Sibling(s, t) => Ty::Sibling(s.clone(), w.ty(t)).into(),
        Ty::Map(k, v) => Ty::Map(w.ty(k), w.ty(v)).into(),
        Ty::Fun(params, result) => {
            let params = params.iter().map(|p| Param { ty: w.ty(&p.ty), ..p.clone() }).collect();
            Ty::Fun(params, w.ty(result)).into()
        }
        Ty::Union(ts) => Ty::Union(ts.iter().map(|t| w.ty(t)).collect()).into(),
        Ty::Enum(tags, tail) => {
            let mut tags: std::collections::BTreeMap<_, _> =
                tags.iter().map(|(n, t)| (n.clone(), t.as_ref().map(|t| w.ty(t)))).collect();
            let (rest, tail) = w.tail(tail);
            if let Some(Ty::Enum(more, _)) = rest.as_deref() {
                for (n, t) in more {
                    tags.entry(n.clone()).or_insert_with(|| t.clone());
                }
            }
            Ty::Enum(tags, tail).into()
        }
        Ty::Record(row) => {
            let mut out = row.clone();
            out.set_map(fields(row.map(), w));
            let (rest, tail) = w.tail(row.tail());
            if let Some(Ty::Record(more)) = rest.as_deref() {
                out = with_rest(out, more);
            }
            out.set_tail(tail);
            Ty::Record(out).into()
        }
        Ty::Forall(scheme) => {
            w.nest(true);
            let scheme = self::scheme(scheme, w);
            w.nest(false);
            Ty::Forall(Arc::new(scheme)).into()
        }
        _ => ty.clone(),
    }
}

/// Rewrites the fields of a row, in alphabetical order. Shares the nodes that do not change, and rewrites a shared node once.
fn fields(map: &Fields, w: &mut dyn Rewrite) -> Fields {
    let Some((left, (_, root), right)) = map.root() else { return Fields::default() };
    if w.skips_marks(map.marks()) {
        return map.clone();
    }
    let shared = map.address().filter(|_| map.is_shared());
    let key = shared.and_then(|address| Some((address, w.memo()?.depth)));
    if let Some(key) = key
        && let Some((_, done)) = w.memo().and_then(|memo| memo.maps.get(&key))
    {
        return done.clone();
    }
    let left = fields(left, w);
    let new = if field_skips(root, w) { None } else { Some(field(root, w)) };
    // a part that was looked at need not have changed
    let new = new.filter(|new| root.stack.is_some() || root.inheritance.is_some() || !new.ty.same(&root.ty));
    let right = fields(right, w);
    let done = map.with_parts(left, new, right);
    if let (Some(key), Some(memo)) = (key, w.memo()) {
        memo.maps.insert(key, (map.clone(), done.clone()));
    }
    done
}

/// Returns a row with the fields that its tail is bound to. O(fields of the smaller row).
pub(super) fn with_rest(row: Row, more: &Row) -> Row {
    let (open, order) = (row.open | more.open, row.order.clone().or_else(|| more.order.clone()));
    let mut out = row;
    if more.len() > out.len() {
        let mut large = more.clone();
        for (name, field) in out.fields() {
            large.insert(name.clone(), field.clone());
        }
        out = large;
    } else {
        for (name, field) in more.fields() {
            if out.get(name).is_none() {
                out.insert(name.clone(), field.clone());
            }
        }
    }
    (out.open, out.order) = (open, order);
    out
}

/// Rewrites the parts of a scheme.
pub(super) fn scheme(s: &Scheme, w: &mut dyn Rewrite) -> Scheme {
    Scheme {
        vars: s.vars.clone(),
        constraints: s.constraints.iter().map(|c| constraint(c, w)).collect(),
        ty: w.ty(&s.ty),
        shown: None,
    }
}

/// Rewrites the parts of a constraint.
pub(super) fn constraint(c: &Constraint, w: &mut dyn Rewrite) -> Constraint {
    match c {
        Constraint::Merge { left, right, result, span } => {
            Constraint::Merge { left: w.ty(left), right: w.ty(right), result: w.ty(result), span: *span }
        }
        Constraint::Inherit { base, extension, result, span } => {
            Constraint::Inherit { base: w.ty(base), extension: w.ty(extension), result: w.ty(result), span: *span }
        }
        Constraint::Join { left, right, result, span } => {
            Constraint::Join { left: w.ty(left), right: w.ty(right), result: w.ty(result), span: *span }
        }
        Constraint::Instance { ty, allowed, operator, span } => {
            Constraint::Instance { ty: w.ty(ty), allowed: *allowed, operator: operator.clone(), span: *span }
        }
        Constraint::Format { value, fields, span } => {
            Constraint::Format { value: w.ty(value), fields: fields.clone(), span: *span }
        }
        Constraint::Text { value, span } => Constraint::Text { value: w.ty(value), span: *span },
        Constraint::Element { target, key, result, span } => {
            Constraint::Element { target: w.ty(target), key: w.ty(key), result: w.ty(result), span: *span }
        }
        Constraint::Plus { left, right, result, span } => {
            Constraint::Plus { left: w.ty(left), right: w.ty(right), result: w.ty(result), span: *span }
        }
    }
}

fn field_skips(f: &Field, w: &dyn Rewrite) -> bool {
    let mut skips = true;
    field_children(f, &mut |t| skips &= w.skip(t));
    skips
}

/// Rewrites the parts of a field. A layer with the field's type still has that type afterwards.
pub(super) fn field(f: &Field, w: &mut dyn Rewrite) -> Field {
    let ty = w.ty(&f.ty);
    let stack = f.stack.as_ref().map(|s| {
        let mut part = |t: &TyRef| if t.same(&f.ty) { ty.clone() } else { w.ty(t) };
        Arc::new(Stack {
            contracts: s.contracts.iter().map(|c| Contract { ty: part(&c.ty), ..c.clone() }).collect(),
            layers: s.layers.iter().map(|l| Layer { ty: part(&l.ty), ..l.clone() }).collect(),
            merger: s.merger.as_ref().map(&mut part),
            bare: s.bare.as_ref().map(&mut part),
            ..Stack::clone(s)
        })
    });
    let inheritance = match &f.inheritance {
        Some(l) if l.below.is_some() || !l.missing_parts.is_empty() => {
            let below = l.below.as_ref().map(|t| w.ty(t));
            let missing_parts =
                l.missing_parts.iter().map(|part| MissingPart { ty: w.ty(&part.ty), ..part.clone() }).collect();
            Some(Arc::new(Inheritance { below, missing_parts, ..Inheritance::clone(l) }))
        }
        other => other.clone(),
    };
    Field { ty, stack, inheritance, ..f.clone() }
}

/// Returns a scheme with other names for some of its tags.
pub(crate) fn with_tags(s: &Scheme, name: &dyn Fn(&Name) -> Option<Name>) -> Scheme {
    struct Rename<'n>(Memo, &'n dyn Fn(&Name) -> Option<Name>);
    impl Rewrite for Rename<'_> {
        fn memo(&mut self) -> Option<&mut Memo> {
            Some(&mut self.0)
        }
        fn skip(&self, _: &TyRef) -> bool {
            false
        }
        fn ty(&mut self, ty: &TyRef) -> TyRef {
            let renamed = |own: &mut Self| match &*rebuild(ty, own) {
                Ty::Enum(tags, tail) => {
                    let tags = tags.iter().map(|(tag, argument)| {
                        let name = (own.1)(&tag.name).unwrap_or_else(|| tag.name.clone());
                        (Tag { name, ..tag.clone() }, argument.clone())
                    });
                    Ty::Enum(tags.collect(), tail.clone()).into()
                }
                other => other.clone().into(),
            };
            once(ty, self, |own| &mut own.0, renamed)
        }
    }
    scheme(s, &mut Rename(Memo::default(), name))
}
