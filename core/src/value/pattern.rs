//! A cache of compiled regular expressions.

use super::Machine;
use crate::text::Name;
use regex::Regex;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Maximum number of cached expressions; the cache is cleared when it is full.
const KEPT: usize = 256;

/// Compiled regular expressions by their source.
pub(super) type Patterns = FxHashMap<Name, Rc<Regex>>;

impl Machine {
    /// Returns the compiled form of a regular expression. An error is a message of one line.
    pub fn pattern(&mut self, text: &str) -> Result<Rc<Regex>, String> {
        if let Some(regex) = self.patterns.get(text) {
            return Ok(regex.clone());
        }
        let regex = Rc::new(Regex::new(text).map_err(|error| match error {
            regex::Error::CompiledTooBig(_) => String::from("it is too large"),
            other => {
                let text = other.to_string();
                let last = text.lines().last().unwrap_or_default().trim();
                last.strip_prefix("error: ").unwrap_or(last).to_owned()
            }
        })?);
        if self.patterns.len() >= KEPT {
            self.patterns.clear();
        }
        self.patterns.insert(Name::new(text), regex.clone());
        Ok(regex)
    }
}
