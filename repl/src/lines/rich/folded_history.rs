//! The history behind reedline's interface. An entry's number is its index, counted from the oldest.

use super::pastes::Pastes;
use crate::history::InputHistory;
use crate::lines::{Sessions, is_private};
use reedline::{
    CommandLineSearch, History, HistoryItem, HistoryItemId, HistorySessionId, ReedlineError, ReedlineErrorVariants,
    Result, SearchDirection, SearchQuery,
};

/// The history, with long inputs folded.
pub struct FoldedHistory {
    past: InputHistory,
    pastes: Pastes,
    sessions: Sessions,
}

impl FoldedHistory {
    /// Creates a history whose long entries `pastes` folds. The session knows which ones are private.
    pub fn new(past: InputHistory, pastes: Pastes, sessions: Sessions) -> FoldedHistory {
        FoldedHistory { past, pastes, sessions }
    }

    fn item(&self, index: usize, entry: &str) -> HistoryItem {
        let mut item = HistoryItem::from_command_line(self.pastes.folded(entry));
        item.id = i64::try_from(index).ok().map(HistoryItemId::new);
        item
    }
}

fn unsupported(feature: &'static str) -> ReedlineError {
    ReedlineError(ReedlineErrorVariants::HistoryFeatureUnsupported { history: "cfg's history", feature })
}

impl History for FoldedHistory {
    fn save(&mut self, item: HistoryItem) -> Result<HistoryItem> {
        let entry = self.pastes.whole(&item.command_line);
        self.past.add(&entry, is_private(&self.sessions, &entry));
        let last = self.past.entries().len().checked_sub(1);
        let id = last.and_then(|index| i64::try_from(index).ok()).map(HistoryItemId::new);
        Ok(HistoryItem { id, ..item })
    }

    fn load(&self, id: HistoryItemId) -> Result<HistoryItem> {
        let index = usize::try_from(id.0).unwrap_or(usize::MAX);
        match self.past.get(index) {
            Some(entry) => Ok(self.item(index, entry)),
            None => Err(unsupported("an entry that is not there")),
        }
    }

    fn count(&self, query: SearchQuery) -> Result<i64> {
        Ok(i64::try_from(self.search(query)?.len()).unwrap_or(i64::MAX))
    }

    fn search(&self, query: SearchQuery) -> Result<Vec<HistoryItem>> {
        let back = query.direction == SearchDirection::Backward;
        let (after, before) = if back { (query.end_id, query.start_id) } else { (query.start_id, query.end_id) };
        let place = |id: HistoryItemId| usize::try_from(id.0).unwrap_or(0);
        let from = after.map_or(0, |id| place(id) + 1);
        let to = before.map_or(self.past.entries().len(), place);
        // each entry occurs once, so the entry that the editor wants to skip is skipped by its index
        let fits = |entry: &str| match &query.filter.command_line {
            Some(CommandLineSearch::Prefix(text)) => entry.starts_with(&**text),
            Some(CommandLineSearch::Substring(text)) => entry.contains(&**text),
            Some(CommandLineSearch::Exact(text)) => entry == text,
            None => true,
        };
        let most = query.limit.and_then(|limit| usize::try_from(limit).ok()).unwrap_or(usize::MAX);
        let all = self.past.entries().enumerate().take(to).skip(from).filter(|(_, entry)| fits(entry));
        let item = |(index, entry): (usize, &std::sync::Arc<str>)| self.item(index, entry);
        Ok(if back { all.rev().take(most).map(item).collect() } else { all.take(most).map(item).collect() })
    }

    fn update(&mut self, _: HistoryItemId, _: &dyn Fn(HistoryItem) -> HistoryItem) -> Result<()> {
        Err(unsupported("changing an entry"))
    }

    fn clear(&mut self) -> Result<()> {
        Err(unsupported("forgetting everything"))
    }

    fn delete(&mut self, _: HistoryItemId) -> Result<()> {
        Err(unsupported("forgetting an entry"))
    }

    fn sync(&mut self) -> std::io::Result<()> {
        Ok(())
    }

    fn session(&self) -> Option<HistorySessionId> {
        None
    }
}
