//! `:info name`

use super::{Argument, Command, Line, sprint};
use crate::ask;
use crate::session::{Event, Session, is_written};
use crate::term::Node;
use crate::text::Name;
use crate::view::{Role, Styled};

pub const COMMAND: Command = Command {
    name: "info",
    aliases: &["i"],
    usage: ":info NAME",
    summary: "all that is known of a name: where it is defined, its type, its metadata, who reads it; nothing is evaluated",
    example: &[
        "port | Number | doc \"the port\" = 80",
        ":info port",
        "port : Number",
        "defined at cfg[1]:1:1: port | Number | doc \"the port\" = 80",
    ],
    argument: Argument::Expression,
    run,
};

/// How much of a definition's text is shown.
const LINES: usize = 8;
/// How many users are named.
const USERS: usize = 20;

fn run(session: &mut Session, line: &Line) -> Vec<Event> {
    let term = match session.wanted(line, &COMMAND) {
        Ok(term) => term,
        Err(problems) => return problems,
    };
    let scheme = session.world.infer(&term).scheme.clone();
    if let Some(stopped) = session.stopped() {
        return stopped;
    }
    let mut out = Styled::of(Role::Name, line.argument());
    out.push(Role::Operator, session.dialect().spelling().of);
    out.append(&session.type_answer(&scheme));
    let mut row = |key: &str, value: Styled| {
        out.plain("\n");
        out.push(Role::Heading, key);
        out.plain(": ");
        out.append(&value);
    };
    let definition = match term.node(term.root) {
        Node::Global(name) => session.definition(name).map(|definition| (name.clone(), definition)),
        _ => None,
    };
    let Some((name, definition)) = definition else {
        // a field, the library, any other expression: what is written of it
        if let Ok(Some(doc)) = ask::doc::doc(session, line.argument())
            && let Some(text) = doc.text
        {
            row("documentation", Styled::of(Role::String, text.trim_end()));
        }
        let budget = session.settings.budget;
        let known = ask::known::known(session, &term, budget);
        row("known so far", sprint::shown(session, &known));
        return vec![Event::Answer(out)];
    };
    let place = definition.span.unwrap_or(definition.term.span(definition.term.root));
    let (source, position) = session.position(place);
    if position.line > 0 {
        let at = format!("defined at {source}:{}:{}", position.line, position.column);
        row(&at, Styled::from(text_of(session, &definition).as_str()));
    }
    let metadata = ask::query::written_metadata(session, &definition);
    for contract in &metadata.contracts {
        row("contract", Styled::of(Role::Type, contract));
    }
    for ty in &metadata.types {
        row("annotated", Styled::of(Role::Type, ty));
    }
    if let Some(doc) = &metadata.doc {
        row("documentation", Styled::of(Role::String, doc.trim_end()));
    }
    let budget = session.settings.budget;
    let known = ask::known::known(session, &term, budget);
    row("known so far", sprint::shown(session, &known));
    let reads: Vec<&Name> = definition.uses.iter().filter(|used| is_written(used)).collect();
    if !reads.is_empty() {
        row("reads", names(&reads));
    }
    let environment = session.world.environment.borrow();
    let users: Vec<&Name> = environment.users(&name).filter(|user| is_written(user)).collect();
    if !users.is_empty() {
        row("read by", names(&users));
    }
    let errors = definition.typed.problems.len();
    if errors > 0 {
        out.push(Role::Error, format!("\nproblems of its types: {errors} (`:type {name}`, `:why {name}`)"));
    }
    vec![Event::Answer(out)]
}

/// The text of a definition, its first lines.
fn text_of(session: &Session, definition: &crate::session::Definition) -> String {
    let value = definition.term.span(definition.term.root);
    let whole = match definition.span {
        Some(name) if name.source == value.source && name.start <= value.start => {
            crate::text::Span { end: value.end, ..name }
        }
        _ => value,
    };
    let text = session.text(whole);
    let mut lines: Vec<&str> = text.lines().take(LINES).collect();
    if text.lines().count() > LINES {
        lines.push("…");
    }
    lines.join("\n")
}

fn names(all: &[&Name]) -> Styled {
    let shown: Vec<&str> = all.iter().take(USERS).map(|name| name.as_str()).collect();
    let mut out = Styled::of(Role::Name, shown.join(", "));
    if all.len() > USERS {
        out.push(Role::Dim, format!(" and {} more", all.len() - USERS));
    }
    out
}
