//! Guards that read what they guard (`Guards::Peek`).
//!
//! ```text
//! a: 1
//! if a == 1:      the guard reads `a`, and gets 1
//!   a: 2          in the final record `a` is 2, so the guard is now false: a paradox
//! ```
//!
//! While a guard is being evaluated, all guards of its `if` count as false: a reader of a guarded field gets the value of the layers below.
//! Values that are computed in this way are remembered only while the same guards are being evaluated. Afterwards the guard is evaluated again in the final record, and a
//! different result is a paradox.

mod provisional;

use super::env::{Env, Unit};
use super::eval::converting::is_no_match;
use super::thunk::State;
use super::{Budget, Fault, Machine, Record, Thunk, Value};
use crate::problem::ProblemKind;
use crate::problem::datum::Datum;
use crate::problem::value::{Changed, ValueKind, ValueProblem};
use crate::term::{Node, NodeId};
use crate::text::{Name, Span};
use rustc_hash::FxHashSet;
use std::collections::VecDeque;
use std::rc::Rc;

/// Maximum number of guards that are evaluated inside each other. Each one may double the work.
const MAX_NESTED: usize = 12;

/// Maximum number of paths that are compared for a message about a guard.
const MAX_PATHS: usize = 64;

/// Maximum number of values that a message about a guard shows.
const MAX_READS: usize = 4;

/// The state of guards that are being evaluated.
#[derive(Default)]
pub(super) struct GuardEvaluation {
    /// The guards that are being evaluated, the outermost first.
    active: Vec<Active>,
    /// The index of the running thunk above which values are not cached; `None` if all values are cached.
    uncached_above: Option<usize>,
    /// Guards that must be evaluated again once the thunk at an index has been computed.
    due: Vec<Due>,
    /// The number of guards that are being evaluated again.
    checks: usize,
    /// The thunks that such a check has computed, with their states before it.
    computed: Vec<(Thunk, State)>,
    /// Values that are valid only while the same guards are being evaluated.
    provisional: provisional::Provisional,
}

/// The branches of an `if` in a final record: the address of the record, and the place of the first guard.
pub(super) type Branches = (usize, Span);

/// A guard that is being evaluated.
struct Active {
    /// Its index among the running thunks.
    at: usize,
    /// The branches of which it guards one.
    branches: Option<Branches>,
    /// Whether the guard was needed during its own evaluation.
    peeked: bool,
    /// Whether another guard needed it then.
    needed_by_other: bool,
    /// The lowest index of a running thunk that was computed again.
    lowest: usize,
    /// The values that were read from the layers below.
    reads: Vec<Read>,
    /// The number of the list of guards up to this one, if it is needed.
    level: Option<u32>,
    /// The level whose thunks that were computed again have been considered, and their number.
    known_again: Option<(u32, usize)>,
}

/// A value that a guard read from the layers below.
#[derive(Clone)]
struct Read {
    thunk: Thunk,
    field: State,
    name: Name,
    span: Option<Span>,
    /// The guard of its definition.
    under: Option<Span>,
    value: Value,
}

impl Active {
    /// Returns `true` if a message can show another value of the kind: a scalar, or a list or dictionary.
    fn has_room(&self, value: &Value) -> bool {
        self.reads.iter().filter(|read| is_collection(&read.value) == is_collection(value)).count() < MAX_READS
    }
}

fn is_collection(value: &Value) -> bool {
    matches!(value, Value::Record(_) | Value::Array(_))
}

/// A guard that must be evaluated again.
struct Due {
    at: usize,
    guard: Thunk,
    code: (Rc<Unit>, NodeId, Env),
    held: bool,
    reads: Vec<Read>,
}

/// A field that a guard reads.
struct FieldRead {
    /// Its value, and the place of its definition.
    held: (Datum, Option<Span>),
    /// The fields that the definition mentions.
    mentions: Vec<Name>,
}

