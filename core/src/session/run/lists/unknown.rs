//! Rules for lists that have no effect, because no layer has a list at their path, or no element has the key.

use super::{COMPARED, array, common_keys, general, kind_of, record};
use crate::problem::Problem;
use crate::problem::session::{SessionKind, SessionProblem, Slip};
use crate::session::run::Run;
use crate::session::run::layers::Layers;
use crate::text::path::{FieldPath, ListRule, Step};
use crate::text::{Name, Span, near, shell_quoted};
use crate::value::{Array, Machine, Thunk, Value};
use indexmap::IndexMap;
use rustc_hash::FxHashSet;
use std::collections::VecDeque;

/// Maximum number of lists that a report may name.
const MOST: usize = 8;

impl Run<'_> {
    /// Reports the rules for paths at which no layer has a list, and those by a key that no element has. Returns the paths that were probably
    /// meant. O(rules × elements on their paths).
    pub(super) fn report_unknown(&mut self, layers: &Layers, values: &[Thunk], streams: bool) -> FxHashSet<Name> {
        let mut meant = FxHashSet::default();
        for rule in &layers.lists {
            let Some(path) = &rule.path else { continue };
            let machine = &mut self.session.workspace.machine;
            // a rule may begin with a document, or below all of them
            let mut reached = reached(machine, path, values.to_vec());
            if streams && matches!(reached, Reached::Nothing { .. }) {
                let documents = values.iter().flat_map(|value| parts(machine, value)).map(|(_, value)| value).collect();
                reached = self::reached(machine, path, documents);
            }
            let machine = &mut self.session.workspace.machine;
            if let Reached::Nothing { near: near @ None, .. } = &mut reached
                && let Some(Step::Field(name)) = path.steps.last()
            {
                *near = nearest_list(machine, values, name);
            }
            let path_text = general(&path.steps);
            let written = format!("{path_text}={}", rule.rule);
            let (what, range) = match (reached, &rule.rule) {
                (Reached::Nothing { near, kind }, _) => {
                    meant.extend(near.clone());
                    let lists = all_lists(machine, values).into_iter().map(|(_, path)| Name::from(general(&path)));
                    let lists = lists.take(MOST).collect();
                    let path = Name::from(path_text.as_str());
                    (SessionKind::NoSuchList { path, near, kind, lists }, 0..path_text.len())
                }
                (Reached::Lists(lists), ListRule::Key(keys)) => {
                    let Some(key) = keys.first() else { continue };
                    let names: Vec<Name> =
                        lists.iter().flat_map(|list| parts(machine, list)).map(|(name, _)| name).collect();
                    if names.is_empty() && !lists.is_empty() && all_scalars(machine, &lists) {
                        let message = format!(
                            "the rule for `{path_text}` merges no elements: they are no mappings, which a rule with a key needs"
                        );
                        let unique = shell_quoted(&format!("{path_text}=unique"));
                        let help = format!("`--list {unique}` adds the elements that the lower list does not have");
                        let source =
                            self.session.world.add_input("--list", &written, self.session.languages().standard());
                        let span = Some(Span::new(source, path_text.len() + 1, written.len()));
                        let slip = Slip::new("merge/no-such-key", message).label("no element has keys").help(help);
                        self.report(&Problem::warning(slip.at(span)));
                        continue;
                    }
                    if names.is_empty() || names.contains(&key.name) {
                        continue;
                    }
                    let near = near(&key.name, names.iter().map(Name::as_str)).into_iter().next();
                    let keys = match near {
                        Some(_) => Vec::new(),
                        None => identifying(machine, &lists),
                    };
                    let path = Name::from(path_text.as_str());
                    let what = SessionKind::NoSuchKey {
                        path,
                        key: key.name.clone(),
                        near: near.map(Box::new),
                        keys: keys.into(),
                    };
                    (what, path_text.len() + 1..written.len())
                }
                _ => continue,
            };
            let source = self.session.world.add_input("--list", &written, self.session.languages().standard());
            let span = Some(Span::new(source, range.start, range.end));
            let problem = Problem::warning(SessionProblem { span, what });
            // the other side of a comparison has the same rules
            let report = self.session.report(self.dialect, &problem);
            if !self.outcome.reports.iter().any(|(_, known)| *known == report) {
                self.report(&problem);
            }
        }
        meant
    }
}

/// Whether the lists have elements, and all of them are texts, numbers or booleans.
fn all_scalars(machine: &mut Machine, lists: &[Thunk]) -> bool {
    let mut some = false;
    for list in lists {
        let Ok(Value::Array(array)) = machine.force(list) else { return false };
        let Ok(elements) = machine.items(&array).map(<[Thunk]>::to_vec) else { return false };
        for element in elements.iter().take(COMPARED) {
            if machine.force(element).map(|value| kind_of(&value)) != Ok(Some("a scalar")) {
                return false;
            }
            some = true;
        }
    }
    some
}

