//! Arithmetic on numbers: exact on rationals, IEEE 754 on doubles.

use super::{MAX_FRACTION_BITS, MAX_INTEGER_BITS, Number, NumberError};
use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Pow, Signed, ToPrimitive, Zero};

type NumberResult = Result<Number, NumberError>;

fn double(value: f64) -> NumberResult {
    if value.is_finite() {
        Ok(Number::Double(value))
    } else if value.is_nan() {
        Err(NumberError::Undefined)
    } else {
        Err(NumberError::TooLarge)
    }
}

fn integer(value: BigInt) -> NumberResult {
    if value.bits() > MAX_INTEGER_BITS { Err(NumberError::TooLarge) } else { Ok(Number::integer(value)) }
}

/// Returns numerator and denominator if both fit an `i64`, so that a product of two fits an `i128`.
fn small(value: &Number) -> Option<(i128, i128)> {
    match value {
        Number::Int(i) => Some((i128::from(*i), 1)),
        Number::Ratio(r) => Some((i128::from(r.numer().to_i64()?), i128::from(r.denom().to_i64()?))),
        Number::Double(_) => None,
    }
}

/// Reduces a fraction to lowest terms.
fn reduced(numer: i128, denom: i128) -> Number {
    let (numer, denom) = match (u64::try_from(numer.unsigned_abs()), u64::try_from(denom)) {
        (Ok(n), Ok(d)) => {
            let common = i128::from(n.gcd(&d).max(1));
            (numer / common, denom / common)
        }
        _ => {
            let common = numer.gcd(&denom).max(1);
            (numer / common, denom / common)
        }
    };
    if denom == 1
        && let Ok(small) = i64::try_from(numer)
    {
        return Number::Int(small);
    }
    Number::exact(BigRational::new_raw(BigInt::from(numer), BigInt::from(denom)))
}

impl Number {
    /// Returns the sum.
    ///
    /// ```
    /// use cfg_core::term::Number;
    /// let n = |text| Number::parse(text).unwrap();
    /// assert_eq!(n("0.1").add(&n("0.2")), Ok(n("0.3")));
    /// ```
    pub fn add(&self, other: &Number) -> NumberResult {
        match (self, other) {
            (Number::Int(a), Number::Int(b)) => {
                return Ok(match a.checked_add(*b) {
                    Some(sum) => Number::Int(sum),
                    None => Number::integer(BigInt::from(*a) + b),
                });
            }
            (Number::Double(a), Number::Double(b)) => return double(a + b),
            _ => {}
        }
        if let (Some((a, b)), Some((c, d))) = (small(self), small(other)) {
            return Ok(if b == d { reduced(a + c, b) } else { reduced(a * d + c * b, b * d) });
        }
        let (a, b) = (self.to_exact(), other.to_exact());
        if a.is_integer() && b.is_integer() {
            return integer(a.numer() + b.numer());
        }
        fraction_sizes(&a, &b)?;
        Number::bounded(a + b)
    }

    /// Returns the difference.
    pub fn sub(&self, other: &Number) -> NumberResult {
        match (self, other) {
            (Number::Int(a), Number::Int(b)) => Ok(match a.checked_sub(*b) {
                Some(difference) => Number::Int(difference),
                None => Number::integer(BigInt::from(*a) - b),
            }),
            (Number::Double(a), Number::Double(b)) => double(a - b),
            _ => self.add(&other.neg()),
        }
    }

    /// Returns the product.
    pub fn mul(&self, other: &Number) -> NumberResult {
        match (self, other) {
            (Number::Int(a), Number::Int(b)) => {
                return Ok(match a.checked_mul(*b) {
                    Some(product) => Number::Int(product),
                    None => Number::integer(BigInt::from(*a) * b),
                });
            }
            (Number::Double(a), Number::Double(b)) => return double(a * b),
            _ => {}
        }
        if let (Some((a, b)), Some((c, d))) = (small(self), small(other)) {
            return Ok(reduced(a * c, b * d));
        }
        let (a, b) = (self.to_exact(), other.to_exact());
        if a.numer().bits() + b.numer().bits() > MAX_INTEGER_BITS + 1 {
            return Err(NumberError::TooLarge);
        }
        if a.is_integer() && b.is_integer() {
            return integer(a.numer() * b.numer());
        }
        fraction_sizes(&a, &b)?;
        Number::bounded(a * b)
    }

    /// Returns the exact quotient; `None` if the divisor is zero or the result is too large.
    ///
    /// ```
    /// use cfg_core::term::Number;
    /// assert_eq!(Number::Int(1).checked_div(&Number::Int(0)), None);
    /// assert_eq!(Number::Int(1).div(&Number::Int(3)).unwrap().mul(&Number::Int(3)), Ok(Number::Int(1)));
    /// ```
    pub fn checked_div(&self, other: &Number) -> Option<Number> {
        self.div(other).ok()
    }

    /// Returns the exact quotient.
    pub fn div(&self, other: &Number) -> NumberResult {
        if other.is_zero() {
            return Err(NumberError::DivisionByZero);
        }
        match (self, other) {
            (Number::Int(a), Number::Int(b)) => {
                if let Some(0) = a.checked_rem(*b) {
                    return Ok(a.checked_div(*b).map_or_else(|| Number::integer(-BigInt::from(*a)), Number::Int));
                }
                let sign = if *b < 0 { -1 } else { 1 };
                return Ok(reduced(i128::from(*a) * sign, i128::from(*b).abs()));
            }
            (Number::Double(a), Number::Double(b)) => return double(a / b),
            _ => {}
        }
        self.mul(&Number::exact(other.to_exact().recip()))
    }

