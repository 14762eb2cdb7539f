//! `:why`

use super::{Argument, Command, Effect, Line};
use crate::answer::shared::projection;
use crate::dialect::Dialect;
use crate::session::questions::{Question, Subject};
use crate::session::{Event, Session};
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
    if argument.is_empty() || step.is_some() {
        return session.asked(line, &COMMAND, &Question::Why(step), Subject::LastInput);
    }
    match session.wanted_path(line, &COMMAND) {
        Ok(term) => {
            let term = typed_part(line.dialect, term);
            session.asked(line, &COMMAND, &Question::Why(None), Subject::Expression(term, argument))
        }
        Err(problems) => problems,
    }
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
