//! The functions that templates call.

use super::super::plain::Plain;
use super::super::{go_strconv, modules, table::Form};
use super::format;
use super::run::is_true;
use crate::value::{Call, Fault, Machine, Thunk};
use std::cmp::Ordering;

/// Calls a function by its name.
pub fn call(machine: &mut Machine, call: &Call, name: &str, args: Vec<Plain>) -> Result<Plain, Fault> {
    let text = |text: String| Ok(Plain::Text(text.into()));
    match (name, args.as_slice()) {
        ("not", [value]) => Ok(Plain::Bool(!is_true(value))),
        ("len", [value]) => length(value)
            .map(Plain::Int)
            .ok_or_else(|| call.fault(format!("`len` of a value of type {}", value.go_type()))),
        ("index", [value, keys @ ..]) => index(call, value, keys),
        ("slice", [value, bounds @ ..]) if bounds.len() <= 2 => slice(call, value, bounds),
        ("print", values) => text(format::print(values)),
        ("println", values) => text(format::println(values)),
        ("printf", [Plain::Text(format), values @ ..]) => {
            machine.charge(format.len())?;
            text(
                format::printf(format.as_str(), values)
                    .ok_or_else(|| call.fault("a width in the format is too large"))?,
            )
        }
        ("html", values) => text(go_strconv::escaped(&format::print(values))),
        ("js", values) => text(js(&format::print(values))),
        ("urlquery", values) => text(urlquery(&format::print(values))),
        ("eq", [first, others @ ..]) if !others.is_empty() => {
            for other in others {
                if order(call, name, first, other)? == Some(Ordering::Equal) {
                    return Ok(Plain::Bool(true));
                }
            }
            Ok(Plain::Bool(false))
        }
        ("ne" | "lt" | "le" | "gt" | "ge", [a, b]) => {
            let order = order(call, name, a, b)?;
            let is_bool = matches!(a, Plain::Bool(_));
            if is_bool && name != "ne" {
                return Err(call.fault(format!("`{name}` cannot order bools")));
            }
            Ok(Plain::Bool(match name {
                "ne" => order != Some(Ordering::Equal),
                "lt" => order == Some(Ordering::Less),
                "le" => matches!(order, Some(Ordering::Less | Ordering::Equal)),
                "gt" => order == Some(Ordering::Greater),
                _ => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
            }))
        }
        ("not" | "len" | "index" | "slice" | "printf" | "eq" | "ne" | "lt" | "le" | "gt" | "ge", _) => {
            Err(call.fault(format!("`{name}` has the wrong number or types of arguments")))
        }
        _ => library(machine, call, name, &args),
    }
}

/// Calls a function of the library whose type has no variables: `golang_strings_to_upper`.
fn library(machine: &mut Machine, call: &Call, name: &str, args: &[Plain]) -> Result<Plain, Fault> {
    let is_it = |path: &str, function: &str| {
        let path = path.replace('/', "_");
        name.strip_prefix(&path).and_then(|rest| rest.strip_prefix('_')) == Some(function)
    };
    let functions = modules::MODULES
        .iter()
        .filter(|module| !module.path.is_empty())
        .flat_map(|module| module.functions.iter().map(move |function| (module.path, function)));
    let found = functions.into_iter().find(|(path, function)| {
        is_it(path, function.name) && matches!(function.form, Form::Simple) && !function.signature.contains('?')
    });
    let Some((_, function)) = found else { return Err(call.fault(format!("no function is named `{name}`"))) };
    let wanted = parameters(function.signature);
    if wanted != args.len() {
        return Err(call.fault(format!("`{name}` has {wanted} arguments, found {}", args.len())));
    }
    let values: Option<Vec<Thunk>> = args.iter().map(|arg| arg.to_value().map(Thunk::done)).collect();
    let values = values.ok_or_else(|| call.fault(format!("`{name}` cannot have such an argument")))?;
    let value = (function.run)(machine, &values, call)?;
    Plain::of(machine, &Thunk::done(value), call)
}

/// Counts the parameters of a signature, `func(a str, b map{str: int}) str`.
fn parameters(signature: &str) -> usize {
    let mut depth = 0;
    let mut count = 0;
    let inside = signature.strip_prefix("func(").unwrap_or_default();
    for (at, c) in inside.char_indices() {
        match c {
            '(' | '{' | '[' => depth += 1,
            ')' if depth == 0 => return if inside[..at].trim().is_empty() { 0 } else { count + 1 },
            ')' | '}' | ']' => depth -= 1,
            ',' if depth == 0 => count += 1,
            _ => {}
        }
    }
    count
}

