//! `:steps e`, `:diff a b`

use super::{Argument, Command, Line};
use crate::ask::steps::Ask;
use crate::session::{Event, Session};
use crate::view::steps::{Draw, Hints};
use crate::{ask, view};

pub const COMMAND: Command = Command {
    name: "steps",
    aliases: &["s"],
    usage: ":steps EXPRESSION",
    summary: "the merges of an expression, one operand at a time",
    example: &[":steps { port | default = 80 } & { port = 443 }"],
    argument: Argument::Expression,
    run: steps,
};

pub const DIFF: Command = Command {
    name: "diff",
    aliases: &[],
    usage: ":diff A B",
    summary: "what differs between two values, and where each side is defined",
    example: &[":diff { a = 1 } { a = 2 }"],
    argument: Argument::Expression,
    run: diff,
};

fn steps(session: &mut Session, line: &Line) -> Vec<Event> {
    let term = match session.wanted(line, &COMMAND) {
        Ok(term) => term,
        Err(problems) => return problems,
    };
    let mut events = Vec::new();
    let answer = ask::steps::of_term(session, term, &Ask { all: true, ..Ask::default() });
    if let Some(stopped) = session.stopped() {
        return stopped;
    }
    match answer {
        Ok(steps) => {
            let sources = session.world.sources.borrow();
            let all = if session.page_width().is_some() { "a" } else { "" };
            let hints = Hints { explain: ":explain <path>", all, ..Hints::default() };
            let draw = Draw { dialect: session.dialect(), sources: &sources, width: session.world.width.get(), hints };
            let pages = view::steps::pages(&steps, draw);
            let foot = view::steps::foot(&steps, draw);
            drop(sources);
            events.push(Event::Steps { pages, foot });
        }
        Err(problem) => events.push(session.diagnostic(&problem)),
    }
    events
}

fn diff(session: &mut Session, _: &Line) -> Vec<Event> {
    session.misused("not built yet", &DIFF)
}
