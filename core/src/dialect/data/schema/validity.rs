//! Reports data that is not a JSON Schema.

use super::keywords::is_keyword;
use crate::problem::data::DataProblem;
use crate::problem::syntax::{SyntaxKind, SyntaxProblem};
use crate::problem::{Problem, Severity};
use crate::term::{FieldDef, FieldName, Node, NodeId, Term};
use crate::text::{Name, Span, near};
use cfg_json_schema::SchemaHelp;

/// The types of JSON Schema.
const TYPES: [&str; 7] = ["array", "boolean", "integer", "null", "number", "object", "string"];
/// The advice about data that is not a schema.
const ABOUT: &str = "a schema says what a file may contain, with keywords such as `type` and `properties`";
/// The advice about a description of an API.
const OF_API: &str = "write one of its schemas, such as those in `components.schemas`, to a file of its own";
/// Maximum number of names that advice lists.
const LISTED: usize = 6;

/// Reports a copied schema that is none.
pub(super) fn not_schema(term: &Term, schema: NodeId) -> Option<Problem> {
    let help;
    let (at, why) = match term.node(schema) {
        Node::Record(record) => {
            let is_known = |field: &FieldDef| match &field.name {
                FieldName::Static(name) => is_keyword(name),
                FieldName::Computed(_) => false,
            };
            if record.fields.is_empty() || record.fields.iter().any(is_known) {
                let error = cfg_json_schema::Schema::new(&data(term, schema)).err()?;
                let at = part(term, schema, &error.at);
                help = error.help.as_ref().and_then(advice).or_else(|| similar_type(term, at, &error.at));
                (at, error.message)
            } else {
                let is_api = record.fields.iter().any(
                    |field| matches!(&field.name, FieldName::Static(name) if name == "openapi" || name == "swagger"),
                );
                help = Some(Name::new_static(if is_api { OF_API } else { ABOUT }));
                let why =
                    if is_api { "it describes an API, with several schemas" } else { "none of its keys is a keyword" };
                (schema, String::from(why))
            }
        }
        Node::Bool(_) => return None,
        _ => {
            help = Some(Name::new_static(ABOUT));
            (schema, String::from("a schema is a mapping"))
        }
    };
    let what = SyntaxKind::Data(DataProblem::NotSchema { why: why.into(), help });
    Some(Problem { severity: Severity::Error, kind: SyntaxProblem { span: term.span(at), what }.into() })
}

/// Writes the advice of the crate that reads schemas.
fn advice(help: &SchemaHelp) -> Option<Name> {
    Some(Name::from(match help {
        SchemaHelp::Text(text) => (*text).to_owned(),
        SchemaHelp::Instead(text) => format!("did you mean `{text}`?"),
        SchemaHelp::Beside { around, name, names } => match near(name, names.iter().map(String::as_str)).first() {
            Some(near) => format!("did you mean `{around}/{near}`?"),
            None if names.is_empty() => return None,
            None => {
                let names: Vec<String> = names.iter().take(LISTED).map(|name| format!("`{name}`")).collect();
                format!("`{around}` has {}", names.join(", "))
            }
        },
    }))
}

/// Returns the advice for a misspelt type.
fn similar_type(term: &Term, at: NodeId, pointer: &str) -> Option<Name> {
    let Node::Str(written) = term.node(at) else { return None };
    let meant = near(written, TYPES).into_iter().next().filter(|_| pointer.ends_with("/type"))?;
    Some(Name::from(format!("did you mean `{meant}`?")))
}

/// The error of an anchor whose value contains itself, which JSON cannot express.
pub(super) fn endless(anchor: Span) -> Problem {
    let what = SyntaxKind::Data(DataProblem::NotSchema {
        why: Name::new_static("an anchor contains an alias of itself"),
        help: None,
    });
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
