//! Evaluation that only object languages need: operators, indexing, slices, calls with named arguments and comprehensions. Messages
//! are those of the C++ Jsonnet reference implementation.

pub(in crate::value::eval) mod arguments;
pub(super) mod call;
mod compare;
mod comprehension;
pub(in crate::value) mod frames;
pub mod index;
mod operator;
mod origins;
mod slice;

use crate::problem::value::ValueKind;
use crate::text::{Name, Span};
use crate::value::{Fault, Machine, Value};

/// Returns the name of a value's type in object languages (`std.type`).
pub fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) | Value::Tag(_) => "string",
        Value::Variant(..) => "variant",
        Value::Array(_) => "array",
        Value::Record(_) | Value::Map(_) => "object",
        Value::Function(_) | Value::Native(_) | Value::Guarded(_) | Value::Contract(_) => "function",
        Value::Label(_) => "label",
        Value::Sealed(_) => "sealed value",
    }
}

/// Formats a double as the reference does in messages, with C's `%g`: at most six significant digits.
pub fn format_number(number: f64) -> String {
    let text = format!("{number:.5e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let short = |text: &str| match text.contains('.') {
        true => String::from(text.trim_end_matches('0').trim_end_matches('.')),
        false => String::from(text),
    };
    if (-4..6).contains(&exponent) {
        return short(&format!("{number:.*}", usize::try_from(5 - exponent).unwrap_or(0)));
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{}e{sign}{:02}", short(mantissa), exponent.unsigned_abs())
}

impl Machine {
    /// Returns a fault with a message of the reference implementation.
    #[cold]
    pub(in crate::value) fn fails(&self, message: impl Into<Name>, span: Span) -> Fault {
        Fault::undefined(message, Some(span))
    }

    /// Returns the fault of a value of the wrong type, with a message of the reference. For a sealed value, blames its contract
    /// instead.
    #[cold]
    pub(in crate::value) fn operand_type_fault(
        &mut self,
        found: &Value,
        expected: &str,
        words: String,
        span: Span,
        operand: Option<Span>,
    ) -> Fault {
        if let Value::Sealed(sealed) = found {
            return self.inspected_sealed(sealed);
        }
        let what = ValueKind::Type {
            expected: Name::new(expected),
            found: Name::new_static(kind(found)),
            needed_by: Name::default(),
            span: operand,
            operation: Some(span),
        };
        Fault::new(what).worded(words)
    }
}

#[cfg(test)]
mod tests {
    use super::format_number;

    #[test]
    fn numbers_in_messages_have_six_digits() {
        let cases =
            [(5.0, "5"), (-1.0, "-1"), (0.5, "0.5"), (1.0 / 3.0, "0.333333"), (123456.0, "123456"), (1e6, "1e+06")];
        for (number, text) in cases {
            assert_eq!(format_number(number), text);
        }
        assert_eq!(
            (format_number(1234567.0), format_number(0.00001234)),
            (String::from("1.23457e+06"), String::from("1.234e-05"))
        );
        assert_eq!((format_number(12.5), format_number(0.0)), (String::from("12.5"), String::from("0")));
    }
}
