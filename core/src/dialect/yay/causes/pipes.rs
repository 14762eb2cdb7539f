//! Filters of templates: `name | upper`, `host | default("x")`.

use super::document::{Document, fault, is_within};
use super::fault::Cause;
use crate::dialect::yay::meant;
use crate::dialect::yay::tree::{Expr, Id, Op, Spanned};
use crate::problem::{Problem, ProblemKind};
use crate::text::{Name, Span};

/// An argument of a call, with its name if it has one.
type Argument = (Option<Spanned>, Id);

/// Replaces the problems of a filter by one.
pub fn find(document: &Document<'_>, problems: &mut Vec<Problem>) {
    let tree = document.tree;
    let mut found: Vec<(Span, Span, Cause)> = Vec::new();
    // the outer filter of `a | b | c` comes after the inner one
    let exprs: Vec<(&Expr, Span)> = tree.exprs().collect();
    for (expr, span) in exprs.into_iter().rev() {
        let Expr::Binary(Op::BitOr, left, right) = expr else { continue };
        let Some((name, _)) = filter(document, *right) else { continue };
        if !is_applicable(document, *left) {
            continue;
        }
        if found.iter().any(|(outer, ..)| is_within(span, *outer)) {
            continue;
        }
        let after = document.text.get(tree.span(*left).end as usize..span.end as usize).unwrap_or("");
        let Some(sign) = after.find('|') else { continue };
        let place = Span { start: tree.span(*left).end + sign as u32, ..span };
        let call = Name::from(applied(document, *left, *right));
        found.push((span, place, Cause::Pipe { call, is_fallback: name == "default" }));
    }
    for (span, place, cause) in found.into_iter().rev() {
        let is_inside = |problem: &Problem| document.place(problem).is_some_and(|at| is_within(at, span));
        let is_type = |problem: &Problem| matches!(problem.kind, ProblemKind::Types(_));
        // a function that has another name here
        let is_name =
            |problem: &Problem| document.place(problem).is_some_and(|at| meant::is_renamed(document.slice(at)));
        let is_effect = |problem: &Problem| is_inside(problem) && (is_type(problem) || is_name(problem));
        let Some(first) = problems.iter().position(is_effect) else { continue };
        let is_fallback = matches!(cause, Cause::Pipe { is_fallback: true, .. });
        if let Some(problem) = problems.get_mut(first) {
            *problem = fault(place, cause);
        }
        let mut index = 0;
        problems.retain(|problem| {
            index += 1;
            // the name that a fallback is for may be absent
            index - 1 == first || !(is_effect(problem) || is_inside(problem) && is_fallback)
        });
    }
}

/// Returns the function of the library that the right operand of `|` is, and its arguments.
fn filter<'t>(document: &Document<'t>, id: Id) -> Option<(&'t Name, &'t [Argument])> {
    let tree = document.tree;
    let (name, args) = match tree.expr(id) {
        Expr::Name(name) => (name, [].as_slice()),
        Expr::Call(func, args) => match tree.expr(*func) {
            Expr::Name(name) => (name, &**args),
            _ => return None,
        },
        _ => return None,
    };
    (meant::is_function(meant::own_name(name)) && document.entry(&[name]).is_none()).then_some((name, args))
}

/// Whether all filters of `a | b | c` are functions of the library.
fn is_applicable(document: &Document<'_>, mut id: Id) -> bool {
    while let Expr::Binary(Op::BitOr, left, right) = document.tree.expr(id) {
        if filter(document, *right).is_none() {
            return false;
        }
        id = *left;
    }
    true
}

/// Writes `left | right` as a call.
fn applied(document: &Document<'_>, left: Id, right: Id) -> String {
    let tree = document.tree;
    let value = match tree.expr(left) {
        Expr::Binary(Op::BitOr, inner, function) if filter(document, *function).is_some() => {
            applied(document, *inner, *function)
        }
        _ => document.slice(tree.span(left)).to_string(),
    };
    let Some((name, args)) = filter(document, right) else { return value };
    let args: Vec<&str> = args.iter().map(|(_, arg)| document.slice(tree.span(*arg))).collect();
    meant::call(name, &value, &args.join(", "))
}
