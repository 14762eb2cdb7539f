//! A copy of the session on another thread, which answers queries while the session evaluates.
//!
//! The language is pure, so equal definitions have equal types and values in both sessions. A replica receives the
//! definitions with their types, the files and the options as plain data. Values cannot leave their thread; a replica
//! computes the few that it needs again.

use super::{Interrupt, Session};
use crate::dialect::{Dialect, Languages};
use crate::loader::Loader;
use crate::problem::Problem;
use crate::state::World;
use crate::state::environment::{Definition, Environment, Typed, uses};
use crate::state::external::ExternalOption;
use crate::state::files::{File, FileKey, Files};
use crate::state::session_state::{Portable, SessionState};
use crate::term::Term;
use crate::text::{Name, SourceId, Sources, Span};
use crate::ty::Scheme;
use rpds::RedBlackTreeMapSync;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;

/// The state of a session as plain data, which can be sent to another thread. A clone costs O(1).
#[derive(Clone, Default)]
pub struct PublishedState(Arc<PlainState>);

#[derive(Clone)]
struct PlainState {
    definitions: RedBlackTreeMapSync<Name, Arc<PlainDefinition>>,
    files: Arc<BTreeMap<FileKey, Arc<PlainFile>>>,
    sources: Sources,
    bases: Arc<FxHashMap<SourceId, PathBuf>>,
    it: Option<Name>,
    portable: Portable,
}

impl Default for PlainState {
    fn default() -> PlainState {
        PlainState {
            definitions: RedBlackTreeMapSync::new_sync(),
            files: Arc::default(),
            sources: Sources::default(),
            bases: Arc::default(),
            it: None,
            portable: SessionState::new(Dialect::default(), Vec::new()).portable(),
        }
    }
}

/// The result of inference ([`Typed`]) as plain data.
#[derive(Clone)]
struct PlainTyped {
    scheme: Arc<Scheme>,
    problems: Vec<Problem>,
    suspected: Vec<Problem>,
}

impl PlainTyped {
    fn of(typed: &Typed) -> PlainTyped {
        let Typed { scheme, problems, suspected } = typed;
        PlainTyped { scheme: scheme.clone(), problems: problems.clone(), suspected: suspected.clone() }
    }

    fn typed(&self) -> Rc<Typed> {
        let PlainTyped { scheme, problems, suspected } = self.clone();
        Rc::new(Typed { scheme, problems, suspected })
    }
}

/// A definition without its value.
struct PlainDefinition {
    name: Name,
    id: u32,
    cell: u32,
    span: Option<Span>,
    doc: Option<Name>,
    term: Arc<Term>,
    typed: PlainTyped,
    rank: u32,
}

impl PlainDefinition {
    fn of(definition: &Definition) -> PlainDefinition {
        let Definition { name, id, cell, span, doc, term, typed, rank, uses: _, kept: _ } = definition;
        PlainDefinition {
            name: name.clone(),
            id: *id,
            cell: *cell,
            span: *span,
            doc: doc.clone(),
            term: term.clone(),
            typed: PlainTyped::of(typed),
            rank: *rank,
        }
    }

    fn definition(&self) -> Definition {
        Definition {
            name: self.name.clone(),
            id: self.id,
            cell: self.cell,
            span: self.span,
            doc: self.doc.clone(),
            term: self.term.clone(),
            uses: uses(&self.term),
            typed: self.typed.typed(),
            kept: None,
            rank: self.rank,
        }
    }
}

/// A file without its value.
struct PlainFile {
    key: FileKey,
    path: PathBuf,
    name: Name,
    source: SourceId,
    term: Arc<Term>,
    problems: Vec<Problem>,
    stamp: Option<u64>,
    typed: Option<PlainTyped>,
}

impl PlainFile {
    fn of(file: &File) -> PlainFile {
        PlainFile {
            key: file.key.clone(),
            path: file.path.clone(),
            name: file.name.clone(),
            source: file.source,
            term: file.term.clone(),
            problems: file.problems.clone(),
            stamp: file.stamp,
            typed: file.typed.borrow().as_deref().map(PlainTyped::of),
        }
    }

