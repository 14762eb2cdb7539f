//! Deep equality of values (`==`), with the order of comparison and the errors of Nickel.

use super::deep::FieldRef;
use super::record::Field;
use super::{Call, Contract, Fault, Machine, Record, Thunk, Value};
use crate::problem::value::ValueKind;
use crate::text::Name;

/// One side of a comparison: a value, and the field whose value it is.
type Side = (Thunk, Option<FieldRef>);

impl Machine {
    /// Compares two values deeply and stops at the first difference.
    ///
    /// # Errors
    ///
    /// Fails if a part cannot be evaluated, if one of two compared parts is sealed, if both are functions, labels or
    /// contracts that are not types, or if only one of two records defines a field that both have.
    pub fn equal(&mut self, a: &Thunk, b: &Thunk, call: &Call) -> Result<bool, Fault> {
        let mut work: Vec<(Side, Side)> = vec![((a.clone(), None), (b.clone(), None))];
        while let Some(((a, field_a), (b, field_b))) = work.pop() {
            self.tick()?;
            let (x, y) = (self.force_in(&a, field_a.as_ref())?, self.force_in(&b, field_b.as_ref())?);
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
                    let same_key =
                        |(a, b): (&(Value, Thunk), &(Value, Thunk))| crate::value::map::order(&a.0, &b.0).is_eq();
                    if x.len() != y.len() || !x.iter().zip(y.iter()).all(same_key) {
                        return Ok(false);
                    }
                    work.extend(x.iter().zip(y.iter()).map(|(a, b)| ((a.1.clone(), None), (b.1.clone(), None))));
                    true
                }
                (Value::Record(x), Value::Record(y)) => match self.common_fields(x, y)? {
                    Some(common) => {
                        let mut common = common.into_iter();
                        // compares the first field first and the others from last to first, as Nickel does
                        let first = common.next();
                        work.extend(common.chain(first));
                        true
                    }
                    None => false,
                },
                (x, y) if x.is_function() && y.is_function() => {
                    return Err(incomparable("functions", call));
                }
                // As in Nickel, types as values are never equal, and contracts cannot be compared.
                (Value::Contract(x), Value::Contract(y)) if !is_type(x) && !is_type(y) => {
                    return Err(incomparable("contracts", call));
                }
                (Value::Label(_), Value::Label(_)) => {
                    return Err(incomparable("labels", call));
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
    /// Optional fields without a definition are ignored, and fields that both only declare are equal. The pairs are in
    /// the order of the definitions of the record with more fields (the left one, if both have the same number), as in
    /// Nickel. O(fields log fields).
    ///
    /// # Errors
    ///
    /// Fails if only one record defines a field: the definition of the other is missing.
    fn common_fields(&mut self, x: &Record, y: &Record) -> Result<Option<Vec<(Side, Side)>>, Fault> {
        let swap = x.table().values.len() < y.table().values.len();
        let (larger, smaller) = if swap { (y, x) } else { (x, y) };
        let (larger_fields, smaller_fields) = (self.fields_as_defined(larger)?, self.all_fields(smaller)?);
        let must_match = |f: &Field| f.value.is_some() || !f.optional;
        let mut pairs = Vec::with_capacity(larger_fields.len());
        let mut matched = 0;
        for p in larger_fields {
            match smaller_fields.binary_search_by(|q| q.name.cmp(&p.name)).ok().and_then(|at| smaller_fields.get(at)) {
                Some(q) => {
                    matched += usize::from(must_match(q));
                    pairs.push((p, q));
                }
                None if must_match(&p) => return Ok(None),
                None => {}
            }
        }
        if matched < smaller_fields.iter().filter(|f| must_match(f)).count() {
            return Ok(None);
        }
        let mut common = Vec::with_capacity(pairs.len());
        for (p, q) in pairs {
            match (p.value, &q.value) {
                (Some(value), Some(other)) => {
                    let from_larger = (value, Some(FieldRef::Field(larger.clone(), p.name)));
                    let from_smaller = (other.clone(), Some(FieldRef::Field(smaller.clone(), q.name.clone())));
                    common.push(if swap { (from_smaller, from_larger) } else { (from_larger, from_smaller) });
                }
                (None, None) => {}
                (None, Some(_)) => return Err(self.missing_definition(larger, &p.name)),
                (Some(_), None) => return Err(self.missing_definition(smaller, &p.name)),
            }
        }
        Ok(Some(common))
    }
}

fn incomparable(what: &'static str, call: &Call) -> Fault {
    Fault::new(ValueKind::Incomparable { what: Name::new_static(what), span: call.span })
}

fn is_type(contract: &Contract) -> bool {
    matches!(contract, Contract::Form(..))
}
