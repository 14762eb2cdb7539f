//! Evaluates a node in its environment to weak head normal form.
//!
//! Nodes in tail position (the body of a function, `let`, `if`, `match`) are evaluated in a loop, so they use
//! no extra stack.

mod access;
mod apply;
mod bind;
pub mod converting;
mod instances;
mod literal;
pub mod objects;
pub mod operands;
mod prim;
mod text;

use super::env::{Closure, Env, Unit};
use super::{Fault, Machine, Thunk, Value};
use crate::problem::value::ValueKind;
use crate::term::rules::is_library;
use crate::term::{Node, NodeId, Prim};
use crate::text::{Name, Span};
use std::rc::Rc;

/// The result of one evaluation step: a value, or another node to evaluate in its place.
pub(super) enum Next {
    Value(Value),
    Tail(Rc<Unit>, NodeId, Env),
}

/// Adds the place of `node` to the fault if `node` is a reference: the value that it refers to failed.
#[cold]
pub(super) fn with_reference(unit: &Unit, node: NodeId, fault: Fault) -> Fault {
    let is_reference = match unit.node(node) {
        Node::Member { .. } | Node::Global(_) | Node::Index(_) => true,
        // The lowering of a cell reads each key from the cell's document. The user wrote no such reference.
        Node::Project(target, _) => !matches!(unit.node(*target), Node::Record(_) | Node::Inherit(_) | Node::Let(_)),
        _ => false,
    };
    if is_reference { fault.read_at(unit.span(node)) } else { fault }
}

impl Machine {
    /// Evaluates a node one nesting level deeper.
    #[inline]
    pub(super) fn eval(&mut self, unit: &Rc<Unit>, node: NodeId, env: &Env) -> Result<Value, Fault> {
        if self.evaluated.is_some() {
            self.record_place(unit, node);
        }
        // Constants, variables and simple operations do not use a level here.
        match unit.node(node) {
            Node::Null => Ok(Value::Null),
            Node::Bool(b) => Ok(Value::Bool(*b)),
            Node::Number(n) => Ok(Value::Number(n.clone())),
            Node::Str(s) => Ok(Value::String(s.clone().into())),
            Node::Tag(t) => Ok(Value::Tag(t.clone())),
            Node::Local { up, slot } => match env.slot(*up, *slot) {
                Some(thunk) => match thunk.peek() {
                    Some(value) if self.tracer.is_none() => Ok(value),
                    _ => self.force(&thunk.clone()),
                },
                None => Err(self.unbound_slot(unit, node)),
            },
            Node::This { up } => match env.record(*up) {
                Some(record) => Ok(Value::Record(record)),
                None => Err(self.unbound_slot(unit, node)),
            },
            Node::Prim(op, operands) if unit.overloads && !unit.separate_thunks && self.evaluated.is_none() => {
                match Machine::eval_immediate(unit, *op, operands, env) {
                    Some(value) => Ok(value),
                    None => self.deeper(|machine| machine.eval_here(unit.clone(), node, env.clone())),
                }
            }
            _ => self.deeper(|machine| machine.eval_here(unit.clone(), node, env.clone())),
        }
    }

    /// Evaluates a node on the current level.
    pub(super) fn eval_here(&mut self, unit: Rc<Unit>, node: NodeId, env: Env) -> Result<Value, Fault> {
        let (mut unit, mut node, mut env) = (unit, node, env);
        let mut call: Option<Span> = None;
        let frames = self.frames.count;
        let secrets = self.secrets.count;
        loop {
            if self.evaluated.is_some() {
                self.record_place(&unit, node);
            }
            let next = self.tick().and_then(|()| self.step(&unit, node, &env, &mut call));
            match next {
                Ok(Next::Value(value)) => {
                    self.frames.count = frames;
                    return Ok(value);
                }
                Ok(Next::Tail(u, n, e)) => (unit, node, env) = (u, n, e),
                Err(fault) => {
                    self.frames.count = frames;
                    return Err(self.failed_at(&unit, node, call, secrets, fault));
                }
            }
        }
    }

    /// Adds the places of the reference and of the call to a fault, and removes secret values from it. It is a separate
    /// function to keep the stack frame of [`Machine::eval_here`] small: a deep evaluation has many such frames.
    #[cold]
    #[inline(never)]
    fn failed_at(&self, unit: &Rc<Unit>, node: NodeId, call: Option<Span>, secrets: u64, fault: Fault) -> Fault {
        // A running thunk removes the secret values from its faults itself.
        let outermost = self.secrets.count != secrets && self.running.is_empty();
        let fault = if outermost { self.without_secret(fault, true) } else { fault };
        let fault = if unit.rules.guards_read_own_field() { with_reference(unit, node, fault) } else { fault };
        if let Some(span) = call { fault.called_at(span) } else { fault }
    }

