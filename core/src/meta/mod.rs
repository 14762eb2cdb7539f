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
    /// No annotation, in a later file of `cfg merge --layers`: above [`Priority::Normal`] and what stands in earlier files,
    /// below every positive number. Records of several layers merge, anything else of a higher layer replaces what is below.
    Layer(u32),
    /// `| force`
    Force,
}

impl Priority {
    /// The higher of two priorities; of equal ones this.
    pub fn or_higher(self, other: Priority) -> Priority {
        if other.rank(&self) == Ordering::Greater { other } else { self }
    }

    /// Compares two priorities; `Normal` and `Number(0)` are equal.
    pub fn rank(&self, other: &Priority) -> Ordering {
        fn class(p: &Priority) -> u8 {
            match p {
                Priority::Default => 0,
                Priority::Normal | Priority::Number(_) | Priority::Layer(_) => 1,
                Priority::Force => 2,
            }
        }
        fn number(p: &Priority) -> &Number {
            if let Priority::Number(number) = p { number } else { &Number::ZERO }
        }
        let layer = |p: &Priority| if let Priority::Layer(layer) = p { *layer } else { 0 };
        class(self)
            .cmp(&class(other))
            .then_with(|| number(self).cmp(number(other)))
            .then_with(|| layer(self).cmp(&layer(other)))
    }
}

/// `default rec` and `force rec`: a priority that is pushed down to the leaves of a record, lazily.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Push {
    /// `default rec`: every leaf becomes `default`, `force` excepted.
    Default,
    /// `force rec`: every leaf becomes `force`.
    Force,
    /// What stands in a file of `cfg merge --layers`: leaves and records without an annotation get [`Priority::Layer`].
    Layer(u32),
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
