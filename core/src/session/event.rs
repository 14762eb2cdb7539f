//! The data that a session returns to a face.

use crate::answer::steps::text::{Page, joined};
use crate::styled::Styled;
use crate::view::rich::Rich;
use std::collections::HashSet;

/// One result of an input. An input returns several, in order.
#[derive(Clone, Debug)]
pub enum Event {
    /// The value of an expression, and its type.
    Value {
        /// The result's number: `$n`.
        number: u32,
        /// The value in the dialect's syntax.
        value: Styled,
        /// Its type.
        ty: Styled,
        /// The separator of value and type in the language of the input: ` : `, ` ∈ `.
        of: &'static str,
        /// The value in richer forms, if the face wants them.
        rich: Option<Box<Rich>>,
    },
    /// A definition: `x : Number`.
    Bound(Styled),
    /// The answer to a command.
    Answer(Styled),
    /// The answer to a command, with richer forms ([`super::Session::set_rich`]).
    View {
        /// The text that [`Event::Answer`] would hold.
        text: Styled,
        /// The answer in richer forms.
        rich: Box<Rich>,
    },
    /// The answer to `:steps`: pages for a stepper. [`Event::text`] joins them.
    Steps {
        /// One page per step.
        pages: Vec<Page>,
        /// The text after the last page.
        footer: Styled,
        /// The answer in richer forms, if the face wants them.
        rich: Option<Box<Rich>>,
    },
    /// A rendered diagnostic. [`Styled::text`] returns it as plain text.
    Diagnostic {
        /// The severity.
        severity: crate::problem::Severity,
        /// `error: message [code]` and the report.
        report: Styled,
        /// The diagnostic in richer forms, if the face wants them.
        rich: Option<Box<Rich>>,
    },
    /// A line that the program printed (`std.trace`).
    Output(String),
    /// The session has ended.
    Quit,
}

impl Event {
    /// Returns `true` for a diagnostic that is an error.
    pub fn is_error(&self) -> bool {
        matches!(self, Event::Diagnostic { severity: crate::problem::Severity::Error, .. })
    }

    /// Returns the richer forms of the event. `None` if it has none, or if they were not asked for
    /// ([`super::Session::set_rich`]).
    pub fn rich(&self) -> Option<&Rich> {
        match self {
            Event::View { rich, .. } => Some(rich),
            Event::Value { rich, .. } | Event::Steps { rich, .. } | Event::Diagnostic { rich, .. } => rich.as_deref(),
            Event::Answer(_) | Event::Bound(_) | Event::Output(_) | Event::Quit => None,
        }
    }

    /// Joins the pages of `:steps`, without unchanged fields.
    pub fn text(pages: &[Page], footer: &Styled) -> Styled {
        joined(pages, footer)
    }
}

/// Removes diagnostics that repeat an earlier one: several definitions that read a faulty one have the same problem at the same
/// place. O(text).
pub(super) fn without_repeats(mut events: Vec<Event>) -> Vec<Event> {
    let mut seen = HashSet::new();
    events.retain(|event| match event {
        Event::Diagnostic { report, .. } => seen.insert(report.text()),
        _ => true,
    });
    events
}
