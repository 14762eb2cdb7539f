//! Printing values as YAML, with the layout of the reference.

use super::{Answer, argument, boolean, fields, force, value_of, wrong};
use crate::text::Name;
use crate::value::eval::objects::kind;
use crate::value::manifest::objects::{quote, write_shortest};
use crate::value::{Call, Fault, Machine, Thunk, Value};
use std::fmt::Write;

/// Words that need quotes, in any case.
const RESERVED: [&str; 15] =
    ["true", "false", "yes", "no", "on", "off", "y", "n", ".nan", "-.inf", "+.inf", ".inf", "null", "-", "---"];

/// Returns `true` if a key is written without quotes. Like the reference, returns `false` for some keys that need none.
fn is_bare(key: &str) -> bool {
    let only = |text: &str, more: &[u8]| text.bytes().all(|b| b.is_ascii_digit() || more.contains(&b));
    let count = |c: char| key.matches(c).count();
    let lower = key.to_ascii_lowercase();
    let begins = |sign: &str| key.starts_with(sign) || key.strip_prefix('-').is_some_and(|rest| rest.starts_with(sign));
    if key.is_empty() || RESERVED.contains(&lower.as_str()) {
        return false;
    }
    if !key.bytes().all(|b| b.is_ascii_alphanumeric() || b"_-/.".contains(&b)) {
        return false;
    }
    let date = only(key, b"-") && count('-') == 2;
    let integer = only(&lower, b"_-") && count('-') < 2;
    let binary = only(&lower, b"_-b") && key.len() > 2 && begins("0b");
    let float = only(&lower, b"e._-") && count('.') == 1 && count('-') < 3 && lower.matches('e').count() < 2;
    let hexadecimal = only(&lower, b"abcdefx_-") && count('-') < 2 && key.len() > 2 && begins("0x");
    !(date || integer || binary || float || hexadecimal)
}

/// The layout of a document.
struct Layout {
    /// Whether arrays in objects are indented. It is forced only if there is such an array.
    indent_arrays: Thunk,
    /// Whether keys are quoted. It is forced only if there is a key.
    quote_keys: Thunk,
}

struct Writer<'c> {
    call: &'c Call,
    layout: &'c Layout,
    path: Vec<Name>,
}

