//! Reports data that is not a JSON Schema.

use crate::problem::data::DataProblem;
use crate::problem::syntax::{SyntaxKind, SyntaxProblem};
use crate::problem::{Problem, Severity};
use crate::term::{FieldDef, FieldName, Node, NodeId, Term};
use crate::text::Span;

/// The keywords of a schema. A mapping with none of them is not a schema.
const KEYWORDS: [&str; 57] = [
    "$schema",
    "$id",
    "id",
    "$ref",
    "$defs",
    "definitions",
    "$anchor",
    "$dynamicRef",
    "$dynamicAnchor",
    "$recursiveRef",
    "$comment",
    "$vocabulary",
    "type",
    "properties",
    "required",
    "additionalProperties",
    "patternProperties",
    "items",
    "additionalItems",
    "allOf",
    "anyOf",
    "oneOf",
    "not",
    "if",
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
    "prefixItems",
    "contains",
    "minProperties",
    "maxProperties",
    "propertyNames",
    "dependentRequired",
    "dependentSchemas",
    "dependencies",
    "unevaluatedProperties",
    "unevaluatedItems",
    "then",
    "else",
    "title",
    "description",
    "default",
    "examples",
    "deprecated",
    "readOnly",
    "writeOnly",
];

/// Reports a copied schema that is none.
pub(super) fn not_schema(term: &Term, schema: NodeId) -> Option<Problem> {
    let (at, why) = match term.node(schema) {
        Node::Record(record) => {
            let is_keyword = |field: &FieldDef| match &field.name {
                FieldName::Static(name) => KEYWORDS.contains(&name.as_str()) || name.starts_with("x-"),
                FieldName::Computed(_) => false,
            };
            if record.fields.is_empty() || record.fields.iter().any(is_keyword) {
                let error = cfg_json_schema::Schema::new(&data(term, schema)).err()?;
                (part(term, schema, &error.at), error.message)
            } else {
                (schema, String::from("none of its keys is a keyword"))
            }
        }
        Node::Bool(_) => return None,
        _ => (schema, String::from("a schema is a mapping")),
    };
    let what = SyntaxKind::Data(DataProblem::NotSchema(why.into()));
    Some(Problem { severity: Severity::Error, kind: SyntaxProblem { span: term.span(at), what }.into() })
}

/// The error of an anchor whose value contains itself, which JSON cannot express.
pub(super) fn endless(anchor: Span) -> Problem {
    let what = SyntaxKind::Data(DataProblem::NotSchema("an anchor contains an alias of itself".into()));
    Problem { severity: Severity::Error, kind: SyntaxProblem { span: anchor, what }.into() }
}

/// Returns the part of copied data to which a JSON pointer leads, or the nearest part around it.
fn part(term: &Term, from: NodeId, pointer: &str) -> NodeId {
    let mut here = from;
    for step in pointer.split('/').skip(1) {
        let step = step.replace("~1", "/").replace("~0", "~");
        let next = match term.node(here) {
            Node::Array(items) => step.parse::<usize>().ok().and_then(|index| items.get(index).copied()),
            Node::Record(record) => {
                let named = |f: &&FieldDef| matches!(&f.name, FieldName::Static(name) if *name == step);
                record.fields.iter().find(named).and_then(|field| field.body)
            }
            _ => None,
        };
        match next {
            Some(next) => here = next,
            None => break,
        }
    }
    here
}

/// Returns copied data as JSON.
fn data(term: &Term, node: NodeId) -> serde_json::Value {
    crate::deep::deeper(|| match term.node(node) {
        Node::Bool(b) => (*b).into(),
        Node::Str(text) => text.as_str().into(),
        Node::Number(number) => serde_json::from_str(&number.to_string()).unwrap_or_else(|_| 0.into()),
        Node::Array(items) => items.iter().map(|item| data(term, *item)).collect(),
        Node::Record(record) => {
            let field = |field: &FieldDef| match (&field.name, field.body) {
                (FieldName::Static(name), Some(body)) => Some((name.to_string(), data(term, body))),
                _ => None,
            };
            serde_json::Value::Object(record.fields.iter().filter_map(field).collect())
        }
        _ => serde_json::Value::Null,
    })
}
