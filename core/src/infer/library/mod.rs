//! The types of the library. Modules are opened, and types of values looked up, only when they are used.

mod elements;
mod fields;
mod folds;

use crate::infer::generalise::LIBRARY;
use crate::infer::{Infer, LibraryItem};
use crate::text::{Name, Span};
use crate::ty::{Constraint, Demand, Field, Forced, Generic, Param, RefusedHeads, Row, Scheme, Tail, Ty, TyRef};
use std::sync::Arc;

impl Infer<'_> {
    /// Returns the type of a library item; `None` if there is none. A module is not opened.
    pub(super) fn library_type(&mut self, path: &[Name]) -> Option<TyRef> {
        if let Some(known) = self.caches.library.get(path) {
            return known.clone();
        }
        let ty = match self.host.library(path) {
            Some(LibraryItem::Module(_)) => Some(Ty::Library(path.into()).into()),
            Some(LibraryItem::Value(scheme)) if self.rules().is_exact() => Some(closed(&scheme)),
            Some(LibraryItem::Value(scheme)) if self.rules().calls_whole() => Some(closed(&Arc::new(at_once(&scheme)))),
            Some(LibraryItem::Value(scheme)) if makes_text(path) => Some(strict(&of_text(&scheme), forced(path))),
            Some(LibraryItem::Value(scheme)) => Some(strict(&scheme, forced(path))),
            None => None,
        };
        self.caches.library.insert(path.to_vec(), ty.clone());
        ty
    }

    /// Returns the record type of a library module.
    pub(super) fn open_library(&mut self, ty: &TyRef) -> Option<TyRef> {
        let Ty::Library(path) = &**ty else { return None };
        let Some(LibraryItem::Module(names)) = self.host.library(path) else { return None };
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

/// Returns a finished scheme as a type.
pub(super) fn closed(scheme: &Arc<Scheme>) -> TyRef {
    if scheme.vars.is_empty() { scheme.ty.clone() } else { Ty::Forall(scheme.clone()).into() }
}

/// Whether a function of the library converts any value that has a text.
fn makes_text(path: &[Name]) -> bool {
    let names: Vec<&str> = path.iter().skip(1).map(Name::as_str).collect();
    matches!(names.as_slice(), ["to_string"] | ["string", "from"])
}

/// Returns the scheme of a function that converts a value to text: `a -> String`, and `a` has a text.
fn of_text(scheme: &Arc<Scheme>) -> Arc<Scheme> {
    let value = Ty::Var(Generic { up: 0, index: 0 }).into();
    let constraint = Constraint::Text { value, span: Span::new(LIBRARY, 0, 0) };
    Arc::new(Scheme { constraints: vec![constraint], ..Scheme::clone(scheme) })
}

/// The indices of the arguments that a function of the library forces whatever their types.
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

/// Returns the scheme of a library function with uncurried function parameters, as in object languages.
fn at_once(scheme: &Scheme) -> Scheme {
    let Ty::Fun(params, result) = &*scheme.ty else { return scheme.clone() };
    let params = params.iter().map(|p| Param { ty: uncurried(&p.ty), ..p.clone() }).collect();
    Scheme { ty: Ty::Fun(params, result.clone()).into(), ..scheme.clone() }
}

/// Uncurries a type: `a -> b -> c` becomes `(a, b) -> c`.
fn uncurried(ty: &TyRef) -> TyRef {
    let mut all = Vec::new();
    let mut at = ty.clone();
    while let Ty::Fun(params, result) = &*at.clone() {
        all.extend(params.iter().map(|p| Param { ty: uncurried(&p.ty), ..p.clone() }));
        at = result.clone();
    }
    if all.is_empty() { ty.clone() } else { Ty::Fun(all, at).into() }
}

/// Returns the type of a library function. A call with all arguments forces those whose parameters have a known head.
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
                p.demand = Demand::Forced(Arc::new(Forced { refused: RefusedHeads::Head, ..Forced::default() }));
            }
        }
        at = Ty::Fun(ps, at).into();
    }
    closed(&Arc::new(Scheme { ty: at, ..Scheme::clone(scheme) }))
}
