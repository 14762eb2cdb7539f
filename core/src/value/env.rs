//! Environments: chains of frames as defined in [`crate::term`], and the units that they belong to.

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

/// A term that is being evaluated, with cached facts about it.
pub struct Unit {
    /// The term.
    pub term: Arc<Term>,
    /// The revision in which the unit was made. Its names have the meaning that they had then.
    pub revision: Revision,
    reach: OnceCell<Vec<u64>>,
    /// The shapes of record literals, computed at the first evaluation of each.
    pub(super) shapes: RefCell<FxHashMap<NodeId, Rc<Shape>>>,
    /// The shapes of plain literals, by a hash of their field names.
    pub(super) plain_shapes: RefCell<FxHashMap<u64, Rc<Shape>>>,
    /// Whether the unit was imported. Merge functions do not apply to the operands of its own merges.
    pub imported: bool,
    /// The rules of its language.
    pub rules: &'static Rules,
    /// Whether operators accept operands of several types. A copy of the rule, because every operator reads it.
    pub overloads: bool,
    /// Whether operators have instances for certain types.
    pub instances: bool,
    /// Whether stack frames are counted. Nothing is then evaluated, and no variable looked up, before it is needed.
    pub framed: bool,
    /// Whether every expression gets its own thunk: if frames are counted, and for [`super::trace`].
    pub separate_thunks: bool,
}

impl Unit {
    /// Makes a unit for a term.
    pub fn new(term: Arc<Term>, revision: Revision, imported: bool, (framed, traced): (bool, bool)) -> Rc<Unit> {
        let rules = term.rules;
        let framed = framed && rules.counts_frames;
        Rc::new(Unit {
            term,
            revision,
            reach: OnceCell::new(),
            shapes: RefCell::default(),
            plain_shapes: RefCell::default(),
            imported,
            rules,
            overloads: rules.overloads(),
            instances: rules.has_instances(),
            framed,
            separate_thunks: traced || framed,
        })
    }

    /// Returns the node with an id.
    pub fn node(&self, id: NodeId) -> &Node {
        self.term.node(id)
    }

    /// Returns the span of a node.
    pub fn span(&self, id: NodeId) -> Span {
        self.term.span(id)
    }

    /// Returns the set of frames that a node refers to, as bits. O(term) the first time, O(1) later.
    pub fn reach(&self, id: NodeId) -> u64 {
        self.reach.get_or_init(|| reach::reach(&self.term)).get(id.0 as usize).copied().unwrap_or(u64::MAX)
    }
}

/// A function literal with its environment and the arguments that were applied so far.
pub struct Closure {
    /// The unit that contains the literal.
    pub unit: Rc<Unit>,
    /// The [`Node::Lambda`].
    pub node: NodeId,
    /// The environment in which it was created.
    pub env: Env,
    /// The arguments of a partial application.
    pub args: Vec<Thunk>,
}

impl Closure {
    /// Returns whether it takes its arguments one by one.
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
    /// The number of the record's leaf that the frame belongs to.
    leaf: Cell<u32>,
}

/// The slots of a frame. Most frames have one or two.
enum Slots {
    One(Thunk),
    Two([Thunk; 2]),
    Many(Box<[Thunk]>),
}

impl Slots {
    fn as_slice(&self) -> &[Thunk] {
        match self {
            Slots::One(only) => std::slice::from_ref(only),
            Slots::Two(both) => both,
            Slots::Many(slots) => slots,
        }
    }
}

impl Frame {
    /// Reports the references of the frame.
    pub(super) fn follow(&self, to: &mut Graph) {
        self.parent.trace(to);
        if let Some(slots) = self.slots.get() {
            slots.as_slice().trace(to);
        }
        self.record().trace(to);
    }

    /// Removes the record, which nothing will read any more.
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
    /// Makes an empty environment.
    pub fn empty() -> Env {
        Env(None)
    }

    /// Adds a frame with these slots.
    pub fn with(&self, slots: Box<[Thunk]>) -> Env {
        self.filled(Slots::Many(slots))
    }

    /// Adds a frame with one slot.
    pub fn with_one(&self, slot: Thunk) -> Env {
        self.filled(Slots::One(slot))
    }

    /// Adds a frame with two slots.
    pub fn with_two(&self, slots: [Thunk; 2]) -> Env {
        self.filled(Slots::Two(slots))
    }

    fn filled(&self, slots: Slots) -> Env {
        Env(Some(Rc::new(Frame {
            parent: self.clone(),
            slots: OnceCell::from(slots),
            record: Cell::new(None),
            leaf: Cell::new(0),
        })))
    }

    /// Adds a frame whose slots are set later ([`Env::fill`]).
    #[inline]
    pub fn open(&self) -> Env {
        Env(Some(Rc::new(Frame {
            parent: self.clone(),
            slots: OnceCell::new(),
            record: Cell::new(None),
            leaf: Cell::new(0),
        })))
    }

    /// Sets the slots of the innermost frame. Can be called once.
    pub fn fill(&self, slots: Box<[Thunk]>) {
        if let Some(frame) = &self.0 {
            let _ = frame.slots.set(Slots::Many(slots));
        }
    }

    /// Sets the final record of the innermost frame, and the number of the leaf that the frame belongs to. Can be
    /// called once.
    pub fn bind_record(&self, record: Record, leaf: u32) {
        if let Some(frame) = &self.0 {
            frame.record.set(Some(record));
            frame.leaf.set(leaf);
        }
    }

    #[inline]
    fn frame(&self, up: u32) -> Option<&Frame> {
        let mut env = self;
        for _ in 0..up {
            env = &env.0.as_ref()?.parent;
        }
        env.0.as_deref()
    }

    /// Returns the thunk of a slot.
    #[inline]
    pub fn slot(&self, up: u32, slot: u32) -> Option<&Thunk> {
        self.frame(up)?.slots.get()?.as_slice().get(slot as usize)
    }

    /// Returns the final record of a record literal's frame.
    pub fn record(&self, up: u32) -> Option<Record> {
        self.frame(up)?.record()
    }

    /// Returns the final record of a record literal's frame, and the number of the leaf that the frame belongs to.
    pub fn layer(&self, up: u32) -> Option<(Record, u32)> {
        let frame = self.frame(up)?;
        Some((frame.record()?, frame.leaf.get()))
    }

    /// Returns whether both are the same frame.
    pub fn same(&self, other: &Env) -> bool {
        match (&self.0, &other.0) {
            (None, None) => true,
            (Some(a), Some(b)) => Rc::ptr_eq(a, b),
            _ => false,
        }
    }
}
