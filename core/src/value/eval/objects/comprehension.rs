//! Evaluates comprehensions. Makes one unevaluated element or field for each combination of the `for` clauses that satisfies
//! the `if` clauses, in order.

use super::frames::{CONDITION, ITERATED};
use super::kind;
use crate::problem::value::ValueKind;
use crate::term::{Clause, Comprehension, FieldName, Node, NodeId};
use crate::text::Name;
use crate::value::env::{Env, Unit};
use crate::value::{Array, Fault, Machine, Record, Thunk, Value};
use rustc_hash::FxHashSet;
use std::rc::Rc;

/// A running `for` clause.
struct Loop {
    clause: usize,
    items: Array,
    next: usize,
    env: Env,
}

impl Machine {
    /// Evaluates `[e for x in xs …]` or `{ [k]: e for x in xs … }`. The names of fields are evaluated, their values are not.
    #[inline(never)]
    pub(in crate::value::eval) fn comprehension(
        &mut self,
        unit: &Rc<Unit>,
        node: NodeId,
        c: &Comprehension,
        env: &Env,
    ) -> Result<Value, Fault> {
        if !c.object {
            let mut elements = Vec::new();
            self.each_iteration(unit, c, env, &mut |machine, env| {
                machine.room_for(&mut elements, 1)?;
                elements.push(Thunk::of_node(unit, c.body, &env));
                Ok(())
            })?;
            return Ok(Value::Array(elements.into()));
        }
        let name = match unit.node(c.body) {
            Node::Record(lit) => lit.fields.first().map(|f| &f.name),
            _ => None,
        };
        let Some(FieldName::Computed(name)) = name else { return Err(self.unbound_slot(unit, node)) };
        let mut names: Vec<Name> = Vec::new();
        let mut envs: Vec<Env> = Vec::new();
        let mut seen = FxHashSet::default();
        self.each_iteration(unit, c, env, &mut |machine, env| {
            match machine.eval(unit, *name, &env)? {
                Value::Null => {}
                Value::String(text) => {
                    let text = text.name();
                    if !seen.insert(text.clone()) {
                        let words = format!("duplicate field name: \"{text}\"");
                        return Err(machine.fails(words, unit.span(*name)));
                    }
                    names.push(text);
                    envs.push(env);
                }
                other => {
                    let words = format!("field must be string, got: {}", kind(&other));
                    return Err(machine.operand_type_fault(
                        &other,
                        "string",
                        words,
                        unit.span(node),
                        Some(unit.span(*name)),
                    ));
                }
            }
            Ok(())
        })?;
        self.charge(names.len())?;
        Ok(Value::Record(Record::comprehended(unit.clone(), c.body, names, envs)))
    }

    /// Calls `iteration` with the environment of each combination, in order.
    fn each_iteration(
        &mut self,
        unit: &Rc<Unit>,
        c: &Comprehension,
        env: &Env,
        iteration: &mut dyn FnMut(&mut Machine, Env) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let mut loops: Vec<Loop> = Vec::new();
        let mut clause = 0;
        let mut here = env.clone();
        loop {
            self.tick()?;
            match c.clauses.get(clause) {
                None => iteration(self, here)?,
                Some(Clause::If(condition)) => match self.in_frames(CONDITION, |m| m.eval(unit, *condition, &here))? {
                    Value::Bool(true) => {
                        clause += 1;
                        continue;
                    }
                    Value::Bool(false) => {}
                    // If operators convert their operands, a condition can have any type.
                    other if unit.rules.converts() => {
                        if self.truth(&other)? {
                            clause += 1;
                            continue;
                        }
                    }
                    other => return Err(self.not_a_condition(&other, unit.span(*condition))),
                },
                Some(Clause::For { items, .. }) => match self.in_frames(ITERATED, |m| m.eval(unit, *items, &here))? {
                    Value::Array(array) => {
                        self.item(&array, 0)?;
                        loops.push(Loop { clause, items: array, next: 0, env: here });
                    }
                    // In the same languages, iterating over a record gives the names of its visible fields.
                    Value::Record(record) if unit.rules.converts() => {
                        let names = self.visible(&record)?.into_iter();
                        let items = names.map(|(name, _)| Thunk::done(Value::string(name))).collect();
                        loops.push(Loop { clause, items, next: 0, env: here });
                    }
                    other => {
                        let words = String::from("In comprehension, can only iterate over array.");
                        return Err(self.operand_type_fault(&other, "array", words, unit.span(*items), None));
                    }
                },
            }
            // Takes the next element of the innermost loop that has one.
            loop {
                let Some(top) = loops.last_mut() else { return Ok(()) };
                let Some(element) = top.items.at(top.next) else {
                    loops.pop();
                    continue;
                };
                top.next += 1;
                clause = top.clause + 1;
                here = top.env.with_one(element);
                break;
            }
        }
    }

    /// Returns the fault of a condition that is not a boolean.
    #[cold]
    pub(in crate::value) fn not_a_condition(&mut self, found: &Value, span: crate::text::Span) -> Fault {
        let words = format!("condition must be boolean, got {}.", kind(found));
        if let Value::Sealed(sealed) = found {
            return self.inspected_sealed(sealed);
        }
        let what = ValueKind::Type {
            expected: Name::new_static("boolean"),
            found: Name::new_static(kind(found)),
            needed_by: Name::default(),
            span: Some(span),
            operation: None,
        };
        Fault::new(what).worded(words)
    }
}
