//! CustomResourceDefinitions.

use super::Reader;
use crate::problem::data::DataProblem;
use crate::problem::syntax::{SyntaxKind, SyntaxProblem};
use crate::problem::{Problem, Severity};
use crate::term::{FieldDef, FieldName, Node, NodeId, Term};
use crate::text::{Name, Span, near};
use rustc_hash::FxHashSet;

/// The kind of a definition.
const KIND: &str = "CustomResourceDefinition";
/// The key of a version's schema.
const SCHEMA: &str = "openAPIV3Schema";

/// The objects that a CustomResourceDefinition describes.
pub struct Resource {
    /// Their kind.
    pub kind: Name,
    /// Their values of `apiVersion`: the group with each version.
    pub versions: Vec<Name>,
}

impl Reader<'_> {
    /// Returns the schema in a CustomResourceDefinition: that of the version that is stored.
    pub(super) fn of_resource(&self, root: NodeId) -> Option<NodeId> {
        self.text(self.get(root, "kind")?).filter(|kind| *kind == "CustomResourceDefinition")?;
        let spec = self.get(root, "spec")?;
        // until `apiextensions.k8s.io/v1` all versions could have one schema
        let common = || self.get(self.get(spec, "validation")?, "openAPIV3Schema");
        let versions = self.get(spec, "versions").map(|versions| self.items(versions)).unwrap_or_default();
        let stored = versions.iter().find(|version| self.is_true(**version, "storage")).or(versions.first());
        let own = stored.and_then(|stored| self.get(self.get(*stored, "schema")?, "openAPIV3Schema"));
        own.or_else(common)
    }

    /// Returns the problem of a CustomResourceDefinition without a schema, of one whose versions are all not stored, and of several in one
    /// file. Versions of which none is stored are a warning, the others are errors.
    pub(super) fn broken_resource(&self, root: NodeId) -> Option<Problem> {
        let is_resource =
            |node: NodeId| self.get(node, "kind").and_then(|kind| self.text(kind)).is_some_and(|kind| kind == KIND);
        let part = |severity, span: Span, message: String, label, help: String| {
            let what = DataProblem::SchemaPart { message: message.into(), label, help: Some(help.into()) };
            Problem { severity, kind: SyntaxProblem { span, what: SyntaxKind::Data(what) }.into() }
        };
        let error = |span, message, help| part(Severity::Error, span, message, "", help);
        if let Node::Array(documents) = self.node(root) {
            let second = *documents.get(1)?;
            let several = documents.iter().all(|document| is_resource(*document));
            let message = format!("a schema is one document, and this file has {}", documents.len());
            let help =
                String::from("write the CustomResourceDefinition of the kind to a file of its own, and name that one");
            return several.then(|| error(self.term.span(second), message, help));
        }
        if !is_resource(root) {
            return None;
        }
        let name_of =
            |node: NodeId, key: &str| self.field(node, key).map_or(self.term.span(node), |field| field.name_span);
        let Some(spec) = self.get(root, "spec") else {
            let message = format!("the {KIND} has no `spec`");
            return Some(error(
                name_of(root, "kind"),
                message,
                format!("its schema is `spec.versions[0].schema.{SCHEMA}`"),
            ));
        };
        let versions = self.get(spec, "versions").map(|versions| self.items(versions)).unwrap_or_default();
        if self.of_resource(root).is_none() {
            let Some(version) =
                versions.iter().find(|version| self.is_true(**version, "storage")).or(versions.first()).copied()
            else {
                let message = format!("the {KIND} has no `spec.versions`");
                return Some(error(
                    name_of(root, "spec"),
                    message,
                    format!("its schema is `spec.versions[0].schema.{SCHEMA}`"),
                ));
            };
            let name = self.get(version, "name").and_then(|name| self.text(name)).unwrap_or_default();
            let Some(schema) = self.get(version, "schema") else {
                let message = format!("the version `{name}` of the {KIND} has no `schema`");
                let help = format!("a version has its schema at `schema.{SCHEMA}`");
                return Some(error(name_of(version, "name"), message, help));
            };
            let names: Vec<(Name, Span)> = match self.node(schema) {
                Node::Record(record) => {
                    let named = |field: &FieldDef| match &field.name {
                        FieldName::Static(name) => Some((name.clone(), field.name_span)),
                        FieldName::Computed(_) => None,
                    };
                    record.fields.iter().filter_map(named).collect()
                }
                _ => Vec::new(),
            };
            let meant = near(SCHEMA, names.iter().map(|(name, _)| name.as_str())).into_iter().next();
            let place =
                names.iter().find(|(name, _)| meant.as_ref() == Some(name) || name.eq_ignore_ascii_case(SCHEMA));
            let span = place.map_or_else(|| name_of(version, "schema"), |(_, span)| *span);
            let meant = place.map(|(name, _)| name);
            let message = format!("the `schema` of the version `{name}` has no `{SCHEMA}`");
            let help = match meant {
                Some(meant) => format!("did you mean `{SCHEMA}` in place of `{meant}`?"),
                None => format!("write the schema inside of `{SCHEMA}`"),
            };
            return Some(error(span, message, help));
        }
        let are_stored = versions.iter().any(|version| self.is_true(*version, "storage"));
        let first = versions.first().filter(|_| versions.len() > 1 && !are_stored)?;
        let name = self.get(*first, "name").and_then(|name| self.text(name)).unwrap_or_default();
        let message = format!("no version has `storage: true`, so the schema of `{name}` is used");
        let help = String::from("one version has `storage: true`: the one to check");
        Some(part(Severity::Warning, name_of(*first, "storage"), message, "the first version", help))
    }

    /// Reports rules of Kubernetes in an own language, which are not checked. `O(schema)`.
    pub(super) fn report_rules(&mut self, schema: NodeId) {
        const RULES: &str = "x-kubernetes-validations";
        let mut found: Option<Span> = None;
        let (mut work, mut anchors) = (vec![schema], FxHashSet::default());
        while let Some(node) = work.pop() {
            if let Node::Local { slot, .. } = self.term.node(node)
                && !anchors.insert(*slot)
            {
                continue;
            }
            match self.node(node) {
                Node::Array(items) => work.extend(items.iter().copied()),
                Node::Record(record) => {
                    for field in &record.fields {
                        let is_rules = matches!(&field.name, FieldName::Static(name) if name == RULES)
                            && field.body.is_some_and(|body| matches!(self.node(body), Node::Array(_)));
                        if is_rules && found.is_none_or(|found| found.start > field.name_span.start) {
                            found = Some(field.name_span);
                        }
                    }
                    work.extend(record.fields.iter().filter_map(|field| field.body));
                }
                _ => {}
            }
        }
        let message = Name::from(format!("the rules of `{RULES}` are not checked"));
        let what = DataProblem::SchemaPart { message, label: "only Kubernetes evaluates them", help: None };
        if let Some(span) = found {
            self.unchecked(what, span);
        }
    }
}

/// Returns what a CustomResourceDefinition describes.
pub fn resource(term: &Term) -> Option<Resource> {
    let reader = Reader::new(term, 0);
    let root = reader.body();
    reader.text(reader.get(root, "kind")?).filter(|kind| *kind == "CustomResourceDefinition")?;
    let spec = reader.get(root, "spec")?;
    let kind = reader.text(reader.get(reader.get(spec, "names")?, "kind")?)?;
    let group = reader.get(spec, "group").and_then(|group| reader.text(group));
    let version = |of: &NodeId| reader.text(reader.get(*of, "name")?);
    let all = reader.get(spec, "versions").map(|all| reader.items(all)).unwrap_or_default();
    let named = all.iter().filter_map(version);
    let versions = group.map(|group| named.map(|name| Name::from(format!("{group}/{name}"))).collect());
    Some(Resource { kind, versions: versions.unwrap_or_default() })
}
