//! The demands of a value: each `get`, `expand` or `resolve` of a node that its evaluation needs, in order, with its result.
//!
//! They come from the trace of a fresh evaluation. A node is listed only when it is first demanded.

use crate::answer::Renderer;
use crate::answer::deps::{DepsQuestion, Evaluated, evaluate};
use crate::answer::shared::network::network;
use crate::answer::shared::shown_path;
use crate::answer::steps::text::Page;
use crate::dialect::notation::value::one_line;
use crate::problem::Problem;
use crate::state::Workspace;
use crate::styled::{Role, Styled};
use crate::term::Node;
use crate::text::path::FieldPath;
use crate::text::{Span, counted};
use crate::value::datum::Datum;
use crate::value::machine::Budget;
use crate::value::trace::{Id, Origin, ROOT};
use rustc_hash::FxHashSet;
use serde_json::{Value as Json, json};

/// Maximum number of demands in an answer.
const MOST: usize = 1000;
/// Maximum depth that is shown by indentation.
const DEPTH: usize = 8;
/// Maximum width of a result, in columns.
const MAX_WIDTH: usize = 30;
/// The amount of a value that is kept.
const SHOWN: Budget = Budget { elements: 12, depth: 1, text: 200 };

/// The kind of a demand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Demand {
    /// Finds the node of a key. Nothing is computed.
    Get,
    /// Evaluates a record or an array as far as its keys or its number of elements.
    Expand,
    /// Evaluates a value to plain data.
    Resolve,
}

impl Demand {
    /// Returns the word for the kind.
    pub fn word(self) -> &'static str {
        match self {
            Demand::Get => "get",
            Demand::Expand => "expand",
            Demand::Resolve => "resolve",
        }
    }
}

/// One demand.
#[derive(Clone, Debug)]
pub struct DemandStep {
    /// Its kind.
    pub demand: Demand,
    /// Whether the node is a guard.
    pub is_guard: bool,
    /// The path of the node, or its label.
    pub subject: String,
    /// The path of the node, if it has one.
    pub path: Option<FieldPath>,
    /// The label of the node that `get` found.
    pub found: Option<String>,
    /// The result of the other demands. `None` if it failed.
    pub result: Option<Datum>,
    /// The place of the node.
    pub place: Option<Span>,
    /// Number of demands around it that wait for it.
    pub depth: usize,
}

/// The demands of one value.
#[derive(Clone, Debug, Default)]
pub struct Demands {
    /// The demands, in order.
    pub steps: Vec<DemandStep>,
    /// Whether there are more.
    pub cut: bool,
}

/// Finds nodes in the graph of a document.
pub trait Nodes {
    /// Returns the label of the node at a place, and whether it is a guard.
    fn at(&self, place: Span) -> Option<(String, bool)>;
    /// Returns the label of the node of the value at a path.
    fn of(&self, path: &FieldPath) -> Option<String>;
}

/// Evaluates a value again, and returns what it demands.
///
/// # Errors
///
/// Fails if there is no such value.
pub fn demands(session: &mut Workspace, question: &DepsQuestion, nodes: &dyn Nodes) -> Result<Demands, Problem> {
    let evaluated = evaluate(session, question, false);
    let Evaluated { reads, root, asked, fault, .. } = &evaluated;
    if let (None, Some(fault)) = (asked, fault) {
        return Err(fault.clone());
    }
    let network = network(session, reads, Some(root), &question.root());
    // the parts of an expression may be secret if a value that it reads is
    let masked = network.items.iter().any(|item| matches!(item.value, Some(Datum::Secret)));
    let mut out = Demands { steps: Vec::new(), cut: network.cut };
    let mut known: FxHashSet<String> = FxHashSet::default();
    let mut seen: FxHashSet<Id> = FxHashSet::default();
    let mut work: Vec<(Id, usize, Option<DemandStep>)> = vec![(ROOT, 0, None)];
    while let Some((id, depth, after)) = work.pop() {
        if let Some(step) = after {
            out.steps.push(step);
            continue;
        }
        if !seen.insert(id) {
            continue;
        }
        if out.steps.len() >= MOST {
            out.cut = true;
            break;
        }
        let item = network.number(id).and_then(|number| network.item(number));
        let path = item.and_then(|item| item.path()).map(|path| match path.steps.is_empty() {
            true => String::from("the document"),
            false => path.to_string(),
        });
        let code = match reads.origin(id) {
            Origin::Code(unit, node) => Some(unit.span(*node)),
            _ => None,
        };
        let (subject, is_guard, place) = match (path, code) {
            (Some(path), _) => (Some(path), false, item.and_then(|item| item.place())),
            (None, Some(span)) if is_operation(reads.origin(id)) => match nodes.at(span) {
                Some((label, guard)) if !label.starts_with("Boxed") => (Some(label), guard, Some(span)),
                _ => (None, false, None),
            },
            (None, _) => (None, false, None),
        };
        let is_path = code.is_none() || item.is_some_and(|item| item.path().is_some());
        // several nodes of the evaluation may have the same path, which is listed once
        let subject = subject.filter(|subject| !is_path || known.insert(subject.clone()));
        let mut inside = depth;
        if let Some(subject) = subject {
            let result = match (is_path, reads.thunk(id)) {
                (true, _) => item.and_then(|item| item.value.clone()),
                (false, Some(_)) if masked => Some(Datum::Secret),
                (false, Some(thunk)) => Some(session.machine().datum_without_forcing(thunk, SHOWN)),
                (false, None) => None,
            };
            let result = result.filter(|result| !matches!(result, Datum::Unforced | Datum::Fault(_)));
            let is_container =
                matches!(reads.value(id), Some(crate::value::Value::Record(_) | crate::value::Value::Array(_)));
            let demand = if is_container { Demand::Expand } else { Demand::Resolve };
            let path = item.and_then(|item| item.path()).filter(|path| is_path && !path.steps.is_empty()).cloned();
            let step = DemandStep { demand, is_guard, subject, path, found: None, result, place, depth };
            if is_path {
                let found = item.and_then(|item| item.path()).and_then(|path| nodes.of(path));
                out.steps.push(DemandStep { demand: Demand::Get, found, result: None, ..step.clone() });
            }
            work.push((id, depth, Some(step)));
            inside += 1;
        }
        work.extend(reads.reads(id).iter().rev().map(|read| (*read, inside, None)));
    }
    Ok(out)
}

