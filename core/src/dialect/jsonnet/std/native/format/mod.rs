//! `std.format` and `%`: the conversions of C's `printf`, with the results, the errors and the order of evaluation of
//! Jsonnet's reference implementation.

mod code;
mod number;

use super::{Answer, argument, failure, force, operate, text, value_of, wrong};
use crate::term::Prim;
use crate::value::eval::objects::kind;
use crate::value::{Array, Call, Fault, Machine, Record, Thunk, Value};
use code::{Code, Conversion, Piece, Size};

/// The message for a format string that ends inside a conversion.
pub(super) const TRUNCATED: &str = "Truncated format code.";

pub fn format(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let format_string = format_string(machine, args, call)?;
    let pieces = code::parse(&format_string).map_err(|message| failure(call, message))?;
    let values = force(machine, args, 1, call)?;
    let mut writer = Writer { machine, call, out: String::new() };
    match values {
        Value::Record(object) => writer.write_object(&pieces, &object)?,
        Value::Array(array) => writer.write_array(&pieces, &array)?,
        _ => writer.write_array(&pieces, &[argument(args, 1)].into_iter().collect())?,
    }
    let out = writer.out;
    Ok(Value::string(out))
}

/// Replaces a number outside of the range of a 64-bit integer by the least such integer, as C's conversion does on
/// most platforms. The message of the reference for `%c` names that integer.
fn clamped(n: f64) -> f64 {
    const LIMIT: f64 = 9223372036854775808.0;
    if n.abs() < LIMIT { n } else { -LIMIT }
}

fn format_string(machine: &mut Machine, args: &[Thunk], call: &Call) -> Result<String, Fault> {
    let format_string = force(machine, args, 0, call)?;
    if let Value::String(format_string) = &format_string {
        return Ok(String::from(format_string.as_str()));
    }
    // an array of characters is accepted too
    let mut out = String::new();
    let characters = super::elements(machine, &format_string, call)?;
    for element in machine.items(&characters)? {
        let element = value_of(machine, element)?;
        let part = text(machine, &element)?;
        machine.append(&mut out, &part)?;
    }
    Ok(out)
}

/// A text under construction.
struct Writer<'m> {
    machine: &'m mut Machine,
    call: &'m Call,
    out: String,
}

/// An argument of a conversion (a value, a width or a precision), or the message of the error that is raised if the
/// argument is needed.
type FormatArgument = Result<Thunk, String>;

