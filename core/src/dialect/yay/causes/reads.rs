//! Values that are read as dicts or lists, and are not: where their definition is the mistake.

use super::document::{Document, fault, is_within};
use super::fault::Cause;
use super::slip::Slip;
use crate::dialect::yay::meant;
use crate::dialect::yay::notation::is_identifier;
use crate::dialect::yay::surprises::{Surprise, flow_text, keys_only};
use crate::dialect::yay::tree::{BlockId, Blocks, Entry, Expr, Stanza, Value};
use crate::problem::types::{Conflict, TypeProblem, TypesKind, Why};
use crate::problem::{Problem, ProblemKind, Severity};
use crate::text::{Name, Span};
use crate::ty::{Scheme, Ty};
use rustc_hash::FxHashSet;

/// Maximum number of keys of a dict that a message lists.
const MAX_KEYS: usize = 6;

/// Replaces problems of readers by problems of what they read.
pub fn find(document: &Document<'_>, problems: &mut Vec<Problem>) {
    // the loops and the cycles that were reported
    let mut loops: FxHashSet<Span> = FxHashSet::default();
    let mut cycles: FxHashSet<Vec<Name>> = FxHashSet::default();
    problems.retain_mut(|problem| {
        let Some(at) = document.place(problem) else { return true };
        let cause = match conflict(problem) {
            Some(conflict) if is_text(&conflict.found) => cause_of_text(document, at),
            Some(_) => None,
            None => no_key(problem).or_else(|| cycle(document, problem)),
        };
        let Some((span, cause)) = cause else { return true };
        let is_first = match &cause {
            Cause::KeyOfLoop { place, .. } => loops.insert(*place),
            Cause::Cycle { first, others } => {
                let mut names: Vec<Name> = others.iter().map(|(name, _)| name).chain([first]).cloned().collect();
                names.sort();
                cycles.insert(names)
            }
            _ => true,
        };
        *problem = fault(span, cause);
        is_first
    });
    flow_texts(document, problems);
    replaced(document, problems);
    for problem in problems.iter_mut() {
        if let Some(at) = document.place(problem)
            && conflict(problem).is_some_and(|conflict| is_text(&conflict.found))
            && let Some((span, slip)) = key_of_text(document, at)
        {
            *problem = fault(span, slip);
        }
    }
    anchors(document, problems);
    // several readers of one line have one cause
    let mut index = 0;
    let all = problems.clone();
    problems.retain(|problem| {
        index += 1;
        let is_cause = matches!(problem.kind, ProblemKind::Syntax(_)) && document.place(problem).is_some();
        !is_cause || !all.iter().take(index - 1).any(|before| is_same(before, problem))
    });
}

/// Moves the problems of missing fields from whole dicts to the expressions in them that read the fields.
pub fn place(document: &Document<'_>, problems: &mut [Problem]) {
    for problem in problems.iter_mut().filter(|problem| document.place(problem).is_some()) {
        if let ProblemKind::Types(types) = &mut problem.kind {
            name_the_read(document, types);
        }
    }
}

/// Whether two problems are the same cause at the same place, found by different readers.
fn is_same(one: &Problem, other: &Problem) -> bool {
    one.severity == other.severity
        && one.span() == other.span()
        && one.code() == other.code()
        && matches!((&one.kind, &other.kind), (ProblemKind::Syntax(_), ProblemKind::Syntax(_)))
}

fn conflict(problem: &Problem) -> Option<&Conflict> {
    match &problem.kind {
        ProblemKind::Types(types) => match &types.what {
            TypesKind::Conflict(conflict) => Some(conflict),
            _ => None,
        },
        _ => None,
    }
}

fn is_text(scheme: &Scheme) -> bool {
    matches!(*scheme.ty, Ty::String)
}

/// Moves the problem of a missing field from the whole dict to the expression in it that reads the field.
fn name_the_read(document: &Document<'_>, types: &mut TypeProblem) {
    let TypesKind::MissingField { name, why, .. } = &mut types.what else { return };
    let tree = document.tree;
    let mut entries = document.stanzas().filter_map(Stanza::entry);
    let Some(entry) = entries.find(|entry| entry.span.start == types.span.start) else { return };
    let reads = tree.exprs().find(|(expr, span)| match expr {
        Expr::Dot(of, field) if field.name == *name && is_within(*span, types.span) => {
            document.path(*of).is_some_and(|path| path.last().is_some_and(|last| **last == entry.name.name))
        }
        _ => false,
    });
    if let Some((_, span)) = reads {
        types.span = span;
        *why = Why::Part;
    }
}

