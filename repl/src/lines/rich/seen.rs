//! The line as it was drawn last: what keys and the validator know of it. Keys that come in one go are all handled before
//! the line is drawn again, so only the first of them knows.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What was drawn last.
#[derive(Clone, Default)]
pub struct Seen(Arc<Mutex<Drawn>>);

#[derive(Default)]
struct Drawn {
    line: String,
    cursor: usize,
    /// No key came since.
    fresh: bool,
    /// It is a search through the history.
    searching: bool,
    /// The input is whole and goes away.
    over: bool,
}

/// What stands before the cursor.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Before {
    /// The line of the input up to the cursor.
    pub line: String,
    /// Whether it is the first one.
    pub first: bool,
    /// Everything up to the cursor.
    pub all: String,
}

impl Seen {
    fn lock(&self) -> MutexGuard<'_, Drawn> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// An input begins.
    pub fn begin(&self) {
        *self.lock() = Drawn::default();
    }

    /// The input is whole: it is drawn once more, as it stays.
    pub fn end(&self) {
        self.lock().over = true;
    }

    /// Whether the line is drawn for the last time.
    pub fn is_over(&self) -> bool {
        self.lock().over
    }

    /// The line is drawn.
    pub fn drawn(&self, line: &str, cursor: usize) {
        let mut drawn = self.lock();
        if drawn.line != line {
            drawn.line.clear();
            drawn.line.push_str(line);
        }
        (drawn.cursor, drawn.fresh, drawn.searching) = (cursor, true, false);
    }

    /// A search through the history is drawn.
    pub fn searched(&self) {
        let mut drawn = self.lock();
        (drawn.fresh, drawn.searching) = (false, true);
    }

    /// Whether what is on the screen is a search through the history.
    pub fn is_searching(&self) -> bool {
        self.lock().searching
    }

    /// A key comes: what stands before the cursor, if it is known.
    pub fn key(&self) -> Option<Before> {
        let mut drawn = self.lock();
        if !std::mem::take(&mut drawn.fresh) {
            return None;
        }
        let all = drawn.line.get(..drawn.cursor)?;
        let line = all.rsplit('\n').next().unwrap_or_default();
        Some(Before { line: line.into(), first: line.len() == all.len(), all: all.into() })
    }

    /// What stands before the cursor in this line, if the cursor is known and in the middle.
    pub fn before<'l>(&self, line: &'l str) -> Option<&'l str> {
        let drawn = self.lock();
        if drawn.line == line && drawn.cursor < line.len() { line.get(..drawn.cursor) } else { None }
    }
}
