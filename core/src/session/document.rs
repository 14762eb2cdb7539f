//! The graph of a document. In a session, the document is made of all inputs whose definitions are in effect.

use super::questions::{Extent, Subject, is_own_error};
use super::{Event, Session};
use crate::answer::deps::DepsQuestion;
use crate::answer::resolver::Resolver;
use crate::answer::shared::projection;
use crate::answer::steps::demand::{Demands, Nodes, demands};
use crate::answer::value::ValueAnswer;
use crate::dialect::Dialect;
use crate::dialect::node_graph::{GraphSource, NodeGraph, ReadGraph, masked_label};
use crate::problem::Problem;
use crate::state::InFile;
use crate::state::environment::is_written;
use crate::state::input::language_line_range;
use crate::term::{Node, Term};
use crate::text::path::{FieldPath, Step};
use crate::text::{Source, SourceId, Span};
use crate::value::{Fault, Thunk};
use crate::view::Drawing;
use std::collections::BTreeSet;
use std::sync::Arc;

/// A document whose text comes from one or several sources.
pub(super) struct JoinedDocument {
    graph: Box<dyn GraphSource>,
    source: SourceId,
    /// The sources with the offsets at which their texts begin, in order.
    parts: Vec<(u32, SourceId)>,
    /// The texts of the sources, with the parts that must not be shown.
    texts: Vec<Arc<Source>>,
}

impl JoinedDocument {
    /// Converts a place in the joined text to the place in the source that this part of the text comes from.
    fn original(&self, place: Span) -> Span {
        let after = self.parts.partition_point(|(start, _)| *start <= place.start);
        match after.checked_sub(1).and_then(|at| self.parts.get(at)) {
            Some((start, source)) if place.source == self.source => {
                Span { source: *source, start: place.start - start, end: place.end.saturating_sub(*start) }
            }
            _ => place,
        }
    }

    fn moved(&self, mut graph: NodeGraph) -> NodeGraph {
        for node in &mut graph.nodes {
            node.span = node.span.map(|span| self.original(span));
            if let Some(place) = node.span {
                node.label = self.shown(std::mem::take(&mut node.label), place);
            }
        }
        graph
    }

    /// Returns the label of a node as it is shown: without the constants in a text that must not be shown.
    fn shown(&self, label: String, place: Span) -> String {
        let part = self.parts.iter().position(|(_, source)| *source == place.source);
        let hides = |text: &Arc<Source>| text.overlaps_secret(place.start as usize..place.end as usize);
        match part.and_then(|part| self.texts.get(part)) {
            Some(text) if hides(text) => masked_label(&label).unwrap_or(label),
            _ => label,
        }
    }

    fn label_of(&self, path: &[Step]) -> Option<String> {
        let (label, place) = self.graph.label_of(path)?;
        Some(self.shown(label, self.original(place)))
    }
}

impl Nodes for JoinedDocument {
    fn at(&self, place: Span) -> Option<(String, bool)> {
        let (start, _) = self.parts.iter().find(|(_, source)| *source == place.source)?;
        let (label, is_guard) = self.graph.node_at(Span {
            source: self.source,
            start: place.start.checked_add(*start)?,
            end: place.end.checked_add(*start)?,
        })?;
        Some((self.shown(String::from(label), place), is_guard))
    }

    fn of(&self, path: &FieldPath) -> Option<String> {
        self.label_of(&path.steps)
    }
}

impl Session {
    /// Returns the graph of a subject, if it belongs to a document whose language makes one.
    /// The inputs of a session in a language form one document.
    pub(super) fn resolver(
        &mut self,
        dialect: Dialect,
        subject: &Subject<'_>,
        drawing: Drawing,
    ) -> Option<Result<Resolver, Problem>> {
        let (document, path) = match subject {
            Subject::Session => (self.session_document(dialect)?, FieldPath::root()),
            _ => self.document_of(subject)?,
        };
        let own = match subject {
            Subject::Expression(term, _) => Some((*term).clone()),
            _ => None,
        };
        self.drawn(&document, &path, own, drawing)
    }

    /// Evaluates only what is needed to reach a subject, or also its parts.
    pub(super) fn demanded(
        &mut self,
        subject: Subject<'_>,
        extent: Extent,
        events: &mut Vec<Event>,
    ) -> Result<ValueAnswer, Problem> {
        let label = if extent == Extent::Value { self.node_label(&subject) } else { None };
        let (term, _) = subject.expression()?;
        let typed = self.world.infer(&term);
        if let Some(error) = typed.problems.iter().find(|p| is_own_error(p)) {
            return Err(error.clone());
        }
        let (root, steps) = projection::of_term(&term);
        let value = match term.node(root) {
            Node::Global(name) => self.workspace.value_of(name),
            _ => None,
        };
        let (thunk, steps) = match value {
            Some(value) => (value, steps),
            None => (self.workspace.machine.thunk(&term), Vec::new()),
        };
        let found: Result<Thunk, Fault> = self.with_trace_lines(events, |machine| {
            let thunk = machine.at(&thunk, &steps)?;
            if extent == Extent::Parts {
                machine.force(&thunk)?;
            }
            Ok(thunk)
        });
        if self.world.interrupt.is_raised() {
            return Err(self.world.interrupt.problem(None));
        }
        let thunk = found.map_err(|fault| fault.problem().clone())?;
        let budget = self.settings().budget;
        let datum = self.workspace.machine.datum_without_forcing(&thunk, budget);
        Ok(ValueAnswer { datum, typed, fault: None, is_forced: false, label })
    }

