//! The argument of a command: an expression in the language of the input, or a path.

use super::{Argument, Command, find, word};
use crate::answer::query::library_path;
use crate::answer::resources::ResourcePath;
use crate::answer::shared::projection;
use crate::answer::{Answer, Hints};
use crate::dialect::Dialect;
use crate::problem::report::Report;
use crate::problem::session::SessionKind;
use crate::problem::{Problem, ProblemKind, Severity};
use crate::session::questions::{Question, Subject};
use crate::session::{Event, ExplainedField, Session};
use crate::state::environment::rename;
use crate::term::Term;
use crate::text::path::{FieldPath, Step};
use crate::text::{Name, Span, near};
use crate::ty::Ty;
use std::sync::Arc;

/// Operators of languages that are words.
const OPERATORS: [&str; 8] = ["in", "and", "or", "not", "is", "if", "then", "else"];

/// A line with a command.
#[derive(Clone)]
pub struct Line {
    /// The language of the argument and of the answer.
    pub(in crate::session) dialect: Dialect,
    /// The whole line.
    pub(in crate::session) text: String,
    /// The byte where the argument begins.
    pub(in crate::session) at: usize,
}

impl Line {
    /// Returns the argument, without spaces around it.
    pub(in crate::session) fn argument(&self) -> &str {
        self.text[self.at..].trim()
    }

    /// Returns the whole line with everything but the argument replaced by spaces, so that positions stay the same.
    pub(in crate::session) fn blanked(&self) -> String {
        let mut out: String = self.text[..self.at].chars().map(|c| if c == '\n' { '\n' } else { ' ' }).collect();
        // a character of several bytes became one space: add spaces up to the same number of bytes
        out.extend(std::iter::repeat_n(' ', self.at - out.len()));
        out + &self.text[self.at..]
    }

    /// Returns the line without the word at the beginning of its argument. `None` if the argument begins differently.
    pub(super) fn without_word(&self, word: &str) -> Option<Line> {
        let rest = self.argument().strip_prefix(word)?;
        let ends = rest.is_empty() || rest.starts_with(char::is_whitespace);
        let at = self.text.trim_end().len() - rest.trim().len();
        ends.then(|| Line { at, ..self.clone() })
    }

    /// Returns its name in reports: the name of the command.
    pub(in crate::session) fn name(&self) -> String {
        match find(&self.text[word(&self.text).unwrap_or_default()]) {
            Ok(command) => format!(":{}", command.name),
            Err(_) => String::from("<expression>"),
        }
    }
}

/// Parses a text as an expression of the session's language. Fails with the diagnostics.
pub(in crate::session) fn expression(session: &mut Session, text: &str) -> Result<Arc<Term>, Vec<Event>> {
    session.argument(&Line { dialect: session.dialect(), text: String::from(text), at: 0 })
}

impl Session {
    /// Returns the argument of a command that needs an expression. Fails with the events to show.
    pub(super) fn wanted(&mut self, line: &Line, command: &Command) -> Result<Arc<Term>, Vec<Event>> {
        if line.argument().is_empty() {
            let what = if command.argument == Argument::Path { "a path or an expression" } else { "an expression" };
            return Err(self.misused(line.dialect, &format!("`:{}` needs {what}", command.name), command));
        }
        self.argument(line)
    }

    /// Returns the argument of a command that needs a path. The argument is a path from a name of the session, as on
    /// the command line, or else an expression.
    pub(super) fn wanted_path(&mut self, line: &Line, command: &Command) -> Result<Arc<Term>, Vec<Event>> {
        if let Some(term) = self.path(line) {
            return Ok(term);
        }
        if let Some(unknown) = self.unknown_option(line, command) {
            return Err(unknown);
        }
        if let Some(surplus) = self.surplus(line, command) {
            return Err(surplus);
        }
        match self.resource_path(line) {
            Some(Ok(term)) => Ok(term),
            Some(Err(missing)) => Err(vec![self.met(line.dialect, missing)]),
            None => self.wanted(line, command),
        }
    }

    /// Reports an option that a command does not have, at either end of its argument: `:deps --usedby x`.
    fn unknown_option(&self, line: &Line, command: &Command) -> Option<Vec<Event>> {
        let words: Vec<&str> = line.argument().split_whitespace().collect();
        let is_option =
            |word: &&&str| word.strip_prefix("--").is_some_and(|name| name.starts_with(char::is_alphabetic));
        let option = words.first().filter(is_option).or(words.last().filter(is_option))?;
        let known: Vec<&str> =
            command.usage.split([' ', '[', ']', '|']).filter(|word| word.starts_with("--")).collect();
        let near = near(option, known.iter().copied());
        let known = near.first().map(|near| near.as_str()).or(known.first().copied().filter(|_| known.len() == 1));
        let others = words.iter().filter(|word| *word != option).copied();
        let meant = known.map(|known| std::iter::once(known).chain(others).collect::<Vec<_>>().join(" "));
        let why = format!("`:{}` has no option `{option}`", command.name);
        Some(self.misused_for(line.dialect, &why, command, meant.map(|meant| format!(":{} {meant}", command.name))))
    }

