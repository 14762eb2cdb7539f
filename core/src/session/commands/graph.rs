//! `:graph [path]`

use super::{Argument, Command, Line};
use crate::session::{Event, Session};

pub const COMMAND: Command = Command {
    name: "graph",
    aliases: &[],
    usage: ":graph [PATH]",
    summary: "who depends on whom",
    example: &[":graph { host = \"a\", url = host }", "url  reads  host"],
    argument: Argument::Expression,
    run,
};

fn run(session: &mut Session, _: &Line) -> Vec<Event> {
    session.misused("not built yet", &COMMAND)
}
