//! New keys of a layer that are almost a key of a lower layer: `replcias: 3` over `replicas: 1`.

use super::{COMPARED, general};
use crate::problem::session::{SessionKind, SessionProblem};
use crate::problem::{Problem, Severity};
use crate::session::cells::overlap;
use crate::session::run::Run;
use crate::text::path::Step;
use crate::text::{Name, Span, is_misspelt};
use crate::value::{Fault, Machine, Record, Thunk, Value};
use indexmap::IndexMap;
use rustc_hash::FxHashSet;

/// Mappings whose keys the user chooses, so that two similar ones are two things.
const FREE: [&str; 33] = [
    "annotations",
    "args",
    "binaryData",
    "classes",
    "commands",
    "configs",
    "data",
    "definitions",
    "dependencies",
    "devDependencies",
    "env",
    "environment",
    "files",
    "groups",
    "headers",
    "hosts",
    "labels",
    "limits",
    "matchLabels",
    "networks",
    "nodeSelector",
    "params",
    "parameters",
    "paths",
    "properties",
    "requests",
    "scripts",
    "selector",
    "services",
    "stringData",
    "tags",
    "users",
    "variables",
];

/// A new key that is similar to a key of a lower layer.
pub(super) struct SimilarKey {
    pub(super) path: Vec<Step>,
    meant: Name,
    /// The places of both keys.
    places: [Option<Span>; 2],
}

impl SimilarKey {
    /// Whether the new key is in a text that a test accepts.
    pub(super) fn is_of(&self, test: impl Fn(Span) -> bool) -> bool {
        self.places.first().copied().flatten().is_some_and(test)
    }
}

/// Finds the keys of the upper records, the lowest first, that no lower one has although one has a similar key with a value of
/// the same kind. O(new keys × lower keys), up to a limit.
pub(super) fn similar(
    machine: &mut Machine,
    path: &[Step],
    records: &[Record],
    found: &mut Vec<SimilarKey>,
) -> Result<(), Fault> {
    if matches!(path.last(), Some(Step::Field(name)) if FREE.contains(&&**name)) {
        return Ok(());
    }
    let mut lower: IndexMap<Name, (Thunk, Option<Span>)> = IndexMap::new();
    for record in records {
        let fields = match machine.all_fields(record) {
            Ok(fields) => fields,
            Err(fault) if fault.is_transient() => return Err(fault),
            Err(_) => return Ok(()),
        };
        let own: IndexMap<Name, Thunk> =
            fields.into_iter().filter_map(|field| Some((field.name, field.value?))).collect();
        if own.len().saturating_mul(lower.len()) <= COMPARED {
            let mut alike = None;
            for (name, value) in own.iter().filter(|(name, _)| !lower.contains_key(*name)) {
                if let Some((meant, place)) = path_of(machine, name, &lower)? {
                    let path = path.iter().cloned().chain([Step::Field(name.clone())]).collect();
                    found.push(SimilarKey { path, meant, places: [record.named_at(name), place] });
                    continue;
                }
                let absent = |other: &Name| !own.contains_key(other);
                let meant = lower.iter().find(|(other, _)| is_misspelt(name, other) && absent(other));
                let Some((meant, (other, place))) = meant else { continue };
                if !same_kind(machine, value, other)? {
                    continue;
                }
                let alike = match alike {
                    Some(alike) => alike,
                    None => *alike.insert(are_alike(machine, &lower)?),
                };
                if !alike {
                    let path = path.iter().cloned().chain([Step::Field(name.clone())]).collect();
                    found.push(SimilarKey { path, meant: meant.clone(), places: [record.named_at(name), *place] });
                }
            }
        }
        for (name, value) in own {
            let place = record.named_at(&name);
            lower.entry(name).or_insert((value, place));
        }
    }
    Ok(())
}

/// Returns the path that a key was probably meant as, if a lower layer has it: `server:port`, or `server.port` in quotes. Also the place of its
/// first key.
fn path_of(
    machine: &mut Machine,
    name: &Name,
    lower: &IndexMap<Name, (Thunk, Option<Span>)>,
) -> Result<Option<(Name, Option<Span>)>, Fault> {
    let mut parts = name.split([':', '.', '/']);
    let (Some((first, place)), true) = (parts.next().and_then(|part| lower.get(part)), name.contains([':', '.', '/']))
    else {
        return Ok(None);
    };
    let mut value = first.clone();
    for part in parts {
        let Some(Value::Record(record)) = forced(machine, &value)? else { return Ok(None) };
        value = match machine.field(&record, part) {
            Ok(Some(next)) => next,
            Err(fault) if fault.is_transient() => return Err(fault),
            Ok(None) | Err(_) => return Ok(None),
        };
    }
    Ok(Some((Name::from(name.replace([':', '/'], ".")), *place)))
}

/// Checks whether two values are of the same kind. A value with an error is of no kind.
fn same_kind(machine: &mut Machine, one: &Thunk, other: &Thunk) -> Result<bool, Fault> {
    match (forced(machine, one)?, forced(machine, other)?) {
        (Some(one), Some(other)) => Ok(std::mem::discriminant(&one) == std::mem::discriminant(&other)),
        _ => Ok(false),
    }
}

/// Checks whether all values are mappings with a key in common: then they are several things of one sort, and their keys are
/// names that the user chose.
fn are_alike(machine: &mut Machine, values: &IndexMap<Name, (Thunk, Option<Span>)>) -> Result<bool, Fault> {
    let mut common: Option<FxHashSet<Name>> = None;
    for (value, _) in values.values() {
        let Some(Value::Record(record)) = forced(machine, value)? else { return Ok(false) };
        let names = record.names_as_defined();
        common = Some(match common {
            Some(common) => names.into_iter().filter(|name| common.contains(name)).collect(),
            None => names.into_iter().collect(),
        });
    }
    Ok(values.len() > 1 && common.is_some_and(|common| !common.is_empty()))
}

fn forced(machine: &mut Machine, value: &Thunk) -> Result<Option<Value>, Fault> {
    match machine.force(value) {
        Ok(value) => Ok(Some(value)),
        Err(fault) if fault.is_transient() => Err(fault),
        Err(_) => Ok(None),
    }
}

impl Run<'_> {
    /// Keeps new keys that are similar to a key of a lower layer for the end of the run.
    pub(super) fn keep_similar(&mut self, names: Vec<SimilarKey>) {
        for SimilarKey { path, meant, places: [span, lower] } in names {
            let what = SessionKind::SimilarKey { path: Name::from(general(&path)), meant, lower };
            self.similar.push(Problem::warning(SessionProblem { span, what }));
        }
    }

    /// Reports the new keys that are similar to a key of a lower layer, except those that have an error already.
    pub(in crate::session::run) fn report_similar(&mut self) {
        for problem in std::mem::take(&mut self.similar) {
            if !problem.span().is_some_and(|span| self.has_error_at(span)) {
                self.report(&problem);
            }
        }
    }

    /// Whether an error at a place was reported.
    pub(in crate::session::run) fn has_error_at(&self, span: Span) -> bool {
        let mut errors = self.said.iter().filter(|problem| problem.severity == Severity::Error);
        errors.any(|problem| problem.span().is_some_and(|other| overlap(other, span)))
    }
}
