//! The graph of resources of a program whose inputs change. After an event, exactly what depends on it is computed again,
//! and only the resources that it may change are compared.

use super::{Changes, Edge, Resource, Resources, changes, data_or_fault, resource, resource_edges};
use crate::problem::Problem;
use crate::state::Workspace;
use crate::state::fresh::LiveEvaluation;
use crate::term::Term;
use crate::text::Name;
use crate::text::path::Step;
use crate::value::machine::Budget;
use crate::value::trace::Id;
use crate::value::{Thunk, Value};
use crate::view::Drawing;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The graph of resources of a program, and its last version without errors.
pub struct LiveGraph {
    evaluation: LiveEvaluation,
    root: Thunk,
    /// The lists of resources and edges.
    lists: Option<[Thunk; 2]>,
    items: Vec<Item>,
    /// The items by the nodes of their whole values.
    by_node: FxHashMap<Id, usize>,
    /// The items that may differ from those of the last graph.
    pending: BTreeSet<usize>,
    edges: Vec<Edge>,
    /// Whether the items and edges are those of the last graph, except the pending ones.
    aligned: bool,
    last: Resources,
}

/// A resource of the current graph.
struct Item {
    record: Thunk,
    /// The address of its record.
    address: usize,
    /// A thunk that forces all of the resource.
    whole: Thunk,
    /// The resource, or the first problem in it. `None` if it must be read again.
    now: Option<Result<Resource, Problem>>,
}

impl LiveGraph {
    /// Begins the evaluation of a program. `last` is the graph with which the first one is compared.
    pub fn new(session: &mut Workspace, program: &Arc<Term>, last: Resources) -> LiveGraph {
        let mut evaluation = LiveEvaluation::new();
        let root = session.continue_live(&mut evaluation, |session| session.machine.thunk(program));
        LiveGraph {
            evaluation,
            root,
            lists: None,
            items: Vec::new(),
            by_node: FxHashMap::default(),
            pending: BTreeSet::new(),
            edges: Vec::new(),
            aligned: false,
            last,
        }
    }

    /// Returns `true` if the program is a graph of resources that is small enough to keep its reads.
    pub fn is_possible(&mut self, session: &mut Workspace) -> bool {
        let root = self.root.clone();
        session.continue_live(&mut self.evaluation, |session| super::is_graph(session, &root))
            && !self.evaluation.reads().is_too_large()
    }

    /// Records that an external variable is about to get another value.
    pub fn will_change(&mut self, session: &Workspace, name: &str) {
        self.evaluation.will_change(&session.world, name);
        let marked = self.evaluation.mark(name);
        self.pending.extend(marked.iter().filter_map(|node| self.by_node.get(node)));
    }

    /// Returns the number of thunks that the last event computed.
    pub fn computed(&self) -> usize {
        self.evaluation.reads().computed()
    }

    /// The last graph without errors.
    #[cfg(test)]
    pub fn last_graph(&self) -> &Resources {
        &self.last
    }

    /// Returns the number of nodes that the evaluation keeps.
    #[cfg(test)]
    pub fn nodes(&self) -> usize {
        self.evaluation.reads().count()
    }

    /// Returns the last graph without errors.
    pub fn into_last(self) -> Resources {
        self.last
    }

    /// Brings the graph up to date and returns its differences from the last one without errors.
    ///
    /// # Errors
    ///
    /// Fails if a part of the graph fails. The first problem is returned.
    pub fn update(&mut self, session: &mut Workspace) -> Result<Changes, Problem> {
        let mut evaluation = std::mem::replace(&mut self.evaluation, LiveEvaluation::new());
        let evaluated = session.continue_live(&mut evaluation, |session| self.evaluate(session));
        self.evaluation = evaluation;
        if evaluated.is_err() {
            // a graph with an error is not compared, so the next one is compared as a whole
            self.aligned = false;
        } else if !self.aligned {
            let node = |(index, item): (usize, &Item)| Some((self.evaluation.reads().node(&item.whole)?, index));
            self.by_node = self.items.iter().enumerate().filter_map(node).collect();
        }
        if self.evaluation.reads().has_grown() {
            let lists = self.lists.iter().flatten().chain([&self.root]);
            let roots: Vec<Thunk> = lists.chain(self.items.iter().map(|item| &item.whole)).cloned().collect();
            self.evaluation.tidy(&roots);
        }
        let edges_changed = evaluated?;
        Ok(self.compare(edges_changed))
    }

