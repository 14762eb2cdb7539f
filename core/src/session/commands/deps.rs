//! `:deps path`

use super::{Argument, Command, Effect, Line};
use crate::answer::deps::{Direction, Question, deps};
use crate::session::{Event, Session};

pub const COMMAND: Command = Command {
    name: "deps",
    aliases: &[],
    usage: ":deps [--used-by] PATH",
    summary: "what a field's value is made from; with --used-by who reads it",
    argument: Argument::Path,
    effect: Effect::Query,
    run,
};

/// The option for the other direction.
const USED_BY: &str = "--used-by";

fn run(session: &mut Session, line: &Line) -> Vec<Event> {
    let argument = line.argument();
    let before = argument.strip_prefix(USED_BY).filter(|rest| rest.starts_with(char::is_whitespace) || rest.is_empty());
    let behind = argument.strip_suffix(USED_BY).filter(|rest| rest.ends_with(char::is_whitespace));
    let used_by = before.is_some() || behind.is_some();
    let line = match before {
        Some(rest) => Line { text: line.text.clone(), at: line.text.trim_end().len() - rest.trim_end().len() },
        None => Line { text: behind.map_or(line.text.clone(), |_| without_end(&line.text)), at: line.at },
    };
    let direction = if used_by { Direction::UsedBy } else { Direction::Reads };
    session.ask_of_path(&line, &COMMAND, |session, term| deps(session, &Question::of_expression(term), direction))
}

/// A line without the option at its end.
fn without_end(text: &str) -> String {
    let text = text.trim_end();
    String::from(text.strip_suffix(USED_BY).unwrap_or(text))
}
