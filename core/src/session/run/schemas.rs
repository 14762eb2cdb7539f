//! Schemas as contracts of a merge, or of its documents.

use super::{Run, by_ending, language_of};
use crate::answer::conflicts::{self, FailedPart};
use crate::dialect::{Dialect, data};
use crate::problem::session::{SessionKind, SessionProblem};
use crate::problem::value::ValueKind;
use crate::problem::{Problem, ProblemKind};
use crate::session::request::{Action, Input, Request};
use crate::state::files::File;
use crate::term::build::Builder;
use crate::term::{Annot, AnnotKind, FieldDef, FieldMeta, FieldName, Groups, Node, NodeId, RecordLit, Term};
use crate::text::path::{FieldPath, Step};
use crate::text::{Name, Span};
use crate::value::machine::Budget;
use crate::value::{Thunk, Value};
use indexmap::IndexSet;
use std::path::PathBuf;
use std::sync::Arc;

impl Run<'_> {
    /// Applies schemas as contracts: to the value, or to each document that they describe.
    ///
    /// A question about a part is answered although the whole value breaks a schema: then only what concerns the part is
    /// reported here, and the schemas of the answer check parts.
    pub(super) fn with_schemas(
        &mut self,
        term: Arc<Term>,
        schemas: &[PathBuf],
        documents: Option<&IndexSet<Name>>,
        request: &Request,
    ) -> Option<Arc<Term>> {
        if schemas.is_empty() {
            return Some(term);
        }
        let mut at = request.action.at().and_then(|at| FieldPath::parse(at).ok()).unwrap_or_default();
        self.respell(&mut at);
        let explains = matches!(request.action, Action::Merge { explain: Some(_), .. });
        let whole = self.under_schemas(term.clone(), schemas, documents, false)?;
        if at.steps.is_empty() && !explains {
            return Some(whole);
        }
        self.report_around(&whole, &at.steps);
        self.under_schemas(term, schemas, documents, true)
    }

    /// Reports the errors of the values around a part that concern it.
    fn report_around(&mut self, program: &Arc<Term>, at: &[Step]) {
        let mut events = Vec::new();
        let root = self.session.root(program, self.dialect, &mut events);
        let value = self.session.with_trace_lines(&mut events, |machine| machine.datum(&root, Budget::ALL));
        self.write_trace_lines(events);
        for FailedPart { path, problem } in conflicts::faults(&value, &[]) {
            let ProblemKind::Value(kind) = &problem.kind else { continue };
            let ValueKind::Contract(broken) = &kind.what else { continue };
            let Some(rest) = at.strip_prefix(path.as_slice()) else { continue };
            let inside = FieldPath::parse(&broken.inside).unwrap_or_default().steps;
            if (rest.starts_with(&inside) || inside.starts_with(rest)) && (!rest.is_empty() || path.is_empty()) {
                self.fail(&problem);
            }
        }
    }

    /// Reports an object whose kind or version is not the one of a resource. Its values are checked nevertheless.
    fn report_other_kind(&mut self, object: &Thunk, resource: &data::schema::Resource) {
        let expected = [("kind", std::slice::from_ref(&resource.kind)), ("apiVersion", resource.versions.as_slice())];
        for (key, described) in expected.into_iter().filter(|(_, described)| !described.is_empty()) {
            let path = [Step::Field(Name::new_static(key))];
            let machine = &mut self.session.workspace.machine;
            let Ok(Value::String(found)) = machine.at(object, &path).and_then(|thunk| machine.force(&thunk)) else {
                continue;
            };
            let found = Name::new(found.as_str());
            if described.contains(&found) {
                continue;
            }
            let span = machine.definition_at(object, &path);
            let what = SessionKind::OtherKind { key: Name::new_static(key), found, described: described.to_vec() };
            self.report(&Problem::warning(SessionProblem { span, what }));
            return;
        }
    }

    /// Returns the documents of a value that a resource of a kind describes, or all documents.
    fn objects(
        &mut self,
        whole: &Thunk,
        documents: Option<&IndexSet<Name>>,
        stream: Option<&File>,
        kind: Option<&str>,
    ) -> Vec<Thunk> {
        let paths: Vec<Step> = match (documents, stream) {
            (Some(documents), _) => documents.iter().cloned().map(Step::Field).collect(),
            (None, Some(file)) => {
                let count = self.elements(file).map_or(0, |elements| elements.len());
                (0..count).map(Step::Index).collect()
            }
            (None, None) => return vec![whole.clone()],
        };
        let machine = &mut self.session.workspace.machine;
        let mut found = Vec::new();
        for path in paths {
            let Ok(object) = machine.at(whole, &[path]) else { continue };
            let Some(kind) = kind else {
                found.push(object);
                continue;
            };
            let own = machine.at(&object, &[Step::Field(Name::new_static("kind"))]);
            if let Ok(Value::String(text)) = own.and_then(|own| machine.force(&own))
                && text.as_str() == kind
            {
                found.push(object);
            }
        }
        found
    }

    fn under_schemas(
        &mut self,
        term: Arc<Term>,
        schemas: &[PathBuf],
        documents: Option<&IndexSet<Name>>,
        parts: bool,
    ) -> Option<Arc<Term>> {
        let span = term.span(term.root);
        let whole = self.session.workspace.machine.thunk(&term);
        let mut builder = Builder::new();
        let value = self.session.named_part(&mut builder, "%value", term, span);
        let stream = self.stream.clone().filter(|file| self.elements(file).is_some());
        let mut annots = Vec::new();
        // the contracts for documents, with their kinds
        let mut each: Vec<(NodeId, Option<Name>)> = Vec::new();
        for path in schemas {
            let input = Input::File(path.clone());
            if by_ending(self.session.languages(), &input).is_some_and(Dialect::has_cells) {
                let path = path.display();
                let why =
                    Name::from(format!("`--schema {path}` is a program, not a schema: `--apply-contract {path}`"));
                return self.misassigned(SessionKind::BadAssignment { why });
            }
            let file = match self.read(&input, Dialect(&data::SCHEMA)) {
                Ok(file) => file,
                Err(mut problem) => {
                    self.session.find_similar(path, &mut problem);
                    return self.unread(self.dialect, &problem);
                }
            };
            if !self.parsed(Dialect(&data::SCHEMA), &file) {
                return None;
            }
            let written = file.term.span(file.term.root);
            let (key, contract) = match data::schema::of_parts(&file.term).filter(|_| parts) {
                Some(contract) => (Name::from(format!("{}%parts", file.name)), Arc::new(contract)),
                None => (file.name.clone(), file.term.clone()),
            };
            let mut ty = self.session.named_part(&mut builder, &key, contract, written);
            let language = language_of(self.session.languages(), &input, None);
            let data = self.input(&input, Some(language))?;
            let resource = data::schema::resource(&data.term);
            if let (Some(resource), None, None) = (&resource, documents, &stream) {
                self.report_other_kind(&whole, resource);
            }
            if !parts {
                self.schema_terms.push(data.term.clone());
            }
            if !parts {
                let root = match data.term.node(data.term.root) {
                    Node::Let(anchors) => anchors.body,
                    _ => data.term.root,
                };
                let schema = data::schema::of_resource(&data.term).unwrap_or(root);
                let kind = resource.as_ref().map(|resource| resource.kind.as_str());
                for object in self.objects(&whole, documents, stream.as_deref(), kind) {
                    self.report_beyond(&object, &data.term, schema);
                }
            }
            if let (Some(resource), Some(schema), false) = (&resource, data::schema::of_resource(&data.term), parts) {
                for object in self.objects(&whole, documents, stream.as_deref(), Some(&resource.kind)) {
                    self.keep_unknown_fields(&object, &data.term, schema);
                }
            }
            let kind = resource.map(|resource| resource.kind);
            if stream.is_some() {
                each.push((ty, kind));
                continue;
            }
            if let Some(documents) = documents {
                let kind = kind.map(|kind| format!("{kind}/"));
                let described = |name: &&Name| kind.as_ref().is_none_or(|kind| name.starts_with(kind.as_str()));
                let described: Vec<Name> = documents.iter().filter(described).cloned().collect();
                ty = each_document(&mut builder, described, ty, written);
            }
            annots.push(Annot { kind: AnnotKind::Contract, ty });
        }
        let root = match &stream {
            Some(file) => self.with_contracts(&mut builder, file, value, &each)?,
            None => builder.push(Node::Annot(value, annots.into()), span),
        };
        Some(Arc::new(builder.finish(root)))
    }
}

/// Returns the contract of a stream whose documents have a contract.
fn each_document(builder: &mut Builder, documents: Vec<Name>, contract: NodeId, span: Span) -> NodeId {
    let field = |name: Name| {
        let annots = vec![Annot { kind: AnnotKind::Contract, ty: contract }];
        FieldDef {
            name: FieldName::Static(name),
            name_span: span,
            span,
            body: None,
            included: false,
            plus: false,
            meta: FieldMeta { annots, optional: true, ..FieldMeta::NONE }.into(),
        }
    };
    let fields: Vec<FieldDef> = documents.into_iter().map(field).collect();
    let groups = Groups::in_order(fields.len() as u32);
    let record = RecordLit { extra: None, fields, open: true, locals: Vec::new(), asserts: Vec::new(), groups };
    builder.push(Node::Record(Box::new(record)), span)
}
