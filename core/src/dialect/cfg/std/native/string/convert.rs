//! Conversion of strings from and to other values.

use super::super::Answer;
use crate::term::Number;
use crate::value::{Call, Fault, Machine, Text, Thunk, Value};

/// Returns the text of a value that can be converted: null, a boolean, a number, a string or an enum tag.
fn text_of(value: &Value) -> Option<Text> {
    Some(match value {
        Value::Null => Text::from("null"),
        Value::Bool(b) => Text::from(if *b { "true" } else { "false" }),
        Value::Number(n) => Text::from(n.to_string()),
        Value::String(s) => s.clone(),
        Value::Tag(t) => Text::from(t.clone()),
        _ => return None,
    })
}

pub fn from(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let value = machine.arg(args, 0, call)?;
    match text_of(&value) {
        Some(text) => Ok(Value::String(text)),
        None => Err(call.mismatch(machine, args, 0, "null, Bool, Number, String or an enum tag", &value)),
    }
}

pub fn from_bool(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    machine.bool(args, 0, call).map(|b| Value::string(if b { "true" } else { "false" }))
}

pub fn from_number(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    machine.number(args, 0, call).map(|n| Value::string(n.to_string()))
}

pub fn from_enum(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    match machine.arg(args, 0, call)? {
        Value::Tag(tag) => Ok(Value::string(tag)),
        other => Err(call.mismatch(machine, args, 0, "an enum tag", &other)),
    }
}

pub fn to_enum(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    machine.string(args, 0, call).map(|s| Value::Tag(s.name()))
}

pub fn to_bool(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let text = machine.string(args, 0, call)?;
    match text.as_str() {
        "true" => Ok(Value::Bool(true)),
        "false" => Ok(Value::Bool(false)),
        other => Err(call.fault(format!("expected \"true\" or \"false\", found \"{other}\""))),
    }
}

pub fn to_number(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let text = machine.string(args, 0, call)?;
    number(&text, call).map(Value::Number)
}

/// Parses a number: `[+-]?(d+(.d*)?|.d+)(e[+-]?d+)?`.
fn number(text: &str, call: &Call) -> Result<Number, Fault> {
    let bad = || call.fault(format!("\"{text}\" is no number"));
    let digits = |s: &str| s.bytes().all(|b| b.is_ascii_digit());
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (mantissa, exponent) = match unsigned.split_once('e') {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (unsigned, None),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if (whole.is_empty() && fraction.is_empty()) || !digits(whole) || !digits(fraction) {
        return Err(bad());
    }
    if let Some(exponent) = exponent {
        let exponent = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        if exponent.is_empty() || !digits(exponent) {
            return Err(bad());
        }
    }
    let whole = if whole.is_empty() { "0" } else { whole };
    let fraction = if fraction.is_empty() { "0" } else { fraction };
    let exponent = exponent.unwrap_or("0");
    let magnitude =
        Number::parse(&format!("{whole}.{fraction}e{exponent}")).map_err(|e| call.fault(format!("\"{text}\": {e}")))?;
    Ok(if text.starts_with('-') { magnitude.neg() } else { magnitude })
}
