//! The language of each cell.

use super::Workspace;
use super::input::{blanked, built, dialect_of, magic};
use crate::dialect::{Dialect, Languages};
use crate::problem::Problem;

/// Cells in another language: `%%jsonnet` on the first line.
impl Workspace {
    /// The languages that are known.
    pub fn languages(&self) -> Languages {
        self.world.languages
    }

    /// The language that is spoken.
    pub fn dialect(&self) -> Dialect {
        self.world.state.dialect.get()
    }

    /// Speaks a language from here on. Fails if it is not built yet.
    pub fn set_dialect(&mut self, dialect: Dialect) -> Result<(), Problem> {
        self.world.state.dialect.set(built(self.languages(), dialect, None)?);
        Ok(())
    }

    /// The language of a cell and its text, a `%%` line made blank.
    pub(crate) fn spoken(&self, text: &str) -> Result<(Dialect, String), Problem> {
        Ok((self.named(text)?, blanked(text)))
    }

    /// The language of a cell; of one that cannot be read, the one that is spoken.
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
