//! `:whatif`: the value of a field if its definitions were others.

use super::{Argument, Command, Effect, Line};
use crate::answer::whatif::{Change, Layer, USAGE};
use crate::meta::Priority;
use crate::session::questions::Question;
use crate::session::{Event, Session};
use crate::term::Number;
use crate::text::path::FieldPath;

pub const COMMAND: Command = Command {
    name: "whatif",
    aliases: &[],
    usage: USAGE,
    summary: "a field's value without one of the definitions that `:explain` lists, or with another priority or value",
    argument: Argument::Path,
    effect: Effect::Query,
    run,
};

/// Maximum number of definitions that are tried for a suggestion.
const TRIED: usize = 4;
/// The refusal of a value that does not parse.
const UNREAD: &str = "is not one expression of its language";

fn run(session: &mut Session, line: &Line) -> Vec<Event> {
    let argument = line.argument();
    let start = line.text.trim_end().len() - argument.len();
    match changes(argument) {
        None => without_change(session, line),
        Some((_, Err(why))) => session.misused(line.dialect, &why, &COMMAND),
        Some((at, Ok(changes))) => {
            let value = changes.iter().find_map(|layer| match &layer.change {
                Change::Value(text) => Some(text.len()),
                _ => None,
            });
            let asked = session.inquire(&part(line, start + at), &COMMAND, &Question::WhatIf(changes));
            let of_value = value.filter(|_| asked.iter().any(is_unread));
            let path = argument.get(..at).unwrap_or_default();
            let faults = of_value.and_then(|length| faults_of_value(session, line, path, length));
            faults.unwrap_or(asked)
        }
    }
}

/// Returns the line up to a byte.
fn part(line: &Line, end: usize) -> Line {
    Line { text: String::from(line.text.get(..end).unwrap_or_default()), ..line.clone() }
}

fn is_unread(event: &Event) -> bool {
    matches!(event, Event::Diagnostic { report, .. } if report.text().contains(UNREAD))
}

/// Returns `true` for a change that cannot be tried.
fn is_refusal(event: &Event) -> bool {
    matches!(event, Event::Diagnostic { report, .. } if report.text().contains("[command/usage]"))
}

/// Returns the errors of a value that is not an expression: the rest of the line, by its length. `None` if it is one, or may be a
/// secret.
fn faults_of_value(session: &mut Session, line: &Line, path: &str, length: usize) -> Option<Vec<Event>> {
    let at = line.text.trim_end().len().checked_sub(length)?;
    let problems = session.read_argument(&Line { at, ..line.clone() }).err()?;
    let problem = problems.iter().find(|problem| problem.code().starts_with("syntax/"))?;
    if session.world.is_secret_name(path) {
        return None;
    }
    let advice = format!("`:whatif {} value 1 EXPRESSION` gives the definition another value", path.trim());
    let mut event = session.diagnostic(line.dialect, problem);
    if let Event::Diagnostic { report, .. } = &mut event {
        *report = session.report_advised(line.dialect, problem, advice);
    }
    Some(vec![event])
}

/// Asks a question whose answer is not shown. Returns the events, and the number of the definitions that were explained.
fn quietly(session: &mut Session, line: &Line, question: &Question) -> (Vec<Event>, Option<usize>) {
    let before = (session.last_explained.take(), session.was_explain, std::mem::take(&mut session.last_edits));
    let events = session.inquire(line, &COMMAND, question);
    let explained = session.last_explained.take().map(|field| field.definitions.len());
    (session.last_explained, session.was_explain, session.last_edits) = before;
    (events, explained)
}

/// Returns the number of the first definition that a change can be tried with, or else the errors of the first one.
fn first_that_works(session: &mut Session, path: &Line, count: usize, change: &Change) -> Result<usize, Vec<Event>> {
    let mut first = None;
    for number in 1..=count.min(TRIED) {
        let layer = Layer { number, change: change.clone() };
        let (events, _) = quietly(session, path, &Question::WhatIf(vec![layer]));
        if !events.iter().any(Event::is_error) {
            return Ok(number);
        }
        first.get_or_insert(events);
    }
    Err(first.unwrap_or_default())
}

