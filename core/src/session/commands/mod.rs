//! The `:commands`, one file each. A command may be shortened to any unambiguous prefix.

mod argument;
mod check;
pub(super) mod complete;
pub(super) mod def;
mod demand;
mod dialect;
mod env;
mod examples;
mod feed;
mod help;
mod history;
mod holes;
mod info;
mod load;
mod questions;
mod reload;
mod save;
mod schema;
mod script;
mod set;
mod show;
mod sprint;
pub(super) mod stages;
mod steps;
mod time;
mod undo;
mod unknown;
mod whatif;
mod why;
mod works;

use super::Session;
use super::event::Event;
use crate::dialect::{Dialect, Languages};
use crate::problem::Problem;
use crate::problem::session::{SessionKind, SessionProblem};
use crate::text::{Name, near};
pub(super) use argument::Line;
use std::ops::Range;

pub(super) use argument::expression;
pub use check::hint as check_hint;

/// A command.
pub struct Command {
    /// Its name, without the colon.
    pub name: &'static str,
    /// Other names.
    pub aliases: &'static [&'static str],
    /// Its usage.
    pub usage: &'static str,
    /// Its purpose, on one line.
    pub summary: &'static str,
    /// Its argument. It determines completion, highlighting and where an input ends.
    pub argument: Argument,
    /// Its effect on the session.
    pub effect: Effect,
    run: fn(&mut Session, &Line) -> Vec<Event>,
}

impl Command {
    /// Returns the usage for a session with these languages.
    pub(in crate::session) fn usage(&self, languages: Languages) -> String {
        match self.argument {
            Argument::Dialect => {
                let names: Vec<&str> = languages.interactive().map(Dialect::name).collect();
                self.usage.replace("NAME", &names.join("|"))
            }
            _ => String::from(self.usage),
        }
    }

    /// Returns `true` if it changes state that all shells of a kernel share.
    fn is_shared(&self) -> bool {
        matches!(self.effect, Effect::Define | Effect::Reload | Effect::Configure)
    }
}

/// The kind of a command's argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Argument {
    /// None: an argument is an error.
    Nothing,
    /// A number: of a cell, of inputs, of an example.
    Number,
    /// An expression, which may go on over several lines.
    Expression,
    /// A path or an expression, on one line.
    Path,
    /// A file.
    File,
    /// An option and its value.
    Option,
    /// A command.
    Command,
    /// A language.
    Dialect,
}

impl Argument {
    /// Returns `true` if it is written in the language of the session.
    pub(super) fn is_program(self) -> bool {
        matches!(self, Argument::Expression | Argument::Path)
    }
}

/// The effect of a command on the session.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// None. The answer depends only on the definitions that the question names, so it can be computed again at any
    /// time.
    Query,
    /// None, but the answer depends on more, such as earlier inputs or the clock, or the command writes a file.
    Report,
    /// Binds names, or changes the language of later inputs.
    Define,
    /// Enters other inputs: `:examples 1 run`.
    Enter,
    /// Reads files again.
    Reload,
    /// Changes options or user-defined commands; both survive `:reset`.
    Configure,
    /// Goes back to an earlier state, or forward again.
    Travel,
    /// Forgets all definitions.
    Reset,
    /// Ends the session.
    Quit,
}

/// Every command, in the order `:help` lists them.
pub const ALL: &[Command] = &[
    questions::TYPE,
    questions::QUERY,
    questions::EXPLAIN,
    whatif::COMMAND,
    why::COMMAND,
    questions::CONSTRAINTS,
    questions::CORE,
    questions::AST,
    stages::COMMAND,
    steps::COMMAND,
    steps::DIFF,
    questions::DEPS,
    questions::GRAPH,
    questions::DOC,
    env::COMMAND,
    info::COMMAND,
    sprint::COMMAND,
    sprint::FORCE,
    show::COMMAND,
    demand::GET,
    demand::EXPAND,
    demand::FOLD,
    holes::COMMAND,
    dialect::COMMAND,
    load::COMMAND,
    schema::COMMAND,
    reload::COMMAND,
    save::COMMAND,
    undo::COMMAND,
    undo::REDO,
    history::COMMAND,
    undo::RESET,
    time::COMMAND,
    set::COMMAND,
    feed::COMMAND,
    def::COMMAND,
    check::COMMAND,
    help::COMMAND,
    examples::COMMAND,
    Command {
        name: "quit",
        aliases: &["exit"],
        usage: ":quit",
        summary: "ends the session, like Ctrl-D",
        argument: Argument::Nothing,
        effect: Effect::Quit,
        run: |_, _| vec![Event::Quit],
    },
];

