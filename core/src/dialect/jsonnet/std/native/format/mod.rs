//! `std.format` and `%`: the conversions of C's `printf`, with the results, the errors and the order of evaluation of
//! Jsonnet's reference implementation.

mod code;
mod number;

use super::{Answer, argument, failure, force, operate, text, value_of, wrong};
use crate::problem::value::ValueOrigin;
use crate::term::Prim;
use crate::text::Name;
use crate::value::eval::objects::kind;
use crate::value::{Array, Call, Fault, Machine, Record, Thunk, Value};
use code::{Code, Conversion, Piece, Size};

/// The message for a format string that ends inside a conversion.
pub(super) const TRUNCATED: &str = "Truncated format code.";

pub fn format(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let given = force(machine, args, 0, call)?;
    let joined;
    let template = match &given {
        Value::String(template) => template.as_str(),
        other => {
            joined = joined_characters(machine, other, call)?;
            &joined
        }
    };
    let pieces = code::parse(template).map_err(|message| failure(call, message))?;
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

/// Returns the format string that an array of characters is, which is accepted too.
fn joined_characters(machine: &mut Machine, given: &Value, call: &Call) -> Result<String, Fault> {
    let mut out = String::new();
    let characters = super::elements(machine, given, call)?;
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

/// An argument of a conversion: a value, a width or a precision.
#[derive(Clone)]
enum FormatArgument {
    /// A number that the format string contains.
    Number(f64),
    /// A value.
    Value(Thunk),
    /// None: the message of the error that is raised if the argument is needed.
    Missing(String),
    /// None: the fault that is raised if the argument is needed.
    Unknown(Fault),
}

impl FormatArgument {
    /// An argument if there is one; otherwise `message`.
    fn of(found: Option<Thunk>, message: impl FnOnce() -> String) -> FormatArgument {
        found.map_or_else(|| FormatArgument::Missing(message()), FormatArgument::Value)
    }
}

/// The name of a value in errors.
#[derive(Clone, Copy)]
enum Label<'k> {
    /// The index of the value.
    Index(usize),
    /// The key of a field.
    Key(&'k str),
}

impl std::fmt::Display for Label<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Label::Index(index) => index.fmt(f),
            Label::Key(key) => key.fmt(f),
        }
    }
}

impl Writer<'_> {
    /// Writes the pieces; each conversion takes the next value.
    fn write_array(&mut self, pieces: &[Piece], values: &Array) -> Result<(), Fault> {
        let count = values.len();
        let mut next = 0;
        let size_argument = |size: &Size, next: &mut usize| match size {
            Size::Star => {
                let missing = || format!("Not enough values to format: {count}, expected at least {next}");
                let argument = FormatArgument::of(values.at(*next), missing);
                *next += 1;
                Some(argument)
            }
            Size::Absent => None,
            Size::Fixed(n) => Some(FormatArgument::Number(*n)),
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
            let missing = || format!("Not enough values to format: {count}, expected more than {next}");
            let value = FormatArgument::of(values.at(next), missing);
            self.write_conversion(code, value, width, precision, Label::Index(next))?;
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
            Size::Star => Some(FormatArgument::Missing(format!("Cannot use * {what} with object."))),
            Size::Absent => None,
            Size::Fixed(n) => Some(FormatArgument::Number(*n)),
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
            let value = match code.key {
                None => FormatArgument::Missing(String::from("Mapping keys required.")),
                // `%%` never needs its value
                Some(_) if code.conversion == Conversion::Percent => FormatArgument::Missing(String::new()),
                Some(key) => match self.machine.field(object, key)? {
                    Some(found) => FormatArgument::Value(found),
                    None => FormatArgument::Unknown(self.no_field(object, key)),
                },
            };
            let (width, precision) =
                (size_argument(&code.width, "field width"), size_argument(&code.precision, "precision"));
            self.write_conversion(code, value, width, precision, Label::Key(code.key.unwrap_or_default()))?;
        }
        Ok(())
    }

    /// Returns the fault of a field that an object lacks, with a similar name.
    #[cold]
    fn no_field(&self, object: &Record, key: &str) -> Fault {
        let names = self.machine.field_names(object);
        let near = crate::text::near(key, names.iter().map(Name::as_str)).into_iter().next();
        let fault = failure(self.call, format!("No such field: {key}"));
        fault.change(|problem| problem.origins.extend(near.map(ValueOrigin::Similar)))
    }

    /// Evaluates an argument, or raises its error.
    fn evaluate(&mut self, argument: FormatArgument) -> Answer {
        match argument {
            FormatArgument::Number(n) => Ok(super::number(n)),
            FormatArgument::Value(thunk) => value_of(self.machine, &thunk),
            FormatArgument::Missing(message) => Err(failure(self.call, message)),
            FormatArgument::Unknown(fault) => Err(fault),
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
        label: Label,
    ) -> Result<(), Fault> {
        // evaluated in the order of the reference: the width before a text that is aligned to the right, otherwise
        // after it
        let width = width.unwrap_or(FormatArgument::Number(0.0));
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
        let padding = match &width {
            Value::Number(width) => width.to_f64() - length as f64,
            // a type error
            _ => match operate(self.machine, Prim::Sub, width, super::number(length as f64), self.call)? {
                Value::Number(n) => n.to_f64(),
                _ => 0.0,
            },
        };
        let spaces = padding.max(0.0).ceil() as usize;
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
        label: Label,
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
