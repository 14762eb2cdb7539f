//! Finds the faults in a value, each with its path, and renders the conflicts among them.

mod text;

use crate::answer::{Answer, Renderer};
use crate::problem::value::{ConflictingDefinition, ValueKind};
use crate::problem::{Problem, ProblemKind};
use crate::styled::{Role, Styled};
use crate::text::path::{FieldPath, Step};
use crate::text::{Name, Span};
use crate::value::datum::{Datum, Entry};
use crate::view::html::{Cell, Html};
use crate::view::json::{source, value};
use rustc_hash::FxHashMap;
use serde_json::{Value, json};

/// Maximum number of problems at one place with which a further problem is compared to find duplicates.
const MAX_COMPARED: usize = 8;

/// A part of a value that failed.
#[derive(Clone, Debug)]
pub struct FailedPart {
    /// The path to the part.
    pub path: Vec<Step>,
    /// The reason why the part failed.
    pub problem: Problem,
}

/// The answer that lists several conflicts.
pub struct Conflicts(pub Vec<FailedPart>);

impl Answer for Conflicts {
    fn name(&self) -> &'static str {
        "conflicts"
    }

    fn text(&self, to: &Renderer<'_>) -> Styled {
        text::list(&self.0, to.dialect, to.sources)
    }

    fn html(&self, to: &Renderer<'_>, html: &mut Html) {
        let mut rows: Vec<Vec<Cell>> = Vec::new();
        for fault in &self.0 {
            rows.push(vec![Cell::Wide(Styled::of(Role::Name, fault.path()), 2)]);
            let place = |d: &ConflictingDefinition| d.span.map(|span| to.place(span)).unwrap_or_default();
            let values = text::values(fault, to.dialect);
            rows.extend(
                fault.ties().zip(values).map(|(d, value)| vec![value.into(), Styled::of(Role::Dim, place(d)).into()]),
            );
        }
        html.table(&["value", "place"], rows);
    }

    fn json(&self, to: &Renderer<'_>) -> Value {
        let tie = |d: &ConflictingDefinition| json!({ "value": value(&d.value), "place": source(d.span, to.sources) });
        let conflict = |fault: &FailedPart| json!({ "path": fault.path(), "definitions": fault.ties().map(tie).collect::<Vec<_>>() });
        json!({ "version": 1, "conflicts": self.0.iter().map(conflict).collect::<Vec<_>>() })
    }
}

impl FailedPart {
    /// Returns the path in source notation, such as `a.b[0]`.
    pub fn path(&self) -> String {
        FieldPath { steps: self.path.clone() }.to_string()
    }

    /// Returns the problem with the whole path: a conflict in an element of a list knows only the path in the element.
    pub fn placed(&self) -> Problem {
        let mut problem = self.problem.clone();
        if let ProblemKind::Value(value) = &mut problem.kind
            && matches!(value.what, ValueKind::Conflict { .. })
            && let Some(index) = self.path.iter().rposition(|step| matches!(step, Step::Index(_)))
        {
            let names: Vec<Name> = self
                .path
                .iter()
                .map(|step| match step {
                    Step::Field(name) => name.clone(),
                    Step::Index(index) => Name::from(format!("[{index}]")),
                })
                .collect();
            if names.get(index + 1..) == Some(&value.path) {
                value.path = names;
            }
        }
        problem
    }

    /// Returns the definitions that contradict each other. Empty if the problem is not a conflict.
    pub fn ties(&self) -> impl Iterator<Item = &ConflictingDefinition> {
        self.definitions().unwrap_or_default().iter().filter(|d| d.ties)
    }

    /// Returns the definitions of the field, including those that do not take part in the conflict. `None` if the
    /// problem is not a conflict.
    pub fn definitions(&self) -> Option<&[ConflictingDefinition]> {
        match &self.problem.kind {
            ProblemKind::Value(value) => match &value.what {
                ValueKind::Conflict { definitions, .. } => Some(definitions),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns `true` if the problem is a conflict between definitions.
    pub fn is_conflict(&self) -> bool {
        self.definitions().is_some()
    }
}

/// Returns the faults in the value at the path `at`, each with its path, in the order of the parts of the value. A repeated problem is listed only at its
/// first path. Fields that are not exported are skipped. `O(value)`; does not recurse.
pub fn faults(value: &Datum, at: &[Step]) -> Vec<FailedPart> {
    // the parts of a value that remain to be visited
    enum Rest<'a> {
        Elements(std::iter::Enumerate<std::slice::Iter<'a, Datum>>),
        Fields(std::slice::Iter<'a, Entry>),
    }
    let mut found: Vec<FailedPart> = Vec::new();
    let mut places: FxHashMap<Option<Span>, Vec<usize>> = FxHashMap::default();
    let mut path = at.to_vec();
    let mut stack: Vec<Rest> = Vec::new();
    let mut next = Some(value);
    loop {
        match next.take() {
            Some(Datum::Fault(problem)) => {
                let near = places.entry(problem.span()).or_default();
                let is_repeated = near.iter().filter_map(|index| found.get(*index)).any(|f| f.problem == **problem);
                if !is_repeated {
                    // only the first few problems at a place are kept for comparison, so that the search stays linear
                    if near.len() < MAX_COMPARED {
                        near.push(found.len());
                    }
                    found.push(FailedPart { path: path.clone(), problem: (**problem).clone() });
                }
            }
            Some(Datum::Array(elements)) => {
                stack.push(Rest::Elements(elements.iter().enumerate()));
                // replaced by the step to the next part
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
