//! Fields that a schema requires and that merged layers do not define.

use super::Run;
use crate::answer::conflicts::FailedPart;
use crate::problem::value::ValueKind;
use crate::problem::{Problem, ProblemKind};
use crate::text::Span;
use crate::text::path::Step;
use crate::value::Thunk;
use crate::value::datum::Datum;

/// Maximum number of fields that are reported.
const MOST: usize = 20;

impl Run<'_> {
    /// Returns the problems of the fields without a value that only schemas declare. `root` has the value. O(value).
    pub(super) fn required(&mut self, root: &Thunk, value: &Datum) -> Vec<FailedPart> {
        let mut found = Vec::new();
        for path in undefined(value) {
            let machine = &mut self.session.workspace.machine;
            let Err(fault) = machine.at(root, &path).and_then(|thunk| machine.force(&thunk)) else { continue };
            let problem = fault.problem().clone();
            if self.is_required(&problem) {
                found.push(FailedPart { path, problem });
            }
        }
        found
    }

    /// Returns `true` if a problem is about a field that only data files declare, as schemas do.
    fn is_required(&self, problem: &Problem) -> bool {
        let ProblemKind::Value(value) = &problem.kind else { return false };
        let ValueKind::MissingDefinition { declared, .. } = &value.what else { return false };
        let is_data =
            |at: &Span| self.session.workspace.dialect_of(at.source).is_some_and(|language| !language.has_cells());
        !declared.is_empty() && declared.iter().all(is_data)
    }
}

/// Returns the paths of the first fields without a value. Does not recurse.
fn undefined(value: &Datum) -> Vec<Vec<Step>> {
    let mut found = Vec::new();
    // each part with the one around it
    let mut places: Vec<(Option<usize>, Step)> = Vec::new();
    let mut work: Vec<(Option<usize>, &Datum)> = vec![(None, value)];
    while let Some((around, part)) = work.pop() {
        match part {
            Datum::Array(elements) => {
                for (i, element) in elements.iter().enumerate() {
                    places.push((around, Step::Index(i)));
                    work.push((Some(places.len() - 1), element));
                }
            }
            Datum::Record(entries) => {
                for entry in entries {
                    let step = Step::Field(entry.name.clone());
                    match &entry.value {
                        Some(value) => {
                            places.push((around, step));
                            work.push((Some(places.len() - 1), value));
                        }
                        None if entry.optional || entry.not_exported => {}
                        None => found.push(path(&places, around, step)),
                    }
                }
            }
            _ => {}
        }
        if found.len() >= MOST {
            found.truncate(MOST);
            return found;
        }
    }
    found
}

/// Returns the path of a step in a part.
fn path(places: &[(Option<usize>, Step)], around: Option<usize>, last: Step) -> Vec<Step> {
    let mut path = vec![last];
    let mut next = around;
    while let Some((around, step)) = next.and_then(|place| places.get(place)) {
        path.push(step.clone());
        next = *around;
    }
    path.reverse();
    path
}
