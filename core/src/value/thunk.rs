//! Thunks: values that are computed once, when they are first needed.

use super::collect::{Graph, Trace};
use super::deferred_drop::discard;
use super::env::{Env, Unit};
use super::trace::Origin;
use super::{Fault, Machine, Record, Value};
use crate::term::{Node, NodeId, Number};
use crate::text::{Name, Span};
use std::cell::RefCell;
use std::rc::Rc;

/// A computation that produces a value. It may run again after an interrupt.
pub type Work = Rc<dyn Job>;

/// The implementation of [`Work`].
pub trait Job {
    /// Computes the value.
    fn run(&self, machine: &mut Machine) -> Result<Value, Fault>;
    /// Reports the references that the work holds, as far as they are known.
    fn follow(&self, to: &mut Graph);
}

/// A closure whose references are unknown.
struct Opaque<F>(F);

impl<F: Fn(&mut Machine) -> Result<Value, Fault>> Job for Opaque<F> {
    fn run(&self, machine: &mut Machine) -> Result<Value, Fault> {
        (self.0)(machine)
    }
    fn follow(&self, _: &mut Graph) {}
}

/// A closure and the references that it needs.
struct Holding<H, F> {
    held: H,
    run: F,
}

impl<H: Trace, F: Fn(&mut Machine, &H) -> Result<Value, Fault>> Job for Holding<H, F> {
    fn run(&self, machine: &mut Machine) -> Result<Value, Fault> {
        (self.run)(machine, &self.held)
    }
    fn follow(&self, to: &mut Graph) {
        self.held.trace(to);
    }
}

/// A lazy value. Cheap to clone; all clones share the result. Force it with [`Machine::force`].
#[derive(Clone)]
pub struct Thunk(pub(super) Rc<Inner>);

pub(super) struct Inner {
    state: RefCell<State>,
}

/// The state of a thunk.
#[derive(Clone)]
pub(super) enum State {
    /// Unforced: a node and its environment.
    Code(Rc<Unit>, NodeId, Env),
    /// Unforced: work of a library function or of the machine.
    Work(Work),
    /// Unforced: a field of a final record, by index.
    Field(Record, u32),
    /// Running. Forcing it now is infinite recursion.
    Running,
    /// Forced.
    Done(Value),
    /// Forced, and computed from a secret.
    Secret(Rc<Tainted>),
    /// Failed. The fault is cached.
    Failed(Fault),
}

/// A value that was computed from a secret.
pub(super) struct Tainted {
    pub(super) value: Value,
    /// The secret field that was read.
    pub(super) from: Option<Rc<SecretField>>,
}

/// A field that is marked as secret.
pub struct SecretField {
    /// Its path from the outermost known record.
    pub path: Vec<Name>,
    /// The span of its definition.
    pub span: Option<Span>,
}

impl Drop for Inner {
    fn drop(&mut self) {
        match self.state.get_mut() {
            State::Running
            | State::Done(Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Tag(_)) => {}
            state => discard(std::mem::replace(state, State::Running)),
        }
    }
}

impl Thunk {
    pub(super) fn new(state: State) -> Thunk {
        Thunk(Rc::new(Inner { state: RefCell::new(state) }))
    }

    /// Makes a forced thunk.
    pub fn done(value: impl Into<Value>) -> Thunk {
        Thunk::new(State::Done(value.into()))
    }

    /// Makes a failed thunk.
    pub fn failed(fault: Fault) -> Thunk {
        Thunk::new(State::Failed(fault))
    }

    /// Makes a thunk that runs `work` when it is first forced.
    pub fn lazy(work: impl Fn(&mut Machine) -> Result<Value, Fault> + 'static) -> Thunk {
        Thunk::new(State::Work(Rc::new(Opaque(work))))
    }

