//! A copy of the session on another thread, which answers questions while the session evaluates.
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
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;

/// The state of a session as plain data. A clone is cheap, because all of it is shared.
#[derive(Clone, Default)]
pub struct Published(Arc<Facts>);

#[derive(Clone)]
struct Facts {
    definitions: RedBlackTreeMapSync<Name, Arc<PlainDefinition>>,
    files: Arc<BTreeMap<FileKey, Arc<PlainFile>>>,
    sources: Sources,
    bases: Arc<FxHashMap<SourceId, PathBuf>>,
    it: Option<Name>,
    rest: Portable,
}

impl Default for Facts {
    fn default() -> Facts {
        Facts {
            definitions: RedBlackTreeMapSync::new_sync(),
            files: Arc::default(),
            sources: Sources::default(),
            bases: Arc::default(),
            it: None,
            rest: SessionState::new(Dialect::default(), Vec::new()).portable(),
        }
    }
}

/// The result of inference.
#[derive(Clone)]
struct Finished {
    scheme: Arc<Scheme>,
    problems: Vec<Problem>,
    suspected: Vec<Problem>,
}

impl Finished {
    fn of(typed: &Typed) -> Finished {
        let Typed { scheme, problems, suspected } = typed;
        Finished { scheme: scheme.clone(), problems: problems.clone(), suspected: suspected.clone() }
    }

    fn typed(&self) -> Rc<Typed> {
        let Finished { scheme, problems, suspected } = self.clone();
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
    typed: Finished,
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
            typed: Finished::of(typed),
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
    typed: Option<Finished>,
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
            typed: file.typed.borrow().as_deref().map(Finished::of),
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
            typed: RefCell::new(self.typed.as_ref().map(Finished::typed)),
            thunk: RefCell::default(),
        }
    }
}

/// Converts a session's state to plain data for replicas, incrementally.
#[derive(Default)]
pub struct Publisher {
    environment: Environment,
    files: Vec<(Rc<File>, bool)>,
    known: Published,
}

impl Publisher {
    /// Returns the session's current state. Compares O(definitions) pointers if some have changed, and copies only what is
    /// new.
    pub fn look(&mut self, session: &Session) -> Published {
        let world = &session.world;
        let mut facts = (*self.known.0).clone();
        {
            let environment = world.state.environment.borrow();
            if !environment.is_same(&self.environment) {
                changes(&self.environment, &environment, |key, now| match now {
                    Some(definition) => {
                        facts.definitions.insert_mut(key.clone(), Arc::new(PlainDefinition::of(definition)))
                    }
                    None => drop(facts.definitions.remove_mut(key)),
                });
                self.environment = environment.clone();
            }
            facts.it.clone_from(&environment.it);
        }
        let files: Vec<(Rc<File>, bool)> = world
            .state
            .inputs
            .files
            .borrow()
            .values()
            .map(|file| (file.clone(), file.typed.borrow().is_some()))
            .collect();
        let mut pairs = files.iter().zip(&self.files);
        let same = pairs.all(|((a, typed_a), (b, typed_b))| Rc::ptr_eq(a, b) && typed_a == typed_b);
        if files.len() != self.files.len() || !same {
            let all = files.iter().map(|(file, _)| (file.key.clone(), Arc::new(PlainFile::of(file))));
            facts.files = Arc::new(all.collect());
            facts.bases = Arc::new(world.bases.borrow().clone());
            self.files = files;
        }
        facts.sources = world.sources.borrow().clone();
        facts.rest = world.state.portable();
        self.known = Published(Arc::new(facts));
        self.known.clone()
    }
}

/// Calls `tell` for each key whose definition differs between two environments, sorted. O(keys).
fn changes(old: &Environment, new: &Environment, mut report: impl FnMut(&Name, Option<&Definition>)) {
    let (mut before, mut after) = (old.iter().peekable(), new.iter().peekable());
    loop {
        match (before.peek(), after.peek()) {
            (None, None) => return,
            (Some((key, _)), next) if next.is_none_or(|(new, _)| key < new) => {
                report(key, None);
                before.next();
            }
            (Some((key, was)), Some((new, is))) if key == new => {
                if !Rc::ptr_eq(was, is) {
                    report(new, Some(is));
                }
                before.next();
                after.next();
            }
            (_, Some((key, is))) => {
                report(key, Some(is));
                after.next();
            }
            (Some(_), None) => return,
        }
    }
}

impl Session {
    /// Creates a session that gets its state from another one. It does not read files again that the other session has read.
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

    /// Replaces the state by that of the other session. Compares O(definitions) pointers if some have changed. O(number of
    /// texts).
    pub fn adopt(&mut self, known: &Published) {
        let old = match self.known.replace(known.clone()) {
            Some(old) if Arc::ptr_eq(&old.0, &known.0) => return,
            Some(old) => old,
            None => Published::default(),
        };
        let (old, new) = (&*old.0, &*known.0);
        self.world.sources.borrow_mut().adopt(&new.sources);
        self.adopt_options(&new.rest);
        if !Arc::ptr_eq(&old.files, &new.files) {
            self.world.bases.borrow_mut().extend(new.bases.iter().map(|(id, folder)| (*id, folder.clone())));
            let files: Files = new.files.values().map(|read| Rc::new(read.file())).collect();
            self.world.state.inputs.files.replace(files);
            self.world.change_all();
        }
        let mut changed: Vec<Name> = Vec::new();
        for (key, meaning) in new.definitions.iter() {
            if !old.definitions.get(key).is_some_and(|was| Arc::ptr_eq(was, meaning)) {
                self.world.state.environment.borrow_mut().adopt(key.clone(), meaning.definition());
                changed.push(key.clone());
            }
        }
        for key in old.definitions.keys().filter(|key| !new.definitions.contains_key(*key)) {
            self.world.state.environment.borrow_mut().remove(key);
            changed.push(key.clone());
        }
        self.world.change(&changed);
        self.world.forget(&changed);
        self.world.state.environment.borrow_mut().it.clone_from(&new.it);
    }

    fn adopt_options(&mut self, rest: &Portable) {
        let externals = &rest.settings().inputs.externals;
        if self.settings().inputs.externals != *externals {
            self.world.state.inputs.externals.borrow_mut().clear();
            give_all(&self.world, externals);
            self.world.change_all();
        }
        self.world.state.adopt(rest);
        self.last_why = None;
    }
}

fn give_all(world: &World, externals: &[ExternalOption]) {
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
    fn a_twin_answers_on_another_thread_as_the_session_does() {
        let mut session = Session::new(Box::new(NoLoader));
        let mut publisher = Publisher::default();
        let (ask, questions) = std::sync::mpsc::channel::<Option<Published>>();
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
            ask.send(Some(publisher.look(&session))).unwrap();
            let fields: Vec<String> = session.complete("x.", 2).into_iter().map(|c| c.text).collect();
            let all: Vec<_> = QUESTIONS.iter().map(|question| answers(&mut session, question)).collect();
            assert_eq!(answered.recv().unwrap(), (fields, all), "after {cell}");
        }
        ask.send(None).unwrap();
        replica.join().unwrap();
    }
}
