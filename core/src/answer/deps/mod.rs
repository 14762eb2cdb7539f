//! The dependencies of a value and its dependents, complete in both directions.
//!
//! A value can change only if an item of the answer changes. The answer lists everything that the evaluation of the
//! value read, including what it read to find the field.

mod html;
mod json;
#[cfg(test)]
mod tests;
pub mod text;

use super::shared::network::{Item, Label, Network, network};
use super::shared::projection;
use crate::answer::{Answer, forms};
use crate::problem::Problem;
use crate::state::Workspace;
use crate::term::{Node, Term};
use crate::text::path::{FieldPath, Step};
use crate::text::{Name, Span};
use crate::value::datum::Datum;
use crate::value::machine::Budget;
use crate::value::trace::{Id, Reads};
use crate::value::{Fault, Thunk, Value};
use std::sync::Arc;

/// Maximum number of thunks to force for one answer.
pub(crate) const MOST: usize = 300_000;

/// The question: a value, and a path into it.
pub struct DepsQuestion {
    /// The program or expression.
    term: Arc<Term>,
    /// The name of the definition, if the term is only a name of the session.
    definition: Option<Name>,
    /// The path to the field.
    steps: Vec<Step>,
}

impl DepsQuestion {
    /// Creates the question about a field of a program, or of a definition of the session if the term is only its name.
    pub fn of_program(term: &Arc<Term>, steps: Vec<Step>) -> DepsQuestion {
        let definition = match term.node(term.root) {
            Node::Global(name) if name != "std" && crate::state::is_written(name) => Some(name.clone()),
            _ => None,
        };
        DepsQuestion { term: term.clone(), definition, steps }
    }

    /// Creates the question about an expression: `a.b.c` is field `b.c` of the value of `a`. O(path).
    pub fn of_expression(mut term: Arc<Term>) -> DepsQuestion {
        let steps = projection::cut(&mut term);
        DepsQuestion::of_program(&term, steps)
    }

    /// Returns the path to the field from the value that is evaluated.
    pub(crate) fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Returns the path of the value that is evaluated.
    pub(crate) fn root(&self) -> FieldPath {
        FieldPath { steps: self.definition.iter().cloned().map(Step::Field).collect() }
    }

    /// Returns the whole path of the question.
    pub fn path(&self) -> FieldPath {
        let mut path = self.root();
        path.steps.extend(self.steps.iter().cloned());
        path
    }
}

/// The direction of a question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    /// The items that the value reads.
    Reads,
    /// The items that read the value.
    UsedBy,
}

/// The dependencies or the dependents of one value.
#[derive(Clone, Debug)]
pub struct Deps {
    /// The path of the value.
    pub path: FieldPath,
    /// The direction of the question.
    pub direction: Direction,
    /// All items that have a name.
    pub network: Network,
    /// The value and its parts, by their numbers in the network.
    pub asked: Vec<usize>,
    /// For each item of the network, the items next to it in the direction of the question.
    pub next: Vec<Vec<usize>>,
    /// The items that the records around the value are made from and that the value itself does not read.
    pub through: Vec<usize>,
    /// All items that contribute to the value, with the items that contain them.
    all: Vec<usize>,
    /// The reason why the value is missing.
    pub fault: Option<Problem>,
    /// A field of the value, if it is a record: the first one with an answer, or else the first one.
    pub field: Option<Name>,
}

impl Deps {
    /// Returns the items next to the value in the direction of the question, each once.
    pub fn first(&self) -> Vec<usize> {
        let mut out: Vec<usize> = Vec::new();
        for number in self.asked.iter().filter_map(|asked| self.next.get(*asked)).flatten() {
            if !self.asked.contains(number) && !out.contains(number) {
                out.push(*number);
            }
        }
        out
    }

    /// Returns all items of the answer, in the order in which they are first reached: the items that the value leads
    /// to, and the items that the records around it are made from.
    pub fn listed(&self) -> Vec<usize> {
        let mut seen = vec![false; self.network.items.len()];
        let mut out = Vec::new();
        let mut work: Vec<usize> = self.first().into_iter().rev().collect();
        while let Some(number) = work.pop() {
            match seen.get_mut(number) {
                Some(seen) if !*seen => *seen = true,
                _ => continue,
            }
            out.push(number);
            work.extend(self.next.get(number).into_iter().flatten().rev());
        }
        out.extend(self.through.iter().copied().filter(|n| seen.get(*n) == Some(&false)));
        out
    }

