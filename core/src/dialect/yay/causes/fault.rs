//! The causes of problems, and their messages.

use crate::dialect::yay::problem::listed;
use crate::problem::report::{Label, Report};
use crate::problem::syntax::LanguageProblem;
use crate::text::{Name, Span};

/// Maximum number of further places in a report.
const MAX_PLACES: usize = 4;

/// A cause.
#[derive(Clone, PartialEq, Debug)]
pub enum Cause {
    /// A call of a macro that does not pass a name which the macro reads.
    NoArgument {
        /// The macro.
        template: Name,
        /// The name.
        name: Name,
        /// The place where the macro reads it.
        read: Span,
        /// The other calls that do not pass it.
        others: Vec<Span>,
    },
    /// An argument that the macro does not read, beside a similar name that it reads.
    MisspeltArgument {
        /// The macro.
        template: Name,
        /// The argument.
        given: Name,
        /// The similar name.
        name: Name,
        /// The place where the macro reads it.
        read: Span,
    },
    /// A name in a macro that no call passes, beside a similar argument.
    MisspeltParameter {
        /// The macro.
        template: Name,
        /// The name.
        name: Name,
        /// The similar argument.
        near: Name,
        /// The argument of one of the calls.
        given: Span,
    },
    /// `value | function`
    Pipe {
        /// The correction.
        call: Name,
        /// Whether it is a fallback: `value | default(x)`.
        is_fallback: bool,
    },
    /// `app-name`, where there is a key of this name.
    Dash {
        /// The key.
        key: Name,
        /// The expression that reads it. `None` if there is no short one.
        read: Option<Name>,
        /// The definition of the key.
        definition: Span,
    },
    /// A key of a dict that a loop goes over, which is read as the key's value.
    KeyOfLoop {
        /// The variable.
        variable: Name,
        /// The dict.
        items: Name,
        /// The field that is read.
        field: Name,
        /// The place of the dict in the loop.
        place: Span,
    },
    /// `key:` with nothing below it, whose keys are not indented.
    NotIndented {
        /// The key.
        key: Name,
        /// The place of that line's key.
        next_span: Span,
        /// The place that reads the key as a dict.
        read: Span,
    },
    /// A key that a dict does not have.
    NoKey {
        /// The key.
        name: Name,
        /// The keys that the dict has.
        keys: Vec<Name>,
    },
    /// Keys of the document that need each other.
    Cycle {
        /// The first key.
        first: Name,
        /// The others, in order, with the places of their values.
        others: Vec<(Name, Span)>,
    },
    /// A key whose value is replaced by one of another kind, so that its readers fail.
    Replaced {
        /// The key.
        key: Name,
        /// The kind of the value that is replaced.
        was: &'static str,
        /// The kind of the new value.
        now: &'static str,
        /// The definition that is replaced.
        other: Option<Span>,
        /// The readers.
        reads: Vec<Span>,
    },
}

