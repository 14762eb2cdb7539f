//! `:type e`

use super::{Argument, Command, Effect, Line};
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
    let rich = || crate::answer::types::ty(&typed.scheme, session.dialect());
    events.push(session.view(session.type_answer(&typed.scheme), rich));
    events
}
