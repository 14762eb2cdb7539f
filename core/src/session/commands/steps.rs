//! `:steps e`, `:diff a b`

use super::{Argument, Command, Line};
use crate::session::{Event, Session};

pub const COMMAND: Command = Command {
    name: "steps",
    aliases: &["s"],
    usage: ":steps EXPRESSION",
    summary: "the merges of an expression, one operand at a time",
    example: &[":steps { port | default = 80 } & { port = 443 }"],
    argument: Argument::Expression,
    run: steps,
};

pub const DIFF: Command = Command {
    name: "diff",
    aliases: &[],
    usage: ":diff A B",
    summary: "what differs between two values, and where each side is defined",
    example: &[":diff { a = 1 } { a = 2 }"],
    argument: Argument::Expression,
    run: diff,
};

fn steps(session: &mut Session, line: &Line) -> Vec<Event> {
    match session.wanted(line, &COMMAND) {
        Ok(_) => session.misused("not built yet", &COMMAND),
        Err(problems) => problems,
    }
}

fn diff(session: &mut Session, _: &Line) -> Vec<Event> {
    session.misused("not built yet", &DIFF)
}
