//! Keys with a dash in expressions: `{{ app-name }}`.

use super::document::{Document, fault, is_within};
use super::fault::Cause;
use crate::dialect::yay::tree::{Blocks, Entry, Expr, Op, Stanza, Value};
use crate::problem::Problem;
use crate::text::{Name, Span};

/// Replaces the problems of the operands of a subtraction that is written as the name of a key by one.
pub fn find(document: &Document<'_>, problems: &mut Vec<Problem>) {
    let tree = document.tree;
    for (expr, span) in tree.exprs() {
        let Expr::Binary(Op::Sub, ..) = expr else { continue };
        let written = document.slice(span);
        if !written.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.')) {
            continue;
        }
        let (of, key) = match written.find('-').and_then(|dash| written.get(..dash)?.rfind('.')) {
            Some(dot) => (written.get(..dot), written.get(dot + 1..).unwrap_or("")),
            None => (None, written),
        };
        let Some(definition) = definition(document, key) else { continue };
        let is_inside = |problem: &Problem| document.place(problem).is_some_and(|at| is_within(at, span));
        let Some(first) = problems.iter().position(is_inside) else { continue };
        let read = match of {
            Some(of) => Some(Name::from(format!("{of}[\"{key}\"]"))),
            None => is_beside(document, key, span).then(|| Name::from(format!("here[\"{key}\"]"))),
        };
        if let Some(problem) = problems.get_mut(first) {
            *problem = fault(span, Cause::Dash { key: Name::new(key), read, definition });
        }
        let mut index = 0;
        problems.retain(|problem| {
            index += 1;
            index - 1 == first || !is_inside(problem)
        });
    }
}

/// Returns the place of the first key with a name.
fn definition(document: &Document<'_>, key: &str) -> Option<Span> {
    document.stanzas().find_map(|stanza| match stanza {
        Stanza::Key(entry) if entry.name.name == key => Some(entry.name.span),
        _ => None,
    })
}

/// Whether an expression is the value of a key in the dict that has another key.
fn is_beside(document: &Document<'_>, key: &str, at: Span) -> bool {
    let tree = document.tree;
    tree.blocks().any(|block| {
        let entries = || block.stanzas.iter().filter_map(Stanza::entry);
        let reads = |entry: &Entry| matches!(entry.value, Value::Scalar(id) if is_within(at, tree.span(id)));
        entries().any(reads) && entries().any(|entry| entry.name.name == key)
    })
}
