//! The literals that are values of secret fields. Their text must not be shown.

use super::{FieldDef, FieldMeta, FieldName, Node, NodeId, Term, TypeForm};
use crate::text::{Name, Span};

/// The types of JSON Schema.
const SCHEMA_TYPES: [&str; 7] = ["string", "number", "integer", "boolean", "object", "array", "null"];

/// A literal, or the text of an interpolated string without its expressions.
pub struct Literal {
    /// The parts of the text that belong to it.
    pub spans: Vec<Span>,
    /// Its content.
    pub content: Content,
}

/// The content of a literal.
pub enum Content {
    /// A string.
    Text(Name),
    /// An enum tag.
    Tag(Name),
    /// A number, a boolean, or a string with interpolated parts.
    Other,
    /// An imported file. The span is that of the import, which may be shown.
    File,
}

impl Term {
    /// Returns the names of the fields that the term marks as secret. `O(term)`.
    pub fn secret_names(&self) -> impl Iterator<Item = &Name> {
        self.defined_fields().filter(|field| field.meta.secret).filter_map(|field| match &field.name {
            FieldName::Static(name) => Some(name),
            FieldName::Computed(_) => None,
        })
    }

    /// Returns the literals in the definitions of the fields that are marked as secret, or whose name is. `O(term)`.
    pub fn secret_literals(&self, is_secret: &dyn Fn(&Name) -> bool) -> Vec<Literal> {
        let mut roots: Vec<NodeId> = Vec::new();
        for field in self.defined_fields() {
            let named = matches!(&field.name, FieldName::Static(name) if is_secret(name));
            match field.body {
                Some(body) if !field.meta.secret && named => {
                    roots.extend(self.values_in_schema(body).unwrap_or(vec![body]))
                }
                body => roots.extend(body.filter(|_| field.meta.secret)),
            }
            let is_literal = |id: &NodeId| matches!(self.node(*id), Node::Str(_) | Node::Number(_) | Node::Interp(_));
            if field.meta.secret || named {
                let types = field.meta.annots.iter().map(|annot| annot.ty);
                roots.extend(types.filter(|ty| field.meta.secret || is_literal(ty)));
            }
        }
        // `{ password: "x" }` is read as a type
        for node in &self.nodes {
            let Node::Type(form) = node else { continue };
            if let TypeForm::Record { fields, .. } = &**form {
                let types = fields.iter().filter(|(name, ..)| is_secret(name)).map(|(_, _, ty)| *ty);
                roots.extend(
                    types.filter(|ty| matches!(self.node(*ty), Node::Str(_) | Node::Number(_) | Node::Interp(_))),
                );
            }
        }
        self.origins(is_secret).iter().for_each(|origin| roots.extend(self.values_of(origin)));
        let mut seen = vec![false; if roots.is_empty() { 0 } else { self.nodes.len() }];
        let mut found = Vec::new();
        while let Some(id) = roots.pop() {
            if seen.get_mut(id.0 as usize).is_none_or(|seen| std::mem::replace(seen, true)) {
                continue;
            }
            let children = self.children(id);
            if let Node::Import(_) = self.node(id) {
                found.push(Literal { spans: vec![self.span(id)], content: Content::File });
            }
            let content = match self.node(id) {
                Node::Str(text) => Some(Content::Text(text.clone())),
                Node::Tag(tag) | Node::Variant(tag, _) => Some(Content::Tag(tag.clone())),
                Node::Number(_) | Node::Bool(_) | Node::Interp(_) => Some(Content::Other),
                _ => None,
            };
            if let Some(content) = content {
                found
                    .push(Literal { spans: without(self.span(id), children.iter().map(|id| self.span(*id))), content });
            }
            roots.extend(children);
        }
        found
    }

