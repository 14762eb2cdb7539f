//! `:feed NAME VALUE`

use super::{Argument, Command, Effect, Line};
use crate::answer::Hints;
use crate::answer::fed::{Changed, ChangedValue};
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
        return session.misused(line.dialect, "`:feed` needs the name of an input, then a value", &COMMAND);
    }
    let (readers, before) = evaluated_readers(session, name);
    let evaluated = before.len();
    let mut events = match session.assign(line.dialect, "ext-code", &format!("{name}={value}"), Origin::Session) {
        Ok(events) => events,
        Err(_) => {
            return session.misused(line.dialect, &format!("`{value}` is not a value"), &COMMAND);
        }
    };
    let budget = session.settings().budget;
    let mut changed = Vec::new();
    let input = Name::new(name);
    for (name, thunk, was) in before {
        let Some(now) = session.workspace.value_of(&name).filter(|now| !now.same(&thunk)) else { continue };
        let now = session.workspace.machine.datum(&now, budget);
        if let Some(stopped) = session.stopped(line.dialect) {
            return stopped;
        }
        if !agrees(&was, &now) {
            changed.push(ChangedValue { name, was, now });
        }
    }
    // a value that is wrong has a report of its own
    if !changed.is_empty() || events.is_empty() {
        let answer = Changed { input, values: changed, readers, evaluated };
        events.extend(session.answered(line.dialect, &answer, Hints::default()));
    }
    events
}

/// Returns whether a value agrees with the parts that were known of it before. Does not recurse.
fn agrees(was: &Datum, now: &Datum) -> bool {
    let mut work = vec![(was, now)];
    while let Some(pair) = work.pop() {
        match pair {
            (Datum::Unforced, _) => {}
            (Datum::Array(a), Datum::Array(b)) if a.len() == b.len() => work.extend(a.iter().zip(b)),
            (Datum::Record(a), Datum::Record(b)) if a.len() == b.len() => {
                for (a, b) in a.iter().zip(b) {
                    if a.name != b.name {
                        return false;
                    }
                    match (&a.value, &b.value) {
                        (Some(a), Some(b)) => work.push((a, b)),
                        (None, None) => {}
                        _ => return false,
                    }
                }
            }
            (Datum::Variant(a, inner), Datum::Variant(b, other)) if a == b => work.push((&**inner, &**other)),
            (a, b) if a == b => {}
            _ => return false,
        }
    }
    true
}

/// Returns the number of definitions that depend on an external variable, and those that are evaluated, with their values,
/// sorted by name. Functions are left out.
fn evaluated_readers(session: &mut Session, input: &str) -> (usize, Vec<(Name, Thunk, Datum)>) {
    let budget = session.settings().budget;
    let readers = session.world.readers_of_external(input);
    let mut names: Vec<Name> = session.world.with_users(&readers).into_iter().collect();
    names.retain(|name| is_written(name));
    names.sort();
    let mut out = Vec::new();
    let readers = names.len();
    for name in names {
        let Some(thunk) = session.workspace.value_of(&name).filter(Thunk::is_forced) else { continue };
        let datum = session.workspace.machine.datum_without_forcing(&thunk, budget);
        if !matches!(datum, Datum::Function(_)) {
            out.push((name, thunk, datum));
        }
    }
    (readers, out)
}