    /// Returns the places of all definitions that can change the value: its own, those of its parts and of the records
    /// around it, and those of all that these read. Definitions that lost are included.
    pub fn places(&self) -> Vec<Span> {
        let items = self.all.iter().filter_map(|number| self.network.item(*number));
        let places =
            items.flat_map(|item| item.definitions.iter().filter_map(|d| d.body).chain(item.inside.iter().copied()));
        places.collect()
    }
}

/// The evaluation that an answer is based on.
pub(crate) struct Evaluated {
    /// The value at the beginning of the paths.
    pub root: Thunk,
    /// The reads of the evaluation.
    pub reads: Reads,
    /// The node of the field.
    pub asked: Option<Id>,
    /// Whether the evaluation was interrupted.
    pub stopped: bool,
    /// The reason why the field has no value.
    pub fault: Option<Problem>,
}

/// Evaluates the whole field again, without caches; with `all`, everything around it too.
pub(crate) fn evaluate(session: &mut Workspace, question: &DepsQuestion, all: bool) -> Evaluated {
    let steps = question.steps.as_slice();
    let ((root, stopped, fault), reads) = session.trace_reads(|session| {
        let root = fresh_root(session, question);
        let mut stopped = false;
        let found = session.machine().at(&root, steps).and_then(|thunk| {
            session.machine().force(&thunk)?;
            stopped |= !session.machine().force_all(&thunk, MOST);
            Ok(())
        });
        if all {
            stopped |= !session.machine().force_all(&root, MOST);
            let users = question.definition.as_ref().map(|name| session.users_of(name)).unwrap_or_default();
            for user in users {
                if let Some(thunk) = session.fresh_definition(&user) {
                    stopped |= !session.machine().force_all(&thunk, MOST);
                }
            }
        }
        (root, stopped, found.err().map(|fault: Fault| fault.problem().clone()))
    });
    let asked = node(session, &root, steps, &reads);
    Evaluated { root, reads, asked, stopped, fault }
}

/// Evaluates the fields at some paths again, without caches, as if the definitions with the given values were not there.
pub(crate) fn evaluate_without(
    session: &mut Workspace,
    question: &DepsQuestion,
    omitted: Vec<Span>,
    paths: &[Vec<Step>],
    budget: Budget,
) -> Vec<Datum> {
    let (found, _) = session.trace_reads(|session| {
        session.machine().omit(omitted);
        let root = fresh_root(session, question);
        let values = paths.iter().map(|steps| match session.machine().at(&root, steps) {
            Ok(thunk) => session.machine().datum(&thunk, budget),
            Err(fault) => Datum::Fault(Box::new(fault.problem().clone())),
        });
        let values = values.collect();
        session.machine().omit(Vec::new());
        values
    });
    found
}

/// Returns the value at the beginning of the paths of a question, unforced, in a fresh evaluation.
fn fresh_root(session: &mut Workspace, question: &DepsQuestion) -> Thunk {
    let root = match &question.definition {
        Some(name) => session.fresh_definition(name),
        None => None,
    };
    root.unwrap_or_else(|| session.program_value(&question.term))
}

/// Returns the node of the value at a path, if it was read.
fn node(session: &mut Workspace, root: &Thunk, steps: &[Step], reads: &Reads) -> Option<Id> {
    let Some((last, before)) = steps.split_last() else { return reads.node(root) };
    let parent = session.machine().at(root, before).ok()?;
    match (session.machine().force(&parent).ok()?, last) {
        (Value::Record(record), Step::Field(name)) => reads.field(&record, name),
        (Value::Record(record), Step::Index(index)) => reads.field(&record, &index.to_string()),
        (Value::Array(array), Step::Index(index)) => reads.node(&array.at(*index)?),
        _ => None,
    }
}

