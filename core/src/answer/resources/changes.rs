//! The differences between two graphs of resources: resources and edges that were added or removed, and fields that changed.

use super::{Edge, Resource, Resources};
use crate::answer::shared::{ROWS, VALUE};
use crate::answer::{Answer, Renderer};
use crate::dialect::notation::value::one_line;
use crate::styled::{Role, Styled};
use crate::text::Name;
use crate::value::datum::{Datum, Entry};
use crate::view::html::{Cell, Html};
use crate::view::json as shared;
use rustc_hash::FxHashMap;
use serde_json::{Value, json};

/// The differences between two graphs.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Changes {
    /// The resources that differ, by kind and name.
    pub resources: Vec<ResourceChange>,
    /// The edges that only one graph has, each with `true` if that is the second one.
    pub edges: Vec<(Edge, bool)>,
    /// Number of resources that are the same.
    pub same: usize,
}

/// A resource that differs.
#[derive(Clone, PartialEq, Debug)]
pub struct ResourceChange {
    /// Its kind and name: `file[/tmp/x]`.
    pub label: Name,
    /// The kind of difference.
    pub change: Change,
    /// Its fields and meta parameters that differ; all of them if the resource was added or removed.
    pub fields: Vec<FieldChange>,
}

/// The kinds of differences.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Change {
    /// Only the second graph has it.
    Added,
    /// Only the first graph has it.
    Removed,
    /// Both have it, with different fields.
    Changed,
}

/// A field that differs.
#[derive(Clone, PartialEq, Debug)]
pub struct FieldChange {
    /// Its name: `content`, `Meta:noop`.
    pub name: Name,
    /// The value in the first graph, if it is set there.
    pub was: Option<Datum>,
    /// The value in the second graph, if it is set there.
    pub now: Option<Datum>,
}

impl Change {
    fn sign(self) -> (&'static str, Role) {
        match self {
            Change::Added => ("+", Role::Wins),
            Change::Removed => ("-", Role::Lost),
            Change::Changed => ("~", Role::Note),
        }
    }

    fn word(self) -> &'static str {
        match self {
            Change::Added => "added",
            Change::Removed => "removed",
            Change::Changed => "changed",
        }
    }
}

/// Compares two graphs. O(resources, fields and edges of both).
pub fn changes(before: &Resources, after: &Resources) -> Changes {
    let of = |graph: &Resources| -> FxHashMap<Name, usize> {
        graph.resources.iter().enumerate().map(|(index, resource)| (resource.label.clone(), index)).collect()
    };
    let (old, new) = (of(before), of(after));
    let mut out = Changes::default();
    for resource in &before.resources {
        match new.get(&resource.label).and_then(|index| after.resources.get(*index)) {
            None => out.resources.push(whole(resource, Change::Removed)),
            Some(other) => match fields(resource, other) {
                fields if fields.is_empty() => out.same += 1,
                fields => {
                    let label = resource.label.clone();
                    out.resources.push(ResourceChange { label, change: Change::Changed, fields });
                }
            },
        }
    }
    let added = after.resources.iter().filter(|resource| !old.contains_key(&resource.label));
    out.resources.extend(added.map(|resource| whole(resource, Change::Added)));
    out.resources.sort_by(|a, b| a.label.cmp(&b.label));
    let edge = |edge: &Edge| (edge.from.clone(), edge.to.clone(), edge.notify);
    let keys = |graph: &Resources| graph.edges.iter().map(edge).collect::<rustc_hash::FxHashSet<_>>();
    let (old, new) = (keys(before), keys(after));
    out.edges.extend(before.edges.iter().filter(|e| !new.contains(&edge(e))).map(|e| (e.clone(), false)));
    out.edges.extend(after.edges.iter().filter(|e| !old.contains(&edge(e))).map(|e| (e.clone(), true)));
    out
}

