//! `:examples [n [run]]`: the example programs in the documentation of the languages.

use super::script::{Page, pages};
use super::{Argument, Command, Effect, Line, help};
use crate::dialect::{Dialect, Languages};
use crate::session::{Event, Session};
use crate::styled::{Role, Styled};
use crate::view::table::Table;

pub const COMMAND: Command = Command {
    name: "examples",
    aliases: &[],
    usage: ":examples [N [run]]",
    summary: "example programs from the documentation of the languages; a number shows one with its result, `run` enters it here",
    argument: Argument::Number,
    effect: Effect::Enter,
    run,
};

const ALL: &str = include_str!("all.txt");

/// A program of a document.
struct Example {
    dialect: Dialect,
    document: &'static str,
    about: &'static str,
    page: Page,
}

/// Returns the programs, in order. The title of a page is `language | document | subject`.
fn all() -> Vec<Example> {
    let example = |page: Page| {
        let mut parts = page.title.splitn(3, " | ");
        let dialect = Languages::default().named(parts.next()?)?;
        let (document, about) = (parts.next()?, parts.next()?);
        Some(Example { dialect, document, about, page })
    };
    pages(ALL).into_iter().filter_map(example).collect()
}

fn run(session: &mut Session, line: &Line) -> Vec<Event> {
    let all = all();
    let mut words = line.argument().split_whitespace();
    let (number, enter, more) = (words.next(), words.next(), words.next());
    let Some(number) = number else { return vec![Event::Answer(list(&all, session.text_width()))] };
    let found = number.parse::<usize>().ok().and_then(|number| all.get(number.checked_sub(1)?));
    match (found, enter, more) {
        (Some(example), None, _) => shown(session, number, example),
        (Some(example), Some("run"), None) => entered(session, example),
        (Some(_), ..) => session.misused(line.dialect, "only `run` can follow the number", &COMMAND),
        (None, ..) => {
            session.misused(line.dialect, &format!("`:examples` takes a number from 1 to {}", all.len()), &COMMAND)
        }
    }
}

fn list(all: &[Example], width: Option<usize>) -> Styled {
    let mut out = Styled::new();
    let mut document = "";
    let mut table = Table::new();
    let flush = |table: &mut Table, out: &mut Styled, next: Option<&Example>| {
        let rows = std::mem::replace(table, Table::new());
        out.append(&rows.indented(2).within(width).fit());
        if let Some(next) = next {
            out.push(Role::Heading, format!("{}{}", if out.is_empty() { "" } else { "\n\n" }, next.document));
            out.push(Role::Dim, format!("  {}\n", next.dialect.name()));
        }
    };
    for (index, example) in all.iter().enumerate() {
        if example.document != document {
            flush(&mut table, &mut out, Some(example));
            document = example.document;
        }
        table.row([Styled::of(Role::Keyword, format!("{:>2}", index + 1)), Styled::from(example.about)]);
    }
    flush(&mut table, &mut out, None);
    out.push(Role::Dim, "\n\n`:examples 1` shows one with its results, `:examples 1 run` enters it here.");
    out
}

/// Shows an example with its result in an empty session. A test checks the result.
fn shown(session: &mut Session, number: &str, example: &Example) -> Vec<Event> {
    let mut out = Styled::of(Role::Heading, example.about);
    out.push(Role::Dim, format!("\n{}, {}", example.document, example.dialect.name()));
    help::draw(&example.page.parts, session.text_width(), &mut out);
    out.push(Role::Dim, format!("\n\n`:examples {number} run` enters it here."));
    vec![Event::Answer(out)]
}

/// Enters an example as if the user had typed it.
fn entered(session: &mut Session, example: &Example) -> Vec<Event> {
    let mut events = Vec::new();
    for input in example.page.inputs() {
        let mut echo = Styled::of(Role::Dim, "> ");
        echo.push(Role::Keyword, input.replace('\n', "\n… "));
        events.push(Event::Answer(echo));
        events.extend(session.enter(example.dialect, &input));
        if session.workspace.is_stopped() {
            break;
        }
    }
    events
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loader::NoLoader;
    use crate::session::commands::script;
    use expect_test::expect_file;

    #[test]
    fn what_the_examples_show_is_what_comes() {
        stacker::grow(64 << 20, || {
            let run = |example: &Example| {
                let mut session = Session::new(Box::new(NoLoader));
                session.set_dialect(example.dialect).unwrap();
                script::tests::run(&example.page, &mut session)
            };
            let shown: Vec<String> = all().iter().map(run).collect();
            assert_eq!(shown.len(), pages(ALL).len(), "a title is `language | document | what it is about`");
            expect_file!["all.txt"].assert_eq(&shown.join("\n"));
        });
    }
}
