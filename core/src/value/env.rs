//! Environments: linked frames as [`crate::term`] says, and the units of program they belong to.

use super::Revision;
use super::collect::{Graph, Trace};
use super::deferred_drop::{discard, discard_each};
use super::stack::Shape;
use super::thunk::Thunk;
use super::{Record, reach};
use crate::term::{Node, NodeId, Rules, Term};
use crate::text::Span;
use rustc_hash::FxHashMap;
use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

/// A term that is being evaluated, with what evaluation knows of it.
pub struct Unit {
    /// The term.
    pub term: Arc<Term>,
    /// When it was made: what its names mean.
    pub born: Revision,
    reach: OnceCell<Vec<u64>>,
    /// The shapes of record literals, built when one is first evaluated.
    pub(super) shapes: RefCell<FxHashMap<NodeId, Rc<Shape>>>,
    /// The shapes of plain literals, by a hash of their names.
    pub(super) alike: RefCell<FxHashMap<u64, Rc<Shape>>>,
    /// Whether the unit was imported: merge functions do not reach into what it merged itself.
    pub imported: bool,
    /// The rules of its language.
    pub rules: &'static Rules,
    /// Whether operators work on whatever their operands are: asked at every one.
    pub overloads: bool,
    /// Whether frames are counted: then nothing is evaluated, and no variable looked up, before it is asked for.
    pub framed: bool,
    /// Whether every expression has a thunk of its own that evaluates it: where frames are counted, and for [`super::trace`].
    pub late: bool,
}

impl Unit {
    /// A unit of a term.
    pub fn new(term: Arc<Term>, born: Revision, imported: bool, (framed, traced): (bool, bool)) -> Rc<Unit> {
        let rules = term.rules;
        let framed = framed && rules.counts_frames;
        Rc::new(Unit {
            term,
            born,
            reach: OnceCell::new(),
            shapes: RefCell::default(),
            alike: RefCell::default(),
            imported,
            rules,
            overloads: rules.overloads(),
            framed,
            late: traced || framed,
        })
    }

    /// The node of an id.
    pub fn node(&self, id: NodeId) -> &Node {
        self.term.node(id)
    }

    /// The span of a node.
    pub fn span(&self, id: NodeId) -> Span {
        self.term.span(id)
    }

    /// Which frames a node refers to. O(term) the first time, O(1) after that.
    pub fn reach(&self, id: NodeId) -> u64 {
        self.reach.get_or_init(|| reach::reach(&self.term)).get(id.0 as usize).copied().unwrap_or(u64::MAX)
    }
}

/// A function literal with its environment and the arguments it was given so far.
pub struct Closure {
    /// The unit.
    pub unit: Rc<Unit>,
    /// The [`Node::Lambda`].
    pub node: NodeId,
    /// The environment it was made in.
    pub env: Env,
    /// Arguments of a partial application.
    pub args: Vec<Thunk>,
}

impl Closure {
    /// Whether it is applied to one argument after the other.
    pub fn is_curried(&self) -> bool {
        matches!(self.unit.node(self.node), Node::Lambda(lambda) if lambda.curried)
    }
}

/// A chain of frames.
#[derive(Clone, Default)]
pub struct Env(pub(super) Option<Rc<Frame>>);

/// One frame.
pub struct Frame {
    parent: Env,
    slots: OnceCell<Slots>,
    record: Cell<Option<Record>>,
    /// Which leaf of the record the frame is of.
    leaf: Cell<u32>,
}

/// The slots of a frame. Most frames have one.
enum Slots {
    One(Thunk),
    Many(Box<[Thunk]>),
}

impl Slots {
    fn as_slice(&self) -> &[Thunk] {
        match self {
            Slots::One(only) => std::slice::from_ref(only),
            Slots::Many(slots) => slots,
        }
    }
}

impl Frame {
    /// Tells of what the frame refers to.
    pub(super) fn follow(&self, to: &mut Graph) {
        self.parent.trace(to);
        if let Some(slots) = self.slots.get() {
            slots.as_slice().trace(to);
        }
        self.record().trace(to);
    }

    /// Takes the record: nothing will read it any more.
    pub(super) fn clear(&self) {
        discard(self.record.take());
    }

    fn record(&self) -> Option<Record> {
        let record = self.record.take();
        self.record.set(record.clone());
        record
    }
}

impl Drop for Frame {
    fn drop(&mut self) {
        if self.parent.0.is_some() {
            discard(std::mem::take(&mut self.parent));
        }
        if let Some(Slots::Many(slots)) = self.slots.take() {
            discard_each(slots);
        }
    }
}

impl Env {
    /// No frame.
    pub fn empty() -> Env {
        Env(None)
    }

    /// A frame of these slots inside this environment.
    pub fn with(&self, slots: Box<[Thunk]>) -> Env {
        let env = self.open();
        env.fill(slots);
        env
    }

    /// A frame of one slot inside this environment.
    pub fn with_one(&self, slot: Thunk) -> Env {
        let env = self.open();
        if let Some(frame) = &env.0 {
            let _ = frame.slots.set(Slots::One(slot));
        }
        env
    }

    /// A frame inside this environment whose slots come later ([`Env::fill`]).
    pub fn open(&self) -> Env {
        Env(Some(Rc::new(Frame {
            parent: self.clone(),
            slots: OnceCell::new(),
            record: Cell::new(None),
            leaf: Cell::new(0),
        })))
    }

    /// Sets the slots of the innermost frame, once.
    pub fn fill(&self, slots: Box<[Thunk]>) {
        if let Some(frame) = &self.0 {
            let _ = frame.slots.set(Slots::Many(slots));
        }
    }

    /// Sets the final record of the innermost frame, and which of its leaves the frame is of; once.
    pub fn bind_record(&self, record: Record, leaf: u32) {
        if let Some(frame) = &self.0 {
            frame.record.set(Some(record));
            frame.leaf.set(leaf);
        }
    }

    fn frame(&self, up: u32) -> Option<&Frame> {
        let mut env = self;
        for _ in 0..up {
            env = &env.0.as_ref()?.parent;
        }
        env.0.as_deref()
    }

    /// The thunk of a slot.
    pub fn slot(&self, up: u32, slot: u32) -> Option<&Thunk> {
        self.frame(up)?.slots.get()?.as_slice().get(slot as usize)
    }

    /// The final record of a record literal's frame.
    pub fn record(&self, up: u32) -> Option<Record> {
        self.frame(up)?.record()
    }

    /// The final record of a record literal's frame, and which of its leaves the frame is of.
    pub fn layer(&self, up: u32) -> Option<(Record, u32)> {
        let frame = self.frame(up)?;
        Some((frame.record()?, frame.leaf.get()))
    }

    /// Whether both are the same frame.
    pub fn same(&self, other: &Env) -> bool {
        match (&self.0, &other.0) {
            (None, None) => true,
            (Some(a), Some(b)) => Rc::ptr_eq(a, b),
            _ => false,
        }
    }
}