    fn file(&self) -> File {
        File {
            key: self.key.clone(),
            path: self.path.clone(),
            name: self.name.clone(),
            source: self.source,
            term: self.term.clone(),
            problems: self.problems.clone(),
            stamp: self.stamp,
            typed: RefCell::new(self.typed.as_ref().map(PlainTyped::typed)),
            thunk: RefCell::default(),
        }
    }
}

/// Converts a session's state to plain data for replicas, incrementally.
#[derive(Default)]
pub struct Publisher {
    environment: Environment,
    /// The files that were published last.
    files: Vec<SeenFile>,
    /// The state that was published last.
    last: PublishedState,
}

/// A file, and whether it had a type when it was published.
struct SeenFile {
    file: Rc<File>,
    is_typed: bool,
}

impl Publisher {
    /// Returns the session's current state. O(files + sources), plus O(definitions) if one has changed. Converts only
    /// definitions that are new; if a file has changed, it converts all files again.
    pub fn publish(&mut self, session: &Session) -> PublishedState {
        let world = &session.world;
        let last = &self.last.0;
        let (mut definitions, mut files, mut bases) =
            (last.definitions.clone(), last.files.clone(), last.bases.clone());
        let environment = world.state.environment.borrow();
        if !environment.is_same(&self.environment) {
            for_each_change(&self.environment, &environment, |key, definition| match definition {
                Some(definition) => definitions.insert_mut(key.clone(), Arc::new(PlainDefinition::of(definition))),
                None => drop(definitions.remove_mut(key)),
            });
            self.environment = environment.clone();
        }
        let seen: Vec<SeenFile> = world
            .state
            .inputs
            .files
            .borrow()
            .values()
            .map(|file| SeenFile { file: file.clone(), is_typed: file.typed.borrow().is_some() })
            .collect();
        let mut pairs = seen.iter().zip(&self.files);
        let same = pairs.all(|(a, b)| Rc::ptr_eq(&a.file, &b.file) && a.is_typed == b.is_typed);
        if seen.len() != self.files.len() || !same {
            let all = seen.iter().map(|seen| (seen.file.key.clone(), Arc::new(PlainFile::of(&seen.file))));
            files = Arc::new(all.collect());
            bases = Arc::new(world.bases.borrow().clone());
            self.files = seen;
        }
        self.last = PublishedState(Arc::new(PlainState {
            definitions,
            files,
            sources: world.sources.borrow().clone(),
            bases,
            it: environment.it.clone(),
            portable: world.state.portable(),
        }));
        self.last.clone()
    }
}

/// Calls `report` for each key whose definition differs between two environments, in order, with the new definition
/// if there is one. O(keys).
fn for_each_change(old: &Environment, new: &Environment, mut report: impl FnMut(&Name, Option<&Definition>)) {
    let (mut before, mut after) = (old.iter().peekable(), new.iter().peekable());
    loop {
        let order = match (before.peek(), after.peek()) {
            (None, None) => return,
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some((old_key, _)), Some((new_key, _))) => old_key.cmp(new_key),
        };
        let old = before.next_if(|_| order.is_le());
        let new = after.next_if(|_| order.is_ge());
        match (old, new) {
            (Some((_, old)), Some((_, new))) if Rc::ptr_eq(old, new) => {}
            (_, Some((key, new))) => report(key, Some(new)),
            (Some((key, _)), None) => report(key, None),
            (None, None) => return,
        }
    }
}

impl Session {
    /// Creates a session that gets its state from another one. Files that the other session has read are not read again.
    pub fn replica(languages: Languages, loader: Box<dyn Loader>) -> Session {
        let session = Session::over(languages, loader, Interrupt::default());
        session.world.sources.replace(Sources::overlay());
        session
    }

    /// Sets a callback that is called before an expression of a cell is evaluated, after earlier definitions of the cell
    /// were made. It can update a replica.
    pub fn set_before_evaluation(&mut self, observer: super::Observer) {
        self.before_evaluation = Some(observer);
    }

