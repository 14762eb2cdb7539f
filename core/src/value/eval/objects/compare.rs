//! Equality and order of values in object languages.

use super::kind;
use crate::text::{Name, Span};
use crate::value::{Array, Fault, Machine, Record, Thunk, Value};
use std::cmp::Ordering;

/// Two parts that remain to be compared.
enum Pair {
    Values(Value, Value),
    Thunks(Thunk, Thunk),
}

impl Machine {
    /// Returns `true` if two values are equal. Stops at the first difference. Compares only the visible fields of objects, and
    /// checks their asserts if it reads a field. Evaluates what it compares.
    ///
    /// # Errors
    ///
    /// An evaluation fails, or both values are functions.
    pub fn equals(&mut self, a: Value, b: Value, span: Span) -> Result<bool, Fault> {
        match (&a, &b) {
            (Value::Number(a), Value::Number(b)) => return Ok(a == b),
            (Value::String(a), Value::String(b)) => return Ok(a.len() == b.len() && a.as_str() == b.as_str()),
            _ => {}
        }
        let mut work = vec![Pair::Values(a, b)];
        while let Some(pair) = work.pop() {
            self.tick()?;
            let (a, b) = match pair {
                Pair::Values(a, b) => (a, b),
                Pair::Thunks(a, b) => (self.force(&a)?, self.force(&b)?),
            };
            let equal = match (&a, &b) {
                (Value::Sealed(s), _) | (_, Value::Sealed(s)) => return Err(self.inspected_sealed(s)),
                (Value::Null, Value::Null) => true,
                (Value::Bool(a), Value::Bool(b)) => a == b,
                (Value::Number(a), Value::Number(b)) => a == b,
                (Value::String(a), Value::String(b)) => a.len() == b.len() && a.as_str() == b.as_str(),
                (Value::Tag(a), Value::Tag(b)) => a == b,
                (Value::Variant(a, x), Value::Variant(b, y)) => {
                    work.push(Pair::Thunks(x.clone(), y.clone()));
                    a == b
                }
                (Value::Array(a), Value::Array(b)) => {
                    let same = a.len() == b.len();
                    if same {
                        let pairs = self.items(a)?.iter().zip(self.items(b)?.iter()).rev();
                        work.extend(pairs.map(|(a, b)| Pair::Thunks(a.clone(), b.clone())));
                    }
                    same
                }
                (Value::Record(a), Value::Record(b)) => {
                    let (left, right) = (self.visible(a)?, self.visible(b)?);
                    let same = left.len() == right.len() && left.iter().zip(&right).all(|(a, b)| a.0 == b.0);
                    if same && !left.is_empty() {
                        self.check_asserts(a)?;
                        self.check_asserts(b)?;
                        let pairs = left.into_iter().zip(right).rev();
                        work.extend(pairs.map(|((_, a), (_, b))| Pair::Thunks(a, b)));
                    }
                    same
                }
                (a, b) if a.is_function() && b.is_function() => {
                    return Err(self.fails("cannot test equality of functions", span));
                }
                _ => false,
            };
            if !equal {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns the visible fields of an object by name, each with its unforced value. O(fields log fields) the first
    /// time.
    pub fn visible(&mut self, record: &Record) -> Result<Vec<(Name, Thunk)>, Fault> {
        Ok(self
            .fields(record)?
            .into_iter()
            .filter(|f| !f.not_exported)
            .filter_map(|f| f.value.map(|value| (f.name, value)))
            .collect())
    }

    /// Returns the order of two values of the same type: numbers, strings, or arrays of them (`std.__compare` of Jsonnet).
    ///
    /// # Errors
    ///
    /// An evaluation fails, or the values have different types or no order.
    pub fn order(&mut self, a: Value, b: Value, span: Span) -> Result<Ordering, Fault> {
        // the pairs of arrays that are being compared, each with the index of the next elements
        let mut work: Vec<(Array, Array, usize)> = Vec::new();
        let mut next = Some((a, b));
        loop {
            let order = match next.take() {
                Some((a, b)) => match (&a, &b) {
                    (Value::Number(a), Value::Number(b)) => a.cmp(b),
                    (Value::String(a), Value::String(b)) => a.as_str().cmp(b.as_str()),
                    (Value::Array(a), Value::Array(b)) => {
                        work.push((a.clone(), b.clone(), 0));
                        Ordering::Equal
                    }
                    (Value::Sealed(s), _) | (_, Value::Sealed(s)) => return Err(self.inspected_sealed(s)),
                    (a, b) => {
                        let (a, b) = (kind(a), kind(b));
                        let words = match (a == b, a) {
                            (false, _) => format!("Comparison requires matching types. Got {a} and {b}"),
                            (true, "null") => String::from("binary operator < does not operate on null."),
                            (true, _) => format!("Values of type {a} are not comparable."),
                        };
                        return Err(self.fails(words, span));
                    }
                },
                None => Ordering::Equal,
            };
            if order != Ordering::Equal {
                return Ok(order);
            }
            self.tick()?;
            let Some((a, b, at)) = work.last_mut() else { return Ok(Ordering::Equal) };
            match (self.item(a, *at)?, self.item(b, *at)?) {
                (Some(x), Some(y)) => {
                    *at += 1;
                    next = Some((self.force(&x)?, self.force(&y)?));
                }
                _ => {
                    let lengths = a.len().cmp(&b.len());
                    work.pop();
                    if lengths != Ordering::Equal {
                        return Ok(lengths);
                    }
                }
            }
        }
    }
}
