//! Operators whose operands have the wrong kind: `list + 1`, `"%s" % name`, `count * "x"`, `enabled == True`.

use super::document::{Document, fault, is_within};
use super::slip::Slip;
use crate::dialect::yay::tree::{Blocks, Expr, Id, Op, Stanza, Value};
use crate::problem::syntax::{SyntaxKind, SyntaxProblem};
use crate::problem::types::TypesKind;
use crate::problem::value::ValueKind;
use crate::problem::{Problem, ProblemKind};
use crate::text::{Name, Span};

/// Replaces the problems of operands.
pub fn find(document: &Document<'_>, problems: &mut Vec<Problem>) {
    let tree = document.tree;
    for problem in problems.iter_mut() {
        let Some(at) = document.place(problem) else { continue };
        let cause = match &problem.kind {
            ProblemKind::Syntax(SyntaxProblem { what: SyntaxKind::Unbound { name, .. }, .. }) => {
                let word = name.to_lowercase();
                if !matches!(name.as_str(), "True" | "False") {
                    continue;
                }
                comparison(document, at, &word)
            }
            ProblemKind::Types(types) if matches!(types.what, TypesKind::Conflict(_)) => operand(document, at),
            ProblemKind::Value(value) if matches!(value.what, ValueKind::Type { .. }) => operand(document, at),
            _ => None,
        };
        if let Some((span, cause)) = cause {
            *problem = fault(span, cause);
        }
    }
    // one mistake may be two problems of an operation
    let formats: Vec<Span> = tree.exprs().filter(|(expr, _)| is_format(document, expr)).map(|(_, span)| span).collect();
    let mut seen: Vec<Span> = Vec::new();
    problems.retain(|problem| {
        let Some(at) = document.place(problem) else { return true };
        let Some(around) = formats.iter().find(|span| is_within(at, **span)) else { return true };
        let is_first = !seen.contains(around);
        seen.push(*around);
        is_first
    });
}

fn is_format(document: &Document<'_>, expr: &Expr) -> bool {
    let Expr::Binary(Op::Mod, left, _) = expr else { return false };
    matches!(document.tree.expr(*left), Expr::Str(text) if text.contains('%'))
}

/// Returns the cause of a wrong operand at a place.
fn operand(document: &Document<'_>, at: Span) -> Option<(Span, Slip)> {
    let tree = document.tree;
    let path = |id: Id| document.path(id).map(|_| Name::new(document.slice(tree.span(id))));
    let format = tree.exprs().find_map(|(expr, span)| match expr {
        Expr::Binary(_, _, right) if is_within(at, span) && is_format(document, expr) => Some((*right, span)),
        _ => None,
    });
    if let Some((right, span)) = format {
        return Some((span, Slip::Format(path(right))));
    }
    let (op, left, right) = tree.exprs().find_map(|(expr, _)| match expr {
        Expr::Binary(op, left, right) if tree.span(*left) == at || tree.span(*right) == at => {
            Some((*op, *left, *right))
        }
        _ => None,
    })?;
    let own = if tree.span(left) == at { left } else { right };
    match op {
        Op::Add => {
            let definition = definition(document, left).filter(|_| own == right)?;
            let block = definition.1.block()?;
            let is_list = matches!(tree.block(block).stanzas.first()?, Stanza::Item(..));
            let element = match tree.expr(right) {
                Expr::Number(_) => Name::new_static("1"),
                Expr::Str(_) => Name::new_static("\"text\""),
                _ => path(right)?,
            };
            let is_other_list = path(right).is_some()
                && self::definition(document, right).is_some_and(|(_, value)| value.block().is_some());
            (is_list && !is_other_list)
                .then(|| (at, Slip::AddsToList { list: path(left), element, definition: Some(definition.0) }))
        }
        Op::Sub | Op::Mul | Op::Div | Op::FloorDiv | Op::Mod => {
            if let Expr::Str(_) = tree.expr(own) {
                return Some((at, Slip::NotANumber { operator: op.symbol(), key: None }));
            }
            let (_, value) = definition(document, own)?;
            let Value::Scalar(id) = value else { return None };
            let Expr::Str(_) = tree.expr(id) else { return None };
            let key = path(own)?;
            Some((at, Slip::NotANumber { operator: op.symbol(), key: Some((key, tree.span(id))) }))
        }
        _ => None,
    }
}

/// Returns the last definition of a path: the place of its key, and its value.
fn definition(document: &Document<'_>, id: Id) -> Option<(Span, Value)> {
    let path = document.path(id)?;
    let (_, entry) = document.entry(&path)?;
    Some((entry.name.span, entry.value))
}

/// Returns the cause of `key == True`, where the key is a text such as `true`.
fn comparison(document: &Document<'_>, at: Span, word: &str) -> Option<(Span, Slip)> {
    let tree = document.tree;
    let (op, left) = tree.exprs().find_map(|(expr, _)| match expr {
        Expr::Binary(op @ (Op::Eq | Op::Ne), left, right) if tree.span(*right) == at => Some((*op, *left)),
        _ => None,
    })?;
    let (_, value) = definition(document, left)?;
    let Value::Scalar(id) = value else { return None };
    let Expr::Str(text) = tree.expr(id) else { return None };
    // the text that stands for the same truth value as the name
    let meant = match (text.as_str(), word) {
        ("true" | "false", "true") => "true",
        ("true" | "false", _) => "false",
        ("yes" | "no", "true") => "yes",
        ("yes" | "no", _) => "no",
        ("on" | "off", "true") => "on",
        ("on" | "off", _) => "off",
        _ => return None,
    };
    let key = Name::new(document.slice(tree.span(left)));
    let definition = tree.span(id);
    Some((at, Slip::TruthOfText { key, operator: op.symbol(), text: text.clone(), meant, definition }))
}
