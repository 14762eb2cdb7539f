//! The language of each cell.

use super::Workspace;
use super::input::{blanked, built, dialect_of, magic};
use crate::dialect::{Dialect, Languages};
use crate::problem::Problem;

/// The languages of a session; a cell may choose another one with `%%NAME` on its first line.
impl Workspace {
    /// All languages.
    pub(crate) fn languages(&self) -> Languages {
        self.world.languages
    }

    /// The session's current language.
    pub(crate) fn dialect(&self) -> Dialect {
        self.world.state.dialect.get()
    }

    /// Switches the session to a language. Fails if it is not built.
    pub(crate) fn set_dialect(&mut self, dialect: Dialect) -> Result<(), Problem> {
        self.world.state.dialect.set(built(self.languages(), dialect, None)?);
        Ok(())
    }

    /// Returns the language of a cell, and its text with the `%%` line replaced by spaces.
    pub(crate) fn spoken(&self, text: &str) -> Result<(Dialect, String), Problem> {
        Ok((self.named(text)?, blanked(text)))
    }

    /// Returns the language of a cell. Falls back to the session's language if the `%%` line is not valid.
    pub(crate) fn language(&self, text: &str) -> Dialect {
        self.named(text).unwrap_or(self.dialect())
    }

    pub(crate) fn named(&self, text: &str) -> Result<Dialect, Problem> {
        match magic(text) {
            Some(line) => {
                dialect_of(self.languages(), text.get(line.start + 2..line.end).unwrap_or("").trim(), "%%DIALECT")
            }
            None => Ok(self.dialect()),
        }
    }
}
