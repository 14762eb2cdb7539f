//! `:load file`

use super::{Argument, Command, Effect, Line};
use crate::session::load::unquote;
use crate::session::{Event, Session};
use std::path::Path;

pub const COMMAND: Command = Command {
    name: "load",
    aliases: &[],
    usage: ":load FILE",
    summary: "binds the top-level fields of a file; if the file is not a record, its value becomes `it`",
    argument: Argument::File,
    effect: Effect::Define,
    run,
};

fn run(session: &mut Session, line: &Line) -> Vec<Event> {
    let path = unquote(line.argument());
    if path.is_empty() {
        return session.misused(line.dialect, "`:load` needs a file", &COMMAND);
    }
    session.load(line.dialect, Path::new(path))
}
