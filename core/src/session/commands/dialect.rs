//! `:dialect`

use super::{Argument, Command, Effect, Line};
use crate::session::{Event, Session};
use crate::state::input::dialect_of;
use crate::styled::{Role, Styled};

pub const COMMAND: Command = Command {
    name: "dialect",
    aliases: &[],
    usage: ":dialect [NAME]",
    summary: "the language of inputs and answers; a first line `%%NAME` changes it for one input",
    argument: Argument::Dialect,
    effect: Effect::Define,
    run,
};

fn run(session: &mut Session, line: &Line) -> Vec<Event> {
    let name = line.argument();
    if name.is_empty() {
        return vec![Event::Answer(Styled::of(Role::Keyword, line.dialect.name()))];
    }
    match dialect_of(session.languages(), name, &COMMAND.usage(session.languages()))
        .and_then(|dialect| if session.is_loading() { Ok(()) } else { session.set_dialect(dialect) })
    {
        Ok(()) => Vec::new(),
        Err(problem) => vec![session.diagnostic(line.dialect, &problem)],
    }
}
