//! Numbers: exact rationals, with a fast path for small integers, and IEEE doubles. The rules of a language say which it has.
//!
//! Arithmetic on exact numbers is exact. Two doubles give a double. In an operation with an exact number, a double
//! stands for its exact value, and the result is exact. Every operation bounds the size of its result
//! ([`MAX_INTEGER_BITS`], [`MAX_FRACTION_BITS`]), so no literal and no chain of multiplications can exhaust the memory.

mod arith;
mod float;
mod parse;
mod print;
#[cfg(test)]
mod tests;

pub use print::NumberForm;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// Maximum size of an exact integer, in bits (about 1.2 million decimal digits).
pub const MAX_INTEGER_BITS: u64 = 1 << 22;

/// Maximum size of the numerator and the denominator of an exact fraction, in bits (about 79,000 decimal digits). It is
/// lower than [`MAX_INTEGER_BITS`], because reducing a fraction takes quadratic time.
pub const MAX_FRACTION_BITS: u64 = 1 << 18;

/// A number of any dialect. Equality, order and hash are by mathematical value.
#[derive(Clone, Debug)]
pub enum Number {
    /// An exact integer that fits an `i64`.
    Int(i64),
    /// Any other exact rational, in lowest terms. Never an integer that fits `Int`.
    Ratio(Arc<BigRational>),
    /// An IEEE double; never NaN or infinite.
    Double(f64),
}

/// The reason why an operation has no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberError {
    /// Division by zero.
    DivisionByZero,
    /// The result is larger than [`MAX_INTEGER_BITS`] or [`MAX_FRACTION_BITS`], or beyond a double's range.
    TooLarge,
    /// The result is not a real number (`pow (-1) 0.5`).
    Undefined,
    /// The text is not a number.
    Malformed,
}

impl fmt::Display for NumberError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NumberError::DivisionByZero => "division by zero",
            NumberError::TooLarge => "the number is too large",
            NumberError::Undefined => "the result is not a number",
            NumberError::Malformed => "not a number",
        })
    }
}

impl std::error::Error for NumberError {}

impl Number {
    /// Exact zero.
    pub const ZERO: Number = Number::Int(0);
    /// Exact one.
    pub const ONE: Number = Number::Int(1);

    /// Makes an exact number in canonical form from a rational in lowest terms.
    pub fn exact(value: BigRational) -> Number {
        if value.is_integer()
            && let Ok(small) = i64::try_from(value.numer())
        {
            return Number::Int(small);
        }
        Number::Ratio(Arc::new(value))
    }

    /// Makes an exact integer in canonical form.
    pub fn integer(value: BigInt) -> Number {
        match i64::try_from(&value) {
            Ok(small) => Number::Int(small),
            Err(_) => Number::Ratio(Arc::new(BigRational::new_raw(value, BigInt::one()))),
        }
    }

    /// Converts the value to an exact rational.
    pub fn to_exact(&self) -> BigRational {
        match self {
            Number::Int(i) => BigRational::from_integer(BigInt::from(*i)),
            Number::Ratio(r) => (**r).clone(),
            Number::Double(d) => float::exact(*d),
        }
    }

    /// Returns whether the value has no fractional part.
    pub fn is_integer(&self) -> bool {
        match self {
            Number::Int(_) => true,
            Number::Ratio(r) => r.is_integer(),
            Number::Double(d) => d.trunc() == *d,
        }
    }

    /// Returns whether the value is zero.
    pub fn is_zero(&self) -> bool {
        match self {
            Number::Int(i) => *i == 0,
            Number::Ratio(_) => false,
            Number::Double(d) => *d == 0.0,
        }
    }

    /// Returns whether the value is below zero.
    pub fn is_negative(&self) -> bool {
        match self {
            Number::Int(i) => *i < 0,
            Number::Ratio(r) => r.is_negative(),
            Number::Double(d) => *d < 0.0,
        }
    }

    /// Returns the value as an `i64`; `None` if it is not an integer or does not fit.
    ///
    /// ```
    /// use cfg_core::term::Number;
    /// assert_eq!(Number::Double(3.0).to_i64(), Some(3));
    /// assert_eq!(Number::parse("0.5").unwrap().to_i64(), None);
    /// ```
    pub fn to_i64(&self) -> Option<i64> {
        match self {
            Number::Int(i) => Some(*i),
            Number::Ratio(_) => None,
            Number::Double(d) => {
                (d.trunc() == *d && (-9223372036854775808.0..9223372036854775808.0).contains(d)).then_some(*d as i64)
            }
        }
    }

    /// Returns the value as a `u64`; `None` if it is not an integer or does not fit.
    pub fn to_u64(&self) -> Option<u64> {
        match self {
            Number::Int(i) => u64::try_from(*i).ok(),
            Number::Ratio(r) if r.is_integer() => r.numer().to_u64(),
            Number::Ratio(_) => None,
            Number::Double(d) => (d.trunc() == *d && (0.0..18446744073709551616.0).contains(d)).then_some(*d as u64),
        }
    }

    /// Returns the nearest double, ties to even; infinity beyond a double's range.
    pub fn to_f64(&self) -> f64 {
        match self {
            Number::Int(i) => *i as f64,
            Number::Ratio(r) => float::nearest(r),
            Number::Double(d) => *d,
        }
    }
}

impl From<i64> for Number {
    fn from(value: i64) -> Number {
        Number::Int(value)
    }
}

impl From<usize> for Number {
    fn from(value: usize) -> Number {
        i64::try_from(value).map_or_else(|_| Number::integer(BigInt::from(value)), Number::Int)
    }
}

impl PartialEq for Number {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Number::Int(a), Number::Int(b)) => a == b,
            (Number::Double(a), Number::Double(b)) => a == b,
            // Both are canonical, so comparing numerators and denominators suffices.
            (Number::Ratio(a), Number::Ratio(b)) => {
                Arc::ptr_eq(a, b) || (a.numer() == b.numer() && a.denom() == b.denom())
            }
            (Number::Int(_), Number::Ratio(_)) | (Number::Ratio(_), Number::Int(_)) => false,
            _ => self.cmp(other) == Ordering::Equal,
        }
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
        if let (Number::Int(a), Number::Int(b)) = (self, other) {
            return a.cmp(b);
        }
        // Rounding to the nearest double keeps the order, so different doubles decide without an allocation.
        let (a, b) = (self.to_f64(), other.to_f64());
        match a.partial_cmp(&b) {
            Some(Ordering::Equal) | None => {}
            Some(order) => return order,
        }
        if let (Number::Double(_), Number::Double(_)) = (self, other) {
            return Ordering::Equal;
        }
        let (a, b) = (self.to_exact(), other.to_exact());
        if a.denom() == b.denom() {
            return a.numer().cmp(b.numer());
        }
        (a.numer() * b.denom()).cmp(&(b.numer() * a.denom()))
    }
}

impl Hash for Number {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self.to_i64() {
            Some(i) => i.hash(state),
            // Equal values have the same nearest double.
            None => self.to_f64().to_bits().hash(state),
        }
    }
}

impl Default for Number {
    fn default() -> Number {
        Number::ZERO
    }
}

impl Number {
    fn bounded(value: BigRational) -> Result<Number, NumberError> {
        let limit = if value.is_integer() { MAX_INTEGER_BITS } else { MAX_FRACTION_BITS };
        if value.numer().bits() > limit || value.denom().bits() > limit {
            return Err(NumberError::TooLarge);
        }
        debug_assert!(!value.denom().is_zero());
        Ok(Number::exact(value))
    }
}