    /// Reports the words after a path, if the value there cannot be a function: `:explain x.a extra`. `None` if the argument may
    /// be an expression.
    fn surplus(&mut self, line: &Line, command: &Command) -> Option<Vec<Event>> {
        let argument = line.argument();
        let (first, rest) = argument.split_once(char::is_whitespace)?;
        let is_name = |word: &str| {
            let begins = word.starts_with(|c: char| c.is_alphabetic() || c == '_');
            begins && !OPERATORS.contains(&word) && FieldPath::parse(word).is_ok()
        };
        if !argument.split_whitespace().all(is_name) {
            return None;
        }
        let path = FieldPath::parse(first).ok()?;
        let [Step::Field(name), ..] = path.steps.as_slice() else { return None };
        self.workspace.definition(name)?;
        let end = line.text.trim_end().len() - rest.len();
        let short = Line { text: String::from(line.text.get(..end)?.trim_end()), ..line.clone() };
        let term = self.path(&short).or_else(|| self.read_argument(&short).ok())?;
        let typed = self.world.infer(&term);
        let is_plain = matches!(
            &*typed.scheme.ty,
            Ty::Null
                | Ty::Bool
                | Ty::Number
                | Ty::Int
                | Ty::Float
                | Ty::String
                | Ty::Enum(..)
                | Ty::Array(_)
                | Ty::Record(_)
        );
        if !is_plain || !typed.problems.is_empty() {
            return None;
        }
        let why = format!("`:{}` takes one path: `{}` is too much", command.name, rest.trim());
        // `base port` for `base.port`
        let joined = argument.split_whitespace().collect::<Vec<_>>().join(".");
        let whole = Line { text: format!(":{} {joined}", command.name), at: command.name.len() + 1, ..line.clone() };
        let exists = |session: &mut Session| {
            let term = session.path(&whole)?;
            session.world.infer(&term).problems.is_empty().then_some(())
        };
        let meant = if exists(self).is_some() { joined } else { String::from(first) };
        Some(self.misused_for(line.dialect, &why, command, Some(format!(":{} {meant}", command.name))))
    }

    /// Parses the argument as a path from a name of the session, as on the command line.
    fn path(&self, line: &Line) -> Option<Arc<Term>> {
        let path = FieldPath::parse(line.argument()).ok()?;
        let [Step::Field(name), _, ..] = path.steps.as_slice() else { return None };
        self.workspace.definition(name)?;
        let source = self.world.add_input(&line.name(), &line.text, line.dialect);
        let end = line.text.trim_end().len();
        let start = end - line.argument().len();
        projection::term(&path, Span::new(source, start, end)).map(|term| self.without_it(term))
    }

    /// Parses the argument as a path into the resources of a result: `file[/tmp/x].content`. The newest result that has the
    /// resource is meant. Fails if no result has it.
    fn resource_path(&mut self, line: &Line) -> Option<Result<Arc<Term>, SessionKind>> {
        let source = self.world.add_input(&line.name(), &line.text, line.dialect);
        let end = line.text.trim_end().len();
        let span = Span::new(source, end - line.argument().len(), end);
        let results = self.world.state.environment.borrow().results_where(|rules| rules.makes_resources());
        let mut missing: Option<(Name, Vec<Name>)> = None;
        for result in results {
            if self.world.interrupt.is_raised() {
                return None;
            }
            let Some(root) = self.workspace.value_of(&result) else { continue };
            match crate::answer::resources::path_of(&mut self.workspace, &root, line.argument()) {
                Some(ResourcePath::Found(mut path)) => {
                    path.steps.insert(0, Step::Field(result));
                    return projection::term(&path, span).map(|term| Ok(self.without_it(term)));
                }
                Some(ResourcePath::Missing(label, near)) => {
                    let (_, all) = missing.get_or_insert_with(|| (label, Vec::new()));
                    all.extend(near.into_iter().filter(|name| !all.contains(name)).collect::<Vec<_>>());
                }
                None => {}
            }
        }
        // in another language, the text may be an expression
        let (label, near) = missing.filter(|_| line.dialect.rules().makes_resources())?;
        Some(Err(SessionKind::NoResource { label, near }))
    }

    /// Asks a question about the argument of a command. Returns the events of the answer; if there is none, only those of
    /// the problem.
    pub(in crate::session) fn inquire(&mut self, line: &Line, command: &Command, question: &Question) -> Vec<Event> {
        let subject = match command.argument {
            Argument::Path => self.wanted_path(line, command),
            _ => self.wanted(line, command),
        };
        let term = match subject {
            Ok(term) => term,
            Err(problems) => return problems,
        };
        self.asked(line, command, question, Subject::Expression(term, line.argument()))
    }

