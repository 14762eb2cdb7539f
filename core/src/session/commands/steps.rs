//! `:steps e`, `:diff a b`

use super::{Argument, Command, Effect, Line};
use crate::answer::steps::Ask;
use crate::problem::Problem;
use crate::session::questions::{Question, Subject};
use crate::session::{Event, Session};
use crate::styled::{Role, Styled};
use crate::term::Term;
use crate::text::path::numbers;
use std::sync::Arc;

pub const COMMAND: Command = Command {
    name: "steps",
    aliases: &["s", "st"],
    usage: ":steps [--types] EXPRESSION",
    summary: "the merges of an expression, one operand at a time; with --types, the constraints of its type, one at a time",
    argument: Argument::Path,
    effect: Effect::Query,
    run: steps,
};

pub const DIFF: Command = Command {
    name: "diff",
    aliases: &[],
    usage: ":diff A B | N [M]",
    summary: "the differences between two values or two graphs of resources, since cell N, or from cell N to cell M",
    argument: Argument::Path,
    effect: Effect::Report,
    run: diff,
};

/// The option for the constraints of the type.
const TYPES: &str = "--types";

fn steps(session: &mut Session, line: &Line) -> Vec<Event> {
    if let Some(line) = line.without_word(TYPES) {
        return session.inquire(&line, &COMMAND, &Question::Solving);
    }
    let ask = Ask { all: true, ..Ask::default() };
    session.inquire(line, &COMMAND, &Question::Steps(ask))
}

fn diff(session: &mut Session, line: &Line) -> Vec<Event> {
    let argument = line.argument();
    let last = session.next_number().saturating_sub(1);
    let (cell, until) = match (argument, numbers(argument).as_deref()) {
        ("", _) => (Some(last.saturating_sub(1)), None),
        (_, Ok([cell])) => (Some(*cell), None),
        (_, Ok([cell, until])) if cell > until => {
            let why = format!("the earlier cell comes first: `:diff {until} {cell}`");
            return session.misused(line.dialect, &why, &DIFF);
        }
        (_, Ok([cell, until])) => (Some(*cell), Some(*until)),
        _ => (None, None),
    };
    if let Some(cell) = cell {
        let same = session.versions_between(cell, until, 0, |_, versions| versions.is_empty());
        let newest = until.unwrap_or(cell);
        let nothing = session.world.state.environment.borrow().keys().next().is_none();
        if newest > last {
            let (why, example) = match last {
                0 => (format!("there is no cell {newest}: there are no cells yet"), None),
                // what the last cell changed
                last => (format!("there is no cell {newest} yet: the last one is {last}"), Some(last - 1)),
            };
            let example = example.map(|cell| format!(":diff {cell}"));
            return session.misused_as(line.dialect, &why, &DIFF, example);
        }
        let none = match (same, nothing) {
            (true, true) => Some(String::from("nothing is bound: nothing to compare; `:diff A B` compares two values")),
            (true, false) => Some(match until {
                Some(until) => format!("no definition changed between cells {cell} and {until}"),
                None => format!("no definition has changed since cell {cell}"),
            }),
            (false, _) => None,
        };
        if let Some(none) = none {
            return vec![Event::Answer(Styled::of(Role::Dim, none))];
        }
    }
    let subject = match cell {
        Some(cell) => Subject::Since(cell, until),
        None => match both(session, line) {
            Ok(both) => Subject::Pair(both),
            Err(problems) => return problems,
        },
    };
    session.asked(line, &DIFF, &Question::Diff, subject)
}

/// Maximum number of places where an argument is split.
const PARTINGS: usize = 200;

/// Returns the two expressions of an argument. It is split at the first comma, or else at the first space, that has an
/// expression on both sides.
fn both(session: &mut Session, line: &Line) -> Result<[Arc<Term>; 2], Vec<Event>> {
    let start = line.text.len() - line.text[line.at..].trim_start().len();
    let end = line.text.trim_end().len();
    let parting = |sign: fn(char) -> bool| {
        let all = line.text.char_indices().filter(move |(at, c)| (start..end).contains(at) && sign(*c));
        all.map(|(at, c)| (at, at + c.len_utf8())).take(PARTINGS)
    };
    let partings: Vec<(usize, usize)> = parting(|c| c == ',').chain(parting(char::is_whitespace)).collect();
    // the problems of two texts that are expressions, but have names that are not in scope
    let mut unbound = None;
    for (left, right) in partings {
        let read = |session: &mut Session, from: usize, to: usize| -> Option<Result<Arc<Term>, Vec<Problem>>> {
            if line.text.get(from..to)?.trim().is_empty() {
                return None;
            }
            let part = Line { dialect: line.dialect, text: String::from(line.text.get(..to)?), at: from };
            let term = session.read_argument(&part);
            let is_expression = |problems: &Vec<Problem>| problems.iter().all(|p| p.code().starts_with("scope/"));
            (term.is_ok() || term.as_ref().is_err_and(is_expression)).then_some(term)
        };
        if let Some(a) = read(session, start, left)
            && let Some(b) = read(session, right, end)
        {
            match (a, b) {
                (Ok(a), Ok(b)) => return Ok([a, b]),
                (Err(mut problems), Err(more)) => {
                    problems.extend(more);
                    unbound.get_or_insert(problems);
                }
                (Err(problems), Ok(_)) | (Ok(_), Err(problems)) => {
                    unbound.get_or_insert(problems);
                }
            }
        }
    }
    if let Some(problems) = unbound {
        let words: Vec<&str> = line.argument().split([' ', ',']).filter(|word| !word.is_empty()).collect();
        let is_file = |word: &&str| session.languages().of_path(std::path::Path::new(word)).is_some();
        if let ([a, b], true) = (words.as_slice(), words.iter().all(is_file)) {
            let meant = format!(":diff import \"{a}\", import \"{b}\"");
            let at = ":diff ".len();
            let read = Line { dialect: line.dialect, text: format!(":diff import \"{a}\""), at };
            let meant = session.read_argument(&read).is_ok().then_some(meant);
            return Err(session.misused_for(
                line.dialect,
                "`:diff` compares values, and these are files",
                &DIFF,
                meant,
            ));
        }
        return Err(session.diagnostics(line.dialect, &problems).collect());
    }
    match session.argument(line) {
        // a single expression
        Ok(_) => {
            Err(session.misused(line.dialect, "`:diff` needs two expressions, separated by a blank or a comma", &DIFF))
        }
        Err(problems) => Err(problems),
    }
}
