//! The messages of broken contracts.

use super::value::{SHOWN, article, is_real, mark, path, written};
use super::{KindNames, Label, Report, ordinal};
use crate::problem::datum::Datum;
use crate::problem::value::{Blame, ContractViolation, ValueProblem};
use crate::styled::Styled;
use crate::text::Name;

/// Maximum length of the name of a contract in a sentence, in characters.
const NAMED: usize = 40;

/// Returns the steps of a violation's path from the function that has the contract to the violated value. Empty if the
/// contract is not that of a function.
pub(super) fn calls(broken: &ContractViolation) -> &[Name] {
    match broken.path.iter().any(|step| is_call(step)) {
        true => &broken.path,
        false => &[],
    }
}

fn is_call(step: &str) -> bool {
    step == "argument" || step == "->"
}

pub(super) fn write(problem: &ValueProblem, broken: &ContractViolation, kind_names: &KindNames, report: &mut Report) {
    let expected: Vec<Styled> = broken.expected.iter().map(|text| Styled::from(text.as_str())).collect();
    let show = |value: &Datum| written(value, kind_names.tag).cut_apart(SHOWN, &expected).text();
    let steps = calls(broken);
    let field = field_of(problem, broken);
    let subject = match (steps, &field) {
        ([], Some(field)) => format!("`{field}`"),
        ([], None) => String::from("the value"),
        (steps, _) => of_function(steps, broken),
    };
    let found = broken.found.as_ref().map(|found| match &broken.value {
        Some(tag @ Datum::Tag(_)) => format!("`{}`", show(tag)),
        _ => article((kind_names.kind)(found)),
    });
    report.message = match (&broken.message, &broken.expected, found) {
        (None, Some(expected), Some(found)) => {
            let expected = match kind_names.field {
                "key" => data_words(expected).unwrap_or_else(|| expected_words(expected)),
                _ => expected_words(expected),
            };
            match steps.split_last() {
                Some((last, before)) if last == "->" && before.iter().all(|step| step == "->") => {
                    format!("{} promises {expected}, but returns {found}", function(broken))
                }
                _ => format!("{subject} must be {expected}, but is {found}"),
            }
        }
        (message, _, _) => {
            // a function that breaks the contract of its own argument, or a caller that breaks that of a result
            let arguments = steps.iter().filter(|step| *step == "argument").count();
            let is_own = !steps.is_empty() && (arguments % 2 == 1) == (broken.blame == Blame::Value);
            let subject = if is_own { function(broken) } else { subject };
            let by_caller = steps.is_empty() && broken.blame == Blame::Caller;
            let subject = if by_caller { format!("the use of {subject}") } else { subject };
            let contract = match is_own || broken.contract.is_empty() || broken.contract.chars().count() > NAMED {
                true => String::from("its contract"),
                false => format!("the contract `{}`", broken.contract),
            };
            let why = message.as_ref().map_or_else(String::new, |message| format!(": {}", without_advice(message).0));
            format!("{subject} breaks {contract}{why}")
        }
    };
    report.secrets.extend(broken.value_span.filter(|_| broken.value == Some(Datum::Secret)));
    let is_extra = broken.message.as_ref().is_some_and(|message| message.starts_with("extra field"));
    let came = match (&broken.value, &broken.found) {
        _ if is_extra => String::from("not allowed here"),
        (Some(Datum::Null), Some(_)) if kind_names.field == "key" => String::from("null"),
        (Some(value), Some(found)) => format!("{} is {}", show(value), article((kind_names.kind)(found))),
        (Some(value), None) => show(value),
        (None, _)
            if broken
                .message
                .as_ref()
                .is_some_and(|message| message.starts_with("unexpected key") || message.starts_with("the key `")) =>
        {
            String::from("this key")
        }
        _ if broken
            .message
            .as_ref()
            .is_some_and(|message| message.starts_with("missing key") && message.contains(", which this `")) =>
        {
            String::from("because of this")
        }
        _ if broken.message.as_ref().is_some_and(|message| message.starts_with("missing key")) => {
            String::from("this mapping")
        }
        (None, _) => String::from("this value"),
    };
    let named = match broken.contract.is_empty() {
        true => String::from("the contract"),
        false => format!("the contract `{}`", broken.contract),
    };
    mark(report, broken.value_span, came);
    mark(report, broken.contract_span, named);
    let predicate = broken.predicate.filter(|span| is_real(*span));
    if let Some(span) = predicate {
        let value = broken.value.as_ref().map_or_else(String::new, |value| format!(" for {}", show(value)));
        report.labels.push(Label { span, text: format!("this is false{value}") });
    }
    if broken.call_span != broken.value_span {
        mark(report, broken.call_span, String::from("in this call"));
    }
    if steps.is_empty() && !is_known(problem, broken) {
        let inside: Vec<String> = broken.path.iter().rev().map(|step| step_in_words(step)).collect();
        if !inside.is_empty() {
            report.notes.push(format!("the violation is in {} of the value", inside.join(" of ")));
        }
    }
    if broken.value_span.is_none()
        && let Some(value) = &broken.value
    {
        report.notes.push(format!("the value is {}", show(value)));
    }
    report.notes.extend(broken.notes.iter().map(Name::to_string));
    report.suggestions.extend(broken.message.as_ref().and_then(|message| without_advice(message).1));
    if let Some(near) = broken.near.first() {
        report.suggestions.push(format!("did you mean `{near}`?"));
    }
    if let (Some(expected), Some(Datum::String(text))) = (broken.expected.as_deref(), &broken.value)
        && is_written_as(expected, text)
    {
        let expected = (kind_names.kind)(expected);
        report.suggestions.push(format!("without the quotes, it is a {expected}: `{text}`"));
    }
    report.suggestions.extend(data_form(broken).filter(|_| kind_names.field == "key").map(String::from));
    if let (Some("Bool"), Some(Datum::String(text)), "key") =
        (broken.expected.as_deref(), &broken.value, kind_names.field)
        && matches!(text.to_lowercase().as_str(), "yes" | "no" | "on" | "off")
    {
        report.suggestions.push(String::from("write `true` or `false`: words such as `yes` and `on` are strings"));
    }
    let is_list = broken.expected.as_deref().is_some_and(|expected| expected.starts_with("Array"));
    if is_list && broken.found.as_deref().is_some_and(|found| matches!(found, "String" | "Number" | "Bool")) {
        report.suggestions.push(String::from("one element is a list too, in brackets: `[x]`"));
    }
    let is_tag = broken.expected.as_ref().is_some_and(|expected| expected.starts_with('`'));
    if is_tag && broken.found.as_ref().is_some_and(|found| found == "String") {
        report.suggestions.push(String::from(match kind_names.field {
            "key" => "data has no tags: the contract takes a text with `std.enum.TagOrString | ` before its tags",
            _ => super::conflict::TAG,
        }));
    }
}

