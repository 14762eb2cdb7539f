//! `:undo`, `:redo`, `:reset`

use super::{Argument, Command, Effect, Line};
use crate::dialect::Dialect;
use crate::session::time::Moved;
use crate::session::{Event, Session, is_written};
use crate::styled::{Role, Styled};
use crate::text::Name;
use crate::text::path::numbers;

pub const COMMAND: Command = Command {
    name: "undo",
    aliases: &[],
    usage: ":undo [N]",
    summary: "undoes the last input that changed something, or the last N such inputs, and what was only shown since",
    argument: Argument::Number,
    effect: Effect::Travel,
    run: undo,
};

pub const REDO: Command = Command {
    name: "redo",
    aliases: &[],
    usage: ":redo [N]",
    summary: "repeats what was undone, unless something else has changed since",
    argument: Argument::Number,
    effect: Effect::Travel,
    run: redo,
};

pub const RESET: Command = Command {
    name: "reset",
    aliases: &[],
    usage: ":reset",
    summary: "empties the session; options stay, numbering continues, and `:undo` restores everything",
    argument: Argument::Nothing,
    effect: Effect::Reset,
    run: reset,
};

/// Maximum number of names that are shown with their types after `:undo` or `:redo`.
const SHOWN: usize = 10;

fn undo(session: &mut Session, line: &Line) -> Vec<Event> {
    let Some(count) = count(line) else {
        return session.misused(line.dialect, "`:undo` takes a number of inputs, from 1", &COMMAND);
    };
    let undone = session.undo(count);
    let nothing = match session.undoable() {
        (0, _) => "nothing to undo",
        _ => "nothing to undo: no input in effect defined anything",
    };
    let mut events = moved(session, line.dialect, "undone", nothing, &undone);
    events.extend(fewer(count, &undone, "undone"));
    events
}

fn redo(session: &mut Session, line: &Line) -> Vec<Event> {
    let Some(count) = count(line) else {
        return session.misused(line.dialect, "`:redo` takes a number of inputs, from 1", &REDO);
    };
    let redone = session.redo(count);
    let mut events = moved(session, line.dialect, "redone", "nothing to redo", &redone);
    events.extend(fewer(count, &redone, "redone"));
    events
}

/// Says that there were fewer inputs than a command was to cross.
fn fewer(wanted: usize, moved: &Moved, what: &str) -> Option<Event> {
    let count = moved.inputs.len();
    let is_fewer = (1..wanted).contains(&count);
    let text = || format!("only {} could be {what}", crate::text::counted(count, "input"));
    is_fewer.then(|| Event::Answer(Styled::of(Role::Dim, text())))
}

fn reset(session: &mut Session, _: &Line) -> Vec<Event> {
    session.reset();
    vec![Event::Answer(Styled::of(Role::Dim, "nothing is bound any more"))]
}

fn count(line: &Line) -> Option<usize> {
    match line.argument() {
        "" => Some(1),
        text => match numbers(text).as_deref() {
            Ok([count]) => usize::try_from(*count).ok().filter(|count| *count > 0),
            _ => None,
        },
    }
}

/// Reports the undone or redone inputs, and the current definitions of the names that they changed.
fn moved(session: &Session, dialect: Dialect, what: &str, nothing: &str, moved: &Moved) -> Vec<Event> {
    if moved.inputs.is_empty() {
        return vec![Event::Answer(Styled::of(Role::Dim, nothing))];
    }
    let note = |what: &str, count: usize| {
        let inputs = if count == 1 { "input" } else { "inputs" };
        let note = format!("{what}: {count} {inputs} that defined nothing");
        (count > 0).then(|| Event::Answer(Styled::of(Role::Dim, note)))
    };
    let mut events: Vec<Event> = note("undone first", moved.removed).into_iter().collect();
    for (entry, _) in &moved.inputs {
        let mut line = Styled::of(Role::Dim, format!("{what}: "));
        line.plain(first_line(&session.masked_input_in(entry.dialect, &entry.text)));
        events.push(Event::Answer(line));
    }
    events.extend(note(&format!("also {what}"), moved.looks));
    let mut names: Vec<&Name> = Vec::new();
    for name in moved.inputs.iter().flat_map(|(_, names)| names).filter(|name| is_written(name)) {
        if !names.contains(&name) && names.len() < SHOWN {
            names.push(name);
        }
    }
    for name in names {
        match session.world.typed(name) {
            Some(typed) => events.push(Event::Bound(session.name_and_type(dialect, name, &typed))),
            None => {
                let mut line = Styled::of(Role::Name, name.as_str());
                line.plain(" is no longer bound");
                events.push(Event::Answer(line));
            }
        }
    }
    events
}

/// Returns the first line of an input that is not empty, with a mark if there are more lines.
pub(super) fn first_line(text: &str) -> String {
    let mut lines = text.lines().map(str::trim_end).filter(|line| !line.trim().is_empty());
    let mut first = lines.next().unwrap_or("");
    if first.trim_start().starts_with("%%") {
        first = lines.next().unwrap_or(first);
    }
    match lines.next() {
        Some(_) => format!("{} …", first.trim()),
        None => String::from(first.trim()),
    }
}
