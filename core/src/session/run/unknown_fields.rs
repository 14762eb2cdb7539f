//! Fields of an object that the schema of its resource does not have. The server of Kubernetes refuses or drops them.

use super::Run;
use crate::problem::Problem;
use crate::problem::session::{SessionKind, SessionProblem};
use crate::term::{FieldName, Node, NodeId, Term};
use crate::text::path::{FieldPath, Step};
use crate::text::{Name, Span, near};
use crate::value::{Fault, Machine, Record, Thunk, Value};

/// Maximum number of fields that are reported, and of values that are looked at.
const MOST: usize = 20;
const LOOKED_AT: usize = 1 << 14;
/// The fields that every object has.
const OF_OBJECTS: [&str; 3] = ["apiVersion", "kind", "metadata"];

/// A part of an object and the schema of it.
struct Part {
    value: Thunk,
    schema: NodeId,
    is_root: bool,
}

/// A field that a schema does not have.
struct Unknown {
    key: Name,
    place: Option<Span>,
    /// The field that was probably meant.
    meant: Option<Name>,
    declared: Span,
}

impl Run<'_> {
    /// Keeps the fields of an object that its schema does not have for the end of the run. `schema` is a part of `term`.
    pub(super) fn keep_unknown_fields(&mut self, object: &Thunk, term: &Term, schema: NodeId) {
        let machine = &mut self.session.workspace.machine;
        for Unknown { key, place, meant, declared } in unknown(machine, object, term, schema).unwrap_or_default() {
            let what = SessionKind::UnknownField { key, meant, declared };
            self.similar.push(Problem::warning(SessionProblem { span: place, what }));
        }
    }
}

/// Finds the first unknown fields. Does not recurse.
fn unknown(machine: &mut Machine, object: &Thunk, term: &Term, schema: NodeId) -> Result<Vec<Unknown>, Fault> {
    let mut found = Vec::new();
    let mut work = vec![Part { value: object.clone(), schema, is_root: true }];
    let mut left = LOOKED_AT;
    while let Some(Part { value, schema, is_root }) = work.pop() {
        machine.tick()?;
        left = left.saturating_sub(1);
        if left == 0 || found.len() >= MOST {
            break;
        }
        let value = match machine.force(&value) {
            Ok(value) => value,
            Err(fault) if fault.is_transient() => return Err(fault),
            Err(_) => continue,
        };
        match value {
            Value::Array(items) => {
                if let Some((_, items_schema)) = field(term, schema, "items") {
                    let items = machine.items(&items)?.to_vec();
                    let part = |value| Part { value, schema: items_schema, is_root: false };
                    work.extend(items.into_iter().rev().map(part));
                }
            }
            Value::Record(record) => {
                let Some((declared, properties)) = field(term, schema, "properties") else { continue };
                let is_closed = field(term, schema, "additionalProperties").is_none()
                    && field(term, schema, "x-kubernetes-preserve-unknown-fields").is_none()
                    && field(term, schema, "x-kubernetes-embedded-resource").is_none();
                for own in machine.all_fields(&record)? {
                    let Some(value) = own.value else { continue };
                    match field(term, properties, &own.name) {
                        Some((_, schema)) => work.push(Part { value, schema, is_root: false }),
                        None if is_root && OF_OBJECTS.contains(&own.name.as_str()) => {}
                        None if is_closed => {
                            let meant = meant(term, properties, &record, &own.name);
                            let place = record.named_at(&own.name);
                            found.push(Unknown { key: own.name, place, meant, declared });
                        }
                        None => {}
                    }
                }
            }
            _ => {}
        }
    }
    found.sort_by_key(|unknown| unknown.place.map(|place| (place.source, place.start)));
    Ok(found)
}

/// Returns the field that was probably meant: one of almost the same name beside it, or of the same name in one of the other fields.
fn meant(term: &Term, properties: NodeId, record: &Record, name: &Name) -> Option<Name> {
    let Node::Record(all) = term.node(properties) else { return None };
    let names: Vec<&Name> = all.fields.iter().filter_map(|field| static_name(&field.name)).collect();
    let free = names.iter().filter(|other| record.defined_at(other).is_none());
    if let Some(near) = near(name, free.map(|other| other.as_str())).into_iter().next() {
        return Some(near);
    }
    let mut inside = names.iter().filter(|around| {
        let inner = field(term, properties, around).and_then(|(_, inner)| field(term, inner, "properties"));
        inner.is_some_and(|(_, inner)| field(term, inner, name).is_some())
    });
    match (inside.next(), inside.next()) {
        (Some(around), None) => {
            let steps = vec![Step::Field((*around).clone()), Step::Field(name.clone())];
            Some(Name::from(FieldPath { steps }.to_string()))
        }
        _ => None,
    }
}

fn static_name(name: &FieldName) -> Option<&Name> {
    if let FieldName::Static(name) = name { Some(name) } else { None }
}

/// Returns a field of a mapping in data: the place of its name, and its value.
fn field(term: &Term, node: NodeId, wanted: &str) -> Option<(Span, NodeId)> {
    let Node::Record(record) = term.node(node) else { return None };
    let found = record.fields.iter().find(|field| static_name(&field.name).is_some_and(|name| name == wanted))?;
    Some((found.name_span, found.body?))
}