impl Machine {
    /// Evaluates a guard that may read what it guards.
    pub(super) fn guard_holds(
        &mut self,
        unit: &Rc<Unit>,
        guard: NodeId,
        env: &Env,
        branches: Option<Branches>,
    ) -> Result<bool, Fault> {
        let thunk = match unit.node(guard) {
            Node::Local { up, slot } => env.slot(*up, *slot).cloned(),
            _ => None,
        };
        let thunk = thunk.unwrap_or_else(|| Thunk::of_node(unit, guard, env));
        let code = match thunk.state() {
            State::Done(value) => return self.truth(&value),
            State::Failed(fault) => return Err(fault),
            State::Secret(secret) => {
                let value = self.read_secret(&secret);
                return self.truth(&value);
            }
            State::Running => {
                self.needs_guard(&thunk);
                return Ok(false);
            }
            State::Code(..) if self.needs_branch(branches) => return Ok(false),
            State::Code(unit, node, env) => (unit, node, env),
            State::Work(_) | State::Field(..) => {
                let value = self.force(&thunk)?;
                return self.truth(&value);
            }
        };
        let at = self.running.len();
        self.guard_evaluation.active.push(Active {
            at,
            branches,
            peeked: false,
            needed_by_other: false,
            lowest: usize::MAX,
            reads: Vec::new(),
            level: None,
            known_again: None,
        });
        let value = self.force(&thunk);
        let Some(active) = self.guard_evaluation.active.pop() else { return Ok(false) };
        let is_deferred = active.peeked && active.lowest < at && value.is_ok();
        if self.guard_evaluation.active.is_empty() && !is_deferred {
            self.guard_evaluation.forget();
        }
        if self.guard_evaluation.uncached_above == Some(at) {
            self.guard_evaluation.uncached_above = None;
        }
        let value =
            value.map_err(|fault| if active.peeked { without_layer(fault, active.needed_by_other) } else { fault });
        let held = self.truth(&value?)?;
        // inside another guard's evaluation the result is not cached, so it needs no check
        if active.peeked && self.guard_evaluation.uncached_above.is_none() {
            let due = Due { at: active.lowest.min(at), guard: thunk, code, held, reads: active.reads };
            if due.at >= at {
                self.check_again(due)?;
            } else {
                self.guard_evaluation.due.push(due);
            }
        }
        Ok(held)
    }

    /// Records that a guard is needed while it is being evaluated. It counts as false.
    fn needs_guard(&mut self, guard: &Thunk) {
        let Some(at) = self.running.iter().rposition(|(address, _)| *address == guard.address()) else { return };
        self.keep_below(at);
        let last = self.guard_evaluation.active.len().saturating_sub(1);
        if let Some((index, active)) = self.guard_evaluation.active.iter_mut().enumerate().find(|(_, a)| a.at == at) {
            active.peeked = true;
            active.needed_by_other |= index < last;
        }
    }

    /// Records that a guard is needed while another guard of the same `if` is being evaluated. Returns `false` if none is.
    fn needs_branch(&mut self, branches: Option<Branches>) -> bool {
        let found = self.guard_evaluation.active.iter_mut().rev().enumerate();
        let Some((above, active)) = found.into_iter().find(|(_, a)| branches.is_some() && a.branches == branches)
        else {
            return false;
        };
        active.peeked = true;
        active.needed_by_other |= above > 0;
        let at = active.at;
        self.keep_below(at);
        true
    }

    fn keep_below(&mut self, at: usize) {
        self.guard_evaluation.uncached_above =
            Some(self.guard_evaluation.uncached_above.map_or(at, |kept| kept.min(at)));
    }

    /// Computes a running thunk again if a guard whose evaluation began after it needs it. Otherwise the thunk depends on itself,
    /// which is a fault.
    #[cold]
    pub(super) fn needed_again(&mut self, thunk: &Thunk) -> Result<Value, Fault> {
        if let Some(value) = self.provisional(thunk) {
            return Ok(value);
        }
        let found = self.running.iter().enumerate().rev().find(|(_, (address, _))| *address == thunk.address());
        let Some((index, state)) = found.map(|(index, (_, state))| (index, state.clone())) else {
            return Err(self.recursion(thunk));
        };
        let Some(guard) = self.guard_evaluation.active.iter().position(|active| active.at > index) else {
            return Err(self.recursion(thunk));
        };
        // a guard that needs itself, and a thunk that is already being computed again, depend on themselves
        let guards = &self.guard_evaluation.active;
        if guards.len() > MAX_NESTED || guards.iter().any(|active| active.at == index) {
            return Err(self.recursion(thunk));
        }
        let at = self.guard_evaluation.active[guard].at;
        self.keep_below(at);
        self.guard_evaluation.active[guard].peeked = true;
        let first = self.running.iter().position(|(address, _)| *address == thunk.address()).unwrap_or(index);
        self.guard_evaluation.active[guard].lowest = self.guard_evaluation.active[guard].lowest.min(first);
        self.guard_evaluation.note_again(thunk, guard);
        let field = state.clone();
        let secrets = self.secrets.count;
        self.running.push((thunk.address(), state.clone()));
        let result = self.deeper(|machine| match state {
            State::Code(unit, node, env) => machine.eval_here(unit, node, env),
            State::Work(work) => work.run(machine),
            State::Field(record, index) => machine.resolve(&record, index),
            State::Running | State::Done(_) | State::Secret(_) | State::Failed(_) => {
                Err(Fault::undefined("not waiting", None))
            }
        });
        self.note_read(thunk, &field, secrets, &result);
        self.running.pop();
        result
    }

