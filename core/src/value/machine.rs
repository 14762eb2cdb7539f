//! The machine: evaluates, with fuel.

use super::collect::Knots;
use super::env::{Env, Unit};
use super::thunk::State;
use super::{Fault, Revision, Thunk, Value, deferred_drop};
use crate::loader::Memory;
use crate::problem::value::{Limit, ValueKind};
use crate::term::{FieldName, Import, Node, NodeId, PatKind, Rules, Term};
use crate::text::{Name, SourceId, Span};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Stack that must be left for library functions and drops between two checks.
const RED_ZONE: usize = 256 * 1024;
/// Stack that is taken at a time; what is not touched costs nothing.
const SEGMENT: usize = 16 * 1024 * 1024;
/// How many segments there may be, whatever the limit of depth: bounds the stack to 1.5 GiB.
const MAX_SEGMENTS: u32 = 96;
/// How many elements or bytes one string or array may have.
const LARGEST: u64 = 1 << 30;
/// From how many elements or bytes on the memory that is left is looked at first.
const NOTABLE: usize = 1 << 18;
/// How much memory is kept free at most, for taking apart what was made, and for the report.
const MOST_KEPT: u64 = 256 << 20;
/// How long tidying may take behind an input.
const MOMENT: Duration = Duration::from_millis(5);
/// After how many steps the memory that is left is looked at: some 10 ms.
const BETWEEN_ROOMS: u64 = 1 << 16;

/// What the machine asks of the session. Shared and re-entered: implement it with interior mutability, and hold no borrow
/// while calling back into the machine.
pub trait Outside {
    /// The moment that it is. Who reads a name says when it was made: the name means what it meant then.
    fn now(&self) -> Revision {
        Revision::default()
    }
    /// A name that no term binds: a session definition or a library (`std`).
    fn global(&self, machine: &mut Machine, born: Revision, name: &Name) -> Option<Thunk>;
    /// The value of an imported file, lazily.
    fn import(&self, machine: &mut Machine, born: Revision, import: &Import, span: Span) -> Result<Thunk, Fault>;
    /// A library as a text sees it, by the name under which terms read it. By default it is a name like others.
    fn library(&self, machine: &mut Machine, root: &Name, born: Revision, source: SourceId) -> Option<Thunk> {
        let _ = source;
        self.global(machine, born, root)
    }
    /// A function that the host provides to jsonnet programs under a name (`std.native`).
    fn native(&self, machine: &mut Machine, name: &Name) -> Option<Thunk> {
        let _ = (machine, name);
        None
    }
    /// The value of an external variable (`std.extVar`), lazily.
    fn external(&self, machine: &mut Machine, born: Revision, name: &Name) -> Option<Thunk> {
        let _ = (machine, born, name);
        None
    }
    /// The name that an expression, the whole of a definition, is bound to, and where that is written.
    fn bound_to(&self, _span: Span) -> Option<(Name, Span)> {
        None
    }
    /// The file and line of a place, as the reference's traces show it.
    fn line(&self, span: Span) -> Option<String> {
        let _ = span;
        None
    }
    /// The memory that the process can still have, where that is known.
    fn memory(&self) -> Option<Memory> {
        None
    }
}

/// An outside where nothing is.
pub struct NoOutside;

impl Outside for NoOutside {
    fn global(&self, _: &mut Machine, _: Revision, _: &Name) -> Option<Thunk> {
        None
    }
    fn import(&self, _: &mut Machine, _: Revision, import: &Import, span: Span) -> Result<Thunk, Fault> {
        Err(Fault::undefined(format!("cannot import `{}`", import.path), Some(span)))
    }
}

/// What one evaluation may use up. Settings name each.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Nested evaluations.
    pub depth: u32,
    /// Steps, where they are limited.
    pub steps: Option<u64>,
    /// Elements, fields and characters made, where they are limited.
    pub memory: Option<u64>,
    /// Frames of a jsonnet program as the reference counts them, where they are limited.
    pub frames: Option<u32>,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { depth: 1_200_000, steps: None, memory: None, frames: None }
    }
}

