//! `:info name`

use super::{Argument, Command, Effect, Line, sprint};
use crate::answer;
use crate::dialect::Dialect;
use crate::problem::Problem;
use crate::session::{Definition, Event, Session, is_written};
use crate::styled::wrap::column;
use crate::styled::{Role, Styled};
use crate::term::{Node, Term};
use crate::text::{Name, Span};
use std::sync::Arc;
use unicode_width::UnicodeWidthStr;

pub const COMMAND: Command = Command {
    name: "info",
    aliases: &["i"],
    usage: ":info PATH",
    summary: "what is known about a name or field without evaluation: its definition, type, metadata and readers",
    argument: Argument::Path,
    effect: Effect::Query,
    run,
};

/// Maximum number of lines of a definition's text.
const LINES: usize = 8;
/// Maximum number of places of a field.
const PLACES: usize = 5;
/// Maximum number of users.
const USERS: usize = 20;

fn run(session: &mut Session, line: &Line) -> Vec<Event> {
    let term = match session.wanted_path(line, &COMMAND) {
        Ok(term) => term,
        Err(problems) => return problems,
    };
    let typed = session.world.infer(&term);
    if let Some(stopped) = session.stopped(line.dialect) {
        return stopped;
    }
    let mut events = Vec::new();
    // the problems of the name itself are counted below
    let definition = match term.node(term.root) {
        Node::Global(name) => session.workspace.definition(name).map(|definition| (name.clone(), definition)),
        _ => None,
    };
    session.typed(line.dialect, &typed, &mut events);
    if definition.is_none() && events.iter().any(Event::is_error) {
        return events;
    }
    let mut rows = Rows(Styled::of(Role::Name, line.argument()));
    rows.0.push(Role::Operator, line.dialect.spelling().of);
    let ty = session.type_answer(line.dialect, &typed.scheme);
    rows.0.append(&session.page_width().map_or_else(|| ty.clone(), |width| ty.cut(width * LINES)));
    let told = match definition {
        Some((name, definition)) => of_name(session, line.dialect, &term, &name, &definition, &mut rows),
        None => {
            session.in_snapshot_of(&term, |session| of_field(session, line.dialect, &term, line.argument(), &mut rows))
        }
    };
    let mut events = session.stale(line.dialect, &term);
    events.push(match told {
        Ok(()) => Event::Answer(rows.0),
        Err(problem) => session.diagnostic(line.dialect, &problem),
    });
    events
}

/// Lines of the form `key: value`.
struct Rows(Styled);

/// Maximum number of lines of the known part of a value.
const KNOWN: usize = 12;

/// Returns at most `most` lines of a text.
fn beginning(text: &Styled, most: usize) -> Styled {
    let mut out = Styled::new();
    let mut left = most;
    for (role, run) in text.runs() {
        let end = run.match_indices('\n').nth(left.saturating_sub(1)).map(|(at, _)| at);
        out.push(*role, run.get(..end.unwrap_or(run.len())).unwrap_or_default());
        if end.is_some() {
            break;
        }
        left = left.saturating_sub(run.matches('\n').count());
    }
    out
}

impl Rows {
    fn row(&mut self, key: &str, value: Styled) {
        self.0.plain("\n");
        self.0.push(Role::Heading, key);
        self.0.plain(": ");
        self.0.append(&value);
    }

    fn known(&mut self, session: &mut Session, dialect: Dialect, term: &Arc<Term>) -> Result<(), Problem> {
        let budget = session.settings().budget;
        let known = answer::info::known::known(&mut session.workspace, term, budget)?;
        let shown = sprint::shown(session, dialect, &known);
        let lines = shown.text().lines().count();
        if session.page_width().is_none() || lines <= KNOWN {
            self.row("known so far", shown);
            return Ok(());
        }
        self.row("known so far", beginning(&shown, KNOWN));
        self.0.push(Role::Dim, format!("\n  … {} more lines: `:sprint` shows them", lines - KNOWN));
        Ok(())
    }

    /// Adds prose; further lines are indented to the column where it begins.
    fn documentation(&mut self, session: &Session, text: &str) {
        let key = "documentation";
        let (text, hang) = (text.trim_end(), key.len() + 2);
        self.row(
            key,
            match session.page_width() {
                Some(width) => column(Role::String, text, width, hang),
                None => Styled::of(Role::String, text),
            },
        );
    }

