//! The session of a lesson: it completes and highlights the commands of the lesson too.

use super::COMMANDS;
use crate::engine::Engine;
use cfg_core::steps::Page;
use cfg_core::whatif::{ExplainedField, Tried};
use cfg_core::{Candidate, Completeness, Event, Role, Session, Styled};
use std::ops::Range;

/// A session in a lesson.
pub struct LessonEngine(pub Session);

impl Engine for LessonEngine {
    fn submit(&mut self, text: &str) -> Vec<Event> {
        self.0.submit(text)
    }
    fn free_deferred(&mut self, stop: &dyn Fn() -> bool) {
        self.0.free_deferred(stop);
    }
    fn completeness(&self, text: &str) -> Completeness {
        self.0.completeness(text)
    }
    fn inputs(&self, text: &str) -> Vec<String> {
        self.0.inputs(text)
    }
    fn is_private(&self, text: &str) -> bool {
        Engine::is_private(&self.0, text)
    }
    fn is_bound(&self, name: &str) -> bool {
        self.0.is_bound(name)
    }
    fn highlight(&self, text: &str) -> Vec<(Range<usize>, Role)> {
        match super::command(text) {
            Some(_) => vec![(0..text.len(), Role::Keyword)],
            None => self.0.highlight(text),
        }
    }
    fn mistake(&self, text: &str, cursor: usize) -> Option<Range<usize>> {
        self.0.mistake(text, cursor)
    }
    fn complete(&mut self, text: &str, cursor: usize) -> Vec<Candidate> {
        let mut all = self.0.complete(text, cursor);
        if let Some(typed) = text.get(..cursor).filter(|typed| typed.starts_with(':')) {
            for (name, purpose) in COMMANDS.iter().filter(|(name, _)| name.starts_with(typed)) {
                // the session completes the word after the colon
                let word = name.trim_start_matches(':');
                all.retain(|candidate| candidate.text != word);
                let text = String::from(word);
                let doc = Some(String::from(*purpose));
                all.push(Candidate { range: 1..cursor, text, kind: "command", ty: None, doc });
            }
        }
        all
    }
    fn hint(&mut self, text: &str, cursor: usize) -> Option<String> {
        self.0.hint(text, cursor)
    }
    fn next_cell(&self) -> String {
        self.0.next_cell()
    }
    fn option(&self, name: &str) -> Option<String> {
        self.0.option(name)
    }
    fn set_width(&mut self, columns: usize) {
        self.0.set_width(columns);
    }
    fn steps_again(&mut self, columns: usize) -> Option<(Vec<Page>, Styled)> {
        self.0.set_width(columns);
        self.0.steps_again()
    }
    fn explained_definitions(&self) -> Option<usize> {
        self.0.explained_definitions()
    }
    fn explained(&mut self, path: &str) -> Option<ExplainedField> {
        self.0.explain_again(path)
    }
    fn try_changes(&mut self, path: &str, changes: &str) -> Option<Tried> {
        Some(self.0.try_changes(path, changes))
    }
    fn check_passed(&self) -> Option<bool> {
        self.0.check_passed()
    }
}