/// How much of a value [`Machine::datum`] shows.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Elements and fields in all.
    pub elements: usize,
    /// Nesting.
    pub depth: usize,
    /// Bytes of text in all.
    pub text: usize,
}

impl Budget {
    /// Everything.
    pub const ALL: Budget = Budget { elements: usize::MAX, depth: usize::MAX, text: usize::MAX };
    /// As much as a message shows.
    pub const SHORT: Budget = Budget { elements: 8, depth: 2, text: 200 };
}

/// A step of a path into a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// A field; on an array, a name that is a number is an index.
    Field(Name),
    /// An element.
    Index(usize),
}

/// A receiver of `std.trace` messages.
pub type Sink = Box<dyn FnMut(&str)>;

/// Evaluates terms. One per session.
pub struct Machine {
    pub(super) outside: Rc<dyn Outside>,
    /// The limits of the evaluations to come.
    pub limits: Limits,
    interrupt: Arc<AtomicBool>,
    pub(super) steps: u64,
    pub(super) depth: u32,
    segments: u32,
    made: u64,
    sink: Option<Sink>,
    pub(super) patterns: super::pattern::Patterns,
    /// The thunks under way, the outermost first, for the path of a cycle.
    running: Vec<(usize, State)>,
    /// The seals that were handed out.
    pub(super) seals: u64,
    /// What can close a cycle.
    pub(super) knots: Knots,
    /// The string that was indexed last.
    pub(super) indexed: Option<super::eval::jsonnet::index::Indexed>,
    /// The frames of jsonnet under way.
    pub(super) frames: super::eval::jsonnet::frames::Frames,
    /// Who reads whom, while that is traced.
    pub(super) tracer: Option<Box<super::trace::Reads>>,
}

/// The name that a node is the value of: of a field or a binding of its unit. O(term): for messages.
fn name_of(unit: &Unit, body: NodeId) -> Option<(Name, Span)> {
    for node in &unit.term.nodes {
        match node {
            Node::Record(lit) => {
                if let Some(field) = lit.fields.iter().find(|f| f.body == Some(body)) {
                    return match &field.name {
                        FieldName::Static(name) => Some((name.clone(), field.name_span)),
                        FieldName::Computed(_) => None,
                    };
                }
            }
            Node::Let(l) => {
                if let Some(binding) = l.bindings.iter().find(|b| b.body == body) {
                    let pat = unit.term.pat(binding.pat);
                    return match pat.kind {
                        PatKind::Bind(slot) => Some((l.slots.get(slot as usize)?.clone(), pat.span)),
                        _ => None,
                    };
                }
            }
            _ => {}
        }
    }
    None
}

impl Machine {
    /// A machine that asks `outside` for globals and imports.
    pub fn new(outside: Rc<dyn Outside>) -> Machine {
        Machine {
            outside,
            limits: Limits::default(),
            interrupt: Arc::default(),
            steps: 0,
            depth: 0,
            segments: 0,
            made: 0,
            sink: None,
            patterns: Default::default(),
            running: Vec::new(),
            seals: 0,
            knots: Knots::default(),
            indexed: None,
            frames: Default::default(),
            tracer: None,
        }
    }

    /// The flag that stops evaluation when it is raised. The machine lowers it never: who raises it does.
    pub fn interrupt(&self) -> Arc<AtomicBool> {
        self.interrupt.clone()
    }

    /// Sets the flag to stop at; the session shares one among its rooms.
    pub fn set_interrupt(&mut self, flag: Arc<AtomicBool>) {
        self.interrupt = flag;
    }

    /// The value that an external variable (`std.extVar`) had at a moment, lazily.
    pub fn external(&mut self, born: Revision, name: &Name) -> Option<Thunk> {
        let outside = self.outside.clone();
        outside.external(self, born, name)
    }

    /// The file and line of a place: `file:3`.
    pub fn line_of(&self, span: Span) -> Option<String> {
        self.outside.line(span)
    }

    /// A function that the host provides to jsonnet programs (`std.native`).
    pub fn host_function(&mut self, name: &Name) -> Option<Thunk> {
        let outside = self.outside.clone();
        outside.native(self, name)
    }

