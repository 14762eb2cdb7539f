//! Operators of mcl, which have an instance for each type: 64-bit integers, floats, strings, lists and maps. The types of operands
//! were checked before evaluation.

use super::Next;
use crate::problem::value::ValueKind;
use crate::term::{NodeId, Number, Prim};
use crate::text::Span;
use crate::value::env::{Env, Unit};
use crate::value::{Call, Fault, Machine, Map, Thunk, Value};
use std::cmp::Ordering;
use std::rc::Rc;

impl Machine {
    /// Evaluates an operation.
    #[inline(never)]
    pub(super) fn instance(
        &mut self,
        unit: &Rc<Unit>,
        node: NodeId,
        op: Prim,
        operands: &[NodeId],
        env: &Env,
    ) -> Result<Next, Fault> {
        let span = unit.span(node);
        let thunk = |i: usize| operands.get(i).map(|id| Thunk::of_node(unit, *id, env));
        let missing = || Fault::new(ValueKind::Hole { span });
        let value = match (op, operands) {
            (Prim::Map, _) => {
                let mut entries = Vec::with_capacity(operands.len() / 2);
                for pair in operands.chunks(2) {
                    let [key, value] = pair else { return Err(missing()) };
                    let key = Thunk::of_node(unit, *key, env);
                    self.force_deep(&key)?;
                    entries.push((self.force(&key)?, Thunk::of_node(unit, *value, env)));
                }
                self.charge(entries.len())?;
                Value::Map(Map::new(entries))
            }
            (Prim::Lookup, [target, key, default]) => {
                let (target, key) = (self.eval(unit, *target, env)?, self.eval(unit, *key, env)?);
                return match self.element(&target, &key)? {
                    Some(found) => Ok(Next::Value(self.force(&found)?)),
                    None => Ok(Next::Tail(unit.clone(), *default, env.clone())),
                };
            }
            (Prim::Lookup, [target, key]) => {
                let (target, key) = (self.eval(unit, *target, env)?, self.eval(unit, *key, env)?);
                match self.element(&target, &key)? {
                    Some(found) => self.force(&found)?,
                    None => return Err(self.no_element(&target, &key, span)),
                }
            }
            (Prim::Else, [first, fallback]) => {
                let first = Thunk::of_node(unit, *first, env);
                return match self.force_deep(&first) {
                    Err(fault) if is_catchable(&fault) => Ok(Next::Tail(unit.clone(), *fallback, env.clone())),
                    Err(fault) => Err(fault),
                    Ok(_) => Ok(Next::Value(self.force(&first)?)),
                };
            }
            (Prim::FieldOr, [target, name, default]) => {
                let (target, name) = (self.eval(unit, *target, env)?, self.eval(unit, *name, env)?);
                let (Value::Record(record), Value::String(name)) = (&target, &name) else { return Err(missing()) };
                if !self.has_field(record, &name.name())? {
                    return Ok(Next::Tail(unit.clone(), *default, env.clone()));
                }
                self.access(record, &name.name(), span, false)?
            }
            (Prim::Names, [name]) => match self.eval(unit, *name, env)? {
                Value::String(name) => Value::array([Thunk::done(Value::String(name))]),
                other => other,
            },
            (Prim::Error, [message]) => match self.eval(unit, *message, env)? {
                Value::Bool(false) => Value::record([]),
                Value::String(text) if text.as_str().is_empty() => Value::record([]),
                Value::String(text) => return Err(self.fails(format!("panic: {}", text.as_str()), span)),
                _ => return Err(self.fails("panic", span)),
            },
            (Prim::In, [needle, haystack]) => {
                let needle = Thunk::of_node(unit, *needle, env);
                let Value::Array(items) = self.eval(unit, *haystack, env)? else { return Err(missing()) };
                let mut found = false;
                for i in 0..items.len() {
                    let Some(item) = items.at(i) else { continue };
                    if self.equal(&needle, &item, &Call::at(span))? {
                        found = true;
                        break;
                    }
                }
                Value::Bool(found)
            }
            (Prim::Eq | Prim::Ne, [_, _]) => {
                let (Some(a), Some(b)) = (thunk(0), thunk(1)) else { return Err(missing()) };
                Value::Bool(self.equal(&a, &b, &Call::at(span))? == (op == Prim::Eq))
            }
            (Prim::Not, [operand]) => match self.eval(unit, *operand, env)? {
                Value::Bool(b) => Value::Bool(!b),
                _ => return Err(missing()),
            },
            (_, [left, right]) => {
                let (left, right) = (self.eval(unit, *left, env)?, self.eval(unit, *right, env)?);
                self.operate_alike(op, left, right, span)?
            }
            _ => return Err(missing()),
        };
        Ok(Next::Value(value))
    }