/// Answers a question. Evaluates the whole field and, for `UsedBy`, everything around it. O(what these read).
///
/// # Errors
///
/// Fails if there is no such field. If the evaluation of the field fails, the answer lists the items that were read
/// until then.
pub fn deps(session: &mut Workspace, question: &DepsQuestion, direction: Direction) -> Result<Deps, Problem> {
    let answer = evaluate(session, question, direction == Direction::UsedBy);
    let mut network = network(session, &answer.reads, Some(&answer.root), &question.root());
    network.cut |= answer.stopped;
    let path = question.path();
    let mut asked: Vec<usize> = answer.asked.and_then(|id| network.number_at(id, &path)).into_iter().collect();
    // An item that several paths lead to is named by the shortest.
    let own = asked.first().and_then(|n| network.item(*n)).and_then(|item| item.path()).unwrap_or(&path).clone();
    let inside = |item: &Item| item.path().is_some_and(|other| other.steps.starts_with(&own.steps));
    let all = network.items.iter().enumerate().filter(|(_, item)| inside(item)).map(|(number, _)| number);
    asked.extend(all.filter(|number| asked.first() != Some(number)).collect::<Vec<_>>());
    if direction == Direction::UsedBy {
        // a change of the shared definition reaches the readers of all paths
        asked.extend(network.aliases(&asked));
    }
    if asked.is_empty()
        && let Some(problem) = answer.fault
    {
        return Err(problem);
    }
    let next = match direction {
        Direction::Reads => (0..network.items.len()).map(|number| network.reads(number)).collect(),
        Direction::UsedBy => network.readers(),
    };
    let through = Vec::new();
    let field = first_field(&network, &path, &next);
    let mut deps = Deps { path, direction, network, asked, next, through, all: Vec::new(), fault: answer.fault, field };
    if direction == Direction::Reads {
        (deps.through, deps.all) = around(&deps);
    }
    Ok(deps)
}

/// Returns the first field below a path that has items next to it, or else the first one.
fn first_field(network: &Network, path: &FieldPath, next: &[Vec<usize>]) -> Option<Name> {
    let field = |item: &Item| match item.path()?.steps.strip_prefix(path.steps.as_slice())? {
        [Step::Field(name)] => Some(name.clone()),
        _ => None,
    };
    let fields = || network.items.iter().enumerate().filter_map(|(number, item)| Some((number, field(item)?)));
    let connected = fields().find(|(number, _)| next.get(*number).is_some_and(|next| !next.is_empty()));
    connected.or_else(|| fields().next()).map(|(_, name)| name)
}

/// Returns the items that decide where the value and its dependencies are: those read by the containers around them and
/// not listed otherwise. Also returns all items with the items that contain them. O(items read × depth).
fn around(deps: &Deps) -> (Vec<usize>, Vec<usize>) {
    let items = &deps.network.items;
    let mut seen = vec![false; items.len()];
    let mut container = vec![false; items.len()];
    let mut work: Vec<usize> = deps.asked.clone();
    let mut contain = |path: &FieldPath, work: &mut Vec<usize>| {
        for length in 0..path.steps.len() {
            let steps = path.steps.get(..length).map(<[Step]>::to_vec).unwrap_or_default();
            if let Some(number) = deps.network.find(&FieldPath { steps })
                && let Some(container) = container.get_mut(number)
                && !std::mem::replace(container, true)
            {
                work.push(number);
            }
        }
    };
    contain(&deps.path, &mut work);
    while let Some(number) = work.pop() {
        if seen.get_mut(number).is_none_or(|seen| std::mem::replace(seen, true)) {
            continue;
        }
        let Some(item) = items.get(number) else { continue };
        work.extend(&item.reads);
        if let Some(path) = item.path() {
            contain(path, &mut work);
        }
    }
    let all = (0..items.len()).filter(|number| seen.get(*number) == Some(&true)).collect();
    for known in deps.asked.iter().copied().chain(deps.listed()) {
        if let Some(seen) = seen.get_mut(known) {
            *seen = false;
        }
    }
    let is = |all: &[bool], number: &usize| all.get(*number).copied().unwrap_or(false);
    // a layer of a merge is no item of the user's; its files are named by what is in them
    let is_layer = |n: &usize| matches!(items.get(*n).map(|item| &item.label), Some(Label::Local(name, _)) if name.starts_with('%'));
    let through = (0..items.len()).filter(|n| is(&seen, n) && !is(&container, n) && !is_layer(n)).collect();
    (through, all)
}

impl Answer for Deps {
    forms!("deps");

    fn fault(&self) -> Option<&Problem> {
        self.fault.as_ref()
    }
}