    /// Evaluates everything that is not up to date. Returns whether the edges may differ from those of the last graph.
    fn evaluate(&mut self, session: &mut Workspace) -> Result<bool, Problem> {
        let machine = &mut session.machine;
        let failed = |fault: crate::value::Fault| fault.problem().clone();
        machine.force(&self.root).map_err(failed)?;
        if self.lists.is_none() || machine.has_run(&self.root) {
            let list = |machine: &mut crate::value::Machine, name: &'static str| {
                machine.at(&self.root, &[Step::Field(Name::new_static(name))]).map_err(failed)
            };
            self.lists = Some([list(machine, "resources")?, list(machine, "edges")?]);
            self.aligned = false;
        }
        let Some([resources, edges]) = self.lists.clone() else { return Ok(true) };
        let list = machine.force(&resources).map_err(failed)?;
        if machine.has_run(&resources) || !self.aligned {
            self.aligned = false;
            let Value::Array(list) = list else { return Ok(true) };
            let elements = machine.items(&list).map_err(failed)?.to_vec();
            self.rebuild(session, elements)?;
            self.pending = (0..self.items.len()).collect();
        }
        for index in self.pending.clone() {
            self.read(session, index)?;
        }
        let mut read = self.pending.iter().filter_map(|index| self.items.get(*index)?.now.as_ref());
        if let Some(Err(problem)) = read.find(|now| now.is_err()) {
            return Err(problem.clone());
        }
        session.machine.force(&edges).map_err(failed)?;
        let has_run = session.machine.has_run(&edges);
        if has_run || !self.aligned {
            let datum = data_or_fault(session.machine.datum(&edges, Budget::ALL))?;
            self.edges = resource_edges(&datum);
        }
        Ok(has_run || !self.aligned)
    }

    /// Makes the items of a new list. A resource whose record is the same as before keeps its item. O(resources).
    fn rebuild(&mut self, session: &mut Workspace, elements: Vec<Thunk>) -> Result<(), Problem> {
        let old = std::mem::take(&mut self.items);
        let mut old: FxHashMap<usize, Item> = old.into_iter().map(|item| (item.address, item)).collect();
        self.by_node.clear();
        for element in elements {
            let value = session.machine.force(&element).map_err(|fault| fault.problem().clone())?;
            let Value::Record(record) = &value else { continue };
            let address = record.address();
            if let Some(item) = old.remove(&address) {
                self.items.push(item);
                continue;
            }
            let whole = Thunk::holding(element.clone(), |machine, record| {
                machine.force_deep(record)?;
                Ok(Value::Null)
            });
            self.items.push(Item { record: element, address, whole, now: None });
        }
        Ok(())
    }

    /// Brings an item up to date.
    fn read(&mut self, session: &mut Workspace, index: usize) -> Result<(), Problem> {
        let Some(item) = self.items.get_mut(index) else { return Ok(()) };
        // a problem is read from the data, where all of them are
        let was_forced = item.whole.is_forced();
        let _ = session.machine.force(&item.whole);
        if session.is_stopped() {
            return Err(session.stopped());
        }
        let ran = !was_forced && session.machine.has_run(&item.whole);
        if ran || item.now.is_none() {
            item.now = None;
            let datum = session.machine.datum(&item.record, Budget::ALL);
            if session.is_stopped() {
                return Err(session.stopped());
            }
            item.now = Some(data_or_fault(datum).map(|datum| resource(&datum)));
        }
        Ok(())
    }

    /// Compares the current graph with the last one, which it replaces.
    fn compare(&mut self, edges_changed: bool) -> Changes {
        let resource = |item: &Item| match &item.now {
            Some(Ok(resource)) => Some(resource.clone()),
            _ => None,
        };
        let graph = |resources, edges| Resources { resources, edges, drawing: Drawing::Text };
        if !self.aligned {
            let now = graph(self.items.iter().filter_map(resource).collect(), self.edges.clone());
            let found = changes(&self.last, &now);
            self.last = now;
            self.aligned = true;
            self.pending.clear();
            return found;
        }
        let (mut before, mut after) = (Vec::new(), Vec::new());
        for index in std::mem::take(&mut self.pending) {
            let (Some(old), Some(new)) = (self.last.resources.get_mut(index), self.items.get(index).and_then(resource))
            else {
                continue;
            };
            before.push(std::mem::replace(old, new.clone()));
            after.push(new);
        }
        let same = self.items.len() - after.len();
        let (mut before, mut after) = (graph(before, Vec::new()), graph(after, Vec::new()));
        if edges_changed {
            after.edges = self.edges.clone();
            before.edges = std::mem::replace(&mut self.last.edges, self.edges.clone());
        }
        let mut found = changes(&before, &after);
        found.same += same;
        found
    }
}
