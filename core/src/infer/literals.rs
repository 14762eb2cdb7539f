//! Literals of which more is known than their type: array literals that are not empty, and enum tags.

use crate::text::Span;
use rustc_hash::FxHashSet;

/// The places of such literals, and of the names that stand for nothing else.
#[derive(Default)]
pub(super) struct Literals {
    places: FxHashSet<Span>,
    in_elements: bool,
}

impl Literals {
    /// Notes a literal.
    pub fn insert(&mut self, at: Span) {
        self.places.insert(at);
    }

    /// Whether the expression at a place is such a literal.
    pub fn contains(&self, at: Span) -> bool {
        self.places.contains(&at)
    }

    /// Whether the value at hand is the literal at a place. While the elements of an array are looked at it is not: their
    /// place is that of the array.
    pub fn is(&self, at: Span) -> bool {
        !self.in_elements && self.contains(at)
    }

    /// Sets whether the elements of an array are looked at. Returns the earlier setting, to be set again afterwards.
    pub fn set_in_elements(&mut self, inside: bool) -> bool {
        std::mem::replace(&mut self.in_elements, inside)
    }
}
