//! Thunks: values that are computed when they are first needed, once.

use super::env::{Env, Unit};
use super::trash::discard;
use super::{Fault, Machine, Record, Value};
use crate::term::{Node, NodeId};
use std::cell::RefCell;
use std::rc::Rc;

/// Work that makes a value. It may run again after an interrupt, hence `Fn`.
pub type Work = Rc<dyn Fn(&mut Machine) -> Result<Value, Fault>>;

/// A lazy value. Cheap to clone; all clones share the result. Force it with [`Machine::force`].
#[derive(Clone)]
pub struct Thunk(Rc<Inner>);

struct Inner {
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
        Thunk::new(State::Work(Rc::new(work)))
    }

    /// The function applied to the arguments, when the result is first needed.
    pub fn apply(function: Value, args: Vec<Thunk>, call: super::Call) -> Thunk {
        Thunk::lazy(move |machine| machine.call(&function, &args, &call))
    }

    /// A node in its environment. Literals are done at once, variables are the thunk they stand for.
    pub(super) fn of_node(unit: &Rc<Unit>, node: NodeId, env: &Env) -> Thunk {
        let value = match unit.node(node) {
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

    /// Whether forcing it does nothing any more.
    pub fn is_forced(&self) -> bool {
        matches!(&*self.0.state.borrow(), State::Done(_) | State::Failed(_))
    }

    /// Whether both are the same thunk. O(1).
    pub fn same(&self, other: &Thunk) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }

    /// Its address, as long as it lives.
    pub(super) fn address(&self) -> usize {
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
