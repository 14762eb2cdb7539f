//! `:info name`

use super::{Argument, Command, Effect};
use crate::session::questions::Question;

pub const COMMAND: Command = Command {
    name: "info",
    aliases: &["i"],
    usage: ":info PATH",
    summary: "what is known about a name or field without evaluation: its definition, type, metadata and readers",
    argument: Argument::Path,
    effect: Effect::Query,
    run: |session, line| session.inquire(line, &COMMAND, &Question::Info),
};
