//! Writes TOML in the layout of the `toml` crate's pretty printer: the values of a table come before its subtables;
//! tables that contain only tables have no header; arrays with more than one element have one element per line.

use super::{Style, fields, number};
use crate::term::NumberForm;
use crate::value::datum::{Datum, MASK};
use std::fmt::Write;
use std::rc::Rc;

/// A table that remains to be written.
struct Table<'a> {
    value: &'a Datum,
    /// The text of its header.
    path: Rc<str>,
    /// Whether it is an element of an array of tables.
    element: bool,
}

/// Writes a checked record.
pub(super) fn write(value: &Datum, style: Style, out: &mut String) {
    let mut stack = vec![Table { value, path: Rc::from(""), element: false }];
    while let Some(table) = stack.pop() {
        let Datum::Record(entries) = table.value else { continue };
        let fields = fields(entries, style);
        let (tables, values): (Vec<_>, Vec<_>) = fields.into_iter().partition(|(_, value)| is_tables(value));
        let is_root = table.path.is_empty();
        if !is_root && (table.element || tables.is_empty() || !values.is_empty()) {
            if !out.is_empty() {
                out.push('\n');
            }
            let (open, close) = if table.element { ("[[", "]]") } else { ("[", "]") };
            out.push_str(open);
            out.push_str(&table.path);
            out.push_str(close);
            out.push('\n');
        }
        for (name, value) in values {
            key(name, out);
            out.push_str(" = ");
            inline(value, style, out);
            out.push('\n');
        }
        for (name, value) in tables.into_iter().rev() {
            let mut path = String::from(&*table.path);
            if !is_root {
                path.push('.');
            }
            key(name, &mut path);
            let path: Rc<str> = path.into();
            match value {
                Datum::Array(elements) => {
                    stack.extend(elements.iter().rev().map(|value| Table { value, path: path.clone(), element: true }))
                }
                _ => stack.push(Table { value, path, element: false }),
            }
        }
    }
}

/// Returns whether a value is written as tables: a record, or an array of records.
fn is_tables(value: &Datum) -> bool {
    match value {
        Datum::Record(_) => true,
        Datum::Array(elements) => {
            !elements.is_empty() && elements.iter().all(|element| matches!(element, Datum::Record(_)))
        }
        _ => false,
    }
}

enum Open<'a> {
    Array(std::slice::Iter<'a, Datum>, bool),
    Record(std::vec::IntoIter<(&'a str, &'a Datum)>),
}

/// Writes a value after its key.
fn inline(value: &Datum, style: Style, out: &mut String) {
    let mut stack: Vec<Open> = Vec::new();
    let mut next = Some(value);
    loop {
        let mut first = false;
        if let Some(value) = next.take() {
            match value {
                Datum::Bool(b) => out.push_str(if *b { "true" } else { "false" }),
                Datum::Number(n) => out.push_str(&number(n, NumberForm::Toml)),
                Datum::String(text) | Datum::Tag(text) => string(text, out),
                Datum::Secret => string(MASK, out),
                Datum::Array(elements) => {
                    out.push('[');
                    stack.push(Open::Array(elements.iter(), elements.len() > 1));
                    first = true;
                }
                Datum::Record(entries) => {
                    let fields = fields(entries, style);
                    if fields.is_empty() {
                        out.push_str("{}");
                    } else {
                        out.push_str("{ ");
                        stack.push(Open::Record(fields.into_iter()));
                        first = true;
                    }
                }
                _ => out.push_str("\"\""),
            }
        }
        let Some(top) = stack.last_mut() else { return };
        match top {
            Open::Array(elements, lines) => match elements.next() {
                Some(element) => {
                    match (*lines, first) {
                        (true, true) => out.push_str("\n    "),
                        (true, false) => out.push_str(",\n    "),
                        (false, _) => {}
                    }
                    next = Some(element);
                }
                None => {
                    out.push_str(if *lines { ",\n]" } else { "]" });
                    stack.pop();
                }
            },
            Open::Record(fields) => match fields.next() {
                Some((name, value)) => {
                    if !first {
                        out.push_str(", ");
                    }
                    key(name, out);
                    out.push_str(" = ");
                    next = Some(value);
                }
                None => {
                    out.push_str(" }");
                    stack.pop();
                }
            },
        }
    }
}

/// Writes a key, without quotes if possible.
fn key(name: &str, out: &mut String) {
    let bare = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b == b'-';
    if !name.is_empty() && name.bytes().all(bare) {
        return out.push_str(name);
    }
    let control = name.bytes().any(|b| (b < 0x20 && b != b'\t') || b == 0x7f);
    if (name.contains(['"', '\\'])) && !control && !name.contains('\'') {
        return quoted(name, "'", false, out);
    }
    quoted(name, "\"", false, out);
}

/// Writes a string: in double quotes if it needs no escapes, then in single quotes, then as a multi-line string.
fn string(text: &str, out: &mut String) {
    let longest = |quote: char| {
        let runs = text.split(|c| c != quote);
        runs.map(str::len).max().unwrap_or(0)
    };
    let lines = text.contains('\n');
    let escapes = text.bytes().any(|b| (b < 0x20 && b != b'\t' && b != b'\n') || b == 0x7f);
    let backslash = text.contains('\\');
    let (single, double) = (longest('\''), longest('"'));
    if !escapes && !backslash && double == 0 && !lines {
        quoted(text, "\"", lines, out);
    } else if !escapes && single == 0 && !lines {
        quoted(text, "'", lines, out);
    } else if !escapes && !backslash && double <= 2 {
        quoted(text, "\"\"\"", lines, out);
    } else if !escapes && single <= 2 {
        quoted(text, "'''", lines, out);
    } else {
        quoted(text, if lines { "\"\"\"" } else { "\"" }, lines, out);
    }
}

/// Writes a string between quotes of one kind.
fn quoted(text: &str, quotes: &str, lines: bool, out: &mut String) {
    out.push_str(quotes);
    let long = quotes.len() == 3;
    if long && lines {
        out.push('\n');
    }
    if quotes.starts_with('\'') {
        out.push_str(text);
    } else {
        let mut run = 0;
        for c in text.chars() {
            run = if c == '"' { run + 1 } else { 0 };
            match c {
                '"' if run > if long { 2 } else { 0 } => {
                    out.push_str("\\\"");
                    run = 0;
                }
                '\u{8}' => out.push_str("\\b"),
                '\t' => out.push_str("\\t"),
                '\n' if !long => out.push_str("\\n"),
                '\n' => out.push('\n'),
                '\u{c}' => out.push_str("\\f"),
                '\r' => out.push_str("\\r"),
                '\\' => out.push_str("\\\\"),
                c if c < ' ' || c == '\u{7f}' => {
                    let _ = write!(out, "\\u{:04X}", u32::from(c));
                }
                c => out.push(c),
            }
        }
    }
    out.push_str(quotes);
}