impl Writer<'_> {
    fn flag(&self, machine: &mut Machine, thunk: &Thunk) -> Result<bool, Fault> {
        let flag = value_of(machine, thunk)?;
        boolean(machine, &flag, self.call)
    }

    fn part(&mut self, machine: &mut Machine, value: &Value, margin: &str, out: &mut String) -> Result<(), Fault> {
        machine.tick()?;
        let length = if let Value::String(text) = value {
            let lines = text.matches('\n').count();
            lines.saturating_mul(margin.len() + 3).saturating_add(text.len().saturating_mul(2))
        } else {
            margin.len()
        };
        machine.room(out, length)?;
        match value {
            Value::Null => out.push_str("null"),
            Value::Bool(b) => out.push_str(if *b { "true" } else { "false" }),
            Value::Number(n) => write_shortest(n.to_f64(), out),
            Value::String(text) => match text.strip_suffix('\n') {
                None => quote(text, out),
                Some(body) => {
                    out.push('|');
                    for line in body.split('\n') {
                        let _ = write!(out, "\n{margin}  {line}");
                    }
                }
            },
            Value::Array(array) if array.is_empty() => out.push_str("[]"),
            Value::Array(array) => {
                let inner = format!("{margin}  ");
                for (i, element) in machine.items(array)?.iter().enumerate() {
                    if i > 0 {
                        let _ = write!(out, "\n{margin}");
                    }
                    let element = value_of(machine, element)?;
                    out.push('-');
                    let margin = match &element {
                        Value::Array(a) if !a.is_empty() => {
                            let _ = write!(out, "\n{inner}");
                            &inner
                        }
                        Value::Record(object) => {
                            out.push(' ');
                            if machine.visible(object)?.is_empty() { margin } else { &inner }
                        }
                        _ => {
                            out.push(' ');
                            margin
                        }
                    };
                    self.path.push(Name::from(i.to_string()));
                    machine.deeper(|machine| self.part(machine, &element, margin, out))?;
                    self.path.pop();
                }
            }
            Value::Record(object) => {
                let fields = fields(machine, object, false)?;
                self.object(machine, fields, margin, out)?;
            }
            other => {
                let words = format!("Tried to manifest function at {}", self.place());
                return Err(wrong(machine, self.call, other, words));
            }
        }
        Ok(())
    }

    fn object(
        &mut self,
        machine: &mut Machine,
        fields: Vec<(Name, Thunk)>,
        margin: &str,
        out: &mut String,
    ) -> Result<(), Fault> {
        if fields.is_empty() {
            out.push_str("{}");
            return Ok(());
        }
        let inner = format!("{margin}  ");
        for (i, (name, field)) in fields.into_iter().enumerate() {
            if i > 0 {
                let _ = write!(out, "\n{margin}");
            }
            let quotes = self.flag(machine, &self.layout.quote_keys)?;
            if quotes || !is_bare(&name) {
                quote(&name, out)
            } else {
                out.push_str(&name)
            }
            out.push(':');
            let field = value_of(machine, &field)?;
            let margin = match &field {
                Value::Array(a) if !a.is_empty() => {
                    let indented = self.flag(machine, &self.layout.indent_arrays)?;
                    let margin = if indented { &inner } else { margin };
                    let _ = write!(out, "\n{margin}");
                    margin
                }
                Value::Record(object) if !machine.visible(object)?.is_empty() => {
                    let _ = write!(out, "\n{inner}");
                    &inner
                }
                _ => {
                    out.push(' ');
                    margin
                }
            };
            self.path.push(quoted(&name));
            machine.deeper(|machine| self.part(machine, &field, margin, out))?;
            self.path.pop();
        }
        Ok(())
    }

    fn place(&self) -> String {
        if self.path.is_empty() {
            return String::from("[ ]");
        }
        format!("[{}]", self.path.join(", "))
    }
}

fn quoted(name: &str) -> Name {
    let mut out = String::new();
    quote(name, &mut out);
    Name::from(out)
}

fn document(machine: &mut Machine, value: &Value, layout: &Layout, call: &Call, out: &mut String) -> Result<(), Fault> {
    Writer { call, layout, path: Vec::new() }.part(machine, value, "", out)
}

pub fn manifest_yaml_doc(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let value = force(machine, args, 0, call)?;
    let layout = Layout { indent_arrays: argument(args, 1), quote_keys: argument(args, 2) };
    let mut out = String::new();
    document(machine, &value, &layout, call, &mut out)?;
    Ok(Value::string(out))
}

pub fn manifest_yaml_stream(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let value = force(machine, args, 0, call)?;
    let Value::Array(documents) = &value else {
        let words = format!("manifestYamlStream only takes arrays, got {}", kind(&value));
        return Err(wrong(machine, call, &value, words));
    };
    let layout = Layout { indent_arrays: argument(args, 1), quote_keys: argument(args, 3) };
    let mut out = String::from("---\n");
    for (i, value) in machine.items(documents)?.iter().enumerate() {
        if i > 0 {
            out.push_str("\n---\n");
        }
        let value = value_of(machine, value)?;
        document(machine, &value, &layout, call, &mut out)?;
    }
    let end = force(machine, args, 2, call)?;
    out.push_str(if boolean(machine, &end, call)? { "\n...\n" } else { "\n" });
    Ok(Value::string(out))
}

/// Returns the default of a flag that is set.
pub fn flag_set() -> Thunk {
    Thunk::done(Value::Bool(true))
}

/// Returns the default of a flag that is not set.
pub fn flag_unset() -> Thunk {
    Thunk::done(Value::Bool(false))
}
