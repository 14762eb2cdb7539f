//! Finds the edits that may give a field its value: at the definitions of the field in each file, and at the places where a
//! definition can be added.

use super::{WantedValue, part, place, text};
use crate::answer::fixes::Edit;
use crate::session::request::Request;
use crate::session::run::Run;
use crate::session::run::layers::LayerOrigin;
use crate::state::files::File;
use crate::term::{Node, NodeId, Term};
use crate::text::path::Step;
use crate::text::{Name, Span};
use crate::value::Thunk;
use crate::value::datum::Datum;
use std::rc::Rc;

/// Edits to try together.
pub(super) struct Candidate {
    pub edits: Vec<Edit>,
    /// The place that is reported.
    pub place: Span,
    /// Whether a definition is added.
    pub adds: bool,
}

/// A file that may be changed.
pub(super) struct Target {
    file: Rc<File>,
    /// The path of the field in the file. `None` in a file of variables, whose names are not paths.
    steps: Option<Vec<Step>>,
    /// Whether it is the table `set` of a stack.
    is_table: bool,
}

impl Target {
    /// Returns the file.
    pub(super) fn file(&self) -> &File {
        &self.file
    }
}

/// A text in which an element of a list on the path is written.
pub(super) struct WrittenElement {
    /// The number of steps to the element.
    depth: usize,
    span: Span,
}

/// A node of a file, with the rest of the path below it.
struct Start<'p> {
    node: NodeId,
    rest: &'p [Step],
}