/// Returns the error of a key that a small dict does not have, with the keys that it has.
fn no_key(problem: &Problem) -> Option<(Span, Cause)> {
    let ProblemKind::Types(types) = &problem.kind else { return None };
    let TypesKind::MissingField { name, record, near, why: Why::Part | Why::Access(_), wanted: None, hidden: None } =
        &types.what
    else {
        return None;
    };
    let Ty::Record(row) = &*record.ty else { return None };
    let keys: Vec<Name> = row.fields().map(|(key, _)| key.clone()).collect();
    let is_plain = |key: &Name| is_identifier(key) && key != name;
    let fits = near.is_empty() && (1..=MAX_KEYS).contains(&keys.len()) && keys.iter().all(is_plain);
    (fits && problem.severity == Severity::Error).then(|| (types.span, Cause::NoKey { name: name.clone(), keys }))
}

/// Returns the cause of keys of the document that need each other, with the places of all of them.
fn cycle(document: &Document<'_>, problem: &Problem) -> Option<(Span, Cause)> {
    let ProblemKind::Types(types) = &problem.kind else { return None };
    let TypesKind::NamesItself { names } = &types.what else { return None };
    let (first, others) = names.split_first().filter(|(_, others)| !others.is_empty())?;
    let places = others.iter().map(|name| match document.entry(&[name])?.1.value {
        Value::Scalar(id) => Some((name.clone(), document.tree.span(id))),
        _ => None,
    });
    let others: Vec<(Name, Span)> = places.collect::<Option<_>>()?;
    Some((types.span, Cause::Cycle { first: first.clone(), others }))
}

/// Returns the cause of a read of a text as a dict or a list.
fn cause_of_text(document: &Document<'_>, at: Span) -> Option<(Span, Cause)> {
    let path = document.path_at(at)?;
    let (read, field) = document.read_of(at)?;
    if let [variable] = path.as_slice() {
        let around = document.stanzas().filter_map(|stanza| match stanza {
            Stanza::For(stanza) if is_within(at, stanza.span) => Some(stanza),
            _ => None,
        });
        let inner = around.min_by_key(|stanza| stanza.span.len());
        if let Some(stanza) =
            inner.filter(|stanza| matches!(stanza.names.as_slice(), [name] if name.name == **variable))
        {
            let items = document.path(stanza.items)?;
            let block = document.entry(&items)?.1.value.block()?;
            if keys_only(document.tree, block).is_empty() {
                return None;
            }
            let place = document.tree.span(stanza.items);
            let items = Name::new(document.slice(place));
            let variable = Name::clone(variable);
            return Some((read, Cause::KeyOfLoop { variable, items, field: field.clone(), place }));
        }
    }
    let (block, entry) = document.entry(&path)?;
    not_indented(document, block, entry, field, read)
}

/// Returns the cause of a read of a key whose value is a plain text as a dict.
fn key_of_text(document: &Document<'_>, at: Span) -> Option<(Span, Slip)> {
    let tree = document.tree;
    let (_, field) = document.read_of(at)?;
    let letter = tree.exprs().find_map(|(expr, span)| match expr {
        Expr::Index(of, index) if span == at && matches!(tree.expr(*index), Expr::Number(_)) => Some(tree.span(*of)),
        _ => None,
    });
    let path = document.path_at(letter.unwrap_or(at))?;
    let (_, entry) = document.entry(&path)?;
    let Value::Scalar(id) = entry.value else { return None };
    let Expr::Str(text) = tree.expr(id) else { return None };
    if let Some(of) = letter.filter(|_| !text.starts_with(['{', '['])) {
        return Some((at, Slip::KeyOfLetter { of: Name::new(document.slice(of)), definition: tree.span(id) }));
    }
    // a function of the library, or a text that is written as a dict, has a message of its own
    if meant::is_function(meant::own_name(field)) || text.starts_with(['{', '[']) || !is_identifier(field) {
        return None;
    }
    let definition = document.tree.span(id);
    let of = Name::new(document.slice(at));
    Some((at, Slip::KeyOfText { of, key: field.clone(), definition, is_null: text == "null" }))
}

/// Returns the cause of a key without a value that is read as a dict, if one of the lines after it is the field.
fn not_indented(
    document: &Document<'_>,
    block: BlockId,
    entry: &Entry,
    field: &Name,
    read: Span,
) -> Option<(Span, Cause)> {
    let Value::Nothing(_) = entry.value else { return None };
    let stanzas = &document.tree.block(block).stanzas;
    let after = stanzas.iter().skip_while(|stanza| stanza.span(document.tree).start <= entry.span.start);
    let mut keys = after.map_while(|stanza| match stanza {
        Stanza::Key(entry) if !entry.extend => Some(entry),
        _ => None,
    });
    let next = keys.next()?;
    if next.name.name != *field && !keys.any(|entry| entry.name.name == *field) {
        return None;
    }
    let key = entry.name.name.clone();
    Some((entry.name.span, Cause::NotIndented { key, next_span: next.name.span, read }))
}

