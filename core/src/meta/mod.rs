//! The data of a field that is not its value: priority, visibility, flags. Metadata stands on fields, never on values.

use crate::number::Number;
use crate::text::Span;
use std::cmp::Ordering;

/// How strongly a definition of a field stands against others: `default < every rational < force`.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum Priority {
    /// `| default`
    Default,
    /// No annotation: rational 0.
    #[default]
    Normal,
    /// `| priority n`. `priority 0` equals [`Priority::Normal`] in [`Priority::rank`].
    Number(Number),
    /// `| force`
    Force,
}

impl Priority {
    /// Compares two priorities; `Normal` and `Number(0)` are equal.
    pub fn rank(&self, other: &Priority) -> Ordering {
        fn class(p: &Priority) -> u8 {
            match p {
                Priority::Default => 0,
                Priority::Normal | Priority::Number(_) => 1,
                Priority::Force => 2,
            }
        }
        class(self).cmp(&class(other)).then_with(|| match (self, other) {
            (Priority::Number(a), Priority::Number(b)) => a.cmp(b),
            (Priority::Number(a), Priority::Normal) => a.cmp(&Number::ZERO),
            (Priority::Normal, Priority::Number(b)) => Number::ZERO.cmp(b),
            _ => Ordering::Equal,
        })
    }
}

/// `default rec` and `force rec`: a priority that is pushed down to the leaves of a record, lazily.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Push {
    /// `default rec`: every leaf becomes `default`, `force` excepted.
    Default,
    /// `force rec`: every leaf becomes `force`.
    Force,
}

/// Jsonnet's `:`, `::` and `:::`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Visibility {
    /// `:` keeps what the field was, visible at first.
    #[default]
    Inherit,
    /// `::` hides it.
    Hidden,
    /// `:::` shows it.
    Forced,
}

/// A priority with the place it was written.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Ranked {
    /// The priority.
    pub priority: Priority,
    /// Where it was written, if it was.
    pub span: Option<Span>,
}
