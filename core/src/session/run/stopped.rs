//! Requests that were stopped: by the user, or because memory ran out.

use super::{FAULT, Run};

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
