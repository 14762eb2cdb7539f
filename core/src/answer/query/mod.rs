//! The metadata and value of a field, after all merges.

mod html;
mod json;
pub mod text;

use super::shared::projection;
use crate::answer::{Answer, forms};
use crate::dialect::Languages;
use crate::dialect::library::LibraryEntry;
use crate::meta::Priority;
use crate::problem::Problem;
use crate::problem::value::ValueKind;
use crate::state::{Definition, Workspace};
use crate::term::rules::is_library;
use crate::term::{AnnotKind, Node, Term};
use crate::text::path::{FieldPath, Step};
use crate::text::{Name, Span, on_one_line};
use crate::value::datum::Datum;
use crate::value::machine::Budget;
use crate::value::{Fault, Thunk, Value};
use std::sync::Arc;

/// Maximum size of the value in an answer.
const SHOWN: Budget = Budget { elements: 200, depth: 8, text: 4000 };

/// The metadata and value of a field.
#[derive(Clone, Debug, Default)]
pub struct Query {
    /// The contracts (`| C`), each as written, in the order of the merge.
    pub contracts: Vec<String>,
    /// The types (`: T`), as annotated.
    pub types: Vec<String>,
    /// The value, if it has one.
    pub value: Option<Datum>,
    /// Its priority.
    pub priority: Priority,
    /// The merge functions (`| merge f`), as written.
    pub merge: Vec<String>,
    /// Whether it is `| optional`.
    pub optional: bool,
    /// Whether it is `| not_exported`.
    pub not_exported: bool,
    /// Whether it is `| secret`.
    pub secret: bool,
    /// The path and the place of the secret field that the value was computed from, if it is not the field itself.
    pub secret_from: Option<(FieldPath, Option<Span>)>,
    /// The documentation.
    pub doc: Option<Name>,
    /// The fields, if the value is a record.
    pub fields: Option<Vec<Name>>,
    /// The reason why the value is missing, if the answer shows it.
    pub fault: Option<Problem>,
}

impl Query {
    /// Returns `true` if anything besides a value is known.
    fn has_metadata(&self) -> bool {
        !(self.contracts.is_empty() && self.types.is_empty() && self.merge.is_empty() && self.doc.is_none())
            || self.priority != Priority::Normal
            || self.optional
            || self.not_exported
            || self.secret
    }
}

/// Answers for an expression. `r.a` and `r[0].a` are fields and have metadata. A name of the session has the annotations and
/// documentation of its definition; a path into the library has its types and documentation. Any other expression has only a value.
/// Evaluates the part before the last dot, then the value.
pub fn query(session: &mut Workspace, mut term: Arc<Term>) -> Result<Query, Problem> {
    if let Some(answer) = of_library(session.languages(), &term) {
        return Ok(answer);
    }
    match term.node(term.root) {
        Node::Project(of, name) => {
            let (of, name) = (*of, name.clone());
            // children precede their parents: the part before the dot is a complete term
            if let Some(term) = Arc::get_mut(&mut term) {
                term.root = of;
            }
            let record = session.machine().thunk(&term);
            query_field(session, &record, &name)
        }
        Node::Global(name) => query_global(session, &term, &name.clone()),
        Node::Index(_) => {
            let steps = projection::cut(&mut term);
            let root = session.machine().thunk(&term);
            at(session, &root, &steps)
        }
        _ => {
            let thunk = session.machine().thunk(&term);
            let mut query = Query::default();
            set_value(session, &mut query, &thunk);
            Ok(query)
        }
    }
}

/// Answers for a path into a value.
pub fn at(session: &mut Workspace, root: &Thunk, path: &[Step]) -> Result<Query, Problem> {
    let fail = |fault: Fault| fault.problem().clone();
    let Some((last, before)) = path.split_last() else {
        let mut query = Query::default();
        set_value(session, &mut query, root);
        return Ok(query);
    };
    let parent = session.machine().at(root, before).map_err(fail)?;
    match last {
        Step::Field(name) => query_field(session, &parent, name),
        Step::Index(_) => {
            let value = session.machine().at(&parent, std::slice::from_ref(last)).map_err(fail)?;
            let mut query = Query::default();
            set_value(session, &mut query, &value);
            Ok(query)
        }
    }
}

fn query_field(session: &mut Workspace, record: &Thunk, name: &Name) -> Result<Query, Problem> {
    let fail = |fault: Fault| fault.problem().clone();
    let mut query = Query::default();
    if let Value::Record(record) = session.machine().force(record).map_err(fail)? {
        set_metadata(session, &record, name, &mut query)?;
    }
    let value = session.machine().at(record, &[Step::Field(name.clone())]).map_err(fail)?;
    set_value(session, &mut query, &value);
    Ok(query)
}

