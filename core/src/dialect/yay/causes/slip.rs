//! The causes of problems with operators, indices and layers, and their messages.

use crate::dialect::yay::problem::listed;
use crate::problem::report::{Label, Report};
use crate::problem::syntax::LanguageProblem;
use crate::text::{Name, Span};

/// Maximum number of keys in a message.
const MAX_KEYS: usize = 6;

/// A cause.
#[derive(Clone, PartialEq, Debug)]
pub enum Slip {
    /// `list + 1`
    AddsToList {
        /// The list as written, if it is a path.
        list: Option<Name>,
        /// The element, or one like it.
        element: Name,
        /// The place of the list's definition.
        definition: Option<Span>,
    },
    /// `"%s" % name`, with the name if it is a path.
    Format(Option<Name>),
    /// An operator that works on numbers, and an operand that is a text.
    NotANumber {
        /// The operator.
        operator: &'static str,
        /// The operand, if it is a key, and its definition.
        key: Option<(Name, Span)>,
    },
    /// `dict[0]`
    IndexOfDict {
        /// The dict as written.
        dict: Name,
        /// Its keys.
        keys: Vec<Name>,
        /// Its definition.
        definition: Span,
    },
    /// `list.name`, where the elements have this key.
    KeyOfList {
        /// The list as written.
        list: Name,
        /// The key.
        key: Name,
    },
    /// `a[b]`, where `a` has a key `b`.
    KeyAsIndex {
        /// The dict as written.
        dict: Name,
        /// The key.
        key: Name,
        /// The definition of the key in the dict.
        definition: Span,
    },
    /// `for k, v in dict`
    PairsOfDict {
        /// The dict as written.
        dict: Name,
        /// The variables.
        names: [Name; 2],
    },
    /// A text that is read as a dict.
    KeyOfText {
        /// The text as written.
        of: Name,
        /// The key.
        key: Name,
        /// Its definition.
        definition: Span,
        /// Whether it is the word `null`.
        is_null: bool,
    },
    /// A list or a dict whose key has another kind of value in the layers below.
    OnTop {
        /// The key.
        key: Name,
        /// The kind of the upper value.
        own: &'static str,
        /// The kind of the lower value.
        below: &'static str,
        /// The definition of the lower value.
        under: Option<Span>,
        /// Whether it is written with `extend`.
        is_extended: bool,
    },
    /// A value that contains itself: its path, and the place of a value around it that it reads.
    ContainsItself(Name),
    /// `enabled == True`, where the key is a text such as `yes`.
    TruthOfText {
        /// The key as written.
        key: Name,
        /// The operator.
        operator: &'static str,
        /// The text of the key.
        text: Name,
        /// The text that it is compared with.
        meant: &'static str,
        /// The definition of the key.
        definition: Span,
    },
    /// `text[0].key`
    KeyOfLetter {
        /// The text as written.
        of: Name,
        /// Its definition.
        definition: Span,
    },
}

