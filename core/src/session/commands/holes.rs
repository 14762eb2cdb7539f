//! `:holes [e]`

use super::{Argument, Command, Line};
use crate::ask;
use crate::session::{Event, Session};
use crate::view::{Role, Styled};

pub const COMMAND: Command = Command {
    name: "holes",
    aliases: &[],
    usage: ":holes [EXPRESSION]",
    summary: "the holes `_x` of the last input, or of an expression: the type each must have, and the names that fit",
    example: &[":holes 1 + _x", "_x : Number"],
    argument: Argument::Expression,
    run,
};

/// How many names are shown.
const SHOWN: usize = 12;

fn run(session: &mut Session, line: &Line) -> Vec<Event> {
    let (dialect, text) = match line.argument() {
        "" => session.last_input.clone().unwrap_or((session.dialect(), String::new())),
        text => (session.dialect(), String::from(text)),
    };
    let holes = ask::holes::holes(session, dialect, &text);
    if let Some(stopped) = session.stopped() {
        return stopped;
    }
    if holes.is_empty() {
        let none = "no holes: a name that begins with `_` and is bound nowhere is one, as in `1 + _x`";
        return vec![Event::Answer(Styled::of(Role::Dim, none))];
    }
    let mut out = Styled::new();
    for hole in &holes {
        if !out.is_empty() {
            out.plain("\n");
        }
        out.push(Role::Name, hole.name.as_str());
        out.push(Role::Operator, session.dialect().spelling().of);
        out.append(&session.type_answer(&hole.ty));
        let fits: Vec<&str> = hole.fits.iter().take(SHOWN).map(|name| name.as_str()).collect();
        let fits = match fits.as_slice() {
            [] => String::from("\n  no name fits"),
            fits => format!("\n  fits: {}", fits.join(", ")),
        };
        out.push(Role::Dim, fits);
        if hole.fits.len() > SHOWN {
            out.push(Role::Dim, format!(" and {} more", hole.fits.len() - SHOWN));
        }
        if hole.cut {
            out.push(Role::Dim, " (not every name was tried)");
        }
    }
    vec![Event::Answer(out)]
}
