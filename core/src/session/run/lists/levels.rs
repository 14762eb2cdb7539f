//! New keys of a layer that a lower layer has at another level: `pool` at the top, where the lower layer has `database.pool`, and
//! `server.workers`, where it has `workers`.

use super::kinds::exact_kind_of;
use super::names::{FREE, SimilarKey, written};
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

/// Names of [`GENERAL`] that most often belong to the whole.
const WHOLE: [&str; 1] = ["debug"];

/// Names that a part of a chart has as well as the whole.
const OF_PARTS: [&str; 12] = [
    "clusterDomain",
    "existingSecret",
    "fullnameOverride",
    "imagePullPolicy",
    "nameOverride",
    "namespaceOverride",
    "priorityClassName",
    "replicaCount",
    "replicas",
    "schedulerName",
    "storageClass",
    "terminationGracePeriodSeconds",
];

/// A key of a lower layer, below the top.
struct Deeper {
    path: Vec<Step>,
    value: Thunk,
    place: Option<Span>,
}

/// Finds the keys of the upper records, the lowest first, that a lower one has at another level. `top`: the length of the path of the top.
pub(super) fn other_levels(
    machine: &mut Machine,
    path: &[Step],
    (records, top): (&[Record], usize),
    found: &mut Vec<SimilarKey>,
) -> Result<(), Fault> {
    if path.len() == top {
        deeper(machine, path, records, found)?;
    }
    if path.len() >= top { higher(machine, path, records, found) } else { Ok(()) }
}

/// Finds the keys at the top of the upper records, the lowest first, that no lower one has there although one of them has the same key
/// at exactly one other level, with a value of the same kind: for a mapping, one that has all of its keys. `O(fields)`, up to a limit.
fn deeper(machine: &mut Machine, path: &[Step], records: &[Record], found: &mut Vec<SimilarKey>) -> Result<(), Fault> {
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

/// Finds the last keys of a mapping in the upper records, the lowest first, that no lower one has there although one of them has the same key
/// beside the mapping, with a scalar of the same kind. The keys before them are in the lower mapping, so that it is the one that was meant.
/// `O(fields)`, and for each key found the mappings beside it, up to a limit.
fn higher(machine: &mut Machine, path: &[Step], records: &[Record], found: &mut Vec<SimilarKey>) -> Result<(), Fault> {
    let mut left = COMPARED;
    for (at, record) in records.iter().enumerate().skip(1) {
        let below = records.get(..at).unwrap_or_default();
        for inside in record.names_as_defined().iter().filter(|name| !FREE.contains(&name.as_str())) {
            machine.tick()?;
            let Some(own) = mapping(machine, record, inside)? else { continue };
            let mut lower = Vec::new();
            for record in below {
                lower.extend(mapping(machine, record, inside)?);
            }
            let names = own.names_as_defined();
            let is_in = |records: &[Record], name: &Name| records.iter().any(|record| record.named_at(name).is_some());
            let mut new = Vec::new();
            for name in names.iter().rev() {
                let is_of_parts = GENERAL.contains(&name.as_str()) && !WHOLE.contains(&name.as_str())
                    || OF_PARTS.contains(&name.as_str());
                let is_set = record.named_at(name).is_some();
                if is_of_parts || is_set || is_in(&lower, name) || !is_in(below, name) {
                    break;
                }
                new.push(name);
            }
            // a mapping of which the layer changes nothing else may have such a key
            if new.len() == names.len() || !names.first().is_some_and(|first| is_in(&lower, first)) {
                continue;
            }
            for name in new.into_iter().rev() {
                let Some((place, kind)) = scalar(machine, below, name)? else { continue };
                let Some((own_place, own_kind)) = scalar(machine, std::slice::from_ref(&own), name)? else { continue };
                if kind == own_kind && !is_in_others(machine, below, name, &mut left)? {
                    let around = path.iter().cloned();
                    let meant = written(&around.clone().chain([Step::Field(name.clone())]).collect::<Vec<_>>());
                    let path = around.chain([Step::Field(inside.clone()), Step::Field(name.clone())]).collect();
                    found.push(SimilarKey { path, meant, places: [own_place, place], how: Similarity::OtherLevel });
                }
            }
        }
    }
    Ok(())
}

/// Returns the mapping that a record has at a name.
fn mapping(machine: &mut Machine, record: &Record, name: &Name) -> Result<Option<Record>, Fault> {
    let value = match machine.field(record, name) {
        Ok(Some(value)) => value,
        Err(fault) if fault.is_transient() => return Err(fault),
        Ok(None) | Err(_) => return Ok(None),
    };
    Ok(match forced(machine, &value)? {
        Some(Value::Record(record)) => Some(record),
        _ => None,
    })
}

/// Returns the place of a key in the highest record that has it, and the kind of its value if that is a scalar.
fn scalar(
    machine: &mut Machine,
    records: &[Record],
    name: &Name,
) -> Result<Option<(Option<Span>, &'static str)>, Fault> {
    let Some(record) = records.iter().rev().find(|record| record.named_at(name).is_some()) else { return Ok(None) };
    let value = match machine.field(record, name) {
        Ok(Some(value)) => value,
        Err(fault) if fault.is_transient() => return Err(fault),
        Ok(None) | Err(_) => return Ok(None),
    };
    Ok(match forced(machine, &value)? {
        Some(value @ (Value::String(_) | Value::Number(_) | Value::Bool(_))) => {
            exact_kind_of(&value).map(|kind| (record.named_at(name), kind))
        }
        _ => None,
    })
}

/// Whether a mapping inside of the records has a key, or there are too many to see.
fn is_in_others(machine: &mut Machine, records: &[Record], name: &Name, left: &mut usize) -> Result<bool, Fault> {
    for record in records {
        for inside in record.names_as_defined() {
            machine.tick()?;
            *left = left.saturating_sub(1);
            if *left == 0 || mapping(machine, record, &inside)?.is_some_and(|inner| inner.named_at(name).is_some()) {
                return Ok(true);
            }
        }
    }
    Ok(false)
}
