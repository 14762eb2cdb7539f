//! `:query path`

use super::{Argument, Command, Effect, Line};
use crate::answer::query::query;
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
    session.ask_of_path(line, &COMMAND, |session, term| query(session, term))
}
