//! Operators that convert their operands (`Operators::Converting`): a string of digits is a number where one is needed,
//! and every value is true or false. Integers are exact, other numbers are doubles.

mod access;
mod hops;
mod numbers;

use super::Next;
use crate::problem::value::ValueKind;
use crate::term::{NodeId, Number, Prim};
use crate::text::{Name, Span};
use crate::value::env::{Env, Unit};
use crate::value::{Fault, Machine, Record, Text, Value};
use std::rc::Rc;

pub use numbers::{decimal, floor_div, of_text, power};

impl Machine {
    /// Evaluates an operator of a program whose operators convert their operands.
    #[inline(never)]
    pub(in crate::value::eval) fn converting(
        &mut self,
        unit: &Rc<Unit>,
        node: NodeId,
        op: Prim,
        operands: &[NodeId],
        env: &Env,
    ) -> Result<Next, Fault> {
        let span = unit.span(node);
        let (first, second) = match operands {
            [first] => {
                let value = self.eval(unit, *first, env)?;
                return self.converting_unary(op, value, span, unit.span(*first)).map(Next::Value);
            }
            [first, second] => (*first, *second),
            _ if op == Prim::Slice => return self.slice_converting(unit, node, operands, env).map(Next::Value),
            _ => return Err(self.unbound_slot(unit, node)),
        };
        let before = self.discards_missing;
        if op == Prim::Else {
            self.discards_missing = Some(self.running.len());
        }
        let left = self.eval(unit, first, env);
        self.discards_missing = before;
        let left = match (op, left) {
            (Prim::Else, Err(fault)) if is_no_match(&fault) => {
                return Ok(Next::Tail(unit.clone(), second, env.clone()));
            }
            (_, left) => left?,
        };
        match op {
            Prim::Else => return Ok(Next::Value(left)),
            Prim::And | Prim::Or => {
                if self.truth(&left)? == (op == Prim::And) {
                    return Ok(Next::Tail(unit.clone(), second, env.clone()));
                }
                return Ok(Next::Value(left));
            }
            _ => {}
        }
        let right = self.eval(unit, second, env)?;
        let places = [unit.span(first), unit.span(second)];
        self.converting_binary(op, left, right, span, places).map(Next::Value)
    }

    fn converting_unary(&mut self, op: Prim, value: Value, span: Span, place: Span) -> Result<Value, Fault> {
        if op == Prim::Not {
            return Ok(Value::Bool(!self.truth(&value)?));
        }
        let Some(number) = self.as_number(&value) else {
            return Err(self.mismatch("Number", &value, &operand(op, None), Some(place), Some(span)));
        };
        Ok(Value::Number(match op {
            Prim::Neg => number.neg(),
            Prim::BitNot if number.is_integer() && !matches!(number, Number::Double(_)) => {
                Number::integer(!number.to_exact().to_integer())
            }
            Prim::BitNot => return Err(Fault::undefined("`~` needs an integer", Some(place))),
            _ => number,
        }))
    }

    /// Applies a binary operator to values.
    pub(crate) fn converting_binary(
        &mut self,
        op: Prim,
        left: Value,
        right: Value,
        span: Span,
        places: [Span; 2],
    ) -> Result<Value, Fault> {
        if let Value::Sealed(sealed) = if matches!(left, Value::Sealed(_)) { &left } else { &right } {
            return Err(self.inspected_sealed(sealed));
        }
        match op {
            Prim::Eq | Prim::Ne => {
                let as_numbers = |value: &Value| match value {
                    Value::Bool(b) => Value::Number(Number::Int(i64::from(*b))),
                    value => value.clone(),
                };
                let mixed =
                    matches!((&left, &right), (Value::Bool(_), Value::Number(_)) | (Value::Number(_), Value::Bool(_)));
                let (left, right) = if mixed { (as_numbers(&left), as_numbers(&right)) } else { (left, right) };
                return Ok(Value::Bool(self.equals(left, right, span)? == (op == Prim::Eq)));
            }
            Prim::In => return self.contains(&left, &right, span, places).map(Value::Bool),
            _ => {}
        }
        if let (Some(a), Some(b)) = (self.as_number(&left), self.as_number(&right)) {
            return numbers::apply(op, &a, &b)
                .map(|result| result.unwrap_or(Value::Null))
                .map_err(|message| Fault::undefined(message, Some(span)));
        }
        match (op, &left, &right) {
            (Prim::Plus, Value::Array(a), Value::Array(b)) => {
                self.charge_joined(a.len(), b.len())?;
                return Ok(Value::Array(a.concat(b)));
            }
            (Prim::Plus, Value::Record(a), Value::Record(b)) => {
                return Ok(Value::Record(Record::inherit(a.clone(), b.clone(), Some(span))));
            }
            (Prim::Plus, ..) => {
                if let (Some(a), Some(b)) = (self.as_text(&left), self.as_text(&right)) {
                    self.charge_joined(a.len(), b.len())?;
                    return Ok(Value::String(a.concat(&b)));
                }
            }
            (Prim::Lt | Prim::Le | Prim::Gt | Prim::Ge, Value::String(a), Value::String(b)) => {
                let order = a.as_str().cmp(b.as_str());
                return Ok(Value::Bool(numbers::holds(op, order)));
            }
            (Prim::Lt | Prim::Le | Prim::Gt | Prim::Ge, Value::Array(_), Value::Array(_)) => {
                let order = self.order(left, right, span)?;
                return Ok(Value::Bool(numbers::holds(op, order)));
            }
            _ => {}
        }
        let wrong = if self.as_number(&left).is_none() { 0 } else { 1 };
        let found = if wrong == 0 { &left } else { &right };
        let expected = match (op, &left) {
            (Prim::Plus, Value::Array(_)) => "Array",
            (Prim::Plus, Value::Record(_)) => "Record",
            (Prim::Plus, Value::String(_)) => "String",
            _ => "Number",
        };
        let (found, wrong) = if expected == "Number" { (found, wrong) } else { (&right, 1) };
        Err(self.mismatch(expected, found, &operand(op, Some(wrong)), Some(places[wrong]), Some(span)))
    }

