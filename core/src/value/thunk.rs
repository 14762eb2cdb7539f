//! Thunks: values that are computed when they are first needed, once.

use super::collect::{Graph, Trace};
use super::deferred_drop::discard;
use super::env::{Env, Unit};
use super::trace::Origin;
use super::{Fault, Machine, Record, Value};
use crate::term::{Node, NodeId, Number};
use std::cell::RefCell;
use std::rc::Rc;

/// Work that makes a value. It may run again after an interrupt.
pub type Work = Rc<dyn Job>;

/// What [`Work`] does.
pub trait Job {
    /// Makes the value.
    fn run(&self, machine: &mut Machine) -> Result<Value, Fault>;
    /// Tells of the references that the work holds, as far as that is known.
    fn follow(&self, to: &mut Graph);
}

/// A closure: what it holds is not known.
struct Opaque<F>(F);

impl<F: Fn(&mut Machine) -> Result<Value, Fault>> Job for Opaque<F> {
    fn run(&self, machine: &mut Machine) -> Result<Value, Fault> {
        (self.0)(machine)
    }
    fn follow(&self, _: &mut Graph) {}
}

/// A closure beside what it needs.
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

/// What a thunk is at the moment.
#[derive(Clone)]
pub(super) enum State {
    /// Waiting: a node and its environment.
    Code(Rc<Unit>, NodeId, Env),
    /// Waiting: work of a library function or the machine.
    Work(Work),
    /// Waiting: field number so of a final record.
    Field(Record, u32),
    /// Running: forcing it now is infinite recursion.
    Running,
    /// Done.
    Done(Value),
    /// Failed; the fault is kept.
    Failed(Fault),
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

    /// A value that is there already.
    pub fn done(value: impl Into<Value>) -> Thunk {
        Thunk::new(State::Done(value.into()))
    }

    /// A value that failed already.
    pub fn failed(fault: Fault) -> Thunk {
        Thunk::new(State::Failed(fault))
    }

    /// A value that the work makes when it is first needed.
    pub fn lazy(work: impl Fn(&mut Machine) -> Result<Value, Fault> + 'static) -> Thunk {
        Thunk::new(State::Work(Rc::new(Opaque(work))))
    }

    /// As [`Thunk::lazy`]; `run` closes over nothing that can refer back to the thunk: that is in `held`. So a cycle through
    /// the thunk is seen before it is forced.
    pub fn holding<H: Trace + 'static>(
        held: H,
        run: impl Fn(&mut Machine, &H) -> Result<Value, Fault> + 'static,
    ) -> Thunk {
        Thunk::new(State::Work(Rc::new(Holding { held, run })))
    }

    /// The function applied to the arguments, when the result is first needed.
    pub fn apply(function: Value, args: Vec<Thunk>, call: super::Call) -> Thunk {
        // Of the call its place is all that is needed.
        let span = call.span;
        let again = move |span| super::Call { span, ..super::Call::default() };
        match <[Thunk; 1]>::try_from(args) {
            Ok([only]) => Thunk::holding((function, only), move |machine, (function, only)| {
                machine.call(function, std::slice::from_ref(only), &again(span))
            }),
            Err(args) => Thunk::holding((function, args), move |machine, (function, args)| {
                machine.call(function, args, &again(span))
            }),
        }
    }

    /// A node in its environment. Literals are done at once, variables are the thunk they stand for.
    pub(super) fn of_node(unit: &Rc<Unit>, node: NodeId, env: &Env) -> Thunk {
        let value = match unit.node(node) {
            _ if unit.late => return Thunk::new(State::Code(unit.clone(), node, env.clone())),
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
            Node::Prim(op, operands) if unit.overloads => match Machine::at_hand(unit, *op, operands, env) {
                Some(value) => value,
                None => return Thunk::new(State::Code(unit.clone(), node, env.clone())),
            },
            _ => return Thunk::new(State::Code(unit.clone(), node, env.clone())),
        };
        Thunk::new(State::Done(value))
    }

    /// The value, if it was computed already.
    pub fn peek(&self) -> Option<Value> {
        match &*self.0.state.borrow() {
            State::Done(value) => Some(value.clone()),
            _ => None,
        }
    }

    /// Looks at the value, if it was computed already.
    pub(crate) fn look<T>(&self, at: impl FnOnce(&Value) -> T) -> Option<T> {
        match &*self.0.state.borrow() {
            State::Done(value) => Some(at(value)),
            _ => None,
        }
    }

    /// The number, if the value is one and was computed already.
    pub(super) fn double(&self) -> Option<f64> {
        match &*self.0.state.borrow() {
            State::Done(Value::Number(Number::Double(n))) => Some(*n),
            _ => None,
        }
    }

    /// Whether forcing it does nothing any more.
    pub fn is_forced(&self) -> bool {
        matches!(&*self.0.state.borrow(), State::Done(_) | State::Failed(_))
    }

    /// Whether both are the same thunk. O(1).
    pub fn same(&self, other: &Thunk) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }

    /// Whether nobody else holds it.
    pub(crate) fn is_held_once(&self) -> bool {
        Rc::strong_count(&self.0) == 1
    }

    /// What it is at the moment.
    pub(super) fn state(&self) -> State {
        self.0.state.try_borrow().map_or(State::Running, |state| state.clone())
    }

    /// Its address, as long as it lives.
    pub(crate) fn address(&self) -> usize {
        Rc::as_ptr(&self.0) as usize
    }

    /// Takes what is to be done, leaving the thunk running; or what came of it.
    pub(super) fn start(&self) -> State {
        let mut state = self.0.state.borrow_mut();
        match &*state {
            State::Done(_) | State::Failed(_) | State::Running => state.clone(),
            _ => std::mem::replace(&mut *state, State::Running),
        }
    }

    /// Tells of what the state refers to.
    pub(super) fn follow(&self, to: &mut Graph) {
        let Ok(state) = self.0.state.try_borrow() else { return };
        match &*state {
            State::Code(_, _, env) => env.trace(to),
            State::Work(work) => work.trace(to),
            State::Field(record, _) => record.trace(to),
            State::Done(value) => value.trace(to),
            State::Running | State::Failed(_) => {}
        }
    }

    /// Whether it refers to nothing.
    pub(super) fn is_leaf(&self) -> bool {
        let Ok(state) = self.0.state.try_borrow() else { return false };
        matches!(
            &*state,
            State::Failed(_)
                | State::Done(Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Tag(_))
        )
    }

    /// Takes what the thunk refers to: nothing will force it any more.
    pub(super) fn clear(&self) {
        let state = self.0.state.try_borrow_mut().map(|mut state| std::mem::replace(&mut *state, State::Running));
        discard(state.ok());
    }

    /// What a thunk that was not forced stands for.
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

    /// The value or fault that came, or the work back.
    pub(super) fn finish(&self, state: State) {
        *self.0.state.borrow_mut() = state;
    }

    /// The node a waiting thunk will evaluate.
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
            State::Failed(_) => f.write_str("<failed>"),
            State::Running => f.write_str("<running>"),
            _ => f.write_str("_"),
        }
    }
}
