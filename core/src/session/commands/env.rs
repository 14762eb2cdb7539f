//! `:env [prefix]`, `:browse`

use super::{Argument, Command, Line};
use crate::ask;
use crate::session::{Event, Session};
use crate::view::table::Table;
use crate::view::{Role, Styled};

pub const COMMAND: Command = Command {
    name: "env",
    aliases: &["browse"],
    usage: ":env [PREFIX]",
    summary: "what is bound, with types; `:env std.array.` lists a module or record",
    example: &[":env", ":browse std.record."],
    argument: Argument::Expression,
    run,
};

/// How many lines a type may take where there is a page: `:type` shows it whole.
const LINES: usize = 3;

fn run(session: &mut Session, line: &Line) -> Vec<Event> {
    let all = ask::env::env(session, line.argument());
    if let Some(stopped) = session.stopped() {
        return stopped;
    }
    let mut table = Table::new();
    let names = all.iter().map(|item| item.name.len()).max().unwrap_or(0);
    let room = session.page_width().map_or(usize::MAX, |width| (width * LINES).saturating_sub(names + 3));
    for item in &all {
        table.row([Styled::of(Role::Name, item.name.as_str()), item.ty.cut(room.max(20))]);
    }
    if all.is_empty() {
        let none = if line.argument().is_empty() { "nothing is bound but `std`" } else { "nothing begins so" };
        return vec![Event::Answer(Styled::of(Role::Dim, none))];
    }
    vec![Event::Answer(table.separated(session.dialect().spelling().of).within(session.page_width()).fit())]
}
