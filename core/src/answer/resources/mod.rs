//! The graph of resources that a program of mgmt's language makes.

mod changes;
mod html;
mod json;
mod live;
pub mod text;

pub use changes::{Changes, changes};
pub use live::LiveGraph;

use crate::answer::{Answer, Renderer};
use crate::problem::Problem;
use crate::state::Workspace;
use crate::styled::Styled;
use crate::text::path::{FieldPath, Step};
use crate::text::{Name, near};
use crate::value::datum::{Datum, Entry};
use crate::value::machine::Budget;
use crate::value::{Thunk, Value};
use crate::view::Drawing;
use crate::view::html::Html;
use serde_json::Value as Json;

/// A resource.
#[derive(Clone, PartialEq, Debug)]
pub struct Resource {
    /// Its kind and name: `file[/tmp/x]`.
    pub label: Name,
    /// Its fields.
    pub fields: Vec<Entry>,
    /// Its meta parameters.
    pub meta: Vec<Entry>,
}

/// An edge.
#[derive(Clone, PartialEq, Debug)]
pub struct Edge {
    /// The resource that comes first.
    pub from: Name,
    /// The resource that comes second.
    pub to: Name,
    /// Whether the second is notified when the first changes.
    pub notify: bool,
}

/// The resources and edges of a program.
#[derive(Clone, PartialEq, Debug)]
pub struct Resources {
    /// The resources, sorted by kind and name.
    pub resources: Vec<Resource>,
    /// The edges, sorted by their ends.
    pub edges: Vec<Edge>,
    /// The format in which the graph is drawn.
    pub drawing: Drawing,
}

/// Returns the graph of a program's value. Evaluates all of it.
///
/// # Errors
///
/// Fails if a part of the graph fails.
pub fn resources(session: &mut Workspace, root: &Thunk) -> Result<Resources, Problem> {
    let machine = session.machine();
    let mut part = |name: &'static str| {
        let step = [Step::Field(Name::new_static(name))];
        match machine.at(root, &step).map(|thunk| machine.datum(&thunk, Budget::ALL)) {
            Ok(datum) => data_or_fault(datum),
            Err(fault) => Err(fault.problem().clone()),
        }
    };
    let (resources, edges) = (part("resources")?, part("edges")?);
    let items: &[Datum] = if let Datum::Array(items) = &resources { items } else { &[] };
    let resources = items.iter().map(resource).collect();
    Ok(Resources { resources, edges: resource_edges(&edges), drawing: Drawing::Text })
}

/// Returns a resource from its data.
fn resource(datum: &Datum) -> Resource {
    let entries: &[Entry] = if let Datum::Record(entries) = datum { entries } else { &[] };
    let label = Name::from(format!("{}[{}]", text(entries, "kind"), text(entries, "name")));
    let section = |name: &str| match entries.iter().find(|e| e.name == name).and_then(|e| e.value.as_ref()) {
        Some(Datum::Record(fields)) => fields.iter().filter(|e| e.value.is_some()).cloned().collect(),
        _ => Vec::new(),
    };
    Resource { label, fields: section("fields"), meta: section("meta") }
}

/// Returns the labels of a graph's resources, in order. Other parts of the resources may fail.
pub fn labels(session: &mut Workspace, root: &Thunk) -> Vec<Name> {
    let machine = session.machine();
    let step = [Step::Field(Name::new_static("resources"))];
    let Ok(list) = machine.at(root, &step) else { return Vec::new() };
    match &machine.datum(&list, Budget::ALL) {
        Datum::Array(items) => items.iter().map(|item| resource(item).label).collect(),
        _ => Vec::new(),
    }
}

/// Returns edges from their data, a list of records.
fn resource_edges(list: &Datum) -> Vec<Edge> {
    let edge = |entries: &[Entry]| {
        let notify = entries.iter().any(|e| e.name == "notify" && e.value == Some(Datum::Bool(true)));
        Edge { from: text(entries, "from"), to: text(entries, "to"), notify }
    };
    records(list).map(edge).collect()
}

