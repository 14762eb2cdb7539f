//! The library, opened one module and one value at a time.

mod elements;
mod fields;
mod folds;

use crate::infer::{Infer, LibraryItem};
use crate::text::Name;
use crate::ty::{Asks, Demand, Field, Forced, Param, Row, Scheme, Tail, Ty, TyRef};
use std::sync::Arc;

impl Infer<'_> {
    /// The type of what a library has under a path; a module is not opened.
    pub(in crate::infer) fn library_type(&mut self, path: &[Name]) -> Option<TyRef> {
        if let Some(known) = self.caches.library.get(path) {
            return known.clone();
        }
        let ty = match self.outside.library(path) {
            Some(LibraryItem::Module(_)) => Some(Ty::Library(path.into()).into()),
            Some(LibraryItem::Value(scheme)) if self.rules().calls_whole() => Some(closed(&Arc::new(at_once(&scheme)))),
            Some(LibraryItem::Value(scheme)) => Some(strict(&scheme, forced(path))),
            None => None,
        };
        self.caches.library.insert(path.to_vec(), ty.clone());
        ty
    }

    /// A module as the record that it is.
    pub(in crate::infer) fn open_library(&mut self, ty: &TyRef) -> Option<TyRef> {
        let Ty::Library(path) = &**ty else { return None };
        let Some(LibraryItem::Module(names)) = self.outside.library(path) else { return None };
        let mut row = Row::new(Tail::Closed);
        let mut inner = path.to_vec();
        for name in names {
            inner.push(name.clone());
            if let Some(ty) = self.library_type(&inner) {
                row.insert(name, Field::given(ty, None));
            }
            inner.pop();
        }
        Some(Ty::Record(row).into())
    }
}

/// A finished scheme as a type of its own.
pub(in crate::infer) fn closed(scheme: &Arc<Scheme>) -> TyRef {
    if scheme.vars.is_empty() { scheme.ty.clone() } else { Ty::Forall(scheme.clone()).into() }
}

/// The arguments, from 0, that a function of the library forces whatever they are.
fn forced(path: &[Name]) -> &'static [usize] {
    let names: Vec<&str> = path.iter().skip(1).map(Name::as_str).collect();
    match names.as_slice() {
        ["typeof"] | ["function", "id" | "const" | "first"] | ["string", "from"] => &[0],
        [name] if name.starts_with("is_") => &[0],
        ["seq" | "deep_seq"] => &[0, 1],
        ["function", "second"] | ["serialize"] => &[1],
        _ => &[],
    }
}

/// The scheme of a function that is given functions which take all arguments at once, as jsonnet's do.
fn at_once(scheme: &Scheme) -> Scheme {
    let Ty::Fun(params, result) = &*scheme.ty else { return scheme.clone() };
    let params = params.iter().map(|p| Param { ty: uncurried(&p.ty), ..p.clone() }).collect();
    Scheme { ty: Ty::Fun(params, result.clone()).into(), ..scheme.clone() }
}

/// `a -> b -> c` as `(a, b) -> c`.
fn uncurried(ty: &TyRef) -> TyRef {
    let mut all = Vec::new();
    let mut at = ty.clone();
    while let Ty::Fun(params, result) = &*at.clone() {
        all.extend(params.iter().map(|p| Param { ty: uncurried(&p.ty), ..p.clone() }));
        at = result.clone();
    }
    if all.is_empty() { ty.clone() } else { Ty::Fun(all, at).into() }
}

/// A library function's type: what it takes of a known head it forces when all arguments are there.
fn strict(scheme: &Arc<Scheme>, forced: &[usize]) -> TyRef {
    let mut params = Vec::new();
    let mut at = scheme.ty.clone();
    while let Ty::Fun(ps, result) = &*at.clone() {
        params.push(ps.clone());
        at = result.clone();
    }
    if params.is_empty() {
        return closed(scheme);
    }
    for (i, mut ps) in params.into_iter().enumerate().rev() {
        for p in &mut ps {
            if forced.contains(&i) {
                p.demand.force(&[]);
            } else if matches!(&*p.ty, Ty::Number | Ty::String | Ty::Bool | Ty::Array(_) | Ty::Record(_)) {
                p.demand = Demand::Forced(Arc::new(Forced { asks: Asks::Head, ..Forced::default() }));
            }
        }
        at = Ty::Fun(ps, at).into();
    }
    closed(&Arc::new(Scheme { ty: at, ..Scheme::clone(scheme) }))
}
