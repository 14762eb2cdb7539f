//! `:steps e`, `:diff a b`

use super::{Argument, Command, Effect, Line};
use crate::answer;
use crate::answer::constraints::Solving;
use crate::answer::resources::{changes, is_graph, resources};
use crate::answer::steps::text::{self, Page};
use crate::answer::steps::{Ask, Steps};
use crate::answer::{Answer, Hints};
use crate::dialect::Dialect;
use crate::problem::Problem;
use crate::session::questions::Subject;
use crate::session::{Event, Session};
use crate::styled::{Role, Styled};
use crate::term::Term;
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
    usage: ":diff A B | N",
    summary: "the differences between two values or two graphs of resources, or since cell N",
    argument: Argument::Path,
    effect: Effect::Report,
    run: diff,
};

/// Maximum length of the command that the answer mentions, in bytes.
const SHORT: usize = 30;

/// The option for the constraints of the type.
const TYPES: &str = "--types";

fn steps(session: &mut Session, line: &Line) -> Vec<Event> {
    let rest =
        line.argument().strip_prefix(TYPES).filter(|rest| rest.is_empty() || rest.starts_with(char::is_whitespace));
    if let Some(rest) = rest {
        let at = line.text.trim_end().len() - rest.trim().len();
        return solving(session, &Line { text: line.text.clone(), at, dialect: line.dialect });
    }
    let term = match session.wanted(line, &COMMAND) {
        Ok(term) => term,
        Err(problems) => return problems,
    };
    let mut events = session.stale(line.dialect, &term);
    let ask = Ask { all: true, ..Ask::default() };
    let answer = session.steps_of(line.dialect, Subject::Expression(term, line.argument()), &ask, &mut events);
    if let Some(stopped) = session.stopped(line.dialect) {
        return stopped;
    }
    match answer {
        Ok(steps) => {
            // only a short command is suggested: a name and a short expression
            let plain = |name: &String| name.chars().all(|c| c.is_alphanumeric() || c == '_');
            let first = steps.chains.first().filter(|chain| chain.at.steps.is_empty());
            let first =
                first.map(|chain| session.rendering(line.dialect, Hints::default(), |to| to.label(&chain.first)));
            let diff = first.filter(plain).map(|first| format!(":diff {first}, {}", line.argument()));
            let diff = diff.filter(|diff| diff.len() <= SHORT).unwrap_or_default();
            let (pages, foot) = session.step_pages(line.dialect, &steps, &diff);
            let rich = session
                .rich
                .then(|| session.rendering(line.dialect, hints(&diff), |to| (&steps as &dyn Answer).rich(to)));
            session.last_steps = Some((line.dialect, steps, diff));
            events.push(Event::Steps { pages, foot, rich: rich.map(Box::new) });
        }
        Err(problem) => events.push(session.diagnostic(line.dialect, &problem)),
    }
    events
}

/// Shows how the constraints of an expression are solved.
fn solving(session: &mut Session, line: &Line) -> Vec<Event> {
    let term = match session.wanted(line, &COMMAND) {
        Ok(term) => term,
        Err(problems) => return problems,
    };
    let mut events = session.stale(line.dialect, &term);
    let mut problems = Vec::new();
    let answer = Solving(session.constraints(line.dialect, &term, &mut problems));
    if let Some(stopped) = session.stopped(line.dialect) {
        return stopped;
    }
    let (pages, foot) = session.rendering(line.dialect, Hints::default(), |to| (answer.pages(to), answer.foot(to)));
    let rich =
        session.rich.then(|| session.rendering(line.dialect, Hints::default(), |to| (&answer as &dyn Answer).rich(to)));
    session.last_steps = None;
    events.push(Event::Steps { pages, foot, rich: rich.map(Box::new) });
    events.append(&mut problems);
    events
}

/// Returns the commands that the answer mentions.
fn hints(diff: &str) -> Hints<'_> {
    Hints { explain: ":explain <path>", diff, ..Hints::default() }
}

impl Session {
    fn step_pages(&self, dialect: Dialect, steps: &Steps, diff: &str) -> (Vec<Page>, Styled) {
        self.rendering(dialect, hints(diff), |to| (text::pages(steps, to), text::foot(steps, to)))
    }

