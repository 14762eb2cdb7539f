//! Incremental evaluation: after an input has changed, only the thunks whose reads have changed are computed again.
//!
//! The machine traces ([`super::trace`]) and keeps, for each thunk, the state from which it was computed. [`Machine::changed`] puts all
//! thunks that read an input, directly or through others, back into these states, with their old values. When such a thunk
//! is forced, its reads are brought up to date first, in their order. If none of them has another value than before, the
//! thunk gets its old value back. Otherwise it runs. So a thunk that still has the same value stops a change: of
//! `datetime.hour(datetime.now())`, nothing that reads the hour is computed again before the hour changes.
//!
//! ```text
//! $now = datetime.now()          runs at each event
//! $hour = datetime.hour($now)    runs, and has the same value
//! content => "${…$hour…}"        keeps its value
//! ```

use super::env::{Env, Unit};
use super::thunk::State;
use super::trace::{Id, Origin, ROOT, Reads};
use super::{Fault, Machine, Thunk, Value};
use crate::number::Number;
use crate::term::NodeId;
use crate::text::Name;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::rc::Rc;

/// Maximum number of nodes. A larger program is evaluated as a whole at each event.
const MAX_NODES: usize = 1_500_000;

/// Number of nodes that may be added before unused ones are looked for.
const MIN_GROWTH: usize = if cfg!(test) { 50 } else { 20_000 };

/// The data of incremental evaluation: that of each node, the readers of each node, and the inputs.
pub struct LiveState {
    nodes: Vec<LiveNode>,
    /// Pairs of a node and a node that reads it.
    readers: BTreeSet<(Id, Id)>,
    /// The nodes of inputs, by name. An input that has no value has one too, if it was asked for.
    inputs: FxHashMap<Name, Id>,
    /// The number of the current event, from 1.
    now: u32,
    /// Number of thunks that ran since the event.
    computed: usize,
    /// The operands of merges, by the node that merges them.
    operands: FxHashMap<Id, Operands>,
    /// The nodes that are not used.
    free: Vec<Id>,
    /// Number of nodes at which unused ones are looked for.
    limit: usize,
}

#[derive(Default)]
struct LiveNode {
    /// The state from which its thunk was computed.
    restart: Option<State>,
    /// The value that it had before an event that may have changed it.
    old: Option<State>,
    /// The last event for which the value is known to be right.
    verified: u32,
    /// The last event at which the value changed.
    changed: u32,
    /// The last event at which it ran.
    ran: u32,
}

struct Operands {
    unit: Rc<Unit>,
    node: NodeId,
    env: Env,
    thunks: Vec<Thunk>,
}

impl Default for LiveState {
    fn default() -> LiveState {
        LiveState {
            nodes: Vec::new(),
            readers: BTreeSet::new(),
            inputs: FxHashMap::default(),
            now: 1,
            computed: 0,
            operands: FxHashMap::default(),
            free: Vec::new(),
            limit: MIN_GROWTH,
        }
    }
}

impl LiveState {
    /// Returns a node that is not used.
    pub(super) fn reuse(&mut self) -> Option<Id> {
        self.free.pop()
    }

    /// Records that a node reads another one.
    pub(super) fn edge(&mut self, from: Id, to: Id) {
        self.readers.insert((to, from));
    }

    fn node(&mut self, id: Id) -> &mut LiveNode {
        let index = id as usize;
        if self.nodes.len() <= index {
            self.nodes.resize_with(index + 1, LiveNode::default);
        }
        &mut self.nodes[index]
    }

    fn readers_of(&self, id: Id) -> Vec<Id> {
        self.readers.range((id, 0)..=(id, Id::MAX)).map(|(_, reader)| *reader).collect()
    }
}

/// Whether two results are known to be the same. Values with parts are compared by identity.
fn same(old: &State, new: &State) -> bool {
    let (State::Done(old), State::Done(new)) = (old, new) else { return false };
    match (old, new) {
        (Value::Null, Value::Null) => true,
        (Value::Bool(a), Value::Bool(b)) => a == b,
        (Value::Number(Number::Int(a)), Value::Number(Number::Int(b))) => a == b,
        (Value::Number(Number::Double(a)), Value::Number(Number::Double(b))) => a.to_bits() == b.to_bits(),
        (Value::String(a), Value::String(b)) => a.as_str() == b.as_str(),
        (Value::Tag(a), Value::Tag(b)) => a == b,
        (Value::Record(a), Value::Record(b)) => a.same(b),
        (Value::Function(a), Value::Function(b)) => Rc::ptr_eq(a, b),
        (Value::Native(a), Value::Native(b)) => Rc::ptr_eq(a, b),
        _ => false,
    }
}

