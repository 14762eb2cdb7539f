//! Unary and binary operators of object languages.

use super::frames::SLICE;
use super::kind;
use crate::term::{Node, NodeId, Number, Prim, rules};
use crate::text::{Name, Span};
use crate::value::env::{Env, Unit};
use crate::value::eval::Next;
use crate::value::{Fault, Machine, Record, Text, Thunk, Value};
use std::cmp::Ordering;
use std::rc::Rc;

/// The largest absolute value of a number that bit operators accept. Doubles represent every integer up to it exactly.
const SAFE: f64 = 9007199254740991.0;

impl Machine {
    /// Evaluates an operator.
    #[inline(never)]
    pub(in crate::value::eval) fn operator(
        &mut self,
        unit: &Rc<Unit>,
        node: NodeId,
        op: Prim,
        operands: &[NodeId],
        env: &Env,
    ) -> Result<Next, Fault> {
        if unit.rules.converts() {
            return self.converting(unit, node, op, operands, env);
        }
        let (first, second) = match operands {
            [first] => (*first, None),
            [first, second] => (*first, Some(*second)),
            _ if op == Prim::Slice => {
                let slice = self.in_frames(SLICE, |machine| machine.slice_node(unit, node, operands, env));
                return slice.map(Next::Value);
            }
            _ => return Err(self.unbound_slot(unit, node)),
        };
        if unit.framed && matches!(op, Prim::Eq | Prim::Ne | Prim::Rem | Prim::Mod) {
            return self.operator_in_frames(unit, node, op, [first, second.unwrap_or(first)], env).map(Next::Value);
        }
        let left = self.eval(unit, first, env)?;
        let Some(second) = second else {
            let result = self.unary(op, left, unit.span(node)).map(Next::Value);
            return match result {
                Err(fault) if op == Prim::Error => Err(self.with_failed_assert(fault, unit, node, env)),
                result => result,
            };
        };
        match (op, &left) {
            (Prim::And, Value::Bool(false)) | (Prim::Or, Value::Bool(true)) => return Ok(Next::Value(left)),
            _ => {}
        }
        let right = self.eval(unit, second, env)?;
        if let (Value::Number(Number::Double(a)), Value::Number(Number::Double(b))) = (&left, &right) {
            let result = self.numbers(op, *a, *b, || unit.span(node)).map(Next::Value);
            return match result {
                Err(fault) if *b == 0.0 => Err(self.with_value(fault, unit, second, env)),
                result => result,
            };
        }
        let kinds = [(first, kind(&left)), (second, kind(&right))];
        let result = self.binary(op, left, right, unit.span(node));
        result.map(Next::Value).map_err(|fault| self.with_operands(fault, unit, (node, op), kinds, env))
    }

    fn unary(&mut self, op: Prim, value: Value, span: Span) -> Result<Value, Fault> {
        Ok(match (op, &value) {
            (Prim::Not, Value::Bool(b)) => Value::Bool(!b),
            (Prim::Pos, Value::Number(_)) => value,
            (Prim::Neg, Value::Number(n)) => Value::Number(Number::Double(-n.to_f64())),
            (Prim::BitNot, Value::Number(n)) => Value::Number(Number::Double(!(n.to_f64() as i64) as f64)),
            (Prim::Error, value) => {
                let message = self.text_of(value)?.name();
                return Err(Fault::new(crate::problem::value::ValueKind::Failed { message, span: Some(span) }));
            }
            (_, Value::Bool(_) | Value::Number(_)) => {
                let words = format!("unary operator {} does not operate on {}s.", op.symbol(), kind(&value));
                let expected = if op == Prim::Not { "boolean" } else { "number" };
                return Err(self.operand_type_fault(&value, expected, words, span, None));
            }
            _ => {
                let words = format!("unary operator {} does not operate on type {}", op.symbol(), kind(&value));
                let expected = if op == Prim::Not { "boolean" } else { "number" };
                return Err(self.operand_type_fault(&value, expected, words, span, None));
            }
        })
    }

