//! Writes flat files: Java properties (`a.b.0=x`) and `.env` files (`A_B_0=x`), one line per value.
//!
//! The name of a value is its path. What a file of this kind cannot hold is refused with its path: `null`, empty records
//! and arrays, two values of the same name, and in `.env` files names that are no variables and text that readers take
//! differently.

use super::{ManifestFormat, Style, fields, number};
use crate::problem::Problem;
use crate::problem::manifest::{ExportProblem, ManifestKind};
use crate::term::NumberForm;
use crate::text::Name;
use crate::text::path::{FieldPath, Step};
use crate::value::datum::{Datum, MASK};
use rustc_hash::FxHashMap;
use std::fmt::Write;

/// Children that remain to be written, with the length of the path and of the name before them.
struct Open<'a> {
    children: Children<'a>,
    path: usize,
    name: usize,
}

enum Children<'a> {
    Elements(std::iter::Enumerate<std::slice::Iter<'a, Datum>>),
    Fields(std::vec::IntoIter<(&'a str, &'a Datum)>),
}

/// Writes a checked record.
pub(super) fn write(value: &Datum, format: ManifestFormat, style: Style, out: &mut String) -> Result<(), Problem> {
    let mut path: Vec<Step> = Vec::new();
    let mut name = String::new();
    let mut written: FxHashMap<String, Vec<Step>> = FxHashMap::default();
    let mut stack: Vec<Open<'_>> = Vec::new();
    let mut next = Some(value);
    loop {
        if let Some(value) = next.take() {
            let children = match value {
                Datum::Record(entries) => {
                    let fields = fields(entries, style);
                    if fields.is_empty() && !path.is_empty() {
                        return Err(refused(format, &path, "an empty record"));
                    }
                    Some(Children::Fields(fields.into_iter()))
                }
                Datum::Array(elements) if elements.is_empty() => {
                    return Err(refused(format, &path, "an empty array"));
                }
                Datum::Array(elements) => Some(Children::Elements(elements.iter().enumerate())),
                _ => None,
            };
            match children {
                Some(children) => stack.push(Open { children, path: path.len(), name: name.len() }),
                None => {
                    if let Some(first) = written.insert(name.clone(), path.clone()) {
                        let first = FieldPath { steps: first };
                        let what = format!("two values named `{name}`: this one and `{first}`");
                        return Err(refused(format, &path, &what));
                    }
                    line(value, format, &path, &name, out)?;
                }
            }
        }
        let Some(top) = stack.last_mut() else { return Ok(()) };
        path.truncate(top.path);
        name.truncate(top.name);
        let step = match &mut top.children {
            Children::Elements(elements) => elements.next().map(|(i, value)| (Step::Index(i), value)),
            Children::Fields(fields) => fields.next().map(|(name, value)| (Step::Field(Name::new(name)), value)),
        };
        let Some((step, value)) = step else {
            stack.pop();
            continue;
        };
        if !path.is_empty() {
            name.push(if format == ManifestFormat::Dotenv { '_' } else { '.' });
        }
        match &step {
            Step::Index(i) => {
                let _ = write!(name, "{i}");
            }
            Step::Field(field) if format == ManifestFormat::Dotenv => name.push_str(&field.to_ascii_uppercase()),
            Step::Field(field) => name.push_str(field),
        }
        path.push(step);
        next = Some(value);
    }
}

fn refused(format: ManifestFormat, path: &[Step], what: &str) -> Problem {
    let what = ManifestKind::Unwritable { format: format.name(), what: Name::new(what) };
    Problem::error(ExportProblem { path: path.to_vec(), span: None, what })
}

fn line(value: &Datum, format: ManifestFormat, path: &[Step], name: &str, out: &mut String) -> Result<(), Problem> {
    let dotenv = format == ManifestFormat::Dotenv;
    if dotenv {
        let starts = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        if !starts || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
            let what = format!("a variable named `{name}`: a name consists of letters, digits and `_`");
            return Err(refused(format, path, &what));
        }
        out.push_str(name);
    } else {
        property(name, true, out);
    }
    out.push('=');
    match value {
        Datum::Bool(b) => out.push_str(if *b { "true" } else { "false" }),
        Datum::Number(n) => out.push_str(&number(n, NumberForm::Json, Style::data(false))),
        Datum::String(text) | Datum::Tag(text) if dotenv => {
            quoted(text, out).map_err(|what| refused(format, path, what))?;
        }
        Datum::String(text) | Datum::Tag(text) => property(text, false, out),
        Datum::Secret => out.push_str(MASK),
        _ => return Err(refused(format, path, "null")),
    }
    out.push('\n');
    Ok(())
}

/// Writes the name or the value of a property, in ASCII with escapes.
fn property(text: &str, is_name: bool, out: &mut String) {
    for (at, c) in text.chars().enumerate() {
        match c {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{c}' => out.push_str("\\f"),
            '\\' => out.push_str("\\\\"),
            ' ' if is_name || at == 0 => out.push_str("\\ "),
            '=' | ':' | '#' | '!' if is_name => out.extend(['\\', c]),
            ' '..='~' => out.push(c),
            _ => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    let _ = write!(out, "\\u{unit:04X}");
                }
            }
        }
    }
}

/// Writes the text of a variable in a form that shells and the readers of `.env` files take alike. Fails if there is none.
fn quoted(text: &str, out: &mut String) -> Result<(), &'static str> {
    if text.contains(|c: char| c.is_control() && c != '\t') {
        return Err("a string with line breaks or control characters");
    }
    let plain = |c: char| c.is_ascii_alphanumeric() || "_./:@%+,-".contains(c);
    let quote = match text.contains('\'') {
        _ if text.chars().all(plain) => "",
        false => "'",
        true if !text.contains(['"', '\\', '$', '`']) => "\"",
        true => return Err("a string with `'` and one of `\"`, `\\`, `$` and `` ` ``"),
    };
    out.extend([quote, text, quote]);
    Ok(())
}
