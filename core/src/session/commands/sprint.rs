//! `:sprint e`, `:force e`

use super::{Argument, Command, Effect, Line};
use crate::answer;
use crate::dialect::Dialect;
use crate::dialect::notation;
use crate::session::{Event, Session, cells};
use crate::styled::Styled;
use crate::value::datum::Datum;

pub const COMMAND: Command = Command {
    name: "sprint",
    aliases: &[],
    usage: ":sprint PATH",
    summary: "the value as far as it is already evaluated, with `_` for the rest",
    argument: Argument::Path,
    effect: Effect::Query,
    run,
};

pub const FORCE: Command = Command {
    name: "force",
    aliases: &["print", "p"],
    usage: ":force EXPRESSION",
    summary: "the whole value, evaluated; a field that is declared but has no value is an error",
    argument: Argument::Expression,
    effect: Effect::Query,
    run: force,
};

fn run(session: &mut Session, line: &Line) -> Vec<Event> {
    let term = match session.wanted_path(line, &COMMAND) {
        Ok(term) => term,
        Err(problems) => return problems,
    };
    let typed = session.world.infer(&term);
    let budget = session.settings().budget;
    let known = answer::info::known::known(&mut session.workspace, &term, budget);
    if let Some(stopped) = session.stopped(line.dialect) {
        return stopped;
    }
    // a field that cannot exist is an error, not an unknown value
    let mut events = session.stale(line.dialect, &term);
    session.typed(line.dialect, &typed, &mut events);
    match known {
        _ if events.iter().any(Event::is_error) => events,
        Ok(known) => {
            events.push(Event::Answer(shown(session, line.dialect, &known)));
            events
        }
        Err(problem) => vec![session.diagnostic(line.dialect, &problem)],
    }
}

/// Renders a value in the notation of the language.
pub fn shown(session: &Session, dialect: Dialect, datum: &Datum) -> Styled {
    let spelling = dialect.spelling();
    notation::value::laid_out(spelling, datum, session.columns(), &|span| session.workspace.written(span))
}

fn force(session: &mut Session, line: &Line) -> Vec<Event> {
    let term = match session.wanted(line, &FORCE) {
        Ok(term) => term,
        Err(problems) => return problems,
    };
    let typed = session.world.infer(&term);
    if let Some(stopped) = session.stopped(line.dialect) {
        return stopped;
    }
    let mut events = session.stale(line.dialect, &term);
    let thunk = session.workspace.machine.thunk(&term);
    let forced = session.traced(&mut events, |machine| machine.force_deep(&thunk));
    if let Some(stopped) = session.stopped(line.dialect) {
        events.extend(stopped);
        return events;
    }
    // the forced values are shown, each fault in its place
    let mut traced = Vec::new();
    let datum = session.datum(&thunk, &mut traced);
    let mut told = Vec::new();
    session.typed_beside(line.dialect, &typed, &datum, &mut told);
    session.show(line.dialect, session.next_number(), &datum, &typed, &mut told);
    events.append(&mut traced);
    events.append(&mut told);
    if let Err(fault) = forced
        && cells::faults(&datum, &|| false).is_empty()
    {
        events.push(session.diagnostic(line.dialect, fault.problem()));
    }
    events
}
