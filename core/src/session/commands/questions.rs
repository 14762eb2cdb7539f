//! The commands that ask a question about their argument: `:type`, `:query`, `:explain`, `:deps`, `:graph`, `:doc`,
//! `:constraints`, `:core`, and `:ast`.

use super::{Argument, Command, Effect, Line};
use crate::answer::deps::Direction;
use crate::problem::Severity;
use crate::session::questions::{Question, Subject};
use crate::session::{Event, Session};
use crate::styled::{Role, Styled};
use crate::view::Drawing;

pub const TYPE: Command = Command {
    name: "type",
    aliases: &["t", "typecheck", "tc"],
    usage: ":type EXPRESSION",
    summary: "the inferred type of an expression; nothing is evaluated",
    argument: Argument::Expression,
    effect: Effect::Query,
    run: |session, line| session.inquire(line, &TYPE, &Question::Type),
};

pub const QUERY: Command = Command {
    name: "query",
    aliases: &["q"],
    usage: ":query PATH",
    summary: "a field's metadata and value",
    argument: Argument::Path,
    effect: Effect::Query,
    run: |session, line| session.inquire(line, &QUERY, &Question::Query),
};

pub const EXPLAIN: Command = Command {
    name: "explain",
    aliases: &["e"],
    usage: ":explain PATH",
    summary: "where a field's value comes from: which definition wins, which lose, and why",
    argument: Argument::Path,
    effect: Effect::Query,
    run: |session, line| session.inquire(line, &EXPLAIN, &Question::Explain),
};

pub const DEPS: Command = Command {
    name: "deps",
    aliases: &[],
    usage: ":deps [--used-by] PATH",
    summary: "the fields that a value is computed from; with --used-by, the fields that read it",
    argument: Argument::Path,
    effect: Effect::Query,
    run: deps,
};

pub const GRAPH: Command = Command {
    name: "graph",
    aliases: &[],
    usage: ":graph [--functions] [PATH]",
    summary: "which fields depend on which; with --functions, which value goes into which argument of which function",
    argument: Argument::Path,
    effect: Effect::Query,
    run: graph,
};

/// The option for the function graph.
const FUNCTIONS: &str = "--functions";

fn graph(session: &mut Session, line: &Line) -> Vec<Event> {
    if let Some(line) = line.without_word(FUNCTIONS) {
        return session.inquire(&line, &GRAPH, &Question::Functions(Drawing::Text));
    }
    match line.argument() {
        "" => session.asked(line, &GRAPH, &Question::Graph(Drawing::Text), Subject::Session),
        _ => session.inquire(line, &GRAPH, &Question::Graph(Drawing::Text)),
    }
}

pub const DOC: Command = Command {
    name: "doc",
    aliases: &[],
    usage: ":doc PATH",
    summary: "the documentation of a name or field, also of the library",
    argument: Argument::Path,
    effect: Effect::Query,
    run: |session, line| session.inquire(line, &DOC, &Question::Doc),
};

pub const CONSTRAINTS: Command = Command {
    name: "constraints",
    aliases: &[],
    usage: ":constraints EXPRESSION",
    summary: "the constraints that inference collects for an expression, and their solution",
    argument: Argument::Expression,
    effect: Effect::Query,
    run: |session, line| session.inquire(line, &CONSTRAINTS, &Question::Constraints),
};

pub const CORE: Command = Command {
    name: "core",
    aliases: &[],
    usage: ":core EXPRESSION",
    summary: "an expression in the core language, to which all languages are translated",
    argument: Argument::Expression,
    effect: Effect::Query,
    run: |session, line| session.inquire(line, &CORE, &Question::Core),
};

pub const AST: Command = Command {
    name: "ast",
    aliases: &[],
    usage: ":ast EXPRESSION",
    summary: "the syntax tree of an expression, with the place of each part",
    argument: Argument::Expression,
    effect: Effect::Query,
    run: |session, line| session.inquire_text(line, &AST, &Question::Ast),
};

impl Session {
    /// [`Session::inspect`] without the guard.
    pub(in crate::session) fn inspect_here(&mut self, path: &str, explain: bool) -> Option<Styled> {
        let dialect = self.dialect();
        let mut answer = |command: &Command, question: Question| {
            // a question that was interrupted does not stop the next one
            self.begin();
            let mut out = Styled::new();
            for event in self.inquire(&Line { dialect, text: String::from(path), at: 0 }, command, &question) {
                match event {
                    Event::Diagnostic { severity: Severity::Error, .. } => return None,
                    Event::Answer(text) | Event::View { text, .. } => out.append(&text),
                    _ => {}
                }
            }
            Some(out).filter(|text| !text.is_empty())
        };
        let Some(ty) = answer(&TYPE, Question::Type) else {
            self.clean_up();
            return None;
        };
        let doc = answer(&DOC, Question::Doc);
        let metadata = answer(&QUERY, Question::Query);
        let explanation = if explain { answer(&EXPLAIN, Question::Explain) } else { None };
        let mut out = doc.unwrap_or_else(|| {
            let mut out = Styled::of(Role::Name, path);
            out.push(Role::Operator, dialect.spelling().of);
            out.append(&ty);
            out
        });
        for more in metadata.iter().chain(&explanation) {
            out.plain("\n\n");
            out.append(more);
        }
        self.clean_up();
        Some(out)
    }
}

/// The option for the other direction.
const USED_BY: &str = "--used-by";

/// Lists dependencies. The option may be at either end of the argument.
fn deps(session: &mut Session, line: &Line) -> Vec<Event> {
    let text = line.text.trim_end();
    let at_end = || {
        let rest =
            text.strip_suffix(USED_BY).filter(|rest| rest.len() > line.at && rest.ends_with(char::is_whitespace))?;
        Some(Line { text: String::from(rest), ..line.clone() })
    };
    match line.without_word(USED_BY).or_else(at_end) {
        Some(line) => session.inquire(&line, &DEPS, &Question::Deps(Direction::UsedBy)),
        None => session.inquire(line, &DEPS, &Question::Deps(Direction::Reads)),
    }
}
