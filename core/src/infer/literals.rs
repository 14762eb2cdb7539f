//! Literals whose value matters besides their type: non-empty array literals, and enum tags.

use crate::text::Span;
use rustc_hash::FxHashSet;

/// The places of such literals, and of names that are aliases of them.
#[derive(Default)]
pub(super) struct Literals {
    places: FxHashSet<Span>,
    in_elements: bool,
}

impl Literals {
    /// Records a literal.
    pub fn insert(&mut self, at: Span) {
        self.places.insert(at);
    }

    /// Whether the expression at a place is such a literal.
    pub fn contains(&self, at: Span) -> bool {
        self.places.contains(&at)
    }

    /// Whether the current value is the literal at a place. Elements of an array are not, although their place is that of the
    /// array.
    pub fn is(&self, at: Span) -> bool {
        !self.in_elements && self.contains(at)
    }

    /// Whether the current value is an element of an array.
    pub fn in_elements(&self) -> bool {
        self.in_elements
    }

    /// Sets whether the current value is an element of an array. Returns the earlier setting, to be restored afterwards.
    pub fn set_in_elements(&mut self, inside: bool) -> bool {
        std::mem::replace(&mut self.in_elements, inside)
    }
}
