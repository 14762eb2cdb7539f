//! "What if" for a face that offers keys: the definitions of the field that was explained last, the answers to changes of
//! them, and the inputs that make the changes.

use super::{Event, Session};
use crate::answer::fixes::Edit;
use crate::answer::whatif::listed::ListedDefinition;
use crate::dialect::CellItem;
use crate::state::environment::Definition;
use crate::state::input::{is_command, language_line_range, without_command};
use crate::styled::Styled;
use crate::text::{Name, SourceId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// A field that was explained, and the definitions that the explanation lists.
#[derive(Clone, PartialEq, Debug)]
pub struct ExplainedField {
    /// The argument of `:explain`.
    pub path: String,
    /// The definitions, in the order of the explanation.
    pub definitions: Vec<ListedDefinition>,
}

/// The answer to changes of definitions.
#[derive(Clone, PartialEq, Debug)]
pub struct Tried {
    /// The answer, or the report if there is none.
    pub text: Styled,
    /// The inputs that make the changes, in order, or the reason why no input does.
    pub inputs: Result<Vec<String>, String>,
}

impl Session {
    /// Returns the number of definitions in the last input's answer. `None` if it was not `:explain`.
    pub fn explained_definitions(&self) -> Option<usize> {
        let explained = self.last_explained.as_ref().filter(|_| self.was_explain)?;
        Some(explained.definitions.len())
    }

    /// Explains the value at a path again, or at the path of the last explanation if it is empty. `None` if there is
    /// no explanation with definitions.
    pub fn explain_again(&mut self, path: &str) -> Option<ExplainedField> {
        let path = match path {
            "" => self.last_explained.as_ref()?.path.clone(),
            path => String::from(path),
        };
        let before = self.last_explained.take();
        let events = self.ask(&format!(":explain {path}"));
        let found = self.last_explained.clone().filter(|found| !found.definitions.is_empty());
        if events.iter().any(Event::is_error) && found.is_none() {
            self.last_explained = before;
        }
        found
    }

    /// Answers `:whatif PATH CHANGES`. Changes nothing.
    pub fn try_changes(&mut self, path: &str, changes: &str) -> Tried {
        self.last_edits.clear();
        let mut text = Styled::new();
        let events = self.ask(&format!(":whatif {path} {changes}"));
        for event in self.mask_events(events) {
            let part = match &event {
                Event::Diagnostic { report, .. } => report,
                Event::Answer(text) | Event::View { text, .. } => text,
                _ => continue,
            };
            if !text.is_empty() {
                text.plain("\n");
            }
            text.append(part);
        }
        let is_refused = self.last_edits.is_empty();
        let too_deep = || Err(String::from("the cell is too deep: there is not enough memory to read it"));
        let inputs = match is_refused {
            true => Err(String::from("this change cannot be made, so there is nothing to apply")),
            false => self.query_or(Session::inputs_of_edits, too_deep),
        };
        Tried { text, inputs }
    }

    /// Returns the inputs that make the last edits: the edited cells, and the later ones that extend or replace what those
    /// define, in their order.
    fn inputs_of_edits(&self) -> Result<Vec<String>, String> {
        let mut by_source: BTreeMap<SourceId, Vec<&Edit>> = BTreeMap::new();
        for edit in &self.last_edits {
            by_source.entry(edit.span.source).or_default().push(edit);
        }
        let mut texts: BTreeMap<SourceId, String> = BTreeMap::new();
        for (source, mut edits) in by_source {
            let first = edits.first().map(|edit| edit.span);
            let place = || first.map(|span| self.world.sources.borrow().locate(span)).unwrap_or_default();
            let Some(old) = self.world.text_of(source) else {
                return Err(format!("the text at {} is no longer known", place()));
            };
            if self.world.path_of(source).is_some() {
                return Err(format!("the definition at {} is in a file: change it there", place()));
            }
            if is_command(&old) {
                return Err(String::from("a definition is in the command itself: there is no cell to write"));
            }
            let mut text = old.to_string();
            // from the end of the text, so that earlier positions stay valid
            edits.sort_by_key(|edit| std::cmp::Reverse(edit.span.start));
            for edit in &edits {
                let range = edit.span.start as usize..edit.span.end as usize;
                if text.get(range.clone()).is_some() {
                    text.replace_range(range, &edit.text);
                }
            }
            if self.unbinds(source, &text) {
                let place = place();
                return Err(format!("the name at {place} stays bound at the prompt: give it another value instead"));
            }
            texts.insert(source, text);
        }
        let mut inputs = Vec::new();
        for (source, text) in self.with_followers(texts) {
            let language = self.world.dialect_of(source).filter(|dialect| *dialect != self.dialect());
            inputs.push(match language.filter(|_| language_line_range(&text).is_none()) {
                Some(language) => format!("%%{}\n{text}", language.name()),
                None => text,
            });
        }
        match inputs.is_empty() {
            true => Err(String::from("there is no change to apply")),
            false => Ok(inputs),
        }
    }

    /// Returns `true` if an edited cell defines fewer names than before. Running it again would leave those bound.
    fn unbinds(&self, source: SourceId, edited: &str) -> bool {
        let Some(dialect) = self.world.dialect_of(source) else { return false };
        let Some(old) = self.world.text_of(source) else { return false };
        let names = |text: &str| {
            let cell = dialect.cell(source, &without_command(text), &*self.world);
            cell.items.iter().filter(|item| matches!(item, CellItem::Bind { .. })).count()
        };
        names(edited) < names(&old)
    }

    /// Adds the later cells whose definitions read a predecessor in one of the cells, and returns all in their order.
    fn with_followers(&self, mut texts: BTreeMap<SourceId, String>) -> Vec<(SourceId, String)> {
        let environment = self.world.state.environment.borrow();
        let mut definitions: Vec<&Definition> = environment.iter().map(|(_, definition)| &**definition).collect();
        // a predecessor is older than what reads it
        definitions.sort_by_key(|definition| definition.id);
        let mut numbers: FxHashMap<SourceId, u32> = FxHashMap::default();
        let mut changed: FxHashSet<Name> = FxHashSet::default();
        for definition in definitions.into_iter().filter(|definition| definition.cell > 0) {
            let source = definition.term.span(definition.term.root).source;
            numbers.insert(source, definition.cell);
            let follows = definition.uses.iter().any(|used| changed.contains(used));
            if follows
                && !texts.contains_key(&source)
                && let Some(text) = self.world.text_of(source)
            {
                texts.insert(source, text.to_string());
            }
            if texts.contains_key(&source) {
                changed.insert(definition.old_key());
            }
        }
        let mut texts: Vec<(SourceId, String)> = texts.into_iter().collect();
        texts.sort_by_key(|(source, _)| numbers.get(source).copied());
        texts
    }
}
