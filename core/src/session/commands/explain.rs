//! `:explain path`

use super::{Argument, Command, Effect, Line};
use crate::answer::explain;
use crate::session::{Event, Medium, Session};

pub const COMMAND: Command = Command {
    name: "explain",
    aliases: &["e"],
    usage: ":explain PATH",
    summary: "where a field's value comes from: who won, who lost and why",
    argument: Argument::Path,
    effect: Effect::Query,
    run,
};

fn run(session: &mut Session, line: &Line) -> Vec<Event> {
    let term = match session.wanted_path(line, &COMMAND) {
        Ok(term) => term,
        Err(problems) => return problems,
    };
    let mut events = session.stale(&term);
    let again = session.replay();
    let answer = explain::of_term(session, &again, term);
    if let Some(stopped) = session.stopped() {
        return stopped;
    }
    match answer {
        Ok(explanation) => {
            let width = session.columns();
            let shown = crate::answer::explain::text::draw(&explanation, session.dialect(), Medium::Text, width);
            let rich = || crate::answer::explain::text::rich(&explanation, session.dialect());
            events.push(session.view(shown, rich));
            let untold = explanation.fault.iter().filter(|_| !explanation.tells_why());
            events.extend(untold.map(|fault| session.diagnostic(fault)));
            events
        }
        Err(problem) => session.no_answer(line, &COMMAND, &problem),
    }
}