    /// Starts counting steps and memory anew.
    pub fn refuel(&mut self) {
        deferred_drop::refill();
        self.steps = 0;
        self.made = 0;
        self.forget_frames();
    }

    /// Counts elements, fields or bytes that are about to be made, before they are. Fails where one value or all of them
    /// together are too large. Whoever makes something of a size that the program chooses calls it.
    pub fn charge(&mut self, amount: usize) -> Result<(), Fault> {
        self.made = self.made.saturating_add(amount as u64);
        let allowed = self.limits.memory.unwrap_or(u64::MAX);
        if amount as u64 > LARGEST || self.made > allowed {
            let allowed = allowed.min(LARGEST);
            return Err(Fault::new(ValueKind::Limit { limit: Limit::Memory, allowed, span: self.here() }));
        }
        if amount > NOTABLE { self.room(amount as u64) } else { Ok(()) }
    }

    /// As [`Machine::charge`] for two values that are joined in O(1): the memory that is left is looked at where the length
    /// passes a multiple of what is notable, or a fold of appends would look at every step.
    pub(super) fn charge_joined(&mut self, left: usize, right: usize) -> Result<(), Fault> {
        let whole = left.saturating_add(right);
        if whole <= LARGEST as usize && left.max(right) / NOTABLE == whole / NOTABLE {
            self.made = self.made.saturating_add(whole as u64);
            if self.limits.memory.is_none_or(|allowed| self.made <= allowed) {
                return Ok(());
            }
        }
        self.charge(whole)
    }

    /// Fails where the process is about to have no memory left. Whatever takes it, at each size that the program chooses,
    /// and now and then, this is found before the system ends the process.
    #[cold]
    fn room(&mut self, wanted: u64) -> Result<(), Fault> {
        let mut last = false;
        let allowed = loop {
            let Some(Memory { left, total }) = self.outside.memory() else { return Ok(()) };
            let kept = (total / 16).min(MOST_KEPT);
            if left >= kept.saturating_add(wanted) {
                return Ok(());
            }
            if last || !deferred_drop::is_behind() {
                break left;
            }
            last = true;
            deferred_drop::empty(&|| self.interrupt.load(Ordering::Relaxed));
        };
        Err(Fault::new(ValueKind::Limit { limit: Limit::Room, allowed, span: self.here() }))
    }

    /// The innermost place under way.
    pub(super) fn here(&self) -> Option<Span> {
        self.running.iter().rev().find_map(|(_, state)| match state {
            State::Code(unit, node, _) => Some(unit.span(*node)),
            _ => None,
        })
    }

    /// Where `std.trace` writes. `None`: nowhere.
    pub fn set_sink(&mut self, sink: Option<Sink>) {
        self.sink = sink;
    }

    /// A message of `std.trace`.
    pub fn trace(&mut self, message: &str) {
        if let Some(sink) = &mut self.sink {
            sink(message);
        }
    }

    /// Whether the units to come are framed and traced.
    fn unit_modes(&self) -> (bool, bool) {
        (self.is_framed(), self.tracer.is_some())
    }

    /// A term's value, unforced.
    pub fn thunk(&mut self, term: &Arc<Term>) -> Thunk {
        self.thunk_of(term, self.outside.now())
    }

    /// The value that a term had at a moment, unforced.
    pub fn thunk_of(&mut self, term: &Arc<Term>, born: Revision) -> Thunk {
        Thunk::of_node(&Unit::new(term.clone(), born, false, self.unit_modes()), term.root, &Env::empty())
    }

    /// The value of an imported file's term, unforced: merge functions do not reach into its own merges.
    pub fn imported(&mut self, term: &Arc<Term>) -> Thunk {
        self.imported_of(term, self.outside.now())
    }

    /// The value that an imported file's term had at a moment, unforced.
    pub fn imported_of(&mut self, term: &Arc<Term>, born: Revision) -> Thunk {
        Thunk::of_node(&Unit::new(term.clone(), born, true, self.unit_modes()), term.root, &Env::empty())
    }