    /// Applies an operator to two evaluated operands of the same type.
    fn operate_alike(&mut self, op: Prim, left: Value, right: Value, span: Span) -> Result<Value, Fault> {
        Ok(match (op, left, right) {
            (Prim::Add, Value::String(a), Value::String(b)) => {
                self.charge(a.len().saturating_add(b.len()))?;
                Value::String(a.concat(&b))
            }
            (_, Value::Number(Number::Int(a)), Value::Number(Number::Int(b))) => {
                let whole = |n: Option<i64>| match n {
                    Some(n) => Ok(Value::Number(Number::Int(n))),
                    None => Err(format!("integer overflow: {a} {} {b} does not fit into 64 bits", op.symbol())),
                };
                let result = match op {
                    Prim::Add => whole(a.checked_add(b)),
                    Prim::Sub => whole(a.checked_sub(b)),
                    Prim::Mul => whole(a.checked_mul(b)),
                    Prim::Div if b == 0 => Err(String::from("division by zero")),
                    Prim::Div => Ok(Value::Number(Number::Double(a as f64 / b as f64))),
                    _ => Ok(Value::Bool(ordered(op, a.cmp(&b)))),
                };
                result.map_err(|message| self.fails(message, span))?
            }
            (_, Value::Number(a), Value::Number(b)) => {
                let (a, b) = (a.to_f64(), b.to_f64());
                let result = match op {
                    Prim::Add => a + b,
                    Prim::Sub => a - b,
                    Prim::Mul => a * b,
                    Prim::Div if b == 0.0 => return Err(self.fails("division by zero", span)),
                    Prim::Div => a / b,
                    _ => return Ok(Value::Bool(a.partial_cmp(&b).is_some_and(|o| ordered(op, o)))),
                };
                if !result.is_finite() {
                    return Err(self.fails("the float is out of range", span));
                }
                Value::Number(Number::Double(result))
            }
            _ => return Err(Fault::new(ValueKind::Hole { span })),
        })
    }

    /// Returns the element of a list at an index, or of a map at a key.
    fn element(&mut self, target: &Value, key: &Value) -> Result<Option<Thunk>, Fault> {
        Ok(match (target, key) {
            (Value::Array(items), Value::Number(Number::Int(at))) => match usize::try_from(*at) {
                Ok(at) => self.item(items, at)?,
                Err(_) => None,
            },
            (Value::Map(map), key) => {
                let key = Thunk::done(key.clone());
                self.force_deep(&key)?;
                let key = self.force(&key)?;
                map.get(&key).cloned()
            }
            _ => None,
        })
    }

    /// Returns the fault of a missing element.
    fn no_element(&self, target: &Value, key: &Value, span: Span) -> Fault {
        let what = if matches!(target, Value::Array(_)) { "index" } else { "key" };
        self.fails(format!("{what} not found: {}", crate::value::map::key_text(key)), span)
    }

    /// Evaluates `e[i]`. A missing element has the zero value of its type; fails if the type has none.
    #[inline(never)]
    pub(super) fn element_at(
        &mut self,
        unit: &Rc<Unit>,
        node: NodeId,
        parts: &[NodeId; 2],
        env: &Env,
    ) -> Result<Value, Fault> {
        let (target, key) = (self.eval(unit, parts[0], env)?, self.eval(unit, parts[1], env)?);
        match self.element(&target, &key)? {
            Some(found) => self.force(&found),
            None => match self.zero(unit, node, &target)? {
                Some(zero) => Ok(zero),
                None => Err(self.no_element(&target, &key, unit.span(node))),
            },
        }
    }
}

impl Machine {
    /// Returns the zero value that a missing element of a list or map has. It is that of the type of the first other element, or
    /// of the inferred type of `node` if there is no other element. `None` if the type has no zero value.
    fn zero(&mut self, unit: &Rc<Unit>, node: NodeId, target: &Value) -> Result<Option<Value>, Fault> {
        let other = match target {
            Value::Array(items) => self.item(items, 0)?,
            Value::Map(map) => map.iter().next().map(|(_, value)| value.clone()),
            _ => None,
        };
        if let Some(other) = other {
            let other = self.force(&other)?;
            return self.zero_like(&other);
        }
        let host = self.host.clone();
        Ok(host.type_of(&unit.term, node).and_then(|scheme| zero_of(&scheme.ty)))
    }

    fn zero_like(&mut self, value: &Value) -> Result<Option<Value>, Fault> {
        Ok(Some(match value {
            Value::Bool(_) => Value::Bool(false),
            Value::Number(Number::Double(_)) => Value::Number(Number::Double(0.0)),
            Value::Number(_) => Value::Number(Number::Int(0)),
            Value::String(_) => Value::string(""),
            Value::Array(_) => Value::array([]),
            Value::Map(_) => Value::Map(Map::default()),
            Value::Record(record) => {
                let mut fields = Vec::new();
                for field in self.fields(record)? {
                    let Some(thunk) = field.value else { continue };
                    let value = self.force(&thunk)?;
                    let Some(zero) = self.deeper(|machine| machine.zero_like(&value))? else { return Ok(None) };
                    fields.push((field.name, Thunk::done(zero)));
                }
                Value::record(fields)
            }
            _ => return Ok(None),
        }))
    }
}

/// Returns the zero value of a type; `None` if it has none.
fn zero_of(ty: &crate::ty::TyRef) -> Option<Value> {
    use crate::ty::Ty;
    crate::deep::deeper(|| {
        Some(match &**ty {
            Ty::Bool => Value::Bool(false),
            Ty::Int => Value::Number(Number::Int(0)),
            Ty::Float => Value::Number(Number::Double(0.0)),
            Ty::String => Value::string(""),
            Ty::Array(_) => Value::array([]),
            Ty::Map(..) => Value::Map(Map::default()),
            Ty::Record(row) => {
                let mut fields = Vec::new();
                for (name, field) in row.fields() {
                    fields.push((name.clone(), Thunk::done(zero_of(&field.ty)?)));
                }
                Value::record(fields)
            }
            _ => return None,
        })
    })
}

/// Returns `true` if `<|>` catches a fault: an operation that is not defined for its operands.
fn is_catchable(fault: &Fault) -> bool {
    matches!(fault.what(), Some(ValueKind::Undefined { .. }))
}

/// Returns whether an order satisfies a comparison operator.
fn ordered(op: Prim, order: Ordering) -> bool {
    match op {
        Prim::Lt => order.is_lt(),
        Prim::Le => order.is_le(),
        Prim::Gt => order.is_gt(),
        _ => order.is_ge(),
    }
}