impl Reads {
    /// Creates the graph of an evaluation that can be continued after events.
    pub fn live() -> Reads {
        let mut reads = Reads::default();
        reads.live = Some(Box::default());
        reads
    }

    /// Returns whether there are too many nodes, so that not all reads are known.
    pub fn is_too_large(&self) -> bool {
        self.is_full() || self.count() > MAX_NODES
    }

    /// Returns the number of thunks that ran since the last event.
    pub fn computed(&self) -> usize {
        self.live.as_ref().map_or(0, |live| live.computed)
    }

    /// Returns whether a thunk ran since the last event.
    pub fn has_run(&self, thunk: &Thunk) -> bool {
        let (Some(live), Some(id)) = (&self.live, self.node(thunk)) else { return true };
        live.nodes.get(id as usize).is_some_and(|node| node.ran == live.now)
    }

    /// Records that the running node asks for an input.
    pub(super) fn ask_for(&mut self, name: &Name) {
        let Some(known) = self.live.as_ref().map(|live| live.inputs.get(name).copied()) else { return };
        let id = known.unwrap_or_else(|| self.add(Origin::External(name.clone()), None));
        if let Some(live) = &mut self.live {
            live.inputs.insert(name.clone(), id);
        }
        self.edge(id);
    }

    /// Marks everything that may depend on an input whose value changed, and returns the nodes. O(those that may depend).
    pub fn mark(&mut self, input: &str) -> Vec<Id> {
        let Some(live) = &mut self.live else { return Vec::new() };
        live.now += 1;
        live.computed = 0;
        let Some(from) = live.inputs.get(input).copied() else { return Vec::new() };
        let now = live.now;
        live.node(from).changed = now;
        let mut marked = Vec::new();
        let mut work = live.readers_of(from);
        while let Some(id) = work.pop() {
            let Some(thunk) = self.nodes.get(id as usize).and_then(|node| node.thunk.as_ref()) else { continue };
            let node = live.node(id);
            // readers of a thunk that is marked already are marked too
            let (true, Some(restart)) = (thunk.is_forced(), node.restart.clone()) else { continue };
            node.old = Some(thunk.state());
            thunk.finish(restart);
            marked.push(id);
            work.extend(live.readers_of(id));
        }
        marked
    }

    /// Forgets what a node read, before it runs from a state.
    fn begin(&mut self, id: Id, restart: State) {
        let reads = self.nodes.get_mut(id as usize).map(|node| std::mem::take(&mut node.reads)).unwrap_or_default();
        let Some(live) = &mut self.live else { return };
        live.node(id).restart = Some(restart);
        for read in reads {
            self.edges.remove(&(id, read));
            live.readers.remove(&(read, id));
        }
    }

    /// Records that a node ran.
    fn end(&mut self, id: Id, old: Option<&State>, new: &State) {
        let Some(live) = &mut self.live else { return };
        let now = live.now;
        live.computed += 1;
        let node = live.node(id);
        node.verified = now;
        node.ran = now;
        if !old.is_some_and(|old| same(old, new)) {
            node.changed = now;
        }
    }

    /// Returns whether enough nodes have been added to look for unused ones.
    pub fn has_grown(&self) -> bool {
        self.live.as_ref().is_some_and(|live| self.nodes.len() - live.free.len() > live.limit)
    }

    /// Frees the nodes that the roots do not need. O(nodes).
    pub fn tidy(&mut self, roots: &[Thunk]) {
        let Some(live) = &self.live else { return };
        let mut needed = vec![false; self.nodes.len()];
        let mut work: Vec<Id> = roots.iter().filter_map(|root| self.node(root)).collect();
        work.extend(live.inputs.values().copied().chain([ROOT]));
        work.extend(live.free.iter().copied());
        while let Some(id) = work.pop() {
            match needed.get_mut(id as usize) {
                Some(seen) if !*seen => *seen = true,
                _ => continue,
            }
            work.extend(self.nodes.get(id as usize).iter().flat_map(|node| node.reads.iter().copied()));
        }
        for (index, needed) in needed.into_iter().enumerate() {
            if !needed {
                self.free(index as Id);
            }
        }
        if let Some(live) = &mut self.live {
            live.limit = 2 * (self.nodes.len() - live.free.len()) + MIN_GROWTH;
        }
    }

    /// Frees a node. Its thunk, which something may still hold, becomes unforced.
    fn free(&mut self, id: Id) {
        self.begin_free(id);
        let Some(node) = self.nodes.get_mut(id as usize) else { return };
        let origin = std::mem::replace(&mut node.origin, Origin::Work);
        let thunk = node.thunk.take();
        self.forget_origin(&origin);
        let Some(live) = &mut self.live else { return };
        let known = std::mem::take(live.node(id));
        live.operands.remove(&id);
        live.free.push(id);
        if let Some(thunk) = thunk {
            self.thunks.remove(&thunk.address());
            self.places.remove(&thunk.address());
            if let (true, Some(restart)) = (thunk.is_forced(), known.restart) {
                thunk.finish(restart);
            }
        }
    }