/// Returns `true` if a node of the evaluation is an operation: it comes from code, and is neither a constant nor the final
/// record of a literal (`self`).
fn is_operation(origin: &Origin) -> bool {
    match origin {
        Origin::Code(unit, node) => {
            use Node::{Bool, Null, Number, Str, This};
            !matches!(unit.term.node(*node), Null | Bool(_) | Number(_) | Str(_) | This { .. })
        }
        _ => false,
    }
}

impl Demands {
    /// Returns one page for each demand.
    pub fn pages(&self, to: &Renderer<'_>) -> Vec<Page> {
        let total = self.steps.len();
        let numbers = total.to_string().len();
        let page = |(at, step): (usize, &DemandStep)| {
            let mut title = Styled::of(Role::Heading, format!("demand {:>numbers$} of {total}", at + 1));
            title.plain(format!(": {}", "  ".repeat(step.depth.min(DEPTH))));
            title.append(&step.text(to));
            if let Some(place) = step.place {
                let place = to.place(place);
                let room = to.width().saturating_sub(title.width() + place.len());
                if room >= 2 {
                    title.plain(" ".repeat(room));
                    title.push(Role::Dim, place);
                }
            }
            Page { title, rows: Vec::new(), compact: true }
        };
        self.steps.iter().enumerate().map(page).collect()
    }

    /// Returns the demands as JSON.
    pub fn json(&self, to: &Renderer<'_>) -> Json {
        let step = |step: &DemandStep| {
            json!({
                "demand": step.demand.word(),
                "guard": step.is_guard,
                "node": step.subject,
                "found": step.found,
                "result": step.result.as_ref().map(|result| one_line(to.dialect.spelling(), result).text()),
                "source": step.place.map(|place| to.place(place)),
                "depth": step.depth,
            })
        };
        self.steps.iter().map(step).collect()
    }
}

impl DemandStep {
    /// Renders the demand and its result.
    pub fn text(&self, to: &Renderer<'_>) -> Styled {
        let mut out = Styled::of(Role::Keyword, self.demand.word());
        match (self.is_guard, self.place) {
            (true, Some(place)) => {
                let written = to.written(place).split_whitespace().collect::<Vec<_>>().join(" ");
                out.plain(" the guard ");
                out.append(&Styled::of(Role::Name, written).cut(MAX_WIDTH));
            }
            _ => {
                out.plain(" ");
                let shown = self.path.as_ref().map(|path| shown_path(path, to.dialect));
                out.push(Role::Name, shown.unwrap_or_else(|| self.subject.clone()));
            }
        }
        match (self.demand, &self.found, &self.result) {
            (Demand::Get, Some(found), _) => {
                out.push(Role::Operator, " => ");
                out.plain(found.as_str());
            }
            (Demand::Get, None, _) => {}
            (Demand::Expand, _, Some(Datum::Elided(Some(keys)))) => {
                out.push(Role::Operator, " => ");
                out.plain(format!("Mapping ({})", counted(*keys, "key")));
            }
            (Demand::Expand, _, Some(Datum::Record(entries))) => {
                let keys = entries.iter().filter(|entry| !entry.not_exported).count();
                out.push(Role::Operator, " => ");
                out.plain(format!("Mapping ({})", counted(keys, "key")));
            }
            (Demand::Expand, _, Some(Datum::Array(items))) => {
                let count = match items.last() {
                    Some(Datum::Elided(Some(more))) => items.len() - 1 + more,
                    _ => items.len(),
                };
                out.push(Role::Operator, " => ");
                out.plain(format!("Sequence ({})", counted(count, "element")));
            }
            (_, _, Some(result)) => {
                out.push(Role::Operator, " => ");
                out.append(&one_line(to.dialect.spelling(), result).cut(MAX_WIDTH));
            }
            (_, _, None) => out.push(Role::Error, " => no value"),
        }
        out
    }
}