    /// Renders the pages and the foot of the last input's [`Event::Steps`] again for the current page width. `None` if
    /// the last input was not `:steps`. Nothing is evaluated. O(rows).
    pub fn steps_again(&self) -> Option<(Vec<Page>, Styled)> {
        let (dialect, steps, diff) = self.last_steps.as_ref()?;
        Some(self.step_pages(*dialect, steps, diff))
    }
}

fn diff(session: &mut Session, line: &Line) -> Vec<Event> {
    let argument = line.argument();
    let last = session.next_number().saturating_sub(1);
    let cell = match argument {
        "" => Some(last.saturating_sub(1)),
        _ => argument.parse::<u32>().ok(),
    };
    if let Some(cell) = cell {
        let same = session.versions(cell, 0).is_empty();
        let nothing = session.world.state.environment.borrow().keys().next().is_none();
        let none = match (same, nothing) {
            _ if cell > last => Some(format!("there is no cell {cell} yet: nothing to compare with")),
            (true, true) => Some(String::from("nothing is bound: nothing to compare; `:diff A B` compares two values")),
            (true, false) => Some(format!("no name means something else than after cell {cell}")),
            (false, _) => None,
        };
        if let Some(none) = none {
            return vec![Event::Answer(Styled::of(Role::Dim, none))];
        }
    }
    let found: Result<Box<dyn Answer>, Problem> = match cell.ok_or(()) {
        Ok(cell) => {
            let versions = session.versions(cell, answer::diff::FORCED);
            Ok(Box::new(answer::diff::since(&mut session.workspace, versions)))
        }
        Err(_) => match both(session, line) {
            Ok(terms) => session.differences(line.dialect, &terms),
            Err(problems) => return problems,
        },
    };
    if let Some(stopped) = session.stopped(line.dialect) {
        return stopped;
    }
    match found {
        Ok(found) => session.answered(line.dialect, &*found),
        Err(problem) => vec![session.diagnostic(line.dialect, &problem)],
    }
}

impl Session {
    /// Compares two expressions: resource by resource if both are graphs of resources.
    fn differences(&mut self, dialect: Dialect, terms: &[Arc<Term>; 2]) -> Result<Box<dyn Answer>, Problem> {
        let [left, right] = terms;
        if dialect.rules().makes_resources() {
            let roots = terms.each_ref().map(|term| self.workspace.machine().thunk(term));
            if roots.iter().all(|root| is_graph(&mut self.workspace, root)) {
                let [before, after] = roots.map(|root| resources(&mut self.workspace, &root));
                return Ok(Box::new(changes(&before?, &after?)));
            }
        }
        Ok(Box::new(answer::diff::of_terms(&mut self.workspace, left, right)?))
    }
}

/// Maximum number of places where an argument is split.
const PARTINGS: usize = 200;

/// Returns the two expressions of an argument. It is split at the first comma, or else at the first blank, that has an
/// expression on both sides.
fn both(session: &mut Session, line: &Line) -> Result<[Arc<Term>; 2], Vec<Event>> {
    let start = line.text.len() - line.text[line.at..].trim_start().len();
    let end = line.text.trim_end().len();
    let parting = |sign: fn(char) -> bool| {
        let all = line.text.char_indices().filter(move |(at, c)| (start..end).contains(at) && sign(*c));
        all.map(|(at, c)| (at, at + c.len_utf8())).take(PARTINGS)
    };
    let partings: Vec<(usize, usize)> = parting(|c| c == ',').chain(parting(char::is_whitespace)).collect();
    for (left, right) in partings {
        let read = |session: &mut Session, from: usize, to: usize| -> Option<Arc<Term>> {
            if line.text.get(from..to)?.trim().is_empty() {
                return None;
            }
            let part = Line { dialect: line.dialect, text: String::from(line.text.get(..to)?), at: from };
            session.argument(&part).ok()
        };
        if let Some(a) = read(session, start, left)
            && let Some(b) = read(session, right, end)
        {
            return Ok([a, b]);
        }
    }
    match session.argument(line) {
        // a single expression
        Ok(_) => {
            Err(session.misused(line.dialect, "`:diff` needs two expressions, separated by a blank or a comma", &DIFF))
        }
        Err(problems) => Err(problems),
    }
}
