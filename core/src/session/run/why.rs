//! `cfg why`

use super::Run;
use crate::answer::{Hints, why};
use crate::problem::{Kind, Severity};
use crate::session::{Medium, Session};
use crate::styled::{Role, Styled};
use crate::term::Term;
use crate::text::path::Step;
use std::sync::Arc;

impl Run<'_> {
    /// Answers why a field has its type or no type. Without a path, explains the program's first problem.
    pub(super) fn why(&mut self, program: &Arc<Term>, path: Option<&str>, step: Option<usize>, medium: Medium) {
        let Some(path) = self.path(path) else { return };
        let answer = match path.is_empty() {
            true => self.session.why_first(program),
            false => match self.why_at(program, &path) {
                None => return,
                told => told,
            },
        };
        match answer {
            Some(why) => {
                let shown = self.session.shown_why(&why, step);
                self.print(Ok(shown), medium, Hints { step: "--step", ..Hints::default() });
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

    fn why_at(&mut self, program: &Arc<Term>, path: &[Step]) -> Option<why::Why> {
        let part = self.projected(program, path);
        let answer = match why::fault(self.session, &part) {
            // the field does not exist
            Some((root, problem)) if Arc::ptr_eq(&root, &part) => {
                self.fail(&problem);
                return None;
            }
            Some((root, problem)) => why::problem(self.session, &root, &problem),
            None => None,
        };
        Some(answer.unwrap_or_else(|| why::ty(self.session, &part)))
    }
}

impl Session {
    /// Explains the program's first type problem, errors before warnings.
    pub(crate) fn why_first(&self, program: &Arc<Term>) -> Option<why::Why> {
        let typed = self.world.infer(program);
        let own =
            |p: &&crate::problem::Problem| matches!(p.kind, Kind::Types(_)) && !crate::state::typing::is_elsewhere(p);
        let first = typed.problems.iter().filter(own).min_by_key(|p| p.severity).cloned();
        match first {
            Some(first) if first.severity == Severity::Error => why::problem(self, program, &first),
            first => {
                let elsewhere = why::fault(self, program);
                let told = elsewhere.and_then(|(root, problem)| why::problem(self, &root, &problem));
                told.or_else(|| why::problem(self, program, &first?))
            }
        }
    }
}
