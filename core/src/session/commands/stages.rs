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

fn stages(session: &mut Session, line: &Line) -> Vec<Event> {
    let (only, line) = without_stage(line);
    session.inquire_text(&line, &COMMAND, &Question::Stages(only))
}

/// Splits the name of a stage off the argument.
fn without_stage(line: &Line) -> (Option<Stage>, Line) {
    let argument = line.argument();
    let word = argument.split_whitespace().next().unwrap_or_default();
    let rest = argument[word.len()..].trim_start();
    match Stage::named(word) {
        Some(stage) => {
            let at = line.text.trim_end().len() - rest.len();
            (Some(stage), Line { dialect: line.dialect, text: line.text.clone(), at })
        }
        None => (None, line.clone()),
    }
}