    fn numbers(&mut self, op: Prim, a: f64, b: f64, span: impl Fn() -> Span) -> Result<Value, Fault> {
        let result = match op {
            Prim::Plus | Prim::Add => a + b,
            Prim::Sub => a - b,
            Prim::Mul => a * b,
            Prim::Lt => return Ok(Value::Bool(a < b)),
            Prim::Le => return Ok(Value::Bool(a <= b)),
            Prim::Gt => return Ok(Value::Bool(a > b)),
            Prim::Ge => return Ok(Value::Bool(a >= b)),
            Prim::Eq => return Ok(Value::Bool(a == b)),
            Prim::Ne => return Ok(Value::Bool(a != b)),
            Prim::Div | Prim::Rem | Prim::Mod if b == 0.0 => return Err(self.fails("division by zero.", span())),
            Prim::Div => a / b,
            Prim::Rem | Prim::Mod => a % b,
            Prim::BitAnd => (self.bits(a, &span)? & self.bits(b, &span)?) as f64,
            Prim::BitOr => (self.bits(a, &span)? | self.bits(b, &span)?) as f64,
            Prim::BitXor => (self.bits(a, &span)? ^ self.bits(b, &span)?) as f64,
            Prim::Shl | Prim::Shr => {
                if b < 0.0 {
                    return Err(self.fails("shift by negative exponent.", span()));
                }
                let (a, b) = (self.bits(a, &span)?, self.bits(b, &span)? % 64);
                if op == Prim::Shr {
                    (a >> b) as f64
                } else if b >= 1 && a.unsigned_abs() >= 1 << (63 - b) {
                    return Err(self.unsafe_bits(span()));
                } else {
                    (a << b) as f64
                }
            }
            Prim::In => {
                let words = "the left hand side of the 'in' operator should be a string,  got number";
                return Err(self.fails(words, span()));
            }
            _ => {
                let words = format!("binary operator {} does not operate on numbers.", op.symbol());
                return Err(self.fails(words, span()));
            }
        };
        match result.is_finite() {
            true => Ok(Value::Number(Number::Double(result))),
            false if result.is_nan() => Err(self.fails("not a number", span())),
            false => Err(self.fails("overflow", span())),
        }
    }

    /// Evaluates arithmetic and comparison of numbers that are already forced, if it cannot fail. Nothing is forced, so
    /// computing it before it is needed cannot be observed.
    pub(in crate::value) fn eval_immediate(unit: &Unit, op: Prim, operands: &[NodeId], env: &Env) -> Option<Value> {
        let [left, right] = operands else { return None };
        if unit.rules.converts() {
            return None;
        }
        let (a, b) =
            (Machine::immediate_double(unit, *left, env, 2)?, Machine::immediate_double(unit, *right, env, 2)?);
        Some(match op {
            Prim::Lt => Value::Bool(a < b),
            Prim::Le => Value::Bool(a <= b),
            Prim::Gt => Value::Bool(a > b),
            Prim::Ge => Value::Bool(a >= b),
            Prim::Eq => Value::Bool(a == b),
            Prim::Ne => Value::Bool(a != b),
            _ => Value::Number(Number::Double(total(op, a, b)?)),
        })
    }

    fn immediate_double(unit: &Unit, node: NodeId, env: &Env, depth: u32) -> Option<f64> {
        match unit.node(node) {
            Node::Number(n) => Some(n.to_f64()),
            Node::Local { up, slot } => env.slot(*up, *slot)?.double(),
            Node::Prim(op, operands) if depth > 0 => {
                let [left, right] = &operands[..] else { return None };
                let (a, b) = (
                    Machine::immediate_double(unit, *left, env, depth - 1)?,
                    Machine::immediate_double(unit, *right, env, depth - 1)?,
                );
                total(*op, a, b)
            }
            _ => None,
        }
    }

    fn bits(&self, number: f64, span: &impl Fn() -> Span) -> Result<i64, Fault> {
        if number.abs() <= SAFE { Ok(number as i64) } else { Err(self.unsafe_bits(span())) }
    }

    #[cold]
    fn unsafe_bits(&self, span: Span) -> Fault {
        self.fails("numeric value outside safe integer range for bitwise operation.", span)
    }

