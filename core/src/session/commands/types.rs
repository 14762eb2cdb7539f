//! `:type e`

use super::{Argument, Command, Effect, Line};
use crate::answer::Hints;
use crate::answer::types::TypeOf;
use crate::session::{Event, Session};

pub const COMMAND: Command = Command {
    name: "type",
    aliases: &["t", "typecheck", "tc"],
    usage: ":type EXPRESSION",
    summary: "the inferred type of an expression; nothing is evaluated",
    argument: Argument::Expression,
    effect: Effect::Query,
    run,
};

fn run(session: &mut Session, line: &Line) -> Vec<Event> {
    let term = match session.wanted(line, &COMMAND) {
        Ok(term) => term,
        Err(problems) => return problems,
    };
    let typed = session.world.infer(&term);
    if let Some(stopped) = session.stopped() {
        return stopped;
    }
    let mut events = Vec::new();
    session.typed(&typed, &mut events);
    events.push(session.shown(&TypeOf(&typed.scheme), Hints::default()));
    events
}
