//! `:explain path`

use super::{Argument, Command, Line};
use crate::ask::explain::{self, Explanation};
use crate::problem::Problem;
use crate::session::{Event, Medium, Session};
use crate::term::Term;
use std::sync::Arc;

pub const COMMAND: Command = Command {
    name: "explain",
    aliases: &["e"],
    usage: ":explain PATH",
    summary: "where a field's value comes from: who won, who lost and why",
    argument: Argument::Expression,
    run,
};

/// Explains an expression. Of a result it is what it was when it came about.
fn of_term(session: &mut Session, term: Arc<Term>) -> Result<Explanation, Problem> {
    let again = session.replay();
    explain::of_term(session, &again, term)
}

fn run(session: &mut Session, line: &Line) -> Vec<Event> {
    let term = match session.wanted_path(line, &COMMAND) {
        Ok(term) => term,
        Err(problems) => return problems,
    };
    let mut events = session.stale(&term);
    let answer = of_term(session, term);
    if let Some(stopped) = session.stopped() {
        return stopped;
    }
    match answer {
        Ok(explanation) => {
            let width = session.world.width.get();
            let shown = crate::view::explain::draw(&explanation, session.dialect(), Medium::Text, width);
            let rich = || crate::view::explain::rich(&explanation, session.dialect());
            events.push(session.view(shown, rich));
            let untold = explanation.fault.iter().filter(|_| !explanation.tells_why());
            events.extend(untold.map(|fault| session.diagnostic(fault)));
            events
        }
        Err(problem) => session.no_answer(line, &COMMAND, &problem),
    }
}
