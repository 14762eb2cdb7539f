//! Formatting numbers like C's conversions, computed with doubles as in the reference, even where that is inexact.

use super::code::{Code, Conversion};
use crate::value::manifest::objects::write_number;
use std::fmt::Write;

/// The least exponent for which `%g` writes a number without an exponent.
pub const MIN_FIXED_EXPONENT: f64 = -4.0;

/// The least double that is not next to all integers below it.
const EXACT: f64 = 9007199254740992.0;

/// A text, or an error message.
type Rendered = Result<String, String>;

/// The options for a number's sign.
#[derive(Clone, Copy)]
struct Sign {
    blank: bool,
    plus: bool,
}

impl Sign {
    /// Returns the sign of a number.
    fn of(self, negative: bool) -> &'static str {
        match (negative, self.plus, self.blank) {
            (true, ..) => "-",
            (_, true, _) => "+",
            (_, _, true) => " ",
            _ => "",
        }
    }
}

/// Returns the exponent to base 10, computed as in the reference.
pub fn exponent(n: f64) -> f64 {
    if n == 0.0 { 0.0 } else { (n.abs().ln() / 10f64.ln()).floor() }
}

/// Formats a number by a conversion, filled with zeros to a width.
pub fn render(code: &Code, n: f64, zeros: f64, precision: Option<f64>) -> Rendered {
    let sign = Sign { blank: code.blank, plus: code.plus };
    let digits = precision.unwrap_or(0.0);
    let places = precision.unwrap_or(6.0);
    let alternate = code.alternate;
    match code.conversion {
        Conversion::Octal => {
            let prefix = if alternate { "0" } else { "" };
            Ok(integer(n <= -1.0, n.abs().floor(), zeros, digits, sign, 8.0, prefix))
        }
        Conversion::Hexadecimal => Ok(hexadecimal(code, n.floor(), zeros, digits, sign)),
        Conversion::Float => float(n, zeros, sign, alternate, true, places),
        Conversion::Scientific => scientific(n, zeros, sign, alternate, true, code.capitals, places),
        Conversion::General => {
            let exponent = exponent(n);
            if exponent < MIN_FIXED_EXPONENT || exponent >= places {
                return scientific(n, zeros, sign, alternate, alternate, code.capitals, places - 1.0);
            }
            let before = (exponent + 1.0).max(1.0);
            float(n, zeros, sign, alternate, alternate, places - before)
        }
        _ => Ok(integer(n <= -1.0, n.abs().floor(), zeros, digits, sign, 10.0, "")),
    }
}

/// Pads a text with leading zeros.
fn padded(text: String, length: f64) -> String {
    let missing = (length - text.len() as f64).max(0.0).ceil() as usize;
    if missing == 0 { text } else { "0".repeat(missing) + &text }
}

fn integer(
    negative: bool,
    magnitude: f64,
    least_chars: f64,
    least_digits: f64,
    sign: Sign,
    radix: f64,
    prefix: &str,
) -> String {
    let sign = sign.of(negative);
    let length = (least_chars - sign.len() as f64).max(least_digits);
    // in this range, the doubles of the reference are integers too
    if magnitude < EXACT && magnitude.fract() == 0.0 && radix == 10.0 {
        return whole(sign, magnitude as u64, length);
    }
    let digits = if magnitude == 0.0 {
        String::from("0")
    } else {
        let mut parts: Vec<f64> = Vec::new();
        let mut n = magnitude;
        while n != 0.0 {
            parts.push(n % radix);
            n = (n / radix).floor();
        }
        let mut out = String::from(prefix);
        for part in parts.into_iter().rev() {
            write_number(part, &mut out);
        }
        out
    };
    format!("{sign}{}", padded(digits, length))
}

/// Writes a sign and the digits of a number, with leading zeros up to a length.
fn whole(sign: &str, magnitude: u64, length: f64) -> String {
    let count = magnitude.checked_ilog10().unwrap_or(0) as usize + 1;
    let zeros = (length - count as f64).max(0.0).ceil() as usize;
    let mut out = String::with_capacity(sign.len().saturating_add(zeros).saturating_add(count));
    out.push_str(sign);
    out.extend(std::iter::repeat_n('0', zeros));
    let _ = write!(out, "{magnitude}");
    out
}

fn hexadecimal(code: &Code, n: f64, least_chars: f64, least_digits: f64, sign: Sign) -> String {
    let mut rest = n.abs();
    let mut digits: Vec<char> = Vec::new();
    while rest != 0.0 {
        let digit = char::from_digit((rest % 16.0) as u32, 16).unwrap_or('0');
        digits.push(if code.capitals { digit.to_ascii_uppercase() } else { digit });
        rest = (rest / 16.0).floor();
    }
    if digits.is_empty() {
        digits.push('0');
    }
    let digits: String = digits.into_iter().rev().collect();
    let sign = sign.of(n < 0.0);
    let prefix = match (code.alternate, code.capitals) {
        (false, _) => "",
        (true, false) => "0x",
        (true, true) => "0X",
    };
    let length = (least_chars - (sign.len() + prefix.len()) as f64).max(least_digits);
    format!("{sign}{prefix}{}", padded(digits, length))
}

fn float(n: f64, zeros: f64, sign: Sign, point: bool, trailing: bool, places: f64) -> Rendered {
    let magnitude = n.abs();
    let denominator = finite(10f64.powf(places))?;
    let numerator = finite(finite(magnitude * denominator)? + 0.5)?;
    if denominator == 0.0 {
        return Err(String::from("division by zero."));
    }
    let whole = if magnitude > 0.0 { finite(numerator / denominator)?.floor() } else { 0.0 };
    let fraction = numerator.floor() % denominator;
    let dot = if places == 0.0 && !point { 0.0 } else { 1.0 };
    let mut out = integer(n < 0.0, whole, zeros - places - dot, 0.0, sign, 10.0, "");
    if places == 0.0 {
        if point {
            out.push('.');
        }
    } else if trailing || fraction > 0.0 {
        let digits = integer(false, fraction, places, 0.0, Sign { blank: false, plus: false }, 10.0, "");
        out.push('.');
        out.push_str(if trailing { &digits } else { digits.trim_end_matches('0') });
    }
    Ok(out)
}

fn scientific(n: f64, zeros: f64, sign: Sign, point: bool, trailing: bool, capitals: bool, places: f64) -> Rendered {
    let exponent = exponent(n);
    let power = integer(exponent < 0.0, exponent.abs(), 3.0, 0.0, Sign { blank: false, plus: true }, 10.0, "");
    let mantissa = if exponent == -324.0 {
        // 10^-324 is not a double
        n * 10.0 / 10f64.powf(exponent + 1.0)
    } else {
        n / 10f64.powf(exponent)
    };
    let mark = if capitals { 'E' } else { 'e' };
    let width = zeros - (power.len() + 1) as f64;
    Ok(format!("{}{mark}{power}", float(mantissa, width, sign, point, trailing, places)?))
}

fn finite(n: f64) -> Result<f64, String> {
    if n.is_finite() { Ok(n) } else { Err(String::from(if n.is_nan() { "not a number" } else { "overflow" })) }
}
