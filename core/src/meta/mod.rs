//! Metadata of a field: priority, visibility, flags. Metadata belongs to fields, never to values.

use crate::number::Number;
use crate::text::Span;
use std::cmp::Ordering;

/// Priority of a field's definition in a merge: `default < every rational < force`. The definition with the highest
/// priority wins.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum Priority {
    /// `| default`
    Default,
    /// No annotation: rational 0.
    #[default]
    Normal,
    /// `| priority n`. `priority 0` equals [`Priority::Normal`] in [`Priority::rank`].
    Number(Number),
    /// No annotation, in a later file of `cfg merge --layers`. It ranks above [`Priority::Normal`] and above earlier
    /// files, but below every positive number. Records of different layers merge; any other value replaces the values
    /// of lower layers.
    Layer(u32),
    /// `| force`
    Force,
}

impl Priority {
    /// Returns the higher of two priorities, or `self` if they are equal.
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

/// A priority that is pushed down lazily to the leaves of a record: `default rec`, `force rec`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Push {
    /// `default rec`: every leaf becomes `default`, except `force` leaves.
    Default,
    /// `force rec`: every leaf becomes `force`.
    Force,
    /// The content of a file in `cfg merge --layers`: leaves and records without an annotation get [`Priority::Layer`].
    Layer(u32),
}

/// Visibility of an object's field: `:`, `::` or `:::`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Visibility {
    /// `:` inherits the visibility of the field in the parent object; visible if there is none.
    #[default]
    Inherit,
    /// `::` hides the field.
    Hidden,
    /// `:::` makes the field visible.
    Forced,
}

/// A priority and the place where it was written.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Ranked {
    /// The priority.
    pub priority: Priority,
    /// The span of the annotation; `None` without an annotation.
    pub span: Option<Span>,
}
