//! The inputs of a result that have changed since it was computed.

use super::World;
use super::environment::{Environment, is_written};
use super::files::{File, FileKey};
use super::snapshots::Snapshot;
use crate::term::rules::is_file_library;
use crate::term::{Import, Node, Term};
use crate::text::{Name, Span};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

/// The changes, sorted and without duplicates.
#[derive(Default, Debug)]
pub(crate) struct ChangedInputs {
    /// Names that were redefined.
    pub names: Vec<Name>,
    /// Files that were read again with another text.
    pub files: Vec<Name>,
    /// External variables whose value changed.
    pub variables: Vec<Name>,
}

impl ChangedInputs {
    /// Returns `true` if nothing has changed.
    pub fn is_nothing(&self) -> bool {
        self.names.is_empty() && self.files.is_empty() && self.variables.is_empty()
    }

    fn in_order(mut self) -> ChangedInputs {
        for all in [&mut self.names, &mut self.files, &mut self.variables] {
            all.sort();
            all.dedup();
        }
        self
    }
}

impl World {
    /// Lists the names, files and external variables that a result was computed from, directly or indirectly, and that have
    /// changed since. Linear in the number of names and files that it was computed from. Reads no files.
    pub(crate) fn since(&self, result: &Name) -> ChangedInputs {
        let Some(definition) = self.definition(result) else { return ChangedInputs::default() };
        let Some(kept) = &definition.kept else { return ChangedInputs::default() };
        let Some(snapshot) = self.snapshot_at(kept.revision).filter(|snapshot| snapshot.revision() == kept.revision)
        else {
            return ChangedInputs {
                names: newer(&self.state.environment.borrow(), result),
                ..ChangedInputs::default()
            };
        };
        let mut out = ChangedInputs::default();
        let mut terms = vec![definition.term.clone()];
        let mut seen: FxHashSet<Name> = FxHashSet::default();
        let mut work: Vec<Name> = definition.uses.to_vec();
        while let Some(key) = work.pop() {
            if !seen.insert(key.clone()) {
                continue;
            }
            let Some((key, was)) = snapshot.definition(&key) else { continue };
            let is = self.definition(&key);
            if is_written(&key) && !is.is_some_and(|is| Arc::ptr_eq(&is.term, &was.term)) {
                out.names.push(key);
                continue;
            }
            terms.push(was.term.clone());
            work.extend(was.uses.iter().cloned());
        }
        if kept.revision < self.last_change_of_inputs() {
            self.changed_inputs(&snapshot, terms, &mut out);
        }
        out.in_order()
    }

    /// Adds the changed files and external variables that these terms and the files that they import read.
    fn changed_inputs(&self, snapshot: &Snapshot, mut terms: Vec<Arc<Term>>, out: &mut ChangedInputs) {
        let mut seen: BTreeSet<FileKey> = BTreeSet::new();
        let differs = |was: &File, is: &File| self.text_of(was.source) != self.text_of(is.source);
        let before = self.with_inputs_of(snapshot, || self.external_variables());
        let now = self.external_variables();
        let names: FxHashSet<Name> = before.iter().chain(&now).map(|external| external.name().clone()).collect();
        while let Some(term) = terms.pop() {
            for (import, span) in imports(&term) {
                let was = self.with_inputs_of(snapshot, || self.known_file(&import, span));
                match (was, self.known_file(&import, span)) {
                    (Some(Some(was)), Some(Some(is))) if differs(&was, &is) => out.files.push(was.name.clone()),
                    (Some(Some(was)), _) if seen.insert(was.key.clone()) => terms.push(was.term.clone()),
                    (Some(None), Some(Some(_))) => out.files.push(import.path.clone()),
                    _ => {}
                }
            }
            if !term.nodes.iter().any(|node| matches!(node, Node::Global(name) if is_file_library(name))) {
                continue;
            }
            for name in term.nodes.iter().filter_map(|node| match node {
                Node::Str(name) if names.contains(name) => Some(name),
                _ => None,
            }) {
                let of = |all: &[Rc<super::external::External>]| {
                    all.iter().find(|external| external.name() == name).cloned()
                };
                match (of(&before), of(&now)) {
                    (Some(was), Some(is)) if was.is_same(&is) => match (was.file(), is.file()) {
                        (Some(was), Some(is)) if differs(&was, &is) => out.files.push(was.name.clone()),
                        (Some(was), _) if seen.insert(was.key.clone()) => terms.push(was.term.clone()),
                        _ => {}
                    },
                    _ => out.variables.push(name.clone()),
                }
            }
        }
    }
}

/// Returns the imports of a term with their spans.
fn imports(term: &Term) -> Vec<(Import, Span)> {
    let all = term.nodes.iter().zip(&term.spans);
    all.filter_map(|(node, span)| match node {
        Node::Import(import) => Some(((**import).clone(), *span)),
        _ => None,
    })
    .collect()
}

/// Returns the written names that a result was computed from, directly or indirectly, and that were redefined since. Used if
/// the snapshot of the result is no longer kept; replaced predecessors are then unknown.
fn newer(environment: &Environment, result: &Name) -> Vec<Name> {
    let Some(made) = environment.get(result).map(|result| result.id) else { return Vec::new() };
    let mut seen: FxHashSet<Name> = FxHashSet::default();
    let mut work = vec![result.clone()];
    let mut out = Vec::new();
    while let Some(key) = work.pop() {
        let Some(definition) = environment.get(&key) else { continue };
        if definition.id > made && is_written(&key) {
            out.push(key);
            continue;
        }
        work.extend(definition.uses.iter().filter(|used| seen.insert((*used).clone())).cloned());
    }
    out.sort();
    out
}
