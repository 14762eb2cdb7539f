//! `:show`: a value as a table, a tree or JSON.

use super::{Argument, Command, Effect, Line};
use crate::answer::show::Form;
use crate::session::questions::Question;
use crate::session::{Event, Session};

pub const COMMAND: Command = Command {
    name: "show",
    aliases: &[],
    usage: ":show table|tree|json EXPRESSION",
    summary: "the whole value as a table, as a tree or as JSON",
    argument: Argument::Expression,
    effect: Effect::Query,
    run,
};

fn run(session: &mut Session, line: &Line) -> Vec<Event> {
    let argument = line.argument();
    let (word, rest) = argument.split_once(char::is_whitespace).unwrap_or((argument, ""));
    let Some(form) = Form::from_name(word) else {
        return session.misused(line.dialect, "it needs a form: table, tree or json", &COMMAND);
    };
    let at = line.text.trim_end().len() - rest.trim().len();
    let line = Line { text: line.text.clone(), at, dialect: line.dialect };
    session.inquire(&line, &COMMAND, &Question::Show(form))
}
