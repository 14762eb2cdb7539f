//! The places of the expressions that an evaluation evaluates.

use super::Machine;
use super::env::Unit;
use crate::term::NodeId;
use crate::text::Span;
use rustc_hash::FxHashSet;

/// A set of places.
pub type Places = FxHashSet<Span>;

impl Machine {
    /// Records the places of the expressions that the following evaluations evaluate.
    pub fn record_places(&mut self) {
        self.evaluated = Some(Box::default());
    }

    /// Ends [`Machine::record_places`], and returns the places.
    pub fn recorded_places(&mut self) -> Places {
        self.evaluated.take().map(|places| *places).unwrap_or_default()
    }

    /// Records the place of an expression that is evaluated. It is a separate function to keep [`Machine::eval`] small.
    #[cold]
    #[inline(never)]
    pub(super) fn record_place(&mut self, unit: &Unit, node: NodeId) {
        if let Some(places) = &mut self.evaluated {
            places.insert(unit.term.span(node));
        }
    }
}
