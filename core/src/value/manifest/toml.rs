//! Writes TOML in the layout of the `toml` crate's pretty printer: the values of a table come before its subtables;
//! tables that contain only tables have no header; arrays with more than one element have one element per line.

use super::number;
use super::tree::{Part, Tree, at};
use crate::problem::Problem;
use crate::term::NumberForm;
use crate::text::Name;
use crate::text::path::Step;
use crate::value::datum::{Datum, MASK};
use std::borrow::Borrow;
use std::fmt::Write;
use std::rc::Rc;

/// A table that remains to be written.
struct Table<T: Tree> {
    value: Pending<T>,
    /// The text of its header.
    header: Rc<str>,
    path: Rc<[Step]>,
    /// Whether it is an element of an array of tables.
    element: bool,
}

/// The value of a table: opened, or not yet, or the rest of the elements of an array of tables.
enum Pending<T: Tree> {
    Fields(std::vec::IntoIter<(T::Key, T::Node)>),
    Elements(T::Items, usize),
}

/// Writes the fields of a record.
pub(super) fn write<T: Tree>(
    tree: &mut T,
    root: std::vec::IntoIter<(T::Key, T::Node)>,
    out: &mut String,
) -> Result<(), Problem> {
    let mut begun = false;
    let mut stack: Vec<Table<T>> =
        vec![Table { value: Pending::Fields(root), header: Rc::from(""), path: Rc::from([]), element: false }];
    while let Some(mut table) = stack.pop() {
        let fields = match table.value {
            Pending::Fields(fields) => fields,
            Pending::Elements(mut items, taken) => {
                let Some(node) = tree.next(&mut items) else { continue };
                let path = [&*table.path, &[Step::Index(taken)]].concat();
                let part = tree.open(node, path.len()).map_err(|problem| at(problem, || path.clone()))?;
                table.value = Pending::Elements(items, taken + 1);
                let rest = Table { element: true, header: table.header.clone(), path: table.path, value: table.value };
                stack.push(rest);
                table = Table {
                    value: Pending::Fields(Vec::new().into_iter()),
                    header: table.header,
                    path: path.into(),
                    element: true,
                };
                let Part::Fields(fields) = part else { continue };
                fields
            }
        };
        let mut tables = Vec::new();
        let mut values = Vec::new();
        for (name, node) in fields {
            let path = || [&*table.path, &[Step::Field(Name::new(&*name))]].concat();
            let part = tree.open(node, table.path.len() + 1).map_err(|problem| at(problem, path))?;
            match part {
                Part::Fields(fields) => tables.push((name, Pending::Fields(fields))),
                Part::Items(items) if tree.len(&items) > 0 && tree.are_records(&items)? => {
                    tables.push((name, Pending::Elements(items, 0)));
                }
                part => values.push((name, part)),
            }
        }
        let is_root = table.header.is_empty();
        if !is_root && (table.element || tables.is_empty() || !values.is_empty()) {
            tree.pass_on(out)?;
            if begun {
                out.push('\n');
            }
            begun = true;
            let (open, close) = if table.element { ("[[", "]]") } else { ("[", "]") };
            out.push_str(open);
            out.push_str(&table.header);
            out.push_str(close);
            out.push('\n');
        }
        for (name, part) in values {
            begun = true;
            tree.pass_on(out)?;
            key(&name, out);
            out.push_str(" = ");
            let path = || [&*table.path, &[Step::Field(Name::new(&*name))]].concat();
            inline(tree, part, &path, out)?;
            out.push('\n');
        }
        for (name, value) in tables.into_iter().rev() {
            let mut header = String::from(&*table.header);
            if !is_root {
                header.push('.');
            }
            key(&name, &mut header);
            let path = [&*table.path, &[Step::Field(Name::new(&*name))]].concat().into();
            stack.push(Table { value, header: header.into(), path, element: false });
        }
    }
    Ok(())
}

enum Open<T: Tree> {
    /// The elements that are left, the number of those that were taken, and whether each has a line.
    Array(T::Items, usize, bool),
    /// The fields that are left, and the name of the current one.
    Record(std::vec::IntoIter<(T::Key, T::Node)>, Option<T::Key>),
}

/// Writes a value after its key. `above`: the path of the key.
fn inline<T: Tree>(
    tree: &mut T,
    root: Part<T>,
    above: &dyn Fn() -> Vec<Step>,
    out: &mut String,
) -> Result<(), Problem> {
    let mut stack: Vec<Open<T>> = Vec::new();
    let mut next = Some(root);
    loop {
        let mut first = false;
        if let Some(part) = next.take() {
            match part {
                Part::Leaf(leaf) => match leaf.borrow() {
                    Datum::Bool(b) => out.push_str(if *b { "true" } else { "false" }),
                    Datum::Number(n) => out.push_str(&number(n, NumberForm::Toml, tree.style())),
                    Datum::String(text) | Datum::Tag(text) => string(text, out),
                    Datum::Secret => string(MASK, out),
                    _ => out.push_str("\"\""),
                },
                Part::Items(items) => {
                    out.push('[');
                    let lines = tree.len(&items) > 1;
                    stack.push(Open::Array(items, 0, lines));
                    first = true;
                }
                Part::Fields(fields) if fields.len() == 0 => out.push_str("{}"),
                Part::Fields(fields) => {
                    out.push_str("{ ");
                    stack.push(Open::Record(fields, None));
                    first = true;
                }
                Part::Tagged(..) => out.push_str("\"\""),
            }
            tree.pass_on(out)?;
        }
        let Some(top) = stack.last_mut() else { return Ok(()) };
        let node = match top {
            Open::Array(items, taken, lines) => match tree.next(items) {
                Some(element) => {
                    match (*lines, first) {
                        (true, true) => out.push_str("\n    "),
                        (true, false) => out.push_str(",\n    "),
                        (false, _) => {}
                    }
                    *taken += 1;
                    element
                }
                None => {
                    out.push_str(if *lines { ",\n]" } else { "]" });
                    stack.pop();
                    continue;
                }
            },
            Open::Record(fields, current) => match fields.next() {
                Some((name, value)) => {
                    if !first {
                        out.push_str(", ");
                    }
                    key(&name, out);
                    out.push_str(" = ");
                    *current = Some(name);
                    value
                }
                None => {
                    out.push_str(" }");
                    stack.pop();
                    continue;
                }
            },
        };
        let path = || {
            let step = |open: &Open<T>| match open {
                Open::Array(_, taken, _) => Step::Index(taken.saturating_sub(1)),
                Open::Record(_, name) => Step::Field(name.as_deref().map_or_else(Name::default, Name::new)),
            };
            above().into_iter().chain(stack.iter().map(step)).collect()
        };
        next = Some(tree.open(node, stack.len()).map_err(|problem| at(problem, path))?);
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
