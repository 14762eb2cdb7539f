//! Rules of a schema that its validator does not enforce: formats since draft 2019-09, and the keys of lists in Kubernetes.

use super::Run;
use super::lists::keys::has_secret_key;
use crate::problem::Problem;
use crate::problem::session::Slip;
use crate::term::{FieldName, Node, NodeId, Term};
use crate::text::path::{FieldPath, KeyField, Step};
use crate::text::{Name, Span};
use crate::value::lists::key_of;
use crate::value::{Fault, Machine, Thunk, Value};
use rustc_hash::FxHashMap;

/// Maximum number of values that are reported, and of values that are looked at.
const MOST: usize = 10;
const LOOKED_AT: usize = 1 << 14;

/// A part of a value and the schema of it.
struct Part {
    value: Thunk,
    schema: NodeId,
    path: Vec<Step>,
    place: Option<Span>,
}

impl Run<'_> {
    /// Reports values that do not have the format of a schema that does not enforce it, and elements of a list of Kubernetes with the
    /// same key. `schema` is a part of `term`. `O(value)`, up to a limit.
    pub(super) fn report_beyond(&mut self, value: &Thunk, term: &Term, schema: NodeId) {
        // what such a report says depends on values, and a contract may make any of them a secret
        if self.session.world.sources.borrow().has_secrets() {
            return;
        }
        let machine = &mut self.session.workspace.machine;
        for (slip, place) in beyond(machine, value, term, schema).unwrap_or_default() {
            self.similar.push(Problem::warning(slip.at(place)));
        }
    }
}

/// Finds the first such values. Does not recurse.
fn beyond(
    machine: &mut Machine,
    value: &Thunk,
    term: &Term,
    schema: NodeId,
) -> Result<Vec<(Slip, Option<Span>)>, Fault> {
    let is_enforced = field(term, schema, "$schema")
        .and_then(|(_, id)| text(term, id))
        .is_some_and(|id| ["draft-04", "draft-06", "draft-07"].iter().any(|draft| id.contains(draft)));
    let mut found = Vec::new();
    let mut work = vec![Part { value: value.clone(), schema, path: Vec::new(), place: None }];
    let mut left = LOOKED_AT;
    while let Some(Part { value: thunk, schema, path, place }) = work.pop() {
        machine.tick()?;
        left = left.saturating_sub(1);
        if left == 0 || found.len() >= MOST {
            break;
        }
        let value = match machine.force(&thunk) {
            Ok(value) => value,
            Err(fault) if fault.is_transient() => return Err(fault),
            Err(_) => continue,
        };
        match value {
            Value::String(own) if !is_enforced && thunk.secret().is_none() => {
                let format = field(term, schema, "format").and_then(|(at, format)| Some((at, text(term, format)?)));
                if let Some((at, format)) = format
                    && let Some(wanted) = cfg_json_schema::misses(&format, own.as_str())
                {
                    let shown = FieldPath { steps: path };
                    let message = format!("the value of `{shown}` is not {wanted}");
                    let slip =
                        Slip::new("data/format", message).label("this draft of the schema does not enforce formats");
                    found.push((slip.other(Some(at), "the format of the schema"), place.or(machine.place(&thunk))));
                }
            }
            Value::Array(items) => {
                let elements = machine.items(&items)?.to_vec();
                if let Some(slip) = twice(machine, &elements, term, schema, &path)? {
                    found.push(slip);
                }
                if let Some((_, items)) = field(term, schema, "items") {
                    let part = |(index, value): (usize, Thunk)| {
                        let path = path.iter().cloned().chain([Step::Index(index)]).collect();
                        Part { value, schema: items, path, place: None }
                    };
                    work.extend(elements.into_iter().enumerate().map(part));
                }
            }
            Value::Record(record) => {
                let properties = field(term, schema, "properties");
                let others = field(term, schema, "additionalProperties");
                if properties.is_none() && others.is_none() {
                    continue;
                }
                for own in machine.all_fields(&record)? {
                    let Some(value) = own.value else { continue };
                    let inner = properties.and_then(|(_, all)| field(term, all, &own.name)).or(others);
                    let place = record.defined_at(&own.name);
                    let path = path.iter().cloned().chain([Step::Field(own.name)]).collect();
                    work.extend(inner.map(|(_, schema)| Part { value, schema, path, place }));
                }
            }
            _ => {}
        }
    }
    found.sort_by_key(|(_, place)| place.map(|place| (place.source, place.start)));
    Ok(found)
}

/// Finds two elements with the same key in a list that Kubernetes identifies by keys.
fn twice(
    machine: &mut Machine,
    elements: &[Thunk],
    term: &Term,
    schema: NodeId,
    path: &[Step],
) -> Result<Option<(Slip, Option<Span>)>, Fault> {
    let Some((at, names)) = field(term, schema, "x-kubernetes-list-map-keys") else { return Ok(None) };
    let Node::Array(names) = term.node(names) else { return Ok(None) };
    let names: Vec<Name> = names.iter().filter_map(|name| text(term, *name)).collect();
    let keys: Vec<KeyField> = names.iter().map(|name| KeyField { name: name.clone(), default: None }).collect();
    let mut seen: FxHashMap<String, ()> = FxHashMap::default();
    for element in elements {
        machine.tick()?;
        if !has_secret_key(machine, element, &keys)?
            && let Some(key) = key_of(machine, element, &keys)?
            && seen.insert(key, ()).is_some()
        {
            let list = FieldPath { steps: path.to_vec() };
            let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
            let message = format!("two elements of `{list}` have the same {}", names.join(" and "));
            let slip = Slip::new("data/same-key", message).label("the second one: Kubernetes refuses it");
            let place = super::lists::place_of(machine, element)?;
            return Ok(Some((slip.other(Some(at), "this identifies an element"), place)));
        }
    }
    Ok(None)
}

fn text(term: &Term, node: NodeId) -> Option<Name> {
    if let Node::Str(text) = term.node(node) { Some(text.clone()) } else { None }
}

/// Returns a field of a mapping in data: the place of its name, and its value.
fn field(term: &Term, node: NodeId, wanted: &str) -> Option<(Span, NodeId)> {
    let Node::Record(record) = term.node(node) else { return None };
    let is_wanted = |name: &FieldName| matches!(name, FieldName::Static(name) if name == wanted);
    let found = record.fields.iter().find(|field| is_wanted(&field.name))?;
    Some((found.name_span, found.body?))
}
