//! `:env [prefix]`, `:browse`

use super::{Argument, Command, Effect};
use crate::session::questions::{Question, Subject};

pub const COMMAND: Command = Command {
    name: "env",
    aliases: &["browse"],
    usage: ":env [PREFIX]",
    summary: "the bound names with their types; `:env std.array.` lists a module or record",
    argument: Argument::Path,
    effect: Effect::Query,
    run: |session, line| session.asked(line, &COMMAND, &Question::Env, Subject::Names(line.argument())),
};
