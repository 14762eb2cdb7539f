//! The messages of lexers, parsers and lowerings, as far as all languages have them.

use super::lookalike::lookalike;
use super::{KindNames, Label, Report, alternatives};
use crate::problem::syntax::{PastInput, SyntaxKind, SyntaxProblem};
use crate::text::Name;

pub(super) fn write(problem: &SyntaxProblem, kind_names: &KindNames, report: &mut Report) {
    let mut label = String::new();
    let mut further = Vec::new();
    report.message = match &problem.what {
        SyntaxKind::Data(what) => return super::data::write(what, problem.span, report),
        SyntaxKind::OfLanguage(own) => return own.problem().write(problem.span, report),
        SyntaxKind::Unexpected { found, expected } => {
            label = expected_here(expected);
            let hint = (kind_names.unexpected_hint)(found.as_deref().unwrap_or_default(), expected);
            let lookalike = found.as_deref().and_then(lookalike).map(|(_, instead)| instead);
            report.suggestions.extend(lookalike.or(hint).map(String::from));
            unexpected(found)
        }
        SyntaxKind::Secret => {
            label = String::from("the error is here");
            String::from("the text has a syntax error, which is not shown, because the text is a secret")
        }
        SyntaxKind::Unclosed(what) => {
            label = String::from("opened here, never closed");
            format!("unclosed {what}")
        }
        SyntaxKind::Reserved(word) => {
            label = String::from("expected a name");
            format!("`{word}` is a reserved word")
        }
        SyntaxKind::Escape(text) => format!("unknown escape sequence `{text}`"),
        SyntaxKind::NumberTooLarge => String::from("this number has too many digits to be held exactly"),
        SyntaxKind::TooDeep { limit } => {
            label = String::from("parts nested deeper than this are not read");
            format!("nested too deeply: more than {limit} levels")
        }
        SyntaxKind::Duplicate { name, what, first } => {
            label = String::from("bound again here");
            further.push(Label { span: *first, text: String::from("first bound here") });
            format!("duplicate {what} `{name}`")
        }
        SyntaxKind::Unbound { name, near, field, past } => {
            label = String::from("nothing of this name is in scope");
            if let Some(span) = field {
                further.push(Label { span: *span, text: String::from("a field of this name, out of scope above") });
            }
            report
                .suggestions
                .extend(past.as_deref().map(was).or_else(|| similar(near)).or_else(|| (kind_names.unbound_hint)(name)));
            format!("unbound name `{name}`")
        }
    };
    report.labels.push(Label { span: problem.span, text: label });
    report.labels.extend(further);
}

/// Returns the message for an unexpected token. `None` is the end of the input.
pub(crate) fn unexpected(found: &Option<Name>) -> String {
    match found {
        // not a token of the text
        Some(token)
            if matches!(token.as_str(), "the end of the line" | "the end of the block" | "an indented line") =>
        {
            format!("unexpected {}", token.split_once(' ').map_or(token.as_str(), |(_, what)| what))
        }
        Some(token) => match lookalike(token) {
            Some((name, _)) => format!("unexpected {name}"),
            None => format!("unexpected `{token}`"),
        },
        None => String::from("unexpected end of input"),
    }
}

/// Returns the label for an unexpected token: the tokens that are possible.
pub(crate) fn expected_here(expected: &[Name]) -> String {
    match expected {
        [] => String::new(),
        all => format!("expected {}", alternatives(all)),
    }
}

/// Suggests similar names, nearest first. `None` if there are none.
pub(crate) fn similar(near: &[Name]) -> Option<String> {
    let quoted: Vec<Name> = near.iter().map(|n| format!("`{n}`").into()).collect();
    (!near.is_empty()).then(|| format!("did you mean {}?", alternatives(&quoted)))
}

/// Lists formats of imports: `'Json, 'Yaml`.
pub(crate) fn formats(all: &[Name]) -> String {
    all.iter().map(|name| format!("'{name}")).collect::<Vec<_>>().join(", ")
}

/// Explains what an input without a result was, and what to write instead.
pub(crate) fn was(past: &PastInput) -> String {
    let number = past.number;
    let names: Vec<String> = past.defined.iter().take(3).map(|name| format!("`{name}`")).collect();
    match past.defined.as_slice() {
        [first, ..] if past.redefined => {
            let names = names.join(", ");
            format!("input {number} defined {names}, which has been redefined since: `:history {first}`")
        }
        [_, ..] => format!("input {number} has no result: it defined {}; write that", names.join(", ")),
        [] => format!("no input {number} has a result"),
    }
}
