//! JSON Schema as a contract: `import "s.json" as 'Schema`, `--schema`, `:schema`. Drafts 7 and 2020-12, and the schema in a
//! CustomResourceDefinition of Kubernetes.
//!
//! Keywords that the type system can express become types: `properties` a record, `items` an array, `type` a type. So inference
//! and completion know a value that has the contract. Every other keyword becomes a contract of its own, at its place in
//! the schema, that the crate `jsonschema` checks (`std.contract.from_json_schema`). A report therefore has the place of the value
//! and that of the rule. Keywords whose meaning depends on other parts of the schema have no contract of their own. Therefore the
//! last contract is the whole schema: it reports what the others do not find.

mod keywords;
mod references;
mod resource;
mod validity;

use self::references::{is_known_draft, referring};
pub use self::resource::{Resource, resource};
use self::validity::not_schema;
use super::{json, yaml};
use crate::dialect::{Program, Stop};
use crate::problem::data::DataProblem;
use crate::problem::syntax::{SyntaxKind, SyntaxProblem};
use crate::problem::{Problem, Severity};
use crate::term::build::Builder;
use crate::term::{
    Annot, AnnotKind, Apply, FieldDef, FieldMeta, FieldName, Groups, Node, NodeId, RecordLit, Term, TypeForm,
};
use crate::text::{Name, SourceId, Span};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// Maximum number of nodes of the contracts for single keywords; a schema whose references multiply needs it. The contract of the
/// whole schema checks what is beyond.
const MOST: usize = 50_000;

/// The keywords that are checked one by one.
const CHECKED: [&str; 21] = [
    "enum",
    "const",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "pattern",
    "minLength",
    "maxLength",
    "format",
    "minItems",
    "maxItems",
    "uniqueItems",
    "minProperties",
    "maxProperties",
    "not",
    "anyOf",
    "oneOf",
    "propertyNames",
    "dependentRequired",
];

/// Keywords that are checked together, because each changes what the others mean. The first is the one that must be there.
const TOGETHER: [&[&str]; 6] = [
    &["prefixItems", "items"],
    &["if", "then", "else"],
    &["contains", "minContains", "maxContains"],
    &["patternProperties", "properties", "additionalProperties"],
    &["dependencies"],
    &["dependentSchemas"],
];

/// The keywords that are `true` in draft 4 and OpenAPI 3.0, with the bounds that they change.
const EXCLUSIVE: [(&str, &str); 2] = [("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")];

/// Reads a schema. Total: what cannot be read is not checked, and reported.
pub(super) fn read(source: SourceId, text: &str, stop: Stop<'_>) -> Program {
    let data = match text.trim_start().starts_with('{') {
        true => json::read(source, text, stop),
        false => yaml::read(source, text, false, stop),
    };
    let mut problems = data.problems;
    let mut reader = Reader::new(&data.term, MOST);
    if let Some(anchor) = reader.endless_anchor() {
        problems.push(validity::endless(anchor));
        let contract = reader.ty(TypeForm::Dyn, anchor);
        return Program { term: Arc::new(reader.builder.finish(contract)), problems };
    }
    let root = reader.body();
    if let Some(problem) = reader.broken_resource(root) {
        let is_error = problem.severity == Severity::Error;
        problems.push(problem);
        if is_error {
            let contract = reader.ty(TypeForm::Dyn, reader.term.span(root));
            return Program { term: Arc::new(reader.builder.finish(contract)), problems };
        }
    }
    let schema = reader.of_resource(root).unwrap_or(root);
    reader.is_bundle = reader.has_inner_ids(schema);
    reader.ignores_beside = reader.is_draft_before_2019();
    reader.report_keywords(schema);
    reader.report_rules(schema);
    let is_read = problems.iter().all(|problem| problem.severity != Severity::Error);
    let copied = is_read.then(|| reader.document(schema));
    let contract = reader.contract(schema, copied);
    problems.append(&mut reader.problems);
    let term = reader.builder.finish(contract);
    problems.extend(copied.and_then(|copied| not_schema(&term, copied)));
    Program { term: Arc::new(term), problems }
}

