//! Which problems are about the same fault, so that it is reported once.

use crate::problem::manifest::ManifestKind;
use crate::problem::report::{Notation, Report};
use crate::problem::types::TypesKind;
use crate::problem::value::ValueKind;
use crate::problem::{Problem, ProblemKind};
use crate::session::cells::overlap;
use crate::session::consequences::Once;
use crate::text::{Name, Span};
use rustc_hash::{FxHashMap, FxHashSet};

/// Keeps one problem of each fault: none that only refers to another one at its place, one for each cycle of names, and one for a text
/// that has values where types are expected.
/// `O(problems)`
pub(super) fn once_for_a_fault(problems: &mut Vec<Problem>) {
    let mut places: FxHashMap<Option<Span>, usize> = FxHashMap::default();
    problems.iter().for_each(|problem| *places.entry(problem.span()).or_default() += 1);
    let mut cycles: FxHashSet<Vec<Name>> = FxHashSet::default();
    let once = Once::default();
    problems.retain(|problem| {
        let ProblemKind::Types(types) = &problem.kind else { return true };
        match &types.what {
            TypesKind::Elsewhere => places.get(&problem.span()).is_none_or(|count| *count < 2),
            TypesKind::NamesItself { names } if names.len() > 1 => {
                let mut names = names.clone();
                names.sort();
                cycles.insert(names)
            }
            _ => once.is_first(problem),
        }
    });
}

/// Maximum number of bytes between a key and its value in data: a quote, a colon, spaces.
const KEY_TO_VALUE: u32 = 4;

/// The places that the report of a failed evaluation mentions.
pub(super) struct FailurePlaces {
    spans: Vec<Span>,
    /// Whether a value needed itself.
    is_cycle: bool,
    /// Whether a type has a value in place of the type of a field.
    is_value_as_type: bool,
}

impl FailurePlaces {
    /// Returns the places of failures.
    pub fn of<'p>(failures: impl IntoIterator<Item = &'p Problem>, notation: Notation) -> FailurePlaces {
        let mut places = FailurePlaces { spans: Vec::new(), is_cycle: false, is_value_as_type: false };
        for problem in failures {
            places.spans.extend(problem.span());
            places.spans.extend(Report::of(problem, notation).labels.into_iter().map(|label| label.span));
            places.is_cycle |= matches!(
                &problem.kind,
                ProblemKind::Value(value) if matches!(value.what, ValueKind::Recursion { .. })
            );
            places.is_value_as_type |= matches!(
                &problem.kind,
                ProblemKind::Manifest(export) if matches!(export.what, ManifestKind::ValueAsType(_))
            );
        }
        places
    }

    /// Returns whether a problem of types is about the same fault.
    pub fn is_about(&self, problem: &Problem) -> bool {
        let ProblemKind::Types(types) = &problem.kind else { return false };
        match types.what {
            TypesKind::NamesItself { .. } if self.is_cycle => true,
            TypesKind::NotContract { .. } if self.is_value_as_type => true,
            // the value is marked, and the failure is at its key: `key: value`
            TypesKind::ExtraField { .. } => problem.span().is_some_and(|place| {
                let is_its_key = |key: &Span| {
                    let between = place.start.checked_sub(key.end);
                    key.source == place.source && between.is_some_and(|between| between <= KEY_TO_VALUE)
                };
                self.spans.iter().any(|span| overlap(place, *span) || is_its_key(span))
            }),
            _ => problem.span().is_some_and(|place| self.spans.iter().any(|span| overlap(place, *span))),
        }
    }
}
