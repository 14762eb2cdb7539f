//! Rendering problems as text.

use super::Session;
use crate::answer;
use crate::answer::fixes::Fix;
use crate::dialect::Dialect;
use crate::problem::Problem;
use crate::problem::report::Report;
use crate::styled::Styled;
use crate::view;

impl Session {
    /// Renders a problem.
    pub(super) fn report(&self, dialect: Dialect, problem: &Problem) -> Styled {
        view::report::report(
            &Report::of(problem, dialect.notation()),
            &self.world.sources.borrow(),
            self.columns(),
            self.page_width().is_some(),
        )
    }

    /// Renders a problem with the edits that fix it, instead of general advice.
    pub(super) fn report_settled(&self, dialect: Dialect, problem: &Problem, fixes: &[Fix]) -> Styled {
        let mut report = Report::of(problem, dialect.notation());
        let sources = self.world.sources.borrow();
        if !fixes.is_empty() {
            let table = answer::fixes::text::table(fixes, &sources).fit().text();
            report.helps = vec![format!("to settle it, one of:\n{table}")];
        }
        view::report::report(&report, &sources, self.columns(), self.page_width().is_some())
    }
}
