//! The argument of a command: an expression in the language of the session, or a path.

use super::{Command, find};
use crate::answer::Answer;
use crate::answer::query::library_path;
use crate::answer::shared::path::{Path, Step};
use crate::answer::shared::projection;
use crate::problem::report::Report;
use crate::problem::{Problem, Severity};
use crate::session::{Event, Session};
use crate::state::environment::rename;
use crate::term::Term;
use crate::text::Span;
use std::path::Path as File;
use std::sync::Arc;

/// A line with a command.
pub struct Line {
    /// The whole line.
    pub(super) text: String,
    /// The byte where the argument begins.
    pub(super) at: usize,
}

impl Line {
    /// The argument, without blanks around it.
    pub(super) fn argument(&self) -> &str {
        self.text[self.at..].trim()
    }

    /// The whole line with everything but the argument made blank: columns stay.
    pub(super) fn blanked(&self) -> String {
        let mut out: String = self.text[..self.at].chars().map(|c| if c == '\n' { '\n' } else { ' ' }).collect();
        // a character of several bytes became one blank: bytes count
        out.extend(std::iter::repeat_n(' ', self.at - out.len()));
        out + &self.text[self.at..]
    }

    /// Its name in reports: a command has a name and no number.
    pub(super) fn name(&self) -> String {
        let word = self.text[..self.at].trim().trim_start_matches(':');
        let word = word.split_whitespace().next().unwrap_or("");
        match find(word) {
            Ok(command) => format!(":{}", command.name),
            Err(_) => String::from("<expression>"),
        }
    }
}

/// A text as an expression; the diagnostics where it is none.
pub(in crate::session) fn expression(session: &mut Session, text: &str) -> Result<Arc<Term>, Vec<Event>> {
    session.argument(&Line { text: String::from(text), at: 0 })
}

impl Session {
    /// The argument of a command that wants an expression; what is to be said where there is none.
    pub(super) fn wanted(&mut self, line: &Line, command: &Command) -> Result<Arc<Term>, Vec<Event>> {
        if line.argument().is_empty() {
            return Err(self.misused("of what?", command));
        }
        self.argument(line)
    }

    /// The argument of a command that wants a path: one as the command line takes it, from a name of the session; else an
    /// expression.
    pub(super) fn wanted_path(&mut self, line: &Line, command: &Command) -> Result<Arc<Term>, Vec<Event>> {
        match self.path(line) {
            Some(term) => Ok(term),
            None => self.wanted(line, command),
        }
    }

    /// The argument as the path that a command line takes, from a name of the session.
    fn path(&self, line: &Line) -> Option<Arc<Term>> {
        let path = Path::parse(line.argument()).ok()?;
        let [Step::Field(name), _, ..] = path.steps.as_slice() else { return None };
        self.definition(name)?;
        let source = self.add_source(&line.name(), &line.text);
        let end = line.text.trim_end().len();
        let start = end - line.argument().len();
        projection::term(&path, Span::new(source, start, end)).map(|term| self.without_it(term))
    }

    /// Answers a query about a path: reads the argument, asks, and shows the answer.
    pub(super) fn ask_of_path<A: Answer>(
        &mut self,
        line: &Line,
        command: &Command,
        ask: impl FnOnce(&mut Session, Arc<Term>) -> Result<A, Problem>,
    ) -> Vec<Event> {
        let term = match self.wanted_path(line, command) {
            Ok(term) => term,
            Err(problems) => return problems,
        };
        let events = self.stale(&term);
        let answer = ask(self, term);
        self.answer_told(line, command, events, answer)
    }

    /// Returns these events and those of an answer about a path.
    pub(super) fn answer_told<A: Answer>(
        &mut self,
        line: &Line,
        command: &Command,
        mut events: Vec<Event>,
        answer: Result<A, Problem>,
    ) -> Vec<Event> {
        if let Some(stopped) = self.stopped() {
            return stopped;
        }
        match answer {
            Ok(answer) => {
                events.extend(self.answered(&answer));
                events
            }
            Err(problem) => self.no_answer(line, command, &problem),
        }
    }

    /// What is to be said where there is no answer about a path. Of the library, which stands in no text, and of what has no
    /// place, inference says more, and in the notation of the language.
    pub(super) fn no_answer(&mut self, line: &Line, command: &Command, problem: &Problem) -> Vec<Event> {
        let placeless = Report::of(problem, self.dialect().notation()).labels.is_empty();
        if let Ok(term) = self.wanted_path(line, command)
            && (placeless || library_path(&term).is_some())
        {
            let typed = self.world.infer(&term);
            let mut events = Vec::new();
            self.typed(&typed, &mut events);
            if events.iter().any(Event::is_error) {
                return events;
            }
        }
        vec![self.diagnostic(problem)]
    }

    /// A command's argument as an expression; the diagnostics where it is none.
    pub(super) fn argument(&mut self, line: &Line) -> Result<Arc<Term>, Vec<Event>> {
        let text = line.blanked();
        // reports show the line as it was typed
        let source = self.world.add_source(&line.name(), line.text.as_str().into(), File::new(""));
        let program = self.dialect().program(source, &text, &*self.world);
        let errors: Vec<Event> = self.diagnostics(&program.problems).collect();
        if program.problems.iter().any(|p| p.severity == Severity::Error) {
            // a path that is no expression of the language: `a."b c"` in jsonnet
            let unread = program.problems.iter().any(|p| p.code().starts_with("syntax/"));
            return self.path(line).filter(|_| unread).ok_or(errors);
        }
        Ok(self.without_it(program.term))
    }

    /// A term that says `it` where it means the last result.
    fn without_it(&self, term: impl Into<Arc<Term>>) -> Arc<Term> {
        let mut term = term.into();
        let it = self.world.state.environment.borrow().it.clone();
        rename(&mut term, |used| if used == "it" { it.clone() } else { None });
        term
    }
}
