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
struct Place<'a> {
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
        let place = Place { unit, node, op, operands, env };
        Ok(match op {
            Prim::Add => self.arithmetic(&place, Number::add)?,
            Prim::Sub => self.arithmetic(&place, Number::sub)?,
            Prim::Mul => self.arithmetic(&place, Number::mul)?,
            Prim::Div => self.arithmetic(&place, Number::div)?,
            Prim::Mod => self.arithmetic(&place, Number::rem)?,
            Prim::Neg => Value::Number(self.operand_number(&place, 0)?.neg()),
            Prim::Lt => Value::Bool(self.compare(&place)? == Ordering::Less),
            Prim::Le => Value::Bool(self.compare(&place)? != Ordering::Greater),
            Prim::Gt => Value::Bool(self.compare(&place)? == Ordering::Greater),
            Prim::Ge => Value::Bool(self.compare(&place)? != Ordering::Less),
            Prim::Not => Value::Bool(!self.operand_bool(&place, 0)?),
            // The left operand decides; otherwise the right one is evaluated in tail position, see `either`.
            Prim::And | Prim::Or => Value::Bool(self.operand_bool(&place, 0)?),
            Prim::Eq => Value::Bool(self.same(&place)?),
            Prim::Ne => Value::Bool(!self.same(&place)?),
            Prim::Concat => {
                let a = self.operand_text(&place, 0)?;
                let b = self.operand_text(&place, 1)?;
                self.charge(a.len().saturating_add(b.len()))?;
                Value::String(a.concat(&b))
            }
            Prim::Append => {
                let a = self.operand_array(&place, 0)?;
                let b = self.operand_array(&place, 1)?;
                self.charge(a.len().saturating_add(b.len()))?;
                Value::Array(a.concat(&b))
            }
            Prim::In => {
                let name = self.operand_text(&place, 0)?;
                match self.operand(&place, 1)? {
                    Value::Record(r) => Value::Bool(self.has_field(&r, &name)?),
                    other => return Err(self.wrong(&place, 1, "Record", &other)),
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
            | Prim::Slice => {
                return Err(Fault::undefined("jsonnet's operators are not built yet", Some(unit.span(node))));
            }
            Prim::Error => {
                let value = self.operand(&place, 0)?;
                let message = self.to_text(&value)?.map_or(Name::new("error"), |t| t.name());
                return Err(Fault::new(ValueKind::Failed { message, span: Some(unit.span(node)) }));
            }
        })
    }

    /// Evaluates `a && b` and `a || b`. If the left operand does not decide, the right one is the result, whatever its
    /// type (as in Nickel).
    #[inline(never)]
    pub(super) fn either(
        &mut self,
        unit: &Rc<Unit>,
        node: NodeId,
        op: Prim,
        operands: &[NodeId],
        env: &Env,
    ) -> Result<Next, Fault> {
        let place = Place { unit, node, op, operands, env };
        let left = self.operand_bool(&place, 0)?;
        match operands.get(1) {
            Some(right) if left == (op == Prim::And) => Ok(Next::Tail(unit.clone(), *right, env.clone())),
            _ => Ok(Next::Value(Value::Bool(left))),
        }
    }

    fn operand(&mut self, place: &Place, index: usize) -> Result<Value, Fault> {
        match place.operands.get(index) {
            Some(node) => self.eval(place.unit, *node, place.env),
            None => Err(Fault::new(ValueKind::Hole { span: place.span() })),
        }
    }

    #[cold]
    fn wrong(&mut self, place: &Place, index: usize, expected: &str, found: &Value) -> Fault {
        let needed_by = match (place.operands.len(), index) {
            (1, _) => format!("the operand of `{}`", place.op.symbol()),
            (_, 0) => format!("the left operand of `{}`", place.op.symbol()),
            _ => format!("the right operand of `{}`", place.op.symbol()),
        };
        let span = place.operands.get(index).map(|n| place.unit.span(*n));
        self.mismatch(expected, found, &needed_by, span, Some(place.span()))
    }

    fn operand_number(&mut self, place: &Place, index: usize) -> Result<Number, Fault> {
        match self.operand(place, index)? {
            Value::Number(n) => Ok(n),
            other => Err(self.wrong(place, index, "Number", &other)),
        }
    }

    fn operand_bool(&mut self, place: &Place, index: usize) -> Result<bool, Fault> {
        match self.operand(place, index)? {
            Value::Bool(b) => Ok(b),
            other => Err(self.wrong(place, index, "Bool", &other)),
        }
    }

    fn operand_text(&mut self, place: &Place, index: usize) -> Result<Text, Fault> {
        match self.operand(place, index)? {
            Value::String(s) => Ok(s),
            other => Err(self.wrong(place, index, "String", &other)),
        }
    }

    fn operand_array(&mut self, place: &Place, index: usize) -> Result<Array, Fault> {
        match self.operand(place, index)? {
            Value::Array(a) => Ok(a),
            other => Err(self.wrong(place, index, "Array", &other)),
        }
    }

    fn arithmetic(
        &mut self,
        place: &Place,
        f: fn(&Number, &Number) -> Result<Number, NumberError>,
    ) -> Result<Value, Fault> {
        let a = self.operand_number(place, 0)?;
        let b = self.operand_number(place, 1)?;
        match f(&a, &b) {
            Ok(n) => Ok(Value::Number(n)),
            Err(e) => Err(Fault::undefined(e.to_string(), Some(place.span()))),
        }
    }

    fn compare(&mut self, place: &Place) -> Result<Ordering, Fault> {
        let a = self.operand_number(place, 0)?;
        let b = self.operand_number(place, 1)?;
        Ok(a.cmp(&b))
    }

    fn same(&mut self, place: &Place) -> Result<bool, Fault> {
        let [a, b] = [0, 1].map(|i| place.operands.get(i).map(|n| Thunk::of_node(place.unit, *n, place.env)));
        let (Some(a), Some(b)) = (a, b) else { return Err(Fault::new(ValueKind::Hole { span: place.span() })) };
        self.equal(&a, &b, &Call::at(place.span()))
    }
}

impl Place<'_> {
    fn span(&self) -> Span {
        self.unit.span(self.node)
    }
}
