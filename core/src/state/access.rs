//! The session as seen by the evaluator: names, imports, external variables.

use super::World;
use super::external::Target;
use super::files::File;
use super::fresh::Key;
use super::snapshots::Snapshot;
use crate::problem::{Problem, Severity};
use crate::term::rules::is_file_library;
use crate::term::{Import, NodeId, Term};
use crate::text::{Name, SourceId, Span};
use crate::value::trace::Origin;
use crate::value::{Fault, Host, Machine, Revision, Thunk};
use std::rc::Rc;
use std::sync::Arc;

impl World {
    /// Returns the file that an import referred to in a snapshot. A file that was not read then is read now.
    fn file_at(&self, snapshot: &Snapshot, import: &Import, span: Span) -> Result<Rc<File>, Problem> {
        let found = |world: &World| world.import_file(import, span);
        let was = self.with_inputs_of(snapshot, || {
            let known = self.state.inputs.files.borrow().clone();
            (found(self), known)
        });
        match was {
            (Ok(file), known) if known.get(&file.key).is_some() => Ok(file),
            (Err(problem), known) if known.missed(&problem) => Err(problem),
            (was, _) => match found(self) {
                // it gets a separate value: its imports are those of the snapshot
                Ok(file) => {
                    let file = Rc::new(file.without_results());
                    self.with_inputs_of(snapshot, || self.state.inputs.files.borrow_mut().insert(file.clone()));
                    Ok(file)
                }
                Err(_) => was,
            },
        }
    }

    /// Returns the value of an external variable in a snapshot.
    fn external_at(&self, machine: &mut Machine, snapshot: &Snapshot, name: &Name) -> Option<Thunk> {
        let file = match self.with_inputs_of(snapshot, || self.external_file(Target::Variable, name))? {
            Ok(file) => file,
            Err(problem) => return Some(Thunk::failed(Fault::of(problem))),
        };
        self.value_of_external(machine, &file, name, snapshot.revision())
    }
}

/// Implements the evaluator's view of the session.
pub struct Globals(pub Rc<World>);

impl Host for Globals {
    fn now(&self) -> Revision {
        self.0.now()
    }

    fn global(&self, machine: &mut Machine, revision: Revision, name: &Name) -> Option<Thunk> {
        let world = &*self.0;
        let traced = world.fresh.borrow().is_some();
        if !traced && let Some(known) = world.value_at(name, revision) {
            return Some(known);
        }
        let now = world.key(name).and_then(|key| Some((world.definition(&key)?, key)));
        let current = revision >= world.now();
        let unchanged = now.as_ref().is_some_and(|(_, key)| current || world.last_change(key) <= revision);
        if !unchanged
            && let Some(snapshot) = world.snapshot_at(revision)
            && let Some((key, definition)) = snapshot.definition(name)
        {
            if traced && now.is_some() && world.is_same_in(&snapshot, &key) {
                // readers from then and from now read the same definition
                let now = world.definition(&key).unwrap_or(definition);
                return world.fresh_definition(machine, &key, &now);
            }
            let made = definition.kept.as_ref().map_or(snapshot.revision(), |kept| kept.revision);
            let origin = || Origin::Definition(key.clone());
            let fresh =
                world.fresh_value(machine, Key::Definition(Some(made), key.clone()), (&definition.term, made), origin);
            return Some(fresh.unwrap_or_else(|| world.value_in(machine, &snapshot, &key, &definition)));
        }
        if let Some((definition, key)) = now {
            let fresh = world.fresh_definition(machine, &key, &definition);
            let revision = if unchanged { revision } else { world.now() };
            return Some(fresh.unwrap_or_else(|| world.value_for(machine, &key, &definition, revision)));
        }
        world.called_value(machine, name)
    }

    fn library(&self, _: &mut Machine, root: &Name, revision: Revision, source: SourceId) -> Option<Thunk> {
        let world = &*self.0;
        if !is_file_library(root) {
            let library = world.languages.get().library(root)?;
            let mut known = world.libraries.borrow_mut();
            let value = move |_: &mut Machine| Ok(library.value("", Revision::default()).0);
            return Some(known.entry(root.clone()).or_insert_with(|| Thunk::lazy(value)).clone());
        }
        // only external variables make one revision's library differ from another's
        let old = world.snapshot_of_inputs(revision).map(|snapshot| snapshot.revision());
        let key = (root.clone(), source, old);
        if let Some(known) = world.file_libraries.borrow().get(&key) {
            return Some(known.clone());
        }
        let library = world.languages.get().library(root)?;
        let name = world.sources.borrow().get(source).map(|s| s.name.clone()).unwrap_or_default();
        let revision = old.unwrap_or_else(|| world.last_change_of_inputs());
        let value = Thunk::done(library.value(&name, revision).0);
        world.file_libraries.borrow_mut().insert(key, value.clone());
        Some(value)
    }

    fn external(&self, machine: &mut Machine, revision: Revision, name: &Name) -> Option<Thunk> {
        match self.0.snapshot_of_inputs(revision) {
            Some(snapshot) => self.0.external_at(machine, &snapshot, name),
            None => self.0.external_value(machine, Target::Variable, name),
        }
    }

    fn type_of(&self, term: &Arc<Term>, node: NodeId) -> Option<Arc<crate::ty::Scheme>> {
        self.0.node_type(term, node)
    }

    fn bound_to(&self, span: Span) -> Option<(Name, Span)> {
        let environment = self.0.state.environment.borrow();
        // an older result may read a definition that was replaced since
        let mut all = environment.iter().map(|(_, definition)| definition).chain(environment.all_replaced());
        let found = all.find(|d| d.kept.is_none() && d.term.span(d.term.root) == span)?;
        super::is_written(&found.name).then(|| Some((found.name.clone(), found.span?))).flatten()
    }

    fn line(&self, span: Span) -> Option<String> {
        let sources = self.0.sources.borrow();
        let source = sources.get(span.source)?;
        Some(format!("{}:{}", source.name, source.position(span.start).line))
    }

    fn memory(&self) -> Option<crate::loader::Memory> {
        self.0.loader.memory()
    }

    fn import(&self, machine: &mut Machine, revision: Revision, import: &Import, span: Span) -> Result<Thunk, Fault> {
        let world = &*self.0;
        let snapshot = world.snapshot_of_inputs(revision);
        let file = match &snapshot {
            Some(snapshot) => world.file_at(snapshot, import, span),
            None => world.import_file(import, span),
        };
        let file = file.map_err(Fault::of)?;
        if let Some(problem) = file.problems.iter().find(|p| p.severity == Severity::Error) {
            return Err(Fault::of(world.shown_problem(&file, problem)));
        }
        let made = snapshot.as_ref().map_or_else(|| world.last_change_of_inputs(), |snapshot| snapshot.revision());
        let (key, origin) = (Key::File(Rc::as_ptr(&file) as usize), || Origin::Import(import.path.clone()));
        if let Some(thunk) = world.fresh_value(machine, key, (&file.term, made), origin) {
            return Ok(thunk);
        }
        let mut thunk = file.thunk.borrow_mut();
        Ok(thunk.get_or_insert_with(|| machine.imported_of(&file.term, made)).clone())
    }
}