/// Returns the schema in a CustomResourceDefinition.
pub fn of_resource(term: &Term) -> Option<NodeId> {
    let reader = Reader::new(term, 0);
    reader.of_resource(reader.body())
}

/// Returns the contract of a schema without its last part, which checks the whole value. What is left checks the parts of a
/// value, each when it is used.
pub fn of_parts(contract: &Term) -> Option<Term> {
    let Node::Apply(call) = contract.node(contract.root) else { return None };
    let (_, array) = call.args.first()?;
    let Node::Array(all) = contract.node(*array) else { return None };
    let (_, parts) = all.split_last()?;
    let mut term = contract.clone();
    if parts.is_empty() {
        *term.nodes.get_mut(contract.root.0 as usize)? = Node::Type(Box::new(TypeForm::Dyn));
    } else {
        *term.nodes.get_mut(array.0 as usize)? = Node::Array(parts.into());
    }
    Some(term)
}

struct Reader<'a> {
    /// The schema as data.
    term: &'a Term,
    builder: Builder,
    /// The references that are being followed.
    refs: Vec<Name>,
    /// The number of nodes that may still be made.
    left: usize,
    problems: Vec<Problem>,
    /// Whether parts of the schema have identifiers of their own, so that a reference may begin at such a part.
    is_bundle: bool,
    /// Whether keywords beside `$ref` have no meaning: up to draft 7.
    ignores_beside: bool,
    /// For each node of the schema, whether a reference is in it.
    refers: Vec<bool>,
    /// Whether the next schema becomes only types: that of the whole document, whose other keywords the last contract checks. As
    /// contracts of their own they would hide the errors inside the document.
    only_types: bool,
}

impl<'a> Reader<'a> {
    fn new(term: &'a Term, left: usize) -> Reader<'a> {
        Reader {
            term,
            builder: Builder::new(),
            refs: Vec::new(),
            left,
            problems: Vec::new(),
            is_bundle: false,
            ignores_beside: false,
            refers: referring(term),
            only_types: false,
        }
    }

    /// Returns the node, or that of the anchor to which an alias of a YAML file refers.
    fn node(&self, id: NodeId) -> &'a Node {
        match (self.term.node(id), self.term.node(self.term.root)) {
            (Node::Local { slot, .. }, Node::Let(anchors)) => match anchors.bindings.get(*slot as usize) {
                Some(binding) => self.term.node(binding.body),
                None => self.term.node(id),
            },
            (node, _) => node,
        }
    }

    /// Returns whether a part of the schema has an identifier of its own.
    fn has_inner_ids(&self, schema: NodeId) -> bool {
        let is_id = |field: &&FieldDef| matches!(&field.name, FieldName::Static(name) if name == "$id");
        self.any_record(schema, |node, record| {
            node != schema
                && record
                    .fields
                    .iter()
                    .find(is_id)
                    .is_some_and(|f| f.body.and_then(|body| self.text(body)).is_some_and(|id| !id.starts_with('#')))
        })
    }

    fn is_draft_before_2019(&self) -> bool {
        let id = self.get(self.body(), "$schema").and_then(|id| self.text(id)).unwrap_or_default();
        ["draft-04", "draft-06", "draft-07"].iter().any(|draft| id.contains(draft))
    }

    /// Returns whether a condition holds for one of the mappings in a part of the schema. Each anchor is searched once.
    fn any_record(&self, node: NodeId, condition: impl Fn(NodeId, &RecordLit) -> bool) -> bool {
        let mut work = vec![node];
        let mut anchors = FxHashSet::default();
        while let Some(node) = work.pop() {
            if let Node::Local { slot, .. } = self.term.node(node)
                && !anchors.insert(*slot)
            {
                continue;
            }
            match self.node(node) {
                Node::Array(items) => work.extend(items.iter().copied()),
                Node::Record(record) => {
                    if condition(node, record) {
                        return true;
                    }
                    work.extend(record.fields.iter().filter_map(|field| field.body));
                }
                _ => {}
            }
        }
        false
    }

