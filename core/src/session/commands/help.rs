//! `:help`

use super::{ALL, Argument, Command, Line, find};
use crate::dialect::Dialect;
use crate::problem::session::SessionKind;
use crate::session::{Event, Session};
use crate::text::Name;
use crate::view::table::Table;
use crate::view::{Role, Styled};

pub const COMMAND: Command = Command {
    name: "help",
    aliases: &["h", "?"],
    usage: ":help [COMMAND]",
    summary: "the commands, or one with an example",
    example: &[":help type"],
    argument: Argument::Command,
    run,
};

fn run(session: &mut Session, line: &Line) -> Vec<Event> {
    let word = line.argument().trim_start_matches(':');
    if word.is_empty() {
        return vec![Event::Answer(overview(session.dialect(), session.page_width()))];
    }
    match find(word) {
        Ok(command) => vec![Event::Answer(one(command))],
        Err((near, ambiguous)) => {
            vec![session.met(SessionKind::UnknownCommand { name: Name::new(word), near, ambiguous })]
        }
    }
}

/// What can be typed in a language, and what comes of it.
fn inputs_of(dialect: Dialect) -> &'static [(&'static str, &'static str)] {
    match dialect {
        Dialect::Jsonnet => &[
            ("{ a: 1 } + { b: 2 }", "an expression: its value, and its type behind it"),
            ("local x = { port: 80 }", "a definition, with or without `;` behind it. Nothing is evaluated yet"),
            ("local f(a, b=1) = [a, b]", "a function; what reads `f` follows when it is defined again"),
            ("local x = 1; x + 1", "an expression, as in a file: `x` is bound in it and not in the session"),
            ("it, $3", "the last result, the result of input 3"),
        ],
        _ => &[
            ("{ a = 1 } & { b = 2 }", "an expression: its value, and its type behind it"),
            ("x = { port | default = 80 }", "a definition; `let x = …` is the same. Nothing is evaluated yet"),
            ("x = x & { port = 8080 }", "defined again: here `x` is the one before, and what reads `x` follows"),
            ("it, $3", "the last result, the result of input 3"),
        ],
    }
}

fn overview(dialect: Dialect, width: Option<usize>) -> Styled {
    let mut out = Styled::new();
    let mut inputs = Table::new();
    for (input, meaning) in inputs_of(dialect) {
        inputs.row([Styled::of(Role::Keyword, *input), Styled::from(*meaning)]);
    }
    out.push(Role::Heading, "Inputs\n");
    out.append(&inputs.indented(2).within(width).fit());
    out.push(Role::Heading, "\n\nCommands\n");
    let mut commands = Table::new();
    for command in ALL {
        commands.row([Styled::of(Role::Keyword, command.usage), Styled::from(command.summary)]);
    }
    out.append(&commands.indented(2).within(width).fit());
    out.push(Role::Dim, "\n\nA command may be shortened: `:t` is `:type`. `:help COMMAND` shows an example.");
    out
}

fn one(command: &Command) -> Styled {
    let mut out = Styled::of(Role::Keyword, command.usage);
    out.plain("\n  ");
    out.plain(command.summary);
    if !command.aliases.is_empty() {
        let others: Vec<String> = command.aliases.iter().map(|a| format!(":{a}")).collect();
        out.plain(format!("\n  also: {}", others.join(", ")));
    }
    out.push(Role::Heading, "\nfor example");
    for line in command.example {
        let role = if line.starts_with(':') { Role::Keyword } else { Role::Plain };
        out.plain("\n  ");
        out.push(role, line);
    }
    out
}
