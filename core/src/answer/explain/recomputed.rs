//! Late binding: fields whose value changes because a field that they read changes.

use super::Recomputed;
use crate::answer::deps::{DepsQuestion, evaluate, evaluate_without};
use crate::answer::shared::network::{is_secret, network};
use crate::state::Workspace;
use crate::text::Span;
use crate::text::path::Step;
use crate::value::datum::Datum;
use crate::value::machine::Budget;
use crate::value::{Record, Thunk, Value};

/// Maximum size of a value in an answer.
const SHOWN: Budget = Budget { elements: 20, depth: 3, text: 500 };

/// Returns the fields that read a field, directly or not, and that its winning definitions change. Their value differs from
/// the one in the layer that defines them, and from the one that they have without the winning definitions. `winners` are the
/// spans of the values of these definitions.
///
/// Empty if the field and the records around it have only one definition. Evaluates everything around the field once, and
/// the fields that read it a second time.
pub fn recomputed(session: &mut Workspace, question: &DepsQuestion, winners: Vec<Span>) -> Vec<Recomputed> {
    let answer = evaluate(session, question, true);
    let steps = question.steps();
    if !is_composed(session, &answer.root, steps) {
        return Vec::new();
    }
    let network = network(session, &answer.reads, Some(&answer.root), &question.root());
    let Some(asked) = answer.asked.and_then(|id| network.number_at(id, &question.path())) else { return Vec::new() };
    let readers = network.readers();
    let mut seen = vec![false; network.items.len()];
    // includes what reads the value by another path
    let asked_and_aliases: Vec<usize> = std::iter::once(asked).chain(network.aliases(&[asked])).collect();
    let mut work = asked_and_aliases.clone();
    let mut found = Vec::new();
    while let Some(number) = work.pop() {
        if seen.get_mut(number).is_none_or(|seen| std::mem::replace(seen, true)) {
            continue;
        }
        if !asked_and_aliases.contains(&number) {
            found.push(number);
        }
        work.extend(readers.get(number).into_iter().flatten());
    }
    found.sort_unstable();
    let root = question.root();
    let mut out = Vec::new();
    for item in found.into_iter().filter_map(|number| network.item(number)) {
        let Some(path) = item.path() else { continue };
        let Some(inside) = path.steps.strip_prefix(root.steps.as_slice()) else { continue };
        if let Some(now) = changed(session, &answer.root, inside) {
            out.push((inside.to_vec(), Recomputed { path: path.clone(), was: None, now: Some(now) }));
        }
    }
    let (paths, mut out): (Vec<_>, Vec<Recomputed>) = out.into_iter().unzip();
    if out.is_empty() {
        return out;
    }
    let without = evaluate_without(session, question, winners, &paths, SHOWN);
    let mut without = without.into_iter();
    out.retain_mut(|recomputed| match without.next() {
        Some(Datum::Fault(_)) | None => true,
        Some(was) => {
            recomputed.was = Some(was);
            recomputed.was != recomputed.now
        }
    });
    out
}

/// Returns the records along a path, the outermost first, each with the number of steps that lead to it.
fn records(session: &mut Workspace, root: &Thunk, steps: &[Step]) -> Vec<(Record, usize)> {
    let mut out = Vec::new();
    let mut here = root.clone();
    for (at, step) in steps.iter().enumerate() {
        if let Ok(Value::Record(record)) = session.machine().force(&here) {
            out.push((record, at));
        }
        match session.machine().at(&here, std::slice::from_ref(step)) {
            Ok(next) => here = next,
            Err(_) => break,
        }
    }
    out
}

/// Returns `true` if a field, or a record around it, has several definitions.
fn is_composed(session: &mut Workspace, root: &Thunk, steps: &[Step]) -> bool {
    let records = records(session, root, steps);
    records.iter().any(|(record, at)| match steps.get(*at) {
        Some(Step::Field(name)) => record.definitions_of(name) > 1,
        _ => false,
    })
}

/// Returns the value of a field if it differs from the one in the layer that defines it. `None` for a record, whose fields
/// are listed separately, and for a secret.
fn changed(session: &mut Workspace, root: &Thunk, steps: &[Step]) -> Option<Datum> {
    let thunk = session.machine().at(root, steps).ok()?;
    let records = records(session, root, steps);
    if let (Some((record, _)), Some(Step::Field(name))) = (records.last(), steps.last())
        && is_secret(session, record, name)
    {
        return None;
    }
    let now = session.machine().datum(&thunk, SHOWN);
    if matches!(now, Datum::Record(_)) {
        return None;
    }
    // in an array with several definitions, the index of an element differs between them
    let has_other_index = records.iter().any(|(record, at)| match (steps.get(*at), steps.get(*at + 1)) {
        (Some(Step::Field(name)), Some(Step::Index(_))) => record.definitions_of(name) > 1,
        _ => false,
    });
    if has_other_index {
        return Some(now);
    }
    let mut is_same_alone = false;
    for (record, at) in records.iter().rev() {
        let Some(Step::Field(name)) = steps.get(*at) else { continue };
        let Some(layer) = record.defining_layer(name) else { continue };
        let layer = Thunk::done(Value::Record(layer));
        let Some(rest) = steps.get(*at..) else { continue };
        let Ok(value) = session.machine().at(&layer, rest) else { continue };
        match session.machine().datum(&value, SHOWN) {
            Datum::Fault(_) => {}
            old if old == now => is_same_alone = true,
            _ => return Some(now),
        }
    }
    // the layer alone has the same value, or has none
    (!is_same_alone).then_some(now)
}
