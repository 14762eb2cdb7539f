//! Passes answers to the faces. The prompt and the kernel get an event, the command line gets text for standard output;
//! all of them come from one [`Answer`].

use super::questions::Question;
use super::run::FAULT;
use super::{Event, Session};
use crate::answer::steps::text::Page;
use crate::answer::{Answer, Hints, Renderer};
use crate::dialect::Dialect;
use crate::problem::{Problem, Severity};
use crate::session::request::Input;
use crate::styled::Styled;
use crate::text::shell_argument;
use crate::view::Medium;

impl Session {
    /// Calls a function with the renderer for a language and the session's page.
    pub(super) fn rendering<T>(&self, dialect: Dialect, hints: Hints<'_>, work: impl FnOnce(&Renderer<'_>) -> T) -> T {
        let sources = self.world.sources.borrow();
        work(&Renderer { dialect, sources: &sources, page: self.page_width(), hints })
    }

    /// Returns an answer as an event, with the forms for a notebook if the face asked for them.
    pub(super) fn shown(&self, dialect: Dialect, answer: &dyn Answer, hints: Hints<'_>) -> Event {
        let hints = Hints { deps: ":deps", ..hints };
        self.rendering(dialect, hints, |to| {
            if let Some(note) = answer.note(to) {
                return Event::Answer(note);
            }
            let rich = self.rich.then(|| Box::new(answer.rich(to)));
            match (answer.pages(to), rich) {
                (Some((pages, footer)), rich) => Event::Steps { pages, footer, rich },
                (None, Some(rich)) => Event::View { text: answer.text(to), rich },
                (None, None) => Event::Answer(answer.text(to)),
            }
        })
    }

    /// Returns an answer as events: the type problems of its subject, the answer, and the fault that it has instead of a
    /// value.
    pub(super) fn answered(&self, dialect: Dialect, answer: &dyn Answer, hints: Hints<'_>) -> Vec<Event> {
        let mut events: Vec<Event> = self.own_problems(dialect, answer.problems()).collect();
        if let Some(value) = answer.value() {
            self.typed_beside(dialect, &value.typed, &value.datum, &mut events);
            self.show(dialect, self.next_number(), &value.datum, &value.typed, &mut events);
        } else {
            let event = self.shown(dialect, answer, hints);
            let is_empty = matches!(&event, Event::Answer(text) | Event::View { text, .. } if text.is_empty());
            events.extend((!is_empty).then_some(event));
        }
        events.extend(answer.fault().map(|fault| self.diagnostic(dialect, fault)));
        events
    }

    /// Renders the pages and the foot of the last input's [`Event::Steps`] again for the current page width. `None` if
    /// the last input was not `:steps`. Nothing is evaluated. O(rows).
    pub fn steps_again(&self) -> Option<(Vec<Page>, Styled)> {
        let (dialect, answer, hints) = self.last_steps.as_ref()?;
        self.query(|session| session.rendering(*dialect, *hints, |to| answer.pages(to)))
    }
}

impl super::run::Run<'_> {
    /// Writes an answer to standard output. A value that is missing is the program's fault.
    pub(super) fn print(&mut self, answer: Result<Box<dyn Answer + '_>, Problem>, medium: Medium, hints: Hints<'_>) {
        let page = self.session.page_width();
        self.print_on(page, answer, medium, hints);
    }

    /// Returns the command that explains a field of the request's program, with `<path>` for the field. `None` if the program
    /// is not in files.
    fn explain_command(&self) -> Option<String> {
        let request = self.session.request.as_ref()?;
        if request.inputs.iter().any(|input| matches!(input, Input::Text { .. })) {
            return None;
        }
        let files: Vec<String> = request.inputs.iter().map(|input| shell_argument(&input.name())).collect();
        let files = files.join(" ");
        Some(match request.inputs.len() {
            1 => format!("cfg explain {files} <path>"),
            _ => {
                let layers = if request.layers() { " --layers" } else { "" };
                format!("cfg merge{layers} {files} --at <path> --explain")
            }
        })
    }

    /// Returns the command for the dependencies of a field of the request's program, without the field. `None` for a merge,
    /// which the command does not take.
    fn deps_command(&self) -> Option<String> {
        let request = self.session.request.as_ref()?;
        let [input] = request.inputs.as_slice() else { return None };
        match input {
            // the text of an expression may be long, or contain a secret
            Input::Text { .. } => None,
            input => Some(format!("cfg deps {}", shell_argument(&input.name()))),
        }
    }

    /// Writes an answer to standard output, laid out to a page of this width. See [`Run::print`](super::run::Run::print).
    pub(super) fn print_on(
        &mut self,
        page: Option<usize>,
        answer: Result<Box<dyn Answer + '_>, Problem>,
        medium: Medium,
        hints: Hints<'_>,
    ) {
        let deps = self.deps_command();
        let explain = self.explain_command().filter(|_| !hints.explain.is_empty());
        let explain = explain.as_deref().unwrap_or(hints.explain);
        let hints = Hints { deps: deps.as_deref().unwrap_or(""), explain, json: "--format json", ..hints };
        match answer {
            Ok(answer) => {
                answer.problems().iter().for_each(|problem| self.report(problem));
                let output = |to: &Renderer<'_>| {
                    let note = answer.note(to).filter(|_| medium != Medium::Text);
                    let reports = Vec::from_iter(note.map(|note| (Severity::Note, note)));
                    let output = if reports.is_empty() {
                        answer.output(medium, &Renderer { page, ..*to })
                    } else {
                        Styled::new()
                    };
                    (output, reports)
                };
                let (output, reports) = self.session.rendering(self.dialect, hints, output);
                self.outcome.output = output;
                self.outcome.reports.extend(reports);
                if answer.has_faults() {
                    self.outcome.exit = self.outcome.exit.max(FAULT);
                }
                if let Some(fault) = answer.fault() {
                    self.fail(fault);
                }
            }
            Err(problem) => self.fail(&problem),
        }
    }
}

impl Question {
    /// Returns the commands that the answer mentions at the prompt.
    pub(super) fn hints_of_prompt(&self) -> Hints<'static> {
        match self {
            Question::Steps(_) => Hints { explain: ":explain <path>", diff: ":diff", ..Hints::default() },
            Question::Why(_) => Hints {
                step: ":why",
                no_error: "no type error in the last input: `:why PATH` says why something has its type, \
                           `:explain PATH` where its value comes from",
                ..Hints::default()
            },
            _ => Hints::default(),
        }
    }

    /// Returns the options that the answer mentions on the command line.
    pub(super) fn hints(&self) -> Hints<'static> {
        match self {
            Question::Steps(ask) => {
                let all = if ask.all { "" } else { "--all" };
                Hints { explain: "cfg explain FILE <path>", all, more: "--most", ..Hints::default() }
            }
            Question::Why(_) => Hints {
                step: "--step",
                no_error: "no type error: name a field to ask why it has its type",
                ..Hints::default()
            },
            _ => Hints::default(),
        }
    }
}
