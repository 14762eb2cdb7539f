//! Fields that a schema requires and that merged layers do not define.

use super::Run;
use crate::answer::conflicts::FailedPart;
use crate::problem::session::{SessionKind, SessionProblem};
use crate::problem::value::ValueKind;
use crate::problem::{Problem, ProblemKind};
use crate::term::{FieldName, Node, NodeId, RecordLit, Term};
use crate::text::path::{FieldPath, Step};
use crate::text::{Name, SourceId, Span, is_misspelt};
use crate::value::datum::{Datum, Entry};
use crate::value::record::Field;
use crate::value::{Machine, Thunk, Value};
use std::sync::Arc;

/// Maximum number of fields that are reported.
const MOST: usize = 20;
/// Maximum number of parts of a value in which fields are searched.
const LOOKED_AT: usize = 1 << 14;

impl Run<'_> {
    /// Returns the problems of the fields without a value that only schemas declare. `root` has the value. O(value).
    pub(super) fn required(&mut self, root: &Thunk, value: &Datum) -> Vec<FailedPart> {
        let mut found = Vec::new();
        for path in undefined(value) {
            let machine = &mut self.session.workspace.machine;
            let Err(fault) = machine.at(root, &path).and_then(|thunk| machine.force(&thunk)) else { continue };
            let mut problem = fault.problem().clone();
            if self.is_required(&problem) {
                if let ProblemKind::Value(value) = &mut problem.kind {
                    value.path = path.iter().map(name_of).collect();
                }
                found.push(FailedPart { path, problem });
            }
        }
        found
    }

    /// Keeps the keys that a schema lets pass although it has a key of almost the same name without a value. `O(value)`, up to a limit.
    pub(super) fn keep_unchecked(&mut self, root: &Thunk) {
        const COMPARED: usize = 100;
        let suspects = found_fields(&mut self.session.workspace.machine, root, |field, all| {
            let is_one = |other: &Field| field.name.strip_suffix('s') == Some(other.name.as_str());
            let is_meant = |other: &Field| is_misspelt(&other.name, &field.name) || is_one(other);
            let is_free = field.value.is_none() && field.optional && all.len() <= COMPARED;
            is_free && all.iter().any(|other| other.value.is_some() && is_meant(other))
        });
        for path in suspects {
            let Some((Step::Field(meant), around)) = path.split_last() else { continue };
            let machine = &mut self.session.workspace.machine;
            let Ok(Value::Record(record)) = machine.at(root, around).and_then(|thunk| machine.force(&thunk)) else {
                continue;
            };
            let Some(declared) = record.declared_at(meant).filter(|at| self.is_data(at)) else { continue };
            let Some(key) = record.meant_as(meant) else { continue };
            // one and many are both usual names, unless the one is a list too
            let is_one = meant.strip_suffix('s') == Some(key.as_str()) && !is_misspelt(&key, meant);
            let machine = &mut self.session.workspace.machine;
            let value = machine.field(&record, &key).ok().flatten().and_then(|value| machine.force(&value).ok());
            if is_one && !matches!(value, Some(Value::Array(_))) {
                continue;
            }
            let span = record.named_at(&key);
            // the report about fields that are unknown says it
            if self.similar.iter().any(|problem| problem.span() == span) {
                continue;
            }
            let what = SessionKind::NotInSchema { key, meant: meant.clone(), declared };
            self.similar.push(Problem::warning(SessionProblem { span, what }));
        }
    }

    /// Puts the place at which a schema says that a key is required in place of the one that describes the key.
    pub(super) fn with_place_of_rule(&self, mut fault: FailedPart) -> FailedPart {
        if let ProblemKind::Value(value) = &mut fault.problem.kind
            && let ValueKind::MissingDefinition { name, declared, .. } = &mut value.what
        {
            let sources = self.session.world.sources.borrow();
            let name_of = |source: SourceId| sources.get(source).map(|source| source.name.clone());
            for at in declared.iter_mut() {
                // the same file is read as a schema and as data
                let is_same = |term: &&Arc<Term>| name_of(term.span(term.root).source) == name_of(at.source);
                let mut schemas = self.schema_terms.iter().filter(is_same);
                *at = schemas.find_map(|term| required_at(term, name, *at)).unwrap_or(*at);
            }
        }
        fault
    }

    fn is_data(&self, at: &Span) -> bool {
        self.session.workspace.dialect_of(at.source).is_some_and(|language| !language.has_cells())
    }

    /// Returns `true` if a problem is about a field that only data files declare, as schemas do.
    fn is_required(&self, problem: &Problem) -> bool {
        let ProblemKind::Value(value) = &problem.kind else { return false };
        let ValueKind::MissingDefinition { declared, .. } = &value.what else { return false };
        !declared.is_empty() && declared.iter().all(|at| self.is_data(at))
    }
}

