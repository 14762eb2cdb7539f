//! Walking over a type's parts, and rebuilding a type with some parts replaced.

use crate::ty::{Constraint, Contract, Field, Late, Layer, Live, Param, Scheme, Stack, Tail, Ty, TyRef, Want};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Calls `child` with each direct part of a type and `live` with each live variable that stands in it directly.
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

fn tail_children(tail: &Tail, child: &mut dyn FnMut(&TyRef), live: &mut dyn FnMut(Live)) {
    match tail {
        Tail::Live(v) => live(*v),
        Tail::Dict(t) => child(t),
        Tail::Closed | Tail::Var(_) | Tail::Dyn(_) => {}
    }
}

fn field_children(f: &Field, child: &mut dyn FnMut(&TyRef)) {
    child(&f.ty);
    f.late.iter().filter_map(|l| l.below.as_ref()).for_each(&mut *child);
    f.late.iter().flat_map(|l| &l.wants).for_each(|want| child(&want.ty));
    if let Some(stack) = &f.stack {
        stack.contracts.iter().for_each(|c| child(&c.ty));
        stack.layers.iter().for_each(|l| child(&l.ty));
        stack.merger.iter().for_each(&mut *child);
        stack.bare.iter().for_each(child);
    }
}

/// Replaces parts of types: what a rewriting does with each child and each tail.
pub(super) trait Rewrite {
    /// The part in place of a part.
    fn ty(&mut self, ty: &TyRef) -> TyRef;
    /// The end of a row in place of an end: fields that come in with it go to `row`.
    fn tail(&mut self, tail: &Tail) -> (Option<TyRef>, Tail);
    /// Called around the parts of a nested scheme.
    fn nest(&mut self, _deeper: bool) {}
    /// Whether a part can be left as it is.
    fn skip(&self, ty: &TyRef) -> bool;
}

/// What a rewriting made so far: a node that is shared is rewritten once for each depth of schemes that it stands in.
#[derive(Default)]
pub(super) struct Memo {
    /// How many nested schemes stand around.
    pub depth: u32,
    /// By address and depth; the nodes are held, so that no other comes to stand at their address.
    done: FxHashMap<(usize, u32), (TyRef, TyRef)>,
}

impl Memo {
    /// Goes into a nested scheme, or out of it.
    pub fn nest(&mut self, deeper: bool) {
        self.depth = if deeper { self.depth + 1 } else { self.depth.saturating_sub(1) };
    }
}

/// Rewrites the parts of a type, if that was not done yet.
pub(super) fn rebuild_once<R: Rewrite>(ty: &TyRef, by: &mut R, memo: impl Fn(&mut R) -> &mut Memo) -> TyRef {
    let of = memo(by);
    let key = (ty.address(), of.depth);
    if let Some((_, done)) = of.done.get(&key) {
        return done.clone();
    }
    let done = super::deep(|| rebuild(ty, by));
    memo(by).done.insert(key, (ty.clone(), done.clone()));
    done
}

/// What the end of a row becomes if what it is bound to was rewritten to this: the fields that come in, and their end.
pub(super) fn end_of(done: &TyRef) -> (Option<TyRef>, Tail) {
    match &**done {
        Ty::Record(row) => (Some(done.clone()), row.tail().clone()),
        Ty::Enum(_, tail) => (Some(done.clone()), tail.clone()),
        Ty::Dyn(reason) => (None, Tail::Dyn(*reason)),
        _ => (None, Tail::Closed),
    }
}

/// A node with each part rewritten. Fields that cannot change are shared with the old row.
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
            out.reset_marks();
            for (name, f) in row.fields() {
                if !field_skips(f, w) {
                    out.insert(name.clone(), field(f, w));
                } else {
                    out.mark(f);
                }
            }
            let (rest, tail) = w.tail(row.tail());
            if let Some(Ty::Record(more)) = rest.as_deref() {
                for (n, f) in more.fields() {
                    if out.get(n).is_none() {
                        out.insert(n.clone(), f.clone());
                    }
                }
                out.open |= more.open;
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

/// A scheme with each part rewritten.
pub(super) fn scheme(s: &Scheme, w: &mut dyn Rewrite) -> Scheme {
    Scheme {
        vars: s.vars.clone(),
        constraints: s.constraints.iter().map(|c| constraint(c, w)).collect(),
        ty: w.ty(&s.ty),
        shown: None,
    }
}

/// A constraint with each part rewritten.
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

/// A field with each part rewritten. A layer that decided the type goes on doing so.
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
    let late = match &f.late {
        Some(l) if l.below.is_some() || !l.wants.is_empty() => {
            let below = l.below.as_ref().map(|t| w.ty(t));
            let wants = l.wants.iter().map(|want| Want { ty: w.ty(&want.ty), ..want.clone() }).collect();
            Some(Arc::new(Late { below, wants, ..Late::clone(l) }))
        }
        other => other.clone(),
    };
    Field { ty, stack, late, ..f.clone() }
}