    /// Returns the label of the node of a subject, if it belongs to a document whose language makes a graph.
    pub(super) fn node_label(&mut self, subject: &Subject<'_>) -> Option<String> {
        let (document, path) = self.document_of(subject)?;
        document.label_of(&path.steps)
    }

    /// Returns the document that a subject belongs to, and its path there.
    pub(super) fn document_of(&mut self, subject: &Subject<'_>) -> Option<(JoinedDocument, FieldPath)> {
        match subject {
            Subject::Field(program, path) => {
                let read = self.graph_reader(program)?;
                let source = program.span(program.root).source;
                let names = InFile(self.languages(), self.world.interrupt.stop(), &[]);
                let text = self.world.sources.borrow().get(source)?.text.clone();
                let graph = read(source, &text, &names)?;
                let parts = vec![(0, source)];
                let texts = self.texts_of(&parts);
                Some((JoinedDocument { graph, source, parts, texts }, (*path).clone()))
            }
            Subject::Expression(term, _) => {
                let (root, steps) = projection::of_term(term);
                let Node::Global(name) = term.node(root) else { return None };
                let definition = self.workspace.definition(name)?;
                let dialect = self.languages().of_rules(definition.term.rules);
                self.graph_reader(&definition.term)?;
                let path = std::iter::once(Step::Field(name.clone())).chain(steps).collect();
                Some((self.session_document(dialect)?, FieldPath { steps: path }))
            }
            _ => None,
        }
    }

    fn graph_reader(&self, term: &Term) -> Option<ReadGraph> {
        let dialect = self.languages().of_rules(term.rules);
        (dialect.rules() == term.rules).then_some(dialect.0.cells?.graph)?
    }

    /// Joins the session's inputs in a language to one document: the inputs that made the current definitions or their
    /// predecessors. `None` if there are none, or if the language makes no graphs.
    fn session_document(&mut self, dialect: Dialect) -> Option<JoinedDocument> {
        let read = dialect.0.cells?.graph?;
        let mut sources: BTreeSet<SourceId> = BTreeSet::new();
        {
            let environment = self.world.state.environment.borrow();
            for (key, definition) in environment.iter().filter(|(key, _)| !key.contains('$')) {
                let name = key.split('@').next().unwrap_or_default();
                if is_written(name) && definition.term.rules == dialect.rules() {
                    sources.insert(definition.term.span(definition.term.root).source);
                }
            }
        }
        let (mut text, mut parts) = (String::new(), Vec::new());
        for source in sources {
            let known = self.world.sources.borrow();
            let Some(part) = known.get(source) else { continue };
            parts.push((text.len() as u32, source));
            // a line that selects the language is not a part of the document
            let body = match language_line_range(&part.text) {
                Some(line) => part.text.get(line.end..).unwrap_or_default(),
                None => &part.text,
            };
            text.push_str(&" ".repeat(part.text.len() - body.len()));
            if body.len() < part.text.len() {
                text.pop();
                text.push('\n');
            }
            text.push_str(body);
            text.push('\n');
        }
        if parts.is_empty() {
            return None;
        }
        let source = self.workspace.add_input("document", &text, dialect);
        let graph = read(source, &text, self.workspace.names())?;
        let texts = self.texts_of(&parts);
        Some(JoinedDocument { graph, source, parts, texts })
    }

    fn texts_of(&self, parts: &[(u32, SourceId)]) -> Vec<Arc<Source>> {
        let sources = self.world.sources.borrow();
        parts.iter().filter_map(|(_, source)| sources.get(*source).cloned()).collect()
    }

    /// Returns the demands of a subject, if it belongs to a document whose language makes a graph. Returns `None` for a failure
    /// too, because the caller computes the merges of the same subject and reports it there.
    pub(super) fn demands_of(&mut self, subject: &Subject<'_>) -> Option<Demands> {
        let (document, _) = self.document_of(subject)?;
        let question = match subject {
            // the question cuts the path off its term, which must not be shared
            Subject::Expression(term, _) => DepsQuestion::of_expression(Arc::new(Term::clone(term))),
            Subject::Field(program, path) => DepsQuestion::of_program(program, path.steps.clone()),
            _ => return None,
        };
        demands(&mut self.workspace, &question, &document).ok()
    }

    fn drawn(
        &mut self,
        document: &JoinedDocument,
        path: &FieldPath,
        own: Option<Arc<Term>>,
        drawing: Drawing,
    ) -> Option<Result<Resolver, Problem>> {
        let parsed = document.graph.parsed(&path.steps).map(|graph| document.moved(graph));
        let root = self.workspace.machine.thunk(document.graph.term());
        let expanded = document.graph.expanded(&path.steps, &mut self.workspace.machine, &root);
        let (expanded, fault) = match expanded {
            Ok(graph) => (Some(document.moved(graph)), None),
            Err(problem) => {
                // the error of the expression itself has places in the inputs, not in the joined text
                let found = own.and_then(|own| {
                    let thunk = self.workspace.machine.thunk(&own);
                    self.workspace.machine.force(&thunk).err().map(|fault| fault.problem().clone())
                });
                (None, Some(found.unwrap_or(problem)))
            }
        };
        if parsed.is_none() && expanded.is_none() {
            return fault.map(Err);
        }
        Some(Ok(Resolver { parsed, expanded, fault, drawing }))
    }
}
