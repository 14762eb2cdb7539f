//! New keys of a layer that were probably meant as a key of a lower layer: `replcias: 3` over `replicas: 1`.

use super::{COMPARED, forced, general, kind_of};
use crate::dialect::forms;
use crate::problem::session::{SessionKind, SessionProblem, Similarity};
use crate::problem::value::ValueKind;
use crate::problem::{Problem, ProblemKind, Severity};
use crate::session::cells::overlap;
use crate::session::run::Run;
use crate::text::path::{FieldPath, KeyField, Step};
use crate::text::{Name, SourceId, Span, is_misspelt, is_swapped, near};
use crate::value::lists::key_of;
use crate::value::{Array, Fault, Machine, Record, Thunk, Value};
use indexmap::IndexMap;
use rustc_hash::{FxHashMap, FxHashSet};

/// Mappings whose keys the user chooses, so that two similar ones are two things.
pub(super) const FREE: [&str; 33] = [
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
    pub(super) meant: Name,
    /// The places of both keys.
    pub(super) places: [Option<Span>; 2],
    pub(super) how: Similarity,
}

impl SimilarKey {
    /// Whether the key of the lower layer has no value.
    pub(super) fn is_declared(&self) -> bool {
        self.how == Similarity::Declared
    }

    /// Whether the new key, or the one that was probably meant, is on the way to a path or below it.
    pub(super) fn concerns(&self, at: &[Step]) -> bool {
        let is_near = |path: &[Step]| path.starts_with(at) || at.starts_with(path);
        let meant = match (&self.how, self.path.split_last()) {
            (Similarity::OtherLevel, _) | (_, None) => FieldPath::parse(&self.meant).ok().map(|path| path.steps),
            (_, Some((_, around))) => {
                Some(around.iter().cloned().chain([Step::Field(self.meant.clone())]).collect::<Vec<_>>())
            }
        };
        is_near(&self.path) || meant.is_some_and(|meant| is_near(&meant))
    }

    /// Whether the new key is in a text that a test accepts.
    pub(super) fn is_of(&self, test: impl Fn(Span) -> bool) -> bool {
        self.places.first().copied().flatten().is_some_and(test)
    }
}

/// The keys of lower records.
type LowerKeys = IndexMap<Name, LowerKey>;

/// A key of a lower record.
struct LowerKey {
    /// `None` if it is only declared.
    value: Option<Thunk>,
    place: Option<Span>,
    /// Whether a layer must give it a value.
    is_required: bool,
}

