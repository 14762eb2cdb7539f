//! `:graph [path]`

use super::{Argument, Command, Effect, Line};
use crate::answer::deps::Question;
use crate::answer::graph::{graph, of_session};
use crate::session::{Drawing, Event, Session};

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
    let answer = if line.argument().is_empty() {
        Ok(of_session(session))
    } else {
        match session.wanted_path(line, &COMMAND) {
            Ok(term) => graph(session, &Question::of_expression(term)),
            Err(problems) => return problems,
        }
    };
    if let Some(stopped) = session.stopped() {
        return stopped;
    }
    match answer {
        Ok(graph) => {
            let places = |span| session.located(span);
            let (dialect, width) = (session.dialect(), session.page_width());
            let text = crate::answer::graph::text::draw(&graph, Drawing::Text, dialect, &places, width);
            let mut events = vec![session.view(text, || crate::answer::answers::graph(&graph, dialect, &places))];
            events.extend(graph.fault.iter().map(|fault| session.diagnostic(fault)));
            events
        }
        Err(problem) => session.no_answer(line, &COMMAND, &problem),
    }
}
