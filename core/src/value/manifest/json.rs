//! Writes JSON.

use super::number;
use super::tree::{Part, Tree, at};
use crate::problem::Problem;
use crate::term::NumberForm;
use crate::text::Name;
use crate::text::path::Step;
use crate::value::datum::{Datum, MASK};
use std::borrow::Borrow;
use std::fmt::Write;

enum Open<T: Tree> {
    /// The elements that are left, and the number of those that were taken.
    Array(T::Items, usize),
    /// The fields that are left, and the name of the current one.
    Object(std::vec::IntoIter<(T::Key, T::Node)>, Option<T::Key>),
}

/// Returns the path of the current value.
fn path<T: Tree>(stack: &[Open<T>]) -> Vec<Step> {
    let step = |open: &Open<T>| match open {
        Open::Array(_, taken) => Step::Index(taken.saturating_sub(1)),
        Open::Object(_, name) => Step::Field(name.as_deref().map_or_else(Name::default, Name::new)),
    };
    stack.iter().map(step).collect()
}

/// Writes a value, indented by two blanks per level.
pub(super) fn write<T: Tree>(tree: &mut T, root: T::Node, out: &mut String) -> Result<(), Problem> {
    let mut stack: Vec<Open<T>> = Vec::new();
    let mut next = Some(root);
    loop {
        let mut first = false;
        if let Some(node) = next.take() {
            match tree.open(node, stack.len()).map_err(|problem| at(problem, || path(&stack)))? {
                Part::Leaf(leaf) => match leaf.borrow() {
                    Datum::Bool(b) => out.push_str(if *b { "true" } else { "false" }),
                    Datum::Number(n) => out.push_str(&number(n, NumberForm::Json, tree.style())),
                    Datum::String(text) | Datum::Tag(text) => string(text, out),
                    Datum::Secret => string(MASK, out),
                    _ => out.push_str("null"),
                },
                Part::Items(items) if tree.len(&items) == 0 => out.push_str("[]"),
                Part::Items(items) => {
                    out.push('[');
                    stack.push(Open::Array(items, 0));
                    first = true;
                }
                Part::Fields(fields) if fields.len() == 0 => out.push_str("{}"),
                Part::Fields(fields) => {
                    out.push('{');
                    stack.push(Open::Object(fields, None));
                    first = true;
                }
                Part::Tagged(..) => out.push_str("null"),
            }
            tree.pass_on(out)?;
        }
        let depth = stack.len();
        let Some(top) = stack.last_mut() else { return Ok(()) };
        let (value, close) = match top {
            Open::Array(items, taken) => {
                *taken += 1;
                (tree.next(items).map(|value| (None, value)), ']')
            }
            Open::Object(fields, name) => match fields.next() {
                Some((key, value)) => (Some((Some(&*name.insert(key)), value)), '}'),
                None => (None, '}'),
            },
        };
        begin(out, value.is_some() && !first, if value.is_some() { depth } else { depth - 1 });
        match value {
            Some((name, value)) => {
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
