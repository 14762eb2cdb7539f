//! Writes JSON.

use super::{Style, fields, number};
use crate::term::NumberForm;
use crate::value::datum::{Datum, MASK};
use std::fmt::Write;

enum Open<'a> {
    Array(std::slice::Iter<'a, Datum>),
    Object(std::vec::IntoIter<(&'a str, &'a Datum)>),
}

/// Writes a checked value, indented by two blanks per level.
pub(super) fn write(value: &Datum, style: Style, out: &mut String) {
    let mut stack: Vec<Open> = Vec::new();
    let mut next = Some(value);
    loop {
        let mut first = false;
        if let Some(value) = next.take() {
            match value {
                Datum::Bool(b) => out.push_str(if *b { "true" } else { "false" }),
                Datum::Number(n) => out.push_str(&number(n, NumberForm::Json)),
                Datum::String(text) | Datum::Tag(text) => string(text, out),
                Datum::Secret => string(MASK, out),
                Datum::Array(elements) if elements.is_empty() => out.push_str("[]"),
                Datum::Array(elements) => {
                    out.push('[');
                    stack.push(Open::Array(elements.iter()));
                    first = true;
                }
                Datum::Record(entries) => {
                    let fields = fields(entries, style);
                    if fields.is_empty() {
                        out.push_str("{}");
                    } else {
                        out.push('{');
                        stack.push(Open::Object(fields.into_iter()));
                        first = true;
                    }
                }
                _ => out.push_str("null"),
            }
        }
        let depth = stack.len();
        let Some(top) = stack.last_mut() else { return };
        let (name, value, close) = match top {
            Open::Array(elements) => (None, elements.next(), ']'),
            Open::Object(fields) => match fields.next() {
                Some((name, value)) => (Some(name), Some(value), '}'),
                None => (None, None, '}'),
            },
        };
        begin(out, value.is_some() && !first, if value.is_some() { depth } else { depth - 1 });
        match value {
            Some(value) => {
                if let Some(name) = name {
                    string(name, out);
                    out.push_str(": ");
                }
                next = Some(value);
            }
            None => {
                out.push(close);
                stack.pop();
            }
        }
    }
}

/// Begins a line at a depth, after a comma or not.
pub(super) fn begin(out: &mut String, comma: bool, depth: usize) {
    const BLANKS: &str = "                                ";
    out.push_str(if comma { ",\n" } else { "\n" });
    let mut blanks = 2 * depth;
    while blanks > 0 {
        let some = blanks.min(BLANKS.len());
        out.push_str(BLANKS.get(..some).unwrap_or_default());
        blanks -= some;
    }
}

/// Writes a string in quotes, with a minimum of escapes.
pub(super) fn string(text: &str, out: &mut String) {
    out.push('"');
    let mut from = 0;
    for (at, byte) in text.bytes().enumerate() {
        if byte >= 0x20 && byte != b'"' && byte != b'\\' {
            continue;
        }
        out.push_str(&text[from..at]);
        from = at + 1;
        match byte {
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            0x08 => out.push_str("\\b"),
            0x0c => out.push_str("\\f"),
            b'\n' => out.push_str("\\n"),
            b'\r' => out.push_str("\\r"),
            b'\t' => out.push_str("\\t"),
            _ => {
                let _ = write!(out, "\\u{byte:04x}");
            }
        }
    }
    out.push_str(&text[from..]);
    out.push('"');
}
