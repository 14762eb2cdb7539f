//! `:feed NAME VALUE`

use super::sprint::shown;
use super::{Argument, Command, Effect, Line};
use crate::problem::session::SessionKind;
use crate::session::settings::Origin;
use crate::session::{Event, Session};
use crate::state::is_written;
use crate::styled::{Role, Styled};
use crate::text::Name;
use crate::value::Thunk;
use crate::value::datum::Datum;
use crate::view::table::Table;

pub const COMMAND: Command = Command {
    name: "feed",
    aliases: &[],
    usage: ":feed NAME VALUE",
    summary: "the next value of an input of the programs, and what it changes",
    argument: Argument::Option,
    effect: Effect::Configure,
    run,
};

/// Sets an external variable, and shows the values that changed with it. Values that do not depend on it are not evaluated
/// again.
fn run(session: &mut Session, line: &Line) -> Vec<Event> {
    let (name, value) = line.argument().split_once(char::is_whitespace).unwrap_or((line.argument(), ""));
    let value = value.trim();
    if name.is_empty() || value.is_empty() {
        let why = Name::new_static("it needs the name of an input and a value");
        return vec![
            session.met(line.dialect, SessionKind::BadCommand { why, usage: Name::new_static(COMMAND.usage) }),
        ];
    }
    let before = known(session);
    let mut events = match session.assign(line.dialect, "ext-code", &format!("{name}={value}"), Origin::Session) {
        Ok(events) => events,
        Err(_) => {
            let why = Name::from(format!("`{value}` is not a value"));
            return vec![
                session.met(line.dialect, SessionKind::BadCommand { why, usage: Name::new_static(COMMAND.usage) }),
            ];
        }
    };
    let budget = session.settings().budget;
    let mut table = Table::new();
    let mut changed = false;
    for (name, thunk, was) in before {
        let Some(now) = session.workspace.value_of(&name).filter(|now| !now.same(&thunk)) else { continue };
        let now = session.workspace.machine.datum(&now, budget);
        if let Some(stopped) = session.stopped(line.dialect) {
            return stopped;
        }
        if now != was {
            changed = true;
            let (was, now) = (shown(session, line.dialect, &was), shown(session, line.dialect, &now));
            table.row([Styled::of(Role::Name, name.as_str()), was, Styled::of(Role::Operator, "->"), now]);
        }
    }
    if changed {
        events.push(Event::Answer(table.within(session.page_width()).fit()));
    }
    events
}

/// Returns the definitions whose values are known.
fn known(session: &mut Session) -> Vec<(Name, Thunk, Datum)> {
    let budget = session.settings().budget;
    let names: Vec<Name> = session.workspace.definitions().into_iter().map(|(name, _)| name).collect();
    let mut out = Vec::new();
    for name in names.into_iter().filter(|name| is_written(name)) {
        let Some(thunk) = session.workspace.value_of(&name).filter(Thunk::is_forced) else { continue };
        let datum = session.workspace.machine.known(&thunk, budget);
        if !matches!(datum, Datum::Function(_)) {
            out.push((name, thunk, datum));
        }
    }
    out
}