    /// Evaluates one node. Nodes in tail position are returned instead of evaluated.
    fn step(&mut self, unit: &Rc<Unit>, node: NodeId, env: &Env, call: &mut Option<Span>) -> Result<Next, Fault> {
        let value = match unit.node(node) {
            Node::If(parts) => return self.branch(unit, parts, env),
            Node::Apply(apply) => return self.apply(unit, node, apply, env, call),
            Node::Let(l) => return self.bind(unit, l, env),
            Node::Match(m) => return self.match_on(unit, node, m, env),
            Node::Prim(op, operands) if unit.overloads => return self.operator(unit, node, *op, operands, env),
            Node::Prim(op, operands) if unit.instances && !matches!(op, Prim::And | Prim::Or) => {
                return self.instance(unit, node, *op, operands, env);
            }
            Node::Prim(op @ (Prim::And | Prim::Or), operands) => return self.and_or(unit, node, *op, operands, env),
            Node::Prim(op, operands) => self.prim(unit, node, *op, operands, env)?,
            Node::Local { up, slot } => match env.slot(*up, *slot) {
                Some(thunk) => self.force(&thunk.clone())?,
                None => return Err(self.unbound_slot(unit, node)),
            },
            Node::Member { up, name } => self.member(unit, node, *up, name, env)?,
            Node::Project(record, name) => self.project(unit, node, *record, name, env)?,
            Node::Index(parts) if unit.instances => self.element_at(unit, node, parts, env)?,
            Node::Index(parts) if unit.rules.converts() => self.index_converting(unit, node, parts, env)?,
            Node::Index(parts) if unit.overloads => self.index_any(unit, node, parts, env)?,
            Node::Index(parts) => self.index(unit, node, parts, env)?,
            Node::Global(name) => self.global(unit, node, name)?,
            Node::Null => Value::Null,
            Node::Bool(b) => Value::Bool(*b),
            Node::Number(n) => Value::Number(n.clone()),
            Node::Str(s) => Value::String(s.clone().into()),
            Node::Tag(t) => Value::Tag(t.clone()),
            Node::Variant(tag, e) => Value::Variant(tag.clone(), Thunk::of_node(unit, *e, env)),
            Node::Interp(chunks) => self.interpolate(unit, chunks, env)?,
            Node::Array(items) => Value::Array(items.iter().map(|e| Thunk::of_node(unit, *e, env)).collect()),
            Node::Record(_) => self.record_literal(unit, node, env)?,
            Node::Lambda(_) => {
                Value::Function(Rc::new(Closure { unit: unit.clone(), node, env: env.clone(), args: Vec::new() }))
            }
            Node::Merge(operands) => self.merge_node(unit, node, operands, env)?,
            Node::Annot(e, annots) => self.annotated(unit, *e, annots, env)?,
            Node::Import(import) => self.import(unit, node, import)?,
            Node::Type(_) => {
                Value::Contract(Rc::new(super::Contract::Form(unit.clone(), node, env.clone(), Default::default())))
            }
            Node::This { up } => match env.record(*up) {
                Some(record) => Value::Record(record),
                None => return Err(self.unbound_slot(unit, node)),
            },
            Node::Hole => return Err(Fault::new(ValueKind::Hole { span: unit.span(node) })),
            Node::Inherit(parts) => self.inherit(unit, node, parts, env)?,
            Node::Super { up, read } => self.read_super(unit, node, *up, read, env)?,
            Node::Comprehension(c) => self.comprehension(unit, node, c, env)?,
        };
        Ok(Next::Value(value))
    }

    /// Returns the fault for a variable whose slot is empty: the term is invalid, or no pattern bound the slot.
    #[cold]
    pub(in crate::value) fn unbound_slot(&self, unit: &Unit, node: NodeId) -> Fault {
        Fault::new(ValueKind::Hole { span: unit.span(node) })
    }

    /// Returns the fault for a value that has the wrong type. For a sealed value, the fault blames its contract.
    #[cold]
    pub(super) fn mismatch(
        &mut self,
        expected: &str,
        found: &Value,
        needed_by: &str,
        span: Option<Span>,
        operation: Option<Span>,
    ) -> Fault {
        if let Value::Sealed(sealed) = found {
            return self.inspected_sealed(sealed);
        }
        Fault::new(ValueKind::Type {
            expected: Name::new(expected),
            found: Name::new(found.type_name()),
            needed_by: Name::new(needed_by),
            span,
            operation,
        })
    }

