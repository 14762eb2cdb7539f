//! Deep equality.

use super::{Call, Fault, Machine, Thunk, Value};
use crate::problem::value::ValueKind;
use crate::text::Name;

impl Machine {
    /// Whether two values are equal, deep. Fails where both are functions (or labels, …), which cannot be compared.
    /// Stops at the first difference.
    pub fn equal(&mut self, a: &Thunk, b: &Thunk, call: &Call) -> Result<bool, Fault> {
        let mut work = vec![(a.clone(), b.clone())];
        while let Some((a, b)) = work.pop() {
            self.tick()?;
            let (x, y) = (self.force(&a)?, self.force(&b)?);
            let equal = match (&x, &y) {
                (Value::Sealed(s), _) | (_, Value::Sealed(s)) => return Err(self.unsealed(s)),
                (Value::Null, Value::Null) => true,
                (Value::Bool(x), Value::Bool(y)) => x == y,
                (Value::Number(x), Value::Number(y)) => x == y,
                (Value::String(x), Value::String(y)) => x.as_str() == y.as_str(),
                (Value::Tag(x), Value::Tag(y)) => x == y,
                (Value::Variant(x, p), Value::Variant(y, q)) => {
                    work.push((p.clone(), q.clone()));
                    x == y
                }
                (Value::Array(x), Value::Array(y)) => {
                    if x.len() != y.len() {
                        return Ok(false);
                    }
                    // The first elements are compared first.
                    work.extend(x.iter().cloned().zip(y.iter().cloned()).rev());
                    true
                }
                (Value::Record(x), Value::Record(y)) => {
                    // The fields that stand first on the left are compared first, as in Nickel.
                    let (mut x, y) = (self.fields_as_defined(x)?, self.fields(y)?);
                    x.retain(|f| f.value.is_some() || !f.optional);
                    if x.len() != y.len() {
                        return Ok(false);
                    }
                    for p in x.into_iter().rev() {
                        let q = y.binary_search_by(|q| q.name.cmp(&p.name)).ok().and_then(|at| y.get(at));
                        match (p.value, q.map(|q| &q.value)) {
                            (Some(p), Some(Some(q))) => work.push((p, q.clone())),
                            (None, Some(None)) => {}
                            _ => return Ok(false),
                        }
                    }
                    true
                }
                (x, y) if x.is_function() && y.is_function() => {
                    let what = Name::new_static("functions");
                    return Err(Fault::new(ValueKind::Incomparable { what, span: call.span }));
                }
                (Value::Label(_), Value::Label(_)) => {
                    let what = Name::new_static("labels");
                    return Err(Fault::new(ValueKind::Incomparable { what, span: call.span }));
                }
                _ => false,
            };
            if !equal {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
