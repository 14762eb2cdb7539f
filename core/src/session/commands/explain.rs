//! `:explain path`

use super::{Argument, Command, Effect, Line};
use crate::answer::explain;
use crate::session::{Event, Session};

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
    session.ask_of_path(line, &COMMAND, |session, term| {
        let again = session.replay();
        explain::of_term(session, &again, term)
    })
}
