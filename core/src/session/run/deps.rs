//! `cfg deps`, `cfg graph`

use super::Run;
use crate::answer::Hints;
use crate::answer::deps::{Direction, Question, deps};
use crate::answer::graph::graph;
use crate::answer::graph::text::draw;
use crate::session::{Drawing, Medium};
use crate::term::Term;
use crate::text::path::Path;
use std::sync::Arc;

impl Run<'_> {
    /// Answers what the value at a path reads, or what reads it.
    pub(super) fn deps(&mut self, program: &Arc<Term>, path: &str, used_by: bool, json: bool) {
        if self.path(Some(path)).is_none() {
            return;
        }
        let path = Path::parse(path).unwrap_or_default();
        let direction = if used_by { Direction::UsedBy } else { Direction::Reads };
        let answer = deps(self.session, &Question::of_program(program, path.steps), direction);
        self.print(answer, if json { Medium::Json } else { Medium::Text }, Hints::default());
    }

    /// Draws the graph of reads.
    pub(super) fn graph(&mut self, program: &Arc<Term>, at: Option<&str>, drawing: Drawing) {
        if self.path(at).is_none() {
            return;
        }
        let steps = at.and_then(|at| Path::parse(at).ok()).unwrap_or_default().steps;
        let answer = graph(self.session, &Question::of_program(program, steps));
        match (drawing, answer) {
            (Drawing::Json, answer) => self.print(answer, Medium::Json, Hints::default()),
            (Drawing::Text, answer) => self.print(answer, Medium::Text, Hints::default()),
            (_, Ok(graph)) => {
                self.outcome.output = self.session.rendering(Hints::default(), |to| draw(&graph, drawing, to));
                self.outcome.output.plain("\n");
                if let Some(fault) = &graph.fault {
                    self.fail(fault);
                }
            }
            (_, Err(problem)) => self.fail(&problem),
        }
    }
}
