//! Prints numbers as the reference implementation does.

use super::parse::ten_to;
use super::{Number, NumberError};
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{Pow, Signed, ToPrimitive, Zero};
use std::fmt::{self, Write};

/// Number of significant digits that are printed.
const PRECISION: i64 = 16;

/// An export format, which determines how numbers are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberForm {
    /// `1e+30`, `1e-6`
    Json,
    /// `1e30`, `1e-6`
    Yaml,
    /// `1.0e+30`, `1.0e-6`: YAML in which readers of YAML 1.1 find a number too.
    PortableYaml,
    /// `1000000000000000000000000000000.0`, `0.000001`
    Toml,
}

impl Number {
    /// Writes the number as in exported JSON. An integer that fits 64 bits (signed or unsigned) gets all its
    /// digits; any other number is written as the shortest digits of its nearest double. Fails with
    /// [`NumberError::TooLarge`] beyond a double's range.
    ///
    /// ```
    /// use cfg_core::term::{Number, NumberForm};
    /// let n = Number::parse("1e21").unwrap();
    /// assert_eq!(n.export(NumberForm::Json).unwrap(), "1e+21");
    /// assert_eq!(n.export(NumberForm::Yaml).unwrap(), "1e21");
    /// assert_eq!(n.export(NumberForm::Toml).unwrap(), "1000000000000000000000.0");
    /// ```
    pub fn export(&self, form: NumberForm) -> Result<String, NumberError> {
        if let Some(small) = self.to_i64() {
            return Ok(small.to_string());
        }
        if let Some(small) = self.to_u64() {
            return Ok(small.to_string());
        }
        let double = self.to_f64();
        // The nearest double of a number slightly beyond the range is the largest one, but the number itself is
        // refused.
        let largest = Number::Double(f64::MAX);
        if !double.is_finite() || (double.abs() == f64::MAX && self.abs() > largest) {
            return Err(NumberError::TooLarge);
        }
        if form == NumberForm::Toml {
            let mut text = double.to_string();
            if !text.contains('.') {
                text.push_str(".0");
            }
            return Ok(text);
        }
        let text = serde_json::Number::from_f64(double).ok_or(NumberError::TooLarge)?.to_string();
        Ok(match form {
            NumberForm::Yaml => text.replace("e+", "e"),
            NumberForm::PortableYaml => with_point(text),
            NumberForm::Json | NumberForm::Toml => text,
        })
    }
}

/// Maximum number of digits that are written without an exponent.
const PLAIN: i64 = 60;

impl Number {
    /// Writes the number like [`Number::export`] if that reads back as the same number, and otherwise with all its digits.
    /// A number that has no finite decimal fraction (`1/3`) is rounded.
    ///
    /// ```
    /// use cfg_core::term::{Number, NumberForm};
    /// let written = |text: &str, form| Number::parse(text).unwrap().export_in_full(form).unwrap();
    /// assert_eq!(written("12345678901234567891234", NumberForm::Json), "12345678901234567891234");
    /// assert_eq!(written("0.12345678901234567891", NumberForm::Toml), "0.12345678901234567891");
    /// assert_eq!(written("1e400", NumberForm::Json), "1e+400");
    /// assert_eq!(written("1e21", NumberForm::PortableYaml), "1.0e+21");
    /// ```
    pub fn export_in_full(&self, form: NumberForm) -> Result<String, NumberError> {
        let short = self.export(form);
        let is_exact = |text: &String| Number::parse(text).is_ok_and(|read| read == *self);
        match (self, short) {
            (Number::Double(_), short) => short,
            (_, Ok(short)) if is_exact(&short) => Ok(short),
            (_, short) => match self.decimal() {
                Some((digits, exponent)) => Ok(decimal_text(self.is_negative(), &digits, exponent, form)),
                None => short,
            },
        }
    }

    /// Returns the digits of the number and the exponent of the last one: 12.5 is `125` and −1. `None` if no finite number
    /// of digits is exact.
    fn decimal(&self) -> Option<(String, i64)> {
        let exact = self.to_exact();
        let denominator = exact.denom().magnitude();
        let twos = denominator.trailing_zeros().unwrap_or(0);
        let odd = denominator >> twos;
        // a power of five has `fives` factors if it has this many bits
        let fives = ((odd.bits() - 1) as f64 / 5f64.log2()).ceil() as u64;
        if Pow::pow(BigUint::from(5u8), fives) != odd {
            return None;
        }
        let places = twos.max(fives);
        let scaled = exact.numer() * ten_to(places) / exact.denom();
        let digits = scaled.magnitude().to_string();
        let trimmed = digits.trim_end_matches('0');
        let zeros = (digits.len() - trimmed.len()) as i64;
        Some((if trimmed.is_empty() { String::from("0") } else { String::from(trimmed) }, zeros - places as i64))
    }
}

/// Writes digits with the exponent of the last one, without an exponent if that is short enough.
fn decimal_text(negative: bool, digits: &str, exponent: i64, form: NumberForm) -> String {
    let sign = if negative { "-" } else { "" };
    let count = digits.len() as i64;
    if exponent >= 0 && (exponent <= 20 || count + exponent <= PLAIN) {
        // a number of TOML with more than 64 bits is a float
        let point = if form == NumberForm::Toml { ".0" } else { "" };
        return format!("{sign}{digits}{}{point}", "0".repeat(exponent as usize));
    }
    if exponent < 0 && count + exponent > 0 {
        let (whole, part) = digits.split_at((count + exponent) as usize);
        return format!("{sign}{whole}.{part}");
    }
    if exponent < 0 && -(count + exponent) <= 6 {
        return format!("{sign}0.{}{digits}", "0".repeat((-(count + exponent)) as usize));
    }
    let (first, rest) = digits.split_at(1);
    let point = if rest.is_empty() { "" } else { "." };
    let text = format!("{sign}{first}{point}{rest}e{:+}", exponent + count - 1);
    if form == NumberForm::PortableYaml { with_point(text) } else { text }
}