    /// Returns the root without the anchors of a YAML file.
    fn body(&self) -> NodeId {
        match self.term.node(self.term.root) {
            Node::Let(anchors) => anchors.body,
            _ => self.term.root,
        }
    }

    fn field(&self, node: NodeId, name: &str) -> Option<&FieldDef> {
        let Node::Record(record) = self.node(node) else { return None };
        record.fields.iter().find(|f| matches!(&f.name, FieldName::Static(own) if own == name))
    }

    fn get(&self, node: NodeId, name: &str) -> Option<NodeId> {
        self.field(node, name)?.body
    }

    fn text(&self, node: NodeId) -> Option<Name> {
        if let Node::Str(text) = self.node(node) { Some(text.clone()) } else { None }
    }

    fn items(&self, node: NodeId) -> &[NodeId] {
        if let Node::Array(items) = self.node(node) { items } else { &[] }
    }

    fn is_true(&self, node: NodeId, name: &str) -> bool {
        self.get(node, name).is_some_and(|value| matches!(self.node(value), Node::Bool(true)))
    }

    fn push(&mut self, node: Node, span: Span) -> NodeId {
        self.left = self.left.saturating_sub(1);
        self.builder.push(node, span)
    }

    fn ty(&mut self, form: TypeForm, span: Span) -> NodeId {
        self.push(Node::Type(Box::new(form)), span)
    }

    /// Reports a part of the schema that is not checked.
    fn unchecked(&mut self, what: DataProblem, span: Span) {
        let kind = SyntaxProblem { span, what: SyntaxKind::Data(what) }.into();
        self.problems.push(Problem { severity: Severity::Warning, kind });
    }

    /// Makes the contract of the whole schema: those of its keywords, then the schema as data.
    fn contract(&mut self, schema: NodeId, copied: Option<NodeId>) -> NodeId {
        let span = self.term.span(schema);
        self.only_types = copied.is_some();
        let mut all = self.contracts(schema);
        self.only_types = false;
        all.extend(copied.map(|copied| self.library("from_json_schema", copied, span)));
        let array = self.push(Node::Array(all.into()), span);
        self.library("Sequence", array, span)
    }

    /// Copies the whole schema as data.
    fn document(&mut self, schema: NodeId) -> NodeId {
        if !self.is_bundle {
            self.report_references(schema);
        }
        // the text bounds the copy; `left` bounds what references multiply
        let left = self.left;
        let copied = self.copy(schema);
        self.left = left;
        copied
    }

    /// Makes one contract of a schema.
    fn whole(&mut self, schema: NodeId) -> NodeId {
        let span = self.term.span(schema);
        let mut all = self.contracts(schema);
        match all.len() {
            0 => self.ty(TypeForm::Dyn, span),
            1 => all.remove(0),
            _ => {
                let array = self.push(Node::Array(all.into()), span);
                self.library("Sequence", array, span)
            }
        }
    }

    /// `std.contract.NAME argument`
    fn library(&mut self, name: &'static str, argument: NodeId, span: Span) -> NodeId {
        let std = self.builder.variable(&Name::new_static("std"), span);
        let module = self.push(Node::Project(std, Name::new_static("contract")), span);
        let func = self.push(Node::Project(module, Name::new_static(name)), span);
        self.push(Node::Apply(Box::new(Apply { func, args: vec![(None, argument)], tailstrict: false })), span)
    }