fn set_metadata(
    session: &mut Workspace,
    record: &crate::value::Record,
    name: &Name,
    query: &mut Query,
) -> Result<(), Problem> {
    let found = session.machine().metadata(record, name).map_err(|f| f.problem().clone())?;
    let Some(found) = found else { return Ok(()) };
    query.contracts = distinct_texts(session, &found.contracts);
    query.types = distinct_texts(session, &found.types);
    query.merge = distinct_texts(session, &found.merge);
    query.priority = found.field.priority;
    query.optional = found.field.optional;
    query.not_exported = found.field.not_exported;
    query.secret = found.field.secret;
    query.doc = found.field.doc;
    Ok(())
}

/// Returns the texts at these places, as written, each text once.
fn distinct_texts(session: &Workspace, spans: &[Span]) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for span in spans {
        let text = on_one_line(&session.written(*span));
        if !text.is_empty() && !out.contains(&text) {
            out.push(text);
        }
    }
    out
}

/// Evaluates the thunk and sets the value, or the reason why there is none.
fn set_value(session: &mut Workspace, query: &mut Query, thunk: &Thunk) {
    match session.machine().force(thunk) {
        Ok(value) => {
            let from = thunk.secret();
            if let (Value::Record(record), None) = (&value, &from) {
                let fields = session.machine().fields(record).unwrap_or_default();
                query.fields = Some(fields.into_iter().map(|f| f.name).collect());
            }
            if let (Some(Some(from)), false) = (from, query.secret) {
                query.secret_from = Some((FieldPath::from(from.path.as_slice()), from.span));
            }
            query.value = Some(if query.secret { Datum::Secret } else { session.machine().datum(thunk, SHOWN) });
        }
        Err(fault) => {
            let undefined = matches!(fault.what(), Some(ValueKind::MissingDefinition { off, .. }) if off.is_empty());
            // for a field that is only declared, the missing value is not an error if there is metadata to show
            if !(undefined && query.has_metadata()) {
                query.fault = Some(fault.problem().clone());
            }
        }
    }
}

/// Answers for a name of the session from its definition.
fn query_global(session: &mut Workspace, term: &Arc<Term>, name: &Name) -> Result<Query, Problem> {
    let mut query = Query::default();
    if let Some(definition) = session.definition(name) {
        // a field that `:load` bound is treated as the field of its file
        if let Node::Project(of, field_name) = definition.term.node(definition.term.root)
            && let Node::Global(file) = definition.term.node(*of)
            && file.starts_with('%')
            && let Some(whole) = session.value_of(file)
        {
            return query_field(session, &whole, field_name);
        }
        query = written_metadata(session, &definition);
    }
    let thunk = session.machine().thunk(term);
    set_value(session, &mut query, &thunk);
    Ok(query)
}

/// Returns the annotations and documentation in a definition's text. Nothing is evaluated.
pub fn written_metadata(session: &Workspace, definition: &Definition) -> Query {
    let mut query = Query { doc: definition.doc.clone(), ..Query::default() };
    let own = &definition.term;
    if let Node::Annot(_, annots) = own.node(own.root) {
        for annot in annots {
            let text = on_one_line(&session.written(own.span(annot.ty)));
            match annot.kind {
                AnnotKind::Contract => query.contracts.push(text),
                AnnotKind::Type => query.types.push(text),
            }
        }
    }
    query
}

/// Answers for a path into the library. The tables of the library have the types and documentation, which its values lack.
fn of_library(languages: Languages, term: &Term) -> Option<Query> {
    let path = library_path(term)?;
    let entry = languages.entry(&path)?;
    let doc = Some(Name::new_static(entry.doc()));
    Some(match entry {
        LibraryEntry::Module(module) => Query { doc, fields: Some(module.sorted()), ..Query::default() },
        LibraryEntry::Item(item) => Query { types: vec![item.shown()], doc, ..Query::default() },
    })
}

/// Returns the names of a path into a library: `["std", "array", "map"]` for `std.array.map`. `None` for any other term.
pub fn library_path(term: &Term) -> Option<Vec<Name>> {
    let mut path = Vec::new();
    let mut here = term.root;
    loop {
        match term.node(here) {
            Node::Project(of, name) => {
                path.push(name.clone());
                here = *of;
            }
            Node::Global(name) if is_library(name) => {
                path.push(name.clone());
                path.reverse();
                return Some(path);
            }
            _ => return None,
        }
    }
}

impl Answer for Query {
    forms!("query");

    fn fault(&self) -> Option<&Problem> {
        self.fault.as_ref()
    }
}
