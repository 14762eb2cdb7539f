//! The machine evaluates terms, within limits of steps, depth and memory.

use super::collect::CycleCandidates;
use super::env::{Env, Unit};
use super::preview::Preview;
use super::thunk::State;
use super::{Fault, Host, Revision, Thunk, Value, deferred_drop};
use crate::problem::value::{Limit, ValueKind};
use crate::stop::{StopFlag, StopReason};
use crate::term::{FieldName, Node, NodeId, PatKind, Rules, Term};
use crate::text::{Name, Span};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Stack in bytes that must be left for library functions and drops between two checks.
const RED_ZONE: usize = 256 * 1024;
/// Size in bytes of a stack segment. Untouched memory costs nothing.
const SEGMENT: usize = 16 * 1024 * 1024;
/// Maximum number of stack segments, whatever the depth limit: bounds the stack to 1.75 GiB.
const MAX_SEGMENTS: u32 = 112;
/// Maximum duration of the cleanup after an input.
const MAX_CLEANUP: Duration = Duration::from_millis(5);

/// Limits of one evaluation. Every limit has a setting.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Maximum depth of nested evaluations.
    pub depth: u32,
    /// Maximum number of steps; `None` for no limit.
    pub steps: Option<u64>,
    /// Maximum number of elements, fields and characters that are made; `None` for no limit.
    pub memory: Option<u64>,
    /// Maximum number of frames of a program whose language counts them (`Rules::counts_frames`); `None` for no limit.
    pub frames: Option<u32>,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { depth: 1_200_000, steps: None, memory: None, frames: None }
    }
}

/// The amount of data that [`Machine::datum`] returns.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Total number of elements and fields.
    pub elements: usize,
    /// Depth of nesting.
    pub depth: usize,
    /// Total number of bytes of text.
    pub text: usize,
}

impl Budget {
    /// No limit.
    pub const ALL: Budget = Budget { elements: usize::MAX, depth: usize::MAX, text: usize::MAX };
    /// The amount that a message shows.
    pub const SHORT: Budget = Budget { elements: 8, depth: 2, text: 200 };
}

/// A receiver of `std.trace` messages.
pub type Sink = Box<dyn FnMut(&str)>;

/// The evaluator. A session has one.
pub struct Machine {
    pub(super) host: Rc<dyn Host>,
    /// Limits of the following evaluations.
    pub limits: Limits,
    interrupt: Arc<StopFlag>,
    pub(super) steps: u64,
    pub(super) depth: u32,
    segments: u32,
    pub(super) asked: super::memory::Requested,
    sink: Option<Sink>,
    pub(super) patterns: super::pattern::Patterns,
    /// The running thunks, the outermost first, to report the path of a cycle.
    pub(super) running: Vec<(usize, State)>,
    /// The files that are being read by others: the number of running thunks, the path, and the place that reads it.
    pub(super) imports: Vec<(usize, Name, Span)>,
    /// The preview that is being made for a report.
    pub(super) preview: Preview,
    /// Number of seals that were assigned.
    pub(super) seals: u64,
    /// Objects that can close a reference cycle.
    pub(super) cycle_candidates: CycleCandidates,
    /// The string that was last indexed.
    pub(super) indexed: Option<super::eval::objects::index::Indexed>,
    /// Whether a program has aliases inside of their own anchors.
    pub(super) self_aliases: bool,
    /// The current stack frames, in languages that count them.
    pub(super) frames: super::eval::objects::frames::Frames,
    /// The guards that are being evaluated.
    pub(super) guard_evaluation: super::guards::GuardEvaluation,
    /// The number of running thunks at which an operator with a fallback discards the fault of a missing field.
    pub(super) discards_missing: Option<usize>,
    /// The values of the definitions that are left out of record literals.
    pub(super) omitted: Vec<Span>,
    /// The reads of secrets so far.
    pub(super) secrets: super::secret::Secrets,
    /// Records the reads between values; `None` without tracing.
    pub(super) tracer: Option<Box<super::trace::Reads>>,
    /// The places of the expressions evaluated so far; `None` if they are not recorded.
    pub(super) evaluated: Option<Box<super::places::Places>>,
}

/// Returns the name of the field or binding whose value a node is. O(term); used only for messages.
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

/// Restores a running thunk if its evaluation is unwound because the system refused stack, so that it can be evaluated again.
struct Unwound<'a> {
    machine: &'a mut Machine,
    thunk: &'a Thunk,
    index: usize,
}