    /// Returns the contracts of a schema, the type first.
    fn contracts(&mut self, schema: NodeId) -> Vec<NodeId> {
        crate::deep::deeper(|| {
            let only_types = std::mem::take(&mut self.only_types);
            if self.left == 0 {
                return Vec::new();
            }
            let mut all = Vec::new();
            if let Node::Bool(false) = self.node(schema) {
                if only_types {
                    return all;
                }
                all.push(self.check(schema, &[], self.term.span(schema)));
                return all;
            }
            if let Some(target) = self.get(schema, "$ref") {
                self.only_types = only_types;
                let referenced = self.referenced(target);
                self.only_types = false;
                if self.ignores_beside {
                    return referenced;
                }
                all.extend(self.structure(schema));
                all.extend(referenced);
            } else {
                all.extend(self.structure(schema));
            }
            if let Some(each) = self.get(schema, "allOf") {
                for part in self.items(each).to_vec() {
                    self.only_types = only_types;
                    all.extend(self.contracts(part));
                }
            }
            if !only_types {
                all.extend(self.checks(schema));
            }
            all
        })
    }

    /// Returns the part of a schema that is a type.
    fn structure(&mut self, schema: NodeId) -> Option<NodeId> {
        if self.is_true(schema, "nullable") || self.is_true(schema, "x-kubernetes-int-or-string") {
            return None;
        }
        let properties = self.get(schema, "properties");
        let of_type = self.get(schema, "type");
        let span = self.field(schema, "type").map_or(self.term.span(schema), |field| field.span);
        match of_type.map(|node| (self.text(node), node)) {
            Some((Some(name), _)) => match name.as_str() {
                "string" => Some(self.ty(TypeForm::String, span)),
                "number" | "integer" => Some(self.ty(TypeForm::Number, span)),
                "boolean" => Some(self.ty(TypeForm::Bool, span)),
                "array" => {
                    // after `prefixItems`, `items` is about the elements that follow
                    let of_all = self.get(schema, "prefixItems").is_none();
                    let item = match self.get(schema, "items").filter(|items| of_all && self.is_schema(*items)) {
                        Some(items) => self.whole(items),
                        None => self.ty(TypeForm::Dyn, span),
                    };
                    Some(self.ty(TypeForm::Array(item), span))
                }
                "object" => Some(self.record(schema)),
                _ => None,
            },
            // several types, or none: only what is an object has properties
            Some((None, _)) => None,
            None if properties.is_some() => Some(self.record(schema)),
            None => None,
        }
    }

    fn is_schema(&self, node: NodeId) -> bool {
        matches!(self.node(node), Node::Record(_) | Node::Bool(_))
    }

    /// Makes the record contract of an object.
    fn record(&mut self, schema: NodeId) -> NodeId {
        let span = self.term.span(schema);
        let required: Vec<(Name, Span)> = match self.get(schema, "required") {
            Some(list) => {
                let named = |item: &NodeId| Some((self.text(*item)?, self.term.span(*item)));
                self.items(list).iter().filter_map(named).collect()
            }
            None => Vec::new(),
        };
        let properties: Vec<(Name, Span, NodeId)> = match self.get(schema, "properties").map(|p| self.node(p)) {
            Some(Node::Record(record)) => {
                let property = |field: &FieldDef| match &field.name {
                    FieldName::Static(name) => Some((name.clone(), field.name_span, field.body?)),
                    FieldName::Computed(_) => None,
                };
                record.fields.iter().filter_map(property).collect()
            }
            _ => Vec::new(),
        };
        let additional = self.get(schema, "additionalProperties");
        let patterns = self.get(schema, "patternProperties").is_some();
        if properties.is_empty()
            && required.is_empty()
            && !patterns
            && let Some(item) = additional.filter(|node| matches!(self.node(*node), Node::Record(_)))
        {
            let item = self.whole(item);
            return self.ty(TypeForm::Dict { item, contract: true }, span);
        }
        let mut fields = Vec::with_capacity(properties.len());
        for (name, name_span, property) in &properties {
            let contracts = self.contracts(*property);
            let doc = self.get(*property, "description").and_then(|doc| Some((self.text(doc)?, self.term.span(doc))));
            let annots = contracts.into_iter().map(|ty| Annot { kind: AnnotKind::Contract, ty }).collect();
            let optional = !required.iter().any(|(needed, _)| needed == name);
            fields.push((name.clone(), *name_span, FieldMeta { annots, doc, optional, ..FieldMeta::NONE }));
        }
        for (name, place) in required {
            if !properties.iter().any(|(known, ..)| *known == name) {
                fields.push((name, place, FieldMeta::NONE));
            }
        }
        let fields: Vec<FieldDef> = fields
            .into_iter()
            .map(|(name, name_span, meta)| FieldDef {
                name: FieldName::Static(name),
                name_span,
                span: name_span,
                body: None,
                included: false,
                plus: false,
                meta: meta.into(),
            })
            .collect();
        let closed = additional.is_some_and(|node| matches!(self.node(node), Node::Bool(false))) && !patterns;
        let rule = self.field(schema, "additionalProperties").filter(|_| closed).map(|field| field.span);
        let extra = rule.map(|rule| self.push(Node::Bool(false), rule));
        let groups = Groups::in_order(fields.len() as u32);
        let record = RecordLit { extra, fields, open: !closed, locals: Vec::new(), asserts: Vec::new(), groups };
        self.push(Node::Record(Box::new(record)), span)
    }

