//! `:help`: the possible inputs, the commands grouped by purpose, and a page for each command and topic with an example
//! that a test runs.

#[cfg(test)]
mod tests;

use super::script::{Page, Part, pages};
use super::{ALL, Argument, Command, Effect, Line, find, questions};
use crate::dialect::Dialect;
use crate::problem::session::SessionKind;
use crate::session::questions::Question;
use crate::session::{Event, Session};
use crate::styled::wrap::wrap;
use crate::styled::{Role, Styled};
use crate::term::rules::STD;
use crate::text::Name;
use crate::view::table::Table;

pub const COMMAND: Command = Command {
    name: "help",
    aliases: &["h", "?"],
    usage: ":help [COMMAND|TOPIC]",
    summary: "this overview, a command with an example, or a topic such as merging, priorities or keys",
    argument: Argument::Command,
    effect: Effect::Query,
    run,
};

/// The pages that are not about a command, with their subjects.
pub const TOPICS: &[(&str, &str)] = &[
    ("inputs", "definitions, expressions, and what a name means"),
    ("merging", "how records are merged, which definition wins, and how to see it"),
    ("priorities", "which of two definitions of a field wins"),
    ("contracts", "checks of a value when it is used"),
    ("imports", "other files, in any format"),
    ("types", "the notation of types"),
    ("keys", "typing at the prompt"),
    ("config", "cfg.toml: settings for every session"),
    ("lessons", "learning with `cfg learn` or in a notebook, and the checks of exercises"),
    ("magics", "lines of a notebook that begin with `%`"),
    ("cheatsheet", "questions, and the commands that answer them"),
];

/// Other words for topics.
const SYNONYMS: &[(&str, &str)] = &[
    ("merge", "merging"),
    ("layers", "merging"),
    ("override", "priorities"),
    ("default", "priorities"),
    ("metadata", "contracts"),
    ("assert", "contracts"),
    ("files", "imports"),
    ("settings", "config"),
    ("learn", "lessons"),
    ("exercises", "lessons"),
    ("cheat", "cheatsheet"),
];

/// The commands grouped by purpose.
const GROUPS: &[(&str, &[&str])] = &[
    ("Types", &["type", "why", "holes", "constraints", "core", "ast", "stages"]),
    (
        "Values and where they come from",
        &[
            "query", "explain", "whatif", "steps", "diff", "deps", "graph", "sprint", "force", "show", "get", "expand",
            "fold", "time",
        ],
    ),
    ("Names", &["env", "info", "doc", "def"]),
    ("Files and time", &["load", "schema", "reload", "save", "undo", "redo", "history", "reset"]),
    ("The session", &["dialect", "set", "feed", "check", "help", "examples", "quit"]),
];

fn run(session: &mut Session, line: &Line) -> Vec<Event> {
    let word = line.argument().trim_start_matches(':');
    let width = session.text_width();
    if word.is_empty() {
        return vec![Event::Answer(overview(session, line.dialect, width))];
    }
    let command = find(word);
    let is_command =
        command.as_ref().is_ok_and(|command| command.name.starts_with(word) || command.aliases.contains(&word));
    let topic = topic_named(word).or_else(|| topic_beginning(word).filter(|_| !is_command));
    match (topic, command) {
        (Some((name, about)), _) => vec![Event::Answer(topic_page(name, about, session, line.dialect, width))],
        (None, Ok(command)) => vec![Event::Answer(page(command, session, line.dialect, width))],
        (None, Err((mut near, ambiguous))) => {
            let language = session.languages().named(word).filter(|language| *language != line.dialect);
            let mut own = own_pages(line.dialect).chain(language.into_iter().flat_map(own_pages));
            if let Some(page) = own.find(|page| page.title.split(", ").any(|title| title == word)) {
                let mut out = Styled::of(Role::Keyword, page.title);
                draw(&page.parts, width, &mut out);
                return vec![Event::Answer(out)];
            }
            if line.dialect.library_entry(&[STD, word]).is_some() {
                return session.inquire(line, &questions::DOC, &Question::Doc);
            }
            if let Some(meaning) = session.aliases().get(word) {
                let mut out = Styled::of(Role::Keyword, format!(":{word}"));
                out.plain(format!("\n  a user-defined command: {meaning}"));
                return vec![Event::Answer(out)];
            }
            let topics = crate::text::near(word, TOPICS.iter().map(|(name, _)| *name));
            if let (Some(topic), true) = (topics.first(), near.is_empty()) {
                let meant = Some(format!(":help {topic}"));
                return session.misused_for(
                    line.dialect,
                    &format!("no command and no topic `{word}`"),
                    &COMMAND,
                    meant,
                );
            }
