//! Slices `e[from:to:step]` of arrays and strings in object languages, with the checks and messages of the C++ Jsonnet reference
//! implementation.

use super::{format_number, kind};
use crate::term::NodeId;
use crate::text::Span;
use crate::value::env::{Env, Unit};
use crate::value::{Fault, Machine, Thunk, Value};
use std::rc::Rc;

impl Machine {
    #[inline(never)]
    pub(super) fn slice_node(
        &mut self,
        unit: &Rc<Unit>,
        node: NodeId,
        operands: &[NodeId],
        env: &Env,
    ) -> Result<Value, Fault> {
        let [whole, from, to, step] = self.slice_operands(unit, operands, env)?;
        self.slice(&whole, [&from, &to, &step], unit.span(node))
    }

    /// Evaluates the operands of a slice: the sliced value, from, to and step.
    pub(in crate::value::eval) fn slice_operands(
        &mut self,
        unit: &Rc<Unit>,
        operands: &[NodeId],
        env: &Env,
    ) -> Result<[Value; 4], Fault> {
        let mut values = [Value::Null, Value::Null, Value::Null, Value::Null];
        for (value, operand) in values.iter_mut().zip(operands) {
            *value = self.eval(unit, *operand, env)?;
        }
        Ok(values)
    }

    /// Reads a bound; `null` means that it is omitted. If the bound is not a number, the message names `operator`, with which
    /// the reference would compare it.
    fn slice_bound(&mut self, bound: &Value, operator: &str, span: Span) -> Result<Option<f64>, Fault> {
        match bound {
            Value::Null => Ok(None),
            Value::Number(n) => Ok(Some(n.to_f64())),
            other => {
                let found = kind(other);
                let words = format!("binary operator {operator} requires matching types, got {found} and number.");
                Err(self.operand_type_fault(other, "number", words, span, None))
            }
        }
    }

    /// Slices an array or a string (`std.slice`). `bounds` are from, to and step; `null` if omitted.
    pub fn slice(&mut self, whole: &Value, bounds: [&Value; 3], span: Span) -> Result<Value, Fault> {
        // The reference checks in this order: the step, the sliced value, the bounds, the sign of the step.
        let [_, _, by] = bounds;
        let step = self.slice_bound(by, ">=", span)?;
        if step == Some(0.0) {
            return Err(self.fails("got 0 but step must be greater than 0", span));
        }
        let length = match whole {
            Value::Array(array) => array.len(),
            Value::String(text) => text.chars().count(),
            other if step.is_some_and(|step| step < 0.0) => {
                let words = format!("length operates on strings, objects, and arrays, got {}", kind(other));
                return Err(self.operand_type_fault(other, "array", words, span, None));
            }
            other => {
                let words = format!("std.slice accepts a string or an array, but got: {}", kind(other));
                return Err(self.operand_type_fault(other, "array", words, span, None));
            }
        };
        let [from, to, _] = bounds;
        let (from, to) = (self.slice_bound(from, "<", span)?, self.slice_bound(to, "<", span)?);
        let size = length as f64;
        let start = match from {
            None => 0.0,
            Some(from) if from < 0.0 => (size + from).max(0.0),
            Some(from) => from,
        };
        let end = match to {
            None => size,
            Some(to) if to < 0.0 => size + to,
            Some(to) => to,
        };
        let stride = step.unwrap_or(1.0);
        if stride < 0.0 {
            let (start, end, stride) = (format_number(start), format_number(end), format_number(stride));
            let words = format!("got [{start}:{end}:{stride}] but negative steps are not supported");
            return Err(self.fails(words, span));
        }
        let end = end.min(size);
        if start >= end {
            return Ok(match whole {
                Value::String(_) => Value::string(""),
                _ => Value::array([]),
            });
        }
        let whole_steps = start.fract() == 0.0 && stride.fract() == 0.0;
        if !whole_steps && matches!(whole, Value::Array(_)) {
            // The first index that is not an integer.
            let at = if start.fract() == 0.0 { start + stride } else { start };
            if at < end {
                return Err(self.fails(format!("array index was not integer: {}", format_number(at)), span));
            }
        }
        let indices = (0u64..).map(|i| start + stride * i as f64).take_while(|at| *at < end).map(|at| at as usize);
        Ok(match whole {
            Value::Array(array) if stride == 1.0 => Value::Array(array.slice(start as usize..end.ceil() as usize)),
            Value::Array(array) => {
                let count = ((end - start) / stride).ceil() as usize;
                self.charge_elements(count)?;
                if count > 0 {
                    self.item(array, 0)?;
                }
                Value::Array(indices.filter_map(|at| array.at(at)).collect::<Vec<Thunk>>().into())
            }
            Value::String(text) if text.len() == length => {
                // Every character is one byte.
                let bytes = text.as_bytes();
                Value::string(indices.filter_map(|at| bytes.get(at).map(|b| char::from(*b))).collect::<String>())
            }
            Value::String(text) => {
                let mut wanted = indices.peekable();
                let mut out = String::new();
                for (at, c) in text.chars().enumerate() {
                    while wanted.peek().is_some_and(|next| *next < at) {
                        wanted.next();
                    }
                    match wanted.peek() {
                        Some(next) if *next == at => out.push(c),
                        Some(_) => {}
                        None => break,
                    }
                }
                Value::string(out)
            }
            _ => Value::Null,
        })
    }
}
