//! Primitive operators.

use super::Next;
use crate::problem::value::ValueKind;
use crate::term::{NodeId, Number, NumberError, Prim};
use crate::text::{Name, Span};
use crate::value::env::{Env, Unit};
use crate::value::{Array, Call, Fault, Machine, Text, Thunk, Value};
use std::cmp::Ordering;
use std::rc::Rc;

/// An operator with its operands.
struct Operation<'a> {
    unit: &'a Rc<Unit>,
    node: NodeId,
    op: Prim,
    operands: &'a [NodeId],
    env: &'a Env,
}

impl Machine {
    #[inline(never)]
    pub(super) fn prim(
        &mut self,
        unit: &Rc<Unit>,
        node: NodeId,
        op: Prim,
        operands: &[NodeId],
        env: &Env,
    ) -> Result<Value, Fault> {
        let operation = Operation { unit, node, op, operands, env };
        Ok(match op {
            Prim::Add => self.arithmetic(&operation, Number::add)?,
            Prim::Sub => self.arithmetic(&operation, Number::sub)?,
            Prim::Mul => self.arithmetic(&operation, Number::mul)?,
            Prim::Div => self.arithmetic(&operation, Number::div)?,
            Prim::Mod => self.arithmetic(&operation, Number::rem)?,
            Prim::Neg => Value::Number(self.operand_number(&operation, 0)?.neg()),
            Prim::Lt => Value::Bool(self.compare(&operation)? == Ordering::Less),
            Prim::Le => Value::Bool(self.compare(&operation)? != Ordering::Greater),
            Prim::Gt => Value::Bool(self.compare(&operation)? == Ordering::Greater),
            Prim::Ge => Value::Bool(self.compare(&operation)? != Ordering::Less),
            Prim::Not => Value::Bool(!self.operand_bool(&operation, 0)?),
            // Only the left operand: `either` evaluates the right one, in tail position.
            Prim::And | Prim::Or => Value::Bool(self.operand_bool(&operation, 0)?),
            Prim::Eq => Value::Bool(self.same(&operation)?),
            Prim::Ne => Value::Bool(!self.same(&operation)?),
            Prim::Concat => {
                let a = self.operand_text(&operation, 0)?;
                let b = self.operand_text(&operation, 1)?;
                self.charge(a.len().saturating_add(b.len()))?;
                Value::String(a.concat(&b))
            }
            Prim::Append => {
                let a = self.operand_array(&operation, 0)?;
                let b = self.operand_array(&operation, 1)?;
                self.charge(a.len().saturating_add(b.len()))?;
                Value::Array(a.concat(&b))
            }
            Prim::In => {
                let name = self.operand_text(&operation, 0)?;
                match self.operand(&operation, 1)? {
                    Value::Record(r) => Value::Bool(self.has_field(&r, &name)?),
                    other => return Err(self.wrong(&operation, 1, "Record", &other)),
                }
            }
            Prim::Plus
            | Prim::Rem
            | Prim::Pos
            | Prim::BitNot
            | Prim::BitAnd
            | Prim::BitOr
            | Prim::BitXor
            | Prim::Shl
            | Prim::Shr
            | Prim::Map
            | Prim::Lookup
            | Prim::FieldOr
            | Prim::Names
            | Prim::Slice
            | Prim::Else => {
                return Err(Fault::undefined(
                    format!("`{}` is not an operator of this language", op.symbol()),
                    Some(unit.span(node)),
                ));
            }
            Prim::Error => {
                let value = self.operand(&operation, 0)?;
                let message = self.text_of_scalar(&value)?.map_or(Name::new("error"), |t| t.name());
                return Err(Fault::new(ValueKind::Failed { message, span: Some(unit.span(node)) }));
            }
        })
    }

    /// Evaluates `a && b` and `a || b`. If the left operand does not decide, the right one is the result, whatever its
    /// type (as in Nickel).
    #[inline(never)]
    pub(super) fn and_or(
        &mut self,
        unit: &Rc<Unit>,
        node: NodeId,
        op: Prim,
        operands: &[NodeId],
        env: &Env,
    ) -> Result<Next, Fault> {
        let operation = Operation { unit, node, op, operands, env };
        let left = self.operand_bool(&operation, 0)?;
        match operands.get(1) {
            Some(right) if left == (op == Prim::And) => Ok(Next::Tail(unit.clone(), *right, env.clone())),
            _ => Ok(Next::Value(Value::Bool(left))),
        }
    }

    fn operand(&mut self, operation: &Operation, index: usize) -> Result<Value, Fault> {
        match operation.operands.get(index) {
            Some(node) => self.eval(operation.unit, *node, operation.env),
            None => Err(Fault::new(ValueKind::Hole { span: operation.span() })),
        }
    }

    #[cold]
    fn wrong(&mut self, operation: &Operation, index: usize, expected: &str, found: &Value) -> Fault {
        let needed_by = match (operation.operands.len(), index) {
            (1, _) => format!("the operand of `{}`", operation.op.symbol()),
            (_, 0) => format!("the left operand of `{}`", operation.op.symbol()),
            _ => format!("the right operand of `{}`", operation.op.symbol()),
        };
        let span = operation.operands.get(index).map(|n| operation.unit.span(*n));
        self.mismatch(expected, found, &needed_by, span, Some(operation.span()))
    }

    fn operand_number(&mut self, operation: &Operation, index: usize) -> Result<Number, Fault> {
        match self.operand(operation, index)? {
            Value::Number(n) => Ok(n),
            other => Err(self.wrong(operation, index, "Number", &other)),
        }
    }

    fn operand_bool(&mut self, operation: &Operation, index: usize) -> Result<bool, Fault> {
        match self.operand(operation, index)? {
            Value::Bool(b) => Ok(b),
            other => Err(self.wrong(operation, index, "Bool", &other)),
        }
    }

    fn operand_text(&mut self, operation: &Operation, index: usize) -> Result<Text, Fault> {
        match self.operand(operation, index)? {
            Value::String(s) => Ok(s),
            other => Err(self.wrong(operation, index, "String", &other)),
        }
    }

    fn operand_array(&mut self, operation: &Operation, index: usize) -> Result<Array, Fault> {
        match self.operand(operation, index)? {
            Value::Array(a) => Ok(a),
            other => Err(self.wrong(operation, index, "Array", &other)),
        }
    }

    fn arithmetic(
        &mut self,
        operation: &Operation,
        f: fn(&Number, &Number) -> Result<Number, NumberError>,
    ) -> Result<Value, Fault> {
        let a = self.operand_number(operation, 0)?;
        let b = self.operand_number(operation, 1)?;
        match f(&a, &b) {
            Ok(n) => Ok(Value::Number(n)),
            Err(e) => Err(Fault::undefined(e.to_string(), Some(operation.span()))),
        }
    }

    fn compare(&mut self, operation: &Operation) -> Result<Ordering, Fault> {
        let a = self.operand_number(operation, 0)?;
        let b = self.operand_number(operation, 1)?;
        Ok(a.cmp(&b))
    }

    fn same(&mut self, operation: &Operation) -> Result<bool, Fault> {
        let [a, b] =
            [0, 1].map(|i| operation.operands.get(i).map(|n| Thunk::of_node(operation.unit, *n, operation.env)));
        let (Some(a), Some(b)) = (a, b) else { return Err(Fault::new(ValueKind::Hole { span: operation.span() })) };
        self.equal(&a, &b, &Call::at(operation.span()))
    }
}

impl Operation<'_> {
    fn span(&self) -> Span {
        self.unit.span(self.node)
    }
}
