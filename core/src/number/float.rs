//! Conversion between exact rationals and IEEE doubles.

use super::Number;
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};

/// Returns mantissa and exponent of a finite double. Its absolute value is `mantissa * 2^exponent`.
fn decode(value: f64) -> (u64, i32) {
    let bits = value.to_bits();
    let exponent = ((bits >> 52) & 0x7ff) as i32;
    let fraction = bits & ((1 << 52) - 1);
    if exponent == 0 { (fraction, -1074) } else { (fraction | (1 << 52), exponent - 1075) }
}

/// Returns `mantissa * 2^exponent` in lowest terms.
fn scaled(mantissa: u64, exponent: i32) -> BigRational {
    if mantissa == 0 {
        return BigRational::zero();
    }
    let zeros = mantissa.trailing_zeros();
    let (mantissa, exponent) = (mantissa >> zeros, exponent + zeros as i32);
    let (mantissa, one) = (BigInt::from(mantissa), BigInt::one());
    if exponent >= 0 {
        BigRational::new_raw(mantissa << exponent as u32, one)
    } else {
        BigRational::new_raw(mantissa, one << exponent.unsigned_abs())
    }
}

/// Returns the exact value of a finite double.
pub(super) fn exact(value: f64) -> BigRational {
    let (mantissa, exponent) = decode(value);
    let result = scaled(mantissa, exponent);
    if value.is_sign_negative() { -result } else { result }
}

/// Returns the nearest double, ties to even. Values beyond the range give infinity; values that underflow give zero
/// with their sign.
pub(super) fn nearest(value: &BigRational) -> f64 {
    let (numer, denom) = (value.numer().magnitude(), value.denom().magnitude());
    if let (Some(n), Some(d)) = (numer.to_u64(), denom.to_u64())
        && n <= 1 << 53
        && d <= 1 << 53
    {
        // Both are exact doubles, so one division rounds correctly.
        let result = n as f64 / d as f64;
        return if value.is_negative() { -result } else { result };
    }
    let result = nearest_unsigned(numer, denom);
    if value.is_negative() { -result } else { result }
}

fn nearest_unsigned(numer: &BigUint, denom: &BigUint) -> f64 {
    // A quotient of 64 or 65 bits; `sticky` says whether the remainder is nonzero.
    let shift = 64 - (numer.bits() as i64 - denom.bits() as i64);
    if shift < -1100 {
        return f64::INFINITY;
    }
    if shift > 1200 {
        return 0.0;
    }
    let (quotient, rest) = if shift >= 0 {
        (numer << shift as u64).div_rem(denom)
    } else {
        numer.div_rem(&(denom << shift.unsigned_abs()))
    };
    let sticky = !rest.is_zero();
    let quotient = quotient.to_u128().unwrap_or(u128::MAX);
    let bits = 128 - quotient.leading_zeros() as i64;
    // The exponent of the last mantissa bit: 53 bits, fewer for subnormal numbers.
    let last = (bits - 53 - shift).max(-1074);
    let drop = last + shift;
    if drop > 127 {
        return 0.0;
    }
    let (mut mantissa, half, below) = if drop <= 0 {
        ((quotient << (-drop).min(63)) as u64, false, sticky)
    } else {
        let low = quotient & ((1u128 << drop) - 1);
        let half = 1u128 << (drop - 1);
        ((quotient >> drop) as u64, low & half != 0, sticky || low & (half - 1) != 0)
    };
    if half && (below || mantissa & 1 == 1) {
        mantissa += 1;
    }
    let mut exponent = last;
    if mantissa == 1 << 53 {
        mantissa >>= 1;
        exponent += 1;
    }
    if mantissa >> 52 == 0 {
        return f64::from_bits(mantissa);
    }
    let biased = exponent + 1075;
    if biased >= 0x7ff {
        return f64::INFINITY;
    }
    f64::from_bits(((biased as u64) << 52) | (mantissa & ((1 << 52) - 1)))
}

/// Returns the fraction with the smallest denominator (then the smallest numerator) strictly between two rationals, `0
/// <= low < high`. Descends the Stern-Brocot tree, and takes each run of equal turns in one step.
fn simplest_between(low: BigRational, high: BigRational) -> BigRational {
    // The quotients common to both continued fractions, outermost first.
    let mut quotients: Vec<BigInt> = Vec::new();
    let (mut low, mut high) = (low, Some(high));
    let mut result = loop {
        let whole = low.floor().to_integer();
        let next: BigInt = &whole + 1;
        if high.as_ref().is_none_or(|h| BigRational::from_integer(next.clone()) < *h) {
            break BigRational::from_integer(next);
        }
        let Some(above) = high else { break BigRational::from_integer(next) };
        let rest = &low - BigRational::from_integer(whole.clone());
        let above = above - BigRational::from_integer(whole.clone());
        quotients.push(whole);
        low = above.recip();
        high = if rest.is_zero() { None } else { Some(rest.recip()) };
    };
    for quotient in quotients.into_iter().rev() {
        result = BigRational::from_integer(quotient) + result.recip();
    }
    result
}

impl Number {
    /// Returns the simplest exact number whose nearest double is this one: `0.1` for `0.1f64`. `None` for NaN and
    /// infinity. The reference implementation converts the results of floating-point functions back in this way.
    ///
    /// ```
    /// use cfg_core::term::Number;
    /// assert_eq!(Number::from_f64(0.1), Some(Number::parse("0.1").unwrap()));
    /// assert_eq!(Number::from_f64(f64::NAN), None);
    /// ```
    pub fn from_f64(value: f64) -> Option<Number> {
        if !value.is_finite() {
            return None;
        }
        let (mantissa, exponent) = decode(value);
        let result = scaled(mantissa, exponent);
        let two = BigInt::from(2);
        let result = if *result.denom() <= two {
            result
        } else {
            let magnitude = value.abs();
            let middle = |other: f64| (exact(other) + &result) / &two;
            simplest_between(middle(magnitude.next_down()), middle(magnitude.next_up()))
        };
        Some(Number::exact(if value < 0.0 { -result } else { result }))
    }

    /// Returns the exact value of a double: `0.1f64` is not `0.1`. `None` for NaN and infinity.
    pub fn from_f64_exact(value: f64) -> Option<Number> {
        value.is_finite().then(|| Number::exact(exact(value)))
    }
}
