//! `:stages`: the result of each stage for an expression.

use super::{Argument, Command, Effect, Line};
use crate::answer::stages::Stage;
use crate::session::questions::Question;
use crate::session::{Event, Session};

pub const COMMAND: Command = Command {
    name: "stages",
    aliases: &[],
    usage: ":stages [STAGE] EXPRESSION",
    summary: "what each stage makes of an expression: tokens, tree, scopes, constraints, graph, value, or one of them",
    argument: Argument::Expression,
    effect: Effect::Query,
    run: stages,
};

/// Returns the argument without the name of a stage at its beginning.
pub fn expression(argument: &str) -> &str {
    let argument = argument.trim_start();
    let without = |stage: Stage| {
        let rest = argument.strip_prefix(stage.name())?;
        (rest.is_empty() || rest.starts_with(char::is_whitespace)).then_some(rest)
    };
    Stage::ALL.into_iter().find_map(without).unwrap_or(argument)
}

fn stages(session: &mut Session, line: &Line) -> Vec<Event> {
    let named = |stage: Stage| Some((stage, line.without_word(stage.name())?));
    match Stage::ALL.into_iter().find_map(named) {
        Some((stage, line)) => session.inquire_text(&line, &COMMAND, &Question::Stages(Some(stage))),
        None => session.inquire_text(line, &COMMAND, &Question::Stages(None)),
    }
}
