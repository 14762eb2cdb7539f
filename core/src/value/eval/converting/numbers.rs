//! Arithmetic on exact integers and doubles, with Python's rules.

use crate::number::{Number, NumberError};
use crate::term::Prim;
use crate::value::Value;
use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive, Zero};
use std::cmp::Ordering;

/// Maximum number of bits by which `<<` shifts.
const MAX_SHIFT: usize = 1 << 20;

/// More bits than any integer has.
const MAX_BITS: usize = 1 << 40;

fn double(value: f64) -> Result<Number, String> {
    if value.is_finite() { Ok(Number::Double(value)) } else { Err(String::from("the number is too large")) }
}

fn error_text(error: NumberError) -> String {
    error.to_string()
}

/// Applies an operator to two numbers. `None` if it is not an operator on numbers.
pub(super) fn apply(op: Prim, a: &Number, b: &Number) -> Result<Option<Value>, String> {
    let number = |n: Number| Ok(Some(Value::Number(n)));
    let floats = matches!(a, Number::Double(_)) || matches!(b, Number::Double(_));
    let (x, y) = (a.to_f64(), b.to_f64());
    match op {
        Prim::Lt | Prim::Le | Prim::Gt | Prim::Ge => Ok(Some(Value::Bool(holds(op, a.cmp(b))))),
        Prim::Plus | Prim::Add if floats => number(double(x + y)?),
        Prim::Plus | Prim::Add => number(a.add(b).map_err(error_text)?),
        Prim::Sub if floats => number(double(x - y)?),
        Prim::Sub => number(a.sub(b).map_err(error_text)?),
        Prim::Mul if floats => number(double(x * y)?),
        Prim::Mul => number(a.mul(b).map_err(error_text)?),
        Prim::Div | Prim::Rem | Prim::Mod if b.is_zero() => Err(error_text(NumberError::DivisionByZero)),
        Prim::Div => number(double(x / y)?),
        Prim::Rem | Prim::Mod => number(modulo(a, b)?),
        Prim::BitAnd | Prim::BitOr | Prim::BitXor | Prim::Shl | Prim::Shr => {
            let integer = |n: &Number| match n {
                Number::Double(_) => None,
                n => n.is_integer().then(|| n.to_exact().to_integer()),
            };
            if let (Number::Int(x), Number::Int(y)) = (a, b)
                && let Some(bits) = small_bits(op, *x, *y)
            {
                return number(Number::Int(bits));
            }
            let (Some(x), Some(y)) = (integer(a), integer(b)) else {
                return Err(format!("`{}` needs integers", op.symbol()));
            };
            number(match op {
                Prim::BitAnd => Number::integer(x & y),
                Prim::BitOr => Number::integer(x | y),
                Prim::BitXor => Number::integer(x ^ y),
                _ if y.is_negative() => return Err(String::from("a shift by a negative number")),
                Prim::Shl => match y.to_usize() {
                    Some(bits) if bits <= MAX_SHIFT => Number::integer(x << bits),
                    _ if x.is_zero() => Number::Int(0),
                    _ => return Err(String::from("the number is too large")),
                },
                // A shift by more bits than the number has gives -1 for a negative number, 0 for any other.
                _ => Number::integer(x >> y.to_usize().unwrap_or(usize::MAX).min(MAX_BITS)),
            })
        }
        _ => Ok(None),
    }
}

/// Applies a bit operator to two 64-bit integers. `None` for `<<`, whose result may not fit, for `>>` by a negative number, and
/// for other operators.
fn small_bits(op: Prim, x: i64, y: i64) -> Option<i64> {
    match op {
        Prim::BitAnd => Some(x & y),
        Prim::BitOr => Some(x | y),
        Prim::BitXor => Some(x ^ y),
        Prim::Shr if y >= 0 => Some(x >> y.min(63)),
        _ => None,
    }
}

/// Returns the remainder, with the sign of the divisor, which is not 0.
fn modulo(a: &Number, b: &Number) -> Result<Number, String> {
    if matches!(a, Number::Double(_)) || matches!(b, Number::Double(_)) {
        let (x, y) = (a.to_f64(), b.to_f64());
        let rest = x % y;
        return double(if rest != 0.0 && (rest < 0.0) != (y < 0.0) { rest + y } else { rest });
    }
    let rest = a.rem(b).map_err(error_text)?;
    if !rest.is_zero() && rest.is_negative() != b.is_negative() { rest.add(b).map_err(error_text) } else { Ok(rest) }
}

