//! `:def name = …`: your own commands.

use super::{ALL, Argument, Command, Effect, Line};
use crate::dialect::Dialect;
use crate::session::{Event, Session};
use crate::styled::{Role, Styled};
use crate::view::table::Table;
use std::sync::Arc;

pub const COMMAND: Command = Command {
    name: "def",
    aliases: &[],
    usage: ":def [NAME [= MEANING]]",
    summary: "defines a command: a function that is applied to the text after it, or the beginning of another command",
    argument: Argument::Expression,
    effect: Effect::Configure,
    run,
};

/// Maximum depth of commands that are defined by other commands.
const DEEP: u32 = 64;

fn run(session: &mut Session, line: &Line) -> Vec<Event> {
    let argument = String::from(line.argument());
    let (name, meaning) = match argument.split_once('=') {
        Some((name, meaning)) => (name.trim(), Some(meaning.trim())),
        None => (argument.as_str(), None),
    };
    let name = name.trim_start_matches(':');
    let Some(meaning) = meaning else {
        return list(session, line.dialect, name);
    };
    match name_fault(name) {
        Some(NameFault::Odd) => {
            return session.misused(
                line.dialect,
                "a command's name consists of letters, digits, `_` and `-`",
                &COMMAND,
            );
        }
        Some(NameFault::Taken) => {
            return session.misused(line.dialect, &format!("`:{name}` is already a command"), &COMMAND);
        }
        None => {}
    }
    match meaning {
        "" if !session.aliases().contains_key(name) => list(session, line.dialect, name),
        "" => {
            Arc::make_mut(&mut session.world.state.aliases.borrow_mut()).remove(name);
            Vec::new()
        }
        // the same definition again changes nothing
        meaning if session.aliases().get(name).is_some_and(|old| old == meaning) => Vec::new(),
        meaning => {
            Arc::make_mut(&mut session.world.state.aliases.borrow_mut())
                .insert(String::from(name), String::from(meaning));
            Vec::new()
        }
    }
}

/// The reason why a name cannot be that of a command.
pub(in crate::session) enum NameFault {
    /// It is not a word.
    Odd,
    /// It is already a command.
    Taken,
}

/// Returns the reason why a name cannot be that of a command, if there is one.
pub(in crate::session) fn name_fault(name: &str) -> Option<NameFault> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    if name.is_empty() || !name.chars().all(is_word) {
        return Some(NameFault::Odd);
    }
    ALL.iter().any(|c| c.name == name || c.aliases.contains(&name)).then_some(NameFault::Taken)
}

/// Lists all user-defined commands, or one of them.
fn list(session: &Session, dialect: Dialect, name: &str) -> Vec<Event> {
    let mut table = Table::new();
    let mut some = false;
    for (own, meaning) in session.aliases().iter().filter(|(own, _)| name.is_empty() || *own == name) {
        let shown = session.masked_input_in(dialect, meaning);
        table.row([Styled::of(Role::Keyword, format!(":{own}")), Styled::from(&*shown)]);
        some = true;
    }
    match (some, name) {
        (true, _) => vec![Event::Answer(table.separated(" = ").within(session.text_width()).fit())],
        (false, "") => vec![Event::Answer(Styled::of(Role::Dim, "no commands of your own"))],
        // `:def x y`
        (false, name) if name.contains(char::is_whitespace) => {
            let (first, meaning) = name.split_once(char::is_whitespace).unwrap_or((name, ""));
            let meant = (name_fault(first).is_none()).then(|| format!(":def {first} = {}", meaning.trim()));
            session.misused_for(dialect, "the meaning of a command comes after `=`", &COMMAND, meant)
        }
        (false, name) => {
            let near = crate::text::near(name, session.aliases().keys().map(String::as_str));
            let meant = near.first().map(|near| format!(", but there is `:{near}`")).unwrap_or_default();
            session.misused(
                dialect,
                &format!("no command `:{name}` of your own{meant}: `:def {name} = MEANING` makes one"),
                &COMMAND,
            )
        }
    }
}

impl Session {
    /// Runs a user-defined command: another command followed by the argument, or a function that is applied to it.
    pub(super) fn own_command(&mut self, dialect: Dialect, meaning: &str, argument: &str) -> Vec<Event> {
        if self.alias_depth >= DEEP {
            return self.misused(dialect, "these commands are defined by each other, in a cycle", &COMMAND);
        }
        let input = match (meaning.starts_with(':'), argument) {
            (_, "") => String::from(meaning),
            (true, argument) => format!("{meaning} {argument}"),
            (false, argument) => format!("({meaning}) ({argument})"),
        };
        self.alias_depth += 1;
        let number = self.next_number();
        let events = match super::super::is_command(&input) {
            true => {
                self.time.set_expansion(None, &input);
                self.command(dialect, &input)
            }
            false => {
                self.time.set_expansion(Some(number), &input);
                self.cell(dialect, &input)
            }
        };
        self.alias_depth -= 1;
        events
    }
}
