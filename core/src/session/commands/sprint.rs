//! `:sprint e`, `:force e`

use super::{Argument, Command, Effect};
use crate::session::questions::Question;

pub const COMMAND: Command = Command {
    name: "sprint",
    aliases: &[],
    usage: ":sprint PATH",
    summary: "the value as far as it is already evaluated, with `_` for the rest",
    argument: Argument::Path,
    effect: Effect::Query,
    run: |session, line| session.inquire(line, &COMMAND, &Question::Known),
};

pub const FORCE: Command = Command {
    name: "force",
    aliases: &["print", "p", "resolve"],
    usage: ":force EXPRESSION",
    summary: "the whole value, evaluated; a field that is declared but has no value is an error",
    argument: Argument::Expression,
    effect: Effect::Query,
    run: |session, line| session.inquire(line, &FORCE, &Question::Force),
};
