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

fn run(session: &mut Session, line: &Line) -> Vec<Event> {
    let argument = line.argument();
    let Some((at, changes)) = changes(argument) else {
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
        // a path that does not exist needs no change
        if assigned.is_none() && FieldPath::parse(argument).is_ok() && !argument.is_empty() {
            let before = (session.last_explained.take(), session.was_explain);
            let found = session.inquire(line, &COMMAND, &Question::Explain);
            let is_explained = session.last_explained.is_some();
            (session.last_explained, session.was_explain) = before;
            if found.iter().any(Event::is_error) && !is_explained {
                return found.into_iter().filter(Event::is_error).collect();
            }
        }
        let why = match assigned.map_or(argument, |(path, _)| path) {
            "" => "`:whatif` needs the path of a field, then a change".into(),
            path => format!(
                "`:whatif` needs a change after `{path}`: off, priority or value, and the number of a definition"
            ),
        };
        let meant = assigned.map(|(path, value)| match session.world.is_secret_name(path) {
            true => format!(":whatif {path} value 1 VALUE"),
            false => format!(":whatif {path} value 1 {value}"),
        });
        return session.misused_for(line.dialect, &why, &COMMAND, meant);
    };
    let changes = match changes {
        Ok(changes) => changes,
        Err(why) => return session.misused(line.dialect, &why, &COMMAND),
    };
    let start = line.text.trim_end().len() - argument.len();
    let text = line.text.get(..start + at).unwrap_or_default();
    let line = Line { dialect: line.dialect, text: String::from(text), at: line.at };
    session.inquire(&line, &COMMAND, &Question::WhatIf(changes))
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
