//! `:doc path`

use super::{Argument, Command, Effect, Line};
use crate::answer;
use crate::session::{Event, Session};

pub const COMMAND: Command = Command {
    name: "doc",
    aliases: &[],
    usage: ":doc PATH",
    summary: "the documentation of a name or field, the library's too",
    argument: Argument::Path,
    effect: Effect::Query,
    run,
};

fn run(session: &mut Session, line: &Line) -> Vec<Event> {
    let term = match session.wanted_path(line, &COMMAND) {
        Ok(term) => term,
        Err(problems) => return problems,
    };
    match answer::doc::doc(session, term, line.argument()) {
        Ok(doc) => {
            vec![Event::Answer(crate::answer::doc::text::doc(
                &doc,
                session.dialect().spelling().of,
                session.page_width(),
            ))]
        }
        Err(problem) => session.no_answer(line, &COMMAND, &problem),
    }
}
