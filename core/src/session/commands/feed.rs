//! `:feed NAME VALUE`

use super::{Argument, Command, Effect, Line};
use crate::answer::Hints;
use crate::answer::fed::{Changed, ChangedValue};
use crate::problem::session::SessionKind;
use crate::session::settings::Origin;
use crate::session::{Event, Session};
use crate::state::is_written;
use crate::text::Name;
use crate::value::Thunk;
use crate::value::datum::Datum;

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
    let before = evaluated_readers(session, name);
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
    let mut changed = Vec::new();
    for (name, thunk, was) in before {
        let Some(now) = session.workspace.value_of(&name).filter(|now| !now.same(&thunk)) else { continue };
        let now = session.workspace.machine.datum(&now, budget);
        if let Some(stopped) = session.stopped(line.dialect) {
            return stopped;
        }
        if now != was {
            changed.push(ChangedValue { name, was, now });
        }
    }
    if !changed.is_empty() {
        events.extend(session.answered(line.dialect, &Changed(changed), Hints::default()));
    }
    events
}

/// Returns the definitions that depend on an external variable and are evaluated, with their values, sorted by name. Functions
/// are left out.
fn evaluated_readers(session: &mut Session, input: &str) -> Vec<(Name, Thunk, Datum)> {
    let budget = session.settings().budget;
    let readers = session.world.readers_of_external(input);
    let mut names: Vec<Name> = session.world.with_users(&readers).into_iter().collect();
    names.sort();
    let mut out = Vec::new();
    for name in names.into_iter().filter(|name| is_written(name)) {
        let Some(thunk) = session.workspace.value_of(&name).filter(Thunk::is_forced) else { continue };
        let datum = session.workspace.machine.datum_without_forcing(&thunk, budget);
        if !matches!(datum, Datum::Function(_)) {
            out.push((name, thunk, datum));
        }
    }
    out
}
