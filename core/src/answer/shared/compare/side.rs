//! The value of one side of a difference: whether it is secret or failed, and the definitions of a conflict.

use super::Side;
use crate::problem::value::ValueKind;
use crate::problem::{Problem, ProblemKind};
use crate::text::Span;
use crate::value::datum::Datum;

impl Side {
    /// Returns the side without its value.
    pub fn masked(self) -> Side {
        Side { value: Datum::Secret, ..self }
    }

    /// Returns `true` if its value is masked.
    pub fn is_secret(&self) -> bool {
        matches!(self.value, Datum::Secret)
    }

    /// Returns the reason why the value is missing.
    pub fn fault(&self) -> Option<&Problem> {
        match &self.value {
            Datum::Fault(problem) => Some(problem),
            _ => None,
        }
    }

    /// Returns the places of the definitions that conflict at this field. Empty if it fails for another reason, such as a conflict
    /// of a field that it reads.
    pub(super) fn ties(&self) -> Vec<Span> {
        let Some(ProblemKind::Value(met)) = self.fault().map(|problem| &problem.kind) else { return Vec::new() };
        let ValueKind::Conflict { definitions, .. } = &met.what else { return Vec::new() };
        let ties: Vec<Span> = definitions.iter().filter(|d| d.ties).filter_map(|d| d.span).collect();
        if self.span.is_some_and(|own| ties.contains(&own)) { ties } else { Vec::new() }
    }
}
