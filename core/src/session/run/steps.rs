//! `cfg steps`

use super::Run;
use crate::session::request::Action;
use crate::term::Term;
use std::sync::Arc;

impl Run<'_> {
    /// The merges of a program, step by step.
    pub(super) fn steps(&mut self, program: &Arc<Term>, action: &Action) {
        let Action::Steps { at, .. } = action else { return };
        let Some(path) = self.path(at.as_deref()) else { return };
        let mut events = Vec::new();
        let root = self.session.root(program, self.session.dialect(), &mut events);
        self.traced(events);
        if let Err(fault) = self.session.machine().at(&root, &path) {
            self.fail(fault.problem());
        }
    }
}