    /// Returns the values in what a JSON Schema says of a field: its constants, defaults and examples. `None` if it is none. `O(fields)`.
    fn values_in_schema(&self, body: NodeId) -> Option<Vec<NodeId>> {
        let Node::Record(record) = self.node(body) else { return None };
        let named = |wanted: &'static [&str]| {
            let is_it =
                move |name: &FieldName| matches!(name, FieldName::Static(own) if wanted.contains(&own.as_str()));
            record.fields.iter().filter(move |field| is_it(&field.name)).filter_map(|field| field.body)
        };
        let is_type = |id: NodeId| matches!(self.node(id), Node::Str(name) if SCHEMA_TYPES.contains(&name.as_str()));
        named(&["type"]).any(is_type).then(|| named(&["const", "enum", "default", "examples", "example"]).collect())
    }

    /// Returns the names of the fields that hold a record with secret fields, or whose contracts have some. `O(term)`.
    pub fn secret_holders(&self) -> Vec<&Name> {
        // the parts of a term precede it
        let mut holds = vec![false; self.nodes.len()];
        let mut found = Vec::new();
        for (index, node) in self.nodes.iter().enumerate() {
            let has = |id: NodeId| holds.get(id.0 as usize) == Some(&true);
            let here = match node {
                Node::Record(record) => {
                    let mut here = false;
                    for field in &record.fields {
                        let inner = field.body.is_some_and(has) || field.meta.annots.iter().any(|annot| has(annot.ty));
                        if let (true, FieldName::Static(name)) = (inner, &field.name) {
                            found.push(name);
                        }
                        here |= inner || field.meta.secret;
                    }
                    here
                }
                Node::Type(_) | Node::Array(_) => self.children(NodeId(index as u32)).into_iter().any(has),
                _ => false,
            };
            if let (true, Some(place)) = (here, holds.get_mut(index)) {
                *place = true;
            }
        }
        found
    }

    /// Whether a value is a record, or an array of records only.
    fn is_made_of_records(&self, value: NodeId) -> bool {
        match self.node(value) {
            Node::Record(_) => true,
            Node::Array(items) => items.iter().all(|item| matches!(self.node(*item), Node::Record(_))),
            _ => false,
        }
    }

    /// Returns the term with a mark on what the secret fields of these names take their values from. `None` if that is nothing. `O(term)`.
    pub fn with_secret_origins(&self, is_secret: &dyn Fn(&Name) -> bool) -> Option<Term> {
        let origins = self.origins(is_secret);
        let mut out = (!origins.is_empty()).then(|| self.clone())?;
        out.mark_origins(&origins);
        Some(out)
    }

    /// Returns the term with a mark on each of its fields that is a secret by its name, or by its name and because its value is
    /// not made of records.
    /// `None` if there is no such field. `O(term)`.
    pub fn with_secrets(&self, is_secret: &mut dyn FnMut(&Name, bool) -> bool) -> Option<Term> {
        let mut places = Vec::new();
        for (index, node) in self.nodes.iter().enumerate() {
            let Node::Record(record) = node else { continue };
            for (place, field) in record.fields.iter().enumerate() {
                let (FieldName::Static(name), Some(body), false) = (&field.name, field.body, field.meta.secret) else {
                    continue;
                };
                if is_secret(name, self.is_made_of_records(body)) {
                    places.push((index, place));
                }
            }
        }
        let mut out = (!places.is_empty()).then(|| self.clone())?;
        for (index, place) in places {
            if let Some(Node::Record(record)) = out.nodes.get_mut(index)
                && let Some(field) = record.fields.get_mut(place)
            {
                field.meta = FieldMeta { secret: true, ..FieldMeta::clone(&field.meta) }.into();
            }
        }
        Some(out)
    }

    /// Returns the names of all fields. `O(term)`.
    pub fn field_names(&self) -> impl Iterator<Item = &Name> {
        self.defined_fields().filter_map(|field| match &field.name {
            FieldName::Static(name) => Some(name),
            FieldName::Computed(_) => None,
        })
    }

    /// Returns the contents of all strings and enum tags. `O(term)`.
    pub fn contents(&self) -> impl Iterator<Item = Content> {
        self.nodes.iter().filter_map(|node| match node {
            Node::Str(text) => Some(Content::Text(text.clone())),
            Node::Tag(tag) | Node::Variant(tag, _) => Some(Content::Tag(tag.clone())),
            _ => None,
        })
    }

    pub(super) fn defined_fields(&self) -> impl Iterator<Item = &FieldDef> {
        self.nodes.iter().flat_map(|node| match node {
            Node::Record(record) => record.fields.as_slice(),
            _ => &[],
        })
    }
}

/// Returns the parts of a span that none of the others covers.
fn without(whole: Span, others: impl Iterator<Item = Span>) -> Vec<Span> {
    let inside = |span: &Span| span.source == whole.source && whole.start <= span.start && span.end <= whole.end;
    let mut others: Vec<Span> = others.filter(inside).collect();
    others.sort_by_key(|span| span.start);
    let mut at = whole.start;
    let mut parts = Vec::new();
    for other in others {
        parts.push(Span { start: at, end: other.start.max(at), ..whole });
        at = at.max(other.end);
    }
    parts.push(Span { start: at, ..whole });
    parts.retain(|span| !span.is_empty());
    parts
}
