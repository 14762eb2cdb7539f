//! `:reload`

use super::{Argument, Command, Effect, Line};
use crate::session::{Event, Session};

pub const COMMAND: Command = Command {
    name: "reload",
    aliases: &["r"],
    usage: ":reload",
    summary: "reads again what changed on disk; where the new text fails, the old stays",
    argument: Argument::Nothing,
    effect: Effect::Reload,
    run,
};

fn run(session: &mut Session, _: &Line) -> Vec<Event> {
    session.reload()
}