    /// Returns the name of a field, and the places of the definition that it now has and of its guard.
    fn read_place(&mut self, state: &State) -> Option<(Name, Option<Span>, Option<Span>)> {
        let State::Field(record, index) = state else { return None };
        let (name, _) = record.table().shape.fields.get_index(*index as usize)?;
        let name = name.clone();
        let defs = record.ordered(*index)?;
        for def in defs.iter().rev() {
            let definition = record.definition(*def);
            if let Ok(true) = self.is_active(record, &definition) {
                return Some((name, definition.body_span(), definition.guard_span()));
            }
        }
        Some((name, None, None))
    }

    /// Records a value that is not cached, because a guard needed it. `secrets` is the number of secrets that were read before.
    #[cold]
    pub(super) fn note_read(&mut self, thunk: &Thunk, field: &State, secrets: u64, result: &Result<Value, Fault>) {
        let Ok(value) = result else { return };
        let read = self.read_of(thunk, field, value);
        if self.secrets.count == secrets && self.tracer.is_none() {
            self.guard_evaluation.remember(thunk, value, read.clone());
        }
        if let Some(read) = read {
            self.add_read(read);
        }
    }

    /// Returns what a message about the innermost guard shows of the value of a field; `None` if it shows enough.
    fn read_of(&mut self, thunk: &Thunk, field: &State, value: &Value) -> Option<Read> {
        let active = self.guard_evaluation.active.last()?;
        if !matches!(field, State::Field(..)) || !active.has_room(value) {
            return None;
        }
        let (name, span, under) = self.read_place(field)?;
        Some(Read { thunk: thunk.clone(), field: field.clone(), name, span, under, value: value.clone() })
    }

    /// Adds a value to those that the innermost guard has read.
    fn add_read(&mut self, read: Read) {
        if let Some(active) = self.guard_evaluation.active.last_mut()
            && active.has_room(&read.value)
            && active.reads.iter().all(|known| !known.thunk.same(&read.thunk))
        {
            active.reads.push(read);
        }
    }

    /// Returns `true` while a guard is being evaluated.
    pub(super) fn is_evaluating_guard(&self) -> bool {
        !self.guard_evaluation.active.is_empty()
    }

    /// Returns whether the value of the running thunk at an index may be cached.
    #[inline]
    pub(super) fn is_kept(&self, index: usize) -> bool {
        self.guard_evaluation.uncached_above.is_none_or(|at| index <= at)
    }

    /// Evaluates again the guards that read the thunk at an index, which has now been computed.
    #[inline]
    pub(super) fn check_due(&mut self, index: usize, failed: bool) -> Result<(), Fault> {
        while self.guard_evaluation.due.last().is_some_and(|due| due.at >= index) {
            let Some(due) = self.guard_evaluation.due.pop() else { break };
            self.guard_evaluation.forget();
            if !failed {
                self.check_again(due)?;
            }
        }
        Ok(())
    }

    /// Records that a thunk is computed now, if a guard is being evaluated again.
    #[inline]
    pub(super) fn note_computed(&mut self, thunk: &Thunk, before: State) {
        if self.guard_evaluation.checks > 0 {
            self.guard_evaluation.computed.push((thunk.clone(), before));
        }
    }

    /// Returns the fault of a guard whose result in a final record differs from its result in the layers below, with the values
    /// that changed along the paths that it reads, and along the fields from which these are computed.
    /// `fails` is the fault of the guard, if it has no result in the final record.
    pub fn paradox(
        &mut self,
        (guard, held, fails): (Span, bool, Option<Fault>),
        records: [&Record; 2],
        paths: Vec<Vec<Name>>,
    ) -> Fault {
        let mut changed: Vec<Changed> = Vec::new();
        let mut seen: FxHashSet<Vec<Name>> = paths.iter().cloned().collect();
        let mut paths: VecDeque<Vec<Name>> = paths.into();
        while let Some(path) = paths.pop_front() {
            if changed.len() >= MAX_READS || seen.len() > MAX_PATHS {
                break;
            }
            let [before, after] = records.map(|record| self.along(record, &path));
            for name in before.iter().flat_map(|field| &field.mentions).cloned() {
                let path = vec![name];
                if seen.insert(path.clone()) {
                    paths.push_back(path);
                }
            }
            let (Some(FieldRead { held: was, .. }), Some(FieldRead { held: now, .. })) = (before, after) else {
                continue;
            };
            let scalar = |value: &Datum| !matches!(value, Datum::Record(..) | Datum::Array(..));
            if was.0 != now.0 && (scalar(&was.0) || scalar(&now.0)) {
                let name = Name::from(path.iter().map(Name::as_str).collect::<Vec<_>>().join("."));
                changed.push(Changed { name, was, now, under: [None; 2] });
            }
        }
        Fault::new(ValueKind::Paradox { guard, held, changed, fails: fails.and_then(reason) })
    }

