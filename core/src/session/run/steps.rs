//! `cfg steps`

use super::Run;
use crate::answer::steps::Ask;
use crate::answer::{self, Hints};
use crate::session::request::Action;
use crate::state::interrupted;
use crate::term::Term;
use crate::text::path::Path;
use std::sync::Arc;

impl Run<'_> {
    /// Shows the merges of a program, step by step. A missing value in the result is the program's error.
    pub(super) fn steps(&mut self, program: &Arc<Term>, action: &Action) {
        let Action::Steps { at, most, all, medium, .. } = action else { return };
        if self.path(at.as_deref()).is_none() {
            return;
        }
        let below = at.as_deref().and_then(|at| Path::parse(at).ok()).unwrap_or_default();
        let mut events = Vec::new();
        let mut root = self.session.root(program, self.session.dialect(), &mut events);
        // evaluated values no longer know how they are written
        let fresh = self.session.machine().thunk(program);
        if self.session.machine().force(&fresh).is_ok_and(|value| !value.is_function()) {
            root = self.session.machine().thunk(program);
        }
        self.traced(events);
        let ask = Ask { below, most: *most, all: *all };
        let answer = answer::steps::steps(self.session, &root, &ask);
        if self.session.world.interrupt.is_raised() {
            return self.fail(&interrupted());
        }
        let steps = match answer {
            Ok(steps) => steps,
            Err(problem) => return self.fail(&problem),
        };
        let total = steps.chains.iter().map(|chain| chain.total).sum::<usize>();
        let more = format!("`--most {total}`");
        let all = if *all { "" } else { "--all" };
        let hints = Hints { explain: "cfg explain FILE <path>", all, more: &more, ..Hints::default() };
        if steps.leaves.faults > 0 {
            self.outcome.exit = self.outcome.exit.max(super::FAULT);
        }
        self.print(Ok(steps), *medium, hints);
    }
}
