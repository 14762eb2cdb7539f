//! Hides the values of `secret` fields in messages. That a field failed, and its place, is still reported.

use super::Step;
use super::datum::Datum;
use super::{Fault, Machine, Record, Thunk, Value};
use crate::problem::ProblemKind;
use crate::problem::value::{ValueKind, ValueProblem};

impl Machine {
    /// Returns whether a field on a path is secret. Forces what [`Machine::at`] does; returns `false` if that fails.
    pub fn is_secret_at(&mut self, root: &Thunk, path: &[Step]) -> bool {
        let mut here = root.clone();
        for step in path {
            if let (Ok(Value::Record(record)), Step::Field(name)) = (self.force(&here), step)
                && let Some(index) = record.index_of(name)
                && matches!(self.field_info(&record, index), Ok(Some(field)) if field.secret)
            {
                return true;
            }
            let Ok(next) = self.at(&here, std::slice::from_ref(step)) else { return false };
            here = next;
        }
        false
    }

    /// Removes the field's value from a fault if the field is secret.
    pub(super) fn without_secret(&mut self, record: &Record, index: u32, fault: Fault) -> Fault {
        match self.field_info(record, index) {
            Ok(Some(field)) if field.secret => fault.change(mask_values),
            _ => fault,
        }
    }
}

/// Masks the values in a fault.
fn mask_values(problem: &mut ValueProblem) {
    match &mut problem.what {
        ValueKind::Conflict { definitions, .. } => {
            definitions.iter_mut().for_each(|definition| definition.value = Datum::Secret);
        }
        ValueKind::Contract(broken) if broken.value.is_some() => broken.value = Some(Datum::Secret),
        ValueKind::NoMatch { value, .. } => **value = Datum::Secret,
        ValueKind::Paradox { changed, .. } => {
            for change in changed {
                (change.was.0, change.now.0) = (Datum::Secret, Datum::Secret);
            }
        }
        _ => {}
    }
}

/// Masks a secret value. A fault keeps its reason, without values. Does not recurse.
pub(crate) fn secret(datum: Datum) -> Datum {
    let mut work = vec![&datum];
    while let Some(part) = work.pop() {
        match part {
            Datum::Unforced => return Datum::Unforced,
            Datum::Fault(problem) => {
                let mut problem = problem.clone();
                if let ProblemKind::Value(problem) = &mut problem.kind {
                    mask_values(problem);
                }
                return Datum::Fault(problem);
            }
            Datum::Array(items) => work.extend(items),
            Datum::Record(entries) => work.extend(entries.iter().filter_map(|entry| entry.value.as_ref())),
            Datum::Variant(_, argument) => work.push(argument),
            _ => {}
        }
    }
    Datum::Secret
}
