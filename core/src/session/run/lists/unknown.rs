//! Rules for lists that have no effect, because no layer has a list at their path.

use super::{COMPARED, general, kind_of, record};
use crate::problem::Problem;
use crate::problem::session::{SessionKind, SessionProblem};
use crate::session::run::Run;
use crate::session::run::layers::Layers;
use crate::text::path::{FieldPath, Step};
use crate::text::{Name, near};
use crate::value::{Machine, Thunk, Value};

impl Run<'_> {
    /// Reports the rules for paths at which no layer has a list. O(rules × elements on their paths).
    pub(super) fn report_unknown(&mut self, layers: &Layers, values: &[Thunk], streams: bool) {
        for rule in &layers.lists {
            let Some(path) = &rule.path else { continue };
            let machine = &mut self.session.workspace.machine;
            // a rule may begin with a document, or below all of them
            let mut unknown = unknown(machine, path, values.to_vec());
            if streams && unknown.is_some() {
                let documents = values.iter().flat_map(|value| parts(machine, value)).map(|(_, value)| value).collect();
                unknown = self::unknown(machine, path, documents);
            }
            if let Some(Unknown { near, kind }) = unknown {
                let what = SessionKind::NoSuchList { path: Name::from(general(&path.steps)), near, kind };
                self.report(&Problem::warning(SessionProblem { span: None, what }));
            }
        }
    }
}

/// The reason why a rule has no effect.
struct Unknown {
    near: Option<Name>,
    kind: Option<&'static str>,
}

/// Follows the path of a rule through values, and through all elements of the lists on the way. `None` if there is a list at
/// its end, or if that is unknown because a value has an error.
fn unknown(machine: &mut Machine, path: &FieldPath, values: Vec<Thunk>) -> Option<Unknown> {
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
            return Some(Unknown { near, kind: None });
        }
        here = next;
    }
    let mut other = None;
    for value in &here {
        match machine.force(value) {
            Ok(value) => match kind_of(&value) {
                Some("a list") | None => return None,
                kind => other = kind,
            },
            Err(_) => return None,
        }
    }
    other.map(|kind| Unknown { near: None, kind: Some(kind) })
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
