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

/// What asks for the other direction.
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
    let term = match session.wanted_path(&line, &COMMAND) {
        Ok(term) => term,
        Err(problems) => return problems,
    };
    let mut events = session.stale(&term);
    let direction = if used_by { Direction::UsedBy } else { Direction::Reads };
    let answer = deps(session, &Question::of_expression(term), direction);
    if let Some(stopped) = session.stopped() {
        return stopped;
    }
    match answer {
        Ok(deps) => {
            let places = |span| session.located(span);
            let (dialect, width) = (session.dialect(), session.page_width());
            let text = crate::answer::deps::text::text(&deps, dialect, &places, width);
            events.push(session.view(text, || crate::answer::answers::deps(&deps, dialect, &places)));
            events.extend(deps.fault.iter().map(|p| session.diagnostic(p)));
            events
        }
        Err(problem) => session.no_answer(&line, &COMMAND, &problem),
    }
}

/// A line without the option at its end.
fn without_end(text: &str) -> String {
    let text = text.trim_end();
    String::from(text.strip_suffix(USED_BY).unwrap_or(text))
}
