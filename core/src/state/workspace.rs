//! A world and the machine that evaluates in it: what a question is asked of.

use super::environment::{Definition, is_written};
use super::fresh::Fresh;
use super::slice::Slice;
use super::typing::{Around, type_text};
use super::{Interrupt, World};
use crate::dialect::{Dialect, Names};
use crate::styled::Styled;
use crate::term::{NodeId, Term};
use crate::text::{Name, Position, SourceId, Span};
use crate::ty::Scheme;
use crate::value::trace::Reads;
use crate::value::{Machine, Thunk};
use rustc_hash::FxHashSet;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

/// A world and the machine that evaluates in it.
pub struct Workspace {
    /// What is known.
    pub(crate) world: Rc<World>,
    /// What evaluates.
    pub(crate) machine: Machine,
}

impl Workspace {
    /// The flag that stops what runs. It is lowered when the next input begins.
    pub fn interrupt_handle(&self) -> Interrupt {
        self.world.interrupt.clone()
    }

    /// The machine.
    pub(crate) fn machine(&mut self) -> &mut Machine {
        &mut self.machine
    }

    /// What is bound.
    pub(crate) fn names(&self) -> &dyn Names {
        &*self.world
    }

    /// Registers a text.
    pub(crate) fn add_source(&self, name: &str, text: &str) -> SourceId {
        self.world.add_source(name, text.into(), Path::new(""))
    }

    /// The definition of a name.
    pub(crate) fn definition(&self, name: &str) -> Option<Rc<Definition>> {
        let key = self.world.key(name)?;
        self.world.state.environment.borrow().get(&key).cloned()
    }

    /// The value of a name, unforced if nobody saw it yet.
    pub(crate) fn value_of(&mut self, name: &str) -> Option<Thunk> {
        let key = self.world.key(name)?;
        let definition = self.world.definition(&key)?;
        Some(self.world.value(&mut self.machine, &key, &definition))
    }

    /// Every key with its type.
    pub(crate) fn definitions(&self) -> Vec<(Name, Arc<Scheme>)> {
        self.world.state.environment.borrow().iter().map(|(k, d)| (k.clone(), d.typed.scheme.clone())).collect()
    }

    /// The definitions whose names begin so, in order, at most so many. O(answer + log names).
    pub(crate) fn definitions_from(&self, prefix: &str, most: usize) -> Vec<(Name, Arc<Scheme>)> {
        let environment = self.world.state.environment.borrow();
        let from = environment.from(prefix).take_while(|(key, _)| key.starts_with(prefix));
        from.filter(|(key, _)| is_written(key)).take(most).map(|(k, d)| (k.clone(), d.typed.scheme.clone())).collect()
    }

    /// How many names begin so. O(answer + log names).
    pub(crate) fn count_from(&self, prefix: &str) -> usize {
        let environment = self.world.state.environment.borrow();
        let keys = environment.from(prefix).map(|(key, _)| key).take_while(|key| key.starts_with(prefix));
        keys.filter(|key| is_written(key)).count()
    }

    /// The keys whose definitions read a name.
    pub(crate) fn direct_users_of(&self, name: &str) -> Vec<Name> {
        self.world.state.environment.borrow().users(name).cloned().collect()
    }

    /// The entries of a folder.
    pub(crate) fn list(&self, folder: &str) -> Vec<String> {
        self.world.loader.list(Path::new(if folder.is_empty() { "." } else { folder }))
    }

    /// The fields of the record that a node of a term is.
    pub(crate) fn fields_of(&self, term: &Arc<Term>, node: NodeId) -> Vec<(Name, Scheme)> {
        self.world.fields_of(term, node)
    }

    /// A term's type.
    pub(crate) fn scheme_of(&self, term: &Arc<Term>) -> Arc<Scheme> {
        self.world.infer(term).scheme.clone()
    }

    /// A term's type in the dialect's notation.
    pub(crate) fn type_of(&self, term: &Arc<Term>) -> Styled {
        type_text(self.dialect(), &self.scheme_of(term))
    }

    /// A term's inference, with what is asked for.
    pub(crate) fn inferred(&self, term: &Arc<Term>, options: crate::infer::Options) -> crate::infer::Inferred {
        crate::infer::infer(term, &mut Around(&self.world), options)
    }

    /// Whether the user wants an end.
    pub(crate) fn is_stopped(&self) -> bool {
        self.world.interrupt.is_raised()
    }

    /// A program and what it reads, of which parts can be made unknown.
    pub(crate) fn slice(&self, root: &Arc<Term>) -> Slice<'_> {
        Slice::new(&self.world, root)
    }

    /// A span's text as it is written.
    pub(crate) fn written(&self, span: Span) -> String {
        self.world.sources.borrow().slice(span).to_string()
    }

    /// A span's text, as it is.
    pub(crate) fn text(&self, span: Span) -> String {
        String::from(self.world.sources.borrow().slice(span))
    }

    /// The name of a span's source, and where the span begins. Line 0: the source is not there.
    pub(crate) fn position(&self, span: Span) -> (String, Position) {
        match self.world.sources.borrow().get(span.source) {
            Some(source) => (String::from(&*source.name), source.position(span.start)),
            None => (String::from("?"), Position { line: 0, column: 0 }),
        }
    }

    /// Evaluates with everything made anew, and says who read whom.
    pub(crate) fn trace_reads<T>(&mut self, work: impl FnOnce(&mut Workspace) -> T) -> (T, Reads) {
        self.world.fresh.replace(Some(Fresh::default()));
        self.machine.start_tracing();
        let out = work(self);
        let reads = self.machine.stop_tracing();
        self.world.fresh.replace(None);
        (out, reads)
    }

    /// The value of a definition as it is made for the question under way.
    pub(crate) fn fresh_definition(&mut self, name: &str) -> Option<Thunk> {
        let world = self.world.clone();
        let key = world.key(name)?;
        let definition = world.definition(&key)?;
        world.fresh_definition(&mut self.machine, &key, &definition)
    }

    /// The definitions that read a definition, directly or not.
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

    /// Where a span begins: `file:line:column`.
    pub(crate) fn located(&self, span: crate::text::Span) -> String {
        self.world.sources.borrow().locate(span)
    }

    /// The text of a source.
    pub(crate) fn text_of(&self, source: SourceId) -> Option<Arc<str>> {
        self.world.text_of(source)
    }

    /// The language that a text is written in.
    pub(crate) fn dialect_of(&self, source: SourceId) -> Option<Dialect> {
        self.world.dialect_of(source)
    }

    /// How long all texts are together.
    pub(crate) fn length_of_texts(&self) -> usize {
        let sources = self.world.sources.borrow();
        (0..sources.next().0).filter_map(|id| sources.get(SourceId(id))).map(|source| source.text.len()).sum()
    }
}
