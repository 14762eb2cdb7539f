//! What inference and evaluation ask of the session.

use super::World;
use super::anew::Key;
use super::given::To;
use crate::problem::Severity;
use crate::term::Import;
use crate::text::{Name, SourceId, Span};
use crate::value::trace::Origin;
use crate::value::{Fault, Machine, Outside, Thunk};
use std::rc::Rc;

/// The session as the machine sees it.
pub struct Globals(pub Rc<World>);

impl Outside for Globals {
    fn global(&self, machine: &mut Machine, name: &Name) -> Option<Thunk> {
        let key = self.0.key(name);
        if let Some(key) = key
            && let Some(definition) = self.0.definition(&key)
        {
            let origin = || Origin::Definition(key.clone());
            let anew = self.0.anew(machine, Key::Definition(key.clone()), &definition.term, origin);
            return Some(anew.unwrap_or_else(|| self.0.value(machine, &key, &definition)));
        }
        if let Some(thunk) = self.0.called_value(machine, name) {
            return Some(thunk);
        }
        (name == "std")
            .then(|| self.0.std.get_or_init(|| Thunk::lazy(|_| Ok(crate::dialect::cfg::library::value()))).clone())
    }

    fn jsonnet(&self, _machine: &mut Machine, source: SourceId) -> Option<Thunk> {
        if let Some(known) = self.0.jsonnet.borrow().get(&source) {
            return Some(known.clone());
        }
        let name = self.0.sources.borrow().get(source).map(|s| s.name.clone()).unwrap_or_default();
        let library = Thunk::done(crate::dialect::jsonnet::library::value(&name));
        self.0.jsonnet.borrow_mut().insert(source, library.clone());
        Some(library)
    }

    fn external(&self, machine: &mut Machine, name: &Name) -> Option<Thunk> {
        self.0.given_value(machine, To::Variable, name)
    }

    fn bound_to(&self, span: Span) -> Option<(Name, Span)> {
        let environment = self.0.environment.borrow();
        let (_, found) = environment.iter().find(|(_, d)| d.kept.is_none() && d.term.span(d.term.root) == span)?;
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

    fn import(&self, machine: &mut Machine, import: &Import, span: Span) -> Result<Thunk, Fault> {
        let file = self.0.import_file(import, span).map_err(Fault::of)?;
        if let Some(problem) = file.problems.iter().find(|p| p.severity == Severity::Error) {
            return Err(Fault::of(problem.clone()));
        }
        let origin = || Origin::Import(import.path.clone());
        if let Some(thunk) = self.0.anew(machine, Key::File(Rc::as_ptr(&file) as usize), &file.term, origin) {
            return Ok(thunk);
        }
        let mut thunk = file.thunk.borrow_mut();
        Ok(thunk.get_or_insert_with(|| machine.imported(&file.term)).clone())
    }
}