/// Returns `true` if a value is a graph of resources: a record of `resources` and `edges`.
pub fn is_graph(session: &mut Workspace, root: &Thunk) -> bool {
    let machine = session.machine();
    let Ok(Value::Record(record)) = machine.force(root) else { return false };
    let names = machine.fields(&record).unwrap_or_default();
    let names: Vec<&str> = names.iter().filter(|field| !field.name.starts_with('%')).map(|f| f.name.as_str()).collect();
    names.contains(&"resources") && names.contains(&"edges")
}

/// The result of looking for a path into a resource, such as `file[/tmp/x].content`, in a program's value.
pub enum ResourcePath {
    /// The path in the value.
    Found(FieldPath),
    /// The graph has no such resource. Holds its label, and similar labels in the graph.
    Missing(Name, Vec<Name>),
}

/// Returns the path to a part of a resource in a program's value: `file[/tmp/x].content`, `file[/tmp/x].Meta:noop`,
/// `file[/tmp/x]`. `None` if the text is not such a path, or if the value is not a graph.
pub fn path_of(session: &mut Workspace, root: &Thunk, text: &str) -> Option<ResourcePath> {
    let text = text.trim();
    let open = text.find('[')?;
    let kind = text.get(..open)?;
    if kind.is_empty() || !kind.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == ':') {
        return None;
    }
    // the name may have brackets and dots
    let close = text.rfind(']')?;
    let (name, rest) = (text.get(open + 1..close)?, text.get(close + 1..)?);
    if !is_graph(session, root) {
        return None;
    }
    let labels = labels(session, root);
    let label = format!("{kind}[{name}]");
    let Some(index) = labels.iter().position(|other| *other == label) else {
        // `resources[0]` is a path in the value
        if FieldPath::parse(text).is_ok() {
            return None;
        }
        let near = near(&label, labels.iter().map(Name::as_str));
        return Some(ResourcePath::Missing(Name::from(label), near));
    };
    let mut steps = vec![Step::Field(Name::new_static("resources")), Step::Index(index)];
    if let Some(field) = rest.strip_prefix('.') {
        let (section, field) = match field.strip_prefix("Meta:") {
            Some(meta) => ("meta", meta),
            None => ("fields", field),
        };
        steps.push(Step::Field(Name::new_static(section)));
        steps.extend(FieldPath::parse(field).ok()?.steps);
    }
    Some(ResourcePath::Found(FieldPath { steps }))
}

/// Returns the data, or the first problem in it.
fn data_or_fault(datum: Datum) -> Result<Datum, Problem> {
    let mut work = vec![&datum];
    while let Some(next) = work.pop() {
        match next {
            Datum::Fault(problem) => return Err((**problem).clone()),
            Datum::Array(items) => work.extend(items.iter().rev()),
            Datum::Record(entries) => work.extend(entries.iter().rev().filter_map(|e| e.value.as_ref())),
            Datum::Map(entries) => work.extend(entries.iter().rev().map(|(_, value)| value)),
            _ => {}
        }
    }
    Ok(datum)
}

fn records(datum: &Datum) -> impl Iterator<Item = &[Entry]> {
    let items: &[Datum] = match datum {
        Datum::Array(items) => items,
        _ => &[],
    };
    items.iter().filter_map(|item| match item {
        Datum::Record(entries) => Some(entries.as_slice()),
        _ => None,
    })
}

fn text(entries: &[Entry], name: &str) -> Name {
    match entries.iter().find(|e| e.name == name).and_then(|e| e.value.as_ref()) {
        Some(Datum::String(text)) => text.clone(),
        _ => Name::default(),
    }
}

impl Answer for Resources {
    fn name(&self) -> &'static str {
        "resources"
    }

    fn text(&self, to: &Renderer<'_>) -> Styled {
        text::draw(self, to)
    }

    fn html(&self, to: &Renderer<'_>, html: &mut Html) {
        html::html(self, to, html);
    }

    fn json(&self, to: &Renderer<'_>) -> Json {
        json::json(self, to)
    }

    fn svg(&self, to: &Renderer<'_>) -> Option<String> {
        (!self.resources.is_empty()).then(|| text::picture(self, to.dialect, crate::answer::graph::PART))
    }
}
