//! Tracing: records, during an evaluation, which thunks each thunk reads.
//!
//! While a machine traces, thunks keep their identity: a literal is not forced at once, a variable is not the thunk
//! that it refers to, and every final record has its own thunk for each field. Each force is an edge from the running
//! thunk to the forced one, even if it was forced before. A value therefore depends on everything that is reachable
//! from its thunk. Guards, priorities, merge functions, contracts, computed names and field lists are evaluated under
//! the field or record that needs them. Asserts are a separate node, which is read like any other value.
//!
//! Without tracing, the cost is one branch per force.

use super::env::Unit;
use super::live::LiveState;
use super::object::Asserts;
use super::pushed::written_priority;
use super::record::Record;
use super::stack::{LayerDefinition, combine};
use super::thunk::{State, Thunk};
use super::{Fault, Machine, Value};
use crate::meta::{Priority, Push};
use crate::term::{Binding, Node, NodeId, PatKind};
use crate::text::{Name, Span};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// Maximum number of nodes. Evaluations beyond it are not recorded separately.
const MAX_NODES: usize = 4_000_000;

/// Maximum depth to which values are forced and named. Data may be infinite.
pub const MAX_DEPTH: usize = 100;

/// The index of a node in [`Reads`].
pub type Id = u32;

/// The root node, for reads outside of all other nodes.
pub const ROOT: Id = 0;

/// The origin of a node.
#[derive(Clone)]
pub enum Origin {
    /// A field of a final record.
    Field(Record, Name),
    /// A field of an object in a layer and those below it. The uppermost layer gives the field; lower ones are read by
    /// `super`.
    Layer(Record, Name, u32),
    /// The asserts of an object.
    Asserts(Record),
    /// An expression.
    Code(Rc<Unit>, NodeId),
    /// A definition of the session.
    Definition(Name),
    /// An external variable, or an argument of the program.
    External(Name),
    /// An imported file, by its name.
    Import(Name),
    /// Work of the library or of the machine.
    Work,
}

pub(super) struct TraceNode {
    pub(super) origin: Origin,
    pub(super) reads: Vec<Id>,
    /// Kept so that no address is reused.
    pub(super) thunk: Option<Thunk>,
}

/// The graph of reads.
pub struct Reads {
    pub(super) nodes: Vec<TraceNode>,
    pub(super) thunks: FxHashMap<usize, Id>,
    fields: FxHashMap<(usize, Name, u32), Id>,
    pub(super) edges: FxHashSet<(Id, Id)>,
    /// The running nodes, the outermost first.
    stack: Vec<Id>,
    /// Further thunks of nodes that have several.
    held: Vec<Thunk>,
    /// The spans of the expressions of thunks that were given an origin.
    pub(super) places: FxHashMap<usize, Span>,
    /// The data of incremental evaluation, if the evaluation can be continued after events.
    pub(super) live: Option<Box<LiveState>>,
}

/// Used instead of the number of a layer for the field itself. The asserts of an object have an empty name and the number
/// `FIELD_ITSELF - 1`.
const FIELD_ITSELF: u32 = u32::MAX;

/// A definition of a field, as answers refer to it.
#[derive(Clone, Debug)]
pub struct TracedDefinition {
    /// The span of its body, or of its value in a data file.
    pub body: Option<Span>,
    /// The span of its name.
    pub name: Option<Span>,
    /// The priority.
    pub priority: Priority,
    /// Its part in the value.
    pub role: TracedRole,
}

/// The part of a definition in the value of its field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TracedRole {
    /// It has the highest priority, or is the uppermost. Several definitions of a set may win: they are equal, records that are
    /// merged, or in conflict.
    Wins,
    /// A merge function, `+:` or `super` joins it with others.
    Joined,
    /// The field has the value of a higher layer, but another field reads this definition by `super`.
    Below,
    /// It does not count.
    Lost,
}

impl Default for Reads {
    fn default() -> Reads {
        let root = TraceNode { origin: Origin::Work, reads: Vec::new(), thunk: None };
        Reads {
            nodes: vec![root],
            thunks: FxHashMap::default(),
            fields: FxHashMap::default(),
            edges: FxHashSet::default(),
            stack: Vec::new(),
            held: Vec::new(),
            places: FxHashMap::default(),
            live: None,
        }
    }
}

