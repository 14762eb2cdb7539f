//! References between the parts of a schema, and the copy of a schema as data.

use super::{Reader, definition};
use crate::problem::data::DataProblem;
use crate::term::{FieldDef, FieldName, Node, NodeId, Term};
use crate::text::{Name, Span};
use rustc_hash::FxHashSet;

impl Reader<'_> {
    /// Returns the place of an anchor whose value contains an alias of it, directly or through other anchors. `O(schema)`.
    pub(super) fn endless_anchor(&self) -> Option<Span> {
        let Node::Let(anchors) = self.term.node(self.term.root) else { return None };
        let mut inside: Vec<Vec<u32>> = Vec::with_capacity(anchors.bindings.len());
        for binding in &anchors.bindings {
            let (mut aliases, mut work) = (Vec::new(), vec![binding.body]);
            while let Some(node) = work.pop() {
                match self.term.node(node) {
                    Node::Local { slot, .. } => aliases.push(*slot),
                    Node::Array(items) => work.extend(items.iter().copied()),
                    Node::Record(record) => work.extend(record.fields.iter().filter_map(|field| field.body)),
                    Node::Variant(_, inner) | Node::Project(inner, _) => work.push(*inner),
                    _ => {}
                }
            }
            inside.push(aliases);
        }
        // anchors that contain no anchor are taken away until none is left, or only those on the way to a cycle
        let mut left: Vec<usize> = inside.iter().map(Vec::len).collect();
        let mut users: Vec<Vec<usize>> = vec![Vec::new(); inside.len()];
        for (user, aliases) in inside.iter().enumerate() {
            for slot in aliases {
                if let Some(users) = users.get_mut(*slot as usize) {
                    users.push(user);
                }
            }
        }
        let mut ready: Vec<usize> = (0..left.len()).filter(|i| left.get(*i) == Some(&0)).collect();
        while let Some(next) = ready.pop() {
            for user in users.get_mut(next).map(std::mem::take).unwrap_or_default() {
                if let Some(count) = left.get_mut(user) {
                    *count = count.saturating_sub(1);
                    if *count == 0 {
                        ready.push(user);
                    }
                }
            }
        }
        let endless = left.iter().position(|count| *count > 0)?;
        anchors.bindings.get(endless).map(|binding| binding.span)
    }

    /// Returns the contracts of the schema that a reference names. A recursive reference is not followed again, nor one to an
    /// anchor: the contract of the whole schema follows them.
    pub(super) fn referenced(&mut self, node: NodeId) -> Vec<NodeId> {
        let Some(text) = self.text(node) else { return Vec::new() };
        let target = text.strip_prefix('#').filter(|pointer| pointer.is_empty() || pointer.starts_with('/'));
        let Some(target) = target.filter(|_| !self.is_bundle).and_then(|pointer| self.pointer(&decoded(pointer)))
        else {
            return Vec::new();
        };
        if self.refs.contains(&text) {
            return Vec::new();
        }
        self.refs.push(text);
        let all = self.contracts(target);
        self.refs.pop();
        all
    }

    /// Reports the references to other files.
    pub(super) fn report_references(&mut self, schema: NodeId) {
        let mut work = vec![schema];
        let mut anchors = FxHashSet::default();
        while let Some(node) = work.pop() {
            if let Node::Local { slot, .. } = self.term.node(node)
                && !anchors.insert(*slot)
            {
                continue;
            }
            match self.node(node) {
                Node::Array(items) => work.extend(items.iter().rev().copied()),
                Node::Record(record) => {
                    for field in record.fields.iter().rev() {
                        let Some(body) = field.body else { continue };
                        if self.is_external(field)
                            && let Some(text) = self.text(body)
                        {
                            self.unchecked(DataProblem::SchemaReference(text), self.term.span(body));
                        }
                        work.push(body);
                    }
                }
                _ => {}
            }
        }
    }

    /// Returns whether a field is a reference to another file.
    fn is_external(&self, field: &FieldDef) -> bool {
        let (FieldName::Static(name), Some(body)) = (&field.name, field.body) else { return false };
        if self.is_bundle || name != "$ref" {
            return false;
        }
        let Some(text) = self.text(body) else { return false };
        let base = text.split('#').next().unwrap_or_default();
        let own = self.get(self.body(), "$id").and_then(|id| self.text(id)).unwrap_or_default();
        let own = own.trim_end_matches('#');
        let is_own = base.is_empty() || base == own || own.ends_with(&format!("/{base}"));
        !is_own && !is_known_draft(&text)
    }

    /// Follows a JSON pointer from the root.
    fn pointer(&self, pointer: &str) -> Option<NodeId> {
        let mut here = self.body();
        for part in pointer.split('/').skip(1) {
            let part = part.replace("~1", "/").replace("~0", "~");
            here = match self.node(here) {
                Node::Array(items) => *items.get(part.parse::<usize>().ok()?)?,
                _ => self.get(here, &part)?,
            };
        }
        Some(here)
    }

    /// Copies a part of the schema as data.
    pub(super) fn copy(&mut self, node: NodeId) -> NodeId {
        crate::deep::deeper(|| {
            let span = self.term.span(node);
            let copied = match self.node(node) {
                Node::Array(items) => Node::Array(items.iter().map(|item| self.copy(*item)).collect()),
                Node::Record(record) => {
                    let mut fields = Vec::with_capacity(record.fields.len());
                    let is_nullable = self.is_true(node, "nullable");
                    for field in &record.fields {
                        if let (FieldName::Static(name), Some(body)) = (&field.name, field.body) {
                            let is_foreign =
                                name == "$schema" && self.text(body).is_some_and(|id| !is_known_draft(&id));
                            if is_foreign || self.is_external(field) {
                                continue;
                            }
                            if is_nullable && let Some(body) = self.with_null(name, body) {
                                fields.push(definition(name.clone(), field.name_span, body));
                                continue;
                            }
                            let body = match self.exclusive(node, name) {
                                None => body,
                                Some(Some(bound)) => bound,
                                Some(None) => continue,
                            };
                            let body = self.copy(body);
                            fields.push(definition(name.clone(), field.name_span, body));
                        }
                    }
                    return self.literal(fields, span);
                }
                plain @ (Node::Null | Node::Bool(_) | Node::Number(_) | Node::Str(_)) => plain.clone(),
                _ => Node::Hole,
            };
            self.push(copied, span)
        })
    }

    /// Copies the value of the `type` or `enum` of a schema that OpenAPI calls `nullable`. `None` for other keywords.
    fn with_null(&mut self, keyword: &str, value: NodeId) -> Option<NodeId> {
        let span = self.term.span(value);
        let (null, mut all) = match (keyword, self.node(value)) {
            ("type", Node::Str(_)) => (Node::Str(Name::new_static("null")), vec![self.copy(value)]),
            ("enum", Node::Array(items)) => {
                if items.iter().any(|item| matches!(self.node(*item), Node::Null)) {
                    return None;
                }
                (Node::Null, items.iter().map(|item| self.copy(*item)).collect())
            }
            _ => return None,
        };
        all.push(self.push(null, span));
        Some(self.push(Node::Array(all.into()), span))
    }
}