impl Run<'_> {
    /// Returns the files that may be changed, the lowest layer first, with the path of the field in each. `None` if they
    /// cannot be read.
    pub(super) fn targets(&mut self, request: &Request, path: &[Step]) -> Option<Vec<Target>> {
        let layers = self.layers(request, request.layers())?;
        let files = layers.all.iter().filter(|layer| layer.origin == LayerOrigin::File);
        let files: Vec<&File> = files.map(|layer| &*layer.file).collect();
        let streams = self.streams(&files, files.len() > 1).ok()?;
        let mut streams = streams.map(Vec::into_iter);
        let mut targets = Vec::with_capacity(layers.all.len());
        for layer in &layers.all {
            let (steps, is_table) = match layer.origin {
                LayerOrigin::File => match streams.as_mut().map(|streams| streams.next()) {
                    None => (Some(path.to_vec()), false),
                    Some(stream) => {
                        let (Some(Step::Field(name)), Some(stream)) = (path.first(), stream) else { continue };
                        let Some(index) = stream.index_of(name) else { continue };
                        let document = index.map(Step::Index).into_iter();
                        (Some(document.chain(path.iter().skip(1).cloned()).collect()), false)
                    }
                },
                LayerOrigin::Table => {
                    let table = Step::Field(Name::new_static("set"));
                    (Some([table].into_iter().chain(path.iter().cloned()).collect()), true)
                }
                LayerOrigin::Environment(_) => (None, false),
                LayerOrigin::Assignment(_) => continue,
            };
            targets.push(Target { file: layer.file.clone(), steps, is_table });
        }
        targets.retain(|target| self.session.world.path_of(target.file.source).is_some());
        Some(targets)
    }

    /// Returns the edits to try: the winning definition first, then the other definitions from the highest layer down,
    /// then all of them together, then new definitions.
    pub(super) fn candidates(
        &mut self,
        root: &Thunk,
        before: &Datum,
        targets: &[Target],
        wanted: &WantedValue,
    ) -> Vec<Candidate> {
        let path = wanted.path.steps.as_slice();
        let elements = self.written_elements(root, path);
        let winner = self.winner(root, path, &elements);
        let appended = appended(before, path);
        let mut replaced: Vec<Candidate> = Vec::new();
        let mut together: Vec<Edit> = Vec::new();
        let mut added: Vec<((bool, usize), Candidate)> = Vec::new();
        for target in targets.iter().rev() {
            let Some(text) = self.session.workspace.text_of(target.file.source) else { continue };
            let Some(dialect) = self.session.workspace.dialect_of(target.file.source) else { continue };
            let term = &*target.file.term;
            let file = text::EditedFile { text: &text, dialect, term, number: wanted.number.as_deref() };
            let starts = starts(target, &elements, path);
            let winner = winner.filter(|span| span.source == target.file.source);
            let winner = winner.map(|span| (true, span));
            let found: Vec<_> = starts.iter().map(|start| (start, place::find(term, start.node, start.rest))).collect();
            let definitions = found.iter().filter_map(|(_, found)| Some((false, term.span(*found.as_ref().ok()?))));
            let mut is_first = true;
            for (is_winner, span) in winner.into_iter().chain(definitions) {
                let Some(edit) = file.replacement(span, &wanted.value) else { continue };
                if replaced.iter().any(|known| known.edits.first() == Some(&edit)) {
                    continue;
                }
                if std::mem::take(&mut is_first) {
                    together.push(edit.clone());
                }
                let at = if is_winner { 0 } else { replaced.len() };
                replaced.insert(at, Candidate { edits: vec![edit], place: span, adds: false });
            }
            let mut add = |node: NodeId, rest: &[Step]| {
                if let Some(edits) = file.insertion(node, rest, &wanted.value)
                    && let Some(first) = edits.first()
                {
                    let place = first.span;
                    added.push(((target.is_table, rest.len()), Candidate { edits, place, adds: true }));
                }
            };
            for (start, found) in found {
                if let Err((node, depth)) = found {
                    add(node, start.rest.get(depth..).unwrap_or_default());
                }
                let Some(list) = appended.and_then(|at| (start.rest.len() + at).checked_sub(path.len())) else {
                    continue;
                };
                let (list, below) = start.rest.split_at(list);
                if let Ok(list) = place::find(term, start.node, list)
                    && let list = place::followed(term, list)
                    && let Node::Array(items) = term.node(list)
                    && below.first() != Some(&Step::Index(items.len()))
                {
                    // the element after the last one of all layers is that of this list
                    let below = below.iter().skip(1).cloned();
                    add(list, &[Step::Index(items.len())].into_iter().chain(below).collect::<Vec<_>>());
                }
            }
        }
        if winner.is_none() {
            // a new field belongs where its record is; the sort is stable, so the highest layer comes first
            added.sort_by_key(|(rank, _)| *rank);
        }
        if together.len() > 1
            && let Some(place) = replaced.first().map(|candidate| candidate.place)
        {
            replaced.push(Candidate { edits: together, place, adds: false });
        }
        replaced.extend(added.into_iter().map(|(_, candidate)| candidate));
        replaced
    }

    /// Returns the texts of the elements on a path, those of the innermost lists first. An element that layers combine
    /// has a text in each of them, at other indices.
    pub(super) fn written_elements(&mut self, root: &Thunk, path: &[Step]) -> Vec<WrittenElement> {
        let mut out = Vec::new();
        for (at, step) in path.iter().enumerate().rev() {
            let (Step::Index(index), Some(list)) = (step, path.get(..at)) else { continue };
            let Ok(found) = self.session.workspace.machine.provenance(root, list) else { continue };
            let Some(element) = found.elements.into_iter().nth(*index) else { continue };
            let spans = element.also.into_iter().rev().chain(element.span);
            out.extend(spans.map(|span| WrittenElement { depth: at + 1, span }));
        }
        out
    }

    /// Returns the place of the definition that a field or an element has its value from.
    pub(super) fn winner(&mut self, root: &Thunk, path: &[Step], elements: &[WrittenElement]) -> Option<Span> {
        let (last, parent) = path.split_last()?;
        let Step::Field(name) = last else {
            // the highest layer comes first
            return elements.first().filter(|element| element.depth == path.len()).map(|element| element.span);
        };
        let machine = &mut self.session.workspace.machine;
        let parent = machine.at(root, parent).ok()?;
        match machine.force(&parent).ok()? {
            crate::value::Value::Record(record) => machine.outline(&record, name).ok()??.span,
            _ => None,
        }
    }
}

/// Returns the nodes of a file from which the rest of the path can be followed: the elements on the path that are written
/// in the file, and its content.
fn starts<'p>(target: &'p Target, elements: &[WrittenElement], path: &'p [Step]) -> Vec<Start<'p>> {
    let Some(steps) = &target.steps else { return Vec::new() };
    let term: &Term = &target.file.term;
    let own = elements.iter().filter(|element| element.span.source == target.file.source);
    let own = own.filter_map(|element| {
        Some(Start { node: place::node_at(term, element.span)?, rest: path.get(element.depth..)? })
    });
    own.chain([Start { node: place::content(term), rest: steps }]).collect()
}

/// Returns the position of the step that appends an element: its index is the length of the list.
fn appended(before: &Datum, path: &[Step]) -> Option<usize> {
    path.iter().enumerate().position(|(at, step)| match (step, path.get(..at).and_then(|list| part(before, list))) {
        (Step::Index(index), Some(Datum::Array(items))) => items.len() == *index,
        _ => false,
    })
}