    /// Replaces the state by that of the other session. O(1) if `known` is the state that was adopted last, otherwise
    /// O(definitions + texts).
    pub fn adopt(&mut self, known: &PublishedState) {
        let old = match self.adopted.replace(known.clone()) {
            Some(old) if Arc::ptr_eq(&old.0, &known.0) => return,
            Some(old) => old,
            None => PublishedState::default(),
        };
        let (old, new) = (&*old.0, &*known.0);
        self.world.sources.borrow_mut().adopt(&new.sources);
        self.adopt_settings(&new.portable);
        if !Arc::ptr_eq(&old.files, &new.files) {
            self.world.bases.borrow_mut().extend(new.bases.iter().map(|(id, folder)| (*id, folder.clone())));
            let files: Files = new.files.values().map(|read| Rc::new(read.file())).collect();
            self.world.state.inputs.files.replace(files);
            self.world.record_change_of_all();
        }
        let mut changed: Vec<Name> = Vec::new();
        for (key, definition) in new.definitions.iter() {
            if !old.definitions.get(key).is_some_and(|old_definition| Arc::ptr_eq(old_definition, definition)) {
                self.world.state.environment.borrow_mut().adopt(key.clone(), definition.definition());
                changed.push(key.clone());
            }
        }
        for key in old.definitions.keys().filter(|key| !new.definitions.contains_key(*key)) {
            self.world.state.environment.borrow_mut().remove(key);
            changed.push(key.clone());
        }
        self.world.record_change(&changed);
        self.world.forget(&changed);
        self.world.state.environment.borrow_mut().it.clone_from(&new.it);
    }

    fn adopt_settings(&mut self, portable: &Portable) {
        let externals = &portable.settings().inputs.externals;
        if self.settings().inputs.externals != *externals {
            self.world.state.inputs.externals.borrow_mut().clear();
            add_externals(&self.world, externals);
            self.world.record_change_of_all();
        }
        self.world.state.adopt(portable);
        // it is an answer about the state before
        self.why.answer = None;
    }
}

fn add_externals(world: &World, externals: &[ExternalOption]) {
    for external in externals {
        // the other session has accepted it already
        let _ = world.add_external(external.clone());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loader::NoLoader;
    use crate::session::Event;

    fn answers(session: &mut Session, text: &str) -> Vec<String> {
        let texts = session.submit(text).into_iter().filter_map(|event| match event {
            Event::Value { value, .. } => Some(value.text()),
            Event::Answer(text) | Event::Bound(text) => Some(text.text()),
            Event::Diagnostic { report, .. } => Some(report.text()),
            _ => None,
        });
        texts.collect()
    }

    /// The questions that both sessions must answer alike.
    const QUESTIONS: &[&str] =
        &[":type x.a", ":query x", ":explain x.a", ":explain x", ":doc x", ":info x", ":type it", ":deps y", ":env"];

    #[test]
    fn a_replica_answers_on_another_thread_as_the_session_does() {
        let mut session = Session::new(Box::new(NoLoader));
        let mut publisher = Publisher::default();
        let (ask, questions) = std::sync::mpsc::channel::<Option<PublishedState>>();
        let (send, answered) = std::sync::mpsc::channel();
        let replica = std::thread::spawn(move || {
            let mut replica = Session::replica(Languages::default(), Box::new(NoLoader));
            for known in questions.iter().map_while(|known| known) {
                replica.adopt(&known);
                let fields: Vec<String> = replica.complete("x.", 2).into_iter().map(|c| c.text).collect();
                let all: Vec<_> = QUESTIONS.iter().map(|question| answers(&mut replica, question)).collect();
                let _ = send.send((fields, all));
            }
        });
        for cell in [
            "let x = { a | Number | doc \"here\" | default = 1, b = a + 1 }",
            "let y = x.b * 2\ny",
            "x = x & { a = 7 }",
            "{ z = x.a }",
            "let f = fun n => n + 1",
            ":undo",
            ":undo",
            ":set show-elements 1",
            "let x = [1, 2, 3]",
            ":reset",
        ] {
            session.submit(cell);
            ask.send(Some(publisher.publish(&session))).unwrap();
            let fields: Vec<String> = session.complete("x.", 2).into_iter().map(|c| c.text).collect();
            let all: Vec<_> = QUESTIONS.iter().map(|question| answers(&mut session, question)).collect();
            assert_eq!(answered.recv().unwrap(), (fields, all), "after {cell}");
        }
        ask.send(None).unwrap();
        replica.join().unwrap();
    }
}
