//! Masks secrets in the output of a session. Evaluation masks values, and reports mask excerpts; this module masks
//! messages, types and completions that quote a literal, and the inputs that `:history` lists and `:save` writes.

use super::run::Run;
use super::{Event, Session};
use crate::answer::complete::Candidate;
use crate::answer::steps::text::Page;
use crate::dialect::Dialect;
use crate::state::input::without_command;
use crate::styled::Styled;
use crate::text::{MASK, Sources};
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

    /// Masks secrets in events.
    pub(super) fn mask_events(&self, mut events: Vec<Event>) -> Vec<Event> {
        let sources = self.world.sources.borrow();
        if !sources.has_secrets() {
            return events;
        }
        for event in &mut events {
            match event {
                // the value is masked already, and its other parts are data, which may equal a secret by chance
                Event::Value { ty, rich, .. } => {
                    mask_styled(ty, &sources);
                    rich.iter_mut().for_each(|rich| mask_rich(rich, &sources));
                }
                Event::Bound(text) | Event::Answer(text) => mask_styled(text, &sources),
                Event::View { text, rich } => {
                    mask_styled(text, &sources);
                    mask_rich(rich, &sources);
                }
                Event::Steps { pages, footer, rich } => {
                    pages.iter_mut().flat_map(Page::texts).for_each(|text| mask_styled(text, &sources));
                    mask_styled(footer, &sources);
                    rich.iter_mut().for_each(|rich| mask_rich(rich, &sources));
                }
                Event::Diagnostic { report, rich, .. } => {
                    mask_styled(report, &sources);
                    rich.iter_mut().for_each(|rich| mask_rich(rich, &sources));
                }
                Event::Output(_) | Event::Quit => {}
            }
        }
        events
    }

    /// Removes completions that contain a secret, and masks secrets in the types and documentation of the others.
    pub(super) fn mask_candidates(&self, mut candidates: Vec<Candidate>) -> Vec<Candidate> {
        let sources = self.world.sources.borrow();
        if sources.has_secrets() {
            candidates.retain(|candidate| sources.masked(&candidate.text).is_none());
            for text in candidates.iter_mut().flat_map(|candidate| [&mut candidate.ty, &mut candidate.doc]) {
                if let Some(masked) = text.as_deref().and_then(|text| sources.masked(text)) {
                    *text = Some(masked);
                }
            }
        }
        candidates
    }

    pub(super) fn masked_input_here(&self, text: &str) -> String {
        let shown = self.masked_input_in(self.dialect(), text).into_owned();
        self.workspace.without_secrets(shown)
    }

    /// Returns an input in a language as it is shown: with its secret literals masked. Once the session has secrets,
    /// each call parses the input and adds it to the texts of the session.
    pub(super) fn masked_input_in<'t>(&self, dialect: Dialect, text: &'t str) -> Cow<'t, str> {
        let has_secrets = self.world.sources.borrow().has_secrets() || text.contains("secret");
        if !has_secrets || self.workspace.machine.reveals() {
            return Cow::Borrowed(text);
        }
        if let Some(value) = variable(text).filter(|(name, _)| self.world.is_secret_name(name)).map(|(_, at)| at) {
            return Cow::Owned(format!("{}{MASK}", text.get(..value).unwrap_or_default()));
        }
        let source = self.world.add_source("<history>", text.into(), Path::new(""));
        let (language, input) = self.language_line(text).unwrap_or((dialect, String::from(text)));
        // parses the input only to mark the ranges of its secrets in `source`
        language.cell(source, &without_command(&input), self.workspace.names());
        let sources = self.world.sources.borrow();
        match sources.get(source) {
            Some(text_with_ranges) if text_with_ranges.has_secrets() => {
                Cow::Owned(text_with_ranges.shown_text().into_owned())
            }
            _ => Cow::Borrowed(text),
        }
    }
}

/// Returns the name of the external variable that a command sets, `:feed NAME VALUE` or `:set ext-str NAME=VALUE`, and the place of its value.
fn variable(text: &str) -> Option<(&str, usize)> {
    let line = text.trim_start();
    let (command, rest) = line.strip_prefix(':')?.split_once(char::is_whitespace)?;
    let rest = rest.trim_start();
    let (name, value) = match command {
        "feed" => rest.split_once(char::is_whitespace)?,
        _ => {
            let (option, rest) = rest.split_once([' ', '='])?;
            let is_variable = option.starts_with("ext-") || option.starts_with("tla-");
            is_variable.then(|| rest.trim_start_matches([' ', '=']).split_once('='))??
        }
    };
    Some((name.trim(), text.len() - value.trim_start().len()))
}

impl Run<'_> {
    /// Masks secrets in the reports and in the answer. If `is_data`, the output is a value, which is masked already
    /// and left alone.
    pub(super) fn mask(&mut self, is_data: bool) {
        let sources = self.session.world.sources.borrow();
        if !sources.has_secrets() {
            return;
        }
        self.outcome.reports.iter_mut().for_each(|(_, report)| mask_styled(report, &sources));
        if !is_data {
            mask_styled(&mut self.outcome.output, &sources);
        }
    }
}

fn mask_styled(text: &mut Styled, sources: &Sources) {
    text.change_runs(|run| sources.masked(run));
}

fn mask_rich(rich: &mut Rich, sources: &Sources) {
    if let Some(masked) = sources.masked(&rich.html) {
        rich.html = masked;
    }
    if let Some(masked) = rich.svg.as_deref().and_then(|svg| sources.masked(svg)) {
        rich.svg = Some(masked);
    }
    let mut work = vec![&mut rich.json];
    while let Some(value) = work.pop() {
        match value {
            Value::String(text) => {
                // a string of JSON is a quoted text
                if sources.is_secret_content(text) {
                    *text = String::from(MASK);
                } else if let Some(masked) = sources.masked(text) {
                    *text = masked;
                }
            }
            Value::Array(items) => work.extend(items),
            Value::Object(fields) => work.extend(fields.values_mut()),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
}
