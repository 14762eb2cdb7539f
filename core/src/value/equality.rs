//! Deep equality.

use super::deep::FieldRef;
use super::record::Field;
use super::{Call, Contract, Fault, Machine, Record, Thunk, Value};
use crate::problem::value::ValueKind;
use crate::text::Name;

/// One side of a comparison: a value, and the field whose value it is.
type Side = (Thunk, Option<FieldRef>);

impl Machine {
    /// Compares two values deeply and stops at the first difference. Fails if both are functions (or labels, …), which
    /// cannot be compared.
    pub fn equal(&mut self, a: &Thunk, b: &Thunk, call: &Call) -> Result<bool, Fault> {
        let mut work: Vec<(Side, Side)> = vec![((a.clone(), None), (b.clone(), None))];
        while let Some(((a, of_a), (b, of_b))) = work.pop() {
            self.tick()?;
            let (x, y) = (self.force_in(&a, of_a.as_ref())?, self.force_in(&b, of_b.as_ref())?);
            let equal = match (&x, &y) {
                (Value::Sealed(s), _) | (_, Value::Sealed(s)) => return Err(self.inspected_sealed(s)),
                (Value::Null, Value::Null) => true,
                (Value::Bool(x), Value::Bool(y)) => x == y,
                (Value::Number(x), Value::Number(y)) => x == y,
                (Value::String(x), Value::String(y)) => x.as_str() == y.as_str(),
                (Value::Tag(x), Value::Tag(y)) => x == y,
                (Value::Variant(x, p), Value::Variant(y, q)) => {
                    work.push(((p.clone(), None), (q.clone(), None)));
                    x == y
                }
                (Value::Array(x), Value::Array(y)) => {
                    if x.len() != y.len() {
                        return Ok(false);
                    }
                    // Compares the last elements first, as Nickel does. The order determines whether the comparison fails, and with
                    // which fault.
                    let side = |thunk: &Thunk| (thunk.clone(), None);
                    work.extend(self.items(x)?.iter().map(side).zip(self.items(y)?.iter().map(side)));
                    true
                }
                (Value::Map(x), Value::Map(y)) => {
                    let keys =
                        |(a, b): (&(Value, Thunk), &(Value, Thunk))| crate::value::map::order(&a.0, &b.0).is_eq();
                    if x.len() != y.len() || !x.iter().zip(y.iter()).all(keys) {
                        return Ok(false);
                    }
                    work.extend(x.iter().zip(y.iter()).map(|(a, b)| ((a.1.clone(), None), (b.1.clone(), None))));
                    true
                }
                (Value::Record(x), Value::Record(y)) => match self.common_fields(x, y)? {
                    Some(common) => {
                        let mut common = common.into_iter();
                        let first = common.next();
                        work.extend(common.chain(first));
                        true
                    }
                    None => false,
                },
                (x, y) if x.is_function() && y.is_function() => {
                    let what = Name::new_static("functions");
                    return Err(Fault::new(ValueKind::Incomparable { what, span: call.span }));
                }
                // As in Nickel, types as values are never equal, and contracts cannot be compared.
                (Value::Contract(x), Value::Contract(y)) if !is_type(x) && !is_type(y) => {
                    let what = Name::new_static("contracts");
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

    /// Returns the values of the fields that both records define; `None` if one has a field that the other lacks.
    /// Optional fields without a definition are ignored, and fields that both only declare are equal. The order is that
    /// of the definitions of the larger record (the left one, if they have the same size), as in Nickel.
    /// O(fields log fields).
    ///
    /// # Errors
    ///
    /// Fails if only one record defines a field: the definition of the other is missing.
    fn common_fields(&mut self, x: &Record, y: &Record) -> Result<Option<Vec<(Side, Side)>>, Fault> {
        let swap = x.table().values.len() < y.table().values.len();
        let (x, y) = if swap { (y, x) } else { (x, y) };
        let (one, other) = (self.fields_as_defined(x)?, self.all_fields(y)?);
        let counts = |f: &Field| f.value.is_some() || !f.optional;
        let mut pairs = Vec::with_capacity(one.len());
        let mut matched = 0;
        for p in one {
            match other.binary_search_by(|q| q.name.cmp(&p.name)).ok().and_then(|at| other.get(at)) {
                Some(q) => {
                    matched += usize::from(counts(q));
                    pairs.push((p, q));
                }
                None if counts(&p) => return Ok(None),
                None => {}
            }
        }
        if matched < other.iter().filter(|f| counts(f)).count() {
            return Ok(None);
        }
        let mut common = Vec::with_capacity(pairs.len());
        for (p, q) in pairs {
            match (p.value, &q.value) {
                (Some(left), Some(right)) => {
                    let left = (left, Some((x.clone(), p.name)));
                    let right = (right.clone(), Some((y.clone(), q.name.clone())));
                    common.push(if swap { (right, left) } else { (left, right) });
                }
                (None, None) => {}
                (None, Some(_)) => return Err(self.missing_definition(x, &p.name)),
                (Some(_), None) => return Err(self.missing_definition(y, &p.name)),
            }
        }
        Ok(Some(common))
    }
}

fn is_type(contract: &Contract) -> bool {
    matches!(contract, Contract::Form(..))
}
