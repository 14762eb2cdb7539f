//! Misspelt keys at the top of an object of Kubernetes: without `kind` and `metadata`, nothing else is known about it.

use super::build::Build;
use crate::problem::Severity;
use crate::problem::data::DataProblem;
use crate::term::{FieldName, Node, NodeId};
use crate::text::{Name, Span, is_misspelt};

/// The keys that objects of Kubernetes have.
const KEYS: [&str; 4] = ["apiVersion", "kind", "metadata", "spec"];

/// Reports the keys of a document that are almost one of [`KEYS`] and that is missing. A document is an object of Kubernetes if it has
/// `apiVersion`, a string, or two of the keys.
pub(super) fn report_keys(build: &mut Build, document: NodeId) {
    let Node::Record(record) = build.node_at(document) else { return };
    let named = |field: &crate::term::FieldDef| match &field.name {
        FieldName::Static(name) => Some((name.clone(), field.name_span, field.body)),
        FieldName::Computed(_) => None,
    };
    let fields: Vec<(Name, Span, Option<NodeId>)> = record.fields.iter().filter_map(named).collect();
    let has = |key: &str| fields.iter().any(|(name, ..)| name == key);
    let is_text = |body: &Option<NodeId>| body.is_some_and(|body| matches!(build.node_at(body), Node::Str(_)));
    let is_versioned = fields.iter().any(|(name, _, body)| name == "apiVersion" && is_text(body));
    if !is_versioned && KEYS.into_iter().filter(|key| has(key)).count() < 2 {
        return;
    }
    let missing: Vec<&'static str> = KEYS.into_iter().filter(|key| !has(key)).collect();
    let mut found = Vec::new();
    for (name, span, _) in fields.iter().filter(|(name, ..)| !KEYS.contains(&name.as_str())) {
        if let Some(meant) = missing.iter().find(|key| is_misspelt(name, key)) {
            found.push((DataProblem::MisspeltKey { name: name.clone(), meant }, *span));
        }
    }
    for (problem, span) in found {
        build.problem(problem, Severity::Warning, span);
    }
}
