//! A slice: a program and everything that it reads, parts of which can be replaced by holes and inferred again.
//!
//! Inference knows nothing about a hole and reports nothing about it.

use super::World;
use super::environment::Typed;
use super::files::FileKey;
use super::typing::SessionScope;
use crate::infer::{self, InferHost, Inferred, LibraryItem, Options, PartialCall};
use crate::problem::Problem;
use crate::term::{Import, Node, NodeId, Rules, Term, rules};
use crate::text::{Name, Span};
use crate::ty::{DynReason, Scheme, Ty};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

/// The way in which other terms refer to a term of the slice.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum TermKey {
    Definition(Name),
    File(FileKey),
}

/// A term of the slice: the program itself, a definition of the session, or a file.
struct SliceTerm {
    key: Option<TermKey>,
    term: Arc<Term>,
    hidden: FxHashMap<NodeId, Node>,
    /// The terms that read it.
    readers: Vec<usize>,
    typed: RefCell<Option<Rc<Typed>>>,
    running: Cell<bool>,
}

/// A program and what it reads. Term 0 is the program. Apart from cycles, a term comes before those that it reads.
pub(crate) struct Slice<'w> {
    world: &'w World,
    parts: Vec<SliceTerm>,
    reads: Vec<FxHashMap<NodeId, usize>>,
}

impl<'w> Slice<'w> {
    /// Creates a slice with no holes. Reads imported files; infers nothing. O(size of all terms).
    pub fn new(world: &'w World, root: &Arc<Term>) -> Slice<'w> {
        // depth first: reverse post-order is the order of dependency
        let mut found: Vec<(Option<TermKey>, Arc<Term>)> = vec![(None, root.clone())];
        let mut known: Vec<(TermKey, usize)> = Vec::new();
        let mut reads: Vec<FxHashMap<NodeId, usize>> = vec![FxHashMap::default()];
        let mut left = Vec::new();
        let mut work: Vec<(usize, usize)> = vec![(0, 0)];
        while let Some((part, from)) = work.pop() {
            let term = found.get(part).map(|(_, term)| term.clone()).unwrap_or_else(|| root.clone());
            let mut entered = None;
            for at in from..term.nodes.len() {
                let id = NodeId(at as u32);
                let Some((key, read)) = world.read_by(&term, id) else { continue };
                let index = known.iter().find(|(k, _)| *k == key).map(|(_, index)| *index);
                let index = index.unwrap_or_else(|| {
                    found.push((Some(key.clone()), read));
                    reads.push(FxHashMap::default());
                    known.push((key, found.len() - 1));
                    entered = Some(found.len() - 1);
                    found.len() - 1
                });
                if let Some(reads) = reads.get_mut(part) {
                    reads.insert(id, index);
                }
                if let Some(entered) = entered {
                    work.push((part, at + 1));
                    work.push((entered, 0));
                    break;
                }
            }
            if entered.is_none() {
                left.push(part);
            }
        }
        left.reverse();
        let place: FxHashMap<usize, usize> = left.iter().enumerate().map(|(new, old)| (*old, new)).collect();
        let mut parts: Vec<SliceTerm> = Vec::with_capacity(left.len());
        let mut ordered = Vec::with_capacity(left.len());
        for old in &left {
            let Some((key, term)) = found.get(*old).cloned() else { continue };
            let typed = RefCell::new(key.as_ref().and_then(|key| world.known_type(key)));
            parts.push(SliceTerm {
                key,
                term,
                hidden: FxHashMap::default(),
                readers: Vec::new(),
                typed,
                running: Cell::new(false),
            });
            let read =
                reads.get(*old).map(|r| r.iter().filter_map(|(id, old)| Some((*id, *place.get(old)?))).collect());
            ordered.push(read.unwrap_or_default());
        }
        for (reader, reads) in ordered.iter().enumerate() {
            let all: FxHashSet<usize> = FxHashMap::values(reads).copied().collect();
            for read in all {
                if let Some(part) = parts.get_mut(read) {
                    part.readers.push(reader);
                }
            }
        }
        Slice { world, parts, reads: ordered }
    }

    /// The number of terms.
    pub fn len(&self) -> usize {
        self.parts.len()
    }

    /// Returns a term, with its holes.
    pub fn term(&self, part: usize) -> Option<&Arc<Term>> {
        self.parts.get(part).map(|p| &p.term)
    }

    /// Returns the term that a node reads, if the node is a name or an import.
    pub fn read(&self, part: usize, node: NodeId) -> Option<usize> {
        self.reads.get(part)?.get(&node).copied()
    }

    /// Replaces nodes by holes. Copies the term the first time.
    pub fn hide(&mut self, part: usize, nodes: &[NodeId]) {
        let Some(p) = self.parts.get_mut(part) else { return };
        if Arc::get_mut(&mut p.term).is_none() {
            p.term = Arc::new(Term::clone(&p.term));
        }
        let Some(term) = Arc::get_mut(&mut p.term) else { return };
        for id in nodes {
            if let Some(node) = term.nodes.get_mut(id.0 as usize)
                && !p.hidden.contains_key(id)
            {
                p.hidden.insert(*id, std::mem::replace(node, Node::Hole));
            }
        }
        self.touched(part);
    }

    /// Restores nodes that were replaced by holes.
    pub fn show(&mut self, part: usize, nodes: &[NodeId]) {
        let Some(p) = self.parts.get_mut(part) else { return };
        let Some(term) = Arc::get_mut(&mut p.term) else { return };
        for id in nodes {
            if let Some(node) = p.hidden.remove(id)
                && let Some(slot) = term.nodes.get_mut(id.0 as usize)
            {
                *slot = node;
            }
        }
        self.touched(part);
    }

    /// Replaces a term.
    pub fn replace(&mut self, part: usize, term: Arc<Term>) {
        if let Some(p) = self.parts.get_mut(part) {
            p.term = term;
            p.hidden.clear();
        }
        self.touched(part);
    }

    /// Forgets the types of a term and of its readers.
    fn touched(&self, part: usize) {
        let mut seen = FxHashSet::default();
        let mut work = vec![part];
        while let Some(at) = work.pop() {
            if let Some(p) = self.parts.get(at).filter(|_| seen.insert(at)) {
                p.typed.replace(None);
                work.extend(&p.readers);
            }
        }
    }

    /// Infers a term in its current form.
    pub fn typed(&self, part: usize) -> Rc<Typed> {
        let Some(p) = self.parts.get(part) else {
            let scheme = Arc::new(Scheme::mono(Ty::Bottom.into()));
            return Rc::new(Typed { scheme, problems: Vec::new(), suspected: Vec::new() });
        };
        if let Some(typed) = &*p.typed.borrow() {
            return typed.clone();
        }
        let inferred = self.inferred(part, Options::default());
        let typed =
            Rc::new(Typed { scheme: inferred.scheme, problems: inferred.problems, suspected: inferred.suspected });
        p.typed.replace(Some(typed.clone()));
        typed
    }

    /// Infers a term in its current form, with the given options.
    pub fn inferred(&self, part: usize, options: Options<'_>) -> Inferred {
        let Some(p) = self.parts.get(part) else {
            return infer::infer(&super::files::nothing(), &mut SessionScope(self.world), options);
        };
        p.running.set(true);
        let inferred = infer::infer(&p.term, &mut SliceScope(self), options);
        p.running.set(false);
        inferred
    }

    /// Returns the rules that the program follows. If the program is only a path into another term, those of that term.
    pub fn rules(&self) -> &'static Rules {
        let own = |p: &&SliceTerm| *p.term.rules != rules::CORE;
        self.parts.iter().take(2).find(own).map_or(&rules::CORE, |p| p.term.rules)
    }