    /// Like [`Thunk::lazy`], but declares its references. `run` must not capture anything that can refer back to the
    /// thunk; such references belong in `held`. The collector can then find a cycle through the thunk before it is
    /// forced.
    pub fn holding<H: Trace + 'static>(
        held: H,
        run: impl Fn(&mut Machine, &H) -> Result<Value, Fault> + 'static,
    ) -> Thunk {
        Thunk::new(State::Work(Rc::new(Holding { held, run })))
    }

    /// Makes a thunk that applies a function to arguments.
    pub fn apply(function: Value, args: Vec<Thunk>, call: super::Call) -> Thunk {
        // Only the span of the call is needed later.
        let span = call.span;
        let call_at = move |span| super::Call { span, ..super::Call::default() };
        match <[Thunk; 1]>::try_from(args) {
            Ok([only]) => Thunk::holding((function, only), move |machine, (function, only)| {
                machine.call(function, std::slice::from_ref(only), &call_at(span))
            }),
            Err(args) => Thunk::holding((function, args), move |machine, (function, args)| {
                machine.call(function, args, &call_at(span))
            }),
        }
    }

    /// Makes a thunk for a node. Literals are forced at once; a variable is the thunk that it refers to.
    pub(super) fn of_node(unit: &Rc<Unit>, node: NodeId, env: &Env) -> Thunk {
        let value = match unit.node(node) {
            _ if unit.separate_thunks => return Thunk::new(State::Code(unit.clone(), node, env.clone())),
            Node::Null => Value::Null,
            Node::Bool(b) => Value::Bool(*b),
            Node::Number(n) => Value::Number(n.clone()),
            Node::Str(s) => Value::String(s.clone().into()),
            Node::Tag(t) => Value::Tag(t.clone()),
            Node::Local { up, slot } => {
                if let Some(thunk) = env.slot(*up, *slot) {
                    return thunk.clone();
                }
                return Thunk::new(State::Code(unit.clone(), node, env.clone()));
            }
            Node::Prim(op, operands) if unit.overloads => match Machine::eval_immediate(unit, *op, operands, env) {
                Some(value) => value,
                None => return Thunk::new(State::Code(unit.clone(), node, env.clone())),
            },
            _ => return Thunk::new(State::Code(unit.clone(), node, env.clone())),
        };
        Thunk::new(State::Done(value))
    }

    /// Returns the value if it is already computed and not a secret.
    pub fn peek(&self) -> Option<Value> {
        match &*self.0.state.borrow() {
            State::Done(value) => Some(value.clone()),
            _ => None,
        }
    }

    /// Returns the value if it is already computed, even if it is a secret. What it returns must not be shown.
    pub(crate) fn computed(&self) -> Option<Value> {
        match &*self.0.state.borrow() {
            State::Done(value) => Some(value.clone()),
            State::Secret(secret) => Some(secret.value.clone()),
            _ => None,
        }
    }

    /// Returns the secret field that the value was computed from: `None` if the value is not computed or not a secret,
    /// `Some(None)` if the field is not known.
    pub(crate) fn secret(&self) -> Option<Option<Rc<SecretField>>> {
        match &*self.0.state.borrow() {
            State::Secret(secret) => Some(secret.from.clone()),
            _ => None,
        }
    }

    /// Applies a function to the value if it is already computed and not a secret.
    pub(crate) fn with_value<T>(&self, read: impl FnOnce(&Value) -> T) -> Option<T> {
        match &*self.0.state.borrow() {
            State::Done(value) => Some(read(value)),
            _ => None,
        }
    }

    /// Returns the value if it is already computed and a double.
    pub(super) fn double(&self) -> Option<f64> {
        match &*self.0.state.borrow() {
            State::Done(Value::Number(Number::Double(n))) => Some(*n),
            _ => None,
        }
    }

    /// Returns whether the thunk is forced or failed.
    pub fn is_forced(&self) -> bool {
        matches!(&*self.0.state.borrow(), State::Done(_) | State::Secret(_) | State::Failed(_))
    }

    /// Returns whether both are the same thunk. O(1).
    pub fn same(&self, other: &Thunk) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }

    /// Returns whether this is the only reference to the thunk.
    pub(crate) fn is_held_once(&self) -> bool {
        Rc::strong_count(&self.0) == 1
    }

    /// Returns the current state.
    pub(super) fn state(&self) -> State {
        self.0.state.try_borrow().map_or(State::Running, |state| state.clone())
    }

    /// Returns the address, which is valid as long as the thunk lives.
    pub(crate) fn address(&self) -> usize {
        Rc::as_ptr(&self.0) as usize
    }

    /// Takes the work and marks the thunk as running, or returns the result if there is one.
    pub(super) fn start(&self) -> State {
        let mut state = self.0.state.borrow_mut();
        match &*state {
            State::Done(_) | State::Secret(_) | State::Failed(_) | State::Running => state.clone(),
            _ => std::mem::replace(&mut *state, State::Running),
        }
    }

    /// Reports the references of the state.
    pub(super) fn follow(&self, to: &mut Graph) {
        let Ok(state) = self.0.state.try_borrow() else { return };
        match &*state {
            State::Code(_, _, env) => env.trace(to),
            State::Work(work) => work.trace(to),
            State::Field(record, _) => record.trace(to),
            State::Done(value) => value.trace(to),
            State::Secret(secret) => secret.value.trace(to),
            State::Running | State::Failed(_) => {}
        }
    }

    /// Returns whether the thunk holds no references.
    pub(super) fn is_leaf(&self) -> bool {
        let Ok(state) = self.0.state.try_borrow() else { return false };
        matches!(
            &*state,
            State::Failed(_)
                | State::Done(Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Tag(_))
        )
    }

    /// Drops the references of a thunk that will not be forced again.
    pub(super) fn clear(&self) {
        let state = self.0.state.try_borrow_mut().map(|mut state| std::mem::replace(&mut *state, State::Running));
        discard(state.ok());
    }

    /// Returns the origin of a thunk that was not forced yet.
    pub(super) fn traced_origin(&self) -> Origin {
        match &*self.0.state.borrow() {
            State::Code(unit, node, _) => Origin::Code(unit.clone(), *node),
            State::Field(record, index) => match record.table().shape.fields.get_index(*index as usize) {
                Some((name, _)) => Origin::Field(record.clone(), name.clone()),
                None => Origin::Work,
            },
            _ => Origin::Work,
        }
    }

    /// Stores the value or the fault, or restores the work.
    pub(super) fn finish(&self, state: State) {
        *self.0.state.borrow_mut() = state;
    }

    /// Returns the node that an unforced thunk will evaluate.
    pub(super) fn origin(&self) -> Option<(Rc<Unit>, NodeId)> {
        match &*self.0.state.borrow() {
            State::Code(unit, node, _) => Some((unit.clone(), *node)),
            _ => None,
        }
    }
}

impl std::fmt::Debug for Thunk {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &*self.0.state.borrow() {
            State::Done(value) => value.fmt(f),
            State::Secret(_) => f.write_str(crate::problem::datum::MASK),
            State::Failed(_) => f.write_str("<failed>"),
            State::Running => f.write_str("<running>"),
            _ => f.write_str("_"),
        }
    }
}