    fn place(&mut self, session: &Session, key: &str, place: Span, text: String) {
        let (source, position) = session.workspace.position(place);
        if position.line > 0 {
            let key = format!("{key} {source}:{}:{}", position.line, position.column);
            let text = match session.page_width() {
                Some(width) => cut(&text, width, key.width() + 2),
                None => text,
            };
            self.row(&key, Styled::from(text.as_str()));
        }
    }
}

fn of_name(
    session: &mut Session,
    dialect: Dialect,
    term: &Arc<Term>,
    name: &Name,
    definition: &Definition,
    rows: &mut Rows,
) -> Result<(), Problem> {
    let place = definition.span.unwrap_or(definition.term.span(definition.term.root));
    rows.place(session, "defined at", place, text_of(session, definition));
    let metadata = answer::query::written_metadata(&session.workspace, definition);
    for contract in &metadata.contracts {
        rows.row("contract", Styled::of(Role::Type, contract));
    }
    for ty in &metadata.types {
        rows.row("annotated", Styled::of(Role::Type, ty));
    }
    if let Some(doc) = &metadata.doc {
        rows.documentation(session, doc);
    }
    rows.known(session, dialect, term)?;
    let reads: Vec<&str> = definition.uses.iter().filter(|used| is_written(used)).map(Name::as_str).collect();
    if !reads.is_empty() {
        rows.row("reads", names(&reads));
    }
    let users = session.workspace.direct_users_of(name);
    let users: Vec<&str> = users.iter().filter(|user| is_written(user)).map(Name::as_str).collect();
    if !users.is_empty() {
        rows.row("read by", names(&users));
    }
    let errors = definition.typed.problems.len();
    if errors > 0 {
        rows.0.push(Role::Error, format!("\nproblems of its types: {errors} (`:type {name}`, `:why {name}`)"));
    }
    Ok(())
}

/// Adds the written facts about a field, a library name or any other expression.
fn of_field(
    session: &mut Session,
    dialect: Dialect,
    term: &Arc<Term>,
    argument: &str,
    rows: &mut Rows,
) -> Result<(), Problem> {
    let written = answer::info::written::written(&session.workspace, term).unwrap_or_default();
    for (index, place) in written.places.iter().take(PLACES).enumerate() {
        let text = first_lines(&session.workspace.text(*place));
        rows.place(session, if index == 0 { "defined at" } else { "and at" }, *place, text);
    }
    if written.places.len() > PLACES {
        rows.0
            .push(Role::Dim, format!("\nand at {} more places: `:explain {argument}`", written.places.len() - PLACES));
    }
    for contract in &written.contracts {
        rows.row("contract", Styled::of(Role::Type, contract));
    }
    for ty in &written.types {
        rows.row("annotated", Styled::of(Role::Type, ty));
    }
    let doc = match answer::query::library_path(term) {
        Some(_) => answer::doc::doc(&mut session.workspace, dialect, term.clone(), argument)?.text,
        None => written.doc,
    };
    if let Some(text) = doc {
        rows.documentation(session, &text);
    }
    if answer::query::library_path(term).is_none() {
        rows.known(session, dialect, term)?;
    }
    let users: Vec<&str> = written.users.iter().map(String::as_str).collect();
    if !users.is_empty() {
        rows.row("read by", names(&users));
    }
    Ok(())
}

/// Returns the first lines of a definition's text.
fn text_of(session: &Session, definition: &Definition) -> String {
    let value = definition.term.span(definition.term.root);
    let whole = match definition.span {
        Some(name) if name.source == value.source && name.start <= value.start => {
            crate::text::Span { end: value.end, ..name }
        }
        _ => value,
    };
    first_lines(&session.workspace.text(whole))
}

fn first_lines(text: &str) -> String {
    let mut lines: Vec<&str> = text.lines().take(LINES).collect();
    if text.lines().count() > LINES {
        lines.push("…");
    }
    lines.join("\n")
}

/// Cuts the lines of a program to a width in columns; the first line begins after `before` columns.
fn cut(text: &str, width: usize, before: usize) -> String {
    let rooms = std::iter::once(width.saturating_sub(before).max(20)).chain(std::iter::repeat(width));
    let lines = text.lines().zip(rooms).map(|(line, room)| Styled::from(line).cut(room).text());
    lines.collect::<Vec<_>>().join("\n")
}

fn names(all: &[&str]) -> Styled {
    let shown: Vec<&str> = all.iter().take(USERS).copied().collect();
    let mut out = Styled::of(Role::Name, shown.join(", "));
    if all.len() > USERS {
        out.push(Role::Dim, format!(" and {} more", all.len() - USERS));
    }
    out
}
