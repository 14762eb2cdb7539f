//! The languages that a question sees.

use super::Workspace;
use super::input::{blanked, language_of};
use crate::dialect::{Dialect, Languages};
use crate::problem::Problem;

impl Workspace {
    /// Returns all languages.
    pub(crate) fn languages(&self) -> Languages {
        self.world.languages
    }

    /// Returns the session's language.
    pub(crate) fn dialect(&self) -> Dialect {
        self.world.state.dialect.get()
    }

    /// Returns the language of an input, and its text with the `%%` line replaced by spaces.
    pub(crate) fn spoken(&self, text: &str) -> Result<(Dialect, String), Problem> {
        Ok((language_of(self.languages(), self.dialect(), text)?, blanked(text)))
    }
}
