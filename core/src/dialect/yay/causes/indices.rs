//! Dicts that are read as lists, lists that are read as dicts, and keys that are read as names.

use super::document::{Document, fault, is_within};
use super::slip::Slip;
use crate::dialect::yay::surprises::keys_only;
use crate::dialect::yay::tree::{Entry, Expr, For, Id, Stanza, Value};
use crate::problem::types::TypesKind;
use crate::problem::value::ValueKind;
use crate::problem::{Problem, ProblemKind, Severity};
use crate::text::{Name, Span};
use crate::ty::Ty;
use rustc_hash::FxHashSet;

/// Replaces the problems of indices and keys.
pub fn find(document: &Document<'_>, problems: &mut Vec<Problem>) {
    let changes = |problem: &Problem| match &problem.kind {
        ProblemKind::Types(types) => match &types.what {
            TypesKind::ChangesType { path, .. } => path.last().cloned(),
            _ => None,
        },
        _ => None,
    };
    // the definitions of these keys are reported
    let changed: FxHashSet<Name> = problems.iter().filter_map(changes).collect();
    for problem in problems.iter_mut() {
        let Some(at) = document.place(problem) else { continue };
        let cause = match &problem.kind {
            ProblemKind::Types(types) => match &types.what {
                TypesKind::Conflict(conflict) => {
                    index_of_dict(document, at, &changed).or_else(|| key_of_list(document, at, &conflict.found.ty))
                }
                _ => None,
            },
            ProblemKind::Value(value) => match &value.what {
                ValueKind::MissingField { .. } => key_as_index(document, at),
                _ => None,
            },
            _ => None,
        };
        if let Some((span, cause)) = cause {
            *problem = fault(span, cause);
        }
    }
    // the place of a value that contains itself is not known
    for problem in problems.iter_mut().filter(|problem| problem.span().is_none()) {
        let ProblemKind::Value(value) = &problem.kind else { continue };
        let ValueKind::Undefined { message, .. } = &value.what else { continue };
        if message.ends_with("contains itself, so it has no end")
            && let Some((span, cause)) = contains_itself(document, &value.path)
        {
            *problem = fault(span, cause);
        }
    }
    pairs(document, problems);
}

/// Returns a path as it is written, and its last definition.
fn defined<'t>(document: &Document<'t>, of: Id) -> Option<(Name, &'t Entry)> {
    let path = document.path(of)?;
    let (_, entry) = document.entry(&path)?;
    Some((Name::new(document.slice(document.tree.span(of))), entry))
}

/// Returns the keys of a dict that is written out.
fn keys_of<'t>(document: &Document<'t>, entry: &Entry) -> Vec<&'t Entry> {
    entry.value.block().map(|block| keys_only(document.tree, block)).unwrap_or_default()
}

/// Returns the cause of a problem of `dict[0]` at the index.
fn index_of_dict(document: &Document<'_>, at: Span, changed: &FxHashSet<Name>) -> Option<(Span, Slip)> {
    let tree = document.tree;
    let of = tree.exprs().find_map(|(expr, _)| match expr {
        Expr::Index(of, index) if tree.span(*index) == at && matches!(tree.expr(*index), Expr::Number(_)) => Some(*of),
        _ => None,
    })?;
    let (dict, entry) = defined(document, of)?;
    let keys: Vec<Name> = keys_of(document, entry).iter().map(|key| key.name.name.clone()).collect();
    (!keys.is_empty() && !changed.contains(&entry.name.name))
        .then_some((at, Slip::IndexOfDict { dict, keys, definition: entry.name.span }))
}

/// Returns the cause of a problem of `list.key` at the list.
fn key_of_list(document: &Document<'_>, at: Span, found: &Ty) -> Option<(Span, Slip)> {
    let Ty::Array(element) = found else { return None };
    let Ty::Record(row) = &**element else { return None };
    document.path_at(at)?;
    let (_, key) = document.read_of(at)?;
    row.get(key)?;
    Some((at, Slip::KeyOfList { list: Name::new(document.slice(at)), key: key.clone() }))
}

/// Returns the cause of a problem of `a[b]`, where `a` has a key `b`.
fn key_as_index(document: &Document<'_>, at: Span) -> Option<(Span, Slip)> {
    let tree = document.tree;
    let (of, key) = tree.exprs().find_map(|(expr, span)| match expr {
        Expr::Index(of, index) if span == at => match tree.expr(*index) {
            Expr::Name(key) => Some((*of, key)),
            _ => None,
        },
        _ => None,
    })?;
    let (dict, entry) = defined(document, of)?;
    let own = keys_of(document, entry).into_iter().find(|own| own.name.name == *key)?;
    Some((at, Slip::KeyAsIndex { dict, key: key.clone(), definition: own.name.span }))
}

/// Returns the place of a value that contains itself.
fn contains_itself(document: &Document<'_>, path: &[Name]) -> Option<(Span, Slip)> {
    let keys: Vec<&Name> = path.iter().collect();
    let (_, entry) = document.entry(&keys)?;
    let Value::Scalar(id) = entry.value else { return None };
    Some((document.tree.span(id), Slip::ContainsItself(Name::from(path.join(".")))))
}

/// Reports `for k, v in dict` once, whether or not the loop fails.
fn pairs(document: &Document<'_>, problems: &mut Vec<Problem>) {
    let loops = document.stanzas().filter_map(|stanza| match stanza {
        Stanza::For(stanza) => Some(&**stanza),
        _ => None,
    });
    for stanza in loops {
        let Some((span, slip)) = pair_of(document, stanza) else { continue };
        let is_inside = |problem: &Problem| document.place(problem).is_some_and(|at| is_within(at, span));
        let has_error = problems.iter().any(|problem| is_inside(problem) && problem.severity == Severity::Error);
        problems.retain(|problem| !is_inside(problem));
        let error = fault(span, slip);
        let severity = if has_error { Severity::Error } else { Severity::Warning };
        problems.push(Problem { severity, ..error });
    }
}

fn pair_of(document: &Document<'_>, stanza: &For) -> Option<(Span, Slip)> {
    let [key, value] = stanza.names.as_slice() else { return None };
    let (dict, entry) = defined(document, stanza.items)?;
    if keys_of(document, entry).is_empty() {
        return None;
    }
    let span = Span { end: value.span.end, ..key.span };
    Some((span, Slip::PairsOfDict { dict, names: [key.name.clone(), value.name.clone()] }))
}