    /// Returns `true` if the user has interrupted.
    pub fn is_stopped(&self) -> bool {
        self.world.interrupt.is_raised()
    }

    fn part_of(&self, key: &TermKey) -> Option<(usize, &SliceTerm)> {
        self.parts.iter().enumerate().find(|(_, p)| p.key.as_ref() == Some(key))
    }
}

/// The names that are visible in the terms of a slice.
struct SliceScope<'m, 'w>(&'m Slice<'w>);

impl InferHost for SliceScope<'_, '_> {
    fn global(&mut self, name: &Name) -> Option<Arc<Scheme>> {
        let part = self.0.world.key(name).and_then(|key| self.0.part_of(&TermKey::Definition(key)));
        match part {
            Some((at, part)) if !part.running.get() => Some(self.0.typed(at).scheme.clone()),
            _ => SessionScope(self.0.world).global(name),
        }
    }

    fn library(&mut self, path: &[Name]) -> Option<LibraryItem> {
        SessionScope(self.0.world).library(path)
    }

    fn call(&mut self, path: &[Name], call: &PartialCall) -> Option<Result<Arc<Scheme>, Name>> {
        SessionScope(self.0.world).call(path, call)
    }

    fn import(&mut self, import: &Import, span: Span) -> Result<Arc<Scheme>, Problem> {
        let file = self.0.world.import_file(import, span)?;
        match self.0.part_of(&TermKey::File(file.key.clone())) {
            Some((_, part)) if part.running.get() => Ok(Arc::new(Scheme::mono(Ty::Dyn(DynReason::Cycle(span)).into()))),
            Some((at, _)) => Ok(self.0.typed(at).scheme.clone()),
            None => SessionScope(self.0.world).import(import, span),
        }
    }

    fn external(&mut self, name: &Name) -> Option<Arc<Scheme>> {
        SessionScope(self.0.world).external(name)
    }

    fn interrupted(&self, steps: usize) -> bool {
        self.0.world.interrupt.is_raised_after(steps)
    }

    fn expect(&self, bytes: u64) {
        self.0.world.interrupt.stop().expect(bytes);
    }
}

impl World {
    /// Returns the definition or file that a node reads.
    fn read_by(&self, term: &Term, id: NodeId) -> Option<(TermKey, Arc<Term>)> {
        match term.node(id) {
            Node::Global(name) => {
                let key = self.key(name)?;
                let term = self.state.environment.borrow().get(&key)?.term.clone();
                Some((TermKey::Definition(key), term))
            }
            Node::Import(import) => {
                let file = self.import_file(import, term.span(id)).ok()?;
                Some((TermKey::File(file.key.clone()), file.term.clone()))
            }
            _ => None,
        }
    }

    fn known_type(&self, key: &TermKey) -> Option<Rc<Typed>> {
        match key {
            TermKey::Definition(key) => self.typed(key),
            TermKey::File(key) => {
                self.state.inputs.files.borrow().get(key).and_then(|file| file.typed.borrow().clone())
            }
        }
    }
}
