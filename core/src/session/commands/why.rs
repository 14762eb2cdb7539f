//! `:why`, and what shows how a type is found: `:constraints`, `:core`, `:ast`

use super::{Argument, Command, Line};
use crate::session::{Event, Session};

pub const COMMAND: Command = Command {
    name: "why",
    aliases: &["w"],
    usage: ":why [PATH|N]",
    summary: "what led to a type, or to the last input's first type error; a number shows one step in full",
    example: &[
        ":why (let r = { port | Number } in r & { port = \"80\" }).port",
        "type clash at port: String is not Number",
    ],
    argument: Argument::Expression,
    run: |session, line| session.misused_later(line, &COMMAND),
};

pub const CONSTRAINTS: Command = Command {
    name: "constraints",
    aliases: &[],
    usage: ":constraints EXPRESSION",
    summary: "what inference collects of an expression, and how it is solved",
    example: &[":constraints fun x => x + 1"],
    argument: Argument::Expression,
    run: |session, line| session.misused_later(line, &CONSTRAINTS),
};

pub const CORE: Command = Command {
    name: "core",
    aliases: &[],
    usage: ":core EXPRESSION",
    summary: "an expression in the core language that every dialect is read into",
    example: &[":core { a.b = 1 }"],
    argument: Argument::Expression,
    run: |session, line| session.misused_later(line, &CORE),
};

pub const AST: Command = Command {
    name: "ast",
    aliases: &[],
    usage: ":ast EXPRESSION",
    summary: "an expression as it is parsed, with the place of each part",
    example: &[":ast 1 + 2"],
    argument: Argument::Expression,
    run: |session, line| session.misused_later(line, &AST),
};

impl Session {
    fn misused_later(&mut self, line: &Line, command: &Command) -> Vec<Event> {
        match self.wanted(line, command) {
            Ok(_) => self.misused("not built yet", command),
            Err(problems) => problems,
        }
    }
}