impl LanguageProblem for Slip {
    fn code(&self) -> &'static str {
        match self {
            Slip::AddsToList { .. } | Slip::Format(_) | Slip::NotANumber { .. } => "types/conflict",
            Slip::IndexOfDict { .. } | Slip::KeyOfList { .. } | Slip::PairsOfDict { .. } => "types/conflict",
            Slip::KeyOfText { .. } | Slip::KeyOfLetter { .. } => "types/conflict",
            Slip::KeyAsIndex { .. } => "types/missing-field",
            Slip::OnTop { .. } => "value/type",
            Slip::ContainsItself(_) => "types/names-itself",
            Slip::TruthOfText { .. } => "scope/unbound",
        }
    }

    fn write(&self, span: Span, report: &mut Report) {
        let mut other: Option<(Span, String)> = None;
        let (message, label, help) = match self {
            Slip::AddsToList { list, element, definition } => {
                other = definition.map(|place| (place, String::from("this is a list")));
                let list = list.as_ref().map_or("LIST", Name::as_str);
                (
                    String::from("`+` joins a list only with another list"),
                    String::from("this is not a list"),
                    format!("put the element in brackets: `{list} + [{element}]`"),
                )
            }
            Slip::Format(name) => (
                String::from("`%` does not insert values into a text"),
                String::from("`%` is the rest of a division of two numbers"),
                match name {
                    Some(name) => format!("write the text around the template, as in `text-{{{{ {name} }}}}`"),
                    None => String::from("write the text around a template, as in `text-{{ name }}`"),
                },
            ),
            Slip::NotANumber { operator, key, .. } => {
                let help = match key {
                    Some((key, _)) => {
                        format!(
                            "give `{key}` a number: only digits, with a point if needed, without quotes and without a unit"
                        )
                    }
                    None => String::from("write a number, without quotes"),
                };
                let label = match key {
                    Some((key, place)) => {
                        other = Some((*place, String::from("this value is a text, because it is not only digits")));
                        format!("`{key}` is a text")
                    }
                    None => String::from("this is a text"),
                };
                (format!("`{operator}` works on numbers, and this is a text"), label, help)
            }
            Slip::IndexOfDict { dict, keys, definition } => {
                other = Some((*definition, String::from("this is a dict")));
                let help = match keys.as_slice() {
                    [key] => format!("its only key is `{key}`: write `{dict}[\"{key}\"]`"),
                    [key, ..] => {
                        format!("its keys are {}: write `{dict}[\"{key}\"]`, for example", listed(keys, MAX_KEYS))
                    }
                    [] => format!("a value is read by its key: `{dict}[\"KEY\"]`"),
                };
                (format!("`{dict}` is a dict, and has no order"), String::from("a number is an index of a list"), help)
            }
            Slip::KeyOfList { list, key } => (
                format!("`{list}` is a list, and its elements have the key `{key}`"),
                format!("a list has no `{key}`"),
                format!("for one element write `{list}[0].{key}`, for all of them `[x.{key} for x in {list}]`"),
            ),
            Slip::KeyAsIndex { dict, key, definition } => {
                other = Some((*definition, format!("`{dict}` has this key")));
                (
                    format!("`{dict}[{key}]` reads the key that the value of `{key}` names"),
                    format!("`{dict}` has no such key"),
                    format!("did you mean `{dict}[\"{key}\"]`?"),
                )
            }
            Slip::PairsOfDict { dict, names: [key, value] } => (
                format!("a loop over a dict goes over its keys, and `{dict}` is a dict"),
                String::from("a key is one text, not a pair"),
                format!("write `for {key}, {value} in items({dict})`, or `for {key} in {dict}` and `{dict}[{key}]`"),
            ),
            Slip::KeyOfText { of, key, definition, is_null } => {
                let place = if *is_null { "`null` in a document is a text" } else { "this value is a text" };
                other = Some((*definition, String::from(place)));
                (
                    format!("`{of}` is a text, and has no `{key}`"),
                    String::from("read as a dict here"),
                    match is_null {
                        true => {
                            format!("leave `{of}` out, and read `{of}.{key} else \"\"`; or give it the key `{key}`")
                        }
                        false => format!("to make `{of}` a dict, write `{key}: VALUE` indented below it"),
                    },
                )
            }
            Slip::OnTop { key, own, below, under, is_extended } => {
                other = under.map(|place| (place, format!("`{key}` is a {below} here")));
                let help = match (*below, *is_extended) {
                    ("list", _) => {
                        format!("add elements to it, `extend {key}:` with `- VALUE` indented below, or use another key")
                    }
                    ("dict", _) => String::from("add keys to it, as in `KEY: VALUE`, or use another key for the list"),
                    (_, true) => {
                        let line = if *own == "list" { "- VALUE" } else { "KEY: VALUE" };
                        format!("make `{key}` a {own} above, `{line}` indented below `{key}:`, or use another key here")
                    }
                    (_, false) => format!("remove one of the two, or use another key for the {own}"),
                };
                (format!("a {own} cannot continue the {below} `{key}`"), format!("this is a {own}"), help)
            }
            Slip::ContainsItself(path) => (
                format!("`{path}` contains itself, so it has no end"),
                String::from("this value is a dict or a list that `{path}` is a part of").replace("{path}", path),
                format!("let `{path}` read a part that it does not belong to"),
            ),
            Slip::KeyOfLetter { of, definition } => {
                other = Some((*definition, String::from("this value is a text")));
                (
                    format!("`{of}` is a text, and an index reads one letter of it"),
                    String::from("a letter has no keys"),
                    format!("write `{of}` for the whole text"),
                )
            }
            Slip::TruthOfText { key, operator, text, meant, definition } => {
                other = Some((*definition, format!("the text `{text}`")));
                (
                    format!("`{key}` is a text, and is compared with a name of Python"),
                    String::from("nothing of this name is in scope"),
                    format!("compare texts: `{key} {operator} \"{meant}\"`"),
                )
            }
        };
        report.message = message;
        report.labels.push(Label { span, text: label });
        report.labels.extend(other.map(|(span, text)| Label { span, text }));
        report.suggestions.push(help);
    }
}
