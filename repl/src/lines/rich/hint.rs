//! The hint after the cursor: the last input with the same beginning, or else the session's suggestion.

use super::Shared;
use crate::engine::Engine;
use crate::paint::visible;
use cfg_core::Role;
use reedline::{Hinter, History, SearchQuery};

/// The hint after the cursor.
pub struct Hint {
    shared: Shared,
    current: String,
}

impl Hint {
    /// Creates a source of hints from the history, which the editor passes in, and from the session.
    pub fn new(shared: Shared) -> Self {
        Hint { shared, current: String::new() }
    }

    fn find(&self, line: &str, cursor: usize, history: &dyn History) -> Option<String> {
        if line.trim().is_empty() || cursor != line.len() || self.shared.seen.is_over() {
            return None;
        }
        let query = SearchQuery::last_with_prefix(line.to_string(), history.session());
        let last = history.search(query).ok()?.into_iter().next();
        let rest = last.and_then(|entry| entry.command_line.get(line.len()..).map(str::to_string));
        let fits = |hint: &String| !hint.is_empty() && !hint.contains('\n');
        if let Some(rest) = rest.filter(fits) {
            return Some(rest);
        }
        if !self.shared.pastes.labels(line).is_empty() {
            return None;
        }
        let text = line.to_string();
        let ask = move |engine: &mut Box<dyn Engine>| engine.hint(&text, cursor);
        self.shared.sessions.ask_within(super::super::PATIENCE, &*self.shared.interrupt_slow, ask)?.filter(fits)
    }
}

impl Hinter for Hint {
    fn handle(&mut self, line: &str, cursor: usize, history: &dyn History, colour: bool, _: &str) -> String {
        // Without colours, the hint would look like typed text.
        self.current = if colour { self.find(line, cursor, history).unwrap_or_default() } else { String::new() };
        let shown = visible(&self.current);
        if shown.is_empty() {
            return String::new();
        }
        let style = self.shared.paint().style(Role::Dim);
        style.paint(shown).to_string()
    }

    fn complete_hint(&self) -> String {
        self.current.clone()
    }

    fn next_hint_token(&self) -> String {
        let start = self.current.len() - self.current.trim_start().len();
        let word = |c: char| !(c.is_alphanumeric() || c == '_');
        let rest = self.current.get(start..).unwrap_or_default();
        let end = match rest.find(word) {
            Some(0) => rest.chars().next().map_or(0, char::len_utf8),
            Some(n) => n,
            None => rest.len(),
        };
        self.current.get(..start + end).unwrap_or_default().to_string()
    }
}
