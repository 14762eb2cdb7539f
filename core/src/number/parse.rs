//! Parses number literals exactly.

use super::{MAX_FRACTION_BITS, MAX_INTEGER_BITS, Number, NumberError};
use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{Num, One, Pow, Zero};

/// Bits per decimal digit, rounded down, in thousandths.
const DIGIT_BITS_LOW: u64 = 3321;

impl Number {
    /// Parses a literal exactly: decimal digits with an optional point and exponent (`12`, `.5`, `5.`, `1.5e-3`), or
    /// `0x`, `0o`, `0b` and digits, with an optional leading sign. Underscores are not accepted.
    ///
    /// Fails with [`NumberError::TooLarge`] before it builds a large number (`1e999999999`).
    ///
    /// ```
    /// use cfg_core::term::{Number, NumberError};
    /// assert_eq!(Number::parse("0x1F"), Ok(Number::Int(31)));
    /// assert_eq!(Number::parse("12.50e1"), Ok(Number::Int(125)));
    /// assert_eq!(Number::parse("1e999999999"), Err(NumberError::TooLarge));
    /// assert_eq!(Number::parse("1e"), Err(NumberError::Malformed));
    /// ```
    pub fn parse(text: &str) -> Result<Number, NumberError> {
        let (negative, digits) = match text.as_bytes().first() {
            Some(b'-') => (true, &text[1..]),
            Some(b'+') => (false, &text[1..]),
            _ => (false, text),
        };
        let value = match digits.as_bytes() {
            [b'0', b'x', ..] => radix(&digits[2..], 16)?,
            [b'0', b'o', ..] => radix(&digits[2..], 8)?,
            [b'0', b'b', ..] => radix(&digits[2..], 2)?,
            _ => decimal(digits)?,
        };
        Ok(if negative { value.neg() } else { value })
    }
}

fn radix(digits: &str, base: u32) -> Result<Number, NumberError> {
    if digits.is_empty() || !digits.chars().all(|c| c.is_digit(base)) {
        return Err(NumberError::Malformed);
    }
    if let Ok(small) = i64::from_str_radix(digits, base) {
        return Ok(Number::Int(small));
    }
    if digits.len() as u64 * u64::from(base.ilog2()) > MAX_INTEGER_BITS {
        return Err(NumberError::TooLarge);
    }
    BigInt::from_str_radix(digits, base).map(Number::integer).map_err(|_| NumberError::Malformed)
}

fn decimal(text: &str) -> Result<Number, NumberError> {
    let plain = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    if plain && let Ok(small) = text.parse::<i64>() {
        return Ok(Number::Int(small));
    }
    let (mantissa, exponent) = match text.find(['e', 'E']) {
        Some(at) => (&text[..at], exponent(&text[at + 1..])?),
        None => (text, 0),
    };
    let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if (whole.is_empty() && part.is_empty()) || !whole.bytes().chain(part.bytes()).all(|b| b.is_ascii_digit()) {
        return Err(NumberError::Malformed);
    }
    // The value is `digits * 10^scale`; `digits` has no zero at either end.
    let digits = format!("{whole}{part}");
    let trimmed = digits.trim_end_matches('0');
    let scale = exponent - part.len() as i64 + (digits.len() - trimmed.len()) as i64;
    let digits = trimmed.trim_start_matches('0');
    if digits.is_empty() {
        return Ok(Number::ZERO);
    }
    let size = digits.len() as u64 + scale.unsigned_abs();
    let limit = if scale >= 0 { MAX_INTEGER_BITS } else { MAX_FRACTION_BITS };
    if size.saturating_mul(DIGIT_BITS_LOW) / 1000 > limit {
        return Err(NumberError::TooLarge);
    }
    let digits = match digits.parse::<u64>() {
        Ok(small) => BigInt::from(small),
        Err(_) => BigInt::from_str_radix(digits, 10).map_err(|_| NumberError::Malformed)?,
    };
    let power = scale.unsigned_abs();
    Ok(if scale >= 0 {
        Number::integer(digits * ten_to(power))
    } else {
        Number::exact(decimal_fraction(digits, power))
    })
}

/// Parses a decimal exponent. It saturates beyond any limit that a number can have.
fn exponent(text: &str) -> Result<i64, NumberError> {
    let (negative, digits) = match text.as_bytes().first() {
        Some(b'-') => (true, &text[1..]),
        Some(b'+') => (false, &text[1..]),
        _ => (false, text),
    };
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err(NumberError::Malformed);
    }
    const FAR: i64 = 1 << 40;
    let size = digits.parse::<i64>().unwrap_or(FAR).min(FAR);
    Ok(if negative { -size } else { size })
}

/// Returns `10^power`.
pub(super) fn ten_to(power: u64) -> BigInt {
    Pow::pow(BigInt::from(10u8), power)
}

/// Returns `digits / 10^power` in lowest terms. `digits` is not a multiple of ten, so it has factors of two or of five
/// but not both. Only those can be common factors, so no general reduction is needed.
fn decimal_fraction(mut digits: BigInt, power: u64) -> BigRational {
    let twos = digits.trailing_zeros().unwrap_or(0).min(power);
    if twos > 0 {
        digits >>= twos;
        return BigRational::new_raw(digits, Pow::pow(BigInt::from(5u8), power) << (power - twos));
    }
    let mut fives = 0;
    // Divides by the largest power of five that fits a machine word first.
    for (step, divisor) in [(27u64, Pow::pow(BigInt::from(5u8), 27u64)), (1, BigInt::from(5u8))] {
        while power - fives >= step {
            let (quotient, rest) = digits.div_rem(&divisor);
            if !rest.is_zero() {
                break;
            }
            digits = quotient;
            fives += step;
        }
    }
    let denominator: BigInt = Pow::pow(BigInt::from(5u8), power - fives) << power;
    debug_assert!(denominator >= BigInt::one());
    BigRational::new_raw(digits, denominator)
}
