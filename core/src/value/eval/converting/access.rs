//! Elements and slices of lists, strings and dictionaries.

use crate::problem::value::ValueKind;
use crate::term::{NodeId, Number};
use crate::text::{Name, Span};
use crate::value::env::{Env, Unit};
use crate::value::{Array, Fault, Machine, Text, Value};
use std::rc::Rc;

impl Machine {
    /// Evaluates `e[i]`. A negative index counts from the end.
    #[inline(never)]
    pub(in crate::value::eval) fn index_converting(
        &mut self,
        unit: &Rc<Unit>,
        node: NodeId,
        parts: &[NodeId; 2],
        env: &Env,
    ) -> Result<Value, Fault> {
        let whole = self.eval(unit, parts[0], env)?;
        let key = self.eval(unit, parts[1], env)?;
        let span = unit.span(node);
        let length = match &whole {
            Value::Record(record) => {
                let Some(name) = self.as_text(&key) else {
                    return Err(self.mismatch(
                        "String",
                        &key,
                        "the name of a key",
                        Some(unit.span(parts[1])),
                        Some(span),
                    ));
                };
                return self.access(record, &name.name(), span, false);
            }
            Value::Array(array) => array.len(),
            Value::String(text) => text.chars().count(),
            other => {
                return Err(self.mismatch("Array", other, "`[ ]`", Some(unit.span(parts[0])), Some(span)));
            }
        };
        let number = self.as_number(&key);
        if let Some(number) = number.as_ref().filter(|n| n.is_integer() && n.to_i64().is_none()) {
            return Err(no_element(&number.to_string(), length, span));
        }
        let Some(at) = number.and_then(|n| n.to_i64()) else {
            return Err(self.mismatch(
                "Number",
                &key,
                "the index of an element",
                Some(unit.span(parts[1])),
                Some(span),
            ));
        };
        let place = if at < 0 { at.saturating_add(length as i64) } else { at };
        let found = usize::try_from(place).ok().filter(|place| *place < length);
        match (&whole, found) {
            (Value::Array(array), Some(place)) => match self.item(array, place)? {
                Some(element) => self.force(&element),
                None => Err(self.unbound_slot(unit, node)),
            },
            (Value::String(text), Some(place)) => match self.character(text, place) {
                Some(character) => Ok(Value::String(character)),
                None => Err(self.unbound_slot(unit, node)),
            },
            _ => Err(no_element(&at.to_string(), length, span)),
        }
    }

    pub(super) fn slice_converting(
        &mut self,
        unit: &Rc<Unit>,
        node: NodeId,
        operands: &[NodeId],
        env: &Env,
    ) -> Result<Value, Fault> {
        let values = self.slice_operands(unit, operands, env)?;
        let span = unit.span(node);
        let mut bounds = [None; 3];
        for ((bound, value), operand) in bounds.iter_mut().zip(&values[1..]).zip(&operands[1..]) {
            *bound = match value {
                Value::Null => None,
                value => match self.as_number(value).and_then(|n| saturated(&n)) {
                    Some(number) => Some(number),
                    None => {
                        let place = Some(unit.span(*operand));
                        return Err(self.mismatch("Number", value, "the bound of a slice", place, Some(span)));
                    }
                },
            };
        }
        match &values[0] {
            Value::Array(array) => {
                let places = places(bounds, array.len()).map_err(|words| Fault::undefined(words, Some(span)))?;
                self.charge(places.len())?;
                let elements = places.into_iter().filter_map(|place| array.at(place));
                Ok(Value::Array(elements.collect::<Array>()))
            }
            Value::String(text) => {
                let characters: Vec<char> = text.chars().collect();
                let places = places(bounds, characters.len()).map_err(|words| Fault::undefined(words, Some(span)))?;
                let text: String = places.into_iter().filter_map(|place| characters.get(place)).collect();
                Ok(Value::String(Text::from(text)))
            }
            other => Err(self.mismatch("Array", other, "a slice", operands.first().map(|o| unit.span(*o)), Some(span))),
        }
    }
}

/// Returns the indices of a slice of `length` elements; `bounds` are from, to and step. Fails if the step is 0.
fn places(bounds: [Option<i64>; 3], length: usize) -> Result<Vec<usize>, &'static str> {
    let [from, to, step] = bounds;
    let (step, length) = (step.unwrap_or(1), length as i64);
    if step == 0 {
        return Err("the step of a slice is 0");
    }
    let (low, high) = if step < 0 { (-1, length - 1) } else { (0, length) };
    let bound = |bound: Option<i64>, default: i64| match bound {
        None => default,
        Some(bound) if bound < 0 => bound.saturating_add(length).clamp(low, high),
        Some(bound) => bound.clamp(low, high),
    };
    let (start, end) = if step < 0 { (high, low) } else { (low, high) };
    let (mut at, end) = (bound(from, start), bound(to, end));
    let mut places = Vec::new();
    while (step > 0 && at < end) || (step < 0 && at > end) {
        places.extend(usize::try_from(at).ok());
        at = at.saturating_add(step);
    }
    Ok(places)
}

/// Returns the integer of a bound of a slice. A bound beyond the range of integers is beyond the end of everything. `None` for
/// a number that is not an integer.
fn saturated(bound: &Number) -> Option<i64> {
    let beyond = if bound.is_negative() { i64::MIN } else { i64::MAX };
    bound.is_integer().then(|| bound.to_i64().unwrap_or(beyond))
}

/// Returns the fault of an element that does not exist.
fn no_element(at: &str, length: usize, span: Span) -> Fault {
    let name = Name::new(at);
    let words = match length {
        0 => format!("no element {at}: there are none"),
        1 => format!("no element {at}: there is one, `[0]`"),
        _ => format!("no element {at}: there are {length}, from `[0]` to `[{}]`", length - 1),
    };
    let none = Vec::new;
    Fault::new(ValueKind::MissingField { name, span: Some(span), record: None, near: none(), known: none() })
        .worded(words)
}