/// Returns the topic of `:help` that a word means.
pub fn help_topic(word: &str) -> Option<&'static str> {
    help::topic_named(word).map(|(name, _)| *name)
}

/// Finds the command for a word: by name or alias, otherwise by an unambiguous prefix. Fails with the commands that the
/// word may mean.
pub fn find(word: &str) -> Result<&'static Command, (Vec<Name>, bool)> {
    if let Some(exact) = ALL.iter().find(|c| c.name == word || c.aliases.contains(&word)) {
        return Ok(exact);
    }
    let begins = |c: &&Command| {
        !word.is_empty() && (c.name.starts_with(word) || c.aliases.iter().any(|a| a.len() > 1 && a.starts_with(word)))
    };
    let all: Vec<&'static Command> = ALL.iter().filter(begins).collect();
    match all.as_slice() {
        [only] => Ok(only),
        [] => {
            if let Some(own) = unknown::synonym(word) {
                return Err((vec![Name::new_static(own)], false));
            }
            // a short word is similar to too many
            let names = ALL.iter().flat_map(|c| std::iter::once(c.name).chain(c.aliases.iter().copied()));
            let names = names.filter(|name| word.len() > 2 && name.len() > 2);
            Err((near(word, names), false))
        }
        several => Err((several.iter().map(|c| Name::new_static(c.name)).collect(), true)),
    }
}

/// Returns `true` if a word is the full name of a command, without its colon.
pub fn is_command_name(word: &str) -> bool {
    is_name(word)
}

/// Returns `true` if a word is the full name of a command.
pub(super) fn is_name(word: &str) -> bool {
    word.len() > 1 && ALL.iter().any(|c| c.name == word || c.aliases.contains(&word))
}

/// Returns `true` if a word is the full name of a command without an argument.
pub(super) fn takes_nothing(word: &str) -> bool {
    let named = |c: &&Command| c.name == word || c.aliases.contains(&word);
    ALL.iter().find(named).is_some_and(|command| command.argument == Argument::Nothing)
}

/// Returns the range of the command's name in an input. Blanks may be between the colon and the name. `None` if the input
/// is not a command.
pub(super) fn word(input: &str) -> Option<Range<usize>> {
    let colon = input.len() - input.trim_start().len();
    let rest = input[colon..].strip_prefix(':')?;
    let begin = colon + 1 + rest.len() - rest.trim_start_matches([' ', '\t']).len();
    let ends = |c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '?'));
    Some(begin..input[begin..].find(ends).map_or(input.len(), |length| begin + length))
}

/// Finds the command of an input. `:q` and `:q!` end the session; with another argument, `:q` is `:query`.
pub(super) fn of_input(input: &str) -> Result<&'static Command, (Vec<Name>, bool)> {
    let word = word(input).unwrap_or_default();
    match &input[word.clone()] {
        "q" if matches!(input[word.end..].trim(), "" | "!") => find("quit"),
        name => find(name),
    }
}

/// Returns the effect of an input that is a built-in command.
pub(super) fn effect(input: &str) -> Option<Effect> {
    word(input)?;
    of_input(input).ok().map(|command| command.effect)
}

impl Session {
    /// Runs a command. After a `%%` line, runs it in the language that the line names.
    pub(super) fn command_spoken(&mut self, text: &str) -> Vec<Event> {
        match self.split_language_line(self.dialect(), text) {
            Ok((dialect, text)) => self.command(dialect, &text),
            Err(problem) => vec![self.diagnostic(self.dialect(), &problem)],
        }
    }

