//! The differences between two values, or between a session now and after an earlier cell.

pub mod files;
mod html;
mod json;
mod side;
pub mod text;

use super::shared::compare::{Change, Comparison, Side, compare};
use super::steps::readers;
use crate::answer::{Answer, forms};
use crate::problem::Problem;
use crate::state::{Definition, Workspace};
use crate::term::Term;
use crate::text::path::{FieldPath, Step};
use crate::text::{Name, Span};
use crate::value::machine::Budget;
use crate::value::{Fault, Thunk, Value};
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashSet};
use std::rc::Rc;
use std::sync::Arc;

/// Maximum size of a definition's value in the answer.
const SHOWN: Budget = Budget { elements: 20, depth: 3, text: 500 };
/// Maximum number of thunks to force to complete an old value.
pub const FORCED: usize = 300_000;

/// A name whose definition has changed.
pub struct Version {
    /// The name.
    pub name: Name,
    /// Its definition now. `None` if it is no longer bound.
    pub now: Option<Rc<Definition>>,
    /// Its earlier definition and value.
    pub before: Option<(Rc<Definition>, Thunk)>,
}

/// Compares the parts of two expressions at a path. Fails if one of them has no value.
pub fn of_terms(session: &mut Workspace, [left, right]: [&Arc<Term>; 2], path: &[Step]) -> Result<Comparison, Problem> {
    let part = |session: &mut Workspace, term: &Arc<Term>| {
        let root = session.machine().thunk(term);
        let part = session.machine().at(&root, path)?;
        session.machine().force(&part).map(|_| part)
    };
    let [a, b] = [part(session, left), part(session, right)];
    let failed = |fault: Fault| fault.problem().clone();
    let (a, b) = (&a.map_err(failed)?, &b.map_err(failed)?);
    let mut found = compare(session.machine(), &FieldPath::root(), a, b);
    let again = |session: &mut Workspace| part(session, right).unwrap_or_else(|_| b.clone());
    read(session, &mut found, again);
    elements(session, &mut found, a, b);
    Ok(found)
}

/// Compares the session with its state after a cell. Covers names bound since then, names whose definition changed, and
/// names that read either. Old values keep the definitions that they were computed with.
pub fn since(session: &mut Workspace, versions: Vec<Version>) -> Comparison {
    let mut out = Comparison { complete: true, ..Comparison::default() };
    let mut changed: FxHashSet<FieldPath> = FxHashSet::default();
    let mut readers: IndexMap<Name, Vec<FieldPath>, FxBuildHasher> = IndexMap::default();
    for Version { name, now, before } in versions {
        if session.is_stopped() {
            return out;
        }
        let path = FieldPath::from(std::slice::from_ref(&name));
        let new = session.value_of(&name);
        match (before, now.zip(new)) {
            (Some((_, before)), Some((_, now))) => {
                let mut found = compare(session.machine(), &path, &before, &now);
                elements(session, &mut found, &before, &now);
                for change in &mut found.changes {
                    // a name with a new definition is redefined, not recomputed
                    change.recomputed &= change.path != path;
                }
                out.same += found.same;
                out.not_compared += found.not_compared;
                out.complete &= found.complete;
                out.changes.extend(found.changes);
            }
            (None, Some((definition, value))) => {
                let side = defined(session, &definition, &value);
                out.changes.push(of(path.clone(), Some(side), Vec::new()));
            }
            (Some((definition, value)), None) => {
                let side = defined(session, &definition, &value);
                out.changes.push(Change { left: Some(side), ..of(path.clone(), None, Vec::new()) });
            }
            (None, None) => {}
        }
        for user in session.users_of(&name) {
            readers.entry(user).or_default().push(path.clone());
        }
        changed.insert(path);
    }
    for (name, reads) in readers {
        let path = FieldPath::from(std::slice::from_ref(&name));
        if !changed.contains(&path) {
            out.changes.push(of(path, None, reads));
        }
    }
    out
}

fn of(path: FieldPath, right: Option<Side>, reads: Vec<FieldPath>) -> Change {
    Change { path, left: None, right, recomputed: !reads.is_empty(), reads, hidden: false, elements: Vec::new() }
}

fn defined(session: &mut Workspace, definition: &Definition, value: &Thunk) -> Side {
    let value = session.machine().datum(value, SHOWN);
    let span = definition.span.or(Some(definition.term.span(definition.term.root)));
    Side { value, priority: Default::default(), span }
}

/// Finds the changed fields that recomputed parts read.
fn read(session: &mut Workspace, found: &mut Comparison, make: impl FnOnce(&mut Workspace) -> Thunk) {
    let again: Vec<FieldPath> = found.changes.iter().filter(|c| c.recomputed).map(|c| c.path.clone()).collect();
    let changed: Vec<FieldPath> = found.changes.iter().map(|c| c.path.clone()).collect();
    let reads = readers(session, &FieldPath::root(), make, &again, &changed);
    for (change, reads) in found.changes.iter_mut().filter(|c| c.recomputed).zip(reads) {
        change.reads = reads;
    }
}

/// Finds the places of elements that only one side has.
fn elements(session: &mut Workspace, found: &mut Comparison, left: &Thunk, right: &Thunk) {
    for change in &mut found.changes {
        // below an element that is matched by its name, indices are those of the right side
        if change.elements.iter().any(|(at, _)| at + 1 < change.path.steps.len()) {
            continue;
        }
        let Some((Step::Index(index), array)) = change.path.steps.split_last() else { continue };
        let (side, root) = match (&mut change.left, &mut change.right) {
            (None, Some(side)) => (side, right),
            (Some(side), None) => (side, left),
            _ => continue,
        };
        side.span = element(session, root, array, *index).or(side.span);
    }
}

fn element(session: &mut Workspace, root: &Thunk, array: &[Step], index: usize) -> Option<Span> {
    let machine = session.machine();
    let provenance = machine.provenance(root, array).ok()?;
    if let Some(element) = provenance.elements.iter().find(|element| element.index == index) {
        return element.span;
    }
    match machine.force(&provenance.value).ok()? {
        Value::Array(array) => machine.place(&array.at(index)?),
        _ => None,
    }
}

impl Answer for Comparison {
    forms!("diff");
}
