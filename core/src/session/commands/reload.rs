//! `:reload`

use super::{Argument, Command, Effect, Line};
use crate::session::{Event, Session};

pub const COMMAND: Command = Command {
    name: "reload",
    aliases: &["r"],
    usage: ":reload",
    summary: "reads changed files again; if the new text has errors, the old one stays",
    argument: Argument::Nothing,
    effect: Effect::Reload,
    run,
};

fn run(session: &mut Session, line: &Line) -> Vec<Event> {
    session.reload(line.dialect)
}
