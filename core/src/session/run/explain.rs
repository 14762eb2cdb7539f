//! `cfg explain`

use super::Run;
use crate::ask;
use crate::ask::path::Path;
use crate::session::Medium;
use crate::term::Term;
use std::sync::Arc;

impl Run<'_> {
    /// Where the value at a path comes from.
    pub(super) fn explain(&mut self, program: &Arc<Term>, path: &str, medium: Medium) {
        let Some(steps) = self.path(Some(path)) else { return };
        let path = Path::parse(path).unwrap_or_default();
        let mut events = Vec::new();
        let root = self.session.root(program, self.session.dialect(), &mut events);
        self.traced(events);
        match ask::explain::explain(self.session, &root, &path, &steps) {
            Ok(explanation) => {
                let width = self.session.world.width.get();
                let mut output = crate::view::explain::draw(&explanation, self.session.dialect(), medium, width);
                if !output.is_empty() {
                    output.plain("\n");
                }
                self.outcome.output = output;
            }
            Err(problem) => self.fail(&problem),
        }
    }
}
