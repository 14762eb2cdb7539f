//! Removes secrets from what a session says. Values and excerpts mask themselves; this covers messages, types and
//! completions that quote a literal, and the inputs that `:history` lists and `:save` writes.

use super::run::Run;
use super::{Event, Session};
use crate::answer::complete::Candidate;
use crate::answer::steps::text::Page;
use crate::dialect::Dialect;
use crate::state::input::without_command;
use crate::styled::Styled;
use crate::text::Sources;
use crate::view::rich::Rich;
use serde_json::Value;
use std::borrow::Cow;
use std::path::Path;

impl Session {
    /// Shows secrets instead of masks. Call it before the first input.
    pub fn reveal_secrets(&mut self) {
        self.workspace.machine.reveal(true);
        self.world.secrets.borrow_mut().revealed = true;
    }

    /// Removes secrets from events.
    pub(super) fn without_secrets(&self, mut events: Vec<Event>) -> Vec<Event> {
        let sources = self.world.sources.borrow();
        if !sources.has_secrets() {
            return events;
        }
        for event in &mut events {
            match event {
                // the value has masked itself, and what it shows is data
                Event::Value { ty, rich, .. } => {
                    styled(ty, &sources);
                    rich.iter_mut().for_each(|own| rich_form(own, &sources));
                }
                Event::Bound(text) | Event::Answer(text) => styled(text, &sources),
                Event::View { text, rich: own } => {
                    styled(text, &sources);
                    rich_form(own, &sources);
                }
                Event::Steps { pages, footer, rich } => {
                    pages.iter_mut().flat_map(Page::texts).for_each(|text| styled(text, &sources));
                    styled(footer, &sources);
                    rich.iter_mut().for_each(|own| rich_form(own, &sources));
                }
                Event::Diagnostic { report, rich, .. } => {
                    styled(report, &sources);
                    rich.iter_mut().for_each(|own| rich_form(own, &sources));
                }
                Event::Output(_) | Event::Quit => {}
            }
        }
        events
    }

    /// Removes completions that are secrets.
    pub(super) fn without_secret_candidates(&self, mut candidates: Vec<Candidate>) -> Vec<Candidate> {
        let sources = self.world.sources.borrow();
        if sources.has_secrets() {
            candidates.retain(|candidate| sources.without_secrets(&candidate.text).is_none());
            for text in candidates.iter_mut().flat_map(|candidate| [&mut candidate.ty, &mut candidate.doc]) {
                if let Some(masked) = text.as_deref().and_then(|text| sources.without_secrets(text)) {
                    *text = Some(masked);
                }
            }
        }
        candidates
    }

    /// Returns an input of one or more lines as it may be stored and shown: its secret literals are masks.
    pub fn input_without_secrets(&self, text: &str) -> String {
        self.shown_input(self.dialect(), text).into_owned()
    }

    /// Returns an input as it is shown: its secret literals are masks.
    pub(super) fn shown_input<'t>(&self, dialect: Dialect, text: &'t str) -> Cow<'t, str> {
        let known = self.world.sources.borrow().has_secrets();
        if !known || self.workspace.machine.reveals() {
            return Cow::Borrowed(text);
        }
        let source = self.world.add_source("<history>", text.into(), Path::new(""));
        let (language, input) = self.language_line(text).unwrap_or((dialect, String::from(text)));
        language.cell(source, &without_command(&input), self.workspace.names());
        let sources = self.world.sources.borrow();
        match sources.get(source) {
            Some(own) if own.has_secrets() => Cow::Owned(own.shown_text().into_owned()),
            _ => Cow::Borrowed(text),
        }
    }
}

impl Run<'_> {
    /// Removes secrets from the reports and from the answer. With `is_data`, the output is a value, which is masked already.
    pub(super) fn mask(&mut self, is_data: bool) {
        let sources = self.session.world.sources.borrow();
        if !sources.has_secrets() {
            return;
        }
        self.outcome.reports.iter_mut().for_each(|(_, report)| styled(report, &sources));
        if !is_data {
            styled(&mut self.outcome.output, &sources);
        }
    }
}

fn styled(text: &mut Styled, sources: &Sources) {
    text.change_runs(|run| sources.without_secrets(run));
}

fn rich_form(rich: &mut Rich, sources: &Sources) {
    if let Some(masked) = sources.without_secrets(&rich.html) {
        rich.html = masked;
    }
    if let Some(masked) = rich.svg.as_deref().and_then(|svg| sources.without_secrets(svg)) {
        rich.svg = Some(masked);
    }
    let mut work = vec![&mut rich.json];
    while let Some(value) = work.pop() {
        match value {
            Value::String(text) => {
                if let Some(masked) = sources.without_secrets(text) {
                    *text = masked;
                }
            }
            Value::Array(items) => work.extend(items),
            Value::Object(fields) => work.extend(fields.values_mut()),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
}