    fn begin_free(&mut self, id: Id) {
        let reads = self.nodes.get_mut(id as usize).map(|node| std::mem::take(&mut node.reads)).unwrap_or_default();
        let Some(live) = &mut self.live else { return };
        for read in reads {
            self.edges.remove(&(id, read));
            live.readers.remove(&(read, id));
        }
    }
}

impl Machine {
    /// Continues an evaluation that was traced before.
    pub fn resume_tracing(&mut self, reads: Reads) {
        self.tracer = Some(Box::new(reads));
    }

    /// Returns whether a thunk ran since the last event.
    pub fn has_run(&self, thunk: &Thunk) -> bool {
        self.tracer.as_ref().is_none_or(|tracer| tracer.has_run(thunk))
    }

    fn live_node(&mut self, id: Id) -> Option<&mut LiveNode> {
        Some(self.tracer.as_mut()?.live.as_mut()?.node(id))
    }

    /// Runs a thunk, or gives it its old value back if nothing that it read has changed.
    pub(super) fn run_live(&mut self, id: Id, thunk: &Thunk, state: State) -> Result<Value, Fault> {
        let old = self.live_node(id).and_then(|node| node.old.take());
        if let Some(old) = &old {
            match self.deeper(|machine| machine.has_changed_reads(id)) {
                Ok(true) => {}
                Ok(false) => {
                    thunk.finish(old.clone());
                    if let Some(live) = self.tracer.as_mut().and_then(|tracer| tracer.live.as_mut()) {
                        live.node(id).verified = live.now;
                    }
                    return match old {
                        State::Done(value) => Ok(value.clone()),
                        State::Failed(fault) => Err(fault.clone()),
                        State::Secret(secret) => Ok(self.read_secret(secret)),
                        _ => Err(Fault::undefined("not computed", None)),
                    };
                }
                Err(fault) => {
                    thunk.finish(state);
                    if let Some(node) = self.live_node(id) {
                        node.old = Some(old.clone());
                    }
                    return Err(fault);
                }
            }
        }
        if let Some(tracer) = &mut self.tracer {
            tracer.begin(id, state.clone());
        }
        let result = self.run(thunk, state);
        let new = thunk.state();
        if let Some(tracer) = &mut self.tracer {
            tracer.end(id, old.as_ref(), &new);
        }
        result
    }

    /// Brings the reads of a node up to date, in their order, until one has changed since the node was last right.
    fn has_changed_reads(&mut self, id: Id) -> Result<bool, Fault> {
        let Some(verified) = self.live_node(id).map(|node| node.verified) else { return Ok(true) };
        let mut at = 0;
        loop {
            let read = self.tracer.as_ref().and_then(|tracer| tracer.reads(id).get(at).copied());
            let Some(read) = read else { return Ok(false) };
            at += 1;
            self.tick()?;
            let thunk = self.tracer.as_ref().and_then(|tracer| tracer.thunk(read).cloned());
            if let Some(thunk) = thunk.filter(|thunk| !thunk.is_forced())
                && let Err(fault) = self.force(&thunk)
                && fault.is_transient()
            {
                return Err(fault);
            }
            if self.live_node(read).is_none_or(|node| node.changed > verified) {
                return Ok(true);
            }
        }
    }

    /// Returns the operands that a merge had when the running node ran before, in the same environment. So a change of one
    /// operand leaves the others as they are.
    pub(super) fn kept_operands(&self, unit: &Rc<Unit>, node: NodeId, env: &Env) -> Option<Vec<Thunk>> {
        let tracer = self.tracer.as_ref()?;
        let kept = tracer.live.as_ref()?.operands.get(&tracer.running()?)?;
        let same = kept.node == node && Rc::ptr_eq(&kept.unit, unit) && kept.env.same(env);
        same.then(|| kept.thunks.clone())
    }

    /// Keeps the operands of a merge.
    pub(super) fn keep_operands(&mut self, unit: &Rc<Unit>, node: NodeId, env: &Env, thunks: &[Thunk]) {
        let Some(tracer) = &mut self.tracer else { return };
        let Some(id) = tracer.running() else { return };
        if let Some(live) = &mut tracer.live {
            let kept = Operands { unit: unit.clone(), node, env: env.clone(), thunks: thunks.to_vec() };
            live.operands.insert(id, kept);
        }
    }
}