fn length(value: &Plain) -> Option<i64> {
    i64::try_from(match value {
        Plain::Text(text) => text.len(),
        Plain::List(elements) => elements.len(),
        Plain::Map(entries) => entries.len(),
        Plain::Struct(fields) => fields.len(),
        _ => return None,
    })
    .ok()
}

fn index(call: &Call, value: &Plain, keys: &[Plain]) -> Result<Plain, Fault> {
    let mut value = value.clone();
    for key in keys {
        let place = match key {
            Plain::Int(at) => usize::try_from(*at).ok(),
            _ => None,
        };
        let outside = || call.fault(format!("the index {} is out of range", key.printed()));
        value = match (value, key) {
            (Plain::List(elements), Plain::Int(_)) => {
                place.and_then(|at| elements.into_iter().nth(at)).ok_or_else(outside)?
            }
            (Plain::Text(text), Plain::Int(_)) => {
                let byte = place.and_then(|at| text.as_str().as_bytes().get(at)).ok_or_else(outside)?;
                Plain::Int(i64::from(*byte))
            }
            (Plain::Map(entries), key) => {
                let found =
                    entries.into_iter().find(|(known, _)| known.go_type() == key.go_type() && known.order(key).is_eq());
                found.map_or(Plain::Missing, |(_, value)| value)
            }
            (Plain::Struct(fields), Plain::Text(name)) => {
                let found = fields.into_iter().find(|(known, _)| known == name.as_str());
                found.map_or(Plain::Missing, |(_, value)| value)
            }
            (value, key) => {
                let message = format!("a value of type {} has no index of type {}", value.go_type(), key.go_type());
                return Err(call.fault(message));
            }
        };
    }
    Ok(value)
}

fn slice(call: &Call, value: &Plain, bounds: &[Plain]) -> Result<Plain, Fault> {
    let length = match value {
        Plain::Text(text) => text.len(),
        Plain::List(elements) => elements.len(),
        other => return Err(call.fault(format!("`slice` of a value of type {}", other.go_type()))),
    };
    let bound = |index: usize, default: usize| match bounds.get(index) {
        None => Some(default),
        Some(Plain::Int(at)) => usize::try_from(*at).ok().filter(|at| *at <= length),
        Some(_) => None,
    };
    let outside = || call.fault("the bounds of `slice` are out of range");
    let (from, to) = (bound(0, 0).ok_or_else(outside)?, bound(1, length).ok_or_else(outside)?);
    let part = match value {
        Plain::Text(text) => text.as_str().get(from..to).map(|part| Plain::Text(part.into())),
        Plain::List(elements) => elements.get(from..to).map(|part| Plain::List(part.to_vec())),
        _ => None,
    };
    part.ok_or_else(outside)
}

/// Compares two values of one basic type. `None` if neither is larger and they are not equal.
fn order(call: &Call, name: &str, a: &Plain, b: &Plain) -> Result<Option<Ordering>, Fault> {
    Ok(match (a, b) {
        (Plain::Bool(a), Plain::Bool(b)) => Some(a.cmp(b)),
        (Plain::Int(a), Plain::Int(b)) => Some(a.cmp(b)),
        (Plain::Float(a), Plain::Float(b)) => a.partial_cmp(b),
        (Plain::Text(a), Plain::Text(b)) => Some(a.as_str().cmp(b.as_str())),
        (a, b) => {
            let message = format!("`{name}` cannot compare values of types {} and {}", a.go_type(), b.go_type());
            return Err(call.fault(message));
        }
    })
}

/// Escapes a text for a string of JavaScript.
fn js(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\\\"),
            '\'' => out.push_str("\\'"),
            '"' => out.push_str("\\\""),
            '<' | '>' | '&' | '=' => out.push_str(&format!("\\u{:04X}", u32::from(c))),
            c if c < ' ' => out.push_str(&format!("\\u{:04X}", u32::from(c))),
            c => out.push(c),
        }
    }
    out
}

/// Escapes a text for the query of a URL.
fn urlquery(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b' ' => out.push('+'),
            b'-' | b'_' | b'.' | b'~' => out.push(char::from(byte)),
            byte if byte.is_ascii_alphanumeric() => out.push(char::from(byte)),
            byte => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}
