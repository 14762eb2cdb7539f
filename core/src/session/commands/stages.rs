//! `:stages`: the result of each stage for an expression.

use super::{Argument, Command, Effect, Line};
use crate::answer::stages::Stage;
use crate::session::questions::Question;
use crate::session::{Event, Session};
use crate::text::near;

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

/// Returns a word before an expression that is similar to the name of a stage and is not bound, and the argument with the name.
fn misspelt<'a>(session: &Session, argument: &'a str) -> Option<(&'a str, String)> {
    let (word, rest) = argument.split_once(char::is_whitespace)?;
    let is_value =
        rest.trim_start().starts_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '{' | '[' | '"' | '('));
    let near = near(word, Stage::ALL.into_iter().map(Stage::name));
    let name = near.first().filter(|_| is_value && !session.is_bound(word))?;
    Some((word, format!("{name} {}", rest.trim())))
}

fn stages(session: &mut Session, line: &Line) -> Vec<Event> {
    let named = |stage: Stage| Some((stage, line.without_word(stage.name())?));
    match Stage::ALL.into_iter().find_map(named) {
        Some((stage, line)) => session.inquire_text(&line, &COMMAND, &Question::Stages(Some(stage))),
        None => match misspelt(session, line.argument()) {
            Some((word, meant)) => {
                let why = format!("`:stages` has no stage `{word}`");
                session.misused_for(line.dialect, &why, &COMMAND, Some(format!(":stages {meant}")))
            }
            None => session.inquire_text(line, &COMMAND, &Question::Stages(None)),
        },
    }
}