    /// Applies a binary operator to values.
    pub(crate) fn binary(&mut self, op: Prim, left: Value, right: Value, span: Span) -> Result<Value, Fault> {
        if let Value::Sealed(sealed) = if matches!(left, Value::Sealed(_)) { &left } else { &right } {
            return Err(self.inspected_sealed(sealed));
        }
        match (op, &left, &right) {
            (Prim::Eq, ..) => return Ok(Value::Bool(self.equals(left, right, span)?)),
            (Prim::Ne, ..) => return Ok(Value::Bool(!self.equals(left, right, span)?)),
            (_, Value::Number(a), Value::Number(b)) => return self.numbers(op, a.to_f64(), b.to_f64(), || span),
            (Prim::Plus | Prim::Add, Value::String(_), _) | (Prim::Plus | Prim::Add, _, Value::String(_)) => {
                let (a, b) = (self.text_of(&left)?, self.text_of(&right)?);
                self.charge_joined(a.len(), b.len())?;
                return Ok(Value::String(a.concat(&b)));
            }
            (Prim::Plus | Prim::Add, Value::Array(a), Value::Array(b)) => {
                self.charge_joined(a.len(), b.len())?;
                return Ok(Value::Array(a.concat(b)));
            }
            (Prim::Plus | Prim::Add, Value::Record(a), Value::Record(b)) => {
                return Ok(Value::Record(Record::inherit(a.clone(), b.clone(), Some(span))));
            }
            (Prim::Rem | Prim::Mod, Value::String(_), _) => return self.format(left, right, span),
            (Prim::Rem | Prim::Mod, ..) => {
                let words = format!("Operator % cannot be used on types {} and {}.", kind(&left), kind(&right));
                return Err(self.fails(words, span));
            }
            (Prim::In, Value::String(name), Value::Record(record)) => {
                return Ok(Value::Bool(self.has_field(record, name)?));
            }
            (Prim::In, Value::String(_), other) => {
                let words =
                    format!("the right hand side of the 'in' operator should be an object, got {}", kind(other));
                return Err(self.operand_type_fault(other, "object", words, span, None));
            }
            (Prim::In, other, _) => {
                let words = format!("the left hand side of the 'in' operator should be a string,  got {}", kind(other));
                return Err(self.operand_type_fault(other, "string", words, span, None));
            }
            (Prim::Lt | Prim::Le | Prim::Gt | Prim::Ge, Value::String(a), Value::String(b)) => {
                return Ok(Value::Bool(holds(op, a.as_str().cmp(b.as_str()))));
            }
            (Prim::Lt | Prim::Le | Prim::Gt | Prim::Ge, Value::Array(_), Value::Array(_)) => {
                let order = self.order(left, right, span)?;
                return Ok(Value::Bool(holds(op, order)));
            }
            (Prim::And, Value::Bool(a), Value::Bool(b)) => return Ok(Value::Bool(*a && *b)),
            (Prim::Or, Value::Bool(a), Value::Bool(b)) => return Ok(Value::Bool(*a || *b)),
            _ => {}
        }
        let (a, b) = (kind(&left), kind(&right));
        let words = match (a == b, a) {
            (false, _) => format!("binary operator {} requires matching types, got {a} and {b}.", op.symbol()),
            (true, "null") => format!("binary operator {} does not operate on null.", op.symbol()),
            (true, _) => format!("binary operator {} does not operate on {a}s.", op.symbol()),
        };
        Err(self.fails(words, span))
    }

    /// Evaluates `text % values` with `std.format`.
    fn format(&mut self, template: Value, values: Value, span: Span) -> Result<Value, Fault> {
        let host = self.host.clone();
        let library = match host.library(self, &Name::new_static(rules::OBJECTS.library), host.now(), span.source) {
            Some(library) => self.force(&library)?,
            None => Value::Null,
        };
        let Value::Record(library) = library else { return Err(self.fails("std.format is not there", span)) };
        let Some(format) = self.field(&library, "format")? else {
            return Err(self.fails("std.format is not there", span));
        };
        let format = self.force(&format)?;
        self.call(&format, &[Thunk::done(template), Thunk::done(values)], &crate::value::Call::at(span))
    }

    /// Converts a value to text as `+` with a string does: a string is unchanged, any other value becomes JSON on one
    /// line.
    pub fn text_of(&mut self, value: &Value) -> Result<Text, Fault> {
        match value {
            Value::String(s) => Ok(s.clone()),
            Value::Number(n) => Ok(Text::from(crate::value::manifest::objects::number(n.to_f64()))),
            value => {
                let mut out = String::new();
                self.write_json(value, &crate::value::manifest::objects::Style::LINE, &mut out)?;
                Ok(Text::from(out))
            }
        }
    }
}

/// Returns the result of arithmetic; `None` if it is not finite.
fn total(op: Prim, a: f64, b: f64) -> Option<f64> {
    let result = match op {
        Prim::Plus | Prim::Add => a + b,
        Prim::Sub => a - b,
        Prim::Mul => a * b,
        Prim::Div => a / b,
        Prim::Rem | Prim::Mod => a % b,
        _ => return None,
    };
    result.is_finite().then_some(result)
}

/// Returns whether an order satisfies a comparison operator.
fn holds(op: Prim, order: Ordering) -> bool {
    match op {
        Prim::Lt => order == Ordering::Less,
        Prim::Le => order != Ordering::Greater,
        Prim::Gt => order == Ordering::Greater,
        _ => order != Ordering::Less,
    }
}