impl Drop for Unwound<'_> {
    #[cold]
    fn drop(&mut self) {
        let state = self.machine.running.drain(self.index..).next();
        if let Some((_, state)) = state {
            self.thunk.finish(state);
        }
    }
}

impl Machine {
    /// Leaves out the definitions with these values when it evaluates record literals; an empty list ends this. Call it only
    /// within a fresh evaluation, because the results must not be cached.
    pub fn omit(&mut self, values: Vec<Span>) {
        self.omitted = values;
    }

    /// Makes a machine that reads globals and imports from `host`.
    pub fn new(host: Rc<dyn Host>) -> Machine {
        Machine {
            host,
            limits: Limits::default(),
            interrupt: Arc::default(),
            steps: 0,
            depth: 0,
            segments: 0,
            asked: Default::default(),
            sink: None,
            patterns: Default::default(),
            running: Vec::new(),
            imports: Vec::new(),
            preview: Preview::NONE,
            seals: 0,
            cycle_candidates: CycleCandidates::default(),
            indexed: None,
            self_aliases: false,
            frames: Default::default(),
            guard_evaluation: Default::default(),
            discards_missing: None,
            omitted: Vec::new(),
            secrets: Default::default(),
            tracer: None,
            evaluated: None,
        }
    }

    /// Returns the flag that stops evaluation when it is set. The machine never clears it.
    pub fn interrupt(&self) -> Arc<StopFlag> {
        self.interrupt.clone()
    }

    /// Sets the flag at which to stop; the whole session shares one flag.
    pub fn set_interrupt(&mut self, flag: Arc<StopFlag>) {
        self.interrupt = flag;
    }

    /// Returns the value of an external variable (`std.extVar`) in a revision, unforced.
    pub fn external(&mut self, revision: Revision, name: &Name) -> Option<Thunk> {
        if let Some(tracer) = &mut self.tracer {
            tracer.ask_for(name);
        }
        let host = self.host.clone();
        host.external(self, revision, name)
    }

    /// Returns file and line of a place: `file:3`.
    pub fn line_of(&self, span: Span) -> Option<String> {
        self.host.line(span)
    }

    /// Returns a function that the host provides to programs (`std.native`).
    pub fn host_function(&mut self, name: &Name) -> Option<Thunk> {
        let host = self.host.clone();
        host.native(self, name)
    }

    /// Returns the number of steps since the counters were reset.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Resets the counters of steps and memory.
    pub fn refuel(&mut self) {
        deferred_drop::refill_credit();
        // nothing runs; an evaluation that was unwound did not restore it
        self.depth = 0;
        self.steps = 0;
        self.asked = Default::default();
        self.forget_frames();
    }

    /// Returns the innermost running place.
    pub(super) fn here(&self) -> Option<Span> {
        self.running.iter().rev().find_map(|(_, state)| match state {
            State::Code(unit, node, _) => Some(unit.span(*node)),
            _ => None,
        })
    }

    /// Sets the receiver of `std.trace` messages; `None` discards them.
    pub fn set_sink(&mut self, sink: Option<Sink>) {
        self.sink = sink;
    }

    /// Writes a message of `std.trace`.
    pub fn trace(&mut self, message: &str) {
        if let Some(sink) = &mut self.sink {
            sink(message);
        }
    }

    /// Returns whether new units count frames, and whether they are traced.
    fn unit_modes(&self) -> (bool, bool) {
        (self.is_framed(), self.tracer.is_some())
    }

    /// Returns the value of a term, unforced.
    pub fn thunk(&mut self, term: &Arc<Term>) -> Thunk {
        self.thunk_of(term, self.host.now())
    }

    /// Returns the value of a term in a revision, unforced.
    pub fn thunk_of(&mut self, term: &Arc<Term>, revision: Revision) -> Thunk {
        Thunk::of_node(&Unit::new(term.clone(), revision, false, self.unit_modes()), term.root, &Env::empty())
    }

    /// Returns the value of an imported file's term, unforced. Merge functions do not apply to the operands of its own
    /// merges.
    pub fn imported(&mut self, term: &Arc<Term>) -> Thunk {
        self.imported_of(term, self.host.now())
    }

    /// Returns the value of an imported file's term in a revision, unforced.
    pub fn imported_of(&mut self, term: &Arc<Term>, revision: Revision) -> Thunk {
        Thunk::of_node(&Unit::new(term.clone(), revision, true, self.unit_modes()), term.root, &Env::empty())
    }