    /// The value of a thunk. Computed once; a fault is kept.
    #[inline]
    pub fn force(&mut self, thunk: &Thunk) -> Result<Value, Fault> {
        if self.tracer.is_some() {
            return self.force_traced(thunk);
        }
        if let Some(value) = thunk.peek() {
            return Ok(value);
        }
        match thunk.start() {
            State::Done(value) => Ok(value),
            State::Failed(fault) => Err(fault),
            State::Running => Err(self.recursion(thunk)),
            state => self.run(thunk, state),
        }
    }

    #[inline(never)]
    pub(super) fn run(&mut self, thunk: &Thunk, state: State) -> Result<Value, Fault> {
        enum Todo {
            Code(Rc<Unit>, NodeId, Env),
            Work(super::thunk::Work),
            Field(super::Record, u32),
        }
        let todo = match &state {
            State::Code(unit, node, env) => Todo::Code(unit.clone(), *node, env.clone()),
            State::Work(work) => Todo::Work(work.clone()),
            State::Field(record, index) => Todo::Field(record.clone(), *index),
            State::Running | State::Done(_) | State::Failed(_) => return Err(Fault::undefined("not waiting", None)),
        };
        let frames = self.frames.count;
        let framed = match &state {
            State::Code(unit, ..) if unit.rules.counts_frames => self.push_frame(),
            State::Work(_) => self.push_frame(),
            _ => Ok(()),
        };
        self.running.push((thunk.address(), state));
        let result = framed.and_then(|()| {
            self.deeper(|machine| match todo {
                Todo::Code(unit, node, env) => machine.eval_here(unit, node, env),
                Todo::Work(work) => work.run(machine),
                Todo::Field(record, index) => machine.resolve(&record, index),
            })
        });
        self.frames.count = frames;
        let state = self.running.pop().map_or(State::Running, |(_, state)| state);
        match &result {
            Ok(value) => {
                self.knots.thunk(thunk, value);
                thunk.finish(State::Done(value.clone()));
            }
            Err(fault) if fault.is_transient() => thunk.finish(state),
            Err(fault) => thunk.finish(State::Failed(fault.clone())),
        }
        result
    }

    /// Remembers a frame that what it holds can refer to.
    pub(super) fn tie_frame(&mut self, env: &Env) {
        self.knots.frame(env);
    }

    /// Remembers a record that what it holds can refer to, once.
    pub(super) fn tie_record(&mut self, record: &super::Record) {
        if record.table().ties() {
            self.knots.record(record);
        }
    }

    /// Goes one level deeper: counts it, and grows the stack where little is left.
    #[inline]
    pub(crate) fn deeper<T>(&mut self, work: impl FnOnce(&mut Machine) -> Result<T, Fault>) -> Result<T, Fault> {
        if self.depth >= self.limits.depth {
            return Err(self.too_deep(self.depth));
        }
        self.depth += 1;
        let result = match stacker::remaining_stack() {
            Some(left) if left >= RED_ZONE => work(self),
            _ => self.on_new_segment(work),
        };
        self.depth -= 1;
        result
    }

    #[cold]
    fn on_new_segment<T>(&mut self, work: impl FnOnce(&mut Machine) -> Result<T, Fault>) -> Result<T, Fault> {
        if self.segments >= MAX_SEGMENTS {
            return Err(self.too_deep(self.depth));
        }
        self.segments += 1;
        let result = stacker::grow(SEGMENT, || work(self));
        self.segments -= 1;
        result
    }

    #[cold]
    pub(super) fn too_deep(&self, allowed: u32) -> Fault {
        let span = self.here();
        let fault = Fault::new(ValueKind::Limit { limit: Limit::Depth, allowed: u64::from(allowed), span });
        let rules = self.running.iter().rev().find_map(|(_, state)| match state {
            State::Code(unit, ..) => Some(unit.rules),
            _ => None,
        });
        if rules.is_some_and(Rules::speaks_as_reference) { fault.worded("max stack frames exceeded.") } else { fault }
    }