    /// Returns the remainder of truncated division. It has the sign of the dividend.
    ///
    /// ```
    /// use cfg_core::term::Number;
    /// let n = |text| Number::parse(text).unwrap();
    /// assert_eq!(n("-7").rem(&n("3")), Ok(n("-1")));
    /// assert_eq!(n("7.5").rem(&n("2")), Ok(n("1.5")));
    /// ```
    pub fn rem(&self, other: &Number) -> NumberResult {
        if other.is_zero() {
            return Err(NumberError::DivisionByZero);
        }
        match (self, other) {
            (Number::Int(a), Number::Int(b)) => return Ok(Number::Int(a.checked_rem(*b).unwrap_or(0))),
            (Number::Double(a), Number::Double(b)) => return double(a % b),
            _ => {}
        }
        let (a, b) = (self.to_exact(), other.to_exact());
        if a.is_integer() && b.is_integer() {
            return integer(a.numer() % b.numer());
        }
        fraction_sizes(&a, &b)?;
        let quotient = (&a / &b).trunc();
        Number::bounded(a - quotient * b)
    }

    /// Returns the negation.
    pub fn neg(&self) -> Number {
        match self {
            Number::Int(i) => i.checked_neg().map_or_else(|| Number::integer(-BigInt::from(*i)), Number::Int),
            Number::Ratio(r) => Number::exact(-(**r).clone()),
            Number::Double(d) => Number::Double(-d),
        }
    }

    /// Returns the absolute value.
    pub fn abs(&self) -> Number {
        if self.is_negative() { self.neg() } else { self.clone() }
    }

    /// Returns the largest integer that is not above the value.
    pub fn floor(&self) -> Number {
        match self {
            Number::Int(_) => self.clone(),
            Number::Ratio(r) => Number::integer(r.numer().div_floor(r.denom())),
            Number::Double(d) => Number::Double(d.floor()),
        }
    }

    /// Returns the value without its fractional part, rounded towards zero.
    pub fn truncate(&self) -> Number {
        match self {
            Number::Int(_) => self.clone(),
            Number::Ratio(r) => Number::integer(r.numer() / r.denom()),
            Number::Double(d) => Number::Double(d.trunc()),
        }
    }

    /// Returns the fractional part, with the sign of the value.
    pub fn fract(&self) -> Number {
        match self {
            Number::Int(_) => Number::ZERO,
            Number::Ratio(r) => Number::exact(r.fract()),
            Number::Double(d) => Number::Double(d.fract()),
        }
    }

    /// Returns the power. The result is exact if the exponent is an integer that fits an `i64`. Otherwise both sides
    /// are converted to doubles, and the result is the simplest rational that rounds to the double result, as in
    /// Nickel. Two doubles give a double.
    ///
    /// ```
    /// use cfg_core::term::Number;
    /// let n = |text| Number::parse(text).unwrap();
    /// assert_eq!(n("2").pow(&n("-2")), Ok(n("0.25")));
    /// assert_eq!(n("4").pow(&n("0.5")), Ok(n("2")));
    /// ```
    pub fn pow(&self, exponent: &Number) -> NumberResult {
        if let (Number::Double(a), Number::Double(b)) = (self, exponent) {
            return double(a.powf(*b));
        }
        let Some(power) = exponent.to_i64() else {
            let result = self.to_f64().powf(exponent.to_f64());
            return Number::from_f64(result).ok_or(if result.is_nan() {
                NumberError::Undefined
            } else {
                NumberError::TooLarge
            });
        };
        if power == 0 {
            return Ok(Number::ONE);
        }
        match self {
            Number::Int(0) if power < 0 => return Err(NumberError::DivisionByZero),
            Number::Int(0 | 1) => return Ok(self.clone()),
            Number::Int(-1) => return Ok(Number::Int(if power % 2 == 0 { 1 } else { -1 })),
            _ if self.is_zero() => {
                return if power < 0 { Err(NumberError::DivisionByZero) } else { Ok(Number::ZERO) };
            }
            _ => {}
        }
        let base = self.to_exact();
        let size = base.numer().bits().max(base.denom().bits()).saturating_sub(1).max(1);
        let limit = if base.is_integer() && power > 0 { MAX_INTEGER_BITS } else { MAX_FRACTION_BITS };
        if size.saturating_mul(power.unsigned_abs()) > limit {
            return Err(NumberError::TooLarge);
        }
        let power_size = power.unsigned_abs();
        let (numer, denom) = (Pow::pow(base.numer(), power_size), Pow::pow(base.denom(), power_size));
        // If numerator and denominator are coprime, so are their powers.
        let (numer, denom) = if power > 0 {
            (numer, denom)
        } else if numer.is_negative() {
            (-denom, -numer)
        } else {
            (denom, numer)
        };
        Number::bounded(BigRational::new_raw(numer, if denom.is_zero() { BigInt::one() } else { denom }))
    }
}

/// Refuses operands whose fraction would take quadratic time to reduce.
fn fraction_sizes(a: &BigRational, b: &BigRational) -> Result<(), NumberError> {
    let size = |r: &BigRational| r.numer().bits().max(r.denom().bits());
    if size(a) + size(b) > 2 * MAX_FRACTION_BITS { Err(NumberError::TooLarge) } else { Ok(()) }
}
