//! Passes answers to the faces. The prompt and the kernel get an event, the command line gets text for standard output;
//! all of them come from one [`Answer`].

use super::questions::Question;
use super::run::FAULT;
use super::{Event, Session};
use crate::answer::why::{Shown, WhyAnswer};
use crate::answer::{Answer, Hints, Renderer};
use crate::dialect::Dialect;
use crate::problem::Problem;
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
        self.rendering(dialect, hints, |to| match self.rich {
            true => Event::View { text: answer.text(to), rich: Box::new(answer.rich(to)) },
            false => Event::Answer(answer.text(to)),
        })
    }

    /// Returns an answer to `:why` in the language of its program, whole or with one step in full.
    pub(super) fn shown_why<'a>(&self, why: &'a WhyAnswer, step: Option<usize>) -> Shown<'a> {
        Shown { why, step, dialect: self.languages().of_rules(why.rules) }
    }

    /// Returns an answer as an event. An answer that has a fault instead of a value adds a second event, which reports the fault.
    pub(super) fn answered(&self, dialect: Dialect, answer: &dyn Answer) -> Vec<Event> {
        let event = self.shown(dialect, answer, Hints::default());
        let is_empty = matches!(&event, Event::Answer(text) | Event::View { text, .. } if text.is_empty());
        let mut events: Vec<Event> = (!is_empty).then_some(event).into_iter().collect();
        events.extend(answer.fault().map(|fault| self.diagnostic(dialect, fault)));
        events
    }
}

impl super::run::Run<'_> {
    /// Writes an answer to standard output. A value that is missing is the program's fault.
    pub(super) fn print(&mut self, answer: Result<Box<dyn Answer + '_>, Problem>, medium: Medium, hints: Hints<'_>) {
        let hints = Hints { deps: "cfg deps FILE", ..hints };
        match answer {
            Ok(answer) => {
                self.outcome.output = self.session.rendering(self.dialect, hints, |to| answer.output(medium, to));
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
    /// Returns the options that the answer mentions on the command line.
    pub(super) fn hints(&self) -> Hints<'static> {
        match self {
            Question::Steps(ask) => {
                let all = if ask.all { "" } else { "--all" };
                Hints { explain: "cfg explain FILE <path>", all, more: "--most", ..Hints::default() }
            }
            _ => Hints::default(),
        }
    }
}
