//! Frees reference cycles. Recursive records and `let rec` refer to themselves, so reference counts alone never free
//! them.
//!
//! [`CycleCandidates`] holds weak references to the *candidates*, all objects that can close a cycle. A reference from
//! an older object to a newer one arises in three ways only: a thunk gets a value that holds others, a recursive `let`
//! fills its frame, a record makes a field that refers to the record. Every cycle contains such a reference, so every
//! cycle contains a candidate.
//!
//! A collection traverses what the candidates reach and counts, for each object, the references that come from there.
//! An object with more references than those is referenced from outside (the session, the Rust stack, a closure that
//! cannot be traversed), so it is live, with all that it reaches. The rest is referenced only by itself; clearing its
//! thunks and frames breaks the cycles. The collector needs no roots, so it can run at any point, even during an
//! evaluation: what a local variable holds counts as referenced from outside. An object that cannot be traversed keeps
//! its references alive, and is never freed wrongly.

use super::array;
use super::contract::{Applied, Contract, Guarded, Sealed};
use super::deferred_drop::{self, discard_each};
use super::env::{Closure, Env, Frame};
use super::native::Partial;
use super::record::{self, Record};
use super::thunk::{Inner, Job, Thunk, Work};
use super::{Label, Value};
use crate::chunks::Chunks;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::rc::{Rc, Weak};

/// Minimum number of candidates before dead ones are removed.
const PURGE: usize = 8_192;
/// Minimum growth in live candidates before a collection.
const COLLECT: usize = 32_768;
/// The same limit while no evaluation runs.
const IDLE: usize = 4_096;

/// A weak reference to an object that can close a cycle.
enum CycleCandidate {
    Thunk(Weak<Inner>),
    Frame(Weak<Frame>),
    Record(Weak<record::RecordNode>),
}

/// The objects that can close a cycle, and the statistics that decide when to collect.
#[derive(Default)]
pub(super) struct CycleCandidates {
    all: Vec<CycleCandidate>,
    /// Number of candidates at which dead ones are removed.
    purge: usize,
    /// Number of candidates that the last collection left.
    kept: usize,
    /// Number of objects that the last collection visited.
    seen: usize,
    /// Whether the last collection was interrupted.
    stopped: bool,
    /// Number of collections so far.
    pub(super) collections: u64,
}

impl CycleCandidates {
    /// Adds a thunk that got a value, if the value can hold others.
    #[inline]
    pub(super) fn thunk(&mut self, thunk: &Thunk, value: &Value) {
        let holds = match value {
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Tag(_) => false,
            Value::Array(array) => !array.is_empty(),
            Value::Native(partial) => !partial.args.is_empty(),
            _ => true,
        };
        if holds {
            self.all.push(CycleCandidate::Thunk(Rc::downgrade(&thunk.0)));
        }
    }

    /// Adds the frame of a recursive `let`.
    pub(super) fn frame(&mut self, env: &Env) {
        if let Some(frame) = &env.0 {
            self.all.push(CycleCandidate::Frame(Rc::downgrade(frame)));
        }
    }

    /// Adds a record with a field that refers to the record.
    pub(super) fn record(&mut self, record: &Record) {
        self.all.push(CycleCandidate::Record(Rc::downgrade(&record.0)));
    }

    /// Frees cycles if enough candidates were added since the last collection. Amortized O(1) per candidate.
    #[inline]
    pub(super) fn collect_if_due(&mut self, idle: bool, stop: &dyn Fn() -> bool) {
        let least = if idle { IDLE } else { PURGE };
        let due = self.all.len() >= self.purge.max(least);
        if due || (idle && (self.stopped || self.all.len() >= self.kept * 2 + IDLE)) {
            self.purge(idle, stop);
        }
    }

    /// Returns whether the last collection was interrupted and must be repeated.
    pub(super) fn is_stopped(&self) -> bool {
        self.stopped
    }

    #[cold]
    fn purge(&mut self, idle: bool, stop: &dyn Fn() -> bool) {
        // Values in the queue of deferred drops would count as live.
        deferred_drop::drop_all(stop);
        self.forget_dead(stop);
        let (least, times) = if idle { (IDLE, 1) } else { (COLLECT, 3) };
        let allowed = self.kept + least.max(self.kept * times).max(self.seen / 8);
        let was_stopped = std::mem::take(&mut self.stopped);
        if self.all.len() > allowed || (idle && was_stopped && self.all.len() > IDLE) {
            self.collect(stop);
        }
        self.stopped |= stop();
        self.purge = self.all.len() * 2;
    }