    fn contains(&mut self, left: &Value, right: &Value, span: Span, places: [Span; 2]) -> Result<bool, Fault> {
        match right {
            Value::Record(record) => match self.as_text(left) {
                Some(name) => self.has_field(record, &name),
                None => Ok(false),
            },
            Value::Array(array) => {
                for element in self.items(array)? {
                    self.tick()?;
                    let element = self.force(element)?;
                    if let Value::Bool(true) = self.converting_binary(Prim::Eq, left.clone(), element, span, places)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Value::String(text) => match self.as_text(left) {
                Some(part) => Ok(text.as_str().contains(part.as_str())),
                None => Ok(false),
            },
            other => Err(self.mismatch("Array", other, &operand(Prim::In, Some(1)), Some(places[1]), Some(span))),
        }
    }

    /// Returns whether a value counts as true. `null`, `false`, 0, and empty strings, arrays and records do not.
    pub(crate) fn truth(&mut self, value: &Value) -> Result<bool, Fault> {
        Ok(match value {
            Value::Null => false,
            Value::Bool(b) => *b,
            Value::Number(n) => !n.is_zero(),
            Value::String(text) => !text.is_empty(),
            Value::Array(array) => !array.is_empty(),
            Value::Record(record) => !self.visible(record)?.is_empty(),
            Value::Sealed(sealed) => return Err(self.inspected_sealed(sealed)),
            _ => true,
        })
    }

    /// Converts a number, a boolean or the text of a number to a number. `None` for any other value.
    pub(crate) fn as_number(&mut self, value: &Value) -> Option<Number> {
        match value {
            Value::Number(n) => Some(n.clone()),
            Value::Bool(b) => Some(Number::Int(i64::from(*b))),
            Value::String(text) => of_text(text.as_str()),
            _ => None,
        }
    }

    /// Converts a scalar to text. `None` for any other value.
    pub(crate) fn as_text(&mut self, value: &Value) -> Option<Text> {
        Some(match value {
            Value::String(text) => text.clone(),
            Value::Number(n) => Text::from(decimal(n)),
            Value::Bool(b) => Text::from(if *b { "True" } else { "False" }),
            Value::Tag(tag) => Text::from(tag.clone()),
            Value::Null => Text::from("null"),
            _ => return None,
        })
    }

    /// Combines the value of a definition with the value of the layers below it. A record extends a record, an array is appended
    /// to an array, and any other value replaces the one below. Fails if a record or an array is on top of another type.
    /// `places` are the spans of the definition below, if known, and of this one.
    pub(in crate::value) fn layered(
        &mut self,
        below: Value,
        own: Value,
        span: Span,
        places: (Option<Span>, Span),
    ) -> Result<Value, Fault> {
        match (&below, &own) {
            (Value::Record(a), Value::Record(b)) => {
                Ok(Value::Record(Record::inherit(a.clone(), b.clone(), Some(span))))
            }
            (Value::Array(a), Value::Array(b)) => {
                self.charge_joined(a.len(), b.len())?;
                Ok(Value::Array(a.concat(b)))
            }
            (_, Value::Record(_) | Value::Array(_)) => {
                let [own, below] = [&own, &below].map(|value| Name::new(value.type_name()));
                Err(Fault::new(ValueKind::OnTop { own, below, span: places.1, under: places.0 }))
            }
            _ => Ok(own),
        }
    }
}

/// Returns the description of an operand for messages.
fn operand(op: Prim, index: Option<usize>) -> String {
    match index {
        None => format!("the operand of `{}`", op.symbol()),
        Some(0) => format!("the left operand of `{}`", op.symbol()),
        Some(_) => format!("the right operand of `{}`", op.symbol()),
    }
}

/// Returns `true` if an expression failed because a name, a key or an element does not exist.
pub(crate) fn is_no_match(fault: &Fault) -> bool {
    matches!(
        fault.what(),
        Some(ValueKind::MissingField { .. } | ValueKind::MissingDefinition { .. } | ValueKind::Unbound { .. })
    )
}