    /// The fault of a thunk that needs itself: the named thunks under way since it began.
    #[cold]
    pub(super) fn recursion(&self, thunk: &Thunk) -> Fault {
        let from = self.running.iter().rposition(|(address, _)| *address == thunk.address()).unwrap_or(0);
        let mut cycle: Vec<(Name, Span)> = Vec::new();
        let mut places: Vec<Span> = Vec::new();
        for (_, state) in self.running.iter().skip(from) {
            let named = match state {
                State::Code(unit, node, _) => {
                    places.push(unit.span(*node));
                    let whole = || (*node == unit.term.root).then(|| self.outside.bound_to(unit.span(*node))).flatten();
                    name_of(unit, *node).or_else(whole)
                }
                State::Field(record, index) => {
                    record.table().shape.fields.get_index(*index as usize).and_then(|(name, slot)| {
                        let span = slot.defs().find_map(|def| record.definition(def).name_span())?;
                        Some((name.clone(), span))
                    })
                }
                _ => None,
            };
            if let Some(named) = named
                && cycle.last() != Some(&named)
            {
                cycle.push(named);
            }
        }
        if cycle.len() > 1 && cycle.first() == cycle.last() {
            cycle.pop();
        }
        // told from where it is written first, and not from who was asked for first: the fault is kept in all of them
        let order = |span: &Span| (span.source, span.start, std::cmp::Reverse(span.end));
        if let Some(first) = (0..cycle.len()).min_by_key(|at| cycle.get(*at).map(|(_, span)| order(span))) {
            cycle.rotate_left(first);
        } else if let Some(place) = places.into_iter().min_by_key(order) {
            cycle.push((Name::default(), place));
        }
        Fault::new(ValueKind::Recursion { cycle })
    }

    /// Where a thunk's expression stands, as far as it is known.
    pub fn place(&self, thunk: &Thunk) -> Option<Span> {
        thunk.origin().map(|(unit, node)| unit.span(node))
    }

    /// Frees what refers to itself and nobody holds, where enough was made since the last time. A session calls it behind each
    /// input: what takes longer than a moment is left to [`Machine::tidy_left`], and to the evaluations to come.
    pub fn tidy(&mut self) {
        if deferred_drop::is_behind() || self.knots.is_stopped() {
            return;
        }
        let (interrupt, begun) = (&self.interrupt, Instant::now());
        self.knots.tend(true, &|| interrupt.load(Ordering::Relaxed) || begun.elapsed() > MOMENT);
    }

    /// Drops items by and by, where they are many.
    pub(crate) fn discard<T: 'static>(&mut self, items: Vec<T>) {
        deferred_drop::discard_each(items);
    }

    /// Drops items by and by, and begins with it later: to make them takes time too.
    pub(crate) fn discard_later(&mut self, items: impl Iterator + 'static) {
        deferred_drop::discard_later(items);
    }

    /// Takes apart what is left of values that nobody holds any more, until it is through or somebody wants an end, and says
    /// whether it is not. A session calls it while nobody asks anything.
    pub fn tidy_left(&mut self, stop: &dyn Fn() -> bool) -> bool {
        deferred_drop::empty(stop);
        if !stop() {
            self.knots.tend(true, stop);
        }
        deferred_drop::is_behind() || self.knots.is_stopped()
    }

    /// Counts a step; looks at the flag and the limits now and then. Library loops call it once a turn.
    #[inline]
    pub fn tick(&mut self) -> Result<(), Fault> {
        self.steps += 1;
        if self.steps & 1023 == 0 { self.look() } else { Ok(()) }
    }

    #[cold]
    fn look(&mut self) -> Result<(), Fault> {
        if self.interrupt.load(Ordering::Relaxed) {
            return Err(Fault::new(ValueKind::Interrupted));
        }
        let interrupt = &self.interrupt;
        deferred_drop::pace(&|| interrupt.load(Ordering::Relaxed));
        self.knots.tend(false, &|| interrupt.load(Ordering::Relaxed));
        match self.limits.steps {
            Some(allowed) if self.steps > allowed => {
                Err(Fault::new(ValueKind::Limit { limit: Limit::Steps, allowed, span: None }))
            }
            _ if self.steps & (BETWEEN_ROOMS - 1) == 0 => self.room(0),
            _ => Ok(()),
        }
    }
}
