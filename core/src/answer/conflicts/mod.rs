//! The faults in a value, each with its path.

pub mod text;

use crate::problem::value::{Defined, ValueKind};
use crate::problem::{Kind, Problem};
use crate::text::Span;
use crate::text::path::Step;
use crate::value::datum::{Datum, Entry};
use rustc_hash::FxHashMap;

/// Maximum number of different problems at one place.
const BESIDE: usize = 8;

/// A part of a value that failed.
#[derive(Clone, Debug)]
pub struct Fault {
    /// The path to it.
    pub path: Vec<Step>,
    /// Why it failed.
    pub problem: Problem,
}

impl Fault {
    /// Returns the definitions that conflict, if this is a conflict.
    pub fn definitions(&self) -> Option<&[Defined]> {
        match &self.problem.kind {
            Kind::Value(value) => match &value.what {
                ValueKind::Conflict { definitions, .. } => Some(definitions),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns `true` if definitions conflict.
    pub fn is_conflict(&self) -> bool {
        self.definitions().is_some()
    }
}

/// Returns the faults in a value, in its order, each problem once. Hidden fields are skipped. Linear; does not recurse.
pub fn faults(value: &Datum, at: &[Step]) -> Vec<Fault> {
    enum Rest<'a> {
        Elements(std::iter::Enumerate<std::slice::Iter<'a, Datum>>),
        Fields(std::slice::Iter<'a, Entry>),
    }
    let mut found: Vec<Fault> = Vec::new();
    let mut places: FxHashMap<Option<Span>, Vec<usize>> = FxHashMap::default();
    let mut path = at.to_vec();
    let mut stack: Vec<Rest> = Vec::new();
    let mut next = Some(value);
    loop {
        match next.take() {
            Some(Datum::Fault(problem)) => {
                let beside = places.entry(problem.span()).or_default();
                let known = beside.iter().filter_map(|index| found.get(*index)).any(|f| f.problem == **problem);
                if !known {
                    // problems at one place are compared with each other, but only up to a limit
                    if beside.len() < BESIDE {
                        beside.push(found.len());
                    }
                    found.push(Fault { path: path.clone(), problem: (**problem).clone() });
                }
            }
            Some(Datum::Array(elements)) => {
                stack.push(Rest::Elements(elements.iter().enumerate()));
                path.push(Step::Index(0));
            }
            Some(Datum::Record(entries)) => {
                stack.push(Rest::Fields(entries.iter()));
                path.push(Step::Index(0));
            }
            _ => {}
        }
        let Some(top) = stack.last_mut() else { return found };
        let inner = match top {
            Rest::Elements(elements) => elements.next().map(|(i, element)| (Step::Index(i), Some(element))),
            Rest::Fields(entries) => entries
                .find(|entry| !entry.not_exported)
                .map(|entry| (Step::Field(entry.name.clone()), entry.value.as_ref())),
        };
        match inner {
            Some((step, value)) => {
                if let Some(last) = path.last_mut() {
                    *last = step;
                }
                next = value;
            }
            None => {
                stack.pop();
                path.pop();
            }
        }
    }
}
