//! `:env [prefix]`, `:browse`

use super::{Argument, Command, Effect, Line};
use crate::answer::{self, env::Listing};
use crate::session::{Event, Session};
use crate::state::typing::type_brief;
use crate::styled::{Role, Styled};
use crate::ty::Scheme;
use crate::view::table::Table;

pub const COMMAND: Command = Command {
    name: "env",
    aliases: &["browse"],
    usage: ":env [PREFIX]",
    summary: "what is bound, with types; `:env std.array.` lists a module or record",
    argument: Argument::Path,
    effect: Effect::Query,
    run,
};

/// How many lines a type may take where there is a page: `:type` shows it whole.
const LINES: usize = 3;

/// How many columns of a type are listed where there is no page.
const COLUMNS: usize = 500;

/// How many names are listed.
const NAMES: usize = 1000;

fn run(session: &mut Session, line: &Line) -> Vec<Event> {
    let (dialect, page) = (session.dialect(), session.page_width());
    let stop = session.interrupt_handle();
    let ty = |scheme: &Scheme| match page {
        // nobody will see it
        _ if stop.is_raised() => Styled::new(),
        Some(width) => type_brief(dialect, scheme, width * LINES),
        None => type_brief(dialect, scheme, COLUMNS),
    };
    let Listing { shown, more } = answer::env::env(session, line.argument(), NAMES, &ty);
    if let Some(stopped) = session.stopped() {
        return stopped;
    }
    if shown.is_empty() {
        let none = match line.argument() {
            "" => String::from("nothing is bound but `std`"),
            prefix => format!("nothing begins with `{prefix}`"),
        };
        return vec![Event::Answer(Styled::of(Role::Dim, none))];
    }
    let names = shown.iter().map(|item| item.name.len()).max().unwrap_or(0);
    let room = page.map_or(usize::MAX, |width| (width * LINES).saturating_sub(names + 3));
    let mut table = Table::new();
    for item in &shown {
        table.row([Styled::of(Role::Name, item.name.as_str()), item.ty.cut(room.max(20))]);
    }
    let mut answer = table.separated(dialect.spelling().of).within(page).fit();
    if more > 0 {
        answer.push(Role::Dim, format!("\n… and {more} more: `:env PREFIX`"));
    }
    vec![session.view(answer, || crate::answer::answers::env(&shown, more, dialect))]
}