/// Finds the keys of the upper records, the lowest first, that no lower one has although one has a similar key with a value of
/// the same kind. `options`: the texts of options and variables, in which each new key may be a slip; `true` for those in which a point splits a
/// key. O(new keys × lower keys), up to a limit.
pub(super) fn similar(
    machine: &mut Machine,
    path: &[Step],
    records: &[Record],
    options: &FxHashMap<SourceId, bool>,
    found: &mut Vec<SimilarKey>,
) -> Result<(), Fault> {
    let is_free = matches!(path.last(), Some(Step::Field(name)) if FREE.contains(&&**name));
    let mut lower = LowerKeys::new();
    for record in records {
        let fields = match machine.all_fields(record) {
            Ok(fields) => fields,
            Err(fault) if fault.is_transient() => return Err(fault),
            Err(_) => return Ok(()),
        };
        let own: IndexMap<Name, (Option<Thunk>, bool)> =
            fields.into_iter().map(|field| (field.name, (field.value, field.optional))).collect();
        if own.len().saturating_mul(lower.len()) <= COMPARED {
            let (mut alike, mut common) = (None, None);
            for (name, (value, _)) in &own {
                let Some(value) = value.as_ref().filter(|_| !lower.contains_key(name)) else { continue };
                let place = record.named_at(name);
                let mut add = |meant: Name, lower: Option<Span>, how: Similarity| {
                    let path = path.iter().cloned().chain([Step::Field(name.clone())]).collect();
                    found.push(SimilarKey { path, meant, places: [place, lower], how });
                };
                if !is_free && let Some((meant, at)) = path_of(machine, name, &lower)? {
                    add(meant, at, Similarity::Dotted(None));
                    continue;
                }
                let is_split = place.and_then(|place| options.get(&place.source).copied());
                let is_option = is_split.is_some();
                if is_split == Some(true)
                    && let Some(joined) = joined(machine, name, value)?
                    && let Some(at) = lower.get(&joined).map(|key| key.place)
                {
                    let around = path.iter().cloned().chain([Step::Field(joined.clone())]);
                    let quoted = written(&around.collect::<Vec<_>>());
                    add(joined, at, Similarity::Split(Box::new(quoted)));
                    continue;
                }
                let absent = |other: &Name| !own.contains_key(other);
                let swapped = lower.iter().find(|(other, _)| is_swapped(name, other) && absent(other));
                let is_near = |other: &str| is_misspelt(name, other) || is_option && is_slip(name, other);
                let mut misspelt = lower.iter().find(|(other, _)| is_near(other) && absent(other));
                if is_free && misspelt.is_some() {
                    let common = common.get_or_insert_with(|| Common::of(machine, &lower));
                    misspelt = misspelt.filter(|_| is_lacking(machine, value, common));
                }
                let needed = || {
                    let needed = lower.iter().filter(|(other, key)| key.is_required && absent(other));
                    let meant = near(name, needed.map(|(other, _)| other.as_str())).into_iter().next()?;
                    lower.get_key_value(&meant)
                };
                let mut found = swapped.or(misspelt).or_else(needed);
                for (other, key) in lower.iter().filter(|(other, _)| !is_free && absent(other)) {
                    if found.is_none()
                        && let Some(list) = &key.value
                        && is_one_of_lists(machine, (name, value), (other, list))?
                    {
                        found = Some((other, key));
                    }
                }
                let Some((meant, LowerKey { value: other, place: at, .. })) = found else { continue };
                if let Some(other) = other
                    && !same_sort(machine, value, other)?
                {
                    continue;
                }
                let alike = match alike {
                    Some(alike) => alike,
                    None => *alike.insert(are_alike(machine, &lower)?),
                };
                let mut is_lacking = || {
                    let common = common.get_or_insert_with(|| Common::of(machine, &lower));
                    is_lacking(machine, value, common)
                };
                if swapped.is_some() || !alike || is_lacking() {
                    let how = if other.is_some() { Similarity::Misspelt } else { Similarity::Declared };
                    add(meant.clone(), *at, how);
                }
            }
        }
        for (name, (value, optional)) in own {
            let place = record.declared_at(&name);
            let known = lower.entry(name).or_insert(LowerKey { value: None, place, is_required: !optional });
            known.value = known.value.take().or(value);
            known.is_required &= !optional && known.value.is_none();
        }
    }
    Ok(())
}

/// Checks whether a name in an option is probably a slip for another one: options set what is there.
pub(in crate::session::run) fn is_slip(name: &str, meant: &str) -> bool {
    let digits = |name: &str| name.chars().filter(char::is_ascii_digit).collect::<String>();
    let is_part = name.starts_with(meant) && name.len() > meant.len() + 1 || meant.starts_with(name);
    let without_last = |name: &str| name.char_indices().next_back().map(|(at, _)| name.get(..at).map(String::from));
    // `zone-a` and `zone-b` are two things
    let is_numbered = name.chars().count() > 3 && without_last(name) == without_last(meant);
    !is_numbered && digits(name) == digits(meant) && !is_part && !near(name, [meant]).is_empty()
}

/// Checks whether the name of an element is most likely a slip for another one. Stricter than [`is_misspelt`], since the user chooses these
/// names: two letters are swapped, or a letter inside is missing or too many.
fn is_misspelt_element(name: &str, meant: &str) -> bool {
    let is_part = |one: &str, other: &str| one.starts_with(other) || one.ends_with(other);
    let is_inside = name.chars().count() != meant.chars().count() && !is_part(name, meant) && !is_part(meant, name);
    is_swapped(name, meant) || is_inside && is_misspelt(name, meant)
}

