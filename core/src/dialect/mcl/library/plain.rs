//! Values as plain data, and their text as Go's `fmt` prints it: `[1 2]`, `map[a:1 b:2]`, `1e+23`.

use crate::term::Number;
use crate::text::Name;
use crate::value::{Call, Fault, Machine, Text, Thunk, Value};
use std::cmp::Ordering;
use std::fmt::Write;

/// Maximum depth of the data that templates and `%v` print.
const DEPTH: usize = 500;

/// Plain data.
#[derive(Clone)]
pub enum Plain {
    /// A missing value: a template read a field that does not exist.
    Missing,
    /// A `bool`.
    Bool(bool),
    /// An `int`.
    Int(i64),
    /// A `float`.
    Float(f64),
    /// A `str`.
    Text(Text),
    /// A list.
    List(Vec<Plain>),
    /// A map, by key.
    Map(Vec<(Plain, Plain)>),
    /// A struct, by name. Go prints it as a map.
    Struct(Vec<(Name, Plain)>),
    /// A function.
    Function,
}

impl Plain {
    /// Forces a value whole and converts it. Fails if it is nested too deeply.
    pub fn of(machine: &mut Machine, thunk: &Thunk, call: &Call) -> Result<Plain, Fault> {
        Plain::below(machine, thunk, call, DEPTH)
    }

    fn below(machine: &mut Machine, thunk: &Thunk, call: &Call, depth: usize) -> Result<Plain, Fault> {
        let Some(depth) = depth.checked_sub(1) else { return Err(call.fault("the value is nested too deeply")) };
        machine.tick()?;
        let value = machine.force(thunk)?;
        crate::deep::deeper(|| {
            Ok(match value {
                Value::Bool(b) => Plain::Bool(b),
                Value::Number(Number::Double(d)) => Plain::Float(d),
                Value::Number(number) => match number.to_i64() {
                    Some(i) => Plain::Int(i),
                    None => Plain::Float(number.to_f64()),
                },
                Value::String(text) => Plain::Text(text),
                Value::Array(array) => {
                    let mut out = Vec::with_capacity(array.len());
                    for element in machine.items(&array)? {
                        out.push(Plain::below(machine, element, call, depth)?);
                    }
                    Plain::List(out)
                }
                Value::Map(map) => {
                    let mut out = Vec::with_capacity(map.len());
                    for (key, value) in map.iter() {
                        let key = Plain::below(machine, &Thunk::done(key.clone()), call, depth)?;
                        out.push((key, Plain::below(machine, value, call, depth)?));
                    }
                    out.sort_by(|a, b| a.0.order(&b.0));
                    Plain::Map(out)
                }
                Value::Record(record) => {
                    let mut out = Vec::new();
                    for field in machine.fields(&record)? {
                        if let Some(value) = &field.value {
                            out.push((field.name.clone(), Plain::below(machine, value, call, depth)?));
                        }
                    }
                    out.sort_by(|a, b| a.0.cmp(&b.0));
                    Plain::Struct(out)
                }
                value if value.is_function() => Plain::Function,
                other => return Err(call.fault(format!("a value of type {} cannot be printed", other.type_name()))),
            })
        })
    }

    /// Returns the value as an argument for a library function. `None` for a value that cannot be an argument.
    pub fn to_value(&self) -> Option<Value> {
        Some(match self {
            Plain::Bool(b) => Value::Bool(*b),
            Plain::Int(i) => Value::Number(Number::Int(*i)),
            Plain::Float(d) => Value::Number(Number::Double(*d)),
            Plain::Text(text) => Value::String(text.clone()),
            Plain::List(elements) => {
                let elements: Option<Vec<Value>> = elements.iter().map(Plain::to_value).collect();
                Value::array(elements?.into_iter().map(Thunk::done))
            }
            Plain::Missing | Plain::Map(_) | Plain::Struct(_) | Plain::Function => return None,
        })
    }

    /// Returns the order in which Go prints keys.
    pub fn order(&self, other: &Plain) -> Ordering {
        match (self, other) {
            (Plain::Bool(a), Plain::Bool(b)) => a.cmp(b),
            (Plain::Int(a), Plain::Int(b)) => a.cmp(b),
            (Plain::Float(a), Plain::Float(b)) => a.total_cmp(b),
            (Plain::Text(a), Plain::Text(b)) => a.as_str().cmp(b.as_str()),
            (Plain::List(a), Plain::List(b)) => {
                let differ = a.iter().zip(b).map(|(a, b)| a.order(b)).find(|order| order.is_ne());
                differ.unwrap_or_else(|| a.len().cmp(&b.len()))
            }
            (Plain::Struct(a), Plain::Struct(b)) => {
                let differ = a.iter().zip(b).map(|(a, b)| a.1.order(&b.1)).find(|order| order.is_ne());
                differ.unwrap_or_else(|| a.len().cmp(&b.len()))
            }
            _ => Ordering::Equal,
        }
    }

    /// Returns the name of the type in Go, for messages.
    pub fn go_type(&self) -> &'static str {
        match self {
            Plain::Missing => "<nil>",
            Plain::Bool(_) => "bool",
            Plain::Int(_) => "int64",
            Plain::Float(_) => "float64",
            Plain::Text(_) => "string",
            Plain::List(_) => "slice",
            Plain::Map(_) | Plain::Struct(_) => "map",
            Plain::Function => "func",
        }
    }

    /// Writes the value as Go's `%v` does.
    pub fn print(&self, out: &mut String) {
        match self {
            Plain::Missing => out.push_str("<no value>"),
            Plain::Bool(b) => out.push_str(if *b { "true" } else { "false" }),
            Plain::Int(i) => {
                let _ = write!(out, "{i}");
            }
            Plain::Float(d) => out.push_str(&general(*d)),
            Plain::Text(text) => out.push_str(text.as_str()),
            Plain::List(elements) => {
                out.push('[');
                for (at, element) in elements.iter().enumerate() {
                    if at > 0 {
                        out.push(' ');
                    }
                    element.print(out);
                }
                out.push(']');
            }
            Plain::Map(entries) => pairs(out, entries.iter().map(|(key, value)| (key.printed(), value))),
            Plain::Struct(fields) => pairs(out, fields.iter().map(|(name, value)| (name.to_string(), value))),
            Plain::Function => out.push_str("func"),
        }
    }

    /// Returns the text of the value as Go's `%v` prints it.
    pub fn printed(&self) -> String {
        let mut out = String::new();
        self.print(&mut out);
        out
    }
}

fn pairs<'a>(out: &mut String, entries: impl Iterator<Item = (String, &'a Plain)>) {
    out.push_str("map[");
    for (at, (key, value)) in entries.enumerate() {
        if at > 0 {
            out.push(' ');
        }
        out.push_str(&key);
        out.push(':');
        value.print(out);
    }
    out.push(']');
}

/// Returns a double as Go's `%v` prints it: the shortest digits, with an exponent below -4 and from 6 on.
///
/// `1e+23`, `1.5e+06`, `0.1`, `1e-07`
pub fn general(value: f64) -> String {
    let scientific = format!("{value:e}");
    let Some((digits, exponent)) = scientific.split_once('e') else { return scientific };
    match exponent.parse::<i32>() {
        Ok(power) if !(-4..6).contains(&power) => {
            format!("{digits}e{}{:02}", if power < 0 { '-' } else { '+' }, power.unsigned_abs())
        }
        _ => format!("{value}"),
    }
}
