//! The graph of dependencies between the fields of a value, or between all definitions of a session.

mod html;
mod json;
mod svg;
pub mod text;

pub use svg::{PAGE, PART, Picture};
pub use text::{dot_quoted, mermaid_label};

use super::deps::{DepsQuestion, MOST, evaluate};
use super::shared::network::{Item, Label, Network, network};
use crate::answer::{Answer, Renderer};
use crate::problem::Problem;
use crate::state::Workspace;
use crate::styled::Styled;
use crate::text::Span;
use crate::text::path::{FieldPath, Step};
use crate::value::datum::Datum;
use crate::view::Drawing;
use crate::view::html::Html;
use rustc_hash::FxHashSet;
use serde_json::Value as Json;

/// A field.
#[derive(Clone, Debug)]
pub struct Node {
    /// Its path. An anchor of a data file is a step that begins with `&`.
    pub path: FieldPath,
    /// Its value, if it was computed.
    pub value: Option<Datum>,
    /// The place of the definition that wins.
    pub place: Option<Span>,
}

impl Node {
    /// Returns its path as text, or the name of an anchor and a path into it: `&base.port`.
    pub fn name(&self) -> String {
        match self.path.steps.split_first() {
            Some((Step::Field(name), [])) if name.starts_with('&') => name.to_string(),
            Some((Step::Field(name), rest)) if name.starts_with('&') => {
                format!("{name}.{}", FieldPath { steps: rest.to_vec() })
            }
            _ => self.path.to_string(),
        }
    }
}

/// Fields and the reads between them. Locals are skipped: their reads count as those of the field.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    /// The fields that read or are read, in path order.
    pub nodes: Vec<Node>,
    /// Pairs of reader and read field, each once, by their numbers.
    pub edges: Vec<(usize, usize)>,
    /// Number of other fields, which read nothing and are not read.
    pub apart: usize,
    /// Whether the evaluation was incomplete.
    pub cut: bool,
    /// The notation of its text.
    pub drawing: Drawing,
    /// The reason why the value is missing.
    pub fault: Option<Problem>,
}

/// Returns the graph of a value: the whole value, or the value at a path and all that it reads. Evaluates the whole
/// value and skips fields that fail.
///
/// # Errors
///
/// Fails if the path does not exist.
pub fn graph(session: &mut Workspace, question: &DepsQuestion) -> Result<Graph, Problem> {
    let answer = evaluate(session, question, question.steps().is_empty());
    let mut network = network(session, &answer.reads, Some(&answer.root), &question.root());
    network.cut |= answer.stopped;
    let asked = answer.asked.and_then(|id| network.number_at(id, &question.path()));
    match (asked, answer.fault) {
        (None, Some(problem)) => Err(problem),
        (Some(asked), fault) => {
            let path = network.item(asked).and_then(|item| item.path()).cloned().unwrap_or_default();
            Ok(Graph { fault, ..drawn(&network, Some(&path)) })
        }
        (None, None) => Ok(drawn(&network, None)),
    }
}

/// Returns the graph of all definitions of a session.
pub fn of_session(session: &mut Workspace) -> Graph {
    let names: Vec<_> = session.definitions().into_iter().map(|(key, _)| key).collect();
    let (stopped, reads) = session.trace_reads(|session| {
        let mut stopped = false;
        for name in names.iter().filter(|name| crate::state::is_written(name)) {
            if let Some(thunk) = session.fresh_definition(name) {
                stopped |= !session.machine().force_all(&thunk, MOST);
            }
        }
        stopped
    });
    let mut network = network(session, &reads, None, &FieldPath::root());
    network.cut |= stopped;
    drawn(&network, None)
}

