//! Problems in a set, found by their places.

use super::Problem;
use crate::text::Span;
use rustc_hash::FxHashMap;

/// A set of problems. Looking one up takes time for the problems at its place.
#[derive(Default)]
pub(crate) struct ProblemsByPlace(FxHashMap<Option<Span>, Vec<Problem>>);

impl ProblemsByPlace {
    /// The problems at the place of a problem.
    pub fn at_place_of(&self, problem: &Problem) -> &[Problem] {
        self.0.get(&problem.span()).map(Vec::as_slice).unwrap_or_default()
    }

    /// Whether a problem is in the set.
    pub fn contains(&self, problem: &Problem) -> bool {
        self.at_place_of(problem).contains(problem)
    }

    /// All problems, in any order.
    pub fn iter(&self) -> impl Iterator<Item = &Problem> {
        self.0.values().flatten()
    }

    /// Adds a problem. Returns `true` if it is new.
    pub fn insert(&mut self, problem: &Problem) -> bool {
        let there = self.0.entry(problem.span()).or_default();
        let is_new = !there.contains(problem);
        if is_new {
            there.push(problem.clone());
        }
        is_new
    }
}