    /// Returns the contracts for the keywords that are not types.
    fn checks(&mut self, schema: NodeId) -> Vec<NodeId> {
        let mut all = Vec::new();
        let untyped = match self.get(schema, "type") {
            Some(node) => self.text(node).is_none_or(|name| matches!(name.as_str(), "integer" | "null")),
            None => false,
        };
        if self.is_true(schema, "nullable") {
            // OpenAPI's `nullable` is not a keyword of JSON Schema
            return if self.has_reference(schema) { Vec::new() } else { vec![self.nullable(schema)] };
        }
        if untyped {
            all.extend(self.keywords(schema, &["type"]));
        }
        for keyword in CHECKED {
            all.extend(self.keywords(schema, &[keyword]));
        }
        for group in TOGETHER {
            all.extend(self.keywords(schema, group));
        }
        let extra = |node: NodeId| matches!(self.node(node), Node::Record(_));
        let with_properties =
            self.get(schema, "properties").is_some() && self.get(schema, "patternProperties").is_none();
        if with_properties && self.get(schema, "additionalProperties").is_some_and(extra) {
            all.extend(self.keywords(schema, &["additionalProperties", "properties"]));
        }
        for keyword in ["unevaluatedProperties", "unevaluatedItems"] {
            if let Some(field) = self.field(schema, keyword)
                && !self.has_reference(schema)
            {
                let span = field.span;
                all.push(self.check(schema, &[], span));
            }
        }
        all
    }

    /// Returns the contract for some keywords, if the first of them is there.
    fn keywords(&mut self, schema: NodeId, keywords: &[&str]) -> Option<NodeId> {
        let span = self.field(schema, keywords.first()?)?.span;
        // only the whole schema has what a reference refers to
        let refers = |keyword: &&str| self.get(schema, keyword).is_some_and(|value| self.has_reference(value));
        if keywords.iter().any(refers) {
            return None;
        }
        if let [keyword] = keywords
            && let Some((_, bound)) = EXCLUSIVE.iter().find(|(own, _)| own == keyword)
            && self.get(schema, keyword).is_some_and(|node| matches!(self.node(node), Node::Bool(_)))
        {
            // in draft 4 it only has a meaning with its bound
            let both = self.is_true(schema, keyword).then_some([*keyword, *bound])?;
            return Some(self.check(schema, &both, span));
        }
        Some(self.check(schema, keywords, span))
    }

    /// Returns the bound of an `exclusiveMinimum: true` or `exclusiveMaximum: true` as later drafts write it:
    /// `exclusiveMinimum: 0`. `None` for everything else, and if the schema says that it is of draft 4.
    fn exclusive(&self, schema: NodeId, keyword: &str) -> Option<Option<NodeId>> {
        let (_, bound) = EXCLUSIVE.iter().find(|(own, _)| *own == keyword)?;
        let is_draft4 =
            self.get(self.body(), "$schema").and_then(|id| self.text(id)).is_some_and(|id| id.contains("draft-04"));
        match self.node(self.get(schema, keyword)?) {
            Node::Bool(exclusive) if !is_draft4 => Some(self.get(schema, bound).filter(|_| *exclusive)),
            _ => None,
        }
    }

