//! The messages of calls whose arguments do not fit the parameters of the function.

use super::value::article;
use super::{KindNames, Label, Report, ordinal};
use crate::problem::types::CallFault;
use crate::text::{Name, Span};

/// Writes the message of a call. `function` is its type, and then come its call as it is written and its parameters.
pub(super) fn write(
    span: Span,
    fault: &CallFault,
    function: &str,
    (usage, defined): (&Option<Name>, &Option<Span>),
    kind_names: &KindNames,
    report: &mut Report,
) {
    report.message = match fault {
        CallFault::TooMany { takes, extra } => {
            let (these, parameters) = match extra {
                1 => ("this argument", "a parameter"),
                _ => ("these arguments", "parameters"),
            };
            report.suggestions.push(match defined {
                Some(_) => format!("remove {these}, or add {parameters} to the function"),
                None => format!("remove {these}"),
            });
            format!("too many arguments: the function takes {takes}")
        }
        CallFault::NoParameter { name, near } => {
            report.suggestions.push(match near {
                Some(near) => format!("did you mean `{near}=…`?"),
                None => String::from("an argument has the name of one of these parameters, or no name"),
            });
            format!("the function has no parameter `{name}`")
        }
        CallFault::Exchanged { names, places: [one, other], rotated, .. } => {
            let usage = usage.as_deref().unwrap_or_default();
            let name = usage.split('(').next().unwrap_or_default();
            report.suggestions.push(match names {
                None => format!("`{name}` takes them in this order: {function}"),
                Some(_) => format!("write `{usage}`"),
            });
            match names {
                _ if *rotated => format!("the arguments of `{name}` seem to be in another order"),
                None => {
                    let (one, other) = (ordinal(*one), ordinal(*other));
                    format!("the {one} and the {other} argument of `{name}` seem to be exchanged")
                }
                Some([one, other]) => format!("the arguments `{one}` and `{other}` of `{name}` seem to be exchanged"),
            }
        }
        CallFault::RepeatedArgument { name } => {
            report.suggestions.push(format!("`{name}` is passed twice, by its place or its name: remove one of both"));
            format!("the parameter `{name}` is given twice")
        }
        CallFault::Missing { name: Some(name), .. } => {
            let or = if defined.is_some() { ", or give the parameter a default" } else { "" };
            report.suggestions.push(format!("pass it, by its place or as `{name}=…`{or}"));
            format!("missing argument: `{name}`")
        }
        CallFault::Missing { name: None, place } => format!("missing argument: the {} one", ordinal(*place)),
    };
    let mut label = |span: Span, text: String| report.labels.push(Label { span, text });
    if let CallFault::Exchanged { names, found, other, .. } = fault {
        let named = |found: &Name| match found.as_str() {
            "Function" => String::from("a function"),
            kind => article((kind_names.kind)(kind)),
        };
        let [one, second] = found.each_ref().map(named);
        let [first, last] = match names {
            Some(names) => names.each_ref().map(|name| format!(", passed as `{name}`")),
            None => [String::new(), String::new()],
        };
        label(span, format!("this is {one}{first}"));
        label(*other, format!("this is {second}{last}"));
        return;
    }
    match (usage, defined) {
        (Some(usage), Some(defined)) => {
            label(
                span,
                match fault {
                    CallFault::Missing { .. } => String::from("an argument is missing"),
                    CallFault::RepeatedArgument { .. } => String::from("given again here"),
                    CallFault::NoParameter { name, .. } => format!("passed as `{name}`"),
                    CallFault::TooMany { extra: 2.., .. } => String::from("these have no parameters"),
                    CallFault::TooMany { .. } | CallFault::Exchanged { .. } => String::from("this has no parameter"),
                },
            );
            label(
                *defined,
                match usage.starts_with('(') {
                    true => format!("the function takes `{usage}`"),
                    false => format!("the function is `{usage}`"),
                },
            );
        }
        (Some(usage), None) => label(span, format!("the function is `{usage}`")),
        (None, _) => label(span, format!("the function is {function}")),
    }
}
