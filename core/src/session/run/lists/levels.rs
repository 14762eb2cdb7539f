//! New keys of a layer that a lower layer has at another level: `pool` at the top, where the lower layer has `database.pool`.

use super::kinds::exact_kind_of;
use super::names::{SimilarKey, written};
use super::{COMPARED, DEPTH, forced};
use crate::problem::session::Similarity;
use crate::text::path::Step;
use crate::text::{Name, Span};
use crate::value::{Fault, Machine, Record, Thunk, Value};
use indexmap::IndexMap;
use rustc_hash::FxHashSet;

/// Names that several things have, so that the same name at two levels says nothing.
const GENERAL: [&str; 78] = [
    "address",
    "annotations",
    "apiVersion",
    "args",
    "auth",
    "build",
    "cache",
    "command",
    "comment",
    "config",
    "count",
    "data",
    "debug",
    "default",
    "defaults",
    "depends_on",
    "description",
    "dir",
    "directory",
    "disabled",
    "email",
    "enabled",
    "endpoint",
    "env",
    "environment",
    "file",
    "files",
    "format",
    "group",
    "headers",
    "healthcheck",
    "host",
    "hostname",
    "hosts",
    "id",
    "image",
    "interval",
    "key",
    "kind",
    "labels",
    "level",
    "limit",
    "limits",
    "log",
    "logging",
    "max",
    "metadata",
    "min",
    "mode",
    "name",
    "namespace",
    "networks",
    "options",
    "params",
    "password",
    "path",
    "port",
    "ports",
    "prefix",
    "properties",
    "protocol",
    "region",
    "resources",
    "secret",
    "secrets",
    "settings",
    "size",
    "spec",
    "status",
    "tags",
    "timeout",
    "title",
    "token",
    "type",
    "url",
    "user",
    "version",
    "volumes",
];

/// A key of a lower layer, below the top.
struct Deeper {
    path: Vec<Step>,
    value: Thunk,
    place: Option<Span>,
}

/// Finds the keys at the top of the upper records, the lowest first, that no lower one has there although one of them has the same key
/// at exactly one other level, with a value of the same kind: for a mapping, one that has all of its keys. `O(fields)`, up to a limit.
pub(super) fn deeper(
    machine: &mut Machine,
    path: &[Step],
    records: &[Record],
    found: &mut Vec<SimilarKey>,
) -> Result<(), Fault> {
    let mut known: FxHashSet<Name> = FxHashSet::default();
    for (at, record) in records.iter().enumerate() {
        let fields = match machine.all_fields(record) {
            Ok(fields) => fields,
            Err(fault) if fault.is_transient() => return Err(fault),
            Err(_) => return Ok(()),
        };
        let is_new = |name: &Name| !known.contains(name) && !GENERAL.contains(&name.as_str());
        let new: Vec<(Name, Thunk)> = fields
            .iter()
            .filter(|field| at > 0 && is_new(&field.name))
            .filter_map(|field| Some((field.name.clone(), field.value.clone()?)))
            .collect();
        if !new.is_empty() {
            let index = index(machine, path, records.get(..at).unwrap_or_default(), &new)?;
            for (name, value) in new {
                let Some([only]) = index.get(&name).map(Vec::as_slice) else { continue };
                if is_part(machine, &value, &only.value)? {
                    let path = path.iter().cloned().chain([Step::Field(name.clone())]).collect();
                    let (meant, places) = (written(&only.path), [record.named_at(&name), only.place]);
                    found.push(SimilarKey { path, meant, places, how: Similarity::OtherLevel });
                }
            }
        }
        known.extend(fields.into_iter().map(|field| field.name));
    }
    Ok(())
}

/// Returns the places below the top at which records have some names, each path once. Nothing if the records are too large.
fn index(
    machine: &mut Machine,
    path: &[Step],
    records: &[Record],
    names: &[(Name, Thunk)],
) -> Result<IndexMap<Name, Vec<Deeper>>, Fault> {
    let names: FxHashSet<&Name> = names.iter().map(|(name, _)| name).collect();
    let mut out: IndexMap<Name, Vec<Deeper>> = IndexMap::new();
    let mut work: Vec<(Vec<Step>, Record)> =
        records.iter().rev().map(|record| (path.to_vec(), record.clone())).collect();
    let mut left = COMPARED;
    while let Some((around, record)) = work.pop() {
        let fields = match machine.all_fields(&record) {
            Ok(fields) => fields,
            Err(fault) if fault.is_transient() => return Err(fault),
            Err(_) => continue,
        };
        for field in fields {
            machine.tick()?;
            left = left.saturating_sub(1);
            if left == 0 {
                return Ok(IndexMap::new());
            }
            let Some(value) = field.value else { continue };
            let own: Vec<Step> = around.iter().cloned().chain([Step::Field(field.name.clone())]).collect();
            if own.len() > path.len() + 1 && names.contains(&field.name) {
                let places = out.entry(field.name.clone()).or_default();
                if !places.iter().any(|other| other.path == own) {
                    let place = record.named_at(&field.name);
                    places.push(Deeper { path: own.clone(), value: value.clone(), place });
                }
            }
            if own.len() <= DEPTH
                && let Some(Value::Record(inner)) = forced(machine, &value)?
            {
                work.push((own, inner));
            }
        }
    }
    Ok(out)
}

/// Checks whether a value is of the kind of another one and, if both are mappings, has only keys of the other one.
fn is_part(machine: &mut Machine, one: &Thunk, other: &Thunk) -> Result<bool, Fault> {
    let (Some(own), Some(other)) = (forced(machine, one)?, forced(machine, other)?) else { return Ok(false) };
    Ok(match (&own, &other) {
        (Value::Record(own), Value::Record(other)) => {
            let (own, other) = (own.names_as_defined(), other.names_as_defined());
            !own.is_empty() && own.iter().all(|name| other.contains(name))
        }
        (Value::String(_) | Value::Number(_) | Value::Bool(_), _) => exact_kind_of(&own) == exact_kind_of(&other),
        _ => false,
    })
}
