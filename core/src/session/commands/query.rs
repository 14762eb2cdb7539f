//! `:query path`

use super::{Argument, Command, Effect, Line};
use crate::answer;
use crate::session::{Event, Session};

pub const COMMAND: Command = Command {
    name: "query",
    aliases: &["q"],
    usage: ":query PATH",
    summary: "a field's metadata and value",
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
    let answer = answer::query::query(session, term);
    if let Some(stopped) = session.stopped() {
        return stopped;
    }
    match answer {
        Ok(query) => {
            let shown = crate::answer::query::text::query(&query, session.dialect(), session.page_width(), &|span| {
                session.written(span)
            });
            if !shown.is_empty() {
                let texts = |span| session.written(span);
                let rich = || crate::answer::answers::query(&query, session.dialect(), &texts);
                events.push(session.view(shown, rich));
            }
            events.extend(query.fault.iter().map(|p| session.diagnostic(p)));
        }
        Err(problem) => return session.no_answer(line, &COMMAND, &problem),
    }
    events
}