/// Finds the elements of the upper lists, the lowest first, that are new although a lower list has one whose key is similar.
pub(super) fn similar_elements(
    machine: &mut Machine,
    path: &[Step],
    lists: &[&Array],
    key: &KeyField,
    found: &mut Vec<SimilarKey>,
) -> Result<(), Fault> {
    let mut lower: IndexMap<Name, Option<Span>> = IndexMap::new();
    for list in lists {
        let mut own: IndexMap<Name, (usize, Option<Span>)> = IndexMap::new();
        for (index, element) in machine.items(list)?.to_vec().iter().enumerate() {
            machine.tick()?;
            let Some(Value::Record(record)) = forced(machine, element)? else { continue };
            let Some(value) = machine.field(&record, &key.name)? else { continue };
            if let Some(Value::String(text)) = forced(machine, &value)?
                && value.secret().is_none()
            {
                let place = machine.place(&value).or_else(|| record.defined_at(&key.name));
                own.insert(text.name(), (index, place));
            }
        }
        if own.len().saturating_mul(lower.len()) <= COMPARED {
            for (name, (_, place)) in own.iter().filter(|(name, _)| !lower.contains_key(*name)) {
                let is_meant = |other: &Name| is_misspelt_element(name, other) && !own.contains_key(other);
                let Some((meant, at)) = lower.iter().find(|(other, _)| is_meant(other)) else { continue };
                let (how, places) = (Similarity::Element(Box::new(key.name.clone())), [*place, *at]);
                let path = path.iter().cloned().chain([Step::Field(name.clone())]).collect();
                found.push(SimilarKey { path, meant: meant.clone(), places, how });
            }
        }
        own.into_iter().for_each(|(name, (_, place))| _ = lower.entry(name).or_insert(place));
    }
    Ok(())
}

/// The index and the place of an element without a key, and the key that was probably meant.
type KeylessElement = (usize, Option<Span>, Option<Name>);

/// Finds the first element of the upper lists, the lowest first, that does not have the key by which a rule merges elements. Also the
/// key of the element that was probably meant.
pub(super) fn without_key(
    machine: &mut Machine,
    lists: &[&Array],
    keys: &[KeyField],
) -> Result<Option<KeylessElement>, Fault> {
    let mut has_some = false;
    for (layer, list) in lists.iter().enumerate() {
        let mut first = None;
        for (index, element) in machine.items(list)?.to_vec().iter().enumerate() {
            machine.tick()?;
            match key_of(machine, element, keys)? {
                Some(_) => has_some = true,
                None if layer > 0 && first.is_none() => {
                    let place = place_of(machine, element)?;
                    let near = match (keys, forced(machine, element)?) {
                        ([key], Some(Value::Record(record))) => {
                            near(&key.name, record.names_as_defined().iter().map(Name::as_str)).into_iter().next()
                        }
                        _ => None,
                    };
                    first = Some((index, place, near));
                }
                None => {}
            }
        }
        // a rule that merges no elements at all is reported itself
        if let Some(first) = first.filter(|_| has_some) {
            return Ok(Some(first));
        }
    }
    Ok(None)
}

/// Returns the place of an element, or of its first key.
pub(in crate::session::run) fn place_of(machine: &mut Machine, element: &Thunk) -> Result<Option<Span>, Fault> {
    let place = machine.place(element);
    Ok(match forced(machine, element)? {
        Some(Value::Record(record)) if place.is_none() => {
            record.names_as_defined().first().and_then(|name| record.named_at(name))
        }
        _ => place,
    })
}

/// Joins a key with those inside of it as long as each mapping has one: `prometheus` and `io/scrape` are `prometheus.io/scrape`.
fn joined(machine: &mut Machine, name: &Name, value: &Thunk) -> Result<Option<Name>, Fault> {
    let (mut joined, mut value) = (name.to_string(), value.clone());
    for _ in 0..8 {
        let Some(Value::Record(record)) = forced(machine, &value)? else { break };
        let names = record.names_as_defined();
        let [only] = names.as_slice() else { return Ok(None) };
        let Some(inner) = machine.field(&record, only)? else { return Ok(None) };
        joined = format!("{joined}.{only}");
        value = inner;
    }
    Ok((joined != name.as_str()).then(|| Name::from(joined)))
}