    /// Reads the field at a path of a record.
    fn along(&mut self, record: &Record, path: &[Name]) -> Option<FieldRead> {
        let (last, path) = path.split_last()?;
        let mut record = record.clone();
        for name in path {
            let field = self.field(&record, name).ok()??;
            let Ok(Value::Record(inner)) = self.force(&field) else { return None };
            record = inner;
        }
        let thunk = self.field(&record, last).ok()??;
        let index = record.index_of(last)?;
        let place = self.read_place(&State::Field(record.clone(), index)).and_then(|(_, span, _)| span);
        let place = match place {
            None => self.outline(&record, last).ok().flatten().and_then(|outline| outline.span),
            place => place,
        };
        let mentions = self.mentions(&record, last).unwrap_or_default();
        Some(FieldRead { held: (self.datum(&thunk, Budget::SHORT), place), mentions })
    }

    /// Evaluates a guard again. After a paradox, values that were computed from the guarded values are not kept, so that their
    /// later readers fail too.
    #[cold]
    fn check_again(&mut self, due: Due) -> Result<(), Fault> {
        self.guard_evaluation.forget();
        let first = self.guard_evaluation.computed.len();
        self.guard_evaluation.checks += 1;
        let result = self.is_as_before(due);
        self.guard_evaluation.checks -= 1;
        if result.is_err() {
            for (thunk, before) in self.guard_evaluation.computed.drain(first..).rev() {
                thunk.finish(before);
            }
        }
        if self.guard_evaluation.checks == 0 {
            self.guard_evaluation.computed.clear();
        }
        result
    }

    fn is_as_before(&mut self, due: Due) -> Result<(), Fault> {
        let Due { guard, code: (unit, node, env), held, reads, .. } = due;
        let fails = match self.eval(&unit, node, &env) {
            Ok(again) if self.truth(&again)? == held => return Ok(()),
            Ok(_) => None,
            // a value that the guard read no longer exists, or has no such part
            Err(fault) if is_no_match(&fault) || matches!(fault.what(), Some(ValueKind::Type { .. })) => Some(fault),
            Err(fault) => return Err(fault),
        };
        let span = unit.span(node);
        let mut changed: Vec<Changed> = Vec::new();
        for read in reads {
            let is_scalar = !is_collection(&read.value);
            let was = self.preview(&Thunk::done(read.value));
            let now = self.preview(&read.thunk);
            let (place, under) = self.read_place(&read.field).map_or((None, None), |(_, place, under)| (place, under));
            let explained = || changed.iter().any(|c| c.now.1.is_some() && c.now.1 == place);
            if now != was && (is_scalar || !explained()) {
                let under = [read.under, under].map(|under| under.filter(|under| *under != span));
                changed.push(Changed { name: read.name, was: (was, read.span), now: (now, place), under });
            }
        }
        let fails = fails.and_then(reason);
        let fault = Fault::new(ValueKind::Paradox { guard: span, held, changed, fails });
        guard.finish(State::Failed(fault.clone()));
        Err(fault)
    }
}

/// Returns the problem that a fault is, for a message.
fn reason(fault: Fault) -> Option<Box<ValueProblem>> {
    match &fault.problem().kind {
        ProblemKind::Value(problem) => Some(problem.clone()),
        _ => None,
    }
}

/// Explains the fault of a guard that reads a field which no layer below the guard defines. `by_other`: another guard needs this one.
#[cold]
fn without_layer(fault: Fault, by_other: bool) -> Fault {
    let Some(ValueKind::MissingField { name, .. }) = fault.what() else { return fault };
    let words = match by_other {
        true => format!(
            "no match for `{name}`: the guards of its definitions need each other, and no layer below them defines it"
        ),
        false => format!("no match for `{name}`: the guard reads it, and no layer below the guard defines it"),
    };
    fault.worded(words).change(|problem| {
        if let ValueKind::MissingField { record, known, .. } = &mut problem.what {
            *record = None;
            known.clear();
        }
    })
}
