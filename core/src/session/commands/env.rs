//! `:env [prefix]`, `:browse`

use super::{Argument, Command, Effect, Line};
use crate::answer::env::env;
use crate::answer::env::text::LINES;
use crate::session::{Event, Session};
use crate::state::typing::type_brief;
use crate::styled::{Role, Styled};
use crate::ty::Scheme;

pub const COMMAND: Command = Command {
    name: "env",
    aliases: &["browse"],
    usage: ":env [PREFIX]",
    summary: "the bound names with their types; `:env std.array.` lists a module or record",
    argument: Argument::Path,
    effect: Effect::Query,
    run,
};

/// Maximum width of a type without a page, in columns.
const COLUMNS: usize = 500;

/// Maximum number of names in the list.
const NAMES: usize = 1000;

fn run(session: &mut Session, line: &Line) -> Vec<Event> {
    let (dialect, page) = (line.dialect, session.page_width());
    let stop = session.interrupt_handle();
    let ty = |scheme: &Scheme| match page {
        // the result will not be shown
        _ if stop.is_raised() => Styled::new(),
        Some(width) => type_brief(dialect, scheme, width * LINES),
        None => type_brief(dialect, scheme, COLUMNS),
    };
    let listing = env(&mut session.workspace, dialect, line.argument(), NAMES, &ty);
    if let Some(stopped) = session.stopped(line.dialect) {
        return stopped;
    }
    if listing.shown.is_empty() {
        let none = match line.argument() {
            "" => String::from("nothing is bound but `std`"),
            prefix => format!("nothing begins with `{prefix}`"),
        };
        return vec![Event::Answer(Styled::of(Role::Dim, none))];
    }
    session.answered(line.dialect, &listing)
}