/// Returns the place in the list `required` of the schema that describes a key at a place. `O(schema)`.
fn required_at(schema: &Term, name: &Name, described: Span) -> Option<Span> {
    let named = |record: &RecordLit, wanted: &str| {
        let field = record.fields.iter().find(|f| matches!(&f.name, FieldName::Static(name) if name == wanted))?;
        Some((field.name_span, field.body?))
    };
    schema.nodes.iter().find_map(|node| {
        let Node::Record(record) = node else { return None };
        let Node::Record(properties) = schema.node(named(record, "properties")?.1) else { return None };
        let (at, _) = named(properties, name)?;
        let Node::Array(required) = schema.node(named(record, "required")?.1) else { return None };
        let is_name = |item: &&NodeId| matches!(schema.node(**item), Node::Str(text) if text == name);
        let is_described = (at.start, at.end) == (described.start, described.end);
        let item = required.iter().find(is_name).filter(|_| is_described)?;
        Some(Span { source: described.source, ..schema.span(*item) })
    })
}

/// Adds the path at which a value has or may have a key to the reports that the key is not allowed elsewhere.
pub(super) fn at_other_levels(machine: &mut Machine, faults: &mut [FailedPart], root: &Thunk, around: &[Step]) {
    for fault in faults {
        let Some(name) = refused_key(&fault.problem) else { continue };
        let ProblemKind::Value(problem) = &mut fault.problem.kind else { continue };
        let ValueKind::Contract(broken) = &mut problem.what else { continue };
        let is_refused = |message: &Name| message.starts_with("unexpected key") || message.starts_with("extra field");
        let is_alone = broken.message.as_ref().is_some_and(|m| is_refused(m) && !m.contains("did you mean"));
        if !is_alone || !broken.near.is_empty() {
            continue;
        }
        let refused = broken.value_span;
        let is_other = |machine: &mut Machine, path: &Vec<Step>| match path.split_last() {
            Some((_, inner)) => match machine.at(root, inner).and_then(|inner| machine.force(&inner)) {
                Ok(Value::Record(record)) => {
                    record.declared_at(&name) != refused && record.defined_at(&name) != refused
                }
                _ => false,
            },
            None => false,
        };
        let mut meant = found_fields(machine, root, |field, _| field.name == name);
        meant.retain(|path| is_other(machine, path));
        if let [only] = meant.as_slice() {
            let path = around.iter().chain(only).cloned().collect();
            broken.near.push(Name::from(FieldPath { steps: path }.to_string()));
        }
    }
}

/// Returns a step as the names of a path write it.
fn name_of(step: &Step) -> Name {
    match step {
        Step::Field(name) => name.clone(),
        Step::Index(index) => Name::from(format!("[{index}]")),
    }
}

