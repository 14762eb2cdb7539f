//! `std.format` and `%`: C's conversions, formatted as in the reference.

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
    let template = template(machine, args, call)?;
    let pieces = code::parse(&template).map_err(|words| failure(call, words))?;
    let values = force(machine, args, 1, call)?;
    let mut writer = Writer { machine, call, out: String::new() };
    match values {
        Value::Record(object) => writer.by_name(&pieces, &object)?,
        Value::Array(array) => writer.in_order(&pieces, &array)?,
        _ => writer.in_order(&pieces, &[argument(args, 1)].into_iter().collect())?,
    }
    let out = writer.out;
    Ok(Value::string(out))
}

/// Converts a number to an integer as C does on most platforms: numbers that are out of range become the least integer. The
/// message of the reference for `%c` names that integer.
fn converted(n: f64) -> f64 {
    const LIMIT: f64 = 9223372036854775808.0;
    if n.abs() < LIMIT { n } else { -LIMIT }
}

fn template(machine: &mut Machine, args: &[Thunk], call: &Call) -> Result<String, Fault> {
    let template = force(machine, args, 0, call)?;
    if let Value::String(template) = &template {
        return Ok(String::from(template.as_str()));
    }
    // an array of characters is accepted too
    let mut out = String::new();
    let characters = super::elements(machine, &template, call)?;
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

/// A value or size, or an error message. The error is raised only if the value is needed.
type FormatArgument = Result<Thunk, String>;

impl Writer<'_> {
    fn in_order(&mut self, pieces: &[Piece], values: &Array) -> Result<(), Fault> {
        let count = values.len();
        let mut next = 0;
        let star = |size: &Size, next: &mut usize| match size {
            Size::Star => {
                let given = values
                    .at(*next)
                    .ok_or_else(|| format!("Not enough values to format: {count}, expected at least {next}"));
                *next += 1;
                Some(given)
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
            let width = star(&code.width, &mut next);
            let precision = star(&code.precision, &mut next);
            let value = values
                .at(next)
                .ok_or_else(|| format!("Not enough values to format: {count}, expected more than {next}"));
            self.put(code, value, width, precision, &next.to_string())?;
            if code.conversion != Conversion::Percent {
                next += 1;
            }
        }
        if next < count {
            return Err(failure(self.call, format!("Too many values to format: {count}, expected {next}")));
        }
        Ok(())
    }

    fn by_name(&mut self, pieces: &[Piece], object: &Record) -> Result<(), Fault> {
        let size = |size: &Size, what: &str| match size {
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
                Some(_) if code.conversion == Conversion::Percent => Err(String::new()),
                Some(key) => {
                    let found = self.machine.field(object, key)?;
                    found.ok_or_else(|| format!("No such field: {key}"))
                }
            };
            let (width, precision) = (size(&code.width, "field width"), size(&code.precision, "precision"));
            self.put(code, value, width, precision, code.key.as_deref().unwrap_or_default())?;
        }
        Ok(())
    }

    fn given(&mut self, given: FormatArgument) -> Answer {
        match given {
            Ok(thunk) => value_of(self.machine, &thunk),
            Err(words) => Err(failure(self.call, words)),
        }
    }

    /// Formats a value and pads it with blanks.
    fn put(
        &mut self,
        code: &Code,
        value: FormatArgument,
        width: Option<FormatArgument>,
        precision: Option<FormatArgument>,
        place: &str,
    ) -> Result<(), Fault> {
        // what is on the left is computed first: the width if the blanks are before the text, otherwise the text
        let width = width.unwrap_or_else(|| Ok(Thunk::done(super::number(0.0))));
        let early = if code.left { None } else { Some(self.given(width.clone())?) };
        let text = match code.conversion {
            Conversion::Percent => String::from("%"),
            _ => self.render(code, value, width.clone(), precision, place)?,
        };
        let width = match early {
            Some(width) => width,
            None => self.given(width)?,
        };
        let length = super::characters(&text);
        let missing = operate(self.machine, Prim::Sub, width, super::number(length as f64), self.call)?;
        let blanks = match missing {
            Value::Number(n) if n.to_f64() > 0.0 => n.to_f64().ceil() as usize,
            _ => 0,
        };
        self.machine.charge(blanks)?;
        self.machine.room(&mut self.out, blanks.saturating_add(text.len()))?;
        if code.left {
            self.out.push_str(&text);
        }
        self.out.extend(std::iter::repeat_n(' ', blanks));
        if !code.left {
            self.out.push_str(&text);
        }
        Ok(())
    }

    fn render(
        &mut self,
        code: &Code,
        value: FormatArgument,
        width: FormatArgument,
        precision: Option<FormatArgument>,
        place: &str,
    ) -> Result<String, Fault> {
        let value = self.given(value)?;
        let n = match (code.conversion, &value) {
            (Conversion::String, value) => return Ok(String::from(text(self.machine, value)?.as_str())),
            (Conversion::Character, value) => return self.character(value),
            (_, Value::Number(n)) => n.to_f64(),
            (_, other) => {
                let words = format!("Format required number at {place}, got {}", kind(other));
                return Err(wrong(self.machine, self.call, other, words));
            }
        };
        // no precision and a precision of null are the same
        let precision = match precision {
            None => None,
            Some(given) => match self.given(given)? {
                Value::Null => None,
                Value::Number(n) => Some(n.to_f64()),
                other => {
                    let exponent = number::exponent(n);
                    let words = match code.conversion {
                        Conversion::Decimal | Conversion::Octal | Conversion::Hexadecimal => {
                            format!("std.max second param expected number, got {}", kind(&other))
                        }
                        Conversion::General if exponent >= -4.0 => {
                            format!("binary operator >= requires matching types, got number and {}.", kind(&other))
                        }
                        Conversion::General => {
                            format!("binary operator - requires matching types, got {} and number.", kind(&other))
                        }
                        _ => format!("binary operator - requires matching types, got number and {}.", kind(&other)),
                    };
                    return Err(wrong(self.machine, self.call, &other, words));
                }
            },
        };
        let zeros = if code.zero && !code.left {
            match self.given(width)? {
                Value::Number(n) => n.to_f64(),
                other => {
                    let words = format!("binary operator - requires matching types, got {} and number.", kind(&other));
                    return Err(wrong(self.machine, self.call, &other, words));
                }
            }
        } else {
            0.0
        };
        // the digits are written twice: before and after the padding
        let digits = zeros.max(precision.unwrap_or(0.0)).max(0.0) as usize;
        self.machine.charge(digits.saturating_mul(2))?;
        number::render(code, n, zeros, precision).map_err(|words| failure(self.call, words))
    }

    fn character(&mut self, value: &Value) -> Result<String, Fault> {
        match value {
            Value::Number(n) => match super::strings::character(converted(n.to_f64())) {
                Ok(c) => Ok(String::from(c)),
                Err(words) => Err(failure(self.call, words)),
            },
            Value::String(s) => match super::characters(s) {
                1 => Ok(String::from(s.as_str())),
                count => Err(failure(self.call, format!("%c expected 1-sized string got: {count}"))),
            },
            other => {
                let words = format!("%c expected number / string, got: {}", kind(other));
                Err(wrong(self.machine, self.call, other, words))
            }
        }
    }
}
