//! Whether a schema is one: the rules of its draft, and the parts of references.

use super::{CHECKED, Reader};
use crate::problem::data::DataProblem;
use crate::problem::syntax::{SyntaxKind, SyntaxProblem};
use crate::problem::{Problem, Severity};
use crate::term::{FieldDef, FieldName, Node, NodeId, NumberForm};
use crate::text::Name;

/// Further keywords: those of types, of references, and those that only describe.
const OTHER: [&str; 22] = [
    "type",
    "properties",
    "required",
    "items",
    "additionalProperties",
    "allOf",
    "definitions",
    "if",
    "then",
    "else",
    "contains",
    "patternProperties",
    "dependencies",
    "dependentSchemas",
    "unevaluatedProperties",
    "unevaluatedItems",
    "additionalItems",
    "title",
    "description",
    "default",
    "examples",
    "nullable",
];

/// Returns whether a name is a keyword of JSON Schema or OpenAPI.
fn is_keyword(name: &str) -> bool {
    name.starts_with('$') || name.starts_with("x-") || CHECKED.contains(&name) || OTHER.contains(&name)
}

/// Decodes the `%20` of a reference. `None` if it is not UTF-8.
pub(super) fn decoded(text: &str) -> Option<String> {
    let mut out = Vec::with_capacity(text.len());
    let mut parts = text.split('%');
    out.extend_from_slice(parts.next()?.as_bytes());
    for part in parts {
        match part.get(..2).and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(byte) => {
                out.push(byte);
                out.extend_from_slice(part.get(2..)?.as_bytes());
            }
            None => {
                out.push(b'%');
                out.extend_from_slice(part.as_bytes());
            }
        }
    }
    String::from_utf8(out).ok()
}

impl Reader<'_> {
    /// Returns the schema with an `$anchor`. O(schema).
    pub(super) fn anchored(&self, anchor: &str) -> Option<NodeId> {
        let mut work = vec![self.body()];
        while let Some(node) = work.pop() {
            match self.term.node(node) {
                Node::Array(items) => work.extend(items.iter().copied()),
                Node::Record(record) => {
                    if self.get(node, "$anchor").and_then(|name| self.text(name)).is_some_and(|name| name == anchor) {
                        return Some(node);
                    }
                    work.extend(record.fields.iter().filter_map(|field| field.body));
                }
                _ => {}
            }
        }
        None
    }

    /// Reports a schema that breaks the rules of its draft, with the place of the keyword, and one without any keyword. A
    /// schema that does not name its draft may be of any.
    pub(super) fn validate(&mut self, schema: NodeId) {
        if let Node::Record(record) = self.term.node(schema)
            && !record.fields.is_empty()
            && !record.fields.iter().any(|field| matches!(&field.name, FieldName::Static(name) if is_keyword(name)))
        {
            let span = self.term.span(schema);
            return self.unchecked(DataProblem::NoSchema, span);
        }
        let json = self.json(schema);
        let Err(error) = jsonschema::meta::validate(&json) else { return };
        let is_named = json.get("$schema").is_some();
        if !is_named && (jsonschema::draft7::meta::is_valid(&json) || jsonschema::draft4::meta::is_valid(&json)) {
            return;
        }
        let mut place = schema;
        for part in error.instance_path().to_string().split('/').skip(1) {
            let part = part.replace("~1", "/").replace("~0", "~");
            let next = match self.term.node(place) {
                Node::Array(items) => part.parse().ok().and_then(|at: usize| items.get(at).copied()),
                _ => self.get(place, &part),
            };
            let Some(next) = next else { break };
            place = next;
        }
        let what = DataProblem::SchemaInvalid(Name::from(error.to_string()));
        let kind = SyntaxProblem { span: self.term.span(place), what: SyntaxKind::Data(what) }.into();
        self.problems.push(Problem { severity: Severity::Error, kind });
    }

    /// Returns a part of the schema as JSON.
    fn json(&self, node: NodeId) -> serde_json::Value {
        use serde_json::Value as Json;
        stacker::maybe_grow(1 << 16, 1 << 20, || match self.term.node(node) {
            Node::Bool(value) => Json::Bool(*value),
            Node::Str(text) => Json::String(text.to_string()),
            Node::Number(number) => {
                let text = number.export(NumberForm::Json);
                text.ok().and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default()
            }
            Node::Array(items) => Json::Array(items.iter().map(|item| self.json(*item)).collect()),
            Node::Record(record) => {
                let field = |field: &FieldDef| match (&field.name, field.body) {
                    (FieldName::Static(name), Some(body)) => {
                        let body = match self.exclusive(node, name) {
                            None => body,
                            Some(bound) => bound?,
                        };
                        Some((name.to_string(), self.json(body)))
                    }
                    _ => None,
                };
                Json::Object(record.fields.iter().filter_map(field).collect())
            }
            _ => Json::Null,
        })
    }
}
