//! Asking a question again after an edit, to find out what the edit would change. A separate session with a loader that
//! shows the edited text answers it.

use super::request::{Action, Input, Request};
use super::{Session, run};
use crate::answer::fixes::{Edit, EditTarget, Reevaluate};
use crate::dialect::Dialect;
use crate::loader::{Loader, Memory, MemoryGauge};
use crate::problem::Severity;
use crate::state::Workspace;
use crate::state::World;
use crate::state::snapshots::Snapshot;
use crate::term::{Node, Term};
use crate::text::{Name, SourceId};
use crate::value::Thunk;
use crate::value::machine::Limits;
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

/// Maximum number of evaluation steps for trying an edit.
const STEPS: u64 = 20_000_000;

/// A loader that shows another text for edited files.
struct Overlay {
    world: Rc<World>,
    edited: Vec<(PathBuf, String)>,
}

impl Loader for Overlay {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.read_until(path, &|| false)
    }

    fn read_until(&self, path: &Path, stop: &dyn Fn() -> bool) -> io::Result<Vec<u8>> {
        let canonical = self.canonical(path).ok();
        if let Some((_, text)) = self.edited.iter().find(|(edited, _)| Some(edited) == canonical.as_ref()) {
            return Ok(text.clone().into_bytes());
        }
        // show files as the session has read them, even if they changed on disk
        let known = canonical.and_then(|canonical| self.world.text_of_file(&canonical));
        match known {
            Some(text) => Ok(text.as_bytes().to_vec()),
            None => self.world.loader.read_until(path, stop),
        }
    }

    fn canonical(&self, path: &Path) -> io::Result<PathBuf> {
        self.world.loader.canonical(path)
    }

    fn env(&self, name: &str) -> Option<String> {
        self.world.loader.env(name)
    }

    fn vars(&self) -> Vec<(String, String)> {
        self.world.loader.vars()
    }

    fn list(&self, path: &Path) -> Vec<String> {
        self.world.loader.list(path)
    }

    fn stamp(&self, path: &Path) -> Option<u64> {
        self.world.loader.stamp(path)
    }

    fn memory(&self) -> Option<Memory> {
        self.world.loader.memory()
    }

    fn memory_gauge(&self) -> Option<MemoryGauge> {
        self.world.loader.memory_gauge()
    }
}

/// Everything needed to ask a question again.
pub(super) struct Replay {
    world: Rc<World>,
    /// The language of the question.
    dialect: Dialect,
    limits: Limits,
    request: Option<Rc<Request>>,
}

impl Session {
    /// Collects what is needed to ask the current question again.
    pub(super) fn replay(&self, dialect: Dialect) -> Replay {
        Replay {
            dialect,
            world: self.world.clone(),
            limits: self.workspace.machine.limits,
            request: self.request.clone(),
        }
    }
}

impl Reevaluate for Replay {
    fn with_edits(&self, target: EditTarget<'_>, edits: &[Edit], layers: bool) -> Option<(Workspace, Thunk)> {
        let term = match target {
            EditTarget::Request => return self.request_with_edits(edits, layers),
            EditTarget::Term(term) => term,
        };
        let (mut workspace, term) = self.expression_with_edits(term, edits)?;
        let root = workspace.machine().thunk(&term);
        Some((workspace, root))
    }

    fn expression_with_edits(&self, term: &Arc<Term>, edits: &[Edit]) -> Option<(Workspace, Arc<Term>)> {
        let Edited { files, texts } = self.edited(edits)?;
        let mut copy = self.empty_copy(Box::new(Overlay { world: self.world.clone(), edited: files }));
        self.enter(&mut copy, term, &texts)?;
        let term = self.expression_again(&copy, term, &texts)?;
        Some((copy.workspace, term))
    }

    fn merges_without_order(&self, target: EditTarget<'_>) -> bool {
        let plain = |request: &Rc<Request>| matches!(request.action, Action::Merge { layers: false, .. });
        matches!(target, EditTarget::Request) && self.request.as_ref().is_some_and(plain)
    }
}

/// The texts that edits change, as they are after the edits.
struct Edited {
    files: Vec<(PathBuf, String)>,
    texts: Vec<(SourceId, String)>,
}

impl Replay {
    /// Applies edits to their texts. `None` if one of them is outside of its text.
    fn edited(&self, edits: &[Edit]) -> Option<Edited> {
        let mut changed: Vec<(SourceId, String)> = Vec::new();
        // from the end of the text, so that earlier positions stay valid
        let mut edits: Vec<&Edit> = edits.iter().collect();
        edits.sort_by_key(|edit| std::cmp::Reverse(edit.span.start));
        for edit in edits {
            let source = edit.span.source;
            match changed.iter_mut().find(|(known, _)| *known == source) {
                Some((_, text)) => *text = edited(text, edit)?,
                None => changed.push((source, edited(&self.world.text_of(source)?, edit)?)),
            }
        }
        let (files, texts): (Vec<_>, Vec<_>) =
            changed.into_iter().partition(|(source, _)| self.world.path_of(*source).is_some());
        let files = files.into_iter().filter_map(|(source, text)| Some((self.world.path_of(source)?, text))).collect();
        Some(Edited { files, texts })
    }