/// Returns a number in which an exponent has a sign, and the digits before it a point: `1e21` → `1.0e+21`.
fn with_point(text: String) -> String {
    let Some((mantissa, exponent)) = text.split_once('e') else { return text };
    let point = if mantissa.contains('.') { "" } else { ".0" };
    let sign = if exponent.starts_with(['+', '-']) { "" } else { "+" };
    format!("{mantissa}{point}e{sign}{exponent}")
}

/// Maximum number of digits of a number that [`Number::in_full`] writes.
const FULL: usize = 60;

impl Number {
    /// Writes the number so that it reads back as the same number, if that takes at most 60 digits; otherwise like
    /// `Display`, which rounds to 16 digits. Two numbers that differ look different if one of them is short.
    ///
    /// ```
    /// use cfg_core::term::Number;
    /// assert_eq!(Number::parse("12345678901234567891").unwrap().in_full(), "12345678901234567891");
    /// assert_eq!(Number::parse("0.12345678901234567").unwrap().in_full(), "0.12345678901234567");
    /// assert_eq!(Number::parse("1e30").unwrap().in_full(), "1e30");
    /// ```
    pub fn in_full(&self) -> String {
        let rounded = self.to_string();
        if rounded.len() <= PRECISION as usize || Number::parse(&rounded).is_ok_and(|read| read == *self) {
            return rounded;
        }
        if let Number::Double(double) = self {
            return if rounded.parse() == Ok(*double) { rounded } else { double.to_string() };
        }
        let exact = self.to_exact();
        if exact.numer().bits().max(exact.denom().bits()) > 4 * FULL as u64 {
            return rounded;
        }
        for places in 0..FULL {
            let scaled = exact.numer() * ten_to(places as u64);
            if !(&scaled % exact.denom()).is_zero() {
                continue;
            }
            let digits = (scaled / exact.denom()).magnitude().to_string();
            if digits.len() > FULL {
                return rounded;
            }
            let digits = format!("{digits:0>width$}", width = places + 1);
            let (whole, fraction) = digits.split_at(digits.len() - places);
            let (sign, point) = (if exact.is_negative() { "-" } else { "" }, if places > 0 { "." } else { "" });
            return format!("{sign}{whole}{point}{fraction}");
        }
        rounded
    }
}

/// Prints a number as in answers, `std.to_string` and interpolation: up to 16 significant digits, rounded
/// half to even, with an exponent from `1e16` up and from `1e-6` down.
impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(small) = self.to_i64()
            && small.unsigned_abs() < 10_000_000_000_000_000
        {
            return write!(f, "{small}");
        }
        let exact = self.to_exact();
        let (digits, exponent) = significant(exact.numer().magnitude(), exact.denom().magnitude());
        let digits = digits.trim_end_matches('0');
        let digits = if digits.is_empty() { "0" } else { digits };
        if exact.is_negative() {
            f.write_char('-')?;
        }
        if exponent <= -6 || exponent >= PRECISION {
            f.write_str(&digits[..1])?;
            if digits.len() > 1 {
                write!(f, ".{}", &digits[1..])?;
            }
            return write!(f, "e{exponent}");
        }
        if exponent < 0 {
            f.write_str("0.")?;
            for _ in 1..-exponent {
                f.write_char('0')?;
            }
            return f.write_str(digits);
        }
        let before = exponent as usize + 1;
        if digits.len() > before {
            write!(f, "{}.{}", &digits[..before], &digits[before..])
        } else {
            f.write_str(digits)?;
            for _ in digits.len()..before {
                f.write_char('0')?;
            }
            Ok(())
        }
    }
}

/// Returns the first 16 decimal digits of a positive fraction, rounded half to even, and the exponent of the first
/// digit.
fn significant(numer: &BigUint, denom: &BigUint) -> (String, i64) {
    if numer.is_zero() {
        return (String::from("0"), 0);
    }
    // The estimate is off by one at most; the number of digits shows it.
    let bits = numer.bits() as i64 - denom.bits() as i64;
    let mut exponent = (bits * 30103).div_euclid(100_000);
    let (least, beyond) = (10u64.pow(PRECISION as u32 - 1), 10u64.pow(PRECISION as u32));
    for _ in 0..3 {
        let scale = PRECISION - 1 - exponent;
        let power: BigInt = ten_to(scale.unsigned_abs());
        let (numer, denom) = if scale >= 0 {
            (numer * power.magnitude(), denom.clone())
        } else {
            (numer.clone(), denom * power.magnitude())
        };
        let (quotient, rest) = numer.div_rem(&denom);
        let quotient = quotient.to_u64().unwrap_or(u64::MAX);
        if quotient >= beyond {
            exponent += 1;
            continue;
        }
        if quotient < least {
            exponent -= 1;
            continue;
        }
        let up = match (rest << 1u8).cmp(&denom) {
            std::cmp::Ordering::Less => false,
            std::cmp::Ordering::Equal => quotient % 2 == 1,
            std::cmp::Ordering::Greater => true,
        };
        let quotient = quotient + u64::from(up);
        return if quotient == beyond { (String::from("1"), exponent + 1) } else { (quotient.to_string(), exponent) };
    }
    (String::from("0"), exponent)
}