    #[inline(never)]
    /// Evaluates the condition of an `if`, and returns the chosen branch.
    fn branch(&mut self, unit: &Rc<Unit>, parts: &[NodeId; 3], env: &Env) -> Result<Next, Fault> {
        let [condition, then, otherwise] = *parts;
        match self.eval(unit, condition, env)? {
            Value::Bool(c) => Ok(Next::Tail(unit.clone(), if c { then } else { otherwise }, env.clone())),
            other if unit.rules.converts() => {
                let holds = self.truth(&other)?;
                Ok(Next::Tail(unit.clone(), if holds { then } else { otherwise }, env.clone()))
            }
            other if unit.rules.uses_reference_wording() => Err(self.not_a_condition(&other, unit.span(condition))),
            other => {
                let span = Some(unit.span(condition));
                Err(self.mismatch("Bool", &other, "the condition of `if`", span, None))
            }
        }
    }

    #[inline(never)]
    fn inherit(&mut self, unit: &Rc<Unit>, node: NodeId, parts: &[NodeId; 2], env: &Env) -> Result<Value, Fault> {
        let (below, above) = (self.eval(unit, parts[0], env)?, self.eval(unit, parts[1], env)?);
        if unit.rules.extends_layers() {
            let places = (Some(unit.span(parts[0])), unit.span(parts[1]));
            self.layered(below, above, unit.span(node), places)
        } else {
            self.binary(Prim::Plus, below, above, unit.span(node))
        }
    }

    #[inline(never)]
    fn merge_node(&mut self, unit: &Rc<Unit>, node: NodeId, operands: &[NodeId], env: &Env) -> Result<Value, Fault> {
        let thunks = self.kept_operands(unit, node, env).unwrap_or_else(|| {
            let thunks: Vec<Thunk> = operands.iter().map(|e| Thunk::of_node(unit, *e, env)).collect();
            self.keep_operands(unit, node, env, &thunks);
            thunks
        });
        let operands: Vec<_> = thunks.into_iter().zip(operands.iter().map(|e| Some(unit.span(*e)))).collect();
        self.merge_operands(&operands, Some(unit.clone()), Some(unit.span(node)))
    }

    #[inline(never)]
    fn global(&mut self, unit: &Rc<Unit>, node: NodeId, name: &Name) -> Result<Value, Fault> {
        let host = self.host.clone();
        let found = match is_library(name) {
            true => host.library(self, name, unit.revision, unit.span(node).source),
            false => host.global(self, unit.revision, name),
        };
        match found {
            Some(thunk) => self.force_outermost(&thunk),
            // the definition was not made, because it was stopped
            None if self.interrupt().is_set() => Err(self.stopped()),
            None => Err(Fault::new(ValueKind::Unbound { name: name.clone(), span: unit.span(node) })),
        }
    }

    #[inline(never)]
    fn import(&mut self, unit: &Rc<Unit>, node: NodeId, import: &crate::term::Import) -> Result<Value, Fault> {
        let host = self.host.clone();
        let thunk = host.import(self, unit.revision, import, unit.span(node))?;
        self.force_import(&thunk, import, unit.span(node))
    }

    /// Imports a file whose path is computed during evaluation, and returns its value.
    pub(crate) fn import_at(
        &mut self,
        revision: super::Revision,
        import: &crate::term::Import,
        span: Span,
    ) -> Result<Value, Fault> {
        let host = self.host.clone();
        let thunk = host.import(self, revision, import, span)?;
        self.force_import(&thunk, import, span)
    }

    /// Forces the value of an imported file. Meanwhile, `imports` holds the place of the import.
    fn force_import(&mut self, thunk: &Thunk, import: &crate::term::Import, span: Span) -> Result<Value, Fault> {
        self.imports.push((self.running.len(), import.path.clone(), span));
        let value = self.force_outermost(thunk);
        self.imports.pop();
        value
    }

    /// Forces the value of a file, a session name or an external variable. In faults, paths to its fields begin at this
    /// value.
    pub fn force_outermost(&mut self, thunk: &Thunk) -> Result<Value, Fault> {
        let value = self.force(thunk)?;
        if let Value::Record(record) = &value {
            record.set_outermost();
        }
        Ok(value)
    }
}
