//! Leaves out reports that follow from another one on their line: the other words of `lambda x: x + 1` and `from os import path`.

use super::foreign;
use super::words::foreign_word;
use crate::problem::Problem;
use crate::text::Span;

/// Words with which a line of another language begins, also before an operator.
const FIRST: [&str; 4] = ["select", "from", "insert", "lambda"];

/// Removes the reports of unbound names after a word of another language on the same line. In an `input` of one line that
/// begins with an unbound name and its argument, removes all others: the line is no expression of this language. `O(problems)`
/// steps, each on the text between two places.
pub(super) fn remove(problems: &mut Vec<Problem>, text: &str, input: bool) {
    let slice = |span: Span| text.get(span.start as usize..span.end as usize).unwrap_or_default();
    let is_unbound = |problem: &Problem| problem.code() == "scope/unbound";
    let is_one_line = input && !text.trim().contains('\n');
    if is_one_line
        && let Some(first) = problems.first().filter(|problem| is_unbound(problem))
        && let Some(span) = first.span()
        && text.get(..span.start as usize).is_some_and(|before| before.trim().is_empty())
        && !slice(span).starts_with('_')
        && text.get(span.end as usize..).is_some_and(|after| is_argument(after) || FIRST.contains(&slice(span)))
    {
        problems.truncate(1);
        return;
    }
    // a line of another language is one fault
    if is_one_line
        && problems.len() > 1
        && let Some(first) = problems.first()
        && let Some(span) = first.span()
        && foreign::advice(first.code(), text, span.start as usize..span.end as usize).is_some()
    {
        problems.truncate(1);
        return;
    }
    let mut cause: Option<Span> = None;
    problems.retain(|problem| {
        let Some(span) = problem.span() else { return true };
        let is_quote = problem.code() == "syntax/quotes";
        if !is_unbound(problem) && !is_quote {
            if problem.code() == "syntax/unexpected" && slice(span).starts_with("''") {
                cause = Some(span);
            }
            return true;
        }
        let follows = cause.is_some_and(|cause| {
            text.get(cause.end as usize..span.start as usize).is_some_and(|between| !between.contains('\n'))
        });
        if !follows && is_unbound(problem) {
            let word = slice(span);
            cause = (FIRST.contains(&word)
                || matches!(word, "function" | "lambda" | "def")
                || input && foreign_word(word).is_some())
            .then_some(span);
        }
        !follows
    });
}

/// Returns `true` if a text begins with an argument: a blank, and a word, a string or a bracket.
fn is_argument(after: &str) -> bool {
    let rest = after.trim_start_matches([' ', '\t']);
    rest.len() < after.len()
        && rest.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '"' | '[' | '{' | '('))
}
