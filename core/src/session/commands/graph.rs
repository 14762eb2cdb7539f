//! `:graph [path]`

use super::{Argument, Command, Effect, Line};
use crate::answer::deps::Question;
use crate::answer::graph::{graph, of_session};
use crate::session::{Event, Session};

pub const COMMAND: Command = Command {
    name: "graph",
    aliases: &[],
    usage: ":graph [PATH]",
    summary: "who depends on whom",
    argument: Argument::Path,
    effect: Effect::Query,
    run,
};

fn run(session: &mut Session, line: &Line) -> Vec<Event> {
    if line.argument().is_empty() {
        let answer = of_session(session);
        return session.answer_told(line, &COMMAND, Vec::new(), Ok(answer));
    }
    match session.wanted_path(line, &COMMAND) {
        Ok(term) => {
            let answer = graph(session, &Question::of_expression(term));
            session.answer_told(line, &COMMAND, Vec::new(), answer)
        }
        Err(problems) => problems,
    }
}