    /// Asks a question about the argument of a command, which need not be a valid expression.
    pub(super) fn inquire_text(&mut self, line: &Line, command: &Command, question: &Question) -> Vec<Event> {
        if line.argument().is_empty() {
            return self.misused(line.dialect, &format!("`:{}` needs an expression", command.name), command);
        }
        self.asked(line, command, question, Subject::Text(line))
    }

    /// Asks a question about a subject that was read from the argument of a command. See [`Session::inquire`].
    pub(super) fn asked(
        &mut self,
        line: &Line,
        command: &Command,
        question: &Question,
        subject: Subject<'_>,
    ) -> Vec<Event> {
        let mut events = match &subject {
            Subject::Expression(term, _) if question.is_about_value() => self.stale(line.dialect, term),
            _ => Vec::new(),
        };
        let stale = events.len();
        let is_expression = matches!(subject, Subject::Expression(..));
        let answer = self.answer(line.dialect, question, subject, &mut events);
        if let Some(stopped) = self.stopped(line.dialect) {
            events.retain(|event| matches!(event, Event::Output(_)));
            events.extend(stopped);
            return events;
        }
        match answer {
            Ok(answer) => {
                let hints = question.hints_of_prompt();
                self.remember(line, question, &*answer);
                let mut shown = self.answered(line.dialect, &*answer, hints);
                // the problems are the outcome of solving the constraints, so they come after the steps
                if matches!(question, Question::Solving) {
                    shown.extend(events.split_off(stale));
                }
                events.append(&mut shown);
                if events.iter().any(|event| matches!(event, Event::Steps { .. })) {
                    self.last_steps = Some((line.dialect, answer, hints));
                }
                events
            }
            Err(problem) if is_expression => self.no_answer(line, command, &problem),
            Err(problem) => vec![self.diagnostic(line.dialect, &problem)],
        }
    }

    /// Remembers what "what if" needs of an answer: the definitions of an explanation, or the edits.
    fn remember(&mut self, line: &Line, question: &Question, answer: &dyn Answer) {
        match question {
            Question::Explain => {
                let definitions = self.rendering(line.dialect, Hints::default(), |to| answer.definitions(to));
                let path = String::from(line.argument());
                self.last_explained = Some(ExplainedField { path, definitions });
                self.was_explain = true;
            }
            Question::WhatIf(_) => self.last_edits = answer.edits(),
            _ => {}
        }
    }

    /// Returns the events for a path that has no answer. For the library, which has no source, and for a value without
    /// a place, inference gives a better message, in the notation of the language.
    pub(super) fn no_answer(&mut self, line: &Line, command: &Command, problem: &Problem) -> Vec<Event> {
        // the question is about the value of a subject that exists: its type says nothing about the refusal
        if matches!(problem.kind, ProblemKind::Session(_)) {
            return vec![self.diagnostic(line.dialect, problem)];
        }
        let placeless = Report::of(problem, line.dialect.notation()).labels.is_empty();
        if let Ok(term) = self.wanted_path(line, command)
            && (placeless || library_path(&term).is_some() || matches!(problem.kind, ProblemKind::Types(_)))
        {
            let typed = self.world.infer(&term);
            let mut events = Vec::new();
            self.report_types(line.dialect, &typed, &mut events);
            if events.iter().any(Event::is_error) {
                return events;
            }
        }
        vec![self.diagnostic(line.dialect, problem)]
    }

    /// Parses a command's argument as an expression. Fails with the diagnostics.
    pub(super) fn argument(&mut self, line: &Line) -> Result<Arc<Term>, Vec<Event>> {
        self.read_argument(line).map_err(|problems| self.diagnostics(line.dialect, &problems).collect())
    }

    /// Parses a command's argument as an expression. Fails with the problems.
    pub(super) fn read_argument(&mut self, line: &Line) -> Result<Arc<Term>, Vec<Problem>> {
        let text = line.blanked();
        // reports show the line as it was typed
        let source = self.world.add_input(&line.name(), &line.text, line.dialect);
        let program = line.dialect.program(source, &text, &*self.world);
        if program.problems.iter().any(|p| p.severity == Severity::Error) {
            // a path that the language cannot parse as an expression, for example `a."b c"`
            let unread = program.problems.iter().any(|p| p.code().starts_with("syntax/"));
            return self.path(line).filter(|_| unread).ok_or(program.problems);
        }
        Ok(self.without_it(program.term))
    }

    /// Replaces `it` by the name of the last result. In an automatic run, of the last one before the cell.
    pub(in crate::session) fn without_it(&self, term: impl Into<Arc<Term>>) -> Arc<Term> {
        let mut term = term.into();
        let it = self.it_for(self.next_number());
        rename(&mut term, |used| if used == "it" { it.clone() } else { None });
        term
    }
}