/// Returns the path that a key was probably meant as, if a lower layer has it: `server:port`, or `server.port` in quotes. Also the place of its
/// first key.
fn path_of(machine: &mut Machine, name: &Name, lower: &LowerKeys) -> Result<Option<(Name, Option<Span>)>, Fault> {
    let mut parts = name.split([':', '.', '/']);
    let (Some(LowerKey { value: Some(first), place, .. }), true) =
        (parts.next().and_then(|part| lower.get(part)), name.contains([':', '.', '/']))
    else {
        return Ok(None);
    };
    let mut value = first.clone();
    for part in parts {
        let Some(Value::Record(record)) = forced(machine, &value)? else { return Ok(None) };
        value = match machine.field(&record, part) {
            Ok(Some(next)) => next,
            Err(fault) if fault.is_transient() => return Err(fault),
            // the last part may be misspelt
            Ok(None) if name.ends_with(part) && name.contains('.') && !name.contains([':', '/']) => {
                let names = record.names_as_defined();
                let Some(meant) = names.iter().find(|other| is_misspelt(part, other)) else { return Ok(None) };
                let around = name.strip_suffix(part).unwrap_or_default();
                return Ok(Some((Name::from(format!("{around}{meant}")), *place)));
            }
            Ok(None) | Err(_) => return Ok(None),
        };
    }
    Ok(Some((Name::from(name.replace([':', '/'], ".")), *place)))
}

/// Checks whether a value may be meant as another one: both are mappings, lists or scalars. A value with an error is neither.
fn same_sort(machine: &mut Machine, one: &Thunk, other: &Thunk) -> Result<bool, Fault> {
    match (forced(machine, one)?, forced(machine, other)?) {
        (Some(one), Some(other)) => {
            let kind = kind_of(&one);
            Ok(kind == kind_of(&other)
                && (kind.is_some() || std::mem::discriminant(&one) == std::mem::discriminant(&other)))
        }
        _ => Ok(false),
    }
}

/// Checks whether both values are lists whose names differ by an `s` at the end: `port: […]` for `ports: […]`.
fn is_one_of_lists(
    machine: &mut Machine,
    (one, own): (&str, &Thunk),
    (many, other): (&str, &Thunk),
) -> Result<bool, Fault> {
    if one.strip_suffix('s') != Some(many) && many.strip_suffix('s') != Some(one) {
        return Ok(false);
    }
    Ok(matches!((forced(machine, own)?, forced(machine, other)?), (Some(Value::Array(_)), Some(Value::Array(_)))))
}

/// Keys that say where the parts of a program come from: each part has one of them.
const SOURCES: [&str; 3] = ["image", "build", "extends"];

/// The keys that all of several mappings have.
#[derive(Default)]
struct Common {
    names: FxHashSet<Name>,
    /// Whether each mapping has one of [`SOURCES`].
    has_source: bool,
}

impl Common {
    /// Returns the keys that all lower values have. None if one of them is not a mapping, or if there is only one.
    fn of(machine: &mut Machine, lower: &LowerKeys) -> Common {
        Common::of_all(machine, lower).filter(|_| lower.len() > 1).unwrap_or_default()
    }

    fn of_all(machine: &mut Machine, lower: &LowerKeys) -> Option<Common> {
        let mut names: Option<FxHashSet<Name>> = None;
        let mut has_source = true;
        for key in lower.values() {
            let Ok(Value::Record(record)) = machine.force(key.value.as_ref()?) else { return None };
            has_source &= SOURCES.iter().any(|name| record.named_at(name).is_some());
            match &mut names {
                Some(names) => names.retain(|name| record.named_at(name).is_some()),
                None => names = Some(record.names_as_defined().into_iter().collect()),
            }
        }
        Some(Common { names: names?, has_source })
    }
}

/// Checks whether a value is a mapping without any of the keys that several mappings have: it is not one more of their sort.
fn is_lacking(machine: &mut Machine, value: &Thunk, common: &Common) -> bool {
    let Ok(Value::Record(own)) = machine.force(value) else { return false };
    let own = own.names_as_defined();
    let has = |name: &Name| common.names.contains(name);
    let lacks_all = !common.names.is_empty() && !own.iter().any(has);
    let has_source = own.iter().any(|name| SOURCES.contains(&name.as_str()));
    !own.is_empty() && (lacks_all || common.has_source && !has_source)
}

