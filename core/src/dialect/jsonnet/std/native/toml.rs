//! Printing values as TOML, with the layout of the reference.

use super::{Answer, argument, failure, fields, force, text, value_of, wrong};
use crate::value::eval::objects::kind;
use crate::value::manifest::objects::{path_array, quote, write_number};
use crate::value::{Call, Fault, Machine, Record, Step, Thunk, Value};

struct Writer<'c> {
    call: &'c Call,
    /// The indentation per level. It is forced only when needed.
    indent: &'c Thunk,
    /// The path from the outermost value to the current one.
    steps: Vec<Step>,
}

/// Writes a key, without quotes if its characters allow that.
fn key(name: &str, out: &mut String) {
    // the reference writes the empty key without quotes too
    if name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-') {
        out.push_str(name);
    } else {
        quote(name, out);
    }
}

impl Writer<'_> {
    /// Returns the path to the current value, for messages.
    fn place(&self) -> String {
        path_array(&self.steps)
    }

    /// Returns the margin of the next level.
    fn inside(&self, machine: &mut Machine, margin: &str) -> Result<String, Fault> {
        let indent = value_of(machine, self.indent)?;
        Ok(format!("{margin}{}", text(machine, &indent)?.as_str()))
    }

    /// Returns `true` if a value is a table or an array of tables.
    fn is_section(&self, machine: &mut Machine, value: &Value) -> Result<bool, Fault> {
        let array = match value {
            Value::Record(_) => return Ok(true),
            Value::Array(array) if !array.is_empty() => array,
            _ => return Ok(false),
        };
        for element in machine.items(array)? {
            machine.tick()?;
            if !matches!(value_of(machine, element)?, Value::Record(_)) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn value(
        &mut self,
        machine: &mut Machine,
        value: &Value,
        inline: bool,
        margin: &str,
        out: &mut String,
    ) -> Result<(), Fault> {
        machine.tick()?;
        let length = if let Value::String(text) = value { text.len().saturating_mul(2) } else { margin.len() };
        machine.room(out, length)?;
        match value {
            Value::Bool(b) => out.push_str(if *b { "true" } else { "false" }),
            Value::Null => {
                return Err(failure(self.call, format!("Tried to manifest \"null\" at {}", self.place())));
            }
            Value::Number(n) => write_number(n.to_f64(), out),
            Value::String(text) => quote(text, out),
            Value::Array(array) if array.is_empty() => out.push_str("[]"),
            Value::Array(array) => {
                let (separator, inner) =
                    if inline { (" ", String::new()) } else { ("\n", self.inside(machine, margin)?) };
                out.push('[');
                out.push_str(separator);
                for (i, element) in machine.items(array)?.iter().enumerate() {
                    if i > 0 {
                        out.push(',');
                        out.push_str(separator);
                    }
                    out.push_str(&inner);
                    let element = value_of(machine, element)?;
                    self.steps.push(Step::Index(i));
                    machine.deeper(|machine| self.value(machine, &element, true, "", out))?;
                    self.steps.pop();
                }
                out.push_str(separator);
                out.push_str(if inline { "" } else { margin });
                out.push(']');
            }
            Value::Record(object) => {
                out.push_str("{ ");
                for (i, (name, field)) in fields(machine, object, false)?.into_iter().enumerate() {
                    if i > 0 {
                        out.push_str(", ");
                    }
                    key(&name, out);
                    out.push_str(" = ");
                    let field = value_of(machine, &field)?;
                    self.steps.push(Step::Field(name));
                    machine.deeper(|machine| self.value(machine, &field, true, "", out))?;
                    self.steps.pop();
                }
                out.push_str(" }");
            }
            other => {
                let words = format!("Tried to manifest function at {}", self.place());
                return Err(wrong(machine, self.call, other, words));
            }
        }
        Ok(())
    }

    /// Writes the values of a table, then its tables, each after an empty line.
    fn table(
        &mut self,
        machine: &mut Machine,
        object: &Record,
        path: &str,
        margin: &str,
        out: &mut String,
    ) -> Result<(), Fault> {
        machine.tick()?;
        let (mut values, mut sections) = (Vec::new(), Vec::new());
        for (name, field) in fields(machine, object, false)? {
            let field = value_of(machine, &field)?;
            if self.is_section(machine, &field)? { sections.push((name, field)) } else { values.push((name, field)) }
        }
        for (i, (name, field)) in values.into_iter().enumerate() {
            if i > 0 {
                out.push('\n');
            }
            out.push_str(margin);
            key(&name, out);
            out.push_str(" = ");
            self.steps.push(Step::Field(name));
            self.value(machine, &field, false, margin, out)?;
            self.steps.pop();
        }
        for (name, section) in sections {
            out.push_str("\n\n");
            let mut path = String::from(path);
            if !path.is_empty() || !self.steps.iter().all(|s| matches!(s, Step::Index(_))) {
                path.push('.');
            }
            key(&name, &mut path);
            self.steps.push(Step::Field(name));
            match section {
                Value::Record(inner) => self.section(machine, &inner, &path, ["[", "]"], margin, out)?,
                Value::Array(array) => {
                    for (i, element) in machine.items(&array)?.iter().enumerate() {
                        if i > 0 {
                            out.push_str("\n\n");
                        }
                        let Value::Record(inner) = value_of(machine, element)? else { continue };
                        self.steps.push(Step::Index(i));
                        self.section(machine, &inner, &path, ["[[", "]]"], margin, out)?;
                        self.steps.pop();
                    }
                }
                _ => {}
            }
            self.steps.pop();
        }
        Ok(())
    }

    fn section(
        &mut self,
        machine: &mut Machine,
        object: &Record,
        path: &str,
        [open, close]: [&str; 2],
        margin: &str,
        out: &mut String,
    ) -> Result<(), Fault> {
        out.push_str(margin);
        out.push_str(open);
        out.push_str(path);
        out.push_str(close);
        if fields(machine, object, false)?.is_empty() {
            return Ok(());
        }
        out.push('\n');
        let inner = self.inside(machine, margin)?;
        machine.deeper(|machine| self.table(machine, object, path, &inner, out))
    }
}

fn toml(machine: &mut Machine, args: &[Thunk], call: &Call, indent: &Thunk) -> Answer {
    let value = force(machine, args, 0, call)?;
    let Value::Record(object) = &value else {
        let words = format!("TOML body must be an object. Got {}", kind(&value));
        return Err(wrong(machine, call, &value, words));
    };
    let mut out = String::new();
    Writer { call, indent, steps: Vec::new() }.table(machine, object, "", "", &mut out)?;
    Ok(Value::string(out))
}

pub fn manifest_toml(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    toml(machine, args, call, &Thunk::done(Value::string("  ")))
}

pub fn manifest_toml_ex(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    toml(machine, args, call, &argument(args, 1))
}
