//! `&` on values: records are composed, equal values are merged into one, all others conflict.

use super::env::Unit;
use super::{Call, Fault, Machine, Record, Thunk, Value};
use crate::meta::Priority;
use crate::problem::value::{ConflictingDefinition, ValueKind};
use crate::text::Span;
use std::rc::Rc;

/// The values are neither equal nor mergeable.
pub(super) struct Clash;

impl Machine {
    /// Merges values of the same priority; each is forced. `written` is the span of the merge expression. Records are
    /// composed in O(values).
    pub(super) fn merge_all(
        &mut self,
        values: &[Thunk],
        unit: Option<Rc<Unit>>,
        span: Option<Span>,
        written: Option<Span>,
    ) -> Result<Result<Value, Clash>, Fault> {
        let mut forced = Vec::with_capacity(values.len());
        for thunk in values {
            forced.push(self.force(thunk)?);
        }
        if let Some(Value::Sealed(sealed)) = forced.iter().find(|v| matches!(v, Value::Sealed(_))) {
            return Err(self.inspected_sealed(sealed));
        }
        let Some(first) = forced.first() else { return Ok(Err(Clash)) };
        if matches!(first, Value::Record(_)) {
            let mut parts: Vec<Record> = Vec::with_capacity(forced.len());
            let merges = forced.iter().any(|v| matches!(v, Value::Record(r) if r.0.merges));
            for value in &forced {
                match value {
                    Value::Record(r) if !merges && parts.last().is_some_and(|last| last.same(r)) => {}
                    Value::Record(r) => parts.push(r.clone()),
                    _ => return Ok(Err(Clash)),
                }
            }
            if parts.len() == 1 {
                return Ok(parts.pop().map(Value::Record).ok_or(Clash));
            }
            return Ok(Ok(Value::Record(Record::merge(parts, unit, written))));
        }
        if let Value::Variant(tag, _) = first {
            let mut arguments = Vec::with_capacity(forced.len());
            for value in &forced {
                match value {
                    Value::Variant(other, argument) if other == tag => arguments.push(argument.clone()),
                    _ => return Ok(Err(Clash)),
                }
            }
            let tag = tag.clone();
            return Ok(self.merge_all(&arguments, unit, span, written)?.map(|v| Value::Variant(tag, Thunk::done(v))));
        }
        let call = Call { span, ..Call::default() };
        for (thunk, value) in values.iter().zip(&forced).skip(1) {
            let (Some(first_thunk), Some(first)) = (values.first(), forced.first()) else { break };
            if thunk.same(first_thunk) {
                continue;
            }
            let mergeable = match (first, value) {
                (Value::Function(a), Value::Function(b)) => Rc::ptr_eq(a, b),
                (Value::Native(a), Value::Native(b)) => Rc::ptr_eq(a, b),
                (Value::Guarded(a), Value::Guarded(b)) => Rc::ptr_eq(a, b),
                (Value::Contract(a), Value::Contract(b)) => Rc::ptr_eq(a, b),
                (a, b) if a.is_plain() && b.is_plain() => self.equal(first_thunk, thunk, &call)?,
                _ => false,
            };
            if !mergeable {
                return Ok(Err(Clash));
            }
        }
        Ok(forced.into_iter().next().ok_or(Clash))
    }

    /// Evaluates `a & b & …`, with the span of each operand.
    pub(super) fn merge_operands(
        &mut self,
        operands: &[(Thunk, Option<Span>)],
        unit: Option<Rc<Unit>>,
        span: Option<Span>,
    ) -> Result<Value, Fault> {
        let thunks: Vec<Thunk> = operands.iter().map(|(t, _)| t.clone()).collect();
        match self.merge_all(&thunks, unit, span, span)? {
            Ok(value) => Ok(value),
            Err(Clash) => {
                let mut definitions = Vec::new();
                for (thunk, span) in operands.iter().take(64) {
                    let value = self.preview(thunk);
                    definitions.push(ConflictingDefinition {
                        span: *span,
                        value,
                        priority: Priority::Normal,
                        ties: true,
                    });
                }
                Err(Fault::new(ValueKind::Conflict { definitions, merged: span }))
            }
        }
    }

    /// Merges records. Without any, the result is an empty record.
    pub fn merge_records(&mut self, values: &[Thunk], call: &Call) -> Result<Value, Fault> {
        if values.is_empty() {
            return Ok(Value::record([]));
        }
        let operands: Vec<_> = values.iter().map(|thunk| (thunk.clone(), self.place(thunk))).collect();
        self.merge_operands(&operands, None, call.span)
    }

    /// Evaluates `a & b`. Forces both.
    pub fn merge(&mut self, a: &Thunk, b: &Thunk, call: &Call) -> Result<Value, Fault> {
        let operands = [a, b].map(|t| (t.clone(), self.place(t)));
        self.merge_operands(&operands, None, call.span)
    }
}

impl Value {
    /// Returns whether equality decides if two such values merge.
    fn is_plain(&self) -> bool {
        matches!(
            self,
            Value::Null
                | Value::Bool(_)
                | Value::Number(_)
                | Value::String(_)
                | Value::Tag(_)
                | Value::Array(_)
                | Value::Map(_)
        )
    }
}
