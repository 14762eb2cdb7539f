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
use super::env::{Closure, Env, Frame};
use super::native::Partial;
use super::record::{self, Record};
use super::thunk::{Inner, Job, Thunk, Work};
use super::{Label, Value};
use rustc_hash::FxHashMap;
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
        if self.all.len() >= self.purge.max(least) || (idle && self.all.len() >= self.kept * 2 + IDLE) {
            self.purge(idle, stop);
        }
    }

    #[cold]
    fn purge(&mut self, idle: bool, stop: &dyn Fn() -> bool) {
        self.forget_dead();
        let (least, times) = if idle { (IDLE, 1) } else { (COLLECT, 3) };
        let allowed = self.kept + least.max(self.kept * times).max(self.seen / 8);
        if self.all.len() > allowed {
            self.collect(stop);
        }
        self.purge = self.all.len() * 2;
    }

    fn forget_dead(&mut self) {
        self.all.retain(|knot| match knot {
            Knot::Thunk(weak) => weak.strong_count() > 0,
            Knot::Frame(weak) => weak.strong_count() > 0,
            Knot::Record(weak) => weak.strong_count() > 0,
        });
    }

    /// Frees every cycle that nothing outside holds. O(what the knots reach); stops between two objects when asked to.
    pub(super) fn collect(&mut self, stop: &dyn Fn() -> bool) {
        let mut graph = Graph::default();
        for knot in &self.all {
            match knot {
                Knot::Thunk(weak) => weak.upgrade().map(|rc| graph.add(Object::Thunk(Thunk(rc)))),
                Knot::Frame(weak) => weak.upgrade().map(|rc| graph.add(Object::Frame(rc))),
                Knot::Record(weak) => weak.upgrade().map(|rc| graph.add(Object::Record(rc))),
            };
        }
        if graph.count(stop) && graph.mark(stop) {
            self.seen = graph.objects.len() + graph.steps / 16;
            graph.free();
            self.forget_dead();
        } else {
            drop(graph);
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

struct Seen {
    object: Object,
    /// References from other objects that were seen.
    inside: u32,
    lives: bool,
}

/// What the knots reach.
#[derive(Default)]
pub struct Graph {
    index: FxHashMap<usize, u32>,
    objects: Vec<Seen>,
    /// Marking: those that live and were not followed yet.
    work: Vec<u32>,
    marking: bool,
    /// How many references to thunks were looked at.
    steps: usize,
}

impl Graph {
    fn add(&mut self, object: Object) -> u32 {
        let next = self.objects.len() as u32;
        let number = *self.index.entry(object.address()).or_insert(next);
        if number == next {
            self.objects.push(Seen { object, inside: 0, lives: false });
        }
        number
    }

    /// A reference from the object that is being followed.
    fn edge(&mut self, object: Object) {
        if self.marking {
            if let Some(number) = self.index.get(&object.address())
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
    fn count(&mut self, stop: &dyn Fn() -> bool) -> bool {
        let mut next = 0;
        while let Some(seen) = self.objects.get(next) {
            let object = seen.object.clone();
            object.follow(self);
            next += 1;
            if next & 4095 == 0 && stop() {
                return false;
            }
        }
        true
    }

    /// Marks what is held from outside, and all it reaches. Whether it came to its end.
    fn mark(&mut self, stop: &dyn Fn() -> bool) -> bool {
        self.marking = true;
        for (seen, number) in self.objects.iter_mut().zip(0..) {
            // one reference is the graph's own
            if seen.object.references() > seen.inside as usize + 1 {
                seen.lives = true;
                self.work.push(number);
            }
        }
        let mut turns = 0;
        while let Some(number) = self.work.pop() {
            let Some(seen) = self.objects.get(number as usize) else { continue };
            let object = seen.object.clone();
            object.follow(self);
            turns += 1;
            if turns & 4095 == 0 && stop() {
                return false;
            }
        }
        true
    }

    /// Breaks every cycle of what does not live. The graph holds all of it meanwhile, so that drops nest nowhere.
    fn free(self) {
        for seen in &self.objects {
            match &seen.object {
                Object::Thunk(thunk) if !seen.lives => thunk.clear(),
                Object::Frame(frame) if !seen.lives => frame.clear(),
                _ => {}
            }
        }
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
