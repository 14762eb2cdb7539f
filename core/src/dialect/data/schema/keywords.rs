//! The keywords of JSON Schema, and keys that are almost one of them, which would check nothing.

use super::Reader;
use crate::problem::data::DataProblem;
use crate::term::{FieldDef, FieldName, Node, NodeId};
use crate::text::{Name, Span, is_misspelt, near};
use rustc_hash::FxHashSet;

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

/// Further keywords: of OpenAPI, of editors, and the rarer ones of JSON Schema.
const FURTHER: [&str; 17] = [
    "$recursiveAnchor",
    "contentEncoding",
    "contentMediaType",
    "contentSchema",
    "defaultSnippets",
    "discriminator",
    "errorMessage",
    "example",
    "externalDocs",
    "maxContains",
    "minContains",
    "nullable",
    "option",
    "options",
    "order",
    "text",
    "xml",
];

/// Words for keywords that are not near to them.
const MEANT: [(&str, &str); 9] = [
    ("choices", "enum"),
    ("max", "maximum"),
    ("maxLen", "maxLength"),
    ("min", "minimum"),
    ("minLen", "minLength"),
    ("property", "properties"),
    ("prop", "properties"),
    ("props", "properties"),
    ("regex", "pattern"),
];

/// Whether a key is a keyword of JSON Schema, or an extension of one.
pub(super) fn is_keyword(name: &str) -> bool {
    KEYWORDS.contains(&name) || name.starts_with("x-")
}

/// Returns the keyword that a key of a schema was probably meant as.
fn meant(name: &str) -> Option<&'static str> {
    if is_keyword(name) || FURTHER.contains(&name) {
        return None;
    }
    if let Some((_, keyword)) = MEANT.into_iter().find(|(word, _)| *word == name) {
        return Some(keyword);
    }
    let slip = KEYWORDS.into_iter().find(|keyword| is_misspelt(name, keyword));
    slip.or_else(|| {
        let near = near(name, KEYWORDS).into_iter().next()?;
        let keyword = KEYWORDS.into_iter().find(|keyword| near == *keyword)?;
        let begins = keyword.trim_start_matches('$').chars().next() == name.trim_start_matches('$').chars().next();
        (begins && keyword.len().abs_diff(name.len()) <= 2).then_some(keyword)
    })
}

impl Reader<'_> {
    /// Reports the keys of a schema, and of the schemas in it, that are almost a keyword. `O(schema)`.
    pub(super) fn report_keywords(&mut self, schema: NodeId) {
        let mut found: Vec<(Name, &'static str, Span)> = Vec::new();
        let mut work = vec![schema];
        let mut anchors = FxHashSet::default();
        while let Some(node) = work.pop() {
            if let Node::Local { slot, .. } = self.term.node(node)
                && !anchors.insert(*slot)
            {
                continue;
            }
            let Node::Record(record) = self.node(node) else { continue };
            for field in &record.fields {
                let FieldName::Static(name) = &field.name else { continue };
                let Some(body) = field.body else { continue };
                found.extend(meant(name).map(|meant| (name.clone(), meant, field.name_span)));
                match (name.as_str(), self.node(body)) {
                    (
                        "properties" | "patternProperties" | "$defs" | "definitions" | "dependentSchemas"
                        | "dependencies",
                        Node::Record(inner),
                    ) => work.extend(inner.fields.iter().filter_map(|field: &FieldDef| field.body)),
                    ("allOf" | "anyOf" | "oneOf" | "prefixItems" | "items", Node::Array(items)) => {
                        work.extend(items.iter().copied());
                    }
                    (
                        "items"
                        | "additionalItems"
                        | "additionalProperties"
                        | "not"
                        | "if"
                        | "then"
                        | "else"
                        | "contains"
                        | "propertyNames"
                        | "unevaluatedProperties"
                        | "unevaluatedItems",
                        Node::Record(_),
                    ) => work.push(body),
                    _ => {}
                }
            }
        }
        found.sort_by_key(|(_, _, span)| span.start);
        for (name, meant, span) in found {
            self.unchecked(DataProblem::UnknownKeyword { name, meant }, span);
        }
    }
}