/// Replaces the problems of readers of `key: [a, b]` by one of that line.
fn flow_texts(document: &Document<'_>, problems: &mut Vec<Problem>) {
    let mut found: Vec<(Span, Surprise)> = Vec::new();
    problems.retain(|problem| {
        let Some(at) = document.place(problem) else { return true };
        if !conflict(problem).is_some_and(|conflict| is_text(&conflict.found)) {
            return true;
        }
        let entry = document.path_at(at).and_then(|path| document.entry(&path));
        let Some((_, entry)) = entry else { return true };
        let Some((span, what)) = flow_text(document.tree, document.text, Some(&entry.name.name), entry.value) else {
            return true;
        };
        let place = found.iter().position(|(known, _)| *known == span).unwrap_or(found.len());
        if place == found.len() {
            found.push((span, what));
        }
        if let Some((_, Surprise::FlowText { reads, .. })) = found.get_mut(place) {
            reads.push(at);
        }
        false
    });
    for (span, what) in found {
        let error = fault(span, what);
        match problems.iter_mut().find(|problem| problem.span() == Some(span) && problem.code() == error.code()) {
            Some(warning) => *warning = error,
            None => problems.push(error),
        }
    }
}

/// Replaces the problems of readers of a key whose value is replaced by one of another kind.
fn replaced(document: &Document<'_>, problems: &mut Vec<Problem>) {
    let mut index = 0;
    while let Some(problem) = problems.get(index) {
        index += 1;
        let (Some(at), ProblemKind::Types(types)) = (document.place(problem), &problem.kind) else { continue };
        let TypesKind::ChangesType { path, was, now, other, .. } = &types.what else { continue };
        let Some(key) = path.last() else { continue };
        let path: Vec<&str> = path.iter().map(Name::as_str).collect();
        let path = path.join(".");
        let (was, now) = (kind(was), kind(now));
        // the key, or the key before an index
        let read = |other: &Problem| {
            let at = document.place(other)?;
            let places = [Some(at), document.base_of_index(at)];
            places.into_iter().flatten().find(|at| document.slice(*at) == path)
        };
        let reads_it = |other: &Problem| {
            let is_read = match &other.kind {
                ProblemKind::Types(types) => {
                    matches!(types.what, TypesKind::Conflict(_) | TypesKind::MissingField { .. })
                }
                _ => false,
            };
            is_read && read(other).is_some()
        };
        let reads: Vec<Span> = problems.iter().filter(|p| reads_it(p)).filter_map(read).collect();
        let (Some(was), Some(now), false) = (was, now, reads.is_empty()) else { continue };
        let error = fault(at, Cause::Replaced { key: key.clone(), was, now, other: *other, reads });
        problems.retain(|problem| !reads_it(problem));
        if let Some(warning) = problems.iter_mut().find(|p| p.span() == Some(at) && p.code() == error.code()) {
            *warning = error;
        }
        index = 0;
        // each round removes a problem, and replaces another one
        if problems.is_empty() {
            return;
        }
    }
}

/// Returns the kind of the values of a type.
fn kind(scheme: &Scheme) -> Option<&'static str> {
    Some(match &*scheme.ty {
        Ty::Record(_) => "dict",
        Ty::Array(_) => "list",
        Ty::String => "string",
        Ty::Number => "number",
        _ => return None,
    })
}

/// Drops the missing fields of dicts that have a key `<<`, about which there is a warning, and makes an error of it.
fn anchors(document: &Document<'_>, problems: &mut Vec<Problem>) {
    let merges = |problem: &Problem| {
        document.place(problem).is_some_and(|at| document.slice(at).starts_with("<<:"))
            && matches!(problem.kind, ProblemKind::Syntax(_))
    };
    if !problems.iter().any(merges) {
        return;
    }
    let is_consequence = |problem: &Problem| match &problem.kind {
        ProblemKind::Types(types) => match &types.what {
            TypesKind::MissingField { record, near, .. } => {
                near.is_empty() && matches!(&*record.ty, Ty::Record(row) if row.get("<<").is_some())
            }
            _ => false,
        },
        _ => false,
    };
    let before = problems.len();
    problems.retain(|problem| document.place(problem).is_none() || !is_consequence(problem));
    if problems.len() < before {
        problems.iter_mut().filter(|problem| merges(problem)).for_each(|problem| problem.severity = Severity::Error);
    }
}