impl Reads {
    pub(super) fn add(&mut self, origin: Origin, thunk: Option<Thunk>) -> Id {
        if let Some(id) = self.live.as_mut().and_then(|live| live.reuse())
            && let Some(node) = self.nodes.get_mut(id as usize)
        {
            *node = TraceNode { origin, reads: Vec::new(), thunk };
            return id;
        }
        if self.nodes.len() >= MAX_NODES {
            return ROOT;
        }
        let id = self.nodes.len() as Id;
        self.nodes.push(TraceNode { origin, reads: Vec::new(), thunk });
        id
    }

    /// Returns the node of an origin that several thunks may have.
    fn of_origin(&mut self, origin: Origin, thunk: Option<&Thunk>) -> Id {
        let Some(key) = field_key(&origin) else { return self.add(origin, thunk.cloned()) };
        if let Some(known) = self.fields.get(&key).copied() {
            self.held.extend(thunk.cloned());
            return known;
        }
        let id = self.add(origin, thunk.cloned());
        self.fields.insert(key, id);
        id
    }

    fn of_thunk(&mut self, thunk: &Thunk) -> Id {
        if let Some(known) = self.thunks.get(&thunk.address()) {
            return *known;
        }
        let id = self.of_origin(thunk.traced_origin(), Some(thunk));
        self.thunks.insert(thunk.address(), id);
        id
    }

    fn name(&mut self, thunk: &Thunk, origin: Origin) {
        if let Some((unit, node)) = thunk.origin() {
            self.places.insert(thunk.address(), unit.span(node));
        }
        let id = self.of_origin(origin, Some(thunk));
        self.thunks.insert(thunk.address(), id);
    }

    pub(super) fn edge(&mut self, to: Id) {
        let from = self.stack.last().copied().unwrap_or(ROOT);
        if let Some(live) = &mut self.live {
            if from == ROOT || from == to {
                return;
            }
            live.edge(from, to);
        }
        if from != to
            && self.edges.insert((from, to))
            && let Some(known) = self.nodes.get_mut(from as usize)
        {
            known.reads.push(to);
        }
    }

    /// Returns the running node.
    pub(super) fn running(&self) -> Option<Id> {
        self.stack.last().copied()
    }

    /// Forgets the node of an origin.
    pub(super) fn forget_origin(&mut self, origin: &Origin) {
        if let Some(key) = field_key(origin) {
            self.fields.remove(&key);
        }
    }

    /// Returns the number of nodes.
    pub fn count(&self) -> usize {
        self.nodes.len()
    }

    /// Returns whether the limit of nodes was reached, so that the graph is incomplete.
    pub fn is_full(&self) -> bool {
        self.nodes.len() >= MAX_NODES
    }

    /// Returns the origin of a node.
    pub fn origin(&self, id: Id) -> &Origin {
        self.nodes.get(id as usize).map_or(&Origin::Work, |known| &known.origin)
    }

    /// Returns the nodes that a node read, in the order of the first read.
    pub fn reads(&self, id: Id) -> &[Id] {
        self.nodes.get(id as usize).map_or(&[], |known| &known.reads)
    }

    /// Returns the thunk of a node.
    pub fn thunk(&self, id: Id) -> Option<&Thunk> {
        self.nodes.get(id as usize)?.thunk.as_ref()
    }

    /// Returns the value of a node, if it has one.
    pub fn value(&self, id: Id) -> Option<Value> {
        self.thunk(id)?.computed()
    }

    /// Returns the node of a thunk that was forced.
    pub fn node(&self, thunk: &Thunk) -> Option<Id> {
        self.thunks.get(&thunk.address()).copied()
    }

    /// Returns the node of a field of a final record, if it was read. O(1), except for the first lookup in a chain.
    pub fn field(&self, record: &Record, name: &str) -> Option<Id> {
        let leaf = if record.is_chain() { record.find(name, u32::MAX)?.leaf } else { FIELD_ITSELF };
        self.fields.get(&(record.address(), Name::new(name), leaf)).copied()
    }