/// Splits the advice off a message: `…; did you mean `dock`?`
fn without_advice(message: &str) -> (&str, Option<String>) {
    match message.rsplit_once("; did you mean ") {
        Some((before, meant)) if meant.ends_with('?') => (before, Some(format!("did you mean {meant}"))),
        _ => (message, None),
    }
}

/// Writes an expected type in the words for data. `None` for a type that has no such word.
fn data_words(expected: &str) -> Option<String> {
    Some(String::from(match expected {
        "Number" => "a number",
        "String" => "a string",
        "Bool" => "`true` or `false`",
        "Record" => "a mapping",
        other if other.starts_with('{') => "a mapping",
        other if other.starts_with("Array") => "a list",
        _ => return None,
    }))
}

/// Returns how a text or an empty value of the expected type is written in data, for a value that is none.
fn data_form(broken: &ContractViolation) -> Option<&'static str> {
    const QUOTED: &str = "in quotes it is a string";
    let message = broken.message.as_deref();
    Some(match (broken.expected.as_deref(), &broken.value) {
        (Some("String"), Some(Datum::Number(_) | Datum::Bool(_))) => QUOTED,
        (None, Some(Datum::Number(_) | Datum::Bool(_))) if message == Some("the value must be a string") => QUOTED,
        (Some("String"), Some(Datum::Null)) => "an empty string is `\"\"`",
        (Some(expected), Some(Datum::Null)) if expected.starts_with("Array") => "an empty list is `[]`",
        (Some(expected), Some(Datum::Null)) if expected == "Record" || expected.starts_with('{') => {
            "an empty mapping is `{}`"
        }
        _ => return None,
    })
}

/// Whether a text, without quotes, is a value of a type.
fn is_written_as(ty: &str, text: &str) -> bool {
    match ty {
        "Number" => !text.is_empty() && text.parse::<f64>().is_ok_and(f64::is_finite),
        "Bool" => matches!(text, "true" | "false"),
        _ => false,
    }
}

/// Returns the path of the violated value, from the outermost record.
fn field_of(problem: &ValueProblem, broken: &ContractViolation) -> Option<String> {
    let field = match (problem.path.is_empty(), &broken.field) {
        (false, _) => Some(path(&problem.path)),
        (true, Some(name)) => Some(name.to_string()),
        (true, None) => None,
    };
    match (field, broken.inside.as_str()) {
        (field, "") => field,
        (None, inside) => Some(inside.to_owned()),
        (Some(field), inside) if inside.starts_with('[') => Some(field + inside),
        (Some(field), inside) => Some(format!("{field}.{inside}")),
    }
}

/// Returns `true` if the path of the field ends in the part that violates the contract.
fn is_known(problem: &ValueProblem, broken: &ContractViolation) -> bool {
    let step_is = |(step, name): (&Name, &Name)| step == name || step == "[]" && name.starts_with('[');
    problem.path.len() >= broken.path.len() && broken.path.iter().rev().zip(problem.path.iter().rev()).all(step_is)
}

/// Writes an expected type with its article. Tags are quoted.
fn expected_words(expected: &str) -> String {
    if expected.starts_with(['`', '\'']) { expected.to_owned() } else { article(expected) }
}

fn function(broken: &ContractViolation) -> String {
    broken.function.as_ref().map_or_else(|| String::from("the function"), |name| format!("`{name}`"))
}

/// Describes a part of the arguments or of the result of a function.
fn of_function(steps: &[Name], broken: &ContractViolation) -> String {
    let mut words = function(broken);
    let mut results = 0;
    for step in steps {
        words = match step.as_str() {
            "->" => {
                results += 1;
                continue;
            }
            // the results before it are the functions that take the further arguments
            "argument" if results > 0 => format!("the {} argument of {words}", ordinal(results + 1)),
            _ if results > 0 => format!("{} of the result of {words}", step_in_words(step)),
            _ => format!("{} of {words}", step_in_words(step)),
        };
        results = 0;
    }
    if results > 0 { format!("the result of {words}") } else { words }
}

/// Describes a step of a contract violation's path: `[]`, `->`, `argument`, a tag or a field.
fn step_in_words(step: &str) -> String {
    match step {
        "[]" => String::from("an element"),
        "->" => String::from("the result"),
        "argument" => String::from("the argument"),
        tag if tag.starts_with('\'') => format!("the argument of {tag}"),
        field => format!("the field `{field}`"),
    }
}
