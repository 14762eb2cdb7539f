//! A world with the evaluator. Every question works on one.

use super::World;
use super::environment::{Definition, is_written};
use super::fresh::Fresh;
use super::slice::Slice;
use super::typing::{SessionScope, type_text};
use crate::dialect::{Dialect, Languages, Names};
use crate::styled::Styled;
use crate::term::{NodeId, Term};
use crate::text::path::FieldPath;
use crate::text::{Name, Position, Source, SourceId, Span};
use crate::ty::Scheme;
use crate::value::datum::Datum;
use crate::value::trace::Reads;
use crate::value::{Machine, Thunk};
use rustc_hash::FxHashSet;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

/// A world with the evaluator.
pub struct Workspace {
    /// The state and its caches.
    pub(crate) world: Rc<World>,
    /// The evaluator.
    pub(crate) machine: Machine,
}

impl Workspace {
    pub(crate) fn machine(&mut self) -> &mut Machine {
        &mut self.machine
    }

    /// The bound names, for parsers.
    pub(crate) fn names(&self) -> &dyn Names {
        &*self.world
    }

    /// Returns all languages.
    pub(crate) fn languages(&self) -> Languages {
        self.world.languages.get()
    }

    /// Registers a text that is written in a language.
    pub(crate) fn add_input(&self, name: &str, text: &str, dialect: Dialect) -> SourceId {
        self.world.add_input(name, text, dialect)
    }

    /// Returns the definition of a name.
    pub(crate) fn definition(&self, name: &str) -> Option<Rc<Definition>> {
        let key = self.world.key(name)?;
        self.world.state.environment.borrow().get(&key).cloned()
    }

    /// Returns the value of a name. It may still be unforced.
    pub(crate) fn value_of(&mut self, name: &str) -> Option<Thunk> {
        let key = self.world.key(name)?;
        let definition = self.world.definition(&key)?;
        Some(self.world.value(&mut self.machine, &key, &definition))
    }

    /// Returns every key with its type.
    pub(crate) fn definitions(&self) -> Vec<(Name, Arc<Scheme>)> {
        self.world.state.environment.borrow().iter().map(|(k, d)| (k.clone(), d.typed.scheme.clone())).collect()
    }

    /// Returns the first `most` definitions whose names begin with `prefix`, sorted. O(answer + log names).
    pub(crate) fn definitions_from(&self, prefix: &str, most: usize) -> Vec<(Name, Arc<Scheme>)> {
        let environment = self.world.state.environment.borrow();
        let from = environment.from(prefix).take_while(|(key, _)| key.starts_with(prefix));
        from.filter(|(key, _)| is_written(key)).take(most).map(|(k, d)| (k.clone(), d.typed.scheme.clone())).collect()
    }

    /// Returns the number of names that begin with `prefix`. O(answer + log names).
    pub(crate) fn count_from(&self, prefix: &str) -> usize {
        let environment = self.world.state.environment.borrow();
        let keys = environment.from(prefix).map(|(key, _)| key).take_while(|key| key.starts_with(prefix));
        keys.filter(|key| is_written(key)).count()
    }

    /// Returns the keys of the definitions that read a name.
    pub(crate) fn direct_users_of(&self, name: &str) -> Vec<Name> {
        self.world.state.environment.borrow().users(name).cloned().collect()
    }

    /// Lists the entries of a folder.
    pub(crate) fn list(&self, folder: &str) -> Vec<String> {
        self.world.loader.list(Path::new(if folder.is_empty() { "." } else { folder }))
    }

    /// Returns the fields of a record node, with their types.
    pub(crate) fn fields_of(&self, term: &Arc<Term>, node: NodeId) -> Vec<(Name, Scheme)> {
        self.world.fields_of(term, node)
    }

    /// Returns a term's type.
    pub(crate) fn scheme_of(&self, term: &Arc<Term>) -> Arc<Scheme> {
        self.world.infer(term).scheme.clone()
    }

    /// Returns a term's type in the notation of a language.
    pub(crate) fn type_of(&self, dialect: Dialect, term: &Arc<Term>) -> Styled {
        type_text(dialect, &self.scheme_of(term))
    }

    /// Infers a term with options.
    pub(crate) fn inferred(&self, term: &Arc<Term>, options: crate::infer::Options<'_>) -> crate::infer::Inferred {
        crate::infer::infer(term, &mut SessionScope(&self.world), options)
    }

    /// Returns `true` if the user has interrupted.
    pub(crate) fn is_stopped(&self) -> bool {
        self.world.interrupt.is_raised()
    }

    /// Creates the problem of work that was stopped.
    pub(crate) fn stopped(&self) -> crate::problem::Problem {
        self.world.interrupt.problem(None)
    }