    /// Returns the node of a record's asserts, if they were checked.
    pub fn asserts(&self, record: &Record) -> Option<Id> {
        self.fields.get(&(record.address(), Name::default(), FIELD_ITSELF - 1)).copied()
    }

    /// Returns the record and name of a node that is a field. A field of a lower layer does not count.
    pub fn as_field(&self, id: Id) -> Option<(&Record, &Name)> {
        match self.origin(id) {
            Origin::Field(record, name) => Some((record, name)),
            Origin::Layer(record, name, leaf) => {
                let top = record.find(name, u32::MAX).map(|found| found.leaf);
                (record.is_chain() && top == Some(*leaf)).then_some((record, name))
            }
            _ => None,
        }
    }

    /// Returns the definitions of a field in source order without duplicates, including those that lose.
    pub fn definitions(&self, record: &Record, name: &str) -> Vec<TracedDefinition> {
        let table = record.table();
        let Some(slot) = table.shape.fields.get(name) else { return Vec::new() };
        let mut all: Vec<TracedDefinition> = Vec::new();
        let mut leaves: Vec<u32> = Vec::new();
        let mut written: FxHashSet<(Option<Span>, Option<Span>)> = FxHashSet::default();
        let mut merges = false;
        for def in slot.defs() {
            let definition = record.definition(def);
            let own = match &definition {
                LayerDefinition::Written { field, .. } => {
                    merges |= field.meta.merge.is_some();
                    field.meta.push
                }
                _ => None,
            };
            let push: Option<Push> = own.map(|push| combine(def.push, push)).or(def.push);
            let (body, name) = (definition.body_span(), definition.name_span());
            leaves.push(def.leaf);
            let is_written = body.is_some() || name.is_some();
            if !record.is_chain() && is_written && !written.insert((body, name)) {
                continue;
            }
            all.push(TracedDefinition {
                body,
                name,
                priority: written_priority(&definition.priority(), push),
                role: TracedRole::Lost,
            });
        }
        if record.is_chain() {
            let counting = record.counting_layers(&Name::new(name));
            for (defined, leaf) in all.iter_mut().zip(leaves) {
                let read = self.fields.contains_key(&(record.address(), Name::new(name), leaf));
                defined.role = match (counting.contains(&leaf), read) {
                    (true, _) if counting.len() == 1 => TracedRole::Wins,
                    // a lower layer that was not read is the default of a condition, for example
                    (true, true) => TracedRole::Joined,
                    (true, false) if counting.first() == Some(&leaf) => TracedRole::Joined,
                    (_, true) => TracedRole::Below,
                    (_, false) => TracedRole::Lost,
                };
            }
            if let [only] = all.iter_mut().filter(|d| d.role == TracedRole::Joined).collect::<Vec<_>>().as_mut_slice() {
                only.role = TracedRole::Wins;
            }
            return all;
        }
        if merges {
            all.iter_mut().for_each(|defined| defined.role = TracedRole::Joined);
            return all;
        }
        let top = all.iter().filter(|d| d.body.is_some()).map(|d| &d.priority).max_by(|a, b| a.rank(b)).cloned();
        if let Some(top) = top {
            for defined in all.iter_mut().filter(|d| d.body.is_some()) {
                if defined.priority.rank(&top).is_eq() {
                    defined.role = TracedRole::Wins;
                }
            }
        }
        all
    }

    /// Returns the span of a thunk's expression, if it was traced.
    pub fn code(&self, thunk: &Thunk) -> Option<Span> {
        self.places.get(&thunk.address()).copied()
    }

    /// Returns name, name's span and body's span of the `let` or object local whose body a node is.
    pub fn binding(&self, id: Id, known: &mut Bindings) -> Option<(Name, Span, Span)> {
        let Origin::Code(unit, node) = self.origin(id) else { return None };
        let all = known.0.entry(Rc::as_ptr(unit) as usize).or_insert_with(|| bindings(unit));
        let (name, span) = all.get(node)?;
        Some((name.clone(), *span, unit.span(*node)))
    }
}

