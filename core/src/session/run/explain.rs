//! `cfg explain`

use super::{FAULT, Run};
use crate::answer::Hints;
use crate::answer::deps;
use crate::answer::explain::{Question, explain};
use crate::answer::fixes::Asked;
use crate::session::Medium;
use crate::term::Term;
use crate::text::path::Path;
use std::sync::Arc;

impl Run<'_> {
    /// Answers where the value at a path comes from.
    pub(super) fn explain(&mut self, program: &Arc<Term>, path: &str, medium: Medium) {
        let Some(steps) = self.path(Some(path)) else { return };
        let path = Path::parse(path).unwrap_or_default();
        let mut events = Vec::new();
        let root = self.session.root(program, self.session.dialect(), &mut events);
        self.traced(events);
        let reads = deps::Question::of_program(program, path.steps.clone());
        let question = Question {
            asked: Asked::Request,
            root: &root,
            path: &path,
            steps: &steps,
            name: None,
            reads: &reads,
            whole: Some(program.span(program.root)),
        };
        let again = self.session.replay();
        match explain(&mut self.session.workspace, &again, question) {
            Ok(mut explanation) => {
                if explanation.value.is_some() && !explanation.of_plain_type(self.session) {
                    let typed = self.typed_at(program, &steps);
                    explanation.of_type(self.session, Some(&typed.scheme));
                }
                // a missing value is the program's error
                if explanation.fault.is_some() || explanation.beyond.is_some() {
                    self.outcome.exit = self.outcome.exit.max(FAULT);
                }
                self.print(Ok(explanation), medium, Hints::default());
            }
            Err(problem) => self.fail(&problem),
        }
    }
}
