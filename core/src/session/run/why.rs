//! `cfg why`

use super::Run;
use crate::session::Medium;
use crate::term::Term;
use std::sync::Arc;

impl Run<'_> {
    pub(super) fn why(&mut self, program: &Arc<Term>, path: Option<&str>, step: Option<usize>, medium: Medium) {
        let _ = (step, medium);
        let Some(path) = self.path(path) else { return };
        let typed = self.typed_at(program, &path);
        match typed.problems.first() {
            Some(problem) => self.outcome.output = self.session.world.report(problem),
            None => self.outcome.output = crate::session::type_text(self.session.dialect(), &typed.scheme),
        }
        self.outcome.output.plain("\n");
    }
}
