//! `cfg deps`, `cfg graph`

use super::Run;
use crate::answer;
use crate::answer::deps::{Direction, Question, deps};
use crate::answer::shared::path::Path;
use crate::session::Drawing;
use crate::styled::Styled;
use crate::term::Term;
use std::sync::Arc;

impl Run<'_> {
    /// Answers what the value at a path reads, or what reads it.
    pub(super) fn deps(&mut self, program: &Arc<Term>, path: &str, used_by: bool, json: bool) {
        if self.path(Some(path)).is_none() {
            return;
        }
        let path = Path::parse(path).unwrap_or_default();
        let direction = if used_by { Direction::UsedBy } else { Direction::Reads };
        match deps(self.session, &Question::of_program(program, path.steps), direction) {
            Ok(deps) => {
                let places = |span| self.session.located(span);
                let (dialect, width) = (self.session.dialect(), self.session.page_width());
                let mut output = match json {
                    true => Styled::from(answer::deps::text::json(&deps, dialect, &places).to_string()),
                    false => answer::deps::text::text(&deps, dialect, &places, width),
                };
                output.plain("\n");
                self.outcome.output = output;
                if let Some(fault) = &deps.fault {
                    self.fail(fault);
                }
            }
            Err(problem) => self.fail(&problem),
        }
    }

    /// Draws the graph of reads.
    pub(super) fn graph(&mut self, program: &Arc<Term>, at: Option<&str>, drawing: Drawing) {
        if self.path(at).is_none() {
            return;
        }
        let steps = at.and_then(|at| Path::parse(at).ok()).unwrap_or_default().steps;
        match answer::graph::graph(self.session, &Question::of_program(program, steps)) {
            Ok(graph) => {
                let places = |span| self.session.located(span);
                let width = self.session.page_width();
                let mut output = answer::graph::text::draw(&graph, drawing, self.session.dialect(), &places, width);
                output.plain("\n");
                self.outcome.output = output;
                if let Some(fault) = &graph.fault {
                    self.fail(fault);
                }
            }
            Err(problem) => self.fail(&problem),
        }
    }
}