/// Returns `a // b`, the quotient rounded down. Fails if `b` is 0.
pub fn floor_div(a: &Number, b: &Number) -> Result<Number, String> {
    if b.is_zero() {
        return Err(error_text(NumberError::DivisionByZero));
    }
    if matches!(a, Number::Double(_)) || matches!(b, Number::Double(_)) {
        return double((a.to_f64() / b.to_f64()).floor());
    }
    a.div(b).map(|quotient| quotient.floor()).map_err(error_text)
}

/// Returns `a ** b`. The result is exact if `a` is exact and `b` is a 64-bit integer that is not negative.
pub fn power(a: &Number, b: &Number) -> Result<Number, String> {
    let exact = !matches!(a, Number::Double(_)) && matches!(b, Number::Int(n) if *n >= 0);
    if exact { a.pow(b).map_err(error_text) } else { double(a.to_f64().powf(b.to_f64())) }
}

/// Returns whether an order satisfies a comparison operator.
pub(super) fn holds(op: Prim, order: Ordering) -> bool {
    match op {
        Prim::Lt => order == Ordering::Less,
        Prim::Le => order != Ordering::Greater,
        Prim::Gt => order == Ordering::Greater,
        _ => order != Ordering::Less,
    }
}

/// Parses text as an integer, or else as a finite double. `None` for other text.
///
/// `007` → 7, `1e3` → 1000.0, `x` → `None`
pub fn of_text(text: &str) -> Option<Number> {
    let text = text.trim();
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let first = digits.chars().next()?;
    if digits.bytes().all(|b| b.is_ascii_digit()) {
        let text = text.strip_prefix('+').unwrap_or(text);
        return text.parse::<i64>().ok().map(Number::Int).or_else(|| text.parse::<BigInt>().ok().map(Number::integer));
    }
    // `inf` and `nan` are not numbers here.
    let fits = |b: u8| b.is_ascii_digit() || matches!(b, b'.' | b'e' | b'E' | b'-' | b'+');
    let plain = (first.is_ascii_digit() || first == '.') && digits.bytes().all(fits);
    let value = plain.then(|| text.parse::<f64>().ok()).flatten()?;
    value.is_finite().then_some(Number::Double(value))
}

/// Formats a number: an integer with all its digits, a double with a point or an exponent, so that it is read back as a double.
///
/// `3` → `3`, `3.0` → `3.0`, `1e16` → `1e+16`
pub fn decimal(number: &Number) -> String {
    let value = match number {
        Number::Double(value) => *value,
        Number::Int(value) => return value.to_string(),
        number if number.is_integer() => return number.to_exact().to_integer().to_string(),
        number => number.to_f64(),
    };
    let digits = format!("{value:e}");
    let Some((mantissa, exponent)) = digits.split_once('e') else { return digits };
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-4..16).contains(&exponent) {
        let text = value.to_string();
        return if text.contains('.') { text } else { format!("{text}.0") };
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{mantissa}e{sign}{:02}", exponent.abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_of_integers_of_any_size() {
        let big = |text: &str| of_text(text).unwrap();
        for (a, op, b, expected) in [
            ("5", Prim::BitXor, "1881676371789154860897069", Ok("1881676371789154860897064")),
            ("18446744073709551617", Prim::BitAnd, "3", Ok("1")),
            ("18446744073709551616", Prim::BitOr, "1", Ok("18446744073709551617")),
            ("-18446744073709551617", Prim::Shr, "64", Ok("-2")),
            ("-1", Prim::Shr, "18446744073709551616", Ok("-1")),
            ("255", Prim::Shr, "2", Ok("63")),
            ("1", Prim::Shl, "70", Ok("1180591620717411303424")),
            ("0", Prim::Shl, "18446744073709551616", Ok("0")),
            ("1", Prim::Shl, "18446744073709551616", Err("the number is too large")),
            ("1", Prim::Shr, "-1", Err("a shift by a negative number")),
            ("1.5", Prim::BitOr, "1", Err("`|` needs integers")),
        ] {
            let got = match apply(op, &big(a), &big(b)) {
                Ok(Some(Value::Number(number))) => Ok(decimal(&number)),
                Ok(_) => panic!("{a} {op:?} {b}"),
                Err(message) => Err(message),
            };
            assert_eq!(got.as_deref().map_err(String::as_str), expected, "{a} {op:?} {b}");
        }
    }
}
