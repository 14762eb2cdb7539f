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
    usage: ":help [COMMAND|TOPIC|all]",
    summary: "an overview, a command with an example, a topic such as merging or keys, or all commands",
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
    ("priority", "priorities"),
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

/// The commands that `:help` explains; `:help all` explains all.
const FIRST: &[&str] =
    &["type", "explain", "query", "steps", "diff", "why", "load", "env", "undo", "set", "help", "quit"];

fn run(session: &mut Session, line: &Line) -> Vec<Event> {
    let word = line.argument().trim_start_matches(':');
    let width = session.text_width();
    if word.is_empty() || word == "all" {
        return vec![Event::Answer(overview(session, line.dialect, width, word == "all"))];
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
            let path: Vec<&str> = word.split('.').collect();
            if line.dialect.library_entry(&path).is_some() || word == STD {
                let meant = Some(format!(":doc {word}"));
                return session.misused_for(
                    line.dialect,
                    &format!("no command and no topic `{word}`"),
                    &COMMAND,
                    meant,
                );
            }
            if near.is_empty() && !ambiguous && session.is_bound(word) {
                let why = format!("no command and no topic `{word}`");
                return session.misused_for(line.dialect, &why, &COMMAND, Some(format!(":info {word}")));
            }
            near.truncate(3);
            vec![session.met(line.dialect, SessionKind::UnknownCommand { name: Name::new(word), near, ambiguous })]
        }
    }
}

/// Returns the topic with a name, or with another word for it.
pub(super) fn topic_named(word: &str) -> Option<&'static (&'static str, &'static str)> {
    let named = SYNONYMS.iter().find(|(synonym, _)| *synonym == word).map_or(word, |(_, topic)| topic);
    TOPICS.iter().find(|(name, _)| *name == named)
}

/// Returns the topic whose name, or a word for it, begins with a text. `None` if several do.
fn topic_beginning(text: &str) -> Option<&'static (&'static str, &'static str)> {
    let words = TOPICS.iter().map(|(name, _)| *name).chain(SYNONYMS.iter().map(|(synonym, _)| *synonym));
    let mut topics = words.filter(|word| word.starts_with(text)).filter_map(topic_named);
    let first = topics.next()?;
    topics.all(|other| other.0 == first.0).then_some(first)
}

/// Renders the possible inputs, the commands and the topics. Unless `all` is set, only the commands of [`FIRST`] have a line each.
fn overview(session: &Session, dialect: Dialect, width: Option<usize>, all: bool) -> Styled {
    let room = width.unwrap_or(usize::MAX);
    let mut out = Styled::new();
    let mut inputs = Table::new();
    for (input, meaning) in dialect.0.help.inputs {
        inputs.row([Styled::of(Role::Keyword, *input), Styled::from(*meaning)]);
    }
    out.push(Role::Heading, "Inputs\n");
    out.append(&inputs.indented(2).within(width).fit());
    let languages = session.languages();
    let commands = |names: &[&str]| -> Vec<&Command> {
        names.iter().filter_map(|name| ALL.iter().find(|command| command.name == *name)).collect()
    };
    if all {
        let usages = ALL.iter().map(|command| command.usage(languages).len()).max().unwrap_or(0);
        for (heading, names) in GROUPS {
            out.push(Role::Heading, format!("\n\n{heading}\n"));
            let mut table = Table::new();
            for command in commands(names) {
                let usage = Styled::of(Role::Keyword, format!("{:<usages$}", command.usage(languages)));
                table.row([usage, Styled::from(command.summary)]);
            }
            out.append(&table.indented(2).within(width).fit());
        }
    } else {
        out.push(Role::Heading, "\n\nCommands\n");
        let mut table = Table::new();
        for command in commands(FIRST) {
            table.row([Styled::of(Role::Keyword, format!(":{}", command.name)), Styled::from(command.summary)]);
        }
        out.append(&table.indented(2).within(width).fit());
        out.push(Role::Heading, "\n\nMore commands");
        for (heading, names) in GROUPS {
            let others = names.iter().filter(|name| !FIRST.contains(name)).map(|name| format!(":{name}"));
            let list = format!("  {heading}: {}", others.collect::<Vec<_>>().join(" "));
            out.plain(format!("\n{}", wrap(&list, room, 4)));
        }
    }
    out.push(Role::Heading, "\n\nTopics\n");
    if all {
        let mut topics = Table::new();
        for (name, about) in TOPICS {
            topics.row([Styled::of(Role::Keyword, format!(":help {name}")), Styled::from(*about)]);
        }
        out.append(&topics.indented(2).within(width).fit());
    } else {
        let names: Vec<&str> = TOPICS.iter().map(|(name, _)| *name).collect();
        out.plain(wrap(&format!("  :help {}", names.join(", ")), room, 8));
    }
    let own: Vec<&str> = own_pages(dialect).map(|page| page.title).collect();
    if !own.is_empty() {
        out.push(Role::Heading, "\n\nThe language\n");
        let list = format!("  :help {}", own.join(", "));
        out.plain(wrap(&list, room, 8));
    }
    let more = match all {
        true => "A command may be shortened: `:t` is `:type`. `:help COMMAND` shows an example.",
        false => {
            "`:help COMMAND` explains a command with an example, `:help all` lists all. `:t` is short for `:type`."
        }
    };
    out.push(Role::Dim, format!("\n\n{}", wrap(more, room, 0)));
    out
}