/// Returns the fields of a network; with `under`, only the fields at that path and those that they read.
fn drawn(network: &Network, under: Option<&FieldPath>) -> Graph {
    let count = network.items.len();
    let is_field = |number: usize| {
        let item = network.item(number);
        item.is_some_and(|item| item.path().is_some_and(|p| !p.steps.is_empty()) || anchor(item).is_some())
    };
    let reads: Vec<Vec<usize>> = (0..count).map(|number| fields_read(network, number, &is_field)).collect();
    let mut wanted = vec![false; count];
    let mut work: Vec<usize> = (0..count)
        .filter(|number| {
            let path = network.item(*number).and_then(|item| item.path());
            is_field(*number) && under.is_none_or(|under| path.is_some_and(|p| p.steps.starts_with(&under.steps)))
        })
        .collect();
    while let Some(number) = work.pop() {
        if let Some(wanted) = wanted.get_mut(number)
            && !std::mem::replace(wanted, true)
        {
            work.extend(reads.get(number).into_iter().flatten());
        }
    }
    let wanted = |number: usize| wanted.get(number).copied().unwrap_or(false);
    let mut linked: FxHashSet<usize> = FxHashSet::default();
    for number in (0..count).filter(|number| wanted(*number)) {
        for read in reads.get(number).into_iter().flatten() {
            linked.extend([number, *read]);
        }
    }
    let mut order: Vec<usize> = linked.iter().copied().collect();
    order.sort_by_cached_key(|number| network.item(*number).and_then(|i| i.path()).map(FieldPath::to_string));
    let mut graph = Graph { cut: network.cut, ..Graph::default() };
    let mut numbers = vec![usize::MAX; count];
    for number in &order {
        let Some(item) = network.item(*number) else { continue };
        if let Some(place) = numbers.get_mut(*number) {
            *place = graph.nodes.len();
        }
        let path = anchor(item).or_else(|| item.path().cloned()).unwrap_or_default();
        graph.nodes.push(Node { path, value: item.value.clone(), place: item.place() });
    }
    for number in &order {
        for read in reads.get(*number).into_iter().flatten() {
            if let (Some(from), Some(to)) = (numbers.get(*number), numbers.get(*read)) {
                graph.edges.push((*from, *to));
            }
        }
    }
    let leaf = |number: &usize| {
        let item = network.item(*number);
        let counts = |item: &Item| !item.definitions.is_empty() && anchor(item).is_none();
        // the value that is asked about is none of its fields
        let is_whole = under.is_some() && item.and_then(Item::path) == under;
        wanted(*number) && is_field(*number) && !is_whole && item.is_some_and(counts)
    };
    graph.apart = (0..count).filter(leaf).filter(|number| !linked.contains(number)).count();
    graph
}

/// Returns the path that represents an anchor of a data file, or a part of it.
fn anchor(item: &Item) -> Option<FieldPath> {
    match &item.label {
        Label::Local(name, path) if name.starts_with('&') => Some(FieldPath {
            steps: std::iter::once(Step::Field(name.clone())).chain(path.steps.iter().cloned()).collect(),
        }),
        _ => None,
    }
}

/// Returns the fields that an item reads, directly or through items that are not fields.
fn fields_read(network: &Network, number: usize, is_field: &dyn Fn(usize) -> bool) -> Vec<usize> {
    let mut out = Vec::new();
    let (mut seen, mut found): (FxHashSet<usize>, FxHashSet<usize>) = Default::default();
    let mut through_name: FxHashSet<usize> = FxHashSet::default();
    let mut work: Vec<usize> = network.reads(number).into_iter().rev().collect();
    while let Some(next) = work.pop() {
        if next == number || !seen.insert(next) {
            continue;
        }
        // a field that was read through another name for its record: `local me = self`
        let field = if is_field(next) { Some(next) } else { network.field_around(number, next) };
        if let Some(field) = field {
            if field != next {
                through_name.insert(field);
            }
            if field != number && found.insert(field) {
                out.push(field);
            }
        } else {
            work.extend(network.reads(next).into_iter().rev());
        }
    }
    // a record is left out if it is only on the path to another field
    if !through_name.is_empty() {
        let path = |number: &usize| network.item(*number).and_then(Item::path);
        let above = |path: &FieldPath| {
            (1..path.steps.len())
                .filter_map(|length| path.steps.get(..length).map(<[Step]>::to_vec))
                .collect::<Vec<_>>()
        };
        let around: FxHashSet<Vec<Step>> = out.iter().filter_map(path).flat_map(above).collect();
        out.retain(|field| {
            !through_name.contains(field) || path(field).is_none_or(|path| !around.contains(&path.steps))
        });
    }
    out
}

impl Answer for Graph {
    fn name(&self) -> &'static str {
        "graph"
    }

    fn text(&self, to: &Renderer<'_>) -> Styled {
        text::draw(self, self.drawing, to)
    }

    fn html(&self, to: &Renderer<'_>, html: &mut Html) {
        html::html(self, to, html);
    }

    fn json(&self, to: &Renderer<'_>) -> Json {
        json::json(self, to)
    }

    fn svg(&self, to: &Renderer<'_>) -> Option<String> {
        (!self.nodes.is_empty()).then(|| text::picture(self, to.dialect))
    }

    fn fault(&self) -> Option<&Problem> {
        self.fault.as_ref()
    }
}
