//! `:holes`: the holes of an expression, such as `_x`, with the type that each must have and the names that fit.

use super::{Argument, Command, Effect};
use crate::session::questions::{Question, Subject};

pub const COMMAND: Command = Command {
    name: "holes",
    aliases: &[],
    usage: ":holes [EXPRESSION]",
    summary: "the holes `_x` of the last input or of an expression: the type that each must have, and the names that fit",
    argument: Argument::Expression,
    effect: Effect::Report,
    run: |session, line| {
        let subject = if line.argument().is_empty() { Subject::LastInput } else { Subject::Text(line) };
        session.asked(line, &COMMAND, &Question::Holes, subject)
    },
};
