//! `:why`

use super::{Argument, Command, Effect, Line};
use crate::answer::{Hints, shared::projection};
use crate::dialect::Dialect;
use crate::session::questions::Subject;
use crate::session::{Event, Session};
use crate::styled::{Role, Styled};
use crate::term::{Node, Term};
use crate::text::path::{FieldPath, Step};
use std::sync::Arc;

pub const COMMAND: Command = Command {
    name: "why",
    aliases: &["w"],
    usage: ":why [PATH|N]",
    summary: "the reasons for a type, or for the first type error of the last input; a number shows one step in full",
    argument: Argument::Path,
    effect: Effect::Query,
    run: why,
};

fn why(session: &mut Session, line: &Line) -> Vec<Event> {
    let argument = line.argument();
    let step = argument.parse::<usize>().ok();
    let mut events = Vec::new();
    let answer = match (argument, step) {
        ("", _) | (_, Some(_)) if session.last_why.is_some() && step.is_some() => session.last_why.clone(),
        ("", _) | (_, Some(_)) => {
            session.world.state.newest.borrow().clone().iter().find_map(|term| session.first_reasons(term))
        }
        _ => {
            let term = match session.wanted_path(line, &COMMAND) {
                Ok(term) => typed_part(line.dialect, term),
                Err(problems) => return problems,
            };
            events.extend(session.stale(line.dialect, &term));
            session.reasons(Subject::Expression(term, argument)).ok()
        }
    };
    if let Some(stopped) = session.stopped(line.dialect) {
        return stopped;
    }
    let shown = match &answer {
        Some(why) => {
            session.shown(line.dialect, &session.shown_why(why, step), Hints { step: ":why", ..Hints::default() })
        }
        None => {
            let none = "no type error in the last input: `:why PATH` says why something has its type, `:explain PATH` where its value comes from";
            Event::Answer(Styled::of(Role::Note, none))
        }
    };
    session.last_why = answer;
    events.push(shown);
    events
}

/// Returns the term whose type is explained. For a path that is not an expression of the language because it has an
/// index, this is the part before the first index: the type of the array contains the type of its elements.
fn typed_part(dialect: Dialect, term: Arc<Term>) -> Arc<Term> {
    if dialect.rules().overloads() || !term.rules.overloads() {
        return term;
    }
    let (root, steps) = projection::of_term(&term);
    let Node::Global(name) = term.node(root) else { return term };
    let mut path = FieldPath::from(std::slice::from_ref(name));
    path.steps.extend(steps.into_iter().take_while(|step| matches!(step, Step::Field(_))));
    projection::term(&path, term.span(term.root)).map_or(term, Arc::new)
}