/// Returns the keys by which the elements of all of these lists can be identified.
fn identifying(machine: &mut Machine, lists: &[Thunk]) -> Vec<Name> {
    let arrays: Vec<Array> = lists.iter().filter_map(|list| array(&machine.force(list).ok()?)).collect();
    let arrays: Vec<&Array> = arrays.iter().collect();
    let mut keys = common_keys(machine, &arrays).unwrap_or_default();
    // values that differ by chance identify nothing
    let is_identity = |key: &Name| matches!(key.as_str(), "name" | "id" | "key" | "uid" | "uuid");
    if keys.iter().any(is_identity) {
        keys.retain(is_identity);
    }
    keys
}

/// The values to which the path of a rule leads.
enum Reached {
    /// None that is a list. `near` is the nearest path that a layer has, `kind` is the kind of a value there.
    Nothing { near: Option<Name>, kind: Option<&'static str> },
    /// Lists.
    Lists(Vec<Thunk>),
    /// Values with errors.
    Unknown,
}

/// Returns the path of a list that has a name or a similar one, wherever it is in the values. O(fields), up to a limit.
fn nearest_list(machine: &mut Machine, values: &[Thunk], name: &Name) -> Option<Name> {
    let lists = all_lists(machine, values);
    let found = match lists.get(name) {
        Some(found) => found,
        None => lists.get(near(name, lists.keys().map(Name::as_str)).first()?)?,
    };
    Some(Name::from(general(found)))
}

/// Returns the lists of the values by their names, each with the path of the outermost one. O(fields), up to a limit.
fn all_lists(machine: &mut Machine, values: &[Thunk]) -> IndexMap<Name, Vec<Step>> {
    let mut work: VecDeque<(Vec<Step>, Thunk)> = values.iter().map(|value| (Vec::new(), value.clone())).collect();
    let mut lists: IndexMap<Name, Vec<Step>> = IndexMap::new();
    let mut left = COMPARED;
    while let Some((path, value)) = work.pop_front() {
        for (own, value) in parts(machine, &value) {
            left = left.saturating_sub(1);
            if left == 0 {
                return lists;
            }
            let path: Vec<Step> = path.iter().cloned().chain([Step::Field(own.clone())]).collect();
            if machine.force(&value).is_ok_and(|value| kind_of(&value) == Some("a list")) {
                lists.entry(own).or_insert_with(|| path.clone());
            }
            work.push_back((path, value));
        }
    }
    lists
}

/// Follows the path of a rule through values, and through all elements of the lists on the way.
fn reached(machine: &mut Machine, path: &FieldPath, values: Vec<Thunk>) -> Reached {
    let mut here = values;
    for (depth, step) in path.steps.iter().enumerate() {
        let Step::Field(name) = step else { continue };
        let (mut next, mut names) = (Vec::new(), Vec::new());
        for value in &here {
            for (own, value) in parts(machine, value) {
                if own == *name { next.push(value) } else { names.push(own) }
            }
        }
        if next.is_empty() {
            let near = near(name, names.iter().map(Name::as_str)).into_iter().next().map(|near| {
                let mut steps = path.steps.clone();
                steps.splice(depth..=depth, [Step::Field(near)]);
                Name::from(general(&steps))
            });
            return Reached::Nothing { near, kind: None };
        }
        here = next;
    }
    let (mut other, mut lists) = (None, Vec::new());
    for value in here {
        match machine.force(&value).map(|value| kind_of(&value)) {
            Ok(Some("a list")) => lists.push(value),
            Ok(None) | Err(_) => return Reached::Unknown,
            Ok(kind) => other = kind,
        }
    }
    match other {
        Some(kind) if lists.is_empty() => Reached::Nothing { near: None, kind: Some(kind) },
        _ => Reached::Lists(lists),
    }
}

/// Returns the fields of a record, or those of all records in a list.
fn parts(machine: &mut Machine, value: &Thunk) -> Vec<(Name, Thunk)> {
    let records = match machine.force(value) {
        Ok(Value::Record(record)) => vec![record],
        Ok(Value::Array(array)) => {
            let elements = machine.items(&array).map(<[Thunk]>::to_vec).unwrap_or_default();
            elements.iter().take(COMPARED).filter_map(|element| record(&machine.force(element).ok()?)).collect()
        }
        _ => Vec::new(),
    };
    let fields = records.iter().flat_map(|record| machine.all_fields(record).unwrap_or_default());
    fields.filter_map(|field| Some((field.name, field.value?))).collect()
}