/// Removes the fields without a value that a misspelt key was meant as, if that key is reported itself.
pub(super) fn one_for_a_key(faults: &mut Vec<FailedPart>) {
    let keys: Vec<Name> = faults.iter().filter_map(|fault| refused_key(&fault.problem)).collect();
    faults.retain(|fault| match &fault.problem.kind {
        ProblemKind::Value(value) => match &value.what {
            ValueKind::MissingDefinition { written: Some(written), .. } => !keys.contains(written),
            _ => true,
        },
        _ => true,
    });
}

/// Returns the key that a contract refuses.
fn refused_key(problem: &Problem) -> Option<Name> {
    let ProblemKind::Value(value) = &problem.kind else { return None };
    match &value.what {
        ValueKind::Contract(broken) => broken.field.clone(),
        _ => None,
    }
}

/// Returns the paths of the first fields without a value that must have one.
fn undefined(value: &Datum) -> Vec<Vec<Step>> {
    fields(value, |entry| entry.value.is_none() && !entry.optional && !entry.not_exported)
}

/// Returns the paths of the first fields of a value that a test accepts, given the field and all of its record. Also optional fields without a
/// value are tested. Does not recurse. `O(value)`, up to a limit.
fn found_fields(machine: &mut Machine, root: &Thunk, test: impl Fn(&Field, &[Field]) -> bool) -> Vec<Vec<Step>> {
    let (mut found, mut left) = (Vec::new(), LOOKED_AT);
    let mut work: Vec<(Vec<Step>, Thunk)> = vec![(Vec::new(), root.clone())];
    while let Some((around, value)) = work.pop() {
        let inside: Vec<(Step, Thunk)> = match machine.force(&value) {
            Ok(Value::Record(record)) => {
                let fields = machine.all_fields(&record).unwrap_or_default();
                for field in fields.iter().filter(|field| test(field, &fields)) {
                    found.push(around.iter().cloned().chain([Step::Field(field.name.clone())]).collect());
                }
                let part = |field: Field| Some((Step::Field(field.name), field.value?));
                fields.into_iter().filter_map(part).collect()
            }
            Ok(Value::Array(array)) => {
                let items = machine.items(&array).map(<[Thunk]>::to_vec).unwrap_or_default();
                items.into_iter().enumerate().map(|(index, item)| (Step::Index(index), item)).collect()
            }
            _ => continue,
        };
        left = left.saturating_sub(inside.len());
        if left == 0 || found.len() >= MOST {
            break;
        }
        let part = |(step, value)| (around.iter().cloned().chain([step]).collect(), value);
        work.extend(inside.into_iter().rev().map(part));
    }
    found.truncate(MOST);
    found
}

/// Returns the paths of the first fields that a test accepts, given the field. Does not recurse.
fn fields(value: &Datum, test: impl Fn(&Entry) -> bool) -> Vec<Vec<Step>> {
    let mut found = Vec::new();
    // each part with the one around it
    let mut places: Vec<(Option<usize>, Step)> = Vec::new();
    let mut work: Vec<(Option<usize>, &Datum)> = vec![(None, value)];
    while let Some((around, part)) = work.pop() {
        match part {
            Datum::Array(elements) => {
                for (i, element) in elements.iter().enumerate() {
                    places.push((around, Step::Index(i)));
                    work.push((Some(places.len() - 1), element));
                }
            }
            Datum::Record(entries) => {
                for entry in entries {
                    let step = Step::Field(entry.name.clone());
                    if test(entry) {
                        found.push(path(&places, around, step));
                    } else if let Some(value) = &entry.value {
                        places.push((around, step));
                        work.push((Some(places.len() - 1), value));
                    }
                }
            }
            _ => {}
        }
        if found.len() >= MOST {
            found.truncate(MOST);
            return found;
        }
    }
    found
}

/// Returns the path of a step in a part.
fn path(places: &[(Option<usize>, Step)], around: Option<usize>, last: Step) -> Vec<Step> {
    let mut path = vec![last];
    let mut next = around;
    while let Some((around, step)) = next.and_then(|place| places.get(place)) {
        path.push(step.clone());
        next = *around;
    }
    path.reverse();
    path
}
