//! Number literals: exact rationals.

use super::Parser;
use crate::dialect::cfg::token::Kind;
use crate::problem::syntax::SyntaxKind;
use crate::term::Number;
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::Num;

/// More digits, or a greater exponent, are refused: the exact value would fill the memory.
const MAX_DIGITS: usize = 20_000;

impl Parser<'_> {
    /// The value of the number that is the next token; does not go past it.
    pub(super) fn number(&mut self) -> Number {
        let text = self.slice(self.token);
        let value = match self.token.kind {
            Kind::Hex => radix(&text[2..], 16),
            Kind::Octal => radix(&text[2..], 8),
            Kind::Binary => radix(&text[2..], 2),
            _ => decimal(text),
        };
        value.unwrap_or_else(|| {
            let span = self.here();
            self.fault(span, SyntaxKind::NumberTooLarge);
            Number::ZERO
        })
    }
}

fn radix(digits: &str, radix: u32) -> Option<Number> {
    if let Ok(small) = i64::from_str_radix(digits, radix) {
        return Some(Number::Int(small));
    }
    if digits.len() > MAX_DIGITS {
        return None;
    }
    let big = BigInt::from_str_radix(digits, radix).ok()?;
    Some(Number::exact(BigRational::from_integer(big)))
}

/// `digits [. digits] [e [+-] digits]`, exactly.
fn decimal(text: &str) -> Option<Number> {
    if let Ok(small) = text.parse::<i64>() {
        return Some(Number::Int(small));
    }
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i64>().ok()?),
        None => (text, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let scale = exponent.checked_sub(fraction.len() as i64)?;
    if whole.len() + fraction.len() > MAX_DIGITS || scale.unsigned_abs() > MAX_DIGITS as u64 {
        return None;
    }
    let digits = BigInt::from_str_radix(&format!("0{whole}{fraction}"), 10).ok()?;
    let power = BigInt::from(10).pow(scale.unsigned_abs() as u32);
    let value = if scale >= 0 { BigRational::from_integer(digits * power) } else { BigRational::new(digits, power) };
    Some(Number::exact(value))
}
