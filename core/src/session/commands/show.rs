//! `:show`: a value as a table, a tree, JSON or YAML.

use super::{Argument, Command, Effect, Line};
use crate::answer::show::Form;
use crate::session::questions::Question;
use crate::session::{Event, Session};
use crate::text::near;

pub const COMMAND: Command = Command {
    name: "show",
    aliases: &[],
    usage: ":show table|tree|json|yaml EXPRESSION",
    summary: "the whole value as a table, as a tree, as JSON or as YAML",
    argument: Argument::Expression,
    effect: Effect::Query,
    run,
};

fn run(session: &mut Session, line: &Line) -> Vec<Event> {
    let argument = line.argument();
    let (word, rest) = argument.split_once(char::is_whitespace).unwrap_or((argument, ""));
    let Some(form) = Form::from_name(word) else {
        let root = word.split(['.', '[']).next().unwrap_or(word);
        let is_name = word.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
        // `:show csv x`, but not `:show x.a`, where the form is missing
        let is_form = !rest.trim().is_empty() && is_name && !session.is_bound(root);
        let why = match is_form {
            true => format!("`{word}` is not a form of `:show`: expected table, tree, json or yaml"),
            false => String::from("`:show` needs a form before the expression: table, tree, json or yaml"),
        };
        let last = argument.rsplit_once(char::is_whitespace).filter(|(_, last)| Form::from_name(last).is_some());
        let meant = match near(word, Form::NAMES).first() {
            _ if argument.is_empty() => None,
            // `:show x json`
            _ if last.is_some() => last.map(|(value, form)| format!(":show {form} {value}")),
            Some(form) => Some(format!(":show {form} {rest}")),
            None if is_form => None,
            None => Some(format!(":show tree {argument}")),
        };
        return session.misused_for(line.dialect, &why, &COMMAND, meant.map(|meant| String::from(meant.trim())));
    };
    if rest.trim().is_empty() {
        return session.misused(line.dialect, &format!("`:show {word}` needs an expression"), &COMMAND);
    }
    let at = line.text.trim_end().len() - rest.trim().len();
    let line = Line { text: line.text.clone(), at, dialect: line.dialect };
    session.inquire(&line, &COMMAND, &Question::Show(form))
}