    /// Forces a thunk. The value or the fault is cached.
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
            state @ (State::Failed(_) | State::Running | State::Secret(_)) => self.without_running(thunk, state),
            state => self.run(thunk, state),
        }
    }

    /// Returns the result of a thunk that has nothing to run.
    #[cold]
    #[inline(never)]
    fn without_running(&mut self, thunk: &Thunk, state: State) -> Result<Value, Fault> {
        match state {
            State::Failed(fault) => Err(fault),
            State::Secret(secret) => Ok(self.read_secret(&secret)),
            _ => self.needed_again(thunk),
        }
    }

    /// Runs a thunk that was started: `state` is its work. Keeps the result, or restores the work if the result must
    /// not be kept.
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
            State::Running | State::Done(_) | State::Secret(_) | State::Failed(_) => {
                return Err(Fault::undefined("not waiting", None));
            }
        };
        if let Some(value) = self.provisional(thunk) {
            thunk.finish(state);
            return Ok(value);
        }
        let frames = self.frames.count;
        let framed = match &state {
            State::Code(unit, ..) if unit.rules.counts_frames => self.push_frame(),
            State::Work(_) => self.push_frame(),
            _ => Ok(()),
        };
        let index = self.running.len();
        self.running.push((thunk.address(), state));
        let secrets = self.secrets.count;
        let unwound = Unwound { machine: self, thunk, index };
        let result = framed.and_then(|()| {
            unwound.machine.deeper(|machine| match todo {
                Todo::Code(unit, node, env) => machine.eval_here(unit, node, env),
                Todo::Work(work) => work.run(machine),
                Todo::Field(record, index) => machine.resolve(&record, index),
            })
        });
        std::mem::forget(unwound);
        self.frames.count = frames;
        self.keep_result(thunk, index, secrets, result)
    }

    /// Keeps the result of a thunk that ran. Its own function, so that the frames of [`Machine::run`], of which a deep
    /// evaluation has many, stay small.
    #[inline(never)]
    fn keep_result(
        &mut self,
        thunk: &Thunk,
        index: usize,
        secrets: u64,
        mut result: Result<Value, Fault>,
    ) -> Result<Value, Fault> {
        let state = self.running.pop().map_or(State::Running, |(_, state)| state);
        if !self.is_kept(index) {
            self.note_read(thunk, &state, secrets, &result);
            thunk.finish(state);
            return result;
        }
        if self.secrets.count > 0 {
            result = self.without_secrets(result, secrets);
        }
        match &result {
            Ok(value) => {
                self.cycle_candidates.thunk(thunk, value);
                thunk.finish(match self.secrets.count == secrets {
                    true => State::Done(value.clone()),
                    false => self.tainted(value),
                });
                self.note_computed(thunk, state);
            }
            Err(fault) if fault.is_transient() || self.preview.is_cut_off() => thunk.finish(state),
            Err(fault) => thunk.finish(State::Failed(fault.clone())),
        }
        if let Err(fault) = self.check_due(index, result.is_err()) {
            thunk.finish(State::Failed(fault.clone()));
            return Err(fault);
        }
        result
    }

    /// Registers a frame that can be part of a reference cycle.
    pub(super) fn register_frame(&mut self, env: &Env) {
        self.cycle_candidates.frame(env);
    }

    /// Registers a record that can be part of a reference cycle, if its parts refer to it.
    pub(super) fn register_record(&mut self, record: &super::Record) {
        if record.table().register_once() {
            self.cycle_candidates.record(record);
        }
    }

    /// Runs `work` one level deeper, and grows the stack if little is left.
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
        self.check_memory(SEGMENT as u64)?;
        self.segments += 1;
        // the system may refuse a segment although there is memory: in a small address space
        let mut begun = false;
        let grown = catch_unwind(AssertUnwindSafe(|| {
            stacker::grow(SEGMENT, || {
                begun = true;
                work(self)
            })
        }));
        self.segments -= 1;
        match grown {
            Ok(result) => result,
            Err(_) if !begun => Err(self.out_of_memory(self.host.memory().map_or(0, |memory| memory.left))),
            Err(panic) => resume_unwind(panic),
        }
    }

    #[cold]
    pub(super) fn too_deep(&self, allowed: u32) -> Fault {
        let span = self.here();
        let fault = Fault::new(ValueKind::Limit { limit: Limit::Depth, allowed: u64::from(allowed), span });
        let rules = self.running.iter().rev().find_map(|(_, state)| match state {
            State::Code(unit, ..) => Some(unit.rules),
            _ => None,
        });
        if rules.is_some_and(Rules::uses_reference_wording) {
            fault.worded("max stack frames exceeded.")
        } else {
            fault
        }
    }

    /// Returns the fault of a thunk that depends on itself: the named thunks that are running since it started.
    #[cold]
    pub(super) fn recursion(&mut self, thunk: &Thunk) -> Fault {
        let from = self.running.iter().rposition(|(address, _)| *address == thunk.address()).unwrap_or(0);
        self.preview.needed = self.preview.needed.min(from);
        let mut cycle: Vec<(Name, Span)> = Vec::new();
        let mut places: Vec<Span> = Vec::new();
        for (_, state) in self.running.iter().skip(from) {
            let named = match state {
                State::Code(unit, node, _) => {
                    places.push(unit.span(*node));
                    let whole = || (*node == unit.term.root).then(|| self.host.bound_to(unit.span(*node))).flatten();
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
        if cycle.is_empty() {
            // files that read each other: each hop has the path of the file that reads the next one
            let hops = || self.imports.iter().filter(|(at, ..)| *at > from);
            let files = hops().next_back().into_iter().chain(hops()).map(|(_, path, _)| path.clone());
            cycle = files.zip(hops().map(|(.., span)| *span)).collect();
        }
        // The report starts at the first place in the source, not at the thunk that was forced first, because the fault
        // is cached in all of them.
        let order = |span: &Span| (span.source, span.start, std::cmp::Reverse(span.end));
        if let Some(first) = (0..cycle.len()).min_by_key(|at| cycle.get(*at).map(|(_, span)| order(span))) {
            cycle.rotate_left(first);
        } else if let Some(place) = places.into_iter().min_by_key(order) {
            cycle.push((Name::default(), place));
        }
        Fault::new(ValueKind::Recursion { cycle })
    }

    /// Returns the span of a thunk's expression, if it is known.
    pub fn place(&self, thunk: &Thunk) -> Option<Span> {
        thunk.origin().map(|(unit, node)| unit.span(node))
    }

    /// Frees reference cycles if enough objects were made since the last time. A session calls it after each input. It
    /// takes at most 5 ms; the rest is left to [`Machine::free_deferred`] and to later evaluations.
    pub fn collect_if_needed(&mut self) {
        if deferred_drop::is_pending() || self.cycle_candidates.is_stopped() {
            return;
        }
        let (interrupt, started) = (&self.interrupt, Instant::now());
        self.cycle_candidates.collect_if_due(true, &|| interrupt.is_set() || started.elapsed() > MAX_CLEANUP);
    }

    /// Drops items, in slices if there are many.
    pub(crate) fn discard<T: 'static>(&mut self, items: Vec<T>) {
        deferred_drop::discard_each(items);
    }

    /// Queues the items of an iterator for a later drop; producing them takes time too.
    pub(crate) fn discard_later(&mut self, items: impl Iterator + 'static) {
        deferred_drop::discard_later(items);
    }

    /// Frees deferred memory until nothing is left or `stop` returns `true`. Returns whether some is left. A session
    /// calls it while idle.
    pub fn free_deferred(&mut self, stop: &dyn Fn() -> bool) -> bool {
        deferred_drop::drop_all(stop);
        if !stop() {
            self.cycle_candidates.collect_if_due(true, stop);
        }
        deferred_drop::is_pending() || self.cycle_candidates.is_stopped()
    }

    /// Counts a step, and checks the interrupt and the limits at intervals. Library loops call it at each iteration.
    #[inline]
    pub fn tick(&mut self) -> Result<(), Fault> {
        self.steps += 1;
        if self.steps & 1023 == 0 { self.check_interrupt() } else { Ok(()) }
    }

    #[cold]
    fn check_interrupt(&mut self) -> Result<(), Fault> {
        if self.interrupt.is_set() {
            return Err(self.stopped());
        }
        let interrupt = &self.interrupt;
        deferred_drop::drop_during_evaluation(&|| interrupt.is_set());
        self.cycle_candidates.collect_if_due(false, &|| interrupt.is_set());
        match self.limits.steps {
            Some(allowed) if self.steps > allowed => {
                Err(Fault::new(ValueKind::Limit { limit: Limit::Steps, allowed, span: None }))
            }
            _ if self.steps >= self.asked.next_check => self.check_memory(0),
            _ => Ok(()),
        }
    }

    /// Returns the fault of an evaluation that was stopped.
    #[cold]
    pub fn stopped(&self) -> Fault {
        match self.interrupt.reason() {
            StopReason::Interrupt => Fault::new(ValueKind::Interrupted),
            StopReason::Memory(left) => self.out_of_memory(left),
        }
    }
}