    fn forget_dead(&mut self, stop: &dyn Fn() -> bool) {
        let (mut turns, mut stopped) = (0u32, false);
        self.all.retain(|candidate| {
            turns = turns.wrapping_add(1);
            stopped |= turns & 4095 == 0 && stop();
            stopped
                || match candidate {
                    CycleCandidate::Thunk(weak) => weak.strong_count() > 0,
                    CycleCandidate::Frame(weak) => weak.strong_count() > 0,
                    CycleCandidate::Record(weak) => weak.strong_count() > 0,
                }
        });
    }

    /// Frees every cycle that is not referenced from outside. O(objects that the candidates reach). Stops between two
    /// objects if `stop` returns `true`.
    pub(super) fn collect(&mut self, stop: &dyn Fn() -> bool) {
        let mut graph = Graph::new(stop, self.all.len() * OBJECTS);
        for (turn, candidate) in self.all.iter().enumerate() {
            if turn & 4095 == 4095 && stop() {
                self.stopped = true;
                return discard_all(graph.objects, |_| {});
            }
            match candidate {
                CycleCandidate::Thunk(weak) => weak.upgrade().map(|rc| graph.add(Object::Thunk(Thunk(rc)))),
                CycleCandidate::Frame(weak) => weak.upgrade().map(|rc| graph.add(Object::Frame(rc))),
                CycleCandidate::Record(weak) => weak.upgrade().map(|rc| graph.add(Object::Record(rc))),
            };
        }
        if graph.count() && graph.mark() {
            self.seen = graph.objects.len() + graph.steps / 16;
            graph.free();
            // What remains in `all` is counted below.
            deferred_drop::drop_all(stop);
            self.forget_dead(stop);
        } else {
            discard_all(graph.objects, |_| {});
        }
        self.kept = self.all.len();
        self.collections += 1;
    }

    /// Returns the number of candidates.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.all.len()
    }
}

/// A reference-counted object.
#[derive(Clone)]
enum Object {
    Thunk(Thunk),
    Frame(Rc<Frame>),
    Record(Rc<record::RecordNode>),
    Array(Rc<array::ArrayNode>),
    Closure(Rc<Closure>),
    Partial(Rc<Partial>),
    Guarded(Rc<Guarded>),
    Contract(Rc<Contract>),
    Applied(Rc<Applied>),
    Label(Rc<Label>),
    Sealed(Rc<Sealed>),
    Work(Work),
}

impl Object {
    fn references(&self) -> usize {
        match self {
            Object::Thunk(x) => Rc::strong_count(&x.0),
            Object::Frame(x) => Rc::strong_count(x),
            Object::Record(x) => Rc::strong_count(x),
            Object::Array(x) => Rc::strong_count(x),
            Object::Closure(x) => Rc::strong_count(x),
            Object::Partial(x) => Rc::strong_count(x),
            Object::Guarded(x) => Rc::strong_count(x),
            Object::Contract(x) => Rc::strong_count(x),
            Object::Applied(x) => Rc::strong_count(x),
            Object::Label(x) => Rc::strong_count(x),
            Object::Sealed(x) => Rc::strong_count(x),
            Object::Work(x) => Rc::strong_count(x),
        }
    }

    fn address(&self) -> usize {
        fn of<T: ?Sized>(rc: &Rc<T>) -> usize {
            Rc::as_ptr(rc).cast::<()>() as usize
        }
        match self {
            Object::Thunk(x) => of(&x.0),
            Object::Frame(x) => of(x),
            Object::Record(x) => of(x),
            Object::Array(x) => of(x),
            Object::Closure(x) => of(x),
            Object::Partial(x) => of(x),
            Object::Guarded(x) => of(x),
            Object::Contract(x) => of(x),
            Object::Applied(x) => of(x),
            Object::Label(x) => of(x),
            Object::Sealed(x) => of(x),
            Object::Work(x) => of(x),
        }
    }

    fn follow(&self, to: &mut Graph) {
        match self {
            Object::Thunk(x) => x.follow(to),
            Object::Frame(x) => x.follow(to),
            Object::Record(x) => x.follow(to),
            Object::Array(x) => x.follow(to),
            Object::Closure(x) => {
                x.env.trace(to);
                x.args.trace(to);
            }
            Object::Partial(x) => x.args.trace(to),
            Object::Guarded(x) => x.follow(to),
            Object::Contract(x) => x.follow(to),
            Object::Applied(x) => {
                x.env.trace(to);
                x.label.trace(to);
            }
            Object::Label(x) => x.value.trace(to),
            Object::Sealed(x) => {
                x.value.trace(to);
                x.label.trace(to);
            }
            Object::Work(x) => x.follow(to),
        }
    }
}

