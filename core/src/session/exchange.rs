//! The advice about exchanged arguments: the call with its arguments in the other order.

use super::Session;
use crate::problem::report::Report;
use crate::problem::types::{CallFault, TypesKind};
use crate::problem::{Problem, ProblemKind};
use crate::ty::{Ty, TyRef};
use std::ops::Range;

/// Maximum length of a call in advice, in bytes.
const MOST: usize = 100;
/// The words of the advice that the call replaces.
const ORDER: &str = "takes them in this order";

impl Session {
    /// Replaces the order of the parameters in the advice about exchanged arguments by the call with the arguments in this order.
    /// Text that may be secret is not repeated.
    pub(super) fn exchange(&self, problem: &Problem, report: &mut Report) {
        let ProblemKind::Types(types) = &problem.kind else { return };
        let TypesKind::Call {
            fault: CallFault::Exchanged { names: None, places, other, rotated: false, .. },
            function,
            ..
        } = &types.what
        else {
            return;
        };
        let Some(text) = self.world.text_of(types.span.source).filter(|_| types.span.source == other.source) else {
            return;
        };
        let one = types.span.start as usize..types.span.end as usize;
        let further = parameters(&function.ty).saturating_sub(places[1] as usize);
        let call = exchanged(&text, one, other.start as usize..other.end as usize, further);
        let Some((at, call)) = call.filter(|(at, _)| at.len() <= MOST) else { return };
        let sources = self.world.sources.borrow();
        if sources.get(other.source).is_some_and(|source| !source.overlaps_secret(at)) {
            report.suggestions.retain(|advice| !advice.contains(ORDER));
            report.suggestions.insert(0, format!("write `{call}`"));
        }
    }
}

/// Returns the number of parameters of a function that takes them one after another.
fn parameters(ty: &TyRef) -> usize {
    let (mut count, mut at) = (0, ty);
    loop {
        at = match &**at {
            Ty::Forall(scheme) => &scheme.ty,
            Ty::Fun(parameters, result) => {
                count += parameters.len();
                result
            }
            _ => return count,
        };
    }
}

/// Returns the range of a call in one line, and its text with two arguments exchanged. `further` is the number of the arguments after
/// both. `None` if the text is written in another way.
fn exchanged(text: &str, one: Range<usize>, other: Range<usize>, further: usize) -> Option<(Range<usize>, String)> {
    let (one, other) = (with_brackets(text, one), with_brackets(text, other));
    let before = text.get(..one.start)?;
    let is_of_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
    // `f 0 g`, `f(0, g)`
    let is_in_brackets = before.ends_with('(');
    let name = before.trim_end_matches([' ', '(']);
    let start = name.trim_end_matches(is_of_name).len();
    let mut end = other.end;
    for _ in 0..further {
        end += argument(text.get(end..)?)?;
    }
    if is_in_brackets {
        end += usize::from(text.get(end..)?.starts_with(')'));
    }
    let parts = [start..one.start, other.clone(), one.end..other.start, one, other.end..end];
    let parts: Option<Vec<&str>> = parts.into_iter().map(|part| text.get(part)).collect();
    let call = parts?.concat();
    (start < name.len() && !call.contains('\n')).then_some((start..end, call))
}

/// Returns a range with the parentheses around it.
fn with_brackets(text: &str, mut at: Range<usize>) -> Range<usize> {
    while let (Some(before), Some(after)) = (text.get(..at.start), text.get(at.end..)) {
        let (left, right) = (before.trim_end(), after.trim_start());
        // the parenthesis of a call follows its function
        let is_open = left.strip_suffix('(').is_some_and(|call| !call.ends_with(|c: char| c.is_alphanumeric()));
        if !is_open || !right.starts_with(')') {
            break;
        }
        at = left.len() - 1..text.len() - right.len() + 1;
    }
    at
}

/// Returns the length of the next argument of a call, with the blanks or the comma before it. `None` if the next sign begins none.
fn argument(text: &str) -> Option<usize> {
    let rest = text.trim_start_matches([' ', ',']);
    let blanks = text.len() - rest.len();
    let mut depth = 0usize;
    for (at, c) in rest.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' if depth == 0 => return (at > 0).then_some(blanks + at),
            ')' | ']' | '}' => {
                depth -= 1;
                if depth == 0 {
                    return Some(blanks + at + 1);
                }
            }
            _ if depth > 0 => {}
            ' ' | ',' | ';' | '\n' => return (at > 0).then_some(blanks + at),
            c if at == 0 && !(c.is_alphanumeric() || matches!(c, '_' | '$')) => return None,
            _ => {}
        }
    }
    (depth == 0 && !rest.is_empty()).then_some(text.len())
}

#[cfg(test)]
mod tests {
    use super::exchanged;

    #[test]
    fn calls_with_exchanged_arguments() {
        for (text, one, other, further, call) in [
            ("f 0 g xs", "0", "g", 1, Some("f g 0 xs")),
            ("(std.f 0 (fun x => x) [1, (2)]) + 1", "0", "fun x => x", 1, Some("std.f (fun x => x) 0 [1, (2)]")),
            ("{ a = f (1 + 2) (g h) }", "1 + 2", "g h", 0, Some("f (g h) (1 + 2)")),
            ("f(0, g, xs)", "0", "g", 1, Some("f(g, 0, xs)")),
            ("f(0, g)", "0", "g", 0, Some("f(g, 0)")),
            ("xs |> f 0 g", "0", "g", 1, None),
            ("f\n 0 g", "0", "g", 0, None),
            ("f 0 g \"a b\"", "0", "g", 1, None),
        ] {
            let at = |part: &str| text.find(part).map(|at| at..at + part.len()).unwrap();
            let found = exchanged(text, at(one), at(other), further);
            assert_eq!(found.map(|(_, call)| call).as_deref(), call, "{text}");
        }
    }
}
