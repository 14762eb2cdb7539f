//! Numbers: exact rationals (cfg) with small integers fast, and IEEE doubles (jsonnet).

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{FromPrimitive, Zero};
use std::cmp::Ordering;
use std::sync::Arc;

/// A number of any dialect. Equality and order are by mathematical value.
#[derive(Clone, Debug)]
pub enum Number {
    /// An exact integer that fits.
    Int(i64),
    /// Any other exact rational, in lowest terms, and not an integer that fits `Int`.
    Ratio(Arc<BigRational>),
    /// An IEEE double; never NaN or infinite.
    Double(f64),
}

impl Number {
    /// Exact zero.
    pub const ZERO: Number = Number::Int(0);

    /// An exact number in canonical form.
    pub fn exact(value: BigRational) -> Number {
        if value.is_integer()
            && let Ok(small) = i64::try_from(value.numer())
        {
            return Number::Int(small);
        }
        Number::Ratio(Arc::new(value))
    }

    /// The value as an exact rational.
    pub fn to_exact(&self) -> BigRational {
        match self {
            Number::Int(i) => BigRational::from_integer(BigInt::from(*i)),
            Number::Ratio(r) => (**r).clone(),
            Number::Double(d) => BigRational::from_f64(*d).unwrap_or_else(BigRational::zero),
        }
    }
}

impl PartialEq for Number {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}
impl Eq for Number {}
impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Number {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Number::Int(a), Number::Int(b)) => a.cmp(b),
            (Number::Double(a), Number::Double(b)) => a.partial_cmp(b).unwrap_or(Ordering::Equal),
            _ => self.to_exact().cmp(&other.to_exact()),
        }
    }
}