/// Estimated number of objects per candidate.
const OBJECTS: usize = 4;
/// Number of addresses for which a part of the table is made. Growing a larger table would delay an interrupt too long;
/// a smaller one has its memory in small pages, which makes it slow.
const PART: usize = 1 << 21;

/// A hasher for addresses that keeps the order within a block of 1 MB. Objects that were allocated together are
/// traversed together, so their entries are close in the table, which is far larger than the processor's caches. The
/// blocks are spread over the table, so that full blocks do not collide.
#[derive(Default)]
struct AddressHasher(u64);

impl Hasher for AddressHasher {
    fn write(&mut self, _: &[u8]) {}

    fn write_usize(&mut self, address: usize) {
        const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;
        // An address is a multiple of 16.
        let place = address as u64 >> 4;
        let block = (place >> 16).wrapping_mul(SPREAD) >> 24;
        // The hash table distinguishes the entries of a group by the seven highest bits.
        let tag = place.wrapping_mul(SPREAD) & (0x7f << 57);
        self.0 = place & 0xffff | (block << 16) & !(0x7f << 57) | tag;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// Object numbers by address.
type Addresses = HashMap<usize, u32, BuildHasherDefault<AddressHasher>>;

/// Drops objects in slices, and calls `last` on each before it is dropped.
fn discard_all(objects: Chunks<Visited>, last: fn(&Visited)) {
    for chunk in objects.into_chunks() {
        discard_each(chunk.into_iter().map(move |seen| last(&seen)));
    }
}

struct Visited {
    object: Object,
    /// Number of references from other visited objects.
    inside: u32,
    lives: bool,
}

/// The objects that the candidates reach, with their reference counts.
pub struct Graph<'s> {
    stop: &'s dyn Fn() -> bool,
    /// Whether the collection was interrupted. Nothing is counted or marked after that.
    stopped: bool,
    /// Number of reported references.
    turns: u32,
    /// The number of each object, by address. Divided into parts, because growing one large table would delay an
    /// interrupt.
    index: Vec<Addresses>,
    objects: Chunks<Visited>,
    /// Live objects that are still to be traversed.
    work: Vec<u32>,
    marking: bool,
    /// Number of references to thunks that were examined.
    steps: usize,
}

impl<'s> Graph<'s> {
    /// Makes an empty graph for about `objects` objects.
    fn new(stop: &'s dyn Fn() -> bool, objects: usize) -> Graph<'s> {
        let parts = objects.div_ceil(PART).max(1);
        let part = Addresses::default;
        let (index, objects) = ((0..parts).map(|_| part()).collect(), Chunks::default());
        Graph { stop, stopped: false, turns: 0, index, objects, work: Vec::new(), marking: false, steps: 0 }
    }

    /// Counts a step, and checks the interrupt at every 4096th.
    fn is_stopped(&mut self) -> bool {
        self.turns = self.turns.wrapping_add(1);
        self.stopped |= self.turns & 4095 == 0 && (self.stop)();
        self.stopped
    }

    fn add(&mut self, object: Object) -> u32 {
        let next = self.objects.len() as u32;
        let address = object.address();
        let part = (address >> 21) % self.index.len();
        let Some(table) = self.index.get_mut(part) else { return next };
        let number = *table.entry(address).or_insert(next);
        if number == next {
            self.objects.push(Visited { object, inside: 0, lives: false });
        }
        number
    }

    /// Records a reference from the object that is being traversed.
    fn edge(&mut self, object: Object) {
        // One object may have millions of references.
        if self.is_stopped() {
            return;
        }
        if self.marking {
            let address = object.address();
            let part = (address >> 21) % self.index.len();
            if let Some(number) = self.index.get(part).and_then(|table| table.get(&address))
                && let Some(seen) = self.objects.get_mut(*number as usize)
                && !seen.lives
            {
                seen.lives = true;
                self.work.push(*number);
            }
            return;
        }
        let number = self.add(object);
        if let Some(seen) = self.objects.get_mut(number as usize) {
            seen.inside += 1;
        }
    }

    /// Traverses all objects and counts references. Returns `false` if interrupted.
    fn count(&mut self) -> bool {
        let mut next = 0;
        while let Some(seen) = self.objects.get(next) {
            let object = seen.object.clone();
            object.follow(self);
            next += 1;
            if self.is_stopped() {
                return false;
            }
        }
        true
    }

    /// Marks the objects that are referenced from outside, and all that they reach. Returns `false` if interrupted.
    fn mark(&mut self) -> bool {
        self.marking = true;
        for (seen, number) in self.objects.iter_mut().zip(0u32..) {
            if number & 4095 == 4095 && (self.stop)() {
                return false;
            }
            // The graph itself holds one reference.
            if seen.object.references() > seen.inside as usize + 1 {
                seen.lives = true;
                self.work.push(number);
            }
        }
        while let Some(number) = self.work.pop() {
            let Some(seen) = self.objects.get(number as usize) else { continue };
            let object = seen.object.clone();
            object.follow(self);
            if self.is_stopped() {
                return false;
            }
        }
        true
    }

    /// Breaks every cycle of objects that are not live.
    fn free(self) {
        discard_all(self.objects, |seen| match &seen.object {
            Object::Thunk(thunk) if !seen.lives => thunk.clear(),
            Object::Frame(frame) if !seen.lives => frame.clear(),
            _ => {}
        });
    }
}

/// Reports every reference that an object holds to a [`Graph`], as many times as the object holds it.
pub trait Trace {
    /// Reports the references.
    fn trace(&self, to: &mut Graph);
}

macro_rules! shared {
    ($($ty:ty => $variant:ident,)+) => {$(
        impl Trace for $ty {
            fn trace(&self, to: &mut Graph) {
                to.edge(Object::$variant(self.clone()));
            }
        }
    )+};
}

shared! {
    Rc<Applied> => Applied,
    Rc<Label> => Label,
    Rc<Sealed> => Sealed,
    Rc<array::ArrayNode> => Array,
    Rc<dyn Job> => Work,
}

/// A thunk that holds no other object is in no cycle, and most thunks are like that.
impl Trace for Thunk {
    fn trace(&self, to: &mut Graph) {
        to.steps += 1;
        if !self.is_leaf() {
            to.edge(Object::Thunk(self.clone()));
        }
    }
}

impl Trace for Record {
    fn trace(&self, to: &mut Graph) {
        to.edge(Object::Record(self.0.clone()));
    }
}

impl Trace for Env {
    fn trace(&self, to: &mut Graph) {
        if let Some(frame) = &self.0 {
            to.edge(Object::Frame(frame.clone()));
        }
    }
}

impl Trace for Value {
    fn trace(&self, to: &mut Graph) {
        match self {
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Tag(_) => {}
            Value::Variant(_, argument) => argument.trace(to),
            Value::Array(array) => array.trace(to),
            Value::Record(record) => record.trace(to),
            Value::Map(map) => map.trace(to),
            Value::Function(x) => to.edge(Object::Closure(x.clone())),
            Value::Native(x) => to.edge(Object::Partial(x.clone())),
            Value::Guarded(x) => to.edge(Object::Guarded(x.clone())),
            Value::Contract(x) => to.edge(Object::Contract(x.clone())),
            Value::Label(x) => x.trace(to),
            Value::Sealed(x) => x.trace(to),
        }
    }
}

impl<T: Trace> Trace for Option<T> {
    fn trace(&self, to: &mut Graph) {
        if let Some(held) = self {
            held.trace(to);
        }
    }
}

impl<T: Trace> Trace for [T] {
    fn trace(&self, to: &mut Graph) {
        self.iter().for_each(|held| held.trace(to));
    }
}

impl<T: Trace> Trace for Vec<T> {
    fn trace(&self, to: &mut Graph) {
        self.as_slice().trace(to);
    }
}

impl<T: Trace> Trace for std::cell::OnceCell<T> {
    fn trace(&self, to: &mut Graph) {
        if let Some(held) = self.get() {
            held.trace(to);
        }
    }
}

impl<A: Trace, B: Trace> Trace for (A, B) {
    fn trace(&self, to: &mut Graph) {
        self.0.trace(to);
        self.1.trace(to);
    }
}

impl<A: Trace, B: Trace, C: Trace> Trace for (A, B, C) {
    fn trace(&self, to: &mut Graph) {
        self.0.trace(to);
        self.1.trace(to);
        self.2.trace(to);
    }
}