/// Reports a line without a change. What it suggests was tried before.
fn without_change(session: &mut Session, line: &Line) -> Vec<Event> {
    let argument = line.argument();
    // `:whatif a.port = 80`
    let assigned = argument.split_once('=').or_else(|| argument.split_once(char::is_whitespace));
    let assigned = assigned.map(|(path, value)| (path.trim(), value.trim_start_matches('=').trim()));
    let assigned = assigned.filter(|(path, value)| FieldPath::parse(path).is_ok() && !value.is_empty());
    let words: Vec<&str> = argument.split_whitespace().collect();
    let meant = match words.as_slice() {
        // `:whatif a.port off`
        [path, "off"] => Some(format!(":whatif {path} off 1")),
        // `:whatif off 1 a.port`
        ["off", number, path] if digits(number).is_some() => Some(format!(":whatif {path} off {number}")),
        ["priority" | "value" | "off", ..] => Some(String::from(":whatif PATH off 1")),
        _ => None,
    };
    if let Some(meant) = meant {
        let why = "`:whatif` needs a path, then a change, with the number of a definition in it";
        return session.misused_for(line.dialect, why, &COMMAND, Some(meant));
    }
    let path = assigned.map_or(argument, |(path, _)| path);
    if path.is_empty() {
        return session.misused(line.dialect, "`:whatif` needs the path of a field, then a change", &COMMAND);
    }
    let mut why =
        format!("`:whatif` needs a change after `{path}`: off, priority or value, and the number of a definition");
    let start = line.text.trim_end().len() - argument.len();
    let short = part(line, start + path.len());
    // a path that does not exist needs no change
    let mut count = 0;
    if FieldPath::parse(path).is_ok() {
        let (found, explained) = quietly(session, &short, &Question::Explain);
        match explained {
            Some(explained) => count = explained,
            None if found.iter().any(Event::is_error) => return found.into_iter().filter(Event::is_error).collect(),
            None => {}
        }
    }
    if count > 0 {
        why += &format!(" that `:explain {path}` lists");
    }
    if let Some((path, value)) = assigned.filter(|_| count > 0) {
        match first_that_works(session, &short, count, &Change::Value(String::from(value))) {
            Ok(number) => {
                let value = if session.world.is_secret_name(path) { "VALUE" } else { value };
                let meant = format!(":whatif {path} value {number} {value}");
                return session.misused_for(line.dialect, &why, &COMMAND, Some(meant));
            }
            Err(errors) if argument.contains('=') => {
                let faults = errors.iter().any(is_unread).then(|| faults_of_value(session, line, path, value.len()));
                return faults.flatten().unwrap_or(errors);
            }
            Err(_) => {}
        }
    }
    let example = match first_that_works(session, &short, count, &Change::Off) {
        Ok(number) => Some(format!(":whatif {path} off {number}")),
        // the field does not exist
        Err(errors) if errors.iter().any(|event| !is_refusal(event)) => return errors,
        Err(_) => None,
    };
    session.misused_as(line.dialect, &why, &COMMAND, example)
}

/// Splits an argument into the path, by its length, and the changes after it. `None` if there is no change.
fn changes(argument: &str) -> Option<(usize, Result<Vec<Layer>, String>)> {
    let begins = |at: &usize| {
        let Some(rest) = argument.get(*at + 1..) else { return false };
        let mut words = rest.split_whitespace();
        matches!(words.next(), Some("off" | "priority" | "value")) && words.next().is_some_and(|n| digits(n).is_some())
    };
    let at = argument.char_indices().filter(|(_, c)| c.is_whitespace()).map(|(at, _)| at).find(begins)?;
    let mut rest = argument.get(at..).unwrap_or_default().trim();
    let mut out = Vec::new();
    while !rest.is_empty() {
        let (layer, after) = match change(rest) {
            Ok(change) => change,
            Err(why) => return Some((at, Err(why))),
        };
        out.push(layer);
        rest = after;
    }
    Some((at, Ok(out)))
}

/// Parses one change, and returns the text after it and its comma.
fn change(text: &str) -> Result<(Layer, &str), String> {
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let rest = rest.trim_start();
    let (number, after) = rest.split_once(|c: char| c.is_whitespace() || c == ',').unwrap_or((rest, ""));
    let number = digits(number).ok_or_else(|| format!("expected the number of a definition after `{word}`"))?;
    let next = |after| -> &str {
        let after: &str = after;
        after.trim_start().trim_start_matches(',').trim_start()
    };
    match word {
        "off" => Ok((Layer { number, change: Change::Off }, next(after))),
        "priority" => {
            let after = after.trim_start();
            let end = after.find(|c: char| c.is_whitespace() || c == ',').unwrap_or(after.len());
            let (named, after) = after.split_at(end);
            let priority = match named {
                "default" => Priority::Default,
                "normal" => Priority::Normal,
                "force" => Priority::Force,
                number => match Number::parse(number) {
                    Ok(number) => Priority::Number(number),
                    Err(_) => return Err(format!("expected default, normal, force or a number, found `{named}`")),
                },
            };
            Ok((Layer { number, change: Change::Priority(priority) }, next(after)))
        }
        // the value is the rest of the line
        "value" if !after.trim().is_empty() => {
            Ok((Layer { number, change: Change::Value(String::from(after.trim())) }, ""))
        }
        "value" => Err(String::from("expected an expression after `value N`")),
        other => Err(format!("expected off, priority or value, found `{other}`")),
    }
}

fn digits(text: &str) -> Option<usize> {
    text.trim_end_matches(',').parse().ok()
}
