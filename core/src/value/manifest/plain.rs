//! Writes a data file as JSON from its term, without values: what a large file takes is then its text and its term.

use super::objects::Parts;
use super::{Style, json, number};
use crate::term::{FieldName, Node, NodeId, Number, NumberForm, Term};
use crate::value::{Fault, Machine};
use std::fmt::Write;

/// Maximum depth of data that is written so. Beyond it, the writer of values counts the indentation.
const MOST_LEVELS: u16 = 1000;

/// Size of the parts that are passed on, in bytes.
const PART: usize = 1 << 20;

enum Open<'t> {
    Array(std::slice::Iter<'t, NodeId>),
    Object(std::vec::IntoIter<(&'t str, NodeId)>),
}

/// Whether every node of a term is a literal, an array or a record of fields without metadata, and JSON can represent all of it. The
/// term must be that of a data file, whose records have groups only for duplicate names. O(nodes).
fn is_plain(term: &Term, style: Style) -> bool {
    let mut heights: Vec<u16> = Vec::with_capacity(term.nodes.len());
    for node in &term.nodes {
        let above =
            |heights: &[u16], part: &NodeId| heights.get(part.0 as usize).map_or(MOST_LEVELS, |height| height + 1);
        let height = match node {
            Node::Null | Node::Bool(_) | Node::Str(_) => 0,
            Node::Number(n) if n.to_i64().is_some() || style.export(n, NumberForm::Json).is_ok() => 0,
            Node::Array(items) => items.iter().map(|item| above(&heights, item)).max().unwrap_or(0),
            Node::Record(record) if record.is_plain_data() => record
                .fields
                .iter()
                .filter_map(|field| field.body.as_ref())
                .map(|body| above(&heights, body))
                .max()
                .unwrap_or(0),
            _ => return false,
        };
        if height >= MOST_LEVELS {
            return false;
        }
        heights.push(height);
    }
    true
}

/// Writes the data of a term as JSON with a final line end, passes on large parts, and returns the rest. `None` if the term has other
/// nodes than literals, arrays and records with different names, or something that JSON cannot represent.
pub fn document(
    machine: &mut Machine,
    term: &Term,
    style: Style,
    parts: Option<&Parts>,
) -> Result<Option<String>, Fault> {
    if !is_plain(term, style) {
        return Ok(None);
    }
    let mut out = String::new();
    let mut stack: Vec<Open> = Vec::new();
    let mut next = Some(term.root);
    loop {
        let mut first = false;
        if let Some(id) = next.take() {
            machine.tick()?;
            match term.node(id) {
                Node::Bool(b) => out.push_str(if *b { "true" } else { "false" }),
                Node::Number(n) => write_number(n, style, &mut out),
                Node::Str(text) => {
                    machine.room(&mut out, text.len().saturating_mul(2))?;
                    json::string(text, &mut out);
                }
                Node::Array(items) if items.is_empty() => out.push_str("[]"),
                Node::Array(items) => {
                    out.push('[');
                    stack.push(Open::Array(items.iter()));
                    first = true;
                }
                Node::Record(record) if record.fields.is_empty() => out.push_str("{}"),
                Node::Record(record) => {
                    let mut fields = Vec::with_capacity(record.fields.len());
                    for field in &record.fields {
                        if let (FieldName::Static(name), Some(body)) = (&field.name, field.body) {
                            fields.push((name.as_str(), body));
                        }
                    }
                    if !style.as_defined {
                        fields.sort_unstable_by_key(|(name, _)| *name);
                    }
                    out.push('{');
                    stack.push(Open::Object(fields.into_iter()));
                    first = true;
                }
                _ => out.push_str("null"),
            }
        }
        if let Some(parts) = parts.filter(|_| out.len() > PART) {
            parts.pass_on(&mut out)?;
        }
        machine.room(&mut out, 0)?;
        let depth = stack.len();
        let Some(top) = stack.last_mut() else {
            out.push('\n');
            return Ok(Some(out));
        };
        let (name, value, close) = match top {
            Open::Array(items) => (None, items.next().copied(), "]"),
            Open::Object(fields) => match fields.next() {
                Some((name, value)) => (Some(name), Some(value), "}"),
                None => (None, None, "}"),
            },
        };
        json::begin(&mut out, value.is_some() && !first, if value.is_some() { depth } else { depth - 1 });
        match value {
            Some(_) => {
                if let Some(name) = name {
                    json::string(name, &mut out);
                    out.push_str(": ");
                }
                next = value;
            }
            None => {
                out.push_str(close);
                stack.pop();
            }
        }
    }
}

fn write_number(n: &Number, style: Style, out: &mut String) {
    match n.to_i64() {
        Some(small) => {
            let _ = write!(out, "{small}");
        }
        None => out.push_str(&number(n, NumberForm::Json, style)),
    }
}
