//! Freeing cycles: recursive records and `let rec` refer to themselves, and counting references never frees them.
//!
//! [`Knots`] remembers, weakly, all that can close a cycle. An edge from something older to something newer arises in three
//! ways only: a thunk comes to a value that holds others, a recursive `let` fills its frame, a record makes a field that
//! refers to the record. Every cycle has such an edge, so every cycle has a knot.
//!
//! A collection walks what the knots reach and counts, for each object, the references that come from there. An object with
//! more references than those is held from outside (the session, the Rust stack, a closure that cannot be looked into): it
//! lives, and all it reaches. The rest is held by itself alone; taking what its thunks and frames hold breaks the cycles.
//! No roots are named, so it is right at any point, in the middle of an evaluation too: what a local variable
//! holds is held from outside. What cannot be looked into keeps alive, and is never freed wrongly.

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

/// How many knots are remembered before the dead ones are first left out.
const PURGE: usize = 8_192;
/// How many more living knots there are before cycles are looked for.
const COLLECT: usize = 32_768;
/// The same where nothing runs.
const IDLE: usize = 4_096;

/// Something that can close a cycle.
enum Knot {
    Thunk(Weak<Inner>),
    Frame(Weak<Frame>),
    Record(Weak<record::Node>),
}

/// All that can close a cycle, and when to look at it.
#[derive(Default)]
pub(super) struct Knots {
    all: Vec<Knot>,
    /// How many there may be before the dead are left out.
    purge: usize,
    /// How many were left by the last collection.
    kept: usize,
    /// How many objects it saw.
    seen: usize,
    /// Whether the last one was stopped before its end.
    stopped: bool,
    /// What a memory limit's nearness asks for.
    pub(super) collections: u64,
}

impl Knots {
    /// A thunk that came to a value.
    #[inline]
    pub(super) fn thunk(&mut self, thunk: &Thunk, value: &Value) {
        let holds = match value {
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Tag(_) => false,
            Value::Array(array) => !array.is_empty(),
            Value::Native(partial) => !partial.args.is_empty(),
            _ => true,
        };
        if holds {
            self.all.push(Knot::Thunk(Rc::downgrade(&thunk.0)));
        }
    }

    /// The frame of a recursive `let`.
    pub(super) fn frame(&mut self, env: &Env) {
        if let Some(frame) = &env.0 {
            self.all.push(Knot::Frame(Rc::downgrade(frame)));
        }
    }

    /// A record with a field that refers to it.
    pub(super) fn record(&mut self, record: &Record) {
        self.all.push(Knot::Record(Rc::downgrade(&record.0)));
    }

    /// Frees cycles if enough was made since the last time. Amortized O(1) a knot.
    #[inline]
    pub(super) fn tend(&mut self, idle: bool, stop: &dyn Fn() -> bool) {
        let least = if idle { IDLE } else { PURGE };
        let due = self.all.len() >= self.purge.max(least);
        if due || (idle && (self.stopped || self.all.len() >= self.kept * 2 + IDLE)) {
            self.purge(idle, stop);
        }
    }

    /// Whether a collection was stopped before its end, and is left to be made.
    pub(super) fn is_stopped(&self) -> bool {
        self.stopped
    }

    #[cold]
    fn purge(&mut self, idle: bool, stop: &dyn Fn() -> bool) {
        // what waits to be taken apart lives as far as anybody can tell
        deferred_drop::empty(stop);
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
        self.all.retain(|knot| {
            turns = turns.wrapping_add(1);
            stopped |= turns & 4095 == 0 && stop();
            stopped
                || match knot {
                    Knot::Thunk(weak) => weak.strong_count() > 0,
                    Knot::Frame(weak) => weak.strong_count() > 0,
                    Knot::Record(weak) => weak.strong_count() > 0,
                }
        });
    }

    /// Frees every cycle that nothing outside holds. O(what the knots reach); stops between two objects when asked to.
    pub(super) fn collect(&mut self, stop: &dyn Fn() -> bool) {
        let mut graph = Graph::new(stop, self.all.len() * OBJECTS);
        for (turn, knot) in self.all.iter().enumerate() {
            if turn & 4095 == 4095 && stop() {
                self.stopped = true;
                return discard_all(graph.objects, |_| {});
            }
            match knot {
                Knot::Thunk(weak) => weak.upgrade().map(|rc| graph.add(Object::Thunk(Thunk(rc)))),
                Knot::Frame(weak) => weak.upgrade().map(|rc| graph.add(Object::Frame(rc))),
                Knot::Record(weak) => weak.upgrade().map(|rc| graph.add(Object::Record(rc))),
            };
        }
        if graph.count() && graph.mark() {
            self.seen = graph.objects.len() + graph.steps / 16;
            graph.free();
            // who is left is counted
            deferred_drop::empty(stop);
            self.forget_dead(stop);
        } else {
            discard_all(graph.objects, |_| {});
        }
        self.kept = self.all.len();
        self.collections += 1;
    }