    /// Creates a slice of a program: parts of it can be replaced by holes.
    pub(crate) fn slice(&self, root: &Arc<Term>) -> Slice<'_> {
        Slice::new(&self.world, root)
    }

    /// Returns the text of a span, as it is shown.
    pub(crate) fn written(&self, span: Span) -> String {
        self.world.sources.borrow().slice(span).to_string()
    }

    /// Returns the text of a span, as it is shown.
    pub(crate) fn text(&self, span: Span) -> String {
        String::from(self.world.sources.borrow().slice(span))
    }

    /// Returns the name of a span's source and the position where the span begins. Line 0 if the source is not known.
    pub(crate) fn position(&self, span: Span) -> (String, Position) {
        match self.world.sources.borrow().get(span.source) {
            Some(source) => {
                let name = source.option_text(span.start).unwrap_or_else(|| String::from(&*source.name));
                (name, source.position(span.start))
            }
            None => (String::from("?"), Position { line: 0, column: 0 }),
        }
    }

    /// Runs `work` with fresh evaluation and returns the recorded reads too.
    pub(crate) fn trace_reads<T>(&mut self, work: impl FnOnce(&mut Workspace) -> T) -> (T, Reads) {
        self.world.fresh.replace(Some(Fresh::default()));
        self.machine.start_tracing();
        let out = work(self);
        let reads = self.machine.stop_tracing();
        self.world.fresh.replace(None);
        (out, reads)
    }

    /// Returns the fresh value of a definition.
    pub(crate) fn fresh_definition(&mut self, name: &str) -> Option<Thunk> {
        let world = self.world.clone();
        let key = world.key(name)?;
        let definition = world.definition(&key)?;
        world.fresh_definition(&mut self.machine, &key, &definition)
    }

    /// Returns the definitions that read a definition, directly or indirectly.
    pub(crate) fn users_of(&self, name: &str) -> Vec<Name> {
        let environment = self.world.state.environment.borrow();
        let mut out: Vec<Name> = Vec::new();
        let mut seen: FxHashSet<Name> = [Name::new(name)].into_iter().collect();
        let mut next = Name::new(name);
        let mut at = 0;
        loop {
            for user in environment.users(&next).filter(|user| is_written(user)) {
                if seen.insert(user.clone()) {
                    out.push(user.clone());
                }
            }
            match out.get(at) {
                Some(user) => next = user.clone(),
                None => return out,
            }
            at += 1;
        }
    }

    /// Returns the position where a span begins, as `file:line:column`.
    pub(crate) fn located(&self, span: crate::text::Span) -> String {
        self.world.sources.borrow().locate(span)
    }

    /// Masks a value at a path if a field on the path has the name of a secret field, otherwise such fields in it.
    pub(crate) fn hide_at(&self, path: &FieldPath, datum: &mut Datum) {
        self.world.secrets.borrow().hide_at(path, datum);
    }

    /// Masks the contents of secret literals in a text that is not laid out yet.
    pub(crate) fn without_secrets(&self, text: String) -> String {
        self.world.sources.borrow().masked(&text).unwrap_or(text)
    }

    /// Masks the fields of a value that have the name of a secret field.
    pub(crate) fn hide_fields(&self, datum: &mut Datum) {
        self.world.secrets.borrow().hide_fields(datum);
    }

    /// Returns a source.
    pub(crate) fn source(&self, source: SourceId) -> Option<Arc<Source>> {
        self.world.sources.borrow().get(source).cloned()
    }

    /// Returns the text of a source.
    pub(crate) fn text_of(&self, source: SourceId) -> Option<Arc<str>> {
        self.world.text_of(source)
    }

    /// Returns whether a text contains a part of a secret.
    pub(crate) fn is_secret(&self, span: Span) -> bool {
        let sources = self.world.sources.borrow();
        let source = sources.get(span.source);
        source.is_some_and(|source| source.overlaps_secret(span.start as usize..span.end as usize))
    }

    /// Returns the name of a source.
    pub(crate) fn name_of(&self, source: SourceId) -> Option<String> {
        self.world.sources.borrow().get(source).map(|source| source.name.to_string())
    }

    /// Returns the sources of the files that were read and of the definitions.
    pub(crate) fn program_sources(&self) -> Vec<SourceId> {
        let files = self.world.state.inputs.files.borrow();
        let environment = self.world.state.environment.borrow();
        let definitions = environment.iter().map(|(_, definition)| definition.term.span(definition.term.root).source);
        let mut sources: Vec<SourceId> = files.values().map(|file| file.source).chain(definitions).collect();
        sources.sort();
        sources.dedup();
        sources
    }

    /// Returns the language of a source. `None` if it is data or made by the program.
    pub(crate) fn dialect_of(&self, source: SourceId) -> Option<Dialect> {
        self.world.dialect_of(source)
    }

    /// Returns the total length of all texts, in bytes.
    pub(crate) fn length_of_texts(&self) -> usize {
        let sources = self.world.sources.borrow();
        (0..sources.next_id().0).filter_map(|id| sources.get(SourceId(id))).map(|source| source.text.len()).sum()
    }
}
