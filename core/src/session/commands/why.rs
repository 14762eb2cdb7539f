//! `:why`, and the commands that show how a type is inferred: `:constraints`, `:core`, `:ast`

use super::{Argument, Command, Effect, Line};
use crate::answer::{Hints, shared::projection, why};
use crate::infer::Options;
use crate::session::{Event, Session};
use crate::styled::{Role, Styled};
use crate::term::{Node, Term};
use crate::text::path::{Path, Step};
use std::sync::Arc;

pub const COMMAND: Command = Command {
    name: "why",
    aliases: &["w"],
    usage: ":why [PATH|N]",
    summary: "what led to a type, or to the last input's first type error; a number shows one step in full",
    argument: Argument::Path,
    effect: Effect::Query,
    run: why,
};

pub const CONSTRAINTS: Command = Command {
    name: "constraints",
    aliases: &[],
    usage: ":constraints EXPRESSION",
    summary: "what inference collects of an expression, and how it is solved",
    argument: Argument::Expression,
    effect: Effect::Query,
    run: constraints,
};

pub const CORE: Command = Command {
    name: "core",
    aliases: &[],
    usage: ":core EXPRESSION",
    summary: "an expression in the core language that every dialect is read into",
    argument: Argument::Expression,
    effect: Effect::Query,
    run: core,
};

pub const AST: Command = Command {
    name: "ast",
    aliases: &[],
    usage: ":ast EXPRESSION",
    summary: "an expression as it is parsed, with the place of each part",
    argument: Argument::Expression,
    effect: Effect::Query,
    run: ast,
};

fn constraints(session: &mut Session, line: &Line) -> Vec<Event> {
    let term = match session.wanted(line, &CONSTRAINTS) {
        Ok(term) => term,
        Err(problems) => return problems,
    };
    let inferred = session.slice(&term).inferred(0, Options { log: true, ..Options::default() });
    if let Some(stopped) = session.stopped() {
        return stopped;
    }
    let mut events: Vec<Event> = session.diagnostics(&inferred.problems).collect();
    let sources = session.world.sources.borrow();
    let shown = inferred.collected.as_ref().map(|all| {
        crate::answer::constraints::text::constraints(
            all,
            &inferred.scheme,
            session.dialect(),
            &sources,
            session.page_width(),
        )
    });
    events.extend(shown.map(Event::Answer));
    events
}

fn core(session: &mut Session, line: &Line) -> Vec<Event> {
    match session.wanted(line, &CORE) {
        Ok(term) => vec![Event::Answer(crate::answer::core::text::core(&term, session.columns(), &|span| {
            session.written(span)
        }))],
        Err(problems) => problems,
    }
}

fn ast(session: &mut Session, line: &Line) -> Vec<Event> {
    if line.argument().is_empty() {
        return session.misused("of what?", &AST);
    }
    let source = session.add_source(&line.name(), &line.text);
    // parsing does not require names to be bound
    let program = session.dialect().program(source, &line.blanked(), session.names());
    let wrong: Vec<Event> =
        program.problems.iter().filter(|p| p.code().starts_with("syntax/")).map(|p| session.diagnostic(p)).collect();
    if !wrong.is_empty() {
        return wrong;
    }
    let nodes = session.dialect().ast(source, &line.blanked(), session.names().stop());
    let sources = session.world.sources.borrow();
    sources.get(source).map(|source| Event::Answer(crate::answer::ast::text::ast(&nodes, source))).into_iter().collect()
}

fn why(session: &mut Session, line: &Line) -> Vec<Event> {
    let argument = line.argument();
    let step = argument.parse::<usize>().ok();
    let mut events = Vec::new();
    let answer = match (argument, step) {
        ("", _) | (_, Some(_)) if session.last_why.is_some() && step.is_some() => session.last_why.clone(),
        ("", _) | (_, Some(_)) => {
            session.world.state.newest.borrow().clone().iter().find_map(|term| session.why_first(term))
        }
        _ => {
            let term = match session.wanted_path(line, &COMMAND) {
                Ok(term) => typed_part(session, term),
                Err(problems) => return problems,
            };
            let stale = session.stale(&term);
            events.extend(stale);
            session.in_snapshot_of(&term, |session| {
                let fault =
                    why::fault(session, &term).and_then(|(root, problem)| why::problem(session, &root, &problem));
                Some(fault.unwrap_or_else(|| why::ty(session, &term).below(term.node(projection::of_term(&term).0))))
            })
        }
    };
    if let Some(stopped) = session.stopped() {
        return stopped;
    }
    let shown = match &answer {
        Some(why) => session.shown(&session.shown_why(why, step), Hints { step: ":why", ..Hints::default() }),
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
fn typed_part(session: &Session, term: Arc<Term>) -> Arc<Term> {
    if session.dialect().rules().overloads() || !term.rules.overloads() {
        return term;
    }
    let (root, steps) = projection::of_term(&term);
    let Node::Global(name) = term.node(root) else { return term };
    let mut path = Path::from(std::slice::from_ref(name));
    path.steps.extend(steps.into_iter().take_while(|step| matches!(step, Step::Field(_))));
    projection::term(&path, term.span(term.root)).map_or(term, Arc::new)
}