impl LanguageProblem for Cause {
    fn code(&self) -> &'static str {
        match self {
            Cause::NoArgument { .. } | Cause::MisspeltArgument { .. } => "types/call",
            Cause::MisspeltParameter { .. } => "scope/unbound",
            Cause::Pipe { .. } | Cause::Dash { .. } => "syntax/unexpected",
            Cause::KeyOfLoop { .. } | Cause::NotIndented { .. } => "types/conflict",
            Cause::NoKey { .. } => "types/missing-field",
            Cause::Cycle { .. } => "types/names-itself",
            Cause::Replaced { .. } => "types/changes-type",
        }
    }

    fn write(&self, span: Span, report: &mut Report) {
        let mut others: Vec<(Span, String)> = Vec::new();
        let (message, label, help) = match self {
            Cause::NoArgument { template, name, read, others: calls } => {
                others.push((*read, format!("`{template}` reads it here")));
                others.extend(calls.iter().map(|call| (*call, format!("this call passes no `{name}` either"))));
                (
                    format!("a call of `{template}` without `{name}`"),
                    format!("no `{name}` is passed here"),
                    format!("add a line `{name}: VALUE`, indented below `call {template}:`"),
                )
            }
            Cause::MisspeltArgument { template, given, name, read } => {
                others.push((*read, format!("`{template}` reads `{name}` here")));
                (
                    format!("a call of `{template}` without `{name}`"),
                    format!("`{template}` reads no `{given}`"),
                    format!("did you mean `{name}`?"),
                )
            }
            Cause::MisspeltParameter { template, name, near, given } => {
                others.push((*given, format!("this call passes `{near}`")));
                (
                    format!("no call of `{template}` passes `{name}`"),
                    String::from("nothing of this name is in scope"),
                    format!("did you mean `{near}`?"),
                )
            }
            Cause::Pipe { call, is_fallback } => {
                let what = if *is_fallback { "a fallback" } else { "a function" };
                (
                    format!("{what} after `|`"),
                    String::from("`|` combines the bits of two numbers; there are no filters"),
                    format!("write `{call}`"),
                )
            }
            Cause::Dash { key, read, definition } => {
                others.push((*definition, String::from("the key is defined here")));
                let renamed = key.replace('-', "_");
                let help = match read {
                    Some(read) => format!("write `{read}`, or name the key `{renamed}`"),
                    None => format!("name the key `{renamed}`"),
                };
                (
                    format!("`{key}` is a subtraction in an expression"),
                    String::from("this subtracts one name from another"),
                    help,
                )
            }
            Cause::KeyOfLoop { variable, items, field, place } => {
                others.push((*place, String::from("this is a dict: the loop goes over its keys")));
                (
                    format!("`{variable}` is a key of `{items}`, not its value"),
                    format!("a key is a text, and has no `{field}`"),
                    format!("write `{items}[{variable}].{field}`"),
                )
            }
            Cause::NotIndented { key, next_span, read } => {
                others.push((*next_span, format!("not indented, so it is no part of `{key}`")));
                others.push((*read, String::from("read as a dict here")));
                (
                    format!("`{key}` has no value, and the lines after it are not indented"),
                    String::from("nothing is indented below this key"),
                    format!("indent the lines that belong to `{key}`, by two blanks"),
                )
            }
            Cause::NoKey { name, keys } => (
                format!("no field `{name}`"),
                format!("the dict here has no `{name}`"),
                match keys.as_slice() {
                    [key] => {
                        format!("its only key is `{key}`; add `{name}` where the dict is defined, or read `{key}`")
                    }
                    _ => format!(
                        "its keys are {}; add `{name}` where the dict is defined, or read one of these",
                        listed(keys, keys.len())
                    ),
                },
            ),
            Cause::Cycle { first, others: keys } => {
                let names: Vec<Name> = keys.iter().map(|(name, _)| name.clone()).collect();
                let next = names.iter().skip(1).chain([first]);
                let labels = keys.iter().zip(next).map(|((name, at), next)| (*at, format!("`{name}` reads `{next}`")));
                others.extend(labels);
                (
                    format!("`{first}` names itself by way of {}: it has no value", listed(&names, MAX_PLACES)),
                    match names.first() {
                        Some(next) => format!("`{first}` reads `{next}`"),
                        None => String::new(),
                    },
                    String::from("give one of them a value that reads none of the others"),
                )
            }
            Cause::Replaced { key, was, now, other, reads } => {
                others.extend(other.iter().map(|other| (*other, format!("this is a {was}"))));
                others.extend(reads.iter().map(|read| (*read, format!("read as a {was} here"))));
                (
                    format!("`{key}` changes from {was} to {now}"),
                    format!("this replaces it by a {now}"),
                    String::from("give one of them another name"),
                )
            }
        };
        report.message = message;
        report.labels.push(Label { span, text: label });
        report.labels.extend(others.into_iter().take(MAX_PLACES).map(|(span, text)| Label { span, text }));
        report.suggestions.push(help);
    }
}