/// Returns the fields and meta parameters of a resource with their names.
fn named(resource: &Resource) -> impl Iterator<Item = (Name, &Datum)> {
    fn set(entry: &Entry) -> Option<(&Name, &Datum)> {
        Some((&entry.name, entry.value.as_ref()?))
    }
    let fields = resource.fields.iter().filter_map(set).map(|(name, value)| (name.clone(), value));
    let meta = resource.meta.iter().filter_map(set);
    fields.chain(meta.map(|(name, value)| (Name::from(format!("Meta:{name}")), value)))
}

fn whole(resource: &Resource, change: Change) -> ResourceChange {
    let field = |(name, value): (Name, &Datum)| match change {
        Change::Removed => FieldChange { name, was: Some(value.clone()), now: None },
        _ => FieldChange { name, was: None, now: Some(value.clone()) },
    };
    ResourceChange { label: resource.label.clone(), change, fields: named(resource).map(field).collect() }
}

fn fields(before: &Resource, after: &Resource) -> Vec<FieldChange> {
    let new: Vec<(Name, &Datum)> = named(after).collect();
    let old: Vec<(Name, &Datum)> = named(before).collect();
    let find = |all: &[(Name, &Datum)], name: &Name| all.iter().find(|(n, _)| n == name).map(|(_, v)| (*v).clone());
    let mut out = Vec::new();
    for (name, was) in &old {
        let now = find(&new, name);
        if now.as_ref() != Some(*was) {
            out.push(FieldChange { name: name.clone(), was: Some((*was).clone()), now });
        }
    }
    for (name, now) in &new {
        if find(&old, name).is_none() {
            out.push(FieldChange { name: name.clone(), was: None, now: Some((*now).clone()) });
        }
    }
    out
}

impl Changes {
    /// Returns `true` if the graphs are the same.
    pub fn is_empty(&self) -> bool {
        self.resources.is_empty() && self.edges.is_empty()
    }

    /// Returns the last line: what differs, and how much is the same.
    fn footer(&self) -> String {
        let count = |change: Change| self.resources.iter().filter(|resource| resource.change == change).count();
        let mut parts = Vec::new();
        for change in [Change::Added, Change::Removed, Change::Changed] {
            if count(change) > 0 {
                parts.push(format!("{} {}", count(change), change.word()));
            }
        }
        if !self.edges.is_empty() {
            parts.push(format!("{} different", crate::text::counted(self.edges.len(), "edge")));
        }
        if parts.is_empty() {
            parts.push(String::from("no differences"));
        }
        format!("{}; {} same", parts.join(", "), crate::text::counted(self.same, "resource"))
    }
}

/// Returns the two values of a field: `"a" -> "b"`.
fn values(field: &FieldChange, columns: usize, to: &Renderer<'_>) -> Styled {
    let line = |value: &Datum| one_line(to.dialect.spelling(), value);
    match (&field.was, &field.now) {
        (Some(was), Some(now)) => {
            let half = columns.saturating_sub(4) / 2;
            let (was, now) = (line(was), line(now));
            let mut out = was.cut_apart(half, std::slice::from_ref(&now));
            out.push(Role::Operator, " -> ");
            out.append(&now.cut_apart(half, std::slice::from_ref(&was)));
            out
        }
        (Some(one), None) | (None, Some(one)) => line(one).cut(columns),
        (None, None) => Styled::new(),
    }
}

/// Returns the kind of difference of a field.
fn kind(field: &FieldChange) -> Change {
    match (&field.was, &field.now) {
        (None, _) => Change::Added,
        (_, None) => Change::Removed,
        _ => Change::Changed,
    }
}