/// Returns the key under which the node of a field, a layer or asserts is known.
fn field_key(origin: &Origin) -> Option<(usize, Name, u32)> {
    match origin {
        Origin::Field(record, name) => Some((record.address(), name.clone(), FIELD_ITSELF)),
        Origin::Layer(record, name, leaf) => Some((record.address(), name.clone(), *leaf)),
        Origin::Asserts(record) => Some((record.address(), Name::default(), FIELD_ITSELF - 1)),
        _ => None,
    }
}

/// The bindings of units, computed on demand.
#[derive(Default)]
pub struct Bindings(FxHashMap<usize, FxHashMap<NodeId, (Name, Span)>>);

/// Returns the bindings of a unit by their bodies. O(term).
fn bindings(unit: &Unit) -> FxHashMap<NodeId, (Name, Span)> {
    let mut all = FxHashMap::default();
    let mut add = |slots: Option<&[Name]>, binding: &Binding| {
        let pat = unit.term.pat(binding.pat);
        let name = match pat.kind {
            PatKind::Bind(slot) => slots.and_then(|slots| slots.get(slot as usize)).cloned(),
            _ => None,
        };
        all.insert(binding.body, (name.unwrap_or_default(), pat.span));
    };
    for node in &unit.term.nodes {
        match node {
            Node::Let(l) => l.bindings.iter().for_each(|binding| add(Some(&l.slots), binding)),
            Node::Record(lit) => lit.locals.iter().for_each(|binding| add(None, binding)),
            _ => {}
        }
    }
    all
}

impl Record {
    /// Returns the number of field names. O(1) after the first time.
    pub fn count(&self) -> usize {
        self.table().shape.fields.len()
    }

    /// Returns the number of definitions of a field, including those without a value. O(definitions).
    pub fn definitions_of(&self, name: &str) -> usize {
        self.table().shape.fields.get(name).map_or(0, |slot| slot.defs().count())
    }

    /// Returns whether a definition of a field has a condition.
    pub fn is_conditional(&self, name: &str) -> bool {
        self.index_of(name).is_some_and(|index| self.has_condition(index))
    }

    fn has_condition(&self, index: u32) -> bool {
        let table = self.table();
        let slot = table.shape.fields.get_index(index as usize).map(|(_, slot)| slot);
        slot.into_iter().flat_map(|slot| slot.defs()).any(|def| match self.definition(def) {
            LayerDefinition::Written { field, .. } => field.meta.guard.is_some(),
            _ => false,
        })
    }

    /// Returns the layer that contains the winning definition of a field, as a record; `None` if the record is not a
    /// composition.
    pub fn defining_layer(&self, name: &str) -> Option<Record> {
        let table = self.table();
        let slot = table.shape.fields.get(name)?;
        let defs: Vec<_> = slot.defs().map(|def| (def, self.definition(def))).filter(|(_, d)| d.is_defined()).collect();
        let (def, _) = match self.is_chain() {
            true => defs.iter().max_by_key(|(def, _)| def.leaf)?,
            false => defs.iter().rev().max_by(|(_, a), (_, b)| a.priority().rank(&b.priority()))?,
        };
        table.leaves().get(def.leaf as usize).map(|layer| layer.leaf.clone())
    }
}

impl Machine {
    /// Starts tracing. Thunks that were made before keep their values, and their reads are unknown. Make new thunks for the
    /// values to trace.
    pub fn start_tracing(&mut self) {
        self.tracer = Some(Box::default());
    }

    /// Stops tracing, and returns the reads since it started.
    pub fn stop_tracing(&mut self) -> Reads {
        self.tracer.take().map(|reads| *reads).unwrap_or_default()
    }

    /// Sets the origin of a thunk, if the machine traces.
    pub fn name_thunk(&mut self, thunk: &Thunk, origin: impl FnOnce() -> Origin) {
        if let Some(tracer) = &mut self.tracer {
            tracer.name(thunk, origin());
        }
    }

    #[cold]
    #[inline(never)]
    pub(super) fn force_traced(&mut self, thunk: &Thunk) -> Result<Value, Fault> {
        let Some(id) = self.tracer.as_mut().map(|tracer| tracer.of_thunk(thunk)) else {
            return Err(Fault::undefined("not tracing", None));
        };
        self.under(id, |machine| match thunk.start() {
            State::Done(value) => Ok(value),
            State::Failed(fault) => Err(fault),
            State::Secret(secret) => Ok(machine.read_secret(&secret)),
            State::Running => machine.needed_again(thunk),
            state if id != ROOT && machine.is_live() => machine.run_live(id, thunk, state),
            state => machine.run(thunk, state),
        })
    }