/// Returns whether an identifier is that of a draft of JSON Schema.
pub(super) fn is_known_draft(id: &str) -> bool {
    id.contains("//json-schema.org/draft")
}

/// Decodes the escapes of a URI: `%20`.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let hex = after.get(..2).and_then(|hex| std::str::from_utf8(hex).ok());
        match hex.filter(|_| *first == b'%').and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = after.get(2..).unwrap_or_default();
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

/// Returns for each node of a schema whether a reference is in it. Parts come before the nodes that contain them. O(schema).
pub(super) fn referring(term: &Term) -> Vec<bool> {
    let is_reference = |field: &FieldDef| match &field.name {
        FieldName::Static(name) => matches!(name.as_str(), "$ref" | "$dynamicRef" | "$recursiveRef"),
        FieldName::Computed(_) => false,
    };
    let mut all: Vec<bool> = Vec::with_capacity(term.nodes.len());
    for node in &term.nodes {
        let refers = |part: NodeId| all.get(part.0 as usize).copied().unwrap_or_default();
        let found = match (node, term.node(term.root)) {
            (Node::Array(items), _) => items.iter().any(|item| refers(*item)),
            (Node::Record(record), _) => {
                record.fields.iter().any(|field| is_reference(field) || field.body.is_some_and(refers))
            }
            (Node::Local { slot, .. }, Node::Let(anchors)) => {
                anchors.bindings.get(*slot as usize).is_some_and(|binding| refers(binding.body))
            }
            _ => false,
        };
        all.push(found);
    }
    all
}
