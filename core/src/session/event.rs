//! What a face sends and what it sees: plain data.

use crate::answer::steps::text::Page;
use crate::styled::Styled;
use crate::view::rich::Rich;

/// One thing that came of an input, in order.
#[derive(Clone, Debug)]
pub enum Event {
    /// A value: what the input evaluates to, and its type to be shown dim behind it.
    Value {
        /// The result's number: `$n`.
        number: u32,
        /// The value in the dialect's syntax.
        value: Styled,
        /// Its type.
        ty: Styled,
        /// What stands between the two in the language of the input: ` : `, ` ∈ `.
        of: &'static str,
        /// The value in richer forms, where a face asked for them.
        rich: Option<Box<Rich>>,
    },
    /// A definition: `x : Number`.
    Bound(Styled),
    /// The answer to a command.
    Answer(Styled),
    /// The answer to a command, in richer forms too: a face asked for them ([`super::Session::set_rich`]).
    View {
        /// What [`Event::Answer`] would hold.
        text: Styled,
        /// The same in richer forms.
        rich: Box<Rich>,
    },
    /// The answer to `:steps`: pages that a terminal steps through; [`Event::text`] is all of them.
    Steps {
        /// One a step.
        pages: Vec<Page>,
        /// What stands under the last one.
        foot: Styled,
        /// The same in richer forms, where a face asked for them.
        rich: Option<Box<Rich>>,
    },
    /// A diagnostic, rendered. Plain text is [`Styled::text`].
    Diagnostic {
        /// How much it matters.
        severity: crate::problem::Severity,
        /// `error: message [code]` and the report.
        report: Styled,
        /// The same in richer forms, where a face asked for them.
        rich: Option<Box<Rich>>,
    },
    /// Something the program printed (`std.trace`).
    Output(String),
    /// The session is over.
    Quit,
}

impl Event {
    /// Whether it tells of an error.
    pub fn is_error(&self) -> bool {
        matches!(self, Event::Diagnostic { severity: crate::problem::Severity::Error, .. })
    }

    /// The pages of `:steps` one under the other, unchanged fields left out.
    pub fn text(pages: &[Page], foot: &Styled) -> Styled {
        let mut out = Styled::new();
        for page in pages {
            out.append(&page.text(|row| !row.unchanged));
            out.plain("\n\n");
        }
        out.append(foot);
        out
    }
}
