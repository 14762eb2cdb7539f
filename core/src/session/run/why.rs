//! `cfg why`

use super::Run;
use crate::answer::Hints;
use crate::problem::Severity;
use crate::session::Medium;
use crate::session::questions::Subject;
use crate::styled::{Role, Styled};
use crate::term::Term;
use std::sync::Arc;

impl Run<'_> {
    /// Explains why a field has its type, or why its types clash. Without a path, explains the program's first type problem.
    pub(super) fn why(&mut self, program: &Arc<Term>, path: Option<&str>, step: Option<usize>, medium: Medium) {
        let Some(path) = self.path(path) else { return };
        let answer = match path.steps.is_empty() {
            true => self.session.first_reasons(program),
            false => match self.session.reasons(Subject::Field(program, &path)) {
                Ok(why) => Some(why),
                Err(problem) => return self.fail(&problem),
            },
        };
        match answer {
            Some(why) => {
                let shown = self.session.shown_why(&why, step);
                self.print(Ok(Box::new(shown)), medium, Hints { step: "--step", ..Hints::default() });
            }
            None => {
                let mut message = Styled::of(Role::Note, "no type error: name a field to ask why it has its type");
                if medium == Medium::Text {
                    message.plain("\n");
                    self.outcome.output = message;
                } else {
                    self.outcome.reports.push((Severity::Note, message));
                }
            }
        }
    }
}
