//! The differences between two values, or between a session now and after an earlier cell.

pub mod files;
mod html;
mod json;
mod side;
pub mod text;

use super::shared::compare::{Change, Comparison, Side, compare};
use super::steps::readers;
use crate::answer::{Answer, forms};
use crate::meta::Priority;
use crate::problem::Problem;
use crate::state::{Definition, Workspace};
use crate::term::Term;
use crate::text::path::{FieldPath, Step};
use crate::text::{Name, Span};
use crate::value::machine::Budget;
use crate::value::provenance::Provenance;
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

/// Compares two values, with the places of the elements that differ.
pub fn of_values(session: &mut Workspace, before: &Thunk, now: &Thunk) -> Comparison {
    let mut found = compare(session.machine(), &FieldPath::root(), before, now);
    elements(session, &mut found, before, now);
    found
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

/// Finds the places and layers of elements. The elements of one array follow each other, so its places are kept for the next
/// element.
fn elements(session: &mut Workspace, found: &mut Comparison, left: &Thunk, right: &Thunk) {
    let (mut left_array, mut right_array) = (None, None);
    for change in &mut found.changes {
        if !matches!(change.path.steps.last(), Some(Step::Index(_))) {
            continue;
        }
        let left_path = change.left_path();
        let sides = [
            (&mut change.left, left, &left_path, &mut left_array),
            (&mut change.right, right, &change.path, &mut right_array),
        ];
        for (side, root, path, known) in sides {
            if let (Some(side), Some((span, priority))) = (side, element(session, root, path, known)) {
                side.span = Some(span);
                side.priority = priority.unwrap_or(side.priority.clone());
            }
        }
        if let (Some(left), Some(right)) = (&change.left, &change.right) {
            // another element of the same array has another definition
            change.recomputed &= left.span == right.span;
        }
    }
}

/// An array with its provenance.
struct KnownArray {
    path: Vec<Step>,
    /// `None` if it has none.
    provenance: Option<Provenance>,
    /// Whether the outermost array on the path has one definition, so that its text has the elements in order.
    is_whole: bool,
}

/// Returns the place of an element, and the priority of the definition that it comes from, if several are combined.
fn element(
    session: &mut Workspace,
    root: &Thunk,
    path: &FieldPath,
    known: &mut Option<KnownArray>,
) -> Option<(Span, Option<Priority>)> {
    let (Step::Index(index), array) = path.steps.split_last()? else { return None };
    let machine = session.machine();
    if known.as_ref().is_none_or(|known| known.path != array) {
        let outermost = array.iter().position(|step| matches!(step, Step::Index(_))).unwrap_or(array.len());
        let outermost = machine.provenance(root, array.get(..outermost)?);
        let is_whole = outermost.is_ok_and(|outermost| outermost.definitions.len() == 1);
        *known = Some(KnownArray { path: array.to_vec(), provenance: machine.provenance(root, array).ok(), is_whole });
    }
    let known = known.as_ref()?;
    if known.is_whole {
        let named = |step: &Step| match step {
            Step::Index(index) => Step::Field(Name::from(index.to_string())),
            Step::Field(name) => Step::Field(name.clone()),
        };
        let path: Vec<Step> = path.steps.iter().map(named).collect();
        if let Some((_, body)) = machine.written_at(root, &path) {
            return Some((body, None));
        }
    }
    let provenance = known.provenance.as_ref()?;
    if let Some(element) = provenance.elements.iter().find(|element| element.index == *index) {
        let definition = element.definition.and_then(|number| provenance.definitions.get(number));
        return Some((element.span?, definition.map(|definition| definition.priority.clone())));
    }
    match machine.force(&provenance.value).ok()? {
        Value::Array(array) => Some((machine.place(&array.at(*index)?)?, None)),
        _ => None,
    }
}

impl Answer for Comparison {
    forms!("diff");
}
