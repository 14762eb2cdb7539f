//! Finds the literals of secret fields in the texts of a session.
//!
//! `{ password | secret }` may be in one file and `password: x7` in another one, of another language, that a merge puts
//! together. Whether both are one field is known only after evaluation, but a report about a type, or about syntax, is
//! shown before. Therefore a name that is marked as secret anywhere in the session is secret in all of its texts.

use super::{InFile, World};
use crate::dialect::{Dialect, OnlyStd};
use crate::problem::Problem;
use crate::term::Term;
use crate::term::secrets::Content;
use crate::text::{Name, SourceId};
use crate::value::datum::Datum;
use crate::value::secret::secret;
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;
use std::sync::Arc;

/// The names of secret fields, and the texts in which they are hidden.
#[derive(Default)]
pub(crate) struct SecretTexts {
    names: FxHashSet<Name>,
    /// The texts that were read, with their languages.
    texts: FxHashMap<SourceId, (Dialect, Form)>,
    /// The number of texts at which those that were dropped are removed.
    full: usize,
    /// Whether secrets are shown.
    pub revealed: bool,
}

impl SecretTexts {
    /// Masks the fields of a value that have the name of a secret field. Does not recurse.
    pub fn hide_fields(&self, datum: &mut Datum) {
        let mut work = vec![datum];
        while let (Some(part), false) = (work.pop(), self.names.is_empty()) {
            match part {
                Datum::Array(items) => work.extend(items),
                Datum::Variant(_, argument) => work.push(argument),
                Datum::Record(entries) => {
                    for entry in entries {
                        match &mut entry.value {
                            Some(value) if self.names.contains(&entry.name) => {
                                *value = secret(std::mem::replace(value, Datum::Secret))
                            }
                            Some(value) => work.push(value),
                            None => {}
                        }
                    }
                }
                _ => {}
            }
        }
    }
}

/// The form in which a text was read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    /// A file or an expression.
    Program,
    /// An input of the session.
    Cell,
}

impl World {
    /// Hides the literals of secret fields in a text that was read, and in all other texts those of fields that it is the
    /// first to mark. `O(program)`; if it marks a new name, also the texts that contain the name are read again.
    pub fn hide_secrets<'t>(
        &self,
        source: SourceId,
        read: (Dialect, Form),
        terms: impl Iterator<Item = &'t Arc<Term>> + Clone,
    ) {
        let mut secrets = self.secrets.borrow_mut();
        if secrets.revealed {
            return;
        }
        let mut new: Vec<Name> = Vec::new();
        for name in terms.clone().flat_map(|term| term.secret_names()) {
            if secrets.names.insert(name.clone()) {
                new.push(name.clone());
            }
        }
        if !secrets.names.is_empty() {
            terms.for_each(|term| self.hide_literals(term, &secrets.names));
        }
        if secrets.texts.len() >= secrets.full.max(64)
            && let Ok(sources) = self.sources.try_borrow()
        {
            secrets.texts.retain(|source, _| sources.get(*source).is_some());
            secrets.full = 2 * secrets.texts.len();
        }
        secrets.texts.insert(source, read);
        if new.is_empty() {
            return;
        }
        // Reading a text may read other files.
        let names = secrets.names.clone();
        let mut others: Vec<_> = secrets.texts.iter().map(|(other, read)| (*other, *read)).collect();
        drop(secrets);
        others.retain(|(other, _)| *other != source);
        others.into_iter().for_each(|(other, read)| self.hide_again(other, read, &new, &names));
    }

    /// Reads a text again if it contains one of the `new` names.
    fn hide_again(&self, source: SourceId, read: (Dialect, Form), new: &[Name], names: &FxHashSet<Name>) {
        let Some(text) = self.sources.try_borrow().ok().and_then(|all| all.get(source).map(|own| own.text.clone()))
        else {
            return;
        };
        if !new.iter().any(|name| text.contains(name.as_str())) {
            return;
        }
        let text = super::input::without_command(&text);
        match read {
            (dialect, Form::Program) => {
                let tables = self.tables_of(dialect, source);
                let program =
                    dialect.program(source, &text, &InFile(self.languages.get(), self.interrupt.stop(), &tables));
                self.hide_literals(&program.term, names);
            }
            (dialect, Form::Cell) => {
                let cell = dialect.cell(source, &super::input::blanked(&text), &OnlyStd);
                cell.items.iter().for_each(|item| self.hide_literals(item.term(), names));
            }
        }
    }

    /// Hides what follows the name of a secret field in a text that could not be read completely, up to the next comma or
    /// line end. `O(text)` for each name.
    pub fn hide_unread(&self, source: SourceId, problems: &[Problem]) {
        let secrets = self.secrets.borrow();
        if secrets.names.is_empty() || !problems.iter().any(|problem| problem.code().starts_with("syntax/")) {
            return;
        }
        let Ok(mut sources) = self.sources.try_borrow_mut() else { return };
        let Some(text) = sources.get(source).map(|own| own.text.clone()) else { return };
        for name in &secrets.names {
            let ranges: Vec<_> =
                text.match_indices(name.as_str()).filter_map(|(at, _)| after(&text, at, name)).collect();
            sources.hide(source, ranges.into_iter());
        }
    }

    fn hide_literals(&self, term: &Term, names: &FxHashSet<Name>) {
        let literals = term.secret_literals(&|name| names.contains(name));
        if literals.is_empty() {
            return;
        }
        // A parser may run while a report borrows the texts; the texts that it parses then are not shown.
        let Ok(mut sources) = self.sources.try_borrow_mut() else { return };
        for literal in literals {
            for span in literal.spans {
                sources.hide(span.source, std::iter::once(span.start as usize..span.end as usize));
            }
            match literal.content {
                Content::Text(text) => sources.hide_word(text, false),
                Content::Tag(tag) => sources.hide_word(tag, true),
                Content::Other => {}
            }
        }
    }
}

/// Returns the range of the value after a name at a byte of a text: `"x7"` in `password: "x7", user`.
fn after(text: &str, at: usize, name: &str) -> Option<Range<usize>> {
    let in_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    let (before, rest) = (text.get(..at)?, text.get(at + name.len()..)?);
    if before.ends_with(in_name) || rest.starts_with(in_name) {
        return None;
    }
    let sign = rest.find(['=', ':', ',', ';', '\n'])?;
    if rest.get(sign..)?.starts_with([',', ';', '\n']) {
        return None;
    }
    let value = rest.get(sign + 1..)?.trim_start_matches(['=', ':', '>', ' ']);
    let start = text.len() - value.len();
    let mut quote = None;
    let end = value.find(|c: char| {
        match quote {
            Some(open) if c == open => quote = None,
            None if matches!(c, '"' | '\'') => quote = Some(c),
            _ => {}
        }
        c == '\n' || quote.is_none() && matches!(c, ',' | ';' | '}')
    });
    Some(start..start + end.unwrap_or(value.len()))
}

#[cfg(test)]
mod tests {
    use super::after;

    #[test]
    fn the_value_after_a_name() {
        let found = |text: &'static str| text.get(after(text, text.find("pw")?, "pw")?);
        assert_eq!(found("{ pw = \"a, b\", c = 1 "), Some("\"a, b\""));
        assert_eq!(found("\"pw\": 'x7' }"), Some("'x7' "));
        assert_eq!(found("pw: x7\nother: y"), Some("x7"));
        assert_eq!(found("{ pw | secret = 12 "), Some("12 "));
        assert_eq!(found("pws = 1"), None);
        assert_eq!(found("{ pw, a = 1 "), None);
    }
}