impl Writer<'_> {
    /// Writes the pieces; each conversion takes the next value.
    fn write_array(&mut self, pieces: &[Piece], values: &Array) -> Result<(), Fault> {
        let count = values.len();
        let mut next = 0;
        let size_argument = |size: &Size, next: &mut usize| match size {
            Size::Star => {
                let argument = values
                    .at(*next)
                    .ok_or_else(|| format!("Not enough values to format: {count}, expected at least {next}"));
                *next += 1;
                Some(argument)
            }
            Size::Absent => None,
            Size::Fixed(n) => Some(Ok(Thunk::done(super::number(*n)))),
        };
        for piece in pieces {
            self.machine.tick()?;
            let code = match piece {
                Piece::Text(text) => {
                    self.machine.append(&mut self.out, text)?;
                    continue;
                }
                Piece::Code(code) => code,
            };
            let width = size_argument(&code.width, &mut next);
            let precision = size_argument(&code.precision, &mut next);
            let value = values
                .at(next)
                .ok_or_else(|| format!("Not enough values to format: {count}, expected more than {next}"));
            self.write_conversion(code, value, width, precision, &next.to_string())?;
            if code.conversion != Conversion::Percent {
                next += 1;
            }
        }
        if next < count {
            return Err(failure(self.call, format!("Too many values to format: {count}, expected {next}")));
        }
        Ok(())
    }

    /// Writes the pieces; each conversion takes the field that its key names.
    fn write_object(&mut self, pieces: &[Piece], object: &Record) -> Result<(), Fault> {
        let size_argument = |size: &Size, what: &str| match size {
            Size::Star => Some(Err(format!("Cannot use * {what} with object."))),
            Size::Absent => None,
            Size::Fixed(n) => Some(Ok(Thunk::done(super::number(*n)))),
        };
        for piece in pieces {
            self.machine.tick()?;
            let code = match piece {
                Piece::Text(text) => {
                    self.machine.append(&mut self.out, text)?;
                    continue;
                }
                Piece::Code(code) => code,
            };
            let value = match &code.key {
                None => Err(String::from("Mapping keys required.")),
                // `%%` never needs its value
                Some(_) if code.conversion == Conversion::Percent => Err(String::new()),
                Some(key) => {
                    let found = self.machine.field(object, key)?;
                    found.ok_or_else(|| format!("No such field: {key}"))
                }
            };
            let (width, precision) =
                (size_argument(&code.width, "field width"), size_argument(&code.precision, "precision"));
            self.write_conversion(code, value, width, precision, code.key.as_deref().unwrap_or_default())?;
        }
        Ok(())
    }

    /// Evaluates an argument, or raises its error.
    fn evaluate(&mut self, argument: FormatArgument) -> Answer {
        match argument {
            Ok(thunk) => value_of(self.machine, &thunk),
            Err(message) => Err(failure(self.call, message)),
        }
    }

    /// Writes a conversion: formats the value and pads it with spaces to the width. `label` names the value in
    /// errors: its index or its key.
    fn write_conversion(
        &mut self,
        code: &Code,
        value: FormatArgument,
        width: Option<FormatArgument>,
        precision: Option<FormatArgument>,
        label: &str,
    ) -> Result<(), Fault> {
        // evaluated in the order of the reference: the width before a text that is aligned to the right, otherwise
        // after it
        let width = width.unwrap_or_else(|| Ok(Thunk::done(super::number(0.0))));
        let evaluated_width = if code.left { None } else { Some(self.evaluate(width.clone())?) };
        let text = match code.conversion {
            Conversion::Percent => String::from("%"),
            _ => self.render(code, value, width.clone(), precision, label)?,
        };
        let width = match evaluated_width {
            Some(width) => width,
            None => self.evaluate(width)?,
        };
        let length = super::characters(&text);
        let padding = operate(self.machine, Prim::Sub, width, super::number(length as f64), self.call)?;
        let spaces = match padding {
            Value::Number(n) if n.to_f64() > 0.0 => n.to_f64().ceil() as usize,
            _ => 0,
        };
        self.machine.charge(spaces)?;
        self.machine.room(&mut self.out, spaces.saturating_add(text.len()))?;
        if code.left {
            self.out.push_str(&text);
        }
        self.out.extend(std::iter::repeat_n(' ', spaces));
        if !code.left {
            self.out.push_str(&text);
        }
        Ok(())
    }

    /// Formats a value without padding it with spaces. Evaluates `width` only to pad with zeros.
    fn render(
        &mut self,
        code: &Code,
        value: FormatArgument,
        width: FormatArgument,
        precision: Option<FormatArgument>,
        label: &str,
    ) -> Result<String, Fault> {
        let value = self.evaluate(value)?;
        let n = match (code.conversion, &value) {
            (Conversion::String, value) => return Ok(String::from(text(self.machine, value)?.as_str())),
            (Conversion::Character, value) => return self.character(value),
            (_, Value::Number(n)) => n.to_f64(),
            (_, other) => {
                let message = format!("Format required number at {label}, got {}", kind(other));
                return Err(wrong(self.machine, self.call, other, message));
            }
        };
        // no precision and a precision of null are the same
        let precision = match precision {
            None => None,
            Some(argument) => match self.evaluate(argument)? {
                Value::Null => None,
                Value::Number(n) => Some(n.to_f64()),
                other => {
                    // the messages of the operators that the reference's Jsonnet code applies to the precision
                    let exponent = number::exponent(n);
                    let message = match code.conversion {
                        Conversion::Decimal | Conversion::Octal | Conversion::Hexadecimal => {
                            format!("std.max second param expected number, got {}", kind(&other))
                        }
                        Conversion::General if exponent >= number::MIN_FIXED_EXPONENT => {
                            format!("binary operator >= requires matching types, got number and {}.", kind(&other))
                        }
                        Conversion::General => {
                            format!("binary operator - requires matching types, got {} and number.", kind(&other))
                        }
                        _ => format!("binary operator - requires matching types, got number and {}.", kind(&other)),
                    };
                    return Err(wrong(self.machine, self.call, &other, message));
                }
            },
        };
        let zero_width = if code.zero && !code.left {
            match self.evaluate(width)? {
                Value::Number(n) => n.to_f64(),
                other => {
                    let message =
                        format!("binary operator - requires matching types, got {} and number.", kind(&other));
                    return Err(wrong(self.machine, self.call, &other, message));
                }
            }
        } else {
            0.0
        };
        // charged twice, since padding copies the digits
        let digits = zero_width.max(precision.unwrap_or(0.0)).max(0.0) as usize;
        self.machine.charge(digits.saturating_mul(2))?;
        number::render(code, n, zero_width, precision).map_err(|message| failure(self.call, message))
    }

    fn character(&mut self, value: &Value) -> Result<String, Fault> {
        match value {
            Value::Number(n) => match super::strings::character(clamped(n.to_f64())) {
                Ok(c) => Ok(String::from(c)),
                Err(message) => Err(failure(self.call, message)),
            },
            Value::String(s) => match super::characters(s) {
                1 => Ok(String::from(s.as_str())),
                count => Err(failure(self.call, format!("%c expected 1-sized string got: {count}"))),
            },
            other => {
                let message = format!("%c expected number / string, got: {}", kind(other));
                Err(wrong(self.machine, self.call, other, message))
            }
        }
    }
}
