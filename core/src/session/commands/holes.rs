//! `:holes [e]`

use super::{Argument, Command, Effect, Line};
use crate::answer;
use crate::answer::holes::{Asked, Hole};
use crate::dialect::notation;
use crate::problem::Severity;
use crate::session::{Event, Session};
use crate::state::typing::is_elsewhere;
use crate::styled::{Role, Styled};
use crate::text::Name;

pub const COMMAND: Command = Command {
    name: "holes",
    aliases: &[],
    usage: ":holes [EXPRESSION]",
    summary: "the holes `_x` of the last input, or of an expression: the type each must have, and the names that fit",
    argument: Argument::Expression,
    effect: Effect::Report,
    run,
};

/// Maximum number of names.
const SHOWN: usize = 12;

fn run(session: &mut Session, line: &Line) -> Vec<Event> {
    let last = session.world.state.last_input.borrow().clone();
    let found = match (line.argument(), last) {
        ("", None) => answer::holes::Found::default(),
        ("", Some(last)) => {
            let asked = Asked { dialect: last.dialect, name: &last.name, shown: &last.text, text: &last.text };
            answer::holes::holes(session, &asked)
        }
        _ => {
            let (name, text) = (line.name(), line.blanked());
            let asked = Asked { dialect: session.dialect(), name: &name, shown: &line.text, text: &text };
            answer::holes::holes(session, &asked)
        }
    };
    if let Some(stopped) = session.stopped() {
        return stopped;
    }
    let mut events: Vec<Event> = found.problems.iter().map(|problem| session.diagnostic(problem)).collect();
    let readable = events.is_empty();
    // the clashes of the last input were already reported when it ran
    if !line.argument().is_empty() {
        let clashes = found.clashes.iter().filter(|p| p.severity == Severity::Error && !is_elsewhere(p));
        events.extend(clashes.map(|problem| session.diagnostic(problem)));
    }
    if found.holes.is_empty() && readable {
        let none = "no holes: a name that begins with `_` and is bound nowhere is one, as in `1 + _x`";
        events.push(Event::Answer(Styled::of(Role::Dim, none)));
        return events;
    }
    let mut out = Styled::new();
    for hole in &found.holes {
        if !out.is_empty() {
            out.plain("\n");
        }
        tell(session, hole, &mut out);
    }
    if !out.is_empty() {
        events.push(Event::Answer(out));
    }
    events
}

fn tell(session: &Session, hole: &Hole, out: &mut Styled) {
    let spelling = session.dialect().spelling();
    out.push(Role::Name, hole.name.as_str());
    out.push(Role::Operator, spelling.of);
    // its variables are unknown, so there is no `forall`
    let letters = ('a'..='z').map(|letter| Name::from(String::from(letter)));
    let letters: Vec<Name> = letters.take(hole.ty.vars.len()).collect();
    match letters.len() == hole.ty.vars.len() && hole.ty.constraints.is_empty() {
        true => out.append(&notation::ty::named(spelling, &hole.ty, &letters)),
        false => out.append(&session.type_answer(&hole.ty)),
    }
    let fits: Vec<&str> = hole.fits.iter().take(SHOWN).map(|name| name.as_str()).collect();
    out.push(
        Role::Dim,
        match (fits.as_slice(), hole.any) {
            ([], true) => String::from("\n  anything fits"),
            ([], false) => String::from("\n  no name fits"),
            (fits, true) => format!("\n  anything fits: {}", fits.join(", ")),
            (fits, false) => format!("\n  fits: {}", fits.join(", ")),
        },
    );
    if hole.fits.len() > SHOWN {
        out.push(Role::Dim, format!(" and {} more", hole.fits.len() - SHOWN));
    }
    if hole.cut {
        out.push(Role::Dim, " (not every name was tried)");
    }
}
