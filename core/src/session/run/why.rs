//! `cfg why`

use super::Run;
use crate::session::Medium;
use crate::session::questions::{Question, Subject};
use crate::term::Term;
use std::sync::Arc;

impl Run<'_> {
    /// Explains why a field has its type, or why its types clash. Without a path, explains the program's first type problem.
    pub(super) fn why(&mut self, program: &Arc<Term>, path: Option<&str>, step: Option<usize>, medium: Medium) {
        let Some(path) = self.path(path) else { return };
        let question = Question::Why(step);
        let answer = self.session.answer(self.dialect, &question, Subject::Field(program, &path), &mut Vec::new());
        self.print(answer, medium, question.hints());
    }
}