/// Returns the pages of a language about its own words: those that are not about a command or a topic.
fn own_pages(dialect: Dialect) -> impl Iterator<Item = Page> {
    let is_shared = |page: &Page| {
        ALL.iter().any(|command| command.name == page.title) || TOPICS.iter().any(|(name, _)| *name == page.title)
    };
    pages(dialect.0.help.pages).into_iter().filter(move |page| !is_shared(page))
}

/// Renders a page about a command.
fn page(command: &Command, session: &Session, dialect: Dialect, width: Option<usize>) -> Styled {
    let mut out = Styled::of(Role::Keyword, command.usage(session.languages()));
    out.plain("\n  ");
    let room = width.unwrap_or(usize::MAX).saturating_sub(2);
    out.plain(wrap(command.summary, room, 2));
    if !command.aliases.is_empty() {
        let others: Vec<String> = command.aliases.iter().map(|a| format!(":{a}")).collect();
        out.plain(format!("\n  also: {}", others.join(", ")));
    }
    body(command.name, session, dialect, width, &mut out);
    out
}

fn topic_page(name: &str, about: &str, session: &Session, dialect: Dialect, width: Option<usize>) -> Styled {
    let mut out = Styled::of(Role::Keyword, name);
    out.plain("\n  ");
    out.plain(about);
    body(name, session, dialect, width, &mut out);
    out
}

/// Renders the text and the example of a page.
fn body(name: &str, session: &Session, dialect: Dialect, width: Option<usize>, out: &mut Styled) {
    if let Some(page) = page_of(name, dialect, session.languages().standard()) {
        draw(&page.parts, width, out);
    }
}

/// Returns an input on one line that calls a command, from its page.
pub(super) fn example(name: &str, dialect: Dialect, standard: Dialect) -> Option<&'static str> {
    let page = page_of(name, dialect, standard)?;
    page.parts.iter().find_map(|part| match part {
        Part::Typed(lines) => match lines.as_slice() {
            [line] => {
                let word = super::word(line).and_then(|word| line.get(word))?;
                let has_argument = line.contains(char::is_whitespace);
                find(word).is_ok_and(|command| command.name == name && has_argument).then_some(*line)
            }
            _ => None,
        },
        _ => None,
    })
}

/// Returns the page of a command or topic. A language without its own page uses the standard one, which then contains
/// nothing specific to a language.
fn page_of(name: &str, dialect: Dialect, standard: Dialect) -> Option<Page> {
    let of = |dialect: Dialect| pages(dialect.0.help.pages).into_iter().find(|page| page.title == name);
    of(dialect).or_else(|| of(standard))
}

/// Renders explanations, inputs and their results.
pub(super) fn draw(parts: &[Part], width: Option<usize>, out: &mut Styled) {
    let room = width.unwrap_or(usize::MAX).saturating_sub(2);
    let mut said = false;
    for (at, part) in parts.iter().enumerate() {
        let says = matches!(part, Part::Explanation(_));
        out.plain(if at == 0 || said != says { "\n\n" } else { "\n" });
        said = says;
        match part {
            Part::Explanation(text) => out.plain(format!("  {}", wrap(text, room, 2))),
            Part::Typed(lines) => {
                for (at, line) in lines.iter().enumerate() {
                    out.push(Role::Dim, if at == 0 { "  > " } else { "\n  … " });
                    out.push(Role::Keyword, line);
                }
            }
            Part::Comes("") => {}
            Part::Comes(line) => out.plain(format!("    {line}")),
        }
    }
}