impl Answer for Changes {
    fn name(&self) -> &'static str {
        "resource-changes"
    }

    fn text(&self, to: &Renderer<'_>) -> Styled {
        let mut out = Styled::new();
        for resource in &self.resources {
            let (sign, role) = resource.change.sign();
            out.push(role, sign);
            out.plain(" ");
            out.push(Role::Name, resource.label.as_str());
            out.plain("\n");
            let columns = resource.fields.iter().map(|field| field.name.len()).max().unwrap_or(0);
            for field in &resource.fields {
                let (sign, role) = kind(field).sign();
                let sign = if resource.change == Change::Changed { sign } else { " " };
                out.plain("  ");
                out.push(role, sign);
                out.plain(" ");
                out.push(Role::Name, format!("{:<columns$}", field.name));
                out.plain("  ");
                out.append(&values(field, to.width().saturating_sub(columns + 6).max(20), to));
                out.plain("\n");
            }
        }
        for (edge, added) in &self.edges {
            let (sign, role) = if *added { Change::Added } else { Change::Removed }.sign();
            out.push(role, sign);
            out.plain(" ");
            out.push(Role::Name, edge.from.as_str());
            out.push(Role::Operator, " -> ");
            out.push(Role::Name, edge.to.as_str());
            if edge.notify {
                out.push(Role::Comment, " # notify");
            }
            out.plain("\n");
        }
        out.push(Role::Dim, self.footer());
        out
    }

    fn html(&self, to: &Renderer<'_>, html: &mut Html) {
        let mut rows: Vec<Vec<Cell>> = Vec::new();
        for resource in &self.resources {
            let (_, role) = resource.change.sign();
            let word = || Cell::Text(Styled::of(role, resource.change.word()));
            let label = || Cell::Head(Styled::of(Role::Name, resource.label.as_str()));
            if resource.fields.is_empty() {
                rows.push(vec![
                    word(),
                    label(),
                    Cell::Text(Styled::new()),
                    Cell::Text(Styled::new()),
                    Cell::Text(Styled::new()),
                ]);
            }
            for field in &resource.fields {
                let value = |value: &Option<Datum>, role: Option<Role>| {
                    let text =
                        value.as_ref().map(|v| one_line(to.dialect.spelling(), v).cut(VALUE)).unwrap_or_default();
                    Cell::Text(match role {
                        Some(role) => Styled::of(role, text.text()),
                        None => text,
                    })
                };
                let name = Cell::Text(Styled::of(Role::Name, field.name.as_str()));
                rows.push(vec![word(), label(), name, value(&field.was, Some(Role::Lost)), value(&field.now, None)]);
            }
        }
        for (edge, added) in &self.edges {
            let change = if *added { Change::Added } else { Change::Removed };
            let mut text = Styled::of(Role::Name, edge.from.as_str());
            text.push(Role::Operator, if edge.notify { " -> (notify) " } else { " -> " });
            text.push(Role::Name, edge.to.as_str());
            let none = || Cell::Text(Styled::new());
            rows.push(vec![
                Cell::Text(Styled::of(change.sign().1, change.word())),
                Cell::Head(text),
                none(),
                none(),
                none(),
            ]);
        }
        let left_out = rows.len().saturating_sub(ROWS);
        rows.truncate(ROWS);
        if !rows.is_empty() {
            html.table(&["", "resource", "field", "before", "after"], rows);
        }
        if left_out > 0 {
            html.paragraph(&Styled::of(Role::Dim, format!("… {left_out} more")));
        }
        html.paragraph(&Styled::of(Role::Dim, self.footer()));
    }

    fn json(&self, _: &Renderer<'_>) -> Value {
        let field = |field: &FieldChange| {
            let value = |value: &Option<Datum>| value.as_ref().map(shared::value);
            json!({"field": field.name.as_str(), "was": value(&field.was), "now": value(&field.now)})
        };
        let resource = |resource: &ResourceChange| {
            let fields: Vec<Value> = resource.fields.iter().map(field).collect();
            json!({"resource": resource.label.as_str(), "change": resource.change.word(), "fields": fields})
        };
        let edge = |(edge, added): &(Edge, bool)| {
            let change = if *added { Change::Added } else { Change::Removed };
            json!({"from": edge.from.as_str(), "to": edge.to.as_str(), "notify": edge.notify, "change": change.word()})
        };
        json!({
            "version": 1,
            "resources": self.resources.iter().map(resource).collect::<Vec<_>>(),
            "edges": self.edges.iter().map(edge).collect::<Vec<_>>(),
            "same": self.same,
        })
    }
}
