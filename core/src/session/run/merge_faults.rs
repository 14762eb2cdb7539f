//! The errors of merged values.

use super::{FAULT, Run};
use crate::answer::conflicts::{Conflicts, FailedPart};
use crate::answer::fixes::{EditTarget, fixes};
use crate::answer::{Answer, Hints};
use crate::dialect::Dialect;
use crate::problem::value::{ValueKind, ValueProblem};
use crate::problem::{Problem, ProblemKind, Severity};

/// Maximum number of conflicts reported in full, with an excerpt. Further ones are listed.
const IN_FULL: usize = 3;

impl Run<'_> {
    /// Reports the error of a field with the edits that fix it.
    pub(super) fn fault(&mut self, fault: &FailedPart) {
        self.outcome.exit = self.outcome.exit.max(FAULT);
        if !self.said.insert(&fault.problem) {
            return;
        }
        if let Some(meant) = self.meant_as_missing(&fault.problem) {
            return self.fail(&meant);
        }
        let fault = &self.with_place_of_rule(fault.clone());
        let dialect = self.dialect_at_value(&fault.problem);
        let again = self.session.replay(self.dialect);
        let fixes = fixes(&mut self.session.workspace, &again, EditTarget::Request, &fault.path, &fault.problem);
        let report = self.session.report_settled(dialect, &fault.placed(), &fixes);
        self.outcome.reports.push((Severity::Error, report));
    }

    /// Reports a problem in the notation of the language in which the value is written that breaks a contract.
    pub(super) fn report_at_value(&mut self, problem: &Problem) {
        let dialect = self.dialect_at_value(problem);
        self.report_in(dialect, problem);
    }

    /// Returns the notation for data if a value in a data file breaks a contract, that of the answer for other problems.
    fn dialect_at_value(&self, problem: &Problem) -> Dialect {
        let ProblemKind::Value(value) = &problem.kind else { return self.dialect };
        let ValueKind::Contract(broken) = &value.what else { return self.dialect };
        let language = broken.value_span.and_then(|span| self.session.workspace.dialect_of(span.source));
        match language.is_some_and(|language| !language.has_cells()) {
            true => self.dialect.of_data(),
            false => self.dialect,
        }
    }

    /// Reports errors: the first few in full, further conflicts as a list.
    pub(super) fn faults(&mut self, faults: Vec<FailedPart>) {
        let faults: Vec<FailedPart> = faults.into_iter().flat_map(apart).collect();
        let (conflicts, others): (Vec<FailedPart>, Vec<FailedPart>) = faults.into_iter().partition(|f| f.is_conflict());
        for fault in others.iter().take(IN_FULL * 4) {
            self.fault(fault);
        }
        if conflicts.len() <= IN_FULL {
            for fault in &conflicts {
                self.fault(fault);
            }
            return;
        }
        self.outcome.exit = self.outcome.exit.max(FAULT);
        let report = self.session.rendering(self.dialect, Hints::default(), |to| Conflicts(conflicts).text(to));
        self.outcome.reports.push((Severity::Error, report));
    }
}

/// Returns a fault for each violation of a contract that several parts of a value break.
fn apart(fault: FailedPart) -> Vec<FailedPart> {
    let ProblemKind::Value(value) = &fault.problem.kind else { return vec![fault] };
    let ValueKind::Contract(broken) = &value.what else { return vec![fault] };
    if broken.others.is_empty() {
        return vec![fault];
    }
    let (first, others) = broken.apart();
    let mut all: Vec<_> = std::iter::once(first).chain(others).collect();
    all.sort_by_key(|broken| broken.value_span.map(|span| (span.source, span.start)));
    let of = |broken| {
        let value = ValueProblem { what: ValueKind::Contract(Box::new(broken)), ..(**value).clone() };
        FailedPart { path: fault.path.clone(), problem: Problem { kind: value.into(), ..fault.problem.clone() } }
    };
    all.into_iter().map(of).collect()
}
