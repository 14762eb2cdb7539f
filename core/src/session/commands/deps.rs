//! `:deps path`

use super::{Argument, Command, Line};
use crate::session::{Event, Session};

pub const COMMAND: Command = Command {
    name: "deps",
    aliases: &[],
    usage: ":deps [--used-by] PATH",
    summary: "what a field's value is made from; --used-by: who reads it",
    example: &[":deps { host = \"a\", url = host }.url", "url", "`- host   \"a\""],
    argument: Argument::Expression,
    run,
};

fn run(session: &mut Session, _: &Line) -> Vec<Event> {
    session.misused("not built yet", &COMMAND)
}
