//! The origins of a whole value: its leaves, each with the winning definitions.

mod html;
mod json;
pub mod text;

use crate::answer::explain::place;
use crate::answer::{Answer, Renderer, forms};
use crate::problem::Problem;
use crate::state::Workspace;
use crate::text::Span;
use crate::text::path::{FieldPath, Step};
use crate::value::Thunk;
use crate::value::datum::{Datum, Entry};
use crate::value::machine::Budget;
use crate::value::provenance::DefinitionOutcome;
use crate::value::secret::has_masked_value;

/// Maximum number of leaves to look up. The others are counted.
const LISTED: usize = 400;

/// The leaves of a value.
#[derive(Clone, Debug, Default)]
pub struct Origins {
    /// The first leaves. Those without a value come first.
    pub leaves: Vec<Leaf>,
    /// Number of leaves that are not listed.
    pub more: usize,
}

/// A part of a value that is not a record, or a record without fields.
#[derive(Clone, Debug)]
pub struct Leaf {
    /// Its path.
    pub path: FieldPath,
    /// Its value: a fault if it failed, `None` if it is only declared.
    pub value: Option<Datum>,
    /// The places of the winning definitions.
    pub places: Vec<Span>,
    /// Number of definitions that lost.
    pub lost: usize,
}

impl Leaf {
    /// Returns `true` if it has no value.
    pub fn is_fault(&self) -> bool {
        matches!(self.value, None | Some(Datum::Fault(_)))
    }

    /// Returns `true` if the text at its places must not be shown: a secret, or a fault about one.
    pub fn is_secret(&self) -> bool {
        match &self.value {
            Some(Datum::Secret) => true,
            Some(Datum::Fault(problem)) => has_masked_value(problem),
            _ => false,
        }
    }
}

/// Returns the leaves of a value: first those without a value, then the others in order. Evaluates the whole value.
/// O(value + listed leaves × definitions). Fails if the value itself cannot be evaluated.
pub fn origins(session: &mut Workspace, root: &Thunk) -> Result<Origins, Problem> {
    let machine = session.machine();
    machine.force(root).map_err(|fault| fault.problem().clone())?;
    let whole = machine.datum(root, Budget::ALL);
    let mut found: Vec<(Vec<Step>, Option<Datum>)> = Vec::new();
    let mut work: Vec<(Vec<Step>, Option<&Datum>)> = vec![(Vec::new(), Some(&whole))];
    let mut faults: Vec<(Vec<Step>, Option<Datum>)> = Vec::new();
    let mut more = 0;
    while let Some((path, datum)) = work.pop() {
        match datum {
            Some(Datum::Record(entries)) if !entries.is_empty() => {
                let shown = |entry: &&Entry| !(entry.not_exported || entry.optional && entry.value.is_none());
                for entry in entries.iter().rev().filter(shown) {
                    let mut path = path.clone();
                    path.push(Step::Field(entry.name.clone()));
                    work.push((path, entry.value.as_ref()));
                }
            }
            None | Some(Datum::Fault(_)) => {
                faults.push((path, datum.cloned()));
            }
            _ if found.len() < LISTED => found.push((path, datum.cloned())),
            _ => more += 1,
        }
    }
    more += (faults.len() + found.len()).saturating_sub(LISTED);
    faults.append(&mut found);
    let mut found = faults;
    found.truncate(LISTED);
    let mut leaves = Vec::with_capacity(found.len());
    for (path, value) in found {
        let (mut places, mut lost) = (Vec::new(), 0);
        if let Ok(of) = session.machine().provenance(root, &path) {
            let counts =
                |outcome| matches!(outcome, DefinitionOutcome::Wins | DefinitionOutcome::Part | DefinitionOutcome::Tie);
            places = of.definitions.iter().filter(|d| counts(d.outcome)).filter_map(|d| d.span).collect();
            // a rule for lists gives no value
            places.retain(|span| !place(session, *span).is_rule());
            lost = of.definitions.iter().filter(|d| d.outcome == DefinitionOutcome::Lost).count();
        }
        leaves.push(Leaf { path: FieldPath { steps: path }, value, places, lost });
    }
    Ok(Origins { leaves, more })
}

impl Answer for Origins {
    forms!("origins");

    fn title(&self, _: &Renderer<'_>) -> String {
        String::from("where it comes from")
    }

    fn has_faults(&self) -> bool {
        self.leaves.iter().any(Leaf::is_fault)
    }
}
