//! The language of the session, and the language of an input: another one if its first line is `%%NAME`.

use super::Session;
use crate::dialect::{Dialect, Languages};
use crate::problem::Problem;
use crate::state::Interrupt;
use crate::state::input::{blanked, built, language_line_range, language_of};
use crate::view::Role;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

impl Session {
    /// Returns the handle that stops the running work. The flag is cleared when the next input begins.
    pub fn interrupt_handle(&self) -> Interrupt {
        self.world.interrupt.clone()
    }

    /// Returns all languages.
    pub fn languages(&self) -> Languages {
        self.world.languages.get()
    }

    /// Returns the session's language. An input may use another one with `%%NAME` on its first line.
    pub fn dialect(&self) -> Dialect {
        self.world.state.dialect.get()
    }

    /// Switches the session to a language.
    ///
    /// # Errors
    ///
    /// Fails if the language is announced but not implemented.
    pub fn set_dialect(&mut self, dialect: Dialect) -> Result<(), Problem> {
        let dialect = self.languages().named(dialect.name()).unwrap_or(dialect);
        self.world.state.dialect.set(built(self.languages(), dialect, None)?);
        Ok(())
    }

    /// Runs `work` in a language. Afterwards, the session has its language again, unless `work` itself switched to another one.
    pub fn in_language<T>(&mut self, dialect: Dialect, work: impl FnOnce(&mut Session) -> T) -> T {
        let previous = self.dialect();
        let _ = self.set_dialect(dialect);
        let out = catch_unwind(AssertUnwindSafe(|| work(self)));
        if self.dialect() == dialect {
            let _ = self.set_dialect(previous);
        }
        out.unwrap_or_else(|panic| resume_unwind(panic))
    }

    /// Returns the language of an input: that of its `%%` line, or the session's. Fails if the line is not valid.
    pub(super) fn named(&self, text: &str) -> Result<Dialect, Problem> {
        language_of(self.languages(), self.dialect(), text)
    }

    /// Returns the place and the role of an input's `%%` line, if it has one.
    pub(super) fn language_line_role(&self, text: &str) -> Option<(Range<usize>, Role)> {
        let line = language_line_range(text)?;
        Some((line, if self.named(text).is_ok() { Role::Keyword } else { Role::Invalid }))
    }

    /// Returns the language of an input, or the session's language if its `%%` line is not valid.
    pub(super) fn language(&self, text: &str) -> Dialect {
        self.named(text).unwrap_or(self.dialect())
    }

    /// Returns the language of an input, and its text with the `%%` line replaced by spaces. `dialect` is the language if there
    /// is no such line. Fails if the line is not valid.
    pub(super) fn split_language_line(&self, dialect: Dialect, text: &str) -> Result<(Dialect, String), Problem> {
        Ok((language_of(self.languages(), dialect, text)?, blanked(text)))
    }
}
