//! `:history`

use super::undo::first_line;
use super::{Argument, Command, Effect, Line};
use crate::dialect::Dialect;
use crate::problem::session::SessionKind;
use crate::session::{Event, Session, is_written};
use crate::state::environment::Definition;
use crate::state::journal::JournalEntry;
use crate::state::typing::{masked_type, type_text};
use crate::styled::{Role, Styled};
use crate::text::Name;
use crate::view::table::Table;
use std::rc::Rc;

pub const COMMAND: Command = Command {
    name: "history",
    aliases: &[],
    usage: ":history [NAME]",
    summary: "the inputs in effect, and those that were undone; or the definitions of a name, the newest last",
    argument: Argument::Path,
    effect: Effect::Report,
    run,
};

/// Maximum width of a text, in columns.
const MAX_WIDTH: usize = 60;

/// Returns the maximum width of each of two texts on a line of the page that also has a number and a word.
fn columns(session: &Session) -> usize {
    session.text_width().map_or(MAX_WIDTH, |page| (page.saturating_sub(24) / 2).clamp(16, MAX_WIDTH))
}

fn run(session: &mut Session, line: &Line) -> Vec<Event> {
    let name = line.argument();
    let table = match name {
        "" => inputs(session),
        name => match versions(session, line.dialect, name) {
            Some(table) => table,
            None => {
                if !name.is_empty() && name.chars().all(|c| c.is_ascii_digit()) {
                    let why = format!(
                        "`:history` takes a name, and `{name}` is a number: `${name}` is the result of input {name}"
                    );
                    return session.misused(line.dialect, &why, &COMMAND);
                }
                // for a path, the history of its first name is known
                let root = name.split(['.', '[']).next().unwrap_or(name).trim();
                if root != name && versions(session, line.dialect, root).is_some() {
                    let why = format!("a name has a history, and its fields have that: `:history {root}`");
                    return session.misused(line.dialect, &why, &COMMAND);
                }
                if name.contains(char::is_whitespace) {
                    return session.misused(
                        line.dialect,
                        &format!("`:history` takes one name, not `{name}`"),
                        &COMMAND,
                    );
                }
                let near = session.world.near(name);
                if near.is_empty() {
                    let why = format!("no name `{name}` was defined: `:history` alone lists the inputs");
                    return session.misused(line.dialect, &why, &COMMAND);
                }
                return vec![session.met(line.dialect, SessionKind::NothingThere { path: Name::new(name), near })];
            }
        },
    };
    match table {
        Some(table) => vec![Event::Answer(table.within(session.text_width()).fit())],
        None => vec![Event::Answer(Styled::of(Role::Dim, "nothing was done yet"))],
    }
}

fn inputs(session: &Session) -> Option<Table> {
    let (done, undone) = session.inputs_so_far();
    let mut table = Table::new();
    // beside the number and the mark
    let most = session.text_width().map_or(MAX_WIDTH, |width| width.saturating_sub(14).clamp(20, MAX_WIDTH));
    let mut row = |entry: &Rc<JournalEntry>, mark: &str| {
        let number = entry.number.map(|number| number.to_string()).unwrap_or_default();
        let text = Styled::from(first_line(&session.masked_input_in(entry.dialect, &entry.text))).cut(most);
        table.row([Styled::of(Role::Dim, number), text, Styled::of(Role::Dim, mark)]);
    };
    done.iter().for_each(|entry| row(entry, ""));
    undone.iter().for_each(|entry| row(entry, "undone"));
    (!done.is_empty() || !undone.is_empty()).then_some(table)
}

/// Returns a table of the definitions that a name has had. `None` if the name is unknown.
fn versions(session: &Session, dialect: Dialect, name: &str) -> Option<Option<Table>> {
    let environment = session.world.state.environment.borrow();
    let now = environment.get(name).filter(|_| is_written(name));
    let all: Vec<&Rc<Definition>> = environment.replaced(name).chain(now).collect();
    if all.is_empty() {
        return None;
    }
    let columns = columns(session);
    let mut table = Table::new();
    for definition in &all {
        let cell = if definition.cell > 0 { definition.cell.to_string() } else { String::new() };
        let written = definition.term.span(definition.term.root);
        let text = match definition.cell {
            0 => session.workspace.located(written),
            _ => format!("{name} = {}", first_line(&session.workspace.text(written))),
        };
        let read = match (now.is_some_and(|now| Rc::ptr_eq(now, definition)), environment.get(&definition.old_key())) {
            (true, _) => "now",
            (false, Some(_)) => "read by the next",
            (false, None) => "",
        };
        table.row([
            Styled::of(Role::Dim, cell),
            Styled::from(text).cut(columns),
            type_text(dialect, &masked_type(&definition.typed.scheme, &session.world.sources.borrow())).cut(columns),
            Styled::of(Role::Dim, read),
        ]);
    }
    Some(Some(table))
}
