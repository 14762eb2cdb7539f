//! The machine: evaluates, with fuel.

use super::datum::Datum;
use super::env::{Env, Unit};
use super::thunk::State;
use super::{Call, Fault, Thunk, Value};
use crate::problem::value::{Limit, ValueKind};
use crate::term::{Import, Term};
use crate::text::{Name, Span};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What the machine asks of the session. Shared and re-entered: implement it with interior mutability, and hold no borrow
/// while calling back into the machine.
pub trait Outside {
    /// A name that no term binds: a session definition or a library (`std`).
    fn global(&self, machine: &mut Machine, name: &Name) -> Option<Thunk>;
    /// The value of an imported file, lazily.
    fn import(&self, machine: &mut Machine, import: &Import, span: Span) -> Result<Thunk, Fault>;
}

/// An outside where nothing is.
pub struct NoOutside;

impl Outside for NoOutside {
    fn global(&self, _: &mut Machine, _: &Name) -> Option<Thunk> {
        None
    }
    fn import(&self, _: &mut Machine, import: &Import, span: Span) -> Result<Thunk, Fault> {
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
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { depth: 1_500_000, steps: None, memory: None }
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
    sink: Option<Sink>,
    pub(super) patterns: super::pattern::Patterns,
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
            sink: None,
            patterns: Default::default(),
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

    /// Starts counting steps and memory anew.
    pub fn refuel(&mut self) {
        self.steps = 0;
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

    /// A term's value, unforced.
    pub fn thunk(&mut self, term: &Arc<Term>) -> Thunk {
        Thunk::code(&Unit::new(term.clone(), false), term.root, &Env::empty())
    }

    /// The value of an imported file's term, unforced: merge functions do not reach into its own merges.
    pub fn imported(&mut self, term: &Arc<Term>) -> Thunk {
        Thunk::code(&Unit::new(term.clone(), true), term.root, &Env::empty())
    }

    /// The value of a thunk. Computed once; a fault is kept.
    pub fn force(&mut self, thunk: &Thunk) -> Result<Value, Fault> {
        match thunk.start() {
            State::Done(value) => Ok(value),
            State::Failed(fault) => Err(fault),
            state => {
                thunk.finish(state);
                Err(Fault::undefined("evaluation is not built yet", None))
            }
        }
    }

    /// Applies a function to arguments.
    pub fn call(&mut self, _function: &Value, _args: &[Thunk], call: &Call) -> Result<Value, Fault> {
        Err(call.fault("calls are not built yet"))
    }

    /// Whether two values are equal, deep. Fails where they cannot be compared (functions).
    pub fn equal(&mut self, _a: &Thunk, _b: &Thunk, call: &Call) -> Result<bool, Fault> {
        Err(call.fault("equality is not built yet"))
    }

    /// `a & b`
    pub fn merge(&mut self, _a: &Thunk, _b: &Thunk, call: &Call) -> Result<Value, Fault> {
        Err(call.fault("merging is not built yet"))
    }

    /// Forces a value whole: `std.deep_seq`.
    pub fn force_deep(&mut self, thunk: &Thunk) -> Result<(), Fault> {
        self.force(thunk).map(drop)
    }

    /// The value at a path, unforced. Forces only what the path needs.
    pub fn at(&mut self, root: &Thunk, _path: &[Step]) -> Result<Thunk, Fault> {
        Ok(root.clone())
    }

    /// A value forced deep into plain data, faults in their place, as far as the budget goes.
    pub fn datum(&mut self, thunk: &Thunk, _budget: Budget) -> Datum {
        match self.force(thunk) {
            Ok(Value::Null) => Datum::Null,
            Ok(_) => Datum::Unforced,
            Err(fault) => Datum::Fault(Box::new(fault.problem().clone())),
        }
    }

    /// Where a thunk's expression stands, as far as it is known.
    pub fn place(&self, thunk: &Thunk) -> Option<Span> {
        thunk.origin().map(|(unit, node)| unit.span(node))
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
        match self.limits.steps {
            Some(allowed) if self.steps > allowed => {
                Err(Fault::new(ValueKind::Limit { limit: Limit::Steps, allowed, span: None }))
            }
            _ => Ok(()),
        }
    }
}
