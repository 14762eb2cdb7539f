//! `:holes [e]`

use super::{Argument, Command, Effect, Line};
use crate::answer::holes::Asked;
use crate::answer::{self, Hints};
use crate::problem::Severity;
use crate::session::{Event, Session};
use crate::state::typing::is_elsewhere;

pub const COMMAND: Command = Command {
    name: "holes",
    aliases: &[],
    usage: ":holes [EXPRESSION]",
    summary: "the holes `_x` of the last input or of an expression: the type that each must have, and the names that fit",
    argument: Argument::Expression,
    effect: Effect::Report,
    run,
};

fn run(session: &mut Session, line: &Line) -> Vec<Event> {
    let last = session.world.state.last_input.borrow().clone();
    let found = match (line.argument(), last) {
        ("", None) => answer::holes::InputHoles::default(),
        ("", Some(last)) => {
            let asked = Asked { dialect: last.dialect, name: &last.name, shown: &last.text, text: &last.text };
            answer::holes::holes(&mut session.workspace, &asked)
        }
        _ => {
            let (name, text) = (line.name(), line.blanked());
            let asked = Asked { dialect: line.dialect, name: &name, shown: &line.text, text: &text };
            answer::holes::holes(&mut session.workspace, &asked)
        }
    };
    if let Some(stopped) = session.stopped(line.dialect) {
        return stopped;
    }
    let mut events: Vec<Event> =
        found.problems.iter().map(|problem| session.diagnostic(line.dialect, problem)).collect();
    // the clashes of the last input were already reported when it ran
    if !line.argument().is_empty() {
        let clashes = found.clashes.iter().filter(|p| p.severity == Severity::Error && !is_elsewhere(p));
        events.extend(clashes.map(|problem| session.diagnostic(line.dialect, problem)));
    }
    events.extend(session.answered(line.dialect, &found, Hints::default()));
    events
}