/// Checks whether all values are mappings with a key in common: then they are several things of one sort, and their keys are
/// names that the user chose.
fn are_alike(machine: &mut Machine, values: &LowerKeys) -> Result<bool, Fault> {
    let mut common: Option<FxHashSet<Name>> = None;
    for key in values.values() {
        let Some(value) = &key.value else { return Ok(false) };
        let Some(Value::Record(record)) = forced(machine, value)? else { return Ok(false) };
        let names = record.names_as_defined();
        common = Some(match common {
            Some(common) => names.into_iter().filter(|name| common.contains(name)).collect(),
            None => names.into_iter().collect(),
        });
    }
    Ok(values.len() > 1 && common.is_some_and(|common| !common.is_empty()))
}

impl Run<'_> {
    /// Keeps new keys that are similar to a key of a lower layer for the end of the run.
    pub(super) fn keep_similar(&mut self, names: Vec<SimilarKey>) {
        for SimilarKey { path, meant, places: [span, lower], how } in names {
            let (how, path) = match how {
                Similarity::Dotted(_) => {
                    let language = span.and_then(|span| self.session.workspace.dialect_of(span.source));
                    let names: Vec<&str> = meant.split('.').collect();
                    let written = span.map(|span| self.session.workspace.text(span)).unwrap_or_default();
                    let form = language.and_then(|language| forms::path(language, &names, &written));
                    (Similarity::Dotted(form.map(Box::new)), general(&path))
                }
                Similarity::Element(_) => match path.last() {
                    Some(Step::Field(name)) => (how, name.to_string()),
                    _ => (how, general(&path)),
                },
                how => (how, general(&path)),
            };
            let what = SessionKind::SimilarKey { path: Name::from(path), meant, lower, how };
            self.similar.push(Problem::warning(SessionProblem { span, what }));
        }
    }

    /// Reports the new keys that are similar to a key of a lower layer, except those that have an error already.
    pub(in crate::session::run) fn report_similar(&mut self) {
        for problem in std::mem::take(&mut self.similar) {
            if problem.is_doubt() {
                // what it says is computed from a value, and may be about a secret
                let has_secrets = self.session.world.sources.borrow().has_secrets();
                let is_silent = self.session.settings().is_silent(&problem);
                if !has_secrets && !is_silent && self.said.at_place_of(&problem).is_empty() {
                    self.report_now(self.dialect, &problem);
                }
            } else if !problem.span().is_some_and(|span| self.has_error_at(span)) && !self.is_missing(&problem) {
                self.report(&problem);
            }
        }
    }

    /// Whether the field that an unknown one was probably meant as was reported as missing: that error names both.
    fn is_missing(&self, problem: &Problem) -> bool {
        let ProblemKind::Session(SessionProblem { what: SessionKind::UnknownField { meant: Some(meant), .. }, .. }) =
            &problem.kind
        else {
            return false;
        };
        self.said.iter().any(|said| match &said.kind {
            ProblemKind::Value(value) => match &value.what {
                ValueKind::MissingDefinition { name, .. } => name == meant,
                _ => false,
            },
            _ => false,
        })
    }

    /// Removes and returns the report of the key that was meant as a field without a value.
    pub(in crate::session::run) fn meant_as_missing(&mut self, problem: &Problem) -> Option<Problem> {
        let ProblemKind::Value(value) = &problem.kind else { return None };
        let ValueKind::MissingDefinition { name, declared, .. } = &value.what else { return None };
        let is_meant = |similar: &Problem| match &similar.kind {
            ProblemKind::Session(SessionProblem {
                what: SessionKind::SimilarKey { meant, lower, how: Similarity::Declared, .. },
                ..
            }) => meant == name && lower.is_some_and(|lower| declared.contains(&lower)),
            _ => false,
        };
        let at = self.similar.iter().position(is_meant)?;
        Some(Problem { severity: Severity::Error, ..self.similar.remove(at) })
    }

    /// Whether an error at a place was reported.
    pub(in crate::session::run) fn has_error_at(&self, span: Span) -> bool {
        let mut errors = self.said.iter().filter(|problem| problem.severity == Severity::Error);
        errors.any(|problem| problem.span().is_some_and(|other| overlap(other, span)))
    }
}

/// Returns a path as it is written.
pub(super) fn written(path: &[Step]) -> Name {
    Name::from(FieldPath { steps: path.to_vec() }.to_string())
}
