//! Folds long pastes in the line. Every key redraws the line, and a megabyte of text would make that too slow and hide
//! everything else.

use crate::show::size;
use std::borrow::Cow;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Texts with more bytes or lines are folded.
const LONG: usize = 16 << 10;
const MANY_LINES: usize = 400;

/// The folded texts and their labels. All parts of the editor share it.
#[derive(Clone, Default)]
pub struct Pastes(Arc<Mutex<Vec<Folded>>>);

/// A label and the text it replaces.
type Folded = (String, Arc<str>);

impl Pastes {
    fn lock(&self) -> MutexGuard<'_, Vec<Folded>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Replaces long text by a label. The same text always has the same label.
    pub fn folded(&self, text: &str) -> String {
        if is_short(text) {
            return String::from(text);
        }
        let mut all = self.lock();
        let known = all.iter().fold(String::from(text), |text, (label, known)| text.replace(&**known, label));
        if is_short(&known) {
            return known;
        }
        let lines = text.lines().count();
        let label = format!("⟦text {}: {lines} lines, {}⟧", all.len() + 1, size(text.len()));
        all.push((label.clone(), Arc::from(text)));
        label
    }

    /// Returns the line with every label replaced by its text.
    pub fn whole<'l>(&self, line: &'l str) -> Cow<'l, str> {
        let found = self.found(line);
        if found.is_empty() {
            return Cow::Borrowed(line);
        }
        let mut out = String::new();
        let mut at = 0;
        for (label, text) in found {
            out.push_str(line.get(at..label.start).unwrap_or_default());
            out.push_str(&text);
            at = label.end;
        }
        Cow::Owned(out + line.get(at..).unwrap_or_default())
    }

    /// Returns the ranges of the labels in a line, in order.
    pub fn labels(&self, line: &str) -> Vec<Range<usize>> {
        self.found(line).into_iter().map(|(label, _)| label).collect()
    }

    fn found(&self, line: &str) -> Vec<(Range<usize>, Arc<str>)> {
        if !line.contains('⟦') {
            return Vec::new();
        }
        let all = self.lock();
        let starts = line.match_indices('⟦').map(|(at, _)| at);
        let label = |at: usize| {
            let rest = line.get(at..)?;
            let (label, text) = all.iter().find(|(label, _)| rest.starts_with(&**label))?;
            Some((at..at + label.len(), text.clone()))
        };
        starts.filter_map(label).collect()
    }

    /// Converts an offset in the line into an offset in the unfolded text.
    pub fn place(&self, line: &str, at: usize) -> usize {
        let mut place = at;
        for (label, text) in self.found(line) {
            if label.end <= at {
                place = place + text.len() - label.len();
            }
        }
        place
    }
}

fn is_short(text: &str) -> bool {
    text.len() <= LONG && text.bytes().filter(|b| *b == b'\n').count() < MANY_LINES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_folded_and_unfolded_without_loss() {
        let pastes = Pastes::default();
        let long = "x = 1\n".repeat(1000);
        let label = pastes.folded(&long);
        assert_eq!(label, "⟦text 1: 1000 lines, 5 KB⟧");
        assert_eq!((pastes.folded(&long), pastes.folded("short")), (label.clone(), "short".into()));
        assert_eq!(pastes.folded(&format!("f {long}")), format!("f {label}"));
        let line = format!("a {label} b ⟦text 2⟧ {label}");
        assert_eq!(pastes.whole(&line), format!("a {long} b ⟦text 2⟧ {long}"));
        assert_eq!(pastes.labels(&line)[0], 2..2 + label.len());
        assert_eq!((pastes.place(&line, 1), pastes.place(&line, 2 + label.len())), (1, 2 + long.len()));
    }
}
