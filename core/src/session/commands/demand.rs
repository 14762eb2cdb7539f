//! `:get PATH`, `:expand PATH`, `:fold e`: a value computed only as far as one demand needs.

use super::{Argument, Command, Effect, Line};
use crate::answer::shared::projection;
use crate::dialect::notation;
use crate::session::questions::{Question, Subject};
use crate::session::{Event, Session};
use crate::styled::{Role, Styled};
use crate::term::Node;
use crate::value::{Fault, Thunk};

pub const GET: Command = Command {
    name: "get",
    aliases: &[],
    usage: ":get PATH",
    summary: "goes to a field and computes only what is on the way to it; `_` marks what is not computed",
    argument: Argument::Path,
    effect: Effect::Query,
    run: |session, line| demand(session, line, &GET, false),
};

pub const EXPAND: Command = Command {
    name: "expand",
    aliases: &[],
    usage: ":expand PATH",
    summary: "computes a value far enough to go into it: its fields or elements, but not their values",
    argument: Argument::Path,
    effect: Effect::Query,
    run: |session, line| demand(session, line, &EXPAND, true),
};

pub const FOLD: Command = Command {
    name: "fold",
    aliases: &[],
    usage: ":fold EXPRESSION",
    summary: "an expression with the parts replaced that follow from constants; nothing else is computed",
    argument: Argument::Path,
    effect: Effect::Query,
    run: folded,
};

fn demand(session: &mut Session, line: &Line, command: &Command, expand: bool) -> Vec<Event> {
    let term = match session.wanted_path(line, command) {
        Ok(term) => term,
        Err(problems) => return problems,
    };
    let typed = session.world.infer(&term);
    let mut events = session.stale(line.dialect, &term);
    session.typed(line.dialect, &typed, &mut events);
    if events.iter().any(Event::is_error) {
        return events;
    }
    let label = session.node_label(&Subject::Expression(term.clone(), line.argument()));
    let (root, steps) = projection::of_term(&term);
    let value = match term.node(root) {
        Node::Global(name) => session.workspace.value_of(name),
        _ => None,
    };
    let (thunk, steps) = match value {
        Some(value) => (value, steps),
        None => (session.workspace.machine.thunk(&term), Vec::new()),
    };
    let found: Result<Thunk, Fault> = session.traced(&mut events, |machine| {
        let thunk = machine.at(&thunk, &steps)?;
        if expand {
            machine.force(&thunk)?;
        }
        Ok(thunk)
    });
    if let Some(stopped) = session.stopped(line.dialect) {
        return stopped;
    }
    let thunk = match found {
        Ok(thunk) => thunk,
        Err(fault) => {
            events.push(session.diagnostic(line.dialect, fault.problem()));
            return events;
        }
    };
    let budget = session.settings().budget;
    let datum = session.workspace.machine.known(&thunk, budget);
    let mut out = Styled::new();
    if let Some(label) = label.filter(|_| !expand) {
        out.push(Role::Dim, label);
        out.plain(": ");
    }
    let texts = |span| session.workspace.written(span);
    out.append(&notation::value::laid_out(line.dialect.spelling(), &datum, session.columns(), &texts));
    events.push(Event::Answer(out));
    events
}

fn folded(session: &mut Session, line: &Line) -> Vec<Event> {
    let term = match session.wanted_path(line, &FOLD) {
        Ok(term) => term,
        Err(problems) => return problems,
    };
    session.asked(line, &FOLD, &Question::Folded, Subject::Expression(term, line.argument()))
}
