//! Requests that were stopped: by the user, or because memory ran out.

use super::{FAULT, Run};
use crate::session::{Outcome, Session};

/// Returns the outcome of a request that was stopped without a result.
pub fn stopped(session: &mut Session) -> Outcome {
    let problem = session.world.interrupt.problem(None);
    let report = session.report(session.dialect(), &problem);
    Outcome { exit: FAULT, reports: vec![(problem.severity, report)], ..Outcome::default() }
}

impl Run<'_> {
    /// Reports that the work was stopped, unless that was reported: what was printed may be a part of the answer.
    pub(super) fn stopped(&mut self) {
        let interrupt = &self.session.world.interrupt;
        if !interrupt.is_raised() {
            return;
        }
        let problem = interrupt.problem(None);
        self.outcome.exit = self.outcome.exit.max(FAULT);
        let code = format!("[{}]", problem.code());
        if !self.outcome.reports.iter().any(|(_, report)| report.text().contains(&code)) {
            self.report(&problem);
        }
    }
}