    /// How many knots are remembered.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.all.len()
    }
}

/// Something that is shared by counting references.
#[derive(Clone)]
enum Object {
    Thunk(Thunk),
    Frame(Rc<Frame>),
    Record(Rc<record::Node>),
    Array(Rc<array::Node>),
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

/// How many objects a knot reaches, about.
const OBJECTS: usize = 4;
/// How many addresses a part of that table is made for. To grow a larger one takes longer than an interrupt may wait; a
/// smaller one has its memory in small pages, which makes it slow.
const PART: usize = 1 << 21;

/// Addresses hashed so that those of a block of 1 MB keep their order: what was allocated side by side, and is walked side by
/// side, stands side by side in the table, which is far larger than the processor's caches. The blocks themselves are spread,
/// so that full ones do not pile up.
#[derive(Default)]
struct Order(u64);

impl Hasher for Order {
    fn write(&mut self, _: &[u8]) {}

    fn write_usize(&mut self, address: usize) {
        const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;
        // an address is a multiple of 16
        let place = address as u64 >> 4;
        let block = (place >> 16).wrapping_mul(SPREAD) >> 24;
        // the seven highest bits tell entries of a group apart
        let tag = place.wrapping_mul(SPREAD) & (0x7f << 57);
        self.0 = place & 0xffff | (block << 16) & !(0x7f << 57) | tag;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// Numbers by address.
type Addresses = HashMap<usize, u32, BuildHasherDefault<Order>>;

/// Drops objects by and by, each after `last` was done with it.
fn discard_all(objects: Chunks<Seen>, last: fn(&Seen)) {
    for chunk in objects.into_chunks() {
        discard_each(chunk.into_iter().map(move |seen| last(&seen)));
    }
}

struct Seen {
    object: Object,
    /// References from other objects that were seen.
    inside: u32,
    lives: bool,
}

/// What the knots reach.
pub struct Graph<'s> {
    stop: &'s dyn Fn() -> bool,
    /// Whether somebody wanted an end: nothing is counted or marked after that.
    stopped: bool,
    /// How many references were told of.
    turns: u32,
    /// Where each object stands, by address. In parts: to grow one large table takes longer than an interrupt may wait.
    index: Vec<Addresses>,
    objects: Chunks<Seen>,
    /// Marking: those that live and were not followed yet.
    work: Vec<u32>,
    marking: bool,
    /// How many references to thunks were looked at.
    steps: usize,
}

impl<'s> Graph<'s> {
    /// Of about so many objects.
    fn new(stop: &'s dyn Fn() -> bool, objects: usize) -> Graph<'s> {
        let parts = objects.div_ceil(PART).max(1);
        let part = Addresses::default;
        let (index, objects) = ((0..parts).map(|_| part()).collect(), Chunks::default());
        Graph { stop, stopped: false, turns: 0, index, objects, work: Vec::new(), marking: false, steps: 0 }
    }

    /// Counts a turn, and looks now and then whether somebody wants an end.
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
            self.objects.push(Seen { object, inside: 0, lives: false });
        }
        number
    }

    /// A reference from the object that is being followed.
    fn edge(&mut self, object: Object) {
        // one object may refer to millions
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

    /// Follows everything and counts. Whether it came to its end.
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

    /// Marks what is held from outside, and all it reaches. Whether it came to its end.
    fn mark(&mut self) -> bool {
        self.marking = true;
        for (seen, number) in self.objects.iter_mut().zip(0u32..) {
            if number & 4095 == 4095 && (self.stop)() {
                return false;
            }
            // one reference is the graph's own
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

    /// Breaks every cycle of what does not live.
    fn free(self) {
        discard_all(self.objects, |seen| match &seen.object {
            Object::Thunk(thunk) if !seen.lives => thunk.clear(),
            Object::Frame(frame) if !seen.lives => frame.clear(),
            _ => {}
        });
    }
}

/// Tells a [`Graph`] of each reference that something holds: each once, so often as it holds it.
pub trait Trace {
    /// Tells of the references.
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
    Rc<array::Node> => Array,
    Rc<dyn Job> => Work,
}

/// A reference to a thunk: what a holder of one tells of. One that holds nothing is in no cycle, and most are such.
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