    /// Runs a command. `dialect` is the language of its argument and of its answer.
    pub(super) fn command(&mut self, dialect: Dialect, text: &str) -> Vec<Event> {
        let Range { start, end: word_end } = word(text).unwrap_or_default();
        let word = &text[start..word_end];
        if let Some(meaning) = self.aliases().get(word).cloned() {
            return self.own_command(dialect, &meaning, text[word_end..].trim());
        }
        match of_input(text) {
            // `:port.a`
            Ok(_) if text[word_end..].starts_with('.') && !is_name(word) && self.is_bound(word) => {
                self.unknown_command(dialect, text[start..].trim(), "", (Vec::new(), false))
            }
            Ok(command) if self.running.only_binds && !command.is_shared() => Vec::new(),
            Ok(command) => {
                let line = Line { dialect, text: String::from(text), at: word_end };
                // `:q!`, as in vi
                let is_given = !(line.argument().is_empty() || command.name == "quit" && line.argument() == "!");
                match command.argument == Argument::Nothing && is_given {
                    true => {
                        let why = format!("`:{}` takes no argument: `{}` is too much", command.name, line.argument());
                        self.misused_for(dialect, &why, command, Some(format!(":{}", command.name)))
                    }
                    false => (command.run)(self, &line),
                }
            }
            Err(near) => {
                let (name, rest) = match word {
                    "" => (text[start..].trim(), ""),
                    word => (word, &text[word_end..]),
                };
                self.unknown_command(dialect, name, rest, near)
            }
        }
    }

    /// Returns a problem of the session as an event.
    fn met(&self, dialect: Dialect, what: SessionKind) -> Event {
        self.diagnostic(dialect, &Problem::error(SessionProblem { span: None, what }))
    }

    /// Returns the event for a command whose argument is missing or superfluous.
    fn misused(&self, dialect: Dialect, why: &str, command: &Command) -> Vec<Event> {
        self.misused_for(dialect, why, command, None)
    }

    /// Returns the event for a wrong argument of a command. `meant` is an input that was probably meant.
    fn misused_for(&self, dialect: Dialect, why: &str, command: &Command, meant: Option<String>) -> Vec<Event> {
        let meant = meant.map(|meant| self.working(dialect, meant));
        let usage = Name::from(command.usage(self.languages()));
        let example = help::example(command.name, dialect, self.languages().standard());
        let example = example.filter(|_| meant.is_none()).map(Box::from);
        vec![self.met(
            dialect,
            SessionKind::BadCommand { why: Name::new(why), usage, meant: meant.map(Name::from), example },
        )]
    }

    /// Returns the event for a wrong argument of a command. The example is an input that works in this session.
    fn misused_as(&self, dialect: Dialect, why: &str, command: &Command, example: Option<String>) -> Vec<Event> {
        let Some(example) = example else { return self.misused(dialect, why, command) };
        let (why, usage) = (Name::new(why), Name::from(command.usage(self.languages())));
        vec![self.met(dialect, SessionKind::BadCommand { why, usage, meant: None, example: Some(Box::from(example)) })]
    }

    /// Returns the event of an interrupt, if there was one.
    fn stopped(&self, dialect: Dialect) -> Option<Vec<Event>> {
        self.world.interrupt.is_raised().then(|| vec![self.diagnostic(dialect, &self.world.interrupt.problem(None))])
    }
}

#[cfg(test)]
mod tests {
    use super::{ALL, Argument, find, of_input};

    #[test]
    fn words_mean_commands() {
        let meant = |word| match find(word) {
            Ok(command) => command.name.to_string(),
            Err((near, ambiguous)) => format!("{}{near:?}", if ambiguous { "may be " } else { "near " }),
        };
        for (word, command) in [
            ("type", "type"),
            ("t", "type"),
            ("ty", "type"),
            ("q", "query"),
            ("que", "query"),
            ("qui", "quit"),
            ("browse", "env"),
            ("br", "env"),
            ("exit", "quit"),
            ("l", "load"),
            ("r", "reload"),
            ("st", "steps"),
            ("qu", "may be [\"query\", \"quit\"]"),
            ("tpye", "near [\"type\"]"),
            ("zzzzz", "near []"),
            ("", "near []"),
        ] {
            assert_eq!(meant(word), command, "{word}");
        }
    }

    #[test]
    fn q_alone_ends_the_session() {
        for (input, command) in [
            (":q", "quit"),
            (" : q ", "quit"),
            (":q a.b", "query"),
            (": type 1", "type"),
            (":\tt 1", "type"),
            (":quit", "quit"),
        ] {
            assert_eq!(of_input(input).map(|command| command.name), Ok(command), "{input}");
        }
    }

    #[test]
    fn usages_begin_with_the_command() {
        for command in ALL {
            assert!(command.usage.starts_with(&format!(":{}", command.name)));
            let takes_nothing = command.usage == format!(":{}", command.name);
            assert_eq!(command.argument == Argument::Nothing, takes_nothing, "{}", command.usage);
        }
    }
}
