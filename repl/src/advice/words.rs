//! Calls with more words than the command takes: the words of a program, and several fields.

use super::Call;
use crate::fault::Fault;
use std::path::Path;

impl Call {
    /// Writes the call with the first of several fields given as `--at`, and without the others.
    pub fn with_first_field(&self, fields: &[&str]) -> Option<String> {
        let (first, others) = fields.split_first()?;
        let is_named = |field: &&str| self.is_field(field) && !field.starts_with(|c: char| c.is_ascii_digit());
        if others.is_empty() || self.takes_field() || !fields.iter().all(is_named) {
            return None;
        }
        let words = self.words.iter().filter(|word| !others.contains(&word.as_str())).cloned().collect();
        self.scanned(words).with_field(first)
    }

    /// Reports a program that the shell has split into words: `cfg type { a = 1 }`. `None` if the words are not those of a program,
    /// or the command reads no text.
    pub fn program_in_words(&self) -> Option<Fault> {
        let words: Vec<&str> = self.operands().collect();
        let is_file = |word: &&str| Path::new(word).exists() || self.languages.of_path(Path::new(word)).is_some();
        let is_sign = |word: &&str| {
            word.starts_with(['{', '[', '(']) || word.chars().all(|c| c.is_ascii_punctuation() && c != '-')
        };
        if words.len() < 2 || words.iter().any(is_file) || !words.iter().any(is_sign) {
            return None;
        }
        // `cfg deps { a = 1 } a`
        let has_field = self.takes_field()
            && matches!(words.as_slice(), [.., before, field] if before.ends_with(['}', ']', ')']) && self.is_field(field));
        let (text, field) = words.split_at(words.len() - usize::from(has_field));
        if text.len() < 2 {
            return None;
        }
        let first = *self.operands.first()?;
        let mut call: Vec<String> = self.words.iter().take(first).cloned().collect();
        call.extend([String::from("-e"), text.join(" ")]);
        call.extend(field.iter().map(ToString::to_string));
        let rest = self.words.iter().enumerate().skip(first).filter(|(at, _)| !self.operands.contains(at));
        call.extend(rest.map(|(_, word)| word.clone()));
        let call = self.accepted(&call)?;
        let why = format!("`{}` takes a file, and these words are those of a program", self.name());
        Some(Fault::new(why).help(format!("the text of a program is one word after `-e`, in quotes: {call}")))
    }
}