    /// Returns a copy of the workspace with the edits, and the value of the request in it.
    fn request_with_edits(&self, edits: &[Edit], layers: bool) -> Option<(Workspace, Thunk)> {
        let Edited { files, texts } = self.edited(edits)?;
        let mut copy = self.empty_copy(Box::new(Overlay { world: self.world.clone(), edited: files }));
        let mut request = (**self.request.as_ref()?).clone();
        for (source, text) in texts {
            let name = self.world.sources.borrow().get(source)?.name.clone();
            let input = request.inputs.iter_mut().find_map(|input| match input {
                Input::Text { name: own, text } if own.as_str() == &*name => Some(text),
                _ => None,
            })?;
            *input = text.into_bytes();
        }
        if layers {
            layered(&mut request);
        }
        let root = run::root(&mut copy, &request)?;
        Some((copy.workspace, root))
    }

    /// Returns an expression as it is in the copy: its text is a source there, and is parsed again if it was edited.
    fn expression_again(&self, copy: &Session, term: &Arc<Term>, texts: &[(SourceId, String)]) -> Option<Arc<Term>> {
        let place = term.span(term.root);
        let Some(old) = self.world.text_of(place.source) else { return Some(term.clone()) };
        let name = self.world.sources.borrow().get(place.source)?.name.clone();
        let edited = texts.iter().find(|(source, _)| *source == place.source).map(|(_, text)| text.as_str());
        let source = copy.world.sources.borrow_mut().add(name, edited.unwrap_or(&old));
        let Some(text) = edited else {
            let mut moved = Term::clone(term);
            for span in moved.spans.iter_mut().filter(|span| span.source == place.source) {
                span.source = source;
            }
            return Some(Arc::new(moved));
        };
        let end = (place.end as usize + text.len()).checked_sub(old.len())?;
        let inner = text.get(place.start as usize..end)?;
        let blanked = [&" ".repeat(place.start as usize), inner].concat();
        let program = self.dialect.program(source, &blanked, &*copy.world);
        program.problems.iter().all(|p| p.severity != Severity::Error).then_some(program.term)
    }

    /// Creates an empty session that sees other texts in files, by their canonical paths.
    pub(super) fn overlaid(&self, edited: Vec<(PathBuf, String)>) -> Session {
        self.empty_copy(Box::new(Overlay { world: self.world.clone(), edited }))
    }

    /// Creates an empty session with the same options and the same interrupt flag.
    fn empty_copy(&self, loader: Box<dyn Loader>) -> Session {
        let mut copy = Session::over(self.world.languages.get(), loader, self.world.interrupt.clone());
        copy.world.state.adopt(&self.world.state.portable());
        copy.set_next_number(1);
        copy.workspace.machine.limits = self.limits;
        let steps = copy.workspace.machine.limits.steps.map_or(STEPS, |steps| steps.min(STEPS));
        copy.workspace.machine.limits.steps = Some(steps);
        copy.world.state.inputs.externals.replace(self.world.state.inputs.externals.borrow().clone());
        copy.world.forget_externals();
        copy
    }

    /// Replays what a term reads: the loaded files, and the cells.
    fn enter(&self, copy: &mut Session, term: &Term, changed: &[(SourceId, String)]) -> Option<()> {
        for path in super::load::paths(&self.world.state.loaded.borrow()) {
            copy.load(self.dialect, &path);
        }
        // sorted by number: a cell that was run again has a new one
        let mut cells: BTreeMap<u32, SourceId> = BTreeMap::new();
        let globals = term.nodes.iter().filter_map(|node| match node {
            Node::Global(name) => Some((name.clone(), None)),
            _ => None,
        });
        // with the snapshot of the result that reads it, if any
        let mut work: Vec<(Name, Option<Rc<Snapshot>>)> = globals.collect();
        let mut seen: FxHashSet<u32> = FxHashSet::default();
        while let Some((key, mut snapshot)) = work.pop() {
            let found = match &snapshot {
                Some(snapshot) => snapshot.definition(&key).map(|(_, definition)| definition),
                None => self.world.key(&key).and_then(|key| self.world.definition(&key)),
            };
            let Some(definition) = found.filter(|definition| seen.insert(definition.id)) else { continue };
            if let Some(kept) = &definition.kept {
                snapshot = self.world.snapshot_at(kept.revision);
            }
            work.extend(definition.uses.iter().map(|used| (used.clone(), snapshot.clone())));
            if definition.cell > 0 {
                cells.insert(definition.cell, definition.term.span(definition.term.root).source);
            }
        }
        let sources = self.world.sources.borrow();
        for (number, source) in cells {
            let own = sources.get(source)?.text.clone();
            let text = changed.iter().find(|(edited, _)| *edited == source).map_or(&*own, |(_, text)| text.as_str());
            copy.set_next_number(number);
            copy.cell(self.world.dialect_of(source).unwrap_or(self.dialect), text);
        }
        Some(())
    }
}

/// Applies an edit to a text.
fn edited(text: &str, edit: &Edit) -> Option<String> {
    let (before, after) = (text.get(..edit.span.start as usize)?, text.get(edit.span.end as usize..)?);
    Some([before, &edit.text, after].concat())
}

fn layered(request: &mut Request) {
    if let Action::Merge { layers, .. } = &mut request.action {
        *layers = true;
    }
}