    fn is_live(&self) -> bool {
        self.tracer.as_ref().is_some_and(|tracer| tracer.live.is_some())
    }

    /// Runs `work` as a node that is read now.
    fn under<T>(&mut self, id: Id, work: impl FnOnce(&mut Machine) -> T) -> T {
        if let Some(tracer) = &mut self.tracer {
            tracer.edge(id);
            tracer.stack.push(id);
        }
        let result = work(self);
        if let Some(tracer) = &mut self.tracer {
            tracer.stack.pop();
        }
        result
    }

    /// Makes a thunk for a layer's field. The value's own thunk may be shared with other records.
    #[cold]
    pub(super) fn traced_layer(&mut self, record: &Record, name: &str, leaf: u32, value: Thunk) -> Thunk {
        let origin = Origin::Layer(record.clone(), Name::new(name), leaf);
        self.named(origin, value)
    }

    /// Makes a thunk for a field. The value's own thunk may be shared with other records.
    pub(super) fn traced_field(&mut self, record: &Record, name: &str, value: Thunk) -> Thunk {
        match self.tracer {
            Some(_) => self.named(Origin::Field(record.clone(), Name::new(name)), value),
            None => value,
        }
    }

    fn named(&mut self, origin: Origin, value: Thunk) -> Thunk {
        let thunk = Thunk::holding(value, |machine, value| machine.force(value));
        self.name_thunk(&thunk, || origin);
        thunk
    }

    /// Like [`Machine::check_asserts`]. Every reader of the object also reads its asserts, even if they already hold.
    #[cold]
    #[inline(never)]
    pub(super) fn check_asserts_traced(&mut self, record: &Record) -> Result<(), Fault> {
        let Some(id) = self.tracer.as_mut().map(|t| t.of_origin(Origin::Asserts(record.clone()), None)) else {
            return Ok(());
        };
        self.under(id, |machine| match record.0.asserts.get() {
            Asserts::Unchecked => machine.deeper(|machine| machine.run_asserts(record)),
            _ => Ok(()),
        })
    }

    /// Forces all parts of a value, each once, at most `most` parts and [`MAX_DEPTH`] levels. Ignores faults. Returns
    /// whether all parts were forced. O(parts).
    pub fn force_all(&mut self, thunk: &Thunk, most: usize) -> bool {
        let mut whole = true;
        let mut work = vec![(thunk.clone(), 0)];
        // Kept so that no address is reused.
        let mut parts: Vec<Thunk> = Vec::new();
        let mut seen = FxHashSet::default();
        while let Some((next, depth)) = work.pop() {
            if depth > MAX_DEPTH {
                whole = false;
                continue;
            }
            if !seen.insert(next.address()) {
                continue;
            }
            let inside = |thunk: Thunk| (thunk, depth + 1);
            parts.push(next.clone());
            if parts.len() > most || self.tick().is_err() {
                return false;
            }
            match self.force(&next) {
                Ok(Value::Record(record)) => {
                    // By index, so that a field whose guard fails does not hide the others.
                    for index in (0..record.count() as u32).rev() {
                        let field = match self.field_info(&record, index) {
                            // the condition of a field that is off reads other fields, too
                            Ok(field) => match field.and_then(|field| field.value) {
                                None if record.has_condition(index) => self.field_thunk(&record, index),
                                value => value,
                            },
                            Err(fault) if fault.is_transient() => return false,
                            Err(_) => self.field_thunk(&record, index),
                        };
                        work.extend(field.map(inside));
                    }
                }
                Ok(Value::Array(array)) => match self.items(&array) {
                    Ok(elements) => work.extend(elements.iter().rev().cloned().map(inside)),
                    Err(_) => return false,
                },
                Ok(Value::Variant(_, argument)) => work.push(inside(argument)),
                Ok(_) => {}
                Err(fault) if fault.is_transient() => return false,
                Err(_) => {}
            }
        }
        whole
    }
}