    /// `std.contract.from_json_schema schema`, with only these keywords, or with all of them if none are given.
    fn check(&mut self, schema: NodeId, keywords: &[&str], span: Span) -> NodeId {
        let schema = self.selected(schema, keywords, span);
        self.library("from_json_schema", schema, span)
    }

    /// Copies some keywords of a schema as data, or all of them if none are given, with the definitions that they refer to.
    fn selected(&mut self, schema: NodeId, keywords: &[&str], span: Span) -> NodeId {
        let root = self.body();
        let mut kept: Vec<(Name, Span, NodeId)> = Vec::new();
        match self.node(schema) {
            Node::Record(record) => {
                for field in &record.fields {
                    if let (FieldName::Static(name), Some(body)) = (&field.name, field.body)
                        && (keywords.is_empty() || keywords.contains(&name.as_str()))
                    {
                        match self.exclusive(schema, name) {
                            None => kept.push((name.clone(), field.name_span, body)),
                            Some(bound) => kept.extend(bound.map(|bound| (name.clone(), field.name_span, bound))),
                        }
                    }
                }
            }
            _ => kept.push((Name::new_static("not"), span, schema)),
        }
        if let Some(field) = self.field(root, "$schema")
            && let Some(body) = field.body
            && self.text(body).is_some_and(|id| is_known_draft(&id))
            && !kept.iter().any(|(known, ..)| known == "$schema")
        {
            kept.push((Name::new_static("$schema"), field.name_span, body));
        }
        let mut fields = Vec::with_capacity(kept.len());
        for (name, name_span, node) in kept {
            // `false` is `not true`
            let body = match (self.node(schema), self.node(node)) {
                (Node::Bool(_), Node::Bool(false)) if name == "not" => self.push(Node::Bool(true), span),
                _ => self.copy(node),
            };
            fields.push(definition(name, name_span, body));
        }
        self.literal(fields, span)
    }

    /// Returns the contract for null, or else for a schema.
    fn nullable(&mut self, schema: NodeId) -> NodeId {
        let span = self.term.span(schema);
        // the other keywords are about the types that the value may have, to which the copy adds null
        let about_null = ["const", "not", "anyOf", "oneOf", "allOf", "if"];
        if self.get(self.body(), "$schema").is_none() && about_null.iter().all(|key| self.get(schema, key).is_none()) {
            let copied = self.copy(schema);
            return self.library("from_json_schema", copied, span);
        }
        let null = self.push(Node::Str(Name::new_static("null")), span);
        let null = self.literal(vec![definition(Name::new_static("type"), span, null)], span);
        let other = self.selected(schema, &[], span);
        let both = self.push(Node::Array(vec![null, other].into()), span);
        let any = self.literal(vec![definition(Name::new_static("anyOf"), span, both)], span);
        self.library("from_json_schema", any, span)
    }

    fn literal(&mut self, fields: Vec<FieldDef>, span: Span) -> NodeId {
        let groups = Groups::in_order(fields.len() as u32);
        let record = RecordLit { extra: None, fields, open: false, locals: Vec::new(), asserts: Vec::new(), groups };
        self.push(Node::Record(Box::new(record)), span)
    }

    fn has_reference(&self, node: NodeId) -> bool {
        self.refers.get(node.0 as usize).copied().unwrap_or_default()
    }
}

fn definition(name: Name, name_span: Span, body: NodeId) -> FieldDef {
    FieldDef {
        name: FieldName::Static(name),
        name_span,
        span: name_span,
        body: Some(body),
        included: false,
        plus: false,
        meta: FieldMeta::NONE.into(),
    }
}
