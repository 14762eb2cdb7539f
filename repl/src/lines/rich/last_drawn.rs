//! The line as it was last drawn, for the key bindings and the validator. A batch of keys is handled before the line
//! is drawn again, so only its first key sees the current line.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A handle on the line that was last drawn.
#[derive(Clone, Default)]
pub struct LastDrawn(Arc<Mutex<Drawn>>);

#[derive(Default)]
struct Drawn {
    line: String,
    cursor: usize,
    /// No key has arrived since.
    fresh: bool,
    /// It is a history search.
    searching: bool,
    /// The input is complete.
    over: bool,
}

/// The text before the cursor.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TextBeforeCursor {
    /// The current line of the input up to the cursor.
    pub line: String,
    /// Whether it is the input's first line.
    pub first: bool,
    /// All the text up to the cursor.
    pub all: String,
}

impl LastDrawn {
    fn lock(&self) -> MutexGuard<'_, Drawn> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins an input.
    pub fn begin(&self) {
        *self.lock() = Drawn::default();
    }

    /// Ends the input: it is drawn once more, in its final form.
    pub fn end(&self) {
        self.lock().over = true;
    }

    /// Reports whether this is the final drawing of the line.
    pub fn is_over(&self) -> bool {
        self.lock().over
    }

    /// Records a drawing of the line.
    pub fn drawn(&self, line: &str, cursor: usize) {
        let mut drawn = self.lock();
        if drawn.line != line {
            drawn.line.clear();
            drawn.line.push_str(line);
        }
        (drawn.cursor, drawn.fresh, drawn.searching) = (cursor, true, false);
    }

    /// Reports whether the line is empty.
    pub fn is_empty(&self) -> bool {
        self.lock().line.is_empty()
    }

    /// Records a drawing of a history search.
    pub fn searched(&self) {
        let mut drawn = self.lock();
        (drawn.fresh, drawn.searching) = (false, true);
    }

    /// Reports whether the screen shows a history search.
    pub fn is_searching(&self) -> bool {
        self.lock().searching
    }

    /// Handles a key; returns the text before the cursor, if it is known.
    pub fn key(&self) -> Option<TextBeforeCursor> {
        let mut drawn = self.lock();
        if !std::mem::take(&mut drawn.fresh) {
            return None;
        }
        let all = drawn.line.get(..drawn.cursor)?;
        let line = all.rsplit('\n').next().unwrap_or_default();
        Some(TextBeforeCursor { line: line.into(), first: line.len() == all.len(), all: all.into() })
    }

    /// Returns the text before the cursor, if the cursor is known and not at the end of this line.
    pub fn before<'l>(&self, line: &'l str) -> Option<&'l str> {
        let drawn = self.lock();
        if drawn.line == line && drawn.cursor < line.len() { line.get(..drawn.cursor) } else { None }
    }
}
